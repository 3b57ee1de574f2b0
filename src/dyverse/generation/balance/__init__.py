"""The forces in a location, and which are taken where a load is shared."""
