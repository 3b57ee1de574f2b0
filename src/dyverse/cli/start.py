"""Where the command begins, before anything is imported that takes time.

Ctrl-C while Python imports would print a traceback of whatever was being imported; until the
command line is there it ends the process at once, with the code of the contract. What is imported
here and in the package's ``__init__`` is there already once the interpreter runs.
"""

# ``signal`` makes classes of its constants first; this is what it is made of, unknown to mypy.
import _signal as signal  # type: ignore[import-not-found]
import os
import sys

INTERRUPTED = 130  # 128 + SIGINT


def run() -> None:
    """Run the command line and exit with the code of the contract."""
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listens:  # else whoever started us wants no interrupts
        signal.signal(signal.SIGINT, _leave)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # our matrices are small: threads only wait
    from dyverse.cli.main import exit_code

    sys.exit(exit_code(listens=listens))


def _leave(*_: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
