"""Evidence of what a run does in the long run, and the verdict that it allows."""
