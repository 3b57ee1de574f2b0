"""UPPAAL documents as networks that run."""
