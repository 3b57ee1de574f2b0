"""Twenty bounces of a ball: every peer's way to do it, one file each."""
