"""Generated functions: what to compute from some numbers, whatever these are called.

In come terms over the names of a model; out go a `Recipe` over the names v0, v1, … and the names
that these stand for. Equal recipes are one function in C, so a hundred like components cost the
code of one.

With rates f of the numbers that move, and second rates g, the rate of d(t, x) along a flow is
d' = ∂d/∂t + ∂d/∂x f, and that of d' is ∂d'/∂t + ∂d'/∂x f + ∂d'/∂f g. So code need not know which
places the other components are in.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import casadi as ca

from dyverse.automaton.guard.robustness import symbolic_truth
from dyverse.expr.buffered import column
from dyverse.expr.formula import Formula, formula_symbols
from dyverse.expr.rewrite import Rewrite, rewritten, rewritten_formula, substitution
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import Number, Symbol, Term, symbols

TIME = "t"
Kind = Literal["values", "rates", "sample", "second", "sweep", "test"]
Steps = tuple[tuple[tuple[str, Term], ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Results from inputs v0, v1, …, then f and g of the moving ones, if they are needed.

    ``values`` of terms; their ``rates``; a ``sample`` of both; the ``second`` rates; a ``sweep`` of
    assignments, one step after the other; the ``test`` of a formula and one term.
    """

    kind: Kind
    terms: tuple[Term, ...] = ()
    steps: Steps = ()
    formula: Formula | None = None
    inputs: int
    moving: tuple[int, ...] = ()
    time: int | None = None

    @property
    def is_still(self) -> bool:
        """Whether time changes no input."""
        return not self.moving and self.time is None

    @property
    def orders(self) -> int:
        """How many derivatives of the moving inputs it takes."""
        return {"rates": 1, "sample": 1, "second": 2}.get(self.kind, 0)

    @property
    def results(self) -> int:
        """How many numbers it gives."""
        match self.kind:
            case "sample":
                return 2 * len(self.terms)
            case "sweep":
                return len(self.targets)
            case "test":
                return 2
            case _:
                return len(self.terms)

    @property
    def targets(self) -> tuple[str, ...]:
        """What a sweep assigns."""
        return tuple(dict.fromkeys(name for step in self.steps for name, _ in step))

    def function(self, name: str) -> Any:  # casadi ships no type information
        """A CasADi function of one vector, with one vector as result."""
        v = ca.SX.sym("v", self.inputs)
        f, g = (ca.SX.sym(letter, len(self.moving)) for letter in "fg")
        arguments = ca.vertcat(v, *[f, g][: self.orders])
        found = column([ca.SX(entry) for entry in self._results(v, f, g)])
        return ca.Function(name, [arguments], [ca.densify(found)])

    def _results(self, v: SX, f: SX, g: SX) -> list[SX]:
        known = {f"v{i}": v[i] for i in range(self.inputs)}
        if self.kind == "sweep":
            return _swept(self.steps, known, self.targets)
        terms = column([symbolic(term, known) for term in self.terms])
        if self.kind == "values":
            return [terms]
        if self.kind == "test":
            assert self.formula is not None
            return [symbolic_truth(self.formula, known), terms]
        first = self._along(terms, v, f)
        if self.kind == "second":
            return [self._along(first, v, f) + ca.jtimes(first, f, g)]
        return [first] if self.kind == "rates" else [terms, first]

    def _along(self, signals: SX, v: SX, f: SX) -> SX:
        moved = column([v[i] for i in self.moving])
        rate = ca.jtimes(signals, moved, f) if self.moving else 0 * signals
        return rate if self.time is None else rate + ca.jtimes(signals, v[self.time], ca.SX(1))


def _swept(steps: Steps, known: dict[str, SX], targets: tuple[str, ...]) -> list[SX]:
    for step in steps:
        known = known | {name: symbolic(value, known) for name, value in step}
    return [known[name] for name in targets]


class Namer:
    """Gives out v0, v1, … to those of ``board``, in the order in which they are met."""

    def __init__(self, board: Container[str]) -> None:
        self._board = board
        self.names: list[str] = []

    def meet(self, names: Iterable[str]) -> None:
        """Hear of some names."""
        new = dict.fromkeys(n for n in names if n in self._board and n not in self.names)
        self.names += new

    def rewrite(self) -> Rewrite:
        """Names replaced by what was given out."""
        return substitution({name: Symbol(f"v{i}") for i, name in enumerate(self.names)})

    def inputs(self, moving: Container[str]) -> tuple[int, tuple[int, ...], int | None]:
        """How many there are, which move, and which is the time."""
        places = tuple(i for i, name in enumerate(self.names) if name in moving)
        return len(self.names), places, self.names.index(TIME) if TIME in self.names else None


def recipe(
    kind: Kind, terms: Iterable[Term], board: Container[str], moving: Container[str]
) -> tuple[Recipe, list[str]]:
    """A recipe over ``terms``, and what its inputs are called."""
    namer, terms = Namer(board), tuple(terms)
    namer.meet(symbol.name for term in terms for symbol in symbols(term))
    rewrite = namer.rewrite()
    count, places, time = namer.inputs(moving)
    own = tuple(rewritten(term, rewrite) for term in terms)
    return Recipe(kind=kind, terms=own, inputs=count, moving=places, time=time), namer.names


def sweep_recipe(steps: Steps, board: Container[str]) -> tuple[Recipe, list[str]]:
    """A recipe of assignments, step after step; its targets are among its inputs."""
    namer = Namer(board)
    namer.meet(_swept_names(steps))
    rewrite = namer.rewrite()
    own = tuple(
        tuple((f"v{namer.names.index(name)}", rewritten(term, rewrite)) for name, term in step)
        for step in steps
    )
    return Recipe(kind="sweep", steps=own, inputs=len(namer.names)), namer.names


def _swept_names(steps: Steps) -> Iterator[str]:
    for step in steps:
        for target, term in step:
            yield target
            yield from (symbol.name for symbol in symbols(term))


def check_recipe(
    formula: Formula, residual: Term | None, board: Container[str]
) -> tuple[Recipe, list[str]]:
    """A recipe for a test of convergence: its truth, and the residual."""
    namer, error = Namer(board), Number(float("nan")) if residual is None else residual
    namer.meet(symbol.name for symbol in (*formula_symbols(formula), *symbols(error)))
    rewrite = namer.rewrite()
    own = rewritten_formula(formula, rewrite)
    terms = (rewritten(error, rewrite),)
    return Recipe(kind="test", formula=own, terms=terms, inputs=len(namer.names)), namer.names
