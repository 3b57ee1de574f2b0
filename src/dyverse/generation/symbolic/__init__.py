"""Rigid bodies with their numbers left open."""
