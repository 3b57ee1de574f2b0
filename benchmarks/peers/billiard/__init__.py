"""A billiard break: sixteen balls on a table."""
