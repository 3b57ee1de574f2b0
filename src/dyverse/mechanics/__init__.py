"""Rigid bodies as mechanics sees them: coordinates, masses, loads, contacts."""
