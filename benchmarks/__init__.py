"""One file per question; `make bench` runs them all and writes the table."""
