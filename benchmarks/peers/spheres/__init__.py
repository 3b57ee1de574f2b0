"""Two spheres with friction and spin for two seconds."""
