"""Tests of models as FMUs."""
