"""Automata that were written down by hand, and what becomes of them."""
