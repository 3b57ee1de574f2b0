"""Contacts that no shapes make: ropes, and the ends of what a joint leaves free."""
