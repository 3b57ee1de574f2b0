"""Proofs: ranges divided into what is safe, what is unsafe and what is open, with a certificate."""
