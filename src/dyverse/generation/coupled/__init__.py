"""Rigid bodies and automata in one system."""
