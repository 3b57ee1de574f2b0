"""Pendulums, chains, a four-bar and an arm that meets the floor, at equal accuracy."""
