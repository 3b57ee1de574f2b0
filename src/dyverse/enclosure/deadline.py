"""A time at which whoever encloses something gives up, however deep in it they are.

Programs ask each time they run, so that one long box is left as soon as several short ones. The
clock is that of the day, which all processes share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import time as clock

_END: ContextVar[float] = ContextVar("end", default=math.inf)


class OutOfTime(Exception):  # noqa: N818 - an outcome: nothing is known
    """There is no time left; no answer follows from that."""


@contextmanager
def before(end: float) -> Iterator[None]:
    """Whatever is inside ends at ``end`` (s since 1970), with `OutOfTime`."""
    token = _END.set(min(end, _END.get()))
    try:
        yield
    finally:
        _END.reset(token)


def keep_to_time() -> None:
    """Raise `OutOfTime` if there is none left."""
    if clock() > _END.get():
        raise OutOfTime
