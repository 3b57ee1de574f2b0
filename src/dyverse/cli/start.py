"""Where the command begins, before anything is imported that takes time.

Ctrl-C while Python imports would print a traceback of whatever was being imported; until the
command line is there it ends the process at once, with the code of the contract.
"""

import os
import signal
import sys

INTERRUPTED = 130  # 128 + SIGINT


def run() -> None:
    """Run the command line and exit with the code of the contract."""
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listens:  # else whoever started us wants no interrupts
        signal.signal(signal.SIGINT, _leave)
    from dyverse.cli.main import exit_code

    sys.exit(exit_code(listens=listens))


def _leave(*_: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
