"""The native engine for hand-written automata and networks."""
