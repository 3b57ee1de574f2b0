"""Joints: what each kind asks for, as equations, and how they are taken out of the mechanics."""
