"""Certificates of proofs, and the checker that believes nothing else."""
