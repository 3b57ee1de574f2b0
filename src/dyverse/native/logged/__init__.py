"""The runtime's log of a run: kept as it came, and read as events, arcs and visits."""
