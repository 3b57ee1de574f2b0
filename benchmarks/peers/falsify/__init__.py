"""dyverse's falsifier beside other searches, on the same simulator; `make bench-falsify`.

One problem is asked of every search with many seeds; all of them simulate with the native engine
and look at the same margin, so the numbers of runs can be compared. Writes FALSIFY.md.
"""
