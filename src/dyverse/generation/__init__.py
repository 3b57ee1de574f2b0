"""From a world to its rigid-body hybrid automaton, on demand."""
