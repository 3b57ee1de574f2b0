"""Automata in model text: what statements mean, and what can be wrong with them."""
