"""UPPAAL files: XML and XTA to documents, and back."""
