"""dyverse beside its peers, in one run; `make bench-peers` installs them and writes PEERS.md.

Each peer runs in a process of its own, in an environment of its own, and prints JSON; the files
named after questions put the answers side by side.
"""
