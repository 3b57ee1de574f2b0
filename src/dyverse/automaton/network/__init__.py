"""Networks of automata over shared variables."""
