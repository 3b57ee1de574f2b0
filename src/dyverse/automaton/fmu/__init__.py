"""FMUs of others as components of networks."""
