"""Shapes of bodies, one file each."""
