"""Long-term behaviours as languages: derived, split apart, and what they leave out."""
