"""Automata and runs written down: listing, DOT, JSON, tables and pictures."""
