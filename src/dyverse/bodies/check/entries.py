"""What can be wrong with the entries of a body, before any number is put in."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.bodies.check.names import is_fixed
from dyverse.bodies.shapes import SHAPES, STILL
from dyverse.errors import Problem
from dyverse.expr.switching import Separator
from dyverse.expr.term import Number, Term
from dyverse.text.syntax.statements import BodyStatement, Entry, Row, Value

DRIVES = ("moves", "turns", "drags")  # functions of time
_STILL = Row((Number(0.0),) * 3)


def items(value: Value) -> tuple[Term, ...]:
    """The numbers of an entry."""
    return value.items if isinstance(value, Row) else (value,)


def shape_problems(body: BodyStatement) -> Iterator[Problem]:
    """What is wrong with the shape of a body, or those of its parts."""
    shapes = [entry for entry in body.entries if entry.keyword in SHAPES]
    if body.parts:
        yield from _part_problems(body, shapes)
        return
    if not shapes:
        hint = f"write {_either([repr(shape.example) for shape in SHAPES.values()])}"
        yield Problem(f"body {body.name.text!r} has no shape; {hint}", body.name.span)
    for extra in shapes[1:]:
        if extra.keyword != shapes[0].keyword:
            message = f"body {body.name.text!r} has two shapes; keep one"
            yield Problem(message, extra.span)


def _part_problems(body: BodyStatement, shapes: list[Entry]) -> Iterator[Problem]:
    """What is wrong with the parts of a body: each has a name and a shape of its own."""
    for extra in shapes:
        message = f"body {body.name.text!r} has parts; write this shape as one of them"
        yield Problem(message, extra.span)
    names: set[str] = set()
    for part in body.parts:
        name, own = part.name, [entry for entry in part.entries if entry.keyword in SHAPES]
        if name.text in names:
            yield Problem(f"the part {name.text!r} is given twice; choose another name", name.span)
        names.add(name.text)
        if len(own) != 1 or len({entry.keyword for entry in part.entries}) < len(part.entries):
            yield Problem(
                f"the part {name.text!r} needs one shape, and 'at' and 'rotation' once", name.span
            )
        elif own[0].keyword in STILL:
            yield Problem(f"a {own[0].keyword} has no end and cannot be a part", own[0].span)


def _either(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def motion_problems(body: BodyStatement) -> Iterator[Problem]:
    """What is wrong with how a body moves: its mass, its speeds, what it is driven by."""
    name, given = body.name.text, {entry.keyword: entry for entry in body.entries}
    shapes = [word for word in given if word in SHAPES]
    still = [word for word in shapes if word in STILL]
    if not is_fixed(body) and given.keys().isdisjoint(("mass", "density")):
        hint = "give it a mass, or write 'fixed'"
        yield Problem(f"body {name!r} moves and has no mass; {hint}", body.name.span)
    if "density" in given:
        yield from _density_problems(body, given)
    yield from _smooth_problems(name, given)
    if "drags" in given and shapes and not still:
        message = f"only the surface of a {STILL[0]} can drag, not that of a {shapes[0]}"
        yield Problem(f"{message}; let body {name!r} move instead", given["drags"].span)
    if "drags" in given and "turns" in given:
        message = f"body {name!r} turns, and where its surface runs to would turn as well"
        yield Problem(f"{message}; leave out 'drags'", given["drags"].span)
    if "moves" in given or "turns" in given:
        yield from _moved_problems(name, given)
        return
    for word in ("velocity", "spin"):
        if is_fixed(body) and word in given and given[word].value != _STILL:
            hint = f"leave out {word!r}" + ("" if still else " or 'fixed'")
            yield Problem(f"body {name!r} is fixed and cannot move; {hint}", given[word].span)
    for word in ("mass", "density", "inertia", "rotation"):
        if still and still == shapes and word in given and given[word].value != _STILL:
            turn = f"turn its {SHAPES[still[0]].measure} instead"
            hint = turn if word == "rotation" else "leave it out"
            yield Problem(f"a {still[0]} is fixed and has no {word}; {hint}", given[word].span)


def _density_problems(body: BodyStatement, given: dict[str, Entry]) -> Iterator[Problem]:
    """A density beside a mass, or of what has no volume."""
    name, span = body.name.text, given["density"].span
    if "mass" in given:
        yield Problem(f"body {name!r} has a mass and a density; leave out one of them", span)
    solid = [entry for part in body.parts for entry in part.entries if entry.keyword != "point"]
    if "point" in given or (body.parts and not any(e.keyword in SHAPES for e in solid)):
        yield Problem(f"a point has no volume; give body {name!r} a mass instead", span)


def _moved_problems(name: str, given: dict[str, Entry]) -> Iterator[Problem]:
    """What a body that is moved cannot have."""
    words = ["mass", "density", "inertia", "velocity", "spin", "fixed"]
    words += ["position"] * ("moves" in given) + ["rotation"] * ("turns" in given)
    for word in words:
        if word in given:
            message = f"body {name!r} is moved, whatever its {word}; leave out {word!r}"
            yield Problem(message, given[word].span)


def _smooth_problems(name: str, given: dict[str, Entry]) -> Iterator[Problem]:
    """Motions that jump or have a kink."""
    for word in (word for word in DRIVES if word in given):
        separate = Separator(lambda symbol: symbol != "t" and "." not in symbol)
        for term in items(given[word].value or Number(0.0)):
            separate(term)
        for switch in separate.switches:
            message = f"the motion of body {name!r} has a kink or a jump, in {switch.text}"
            yield Problem(f"{message}; it must be smooth", given[word].span)
