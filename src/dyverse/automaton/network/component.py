"""The parts of a network: typed variables, channels, and components with locations and edges.

They are values that text, Python and importers build; `dyverse.automaton.network.network` puts them
together, checks them and answers as a `HybridAutomaton`. All names of variables are global to the
network: what belongs to one component is called ``component.variable`` by custom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from dyverse.automaton.interface import Assignment
from dyverse.expr.formula import TRUE, Formula

Kind = Literal["real", "clock", "int", "bool"]
Known = Mapping[str, float]

WHOLE = 1e-9  # a number this close to an integer is one


class Fault(Exception):  # noqa: N818 - an outcome of a run, which ends it, not an error
    """Something that a run cannot do: leave a variable's range, loop without end, divide by 0.

    A procedure may raise it with a sentence of its own; the run then ends with `Stop.FAULT`.
    """


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that all components can read; a Boolean is 0 or 1.

    A clock runs at rate 1 where no location says otherwise, a real variable stands still, and the
    others never change but by assignment. An assignment that leaves ``low`` … ``high`` ends a run.
    """

    name: str
    kind: Kind = "real"
    start: float = 0.0
    low: float | None = None
    high: float | None = None

    @property
    def is_continuous(self) -> bool:
        """Whether it may change while time passes."""
        return self.kind in ("real", "clock")

    @property
    def limits(self) -> tuple[float, float]:
        """The range that assignments must keep to."""
        if self.kind == "bool":
            return 0.0, 1.0
        low = -float("inf") if self.low is None else self.low
        return low, float("inf") if self.high is None else self.high

    def accepted(self, number: float) -> float:
        """``number`` as a value of this variable, or a `Fault`."""
        low, high = self.limits
        if not low <= number <= high:
            raise Fault(f"{self.name} := {number:.9g} leaves its range [{low:g}, {high:g}]")
        if self.is_continuous:
            return number
        if abs(number - round(number)) > WHOLE:
            raise Fault(f"{self.name} := {number:.9g} is not a whole number")
        return float(round(number))


@dataclass(frozen=True, slots=True)
class Channel:
    """What components synchronise on: one sender with one receiver, or with all that are ready."""

    name: str
    broadcast: bool = False
    urgent: bool = False
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Action:
    """Half of a synchronisation: ``channel!`` if it sends, else ``channel?``."""

    channel: str
    sends: bool

    def __str__(self) -> str:
        return f"{self.channel}{'!' if self.sends else '?'}"


class Procedure(Protocol):
    """What terms and formulas cannot say on an edge: loops and arrays, as in UPPAAL's functions.

    It is a value that hashes, compares and pickles. ``known`` has every variable and parameter by
    name, and the time ``t``.
    """

    @property
    def reads(self) -> tuple[str, ...]:
        """The variables that it looks at; the condition only at those that time does not change."""

    @property
    def writes(self) -> tuple[str, ...]:
        """The variables that it may change."""

    @property
    def asks(self) -> bool:
        """Whether it has a condition at all: else nobody asks for it."""

    def condition(self, known: Known) -> bool:
        """Whether the edge is allowed, besides its guard."""

    def apply(self, known: Known) -> Known:
        """New values of some variables, besides the edge's assignments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkEdge:
    """A jump of one component: internal without an action, else half of a synchronisation.

    ``guard`` and the procedure's condition must both hold; ``reset`` and the procedure's changes
    happen at once and must not write the same variable. Of the edges enabled at one instant only
    those with the highest priority may be taken.
    """

    source: str
    target: str
    guard: Formula = TRUE
    reset: tuple[Assignment, ...] = ()  # variables left out keep their value
    action: Action | None = None
    procedure: Procedure | None = None
    priority: int = 0
    urgent: bool = False
    name: str = ""  # what an internal jump is called in events
    weight: float = 1.0  # how often a draw chooses it, against others from the same place

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"

    @property
    def writes(self) -> tuple[str, ...]:
        """The variables that it may change."""
        extra = () if self.procedure is None else self.procedure.writes
        return (*(assignment.target for assignment in self.reset), *extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A location of one component; in an urgent or committed one no time passes.

    While some component is in a committed place, only jumps that one such takes part in may be
    taken.
    """

    name: str
    rates: tuple[Assignment, ...] = ()
    invariant: Formula = TRUE
    urgent: bool = False
    committed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One automaton of a network; its ``priority`` is added to that of its edges."""

    name: str
    places: tuple[Place, ...]
    edges: tuple[NetworkEdge, ...] = ()
    initial: str
    priority: int = 0
