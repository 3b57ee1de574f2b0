"""``python -m dyverse``: the command line."""

from dyverse.cli.start import run

run()
