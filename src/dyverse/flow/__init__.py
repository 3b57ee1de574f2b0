"""One seam, several solvers: steps with dense output, and the location of events."""
