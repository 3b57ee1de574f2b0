"""Code of others: FMUs, each in a process of its own, as functions of all that they were told."""
