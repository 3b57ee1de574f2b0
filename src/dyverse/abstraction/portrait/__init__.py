"""The phase portrait of a model: fields, equilibria, periodic orbits, and planes that cut it."""
