"""The names of a model: what each stands for, and whether it may be used in a given place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from dyverse.bodies.check.features import features_of
from dyverse.bodies.check.normal import planar_axis_of
from dyverse.bodies.joint.joint import JOINT_KINDS, ONE_SIDED, JointKind
from dyverse.bodies.shape.features import Features
from dyverse.bodies.shapes import SHAPES, STILL
from dyverse.bodies.signals import ACTION, COUNT, MODES, NAMED, SEEN, SIGNAL, SIGNALS, is_event
from dyverse.bodies.world import CENTRED, COORDINATES, OCCASIONS, ORIENTED, Motion
from dyverse.errors import Problem, did_you_mean
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.term import CONSTANTS, FUNCTIONS, Call, Symbol, Term, children, symbols
from dyverse.text.instances import actions, readable
from dyverse.text.mistakes.calls import call_message, missing_value
from dyverse.text.syntax.automata import Kind
from dyverse.text.syntax.statements import (
    RESERVED,
    BodyStatement,
    ContactStatement,
    InputStatement,
    JointStatement,
    LoadStatement,
    Model,
    Name,
    ParameterStatement,
    Row,
)
from dyverse.text.tree.part import is_bare

TIME = "t"
SLIP_SPEED = "slip_speed"
ENERGY = "energy"
SPECIAL = (TIME, SLIP_SPEED, ENERGY, *CONSTANTS)

OTHERWISE = {
    "time": "; the time is 't'",
    "e": "; for the number write exp(1), for a constant 'parameter e = 0.8'",
    "g": "; gravity is a vector of its own: gravity (0, -9.81, 0)",
}
MOST_LISTED = 8  # bodies that are told one by one

Use = Literal["constant", "friction", "motion", "place", "property", "time"]

TURNED = COORDINATES[3:]
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Names:
    """Every name that the statements of a model define."""

    parameters: frozenset[str]
    inputs: frozenset[str]
    bodies: dict[str, bool]  # in the order of the text; true if the body is fixed
    motions: dict[str, Motion]  # of the bodies: what they have
    features: dict[str, Features]  # of the bodies: what of them can touch
    rules: dict[frozenset[str], bool]  # pairs with a rule of their own; true if switched on
    others: bool  # whether all other pairs are switched on
    variables: dict[str, Kind]  # those of automata, and their locations
    actions: frozenset[str]  # what jumps of automata are called
    joints: dict[str, JointKind]  # what each is
    joined: frozenset[frozenset[str]]  # pairs of bodies that a joint holds together
    links: frozenset[frozenset[str]]  # both ends of the contacts that joints make
    holds: dict[str, tuple[str, ...]]  # the bodies that each joint joins
    moved: frozenset[str]  # the bodies that are not always where they are

    def can_touch(self, a: str, b: str) -> bool:
        """Whether a contact of the two bodies is on the contact list."""
        both_fixed = self.bodies[a] and self.bodies[b]
        pair = frozenset((a, b))
        others = self.others and pair not in self.joined
        return a != b and not both_fixed and self.rules.get(pair, others)

    def feature_problem(self, a: str, b: str) -> str:
        """What is wrong with the features of two bodies that a signal names, or nothing."""
        (one, _, first), (two, _, second) = a.partition("."), b.partition(".")
        met = self.features[one].met(self.features[two])
        if (first, second) in met:
            return ""
        for body, other, own, i in ((one, two, first, 0), (two, one, second, 1)):
            known = tuple(dict.fromkeys(pair[i] for pair in met if pair[i]))
            if own and own not in known:
                meant = _meant(own, known) or f"; it touches by {', '.join(known) or 'all of it'}"
                return f"body {body!r} has no feature {own!r} there{meant}"
            if not own and known:
                return f"{body!r} touches {other!r} at several points; write one, {body}.{known[0]}"
        return f"{a!r} and {b!r} do not touch each other"


def names_of(model: Model) -> Names:
    """The names that ``model`` defines."""
    statements = model.statements
    inputs = [d for s in statements if isinstance(s, InputStatement) for d in s.definitions]
    contacts = [s for s in statements if isinstance(s, ContactStatement)]
    bodies = [s for s in statements if isinstance(s, BodyStatement)]
    joints = [s for s in statements if isinstance(s, JointStatement)]
    turning, across = jointed(model), planar_axis_of(model)
    return Names(
        parameters=frozenset(s.name.text for s in statements if isinstance(s, ParameterStatement)),
        inputs=frozenset(definition.name.text for definition in inputs),
        bodies={s.name.text: is_fixed(s) for s in bodies},
        motions={s.name.text: motion_of(s, turning) for s in bodies},
        features={s.name.text: features_of(s, across) for s in bodies},
        rules={_pair(s.pair): s.entries is not None for s in contacts if s.pair},
        others=all(s.entries is not None for s in contacts if not s.pair),
        variables=readable(model),
        actions=actions(model),
        links=frozenset(link for s in joints for link in _links(s)),
        joints={s.name.text: JOINT_KINDS[s.joins[0].kind.text] for s in joints if s.joins},
        holds={s.name.text: _held(s) for s in joints},
        moved=frozenset(s.name.text for s in bodies if _is_moved(s)),
        joined=frozenset(
            _pair((each.a, each.b))
            for s in joints
            for each in s.joins
            if isinstance(each.b, Name) and each.kind.text not in ONE_SIDED
        ),
    )


def _held(joint: JointStatement) -> tuple[str, ...]:
    ends = (end for each in joint.joins for end in (each.a, each.b))
    return tuple(end.text for end in ends if isinstance(end, Name))


def _is_moved(body: BodyStatement) -> bool:
    given = {entry.keyword for entry in body.entries}
    return not is_fixed(body) or not given.isdisjoint(("moves", "turns", "drags"))


def _links(joint: JointStatement) -> Iterator[frozenset[str]]:
    """Both ends of what `dyverse.bodies.joint.links` makes of a rope, a stop or limits."""
    limited = any(entry.keyword == "limits" for entry in joint.entries)
    for each in joint.joins:
        if not isinstance(each.b, Name):
            continue
        whole = [joint.name.text] if each.kind.text in ONE_SIDED else []
        ends = [f"{joint.name.text}_{side}" for side in ("lower", "upper")] if limited else []
        for name in (*whole, *ends):
            yield frozenset((f"{each.a.text}.{name}", each.b.text))


def _pair(pair: tuple[Name, Name]) -> frozenset[str]:
    return frozenset(name.text for name in pair)


def is_fixed(body: BodyStatement) -> bool:
    """Whether no force moves a body: it says so, or how it is moved, or its shape does."""
    return any(
        entry.keyword in ("fixed", "moves", "turns", "drags", *STILL) for entry in body.entries
    )


def jointed(model: Model) -> frozenset[str]:
    """The bodies of which a joint asks how they lie, or a force at a point.

    See `dyverse.bodies.joint.joint.Joint.turning`.
    """
    loads = (s for s in model.statements if isinstance(s, LoadStatement))
    found = {load.body.text for load in loads if load.at is not None}
    for statement in (s for s in model.statements if isinstance(s, JointStatement)):
        words = {entry.keyword for entry in statement.entries}
        for each in statement.joins:
            if each.kind.text == "stop":
                found.update(_lying(statement))
                continue
            centred = each.kind.text in ("distance", "rope")
            ends = zip((each.a, each.b), ("from", "to"), strict=True)
            held = (end for end, word in ends if not centred or word in words)
            found |= {end.text for end in held if isinstance(end, Name)}
    return frozenset(found)


def _lying(stop: JointStatement) -> Iterator[str]:
    """The bodies of which the gap of a stop names how they lie, by a quaternion."""
    for entry in stop.entries:
        if entry.keyword == "gap" and entry.value is not None and not isinstance(entry.value, Row):
            for symbol in symbols(entry.value):
                body, _, quantity = symbol.name.partition(".")
                if quantity.startswith("q"):
                    yield body


def motion_of(body: BodyStatement, jointed: frozenset[str]) -> Motion:
    """What variables a body has: see `dyverse.bodies.world.Body.motion`."""
    shapes = (SHAPES[entry.keyword] for entry in body.entries if entry.keyword in SHAPES)
    tensors = (e for e in body.entries if e.keyword == "inertia" and isinstance(e.value, Row))
    lies = body.parts or not all(shape.is_round for shape in shapes) or any(True for _ in tensors)
    lies = lies or any(entry.keyword == "turns" for entry in body.entries)
    held = body.name.text in jointed and not is_fixed(body)
    return ORIENTED if lies or held else CENTRED


def definition_problems(name: Name, kind: str, taken: dict[str, str]) -> Iterator[Problem]:
    """What is wrong with the name of a new parameter, body, input or property."""
    text = name.text
    if not isinstance(text, str) or not NAME.fullmatch(text):  # in Python anything can be given
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
        yield Problem(_unknown_body(name.text, "", names), name.span)


def _unknown_body(name: str, where: str, names: Names) -> str:
    known = list(names.bodies) if len(names.bodies) <= MOST_LISTED else []
    are = "is only" if len(known) == 1 else "are"
    others = f"; there {are} {', '.join(known)}" if known else ""
    return f"unknown body {name!r}{where}{_meant(name, names.bodies) or others}"


def term_problems(term: Term, use: Use, what: str, names: Names) -> Iterator[Problem]:
    """Every name and function in ``term`` that is unknown or has no place in ``what``."""
    stack = [term]
    while stack:
        part = stack.pop()
        stack += reversed(children(part))
        message = ""
        if isinstance(part, Symbol):
            message = _symbol(part.name, use, what, names)
        elif isinstance(part, Call) and part.function in (*SIGNALS, *MODES):
            message = f"a signal has square brackets: {part.function}[ball, floor]"
            del stack[len(stack) - len(part.arguments) :]  # the bodies in it are none by themselves
        elif isinstance(part, Call):
            message = call_message(part)
        if message:
            yield Problem(message, part.span)


def truth_problems(formula: Formula, names: Names) -> Iterator[Problem]:
    """Names that stand alone as a condition and are neither Boolean nor a location."""
    match formula:
        case Compare(left=Symbol() as left) if is_bare(formula):
            known = names.variables.get(left.name, "real")
            known = "bool" if left.name.startswith((*MODES, *OCCASIONS, ACTION)) else known
            if known != "bool" and not _symbol(left.name, "property", "", names):
                message = f"expected a condition such as '{left.name} > 0', found a number"
                yield Problem(message, left.span)
        case Not(part=part):
            yield from truth_problems(part, names)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from truth_problems(part, names)
        case _:
            pass


def _symbol(name: str, use: Use, what: str, names: Names) -> str:
    if name in names.variables:
        return "" if use in ("motion", "property", "time") else _not_constant(name, what)
    if counted := COUNT.fullmatch(name):
        return _counted(counted[1], use, what, names)
    if found := SIGNAL.fullmatch(name):
        return _signal(found[1], found[2], found[3], use, what, names)
    if found := NAMED.fullmatch(name):
        return _action(found[1], found[2], use, names)
    if "." in name:
        return _quantity(name, use, what, names)
    if name in names.parameters or name in CONSTANTS or (name == TIME and use == "time"):
        return ""
    if name == TIME and use == "place":
        return f"{what} is a function of where bodies are; let a body move: moves (0, sin(t), 0)"
    if name in names.inputs or name == TIME:
        return "" if use in ("motion", "property") else _not_constant(name, what, use)
    if name == SLIP_SPEED:
        return "" if use == "friction" else f"{name!r} alone is for 'friction' entries only"
    if name == ENERGY:
        return "" if use == "property" else f"{name!r} is for properties only"
    if name in names.joints:
        return f"{name!r} is a joint; name one of its quantities, such as '{name}.fx'"
    if name in names.bodies:
        return f"{name!r} is a body; name one of its quantities, such as '{name}.x'"
    return f"unknown name {name!r}{_hint(name, use, names)}"


def _hint(name: str, use: Use, names: Names) -> str:
    known = [*names.parameters, *CONSTANTS]
    if use in ("motion", "property"):
        known += [*names.inputs, TIME, *names.bodies, *names.variables]
    if (indexed := re.fullmatch(r"(\w+?)_\d+", name)) and indexed[1] in names.bodies:
        return f"; a quantity is written {indexed[1]}.x, and an index is a part of a name"
    if owned := [found for found in names.variables if found.endswith(f".{name}")]:
        return f"; write {owned[0]!r}"
    known += [SLIP_SPEED] * (use == "friction") + [ENERGY] * (use == "property")
    return missing_value(name) or _meant(name, known) or OTHERWISE.get(name, "")


def _quantity(name: str, use: Use, what: str, names: Names) -> str:
    body, _, coordinate = name.partition(".")
    if body in names.joints:
        return _of_joint(name, use, what, names)
    if body not in names.bodies:
        if coordinate in names.variables:
            return f"variables of what runs alone have no prefix; write {coordinate!r}"
        if owned := [found for found in names.variables if found.startswith(f"{body}.")]:
            tails = {found.partition(".")[2]: found for found in owned}
            meant = _meant(coordinate, tails) or f"; there are {', '.join(tails)}"
            return f"{body!r} has no variable or location {coordinate!r}{meant}"
        return _unknown_body(body, f" in {name!r}", names)
    motion = names.motions[body]
    known = motion.coordinates if use == "place" else motion.quantities
    if use == "place" and coordinate in (*motion.speeds, *motion.derived, *TURNED):
        return f"{what} is a function of where bodies are, and {name!r} is {_no_place(coordinate)}"
    if coordinate not in known:
        meant = _meant(coordinate, known) or f"; there are {', '.join(known)}"
        return f"body {body!r} has no quantity {coordinate!r}{meant}"
    return "" if use in ("motion", "place", "property") else _not_constant(name, what, use)


def _no_place(quantity: str) -> str:
    return "a count of turns" if quantity in TURNED else "a speed"


def _of_joint(name: str, use: Use, what: str, names: Names) -> str:
    joint, _, quantity = name.partition(".")
    kind = names.joints[joint]
    moving = (*kind.variables, *kind.derived)
    known = (*moving, *kind.reactions)
    if quantity not in known:
        meant = _meant(quantity, known) or f"; there are {', '.join(known)}"
        return f"joint {joint!r} has no quantity {quantity!r}{meant}"
    if use in ("motion", "place") and quantity in kind.reactions:
        return f"reactions such as {name!r} are for properties only"
    if use == "place" and quantity == "rate":
        return f"{what} is a function of where bodies are, and {name!r} is a speed"
    return "" if use in ("motion", "place", "property") else _not_constant(name, what, use)


def _signal(signal: str, a: str, b: str, use: Use, what: str, names: Names) -> str:
    text = f"{signal}[{a},{b}]"
    if signal not in (*SIGNALS, *MODES, *OCCASIONS):
        return f"unknown signal {signal!r}{_meant(signal, (*SIGNALS, *MODES, *OCCASIONS))}"
    ends = [end.partition(".")[0] for end in (a, b)]
    if unknown := [body for body in ends if body not in names.bodies]:
        return _unknown_body(unknown[0], f" in {text!r}", names)
    if use == "place":
        return f"{what} is a formula of its own; {text!r} cannot be part of it"
    if use in ("constant", "friction", "time"):
        return _not_constant(text, what, use)
    if use == "motion" and (signal not in SEEN or frozenset((a, b)) in names.links):
        return f"signals such as {text!r} are for properties only"
    if frozenset((a, b)) in names.links:
        return ""
    if not names.can_touch(*ends):
        return f"{text!r}: {ends[0]!r} and {ends[1]!r} cannot touch"
    return names.feature_problem(a, b)


def signal_problem(name: str, names: Names) -> str:
    """What is wrong with a signal that an automaton reads, or nothing."""
    return _symbol(name, "motion", "", names)


def _action(word: str, action: str, use: Use, names: Names) -> str:
    if word != ACTION:
        return "a signal has two bodies, gap[ball, floor], or is an action of automata: action[hit]"
    if use != "property":
        return f"events such as '{ACTION}[{action}]' are for properties only"
    if action in names.actions:
        return ""
    known = f"; there are {', '.join(sorted(names.actions))}" if names.actions else ""
    return f"no edge has the action {action!r}{_meant(action, names.actions) or known}"


def _counted(event: str, use: Use, what: str, names: Names) -> str:
    if not is_event(event):
        return f"only events can be counted, such as count(impact[ball, floor]), not {event!r}"
    return _symbol(event, use, what, names)


def _not_constant(name: str, what: str, use: Use = "constant") -> str:
    if use == "time":
        message = f"{what!r} is a function of time, parameters and variables of automata"
        return f"{message}, and {name!r} is none of these; let a variable follow it"
    return f"{what} must be constant, and {name!r} changes in time; use numbers and parameters"


def _meant(name: str, known: Iterable[str]) -> str:
    return did_you_mean(name, sorted(known))
