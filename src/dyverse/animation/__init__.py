"""Runs live in the browser: what is shown, how fast it is played, and who may watch."""
