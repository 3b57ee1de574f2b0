"""Words and expressions, regular and ω-regular: read, printed, made shorter."""
