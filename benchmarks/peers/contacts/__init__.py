"""One contact problem with friction: our solver in C beside those of Siconos."""
