"""The statements about automata in the syntax tree: what was written, entry by entry.

What they mean is the business of `dyverse.automaton.reading.statements`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dyverse.errors import Span
from dyverse.expr.formula import Formula
from dyverse.expr.term import Term
from dyverse.text.syntax.elements import Definition, Entry, Name, Quoted, Value

Kind = Literal["real", "clock", "int", "bool"]

VARIABLES = ("real", "clock", "int", "bool")
AUTOMATON_ENTRIES = (*VARIABLES, "location", "edge", "initial", "fmu", "step")
LOCATION_ENTRIES = ("invariant", "urgent", "committed")
EDGE_ENTRIES = ("when", "do", "sync", "action", "urgent", "priority")
CHANNEL_ENTRIES = ("broadcast", "urgent", "priority")
FIELDS = ("above", "below", "sliding", "rising", "falling")
DISCONTINUOUS_ENTRIES = (
    "real",
    "surface",
    "width",
    "control",
    "period",
    "along",
    *FIELDS,
    "initial",
)


@dataclass(frozen=True, slots=True)
class FunctionStatement:
    """``function f(x, y) = x + 2*y``."""

    name: Name
    arguments: tuple[Name, ...]
    value: Value


@dataclass(frozen=True, slots=True)
class ChannelStatement:
    """``channel hit { broadcast }``."""

    name: Name
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Argument:
    """``3`` or ``k = 3`` in ``tank(3)``."""

    value: Term
    name: Name | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """``tank(3)``, or ``left = tank(3)`` with a name of its own."""

    automaton: Name
    arguments: tuple[Argument, ...] = ()
    alias: Name | None = None

    @property
    def name(self) -> Name:
        """What it is called."""
        return self.alias or self.automaton


@dataclass(frozen=True, slots=True)
class SystemStatement:
    """``system ball || floor || control(1)``."""

    instances: tuple[Instance, ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """``x = 20 in [10, 30]`` behind ``real``."""

    name: Name
    start: Term | None = None
    limits: tuple[Value, Value] | None = None


@dataclass(frozen=True, slots=True)
class Declarations:
    """``real x = 20, y`` or ``int n = 3 in [0, 10]``."""

    kind: Kind
    items: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class Rate:
    """``x' = -k*x``."""

    name: Name
    value: Value


@dataclass(frozen=True, slots=True)
class Invariant:
    """``invariant x >= 0``."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Guard:
    """``when x <= 19``."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Update:
    """``x := 1``; the name may be another component's, ``tank.x``."""

    name: Name
    value: Term


@dataclass(frozen=True, slots=True)
class Updates:
    """``do x := y, y := x``: all at once."""

    items: tuple[Update, ...]


@dataclass(frozen=True, slots=True)
class Sync:
    """``sync hit!`` or ``sync hit?``."""

    channel: Name
    sends: bool


@dataclass(frozen=True, slots=True)
class ActionName:
    """``action bounce``: what an internal jump is called."""

    name: Name


LocationEntry = Rate | Invariant | Entry
EdgeEntry = Guard | Updates | Sync | ActionName | Entry


@dataclass(frozen=True, slots=True)
class LocationPart:
    """``location off { x' = -k*x  invariant x >= 18 }``."""

    name: Name
    entries: tuple[LocationEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgePart:
    """``edge off -> on { when x <= 18  do n := n + 1 }``."""

    source: Name
    target: Name
    entries: tuple[EdgeEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Initial:
    """``initial off``."""

    name: Name


@dataclass(frozen=True, slots=True)
class FmuLink:
    """``w = "motor.w"``: what a name stands for in an FMU."""

    name: Name
    signal: Quoted


@dataclass(frozen=True, slots=True)
class FmuPart:
    """``fmu "motor.fmu" step 0.01 { w = "motor.w" }``: it is the code of others."""

    file: Quoted
    step: Value
    links: tuple[FmuLink, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldPart:
    """``above { v' = -g }``: the rates on one side of a surface."""

    keyword: str
    rates: tuple[Rate, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Along:
    """``along v``: the variable that is moved onto the surface."""

    name: Name


AutomatonEntry = Declarations | LocationPart | EdgePart | Initial | FmuPart
DiscontinuousEntry = Declarations | Entry | Along | FieldPart | Initial


@dataclass(frozen=True, slots=True)
class AutomatonStatement:
    """``automaton tank(channel full, k = 2) { … }``."""

    name: Name
    formals: tuple[Definition, ...]
    entries: tuple[AutomatonEntry, ...]
    channels: tuple[Name, ...] = ()  # parameters that are channels; they come first

    @property
    def fmu(self) -> FmuPart | None:
        """The FMU that it is, if it is one."""
        return next((entry for entry in self.entries if isinstance(entry, FmuPart)), None)


@dataclass(frozen=True, slots=True)
class DiscontinuousStatement:
    """``discontinuous drill { … }``."""

    name: Name
    entries: tuple[DiscontinuousEntry, ...]
