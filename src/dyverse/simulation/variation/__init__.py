"""How runs change with their settings, to first order."""
