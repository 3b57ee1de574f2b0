"""Algorithm 5, *Satisfy*: Boolean combinations of real constraints, by SAT and local search."""
