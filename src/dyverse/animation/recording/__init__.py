"""What is kept of a run that is played: ways back, events, curves, what it breaks, its pace."""
