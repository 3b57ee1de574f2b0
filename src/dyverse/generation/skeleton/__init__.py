"""The rigid-body automaton without its numbers: locations, edges, formulas."""
