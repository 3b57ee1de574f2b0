"""Entities: shapes, bodies, and the world they make up."""
