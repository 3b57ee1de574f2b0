"""The syntax tree: what was written, with places."""
