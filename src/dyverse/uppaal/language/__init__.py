"""UPPAAL's language: its syntax trees, parsed from text with places, and printed."""
