"""The numbers that UPPAAL code works on: variables of the network, constants, and locals.

Everything is kept by path; what was written is collected in ``changes``. Each step is counted, so
that code which loops without end ends as a `Fault` of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dyverse.automaton.network.component import Fault
from dyverse.uppaal.meaning.arithmetic import Number
from dyverse.uppaal.meaning.kinds import Kind, Scalar, leaves

MAX_STEPS = 200_000
MAX_CALLS = 50
LOCAL = "#"  # begins the paths of local variables; no name can
RANDOM = "random"  # the variable that random numbers are drawn from; no name either


@dataclass(frozen=True, slots=True)
class Located:
    """A variable, or a part of one, in memory."""

    path: str
    kind: Kind
    constant: bool = False


@dataclass(slots=True)
class Memory:
    """``known`` is what there was before; constants and locals come on top."""

    known: Mapping[str, float]
    changes: dict[str, Number] = field(default_factory=dict)
    held: dict[str, Number] = field(default_factory=dict)  # constants and locals
    steps: int = 0
    calls: int = 0
    made: int = 0

    def step(self) -> None:
        """Count one step."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Fault(f"the code of an edge takes more than {MAX_STEPS:,} steps: an endless loop")

    def fresh(self, name: str) -> str:
        """A path for a new local variable."""
        self.made += 1
        return f"{LOCAL}{self.made}.{name}"

    def read(self, path: str, scalar: Scalar) -> Number:
        """The number at ``path``."""
        for where in (self.held, self.changes, self.known):
            if path in where:
                number = where[path]
                return round(number) if scalar.is_whole else float(number)
        raise KeyError(path)

    def write(self, path: str, scalar: Scalar, number: Number) -> None:
        """Store ``number`` if it fits, else end the run."""
        if scalar.kind == "bool":
            number = int(bool(number))
        elif scalar.kind == "int":
            if number != int(number):
                raise Fault(f"{shown(path)} := {number:.9g} is not a whole number")
            if not scalar.low <= number <= scalar.high:
                span = f"[{scalar.low}, {scalar.high}]"
                raise Fault(f"{shown(path)} := {number} leaves its range {span}")
        (self.held if path.startswith(LOCAL) else self.changes)[path] = number

    def copy(self, source: Located, target: Located) -> None:
        """Copy all leaves."""
        pairs = zip(leaves(source.kind, source.path), leaves(target.kind, target.path), strict=True)
        for (path, scalar), (there, wanted) in pairs:
            self.write(there, wanted, self.read(path, scalar))


def shown(path: str) -> str:
    """A path for people: locals without their number."""
    return path.partition(".")[2] if path.startswith(LOCAL) else path
