"""Bounded model checking as published: Algorithms 1 to 4 of [navarro2018], supplement."""
