"""``python -m dyverse``: the command line."""

from dyverse.cli.main import run

run()
