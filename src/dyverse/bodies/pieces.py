"""In what pieces an input is: how many, joined how, with whose times; and their names.

What they mean is written down in `dyverse.bodies.piecewise`.
"""

from __future__ import annotations

from dataclasses import dataclass

SHORTEST = 0.1  # of an equal piece, how long a piece between open times lasts at least


@dataclass(frozen=True, slots=True)
class Pieces:
    """How many pieces a port has, whether straight lines join them, and whose times are open."""

    count: int
    linear: bool = False
    switching: bool = False

    def values(self, port: str) -> tuple[str, ...]:
        """The parameters that are its numbers."""
        return tuple(f"{port}_{i + 1}" for i in range(self.count + self.linear))

    def times(self, port: str) -> tuple[str, ...]:
        """The parameters that are its times, if these are its own."""
        return tuple(f"{port}_t{i + 1}" for i in range(1, self.count)) if self.switching else ()

    def names(self, port: str) -> tuple[str, ...]:
        """All its parameters."""
        return self.values(port) + self.times(port)

    def equal_times(self, until: float) -> list[float]:
        """When one piece follows the other, if all are of one length (s)."""
        return [until * i / self.count for i in range(1, self.count)]

    def shortest(self, until: float) -> float:
        """The shortest piece (s)."""
        return until / self.count * (SHORTEST if self.switching else 1.0)

    @property
    def text(self) -> str:
        """As ``--range`` has it: ``5``, ``5:linear``, ``5:linear:switching``."""
        words = {"linear": self.linear, "switching": self.switching}
        return ":".join([str(self.count), *(word for word in words if words[word])])
