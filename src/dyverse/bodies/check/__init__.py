"""What can be wrong with a model of bodies: names, structure, numbers."""
