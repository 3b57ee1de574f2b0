"""Names for things of other programs: letters, digits and ``_`` only, each given once."""

from __future__ import annotations

import re


class Names:
    """Gives out names that are free; ``floor`` becomes ``floor_1``, ``ball1.x`` ``ball1_x``."""

    def __init__(self, taken: frozenset[str]) -> None:
        self._taken = set(taken)
        self.given: dict[str, str] = {}

    def new(self, wish: str) -> str:
        """A name like ``wish`` that was not given before."""
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", wish).strip("_") or "unnamed"
        plain = f"n{plain}" if plain[0].isdigit() else plain
        name, number = plain, 0
        while name in self._taken:
            number += 1
            name = f"{plain}_{number}"
        self._taken.add(name)
        return name

    def of(self, thing: str, wish: str | None = None) -> str:
        """The name of ``thing``, at first one like ``wish``: the same whenever it is asked for."""
        if thing not in self.given:
            self.given[thing] = self.new(thing if wish is None else wish)
        return self.given[thing]
