"""Tests of models as S-functions, against a stand-in of the interface."""
