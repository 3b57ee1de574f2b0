"""Automata on finite and infinite words, and exact decisions about their languages."""
