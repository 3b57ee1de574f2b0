"""Which bodies can touch, how contact is measured, and the laws it obeys."""
