"""Engines that have nothing to do: the next run with the same code and options takes one over.

An engine is taken out while it runs, so that no two threads ever share one; only a few are kept,
those put back last.
"""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import Generic, TypeVar

Engine = TypeVar("Engine")
Key = TypeVar("Key")


class Idle(Generic[Key, Engine]):
    """At most ``most`` engines, each with what it is good for."""

    def __init__(self, most: int) -> None:
        self._engines: deque[tuple[Key, Engine]] = deque(maxlen=most)
        self._lock = Lock()

    def take(self, key: Key) -> Engine | None:
        """An engine for that, if there is one."""
        with self._lock:
            for place, (its_key, engine) in enumerate(self._engines):
                if its_key == key:
                    del self._engines[place]
                    return engine
        return None

    def put(self, key: Key, engine: Engine) -> None:
        """Keep an engine; if there are too many, the one kept longest goes."""
        with self._lock:
            self._engines.append((key, engine))
