"""A rocking block, a tumbling box and a tippe top in engines that step through time."""
