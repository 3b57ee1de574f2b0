"""Following a run of a hybrid automaton, event by event."""
