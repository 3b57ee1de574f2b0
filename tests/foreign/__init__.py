"""Tests of FMUs of others in our models."""
