"""Tests of models as C sources."""
