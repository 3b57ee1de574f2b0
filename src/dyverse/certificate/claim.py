"""What a certificate is about: the question with its text read, and its property as a formula.

Literals of the text and settings are symbols; their numbers are decimals, enclosed as written.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb

from dyverse.automaton.guard.robustness import normal
from dyverse.bodies.world import Property
from dyverse.certificate.file import Question, Unproved
from dyverse.expr.formula import Compare, Formula, Or
from dyverse.expr.requirement import Quantified, as_formula
from dyverse.expr.term import Symbol, Term
from dyverse.generation.model import model_of
from dyverse.text.literals import with_literals
from dyverse.text.parse import parse
from dyverse.text.syntax.automata import AutomatonStatement


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula in normal form for all times to ``until``; ``dual`` if it is to fail at one."""

    formula: Formula
    until: Term | None
    dual: bool
    fixed: bool = False  # whether nobody else may say when it ends


def claimed(claim: Property) -> Claim:
    """``always F``, or ``eventually F``, which is that ``not F`` fails; perhaps in an interval."""
    match claim.requirement:
        case Quantified(word="always" | "eventually" as word, part=part, during=during):
            formula, dual = as_formula(part), word == "eventually"
            if formula is not None and during is None:
                return Claim(normal(formula, negated=dual), claim.until, dual)
            if formula is not None and during is not None:
                later = Or((Compare("<", Symbol("t"), during.low), normal(formula, negated=dual)))
                return Claim(normal(later), during.high, dual, fixed=True)
    raise Unproved("unsupported: only 'always' and 'eventually' of a formula can be proved")


class Asked:
    """A question with its text read."""

    def __init__(self, question: Question) -> None:
        whole = parse(question.text)
        if any(isinstance(s, AutomatonStatement) and s.fmu for s in whole.statements):
            raise Unproved("unsupported: the code of others (FMUs)")
        tree, literals = with_literals(whole, question.text)
        self.question, self.model = question, model_of(tree, question.text)
        own = {name for name, *_ in (*question.unknowns, *question.settings)}
        if other := sorted(own & literals.keys() or own - self._named(own)):
            raise Unproved(f"there is no {other[0]!r} that could be set")
        self.decimals = dict(question.settings) | dict(literals)  # of what is not unknown
        self.numbers = tuple(map(number, self.decimals.values()))
        exact = (None if text == "pi" else Fraction(text) for text in self.decimals.values())
        self.fractions = (*(None for _ in question.unknowns), *exact)
        self.names = (*(name for name, _, _ in question.unknowns), *self.decimals)
        self.chosen = {name: float(decimal) for name, decimal in question.settings}

    def _named(self, own: set[str]) -> set[str]:
        """What can be set; what a scene of bodies knows is asked for when it is made."""
        world = self.model.world
        names = {item.name for item in world.parameters} | {item.name for item in world.inputs}
        return own if world.bodies else names | set(self.model.settable())

    @cached_property
    def claim(self) -> Claim:
        """What is asked, as a formula that is to hold at all times."""
        found = [c for c in self.model.properties if c.name == self.question.claim]
        if not found:
            raise Unproved(f"there is no property {self.question.claim!r}")
        return claimed(found[0])

    @cached_property
    def until(self) -> Term:
        """When the property ends, or the model."""
        own = self.claim.until or self.model.horizon
        if own is None:
            raise Unproved("the property has no end")
        return own


def number(decimal: str) -> arb:
    """A decimal as it is written."""
    return arb.pi() if decimal == "pi" else arb(decimal)
