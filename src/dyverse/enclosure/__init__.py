"""Enclosures: intervals and balls that surely hold what they stand for, rounded outwards."""
