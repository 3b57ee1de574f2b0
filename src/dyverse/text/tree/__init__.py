"""From the parser's reductions to the syntax tree."""
