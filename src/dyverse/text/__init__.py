"""Model text to a syntax tree with positions, and back."""
