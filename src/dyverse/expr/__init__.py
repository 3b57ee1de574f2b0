"""Immutable terms and formulas over named quantities, and their translations."""
