"""Joints, and the contacts that they make."""
