"""What the animator's page asks for: models to play, searches and proofs, told as they go."""
