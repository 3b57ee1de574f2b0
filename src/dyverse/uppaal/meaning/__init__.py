"""What UPPAAL's code means: scopes, types, memory, and an interpreter on numbers."""
