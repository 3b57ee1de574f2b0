"""The work of each command, fetched when it is called."""
