"""Rigid bodies together with automata in the native engine."""
