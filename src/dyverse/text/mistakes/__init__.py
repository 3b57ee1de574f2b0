"""What could not be read, in words."""
