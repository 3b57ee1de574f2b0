"""The names of a model: what each stands for, and whether it may be used in a given place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from dyverse.bodies.signals import SIGNAL, SIGNALS
from dyverse.bodies.world import COORDINATES, SPEEDS
from dyverse.errors import Problem, did_you_mean
from dyverse.expr.term import CONSTANTS, FUNCTIONS, Call, Symbol, Term, children
from dyverse.text.syntax import (
    ENTRIES,
    RESERVED,
    BodyStatement,
    ContactStatement,
    InputStatement,
    Model,
    Name,
    ParameterStatement,
)

TIME = "t"
SLIP_SPEED = "slip_speed"
ENERGY = "energy"
QUANTITIES = COORDINATES + SPEEDS
SPECIAL = (TIME, SLIP_SPEED, ENERGY, *CONSTANTS)

Use = Literal["constant", "friction", "motion", "property"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Names:
    """Every name that the statements of a model define."""

    parameters: frozenset[str]
    inputs: frozenset[str]
    bodies: dict[str, bool]  # in the order of the text; true if the body is fixed
    rules: dict[frozenset[str], bool]  # pairs with a rule of their own; true if switched on
    others: bool  # whether all other pairs are switched on

    def can_touch(self, a: str, b: str) -> bool:
        """Whether a contact of the two bodies is on the contact list."""
        both_fixed = self.bodies[a] and self.bodies[b]
        return a != b and not both_fixed and self.rules.get(frozenset((a, b)), self.others)


def names_of(model: Model) -> Names:
    """The names that ``model`` defines."""
    statements = model.statements
    inputs = [d for s in statements if isinstance(s, InputStatement) for d in s.definitions]
    contacts = [s for s in statements if isinstance(s, ContactStatement)]
    return Names(
        parameters=frozenset(s.name.text for s in statements if isinstance(s, ParameterStatement)),
        inputs=frozenset(definition.name.text for definition in inputs),
        bodies={s.name.text: is_fixed(s) for s in statements if isinstance(s, BodyStatement)},
        rules={_pair(s.pair): s.entries is not None for s in contacts if s.pair},
        others=all(s.entries is not None for s in contacts if not s.pair),
    )


def _pair(pair: tuple[Name, Name]) -> frozenset[str]:
    return frozenset(name.text for name in pair)


def is_fixed(body: BodyStatement) -> bool:
    """Whether a body never moves: it says so, or it is a plane."""
    return any(entry.keyword in ("fixed", "plane") for entry in body.entries)


def definition_problems(name: Name, kind: str, taken: dict[str, str]) -> Iterator[Problem]:
    """What is wrong with the name of a new parameter, body, input or property."""
    text = name.text
    if not _NAME.fullmatch(text):
        message = f"{text!r} is not a name; use letters, digits and '_', no digit first"
        yield Problem(message, name.span)
    elif text in RESERVED or text in SPECIAL:
        yield Problem(f"{text!r} is a word of the language; choose another name", name.span)
    elif text in FUNCTIONS and kind in ("parameter", "input"):
        yield Problem(f"{text!r} is a function; choose another name", name.span)
    if text in taken:
        yield Problem(f"the name {text!r} is taken by {taken[text]}", name.span)


def body_problem(name: Name, names: Names) -> Iterator[Problem]:
    """A problem if no body has that name."""
    if name.text not in names.bodies:
        yield Problem(f"unknown body {name.text!r}{_meant(name.text, names.bodies)}", name.span)


def term_problems(term: Term, use: Use, what: str, names: Names) -> Iterator[Problem]:
    """Every name and function in ``term`` that is unknown or has no place in ``what``."""
    stack = [term]
    while stack:
        part = stack.pop()
        stack += reversed(children(part))
        message = ""
        if isinstance(part, Symbol):
            message = _symbol(part.name, use, what, names)
        elif isinstance(part, Call):
            message = _call(part)
        if message:
            yield Problem(message, part.span)


def _call(call: Call) -> str:
    name, given = call.function, len(call.arguments)
    if name not in FUNCTIONS:
        hint = _meant(name, FUNCTIONS) or _missing_value(name)
        return f"unknown function {name!r}{hint}"
    wanted = FUNCTIONS[name]
    arguments = "1 argument" if wanted == 1 else f"{wanted} arguments"
    return "" if given == wanted else f"{name!r} takes {arguments}, not {given}"


def _symbol(name: str, use: Use, what: str, names: Names) -> str:
    if found := SIGNAL.fullmatch(name):
        return _signal(found[1], found[2], found[3], use, what, names)
    if "." in name:
        return _quantity(name, use, what, names)
    if name in names.parameters or name in CONSTANTS:
        return ""
    if name in names.inputs or name == TIME:
        return "" if use in ("motion", "property") else _not_constant(name, what)
    if name == SLIP_SPEED:
        return "" if use == "friction" else f"{name!r} alone is for 'friction' entries only"
    if name == ENERGY:
        return "" if use == "property" else f"{name!r} is for properties only"
    if name in names.bodies:
        return f"{name!r} is a body; name one of its quantities, such as '{name}.x'"
    return f"unknown name {name!r}{_hint(name, use, names)}"


def _hint(name: str, use: Use, names: Names) -> str:
    known = [*names.parameters, *CONSTANTS]
    if use in ("motion", "property"):
        known += [*names.inputs, TIME, *names.bodies]
    known += [SLIP_SPEED] * (use == "friction") + [ENERGY] * (use == "property")
    return _missing_value(name) or _meant(name, known)


def _missing_value(name: str) -> str:
    return "; is a value missing before it?" if name in ENTRIES else ""


def _quantity(name: str, use: Use, what: str, names: Names) -> str:
    body, _, coordinate = name.partition(".")
    if body not in names.bodies:
        return f"unknown body {body!r} in {name!r}{_meant(body, names.bodies)}"
    if coordinate not in QUANTITIES:
        meant = _meant(coordinate, QUANTITIES) or f"; there are {', '.join(QUANTITIES)}"
        return f"body {body!r} has no quantity {coordinate!r}{meant}"
    return "" if use in ("motion", "property") else _not_constant(name, what)


def _signal(signal: str, a: str, b: str, use: Use, what: str, names: Names) -> str:
    text = f"{signal}[{a},{b}]"
    if signal not in SIGNALS:
        return f"unknown signal {signal!r}{_meant(signal, SIGNALS)}"
    if unknown := [body for body in (a, b) if body not in names.bodies]:
        return f"unknown body {unknown[0]!r} in {text!r}{_meant(unknown[0], names.bodies)}"
    if use in ("constant", "friction"):
        return _not_constant(text, what)
    if use == "motion":
        return f"signals such as {text!r} are for properties only"
    return "" if names.can_touch(a, b) else f"{text!r}: {a!r} and {b!r} cannot touch"


def _not_constant(name: str, what: str) -> str:
    return f"{what} must be constant, and {name!r} changes in time; use numbers and parameters"


def _meant(name: str, known: Iterable[str]) -> str:
    return did_you_mean(name, sorted(known))
