"""``--set NAME=VALUE``: numbers for parameters, ports and starting values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from dyverse.bodies.world import COORDINATES, SPEEDS, World
from dyverse.errors import ModelError, ParseError, Problem, did_you_mean
from dyverse.expr.term import CONSTANTS, symbols
from dyverse.expr.value import value
from dyverse.text.parse import parse_term


def parse_settings(
    world: World, texts: Sequence[str], *, more: Sequence[str] = (), option: str = "--set"
) -> dict[str, float]:
    """The settings by name, or a `ModelError` with everything wrong about them.

    ``more`` are names that can be set besides those of ``world``: those of automata.
    """
    return assignments(texts, partial(_name_problem, world, more), option=option)


def assignments(
    texts: Sequence[str], wrong: Callable[[str], str | None], *, option: str
) -> dict[str, float]:
    """Numbers by name; ``wrong`` says what is wrong with a name, if something is."""
    settings: dict[str, float] = {}
    problems: list[str] = []
    for text in texts:
        name, equals, amount = (part.strip() for part in text.partition("="))
        number = as_number(amount)
        if not equals or not name:
            problems.append(f"{text!r} is not of the form NAME=VALUE")
        elif name in settings:
            problems.append(f"{name!r} is set twice")
        elif problem := wrong(name):
            problems.append(problem)
        elif number is None:
            problems.append(f"{name!r} needs a number, found {amount!r}{_comma(amount)}")
        else:
            settings[name] = number
    if problems:
        raise ModelError(map(Problem, problems), file=option)
    return settings


def _comma(text: str) -> str:
    """A hint for numbers as they are written in half of the world."""
    return "; write a decimal point" if re.fullmatch(r"[-+]?\d+,\d+", text) else ""


def as_number(text: str) -> float | None:
    """A number, or arithmetic such as ``pi/6``; a name stands for no number here."""
    try:
        return float(text)
    except ValueError:
        pass
    try:
        term = parse_term(text)
    except ParseError:
        return None
    unknown = [symbol.name for symbol in symbols(term) if symbol.name not in CONSTANTS]
    return None if unknown else value(term, {})


def _name_problem(world: World, more: Sequence[str], name: str) -> str | None:
    """What is wrong with setting ``name``; the names that can be set are told."""
    plain = [*(p.name for p in world.parameters), *more]
    plain += [i.name for i in world.inputs if i.formula is None]
    starts = [f"{body.name}.{coordinate}" for body in world.bodies for coordinate in body.settable]
    if name in plain or name in starts:
        return None
    if any(name == item.name for item in world.inputs):
        return f"cannot set the input {name!r}: it has a formula"
    hint = did_you_mean(name, [*plain, *starts]) or ";"
    return f"unknown name {name!r}{hint} known: {_known(world, plain)}"


def _known(world: World, plain: list[str]) -> str:
    """The names that can be set, in few words."""
    bodies = [body.name for body in world.bodies]
    shown = bodies if len(bodies) <= 6 else [*bodies[:5], "…"]
    starts = f"BODY.{{{','.join(COORDINATES + SPEEDS)}}} with BODY one of {', '.join(shown)}"
    return ", ".join([*plain, starts]) if bodies else ", ".join(plain) or "nothing"
