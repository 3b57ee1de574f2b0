"""Laws of contact and impact, and the algorithms that solve them."""
