"""Domains: the printed formula, and the complementary readings of open and closing."""

from __future__ import annotations

from itertools import product

import pytest

from dyverse.contact.graph import CompleteGraph
from dyverse.expr.printing import formula_text
from dyverse.expr.value import holds
from dyverse.generation.skeleton.conditions import CLOSING
from dyverse.generation.skeleton.domain import Reading
from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.skeleton.skeleton import Skeleton

CONTACTS = ("a-b", "a-c", "b-c")
PAPER = Skeleton(CONTACTS, CompleteGraph(CONTACTS), "paper")


def test_domain_of_the_paper() -> None:
    location = Modes((("a-b", "stick"), ("b-c", "trans")))
    assert formula_text(PAPER.domain(location)) == (
        "normal_force[a,b] >= 0 and normal_force[b,c] >= 0"
        " and (gap[a,c] > 0 or normal_speed[a,c] > 0)"
        " and slip_speed[a,b] == 0 and friction_force[a,b] <= friction_limit[a,b]"
        " and slip_speed[b,c] == 0 and slip_acceleration[b,c] > 0"
    )


def test_free_flight_of_one_ball_has_no_bounds() -> None:
    assert formula_text(Skeleton((), CompleteGraph(())).domain(FREE_FLIGHT)) == "true"


@pytest.mark.parametrize("values", list(product([0.0, 1.0], *[[-1.0, 0.0, 1.0]] * 2)))
def test_open_is_the_negation_of_closing(values: tuple[float, ...]) -> None:
    names = ("gap", "normal_speed", "normal_acceleration")
    state = {signal_name(n, "a-b"): v for n, v in zip(names, values, strict=True)}
    opened = Reading(("a-b",), "complete").opened("a-b")
    assert holds(opened, state) != holds(CLOSING.at("a-b"), state)
