"""A model as C99 sources that need nothing else."""
