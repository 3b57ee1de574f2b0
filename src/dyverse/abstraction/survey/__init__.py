"""All that a model does in the long run: attractors, their names, maps over parameters."""
