"""UPPAAL files: read, printed, run as networks, and written from networks.

`language` and `files` know documents, `meaning` and `loading` make networks of them, `export` makes
documents of networks.
"""
