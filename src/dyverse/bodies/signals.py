"""Signals of a contact, ``gap[ball1,ball2]``: their names, and one order for the two bodies.

A contact is named in the order in which its bodies were written down. In a property the bodies may
be named either way, as every signal of a contact is the same from both sides.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import assert_never

from dyverse.bodies.joint.joint import FORCES, TORQUES
from dyverse.bodies.world import OCCASIONS, World
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.requirement import with_formulas
from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term

SIGNALS = ("gap", "normal_speed", "slip_speed", "normal_force", "friction_force")
SEEN = ("gap", "normal_speed")  # that follow from the state alone, smoothly
MODES = ("closed", "sticking", "slipping")  # 1 or 0, and conditions by themselves
SIGNAL = re.compile(r"(\w+)\[([\w.]+),([\w.]+)\]")
NAMED = re.compile(r"(\w+)\[(\w+)\]")
ACTION = "action"  # of automata: action[hit]
EVENT = re.compile(rf"({'|'.join(OCCASIONS)})\[([\w.]+),([\w.]+)\]|{ACTION}\[(\w+)\]")
COUNT = re.compile(r"count\((.*)\)")  # how many events there have been


def is_event(name: str) -> bool:
    """Whether a name stands for an event, or for how many there have been."""
    counted = COUNT.fullmatch(name)
    return EVENT.fullmatch(counted[1] if counted else name) is not None


def is_reaction(name: str) -> bool:
    """Whether a name is that of a joint's reaction, ``elbow.fx``: no body has such a quantity."""
    return name.partition(".")[2] in (*FORCES, *TORQUES)


def in_body_order(world: World) -> World:
    """The world with the bodies of every signal in the order of the world's bodies."""
    order = {body.name: i for i, body in enumerate(world.bodies)}
    properties = tuple(
        replace(p, requirement=with_formulas(p.requirement, lambda f: _formula(f, order)))
        for p in world.properties
    )
    return replace(world, properties=properties)


def _formula(formula: Formula, order: dict[str, int]) -> Formula:
    match formula:
        case Compare(left=left, right=right):
            return replace(formula, left=_term(left, order), right=_term(right, order))
        case And(parts=parts) | Or(parts=parts):
            return replace(formula, parts=tuple(_formula(part, order) for part in parts))
        case Not(part=part):
            return replace(formula, part=_formula(part, order))
        case _:
            assert_never(formula)


def _term(term: Term, order: dict[str, int]) -> Term:
    match term:
        case Number():
            return term
        case Symbol(name=name):
            return replace(term, name=_ordered(name, order))
        case Negate(operand=operand):
            return replace(term, operand=_term(operand, order))
        case Binary(left=left, right=right):
            return replace(term, left=_term(left, order), right=_term(right, order))
        case Call(arguments=arguments):
            return replace(term, arguments=tuple(_term(a, order) for a in arguments))
        case _:
            assert_never(term)


def _ordered(name: str, order: dict[str, int]) -> str:
    if counted := COUNT.fullmatch(name):
        return f"count({_ordered(counted[1], order)})"
    found = SIGNAL.fullmatch(name)
    if found is None:
        return name
    signal, a, b = found.groups()
    first, second = (order.get(end.partition(".")[0], 0) for end in (a, b))
    return f"{signal}[{b},{a}]" if first > second else name
