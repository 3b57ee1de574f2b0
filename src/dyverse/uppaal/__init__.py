"""UPPAAL files: read, printed, run as networks, and written from networks."""
