"""Systems with surfaces of discontinuity."""
