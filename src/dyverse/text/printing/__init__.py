"""The syntax tree as model text."""
