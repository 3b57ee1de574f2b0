"""The command line: one file per command; it wires packages together and computes nothing."""
