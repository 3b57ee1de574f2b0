"""Behaviours by name, as they are given on the command line.

In comes ``equilibrium in stick``, ``slip_plus stick trans_plus for ever``, ``orbit within on``,
``escapes``, ``unclassified`` or ``undecided``, and the automaton that it is about; out goes the
name as verdicts have it. A cycle may begin anywhere. Locations that were cut in two have names of
their own, ``on_1`` and ``on_2``. What no run of the automaton can be called is refused, with the
place and a suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dyverse.abstraction.evidence.verdict import from_least
from dyverse.abstraction.language.word import primitive_root
from dyverse.abstraction.omega.lts import Lts
from dyverse.errors import ParseError, Problem, Span, did_you_mean

PLAIN = ("escapes", "unclassified", "undecided")
FOR_EVER, EQUILIBRIUM, WITHIN = "for ever", "equilibrium in ", "orbit within "
NUMBER = re.compile(r" #\d+$")  # which of several with one name, in a map
PART = re.compile(r"(_[12])+$")  # of a location that was cut


def behaviour_name(text: str, lts: Lts, *, option: str) -> str:
    """The name of the behaviour that ``text`` means, for runs of ``lts``."""
    number = NUMBER.search(text)
    name = text[: number.start()] if number else text
    problems = list(_problems(name, lts))
    if problems:
        raise ParseError(problems, source=text, file=option)
    if name.endswith(FOR_EVER):
        places = primitive_root(tuple(name.removesuffix(FOR_EVER).split()))
        name = f"{' '.join(from_least(places))} {FOR_EVER}"
    return name + (number[0] if number else "")


def _problems(name: str, lts: Lts) -> Iterator[Problem]:
    if name in PLAIN:
        return
    for start in (EQUILIBRIUM, WITHIN):
        if name.startswith(start):
            yield from _unknown(name, len(start), lts)
            return
    if not name.endswith(FOR_EVER) or not name.removesuffix(FOR_EVER).strip():
        yield Problem(_kinds(name), Span(1, 1, len(name) + 1))
        return
    places = list(re.finditer(r"\S+", name.removesuffix(FOR_EVER)))
    unknown = [problem for place in places for problem in _unknown(name, place.start(), lts)]
    yield from unknown or _missing([place[0] for place in places], lts, len(name))


def _unknown(name: str, start: int, lts: Lts) -> Iterator[Problem]:
    """A location that there is not, nor a part of one."""
    place = name[start:].split(" ")[0] if name.endswith(FOR_EVER) else name[start:]
    if place not in lts.locations and PART.sub("", place) not in lts.locations:
        hint = did_you_mean(place, lts.locations)
        span = Span(1, start + 1, start + max(len(place), 1) + 1)
        yield Problem(f"unknown location {place!r}{hint}", span)


def _missing(places: list[str], lts: Lts, size: int) -> Iterator[Problem]:
    """A move along a cycle for which there is no edge; those of cut locations are not known."""
    if not all(place in lts.locations for place in places):
        return
    moves = {(step.source, step.target) for step in lts.steps}
    for here, there in zip(places, (*places[1:], places[0]), strict=True):
        if (here, there) not in moves:
            yield Problem(f"no edge leads from {here!r} to {there!r}", Span(1, 1, size + 1))


def _kinds(name: str) -> str:
    kinds = ("equilibrium in LOCATION", "orbit within LOCATION", "LOCATION … for ever", *PLAIN)
    hint = did_you_mean(name, PLAIN)
    return f"{name!r} is no behaviour{hint}; behaviours are {', '.join(kinds)}"
