"""Falsification of safety properties: formulas, a lazy solver, searches and their verdicts."""
