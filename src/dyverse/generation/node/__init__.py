"""Passing through computation nodes: on arrays, and place by place."""
