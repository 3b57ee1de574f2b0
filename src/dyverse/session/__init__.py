"""A run that is there: it goes on when asked, can be looked at, taken back and branched."""
