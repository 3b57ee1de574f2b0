"""What became of requirements along a run."""
