"""Work that other processes can find."""

import time


def slow_square(task: int) -> int:
    """The square, after a while."""
    time.sleep(0.3)
    return task * task
