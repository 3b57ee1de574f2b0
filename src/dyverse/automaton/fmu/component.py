"""FMUs as automata: at each communication point they are told, make a step, and are read.

In between what they say stays as it is, so what happens inside of an FMU is seen at the next point
only. An FMU has two variables of its own: ``exchange``, when the next point is (s), and ``course``,
a number for the state that it is in (see `dyverse.foreign.course`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Component, Fault, Kind, Known, NetworkEdge, Place
from dyverse.errors import ModelError, Problem, Span, did_you_mean
from dyverse.expr.formula import Compare
from dyverse.expr.term import Symbol, Term
from dyverse.expr.value import value
from dyverse.foreign.course import Course, course
from dyverse.foreign.description import GIVEN, Description, Signal, description
from dyverse.foreign.process import ForeignError

EXCHANGE, COURSE = "exchange", "course"  # what an FMU has besides what is read of it
LAST = -1_000_000  # the priority of who waits until all others have jumped
REAL = ("Real", "Float64", "Float32")  # kinds of FMI that whole numbers cannot hold


@dataclass(frozen=True, slots=True)
class Link:
    """A name in the model and the variable of the FMU that it stands for."""

    name: str
    signal: str
    kind: Kind = "real"
    changes: bool = True
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """An FMU in a model: where it is, what it is told, what is read of it, how often (s)."""

    name: str
    path: str
    given: tuple[Link, ...]
    read: tuple[Link, ...]
    step: Term
    exchange: str
    course: str
    trusted: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def file(self) -> str:
        """The name of its file."""
        return Path(self.path).name

    def opened(self, *, anew: bool) -> Course:
        """All that it was ever told; it must be trusted, and anew it must fit to its file."""
        if not self.trusted:
            raise ModelError([Problem(untrusted(self), self.span)])
        if anew and (problems := list(foreign_problems(self))):
            raise ModelError(problems)
        return course(
            self.path, tuple(x.signal for x in self.given), tuple(x.signal for x in self.read)
        )


def untrusted(foreign: Foreign) -> str:
    """What would run, and how to allow it."""
    about = description(foreign.path)
    maker = f" (made by: {about.tool})" if about.tool else ""
    code = ", ".join(about.libraries) or "no library at all"
    return (
        f"{foreign.name!r} is {foreign.file}{maker}, and would run its code, {code}, with all your "
        "rights; say --trust if you trust it, in Python model.trusting()"
    )


@dataclass(frozen=True, slots=True)
class Exchange:
    """What an FMU does at a communication point: begin, or make a step."""

    foreign: Foreign
    begins: bool

    @property
    def reads(self) -> tuple[str, ...]:
        """What it is told, and the state it is in."""
        return (*(link.name for link in self.foreign.given), self.foreign.course)

    @property
    def writes(self) -> tuple[str, ...]:
        """What is read of it."""
        own = (self.foreign.exchange, self.foreign.course)
        return (*(link.name for link in self.foreign.read), *own)

    @property
    def asks(self) -> bool:
        """It forbids nothing."""
        return False

    def condition(self, known: Known) -> bool:
        """It forbids nothing."""
        return True

    def apply(self, known: Known) -> Known:
        """What it answers, or a `Fault` with what it says."""
        unit, found = self.foreign, self.foreign.opened(anew=self.begins)
        row = tuple(known[link.name] for link in unit.given)
        length = value(unit.step, known)
        if not length > 0:
            raise Fault(f"the step of {unit.name} must be over 0, not {length:g}")
        try:
            if self.begins:
                state, values = found.begin(row)
            else:
                state, values = found.step(round(known[unit.course]), length, row)
        except ForeignError as error:
            raise Fault(f"{unit.name} ({unit.file}): {error}") from None
        answers = dict(zip((link.name for link in unit.read), values, strict=True))
        point = length * (found.steps(state) + 1)
        return {**answers, unit.exchange: point, unit.course: float(state)}


def foreign_component(foreign: Foreign, told: tuple[Assignment, ...]) -> Component:
    """Its automaton: a step with what it was told before; then others jump; then it is told."""
    time, point = Symbol("t"), Symbol(foreign.exchange)
    begin, step = (Exchange(foreign, begins=begins) for begins in (True, False))
    return Component(
        name=foreign.name,
        places=(
            Place(name="begin", urgent=True),
            Place(name="told", urgent=True),
            Place(name="read", urgent=True),
            Place(name="on", invariant=Compare("<=", time, point)),
        ),
        edges=(
            NetworkEdge(source="begin", target="told", reset=told, name="tell"),
            NetworkEdge(source="told", target="read", procedure=begin, name="begin"),
            NetworkEdge(source="read", target="on", reset=told, priority=LAST, name="tell"),
            NetworkEdge(
                source="on",
                target="read",
                guard=Compare(">=", time, point),
                procedure=step,
                name="exchange",
            ),
        ),
        initial="begin",
    )


def foreign_of(component: Component) -> Foreign | None:
    """The FMU that a component is, if it is one."""
    procedures = (edge.procedure for edge in component.edges)
    return next((item.foreign for item in procedures if isinstance(item, Exchange)), None)


def trusting(component: Component) -> Component:
    """The same component, whose code may run."""
    edges = (
        replace(edge, procedure=Exchange(replace(called.foreign, trusted=True), called.begins))
        if isinstance(called := edge.procedure, Exchange)
        else edge
        for edge in component.edges
    )
    return replace(component, edges=tuple(edges))


def foreign_problems(foreign: Foreign) -> Iterator[Problem]:
    """Where a model and the description of its FMU do not fit; no code runs for that."""
    try:
        about = description(foreign.path)
    except ModelError as error:
        for problem in error.problems:
            yield Problem(f"{foreign.path}: {problem.message}", foreign.span)
        return
    for link in foreign.given:
        yield from _unfit(link, about, _why_not_told)
    for link in foreign.read:
        yield from _unfit(link, about, _why_not_read)


Why = Callable[[Link, Signal], str]


def _unfit(link: Link, about: Description, why_not: Why) -> Iterator[Problem]:
    found = about.signal(link.signal)
    if found is None:
        hint = did_you_mean(link.signal, [signal.name for signal in about.signals])
        yield Problem(f"the FMU has no variable {link.signal!r}{hint}", link.span)
    elif reason := found.why_not or why_not(link, found):
        yield Problem(f"{link.signal!r} of the FMU {reason}", link.span)


def _why_not_told(link: Link, signal: Signal) -> str:
    if signal.causality not in GIVEN:
        return f"is a variable of the kind {signal.causality!r}, which cannot be set"
    if link.changes and signal.causality != "input":
        return "is a parameter, and what is given for it changes in time"
    return ""


def _why_not_read(link: Link, signal: Signal) -> str:
    if link.kind != "real" and signal.kind in REAL:
        return f"is a real number; write 'real {link.name.rpartition('.')[2]}'"
    return ""
