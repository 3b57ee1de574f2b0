"""Algorithm 4 against the simulator: the same velocities after an impact, the same exits."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from dyverse.automaton.interface import Array
from dyverse.bodies.world import SPEEDS
from dyverse.errors import ModelError
from dyverse.expr.formula import formula_symbols
from dyverse.expr.term import symbols
from dyverse.falsification.paper.encoding import Encoding, Options, Root
from dyverse.falsification.paper.explore import Candidate, explore_dynamical_location
from dyverse.falsification.paper.inquiry import Inquiry
from dyverse.falsification.paper.node import explore_comp_node
from dyverse.falsification.paper.sweep import sweep
from dyverse.falsification.question import Question
from dyverse.falsification.satisfy.cnf import Cnf, Sizes, real
from dyverse.falsification.satisfy.satisfy import LazySolver, Satisfied
from dyverse.falsification.search.shooting import Limits
from dyverse.generation.skeleton.places import ForceNode
from dyverse.simulation.simulate import simulate
from tests.falsification.paper.scenes import example, opened

SLIDE = """
parameter v = 1 in [0.5, 2]
gravity (0, -10, 0)
body ball { sphere radius 0.5  mass 1  position (0, 0.6, 0)  velocity (v, 0, 0.2)  spin (0, 1, 2) }
body floor { plane normal (0, 1, 0)  fixed }
contact all { restitution 0.5  friction 0.2 }
property up: always ball.y > 0.1 until 0.2
"""


def after_impact(question: Question, options: Options) -> tuple[Root, Inquiry, Encoding]:
    """The one root after the first impact."""
    encoding, inquiry = Encoding(question, options), Inquiry(Limits(), lambda row: None)
    (before,) = ended(explore_dynamical_location(encoding, inquiry, encoding.start()))
    inquiry.rows.clear()
    (after,) = ended(explore_comp_node(encoding, inquiry, before))
    return after, inquiry, encoding


def ended(steps: Generator[Candidate, None, list[Root]]) -> list[Root]:
    """What a search returns at its end."""
    roots: list[Root] = []

    def run() -> Generator[Candidate, None, None]:
        roots.extend((yield from steps))

    list(run())
    return roots


def state_of(root: Root) -> Array:
    answer = LazySolver().satisfy(root.formula)
    assert isinstance(answer, Satisfied)
    return answer.solution.at(root.point.state)


@pytest.mark.parametrize("v", [0.5, 2.0], ids=["sticks", "slips"])
def test_velocities_after_an_impact_with_friction(v: float) -> None:
    question = opened(SLIDE, "v", v, v, 0.2)
    root, _, _ = after_impact(question, Options(steps=4))
    found = state_of(root)
    run = simulate(question.system.automaton({"v": v}), until=0.2)
    impact = run.events[0].time
    expected = run.arcs[1].state(0).values
    assert found[-1] == pytest.approx(impact, abs=1e-6)
    assert found[:-1] == pytest.approx(expected, abs=1e-5)


def test_a_contact_with_friction_has_twelve_clauses_in_a_sweep() -> None:
    """Three estimates; accepted, zero, one of both; twice inside, on the rim, one of both."""
    node = ForceNode("impact", ("ball-floor",), tuple(f"ball.{speed}" for speed in SPEEDS))
    names = names_in(node)
    known = {name: real(name).symbol for name in names}
    grown, _ = sweep(node, Cnf(), known)
    assert grown.sizes == Sizes(one=3, two=9)


def names_in(node: ForceNode) -> set[str]:
    """Every name in the sweep of a node."""
    steps = [step for place in range(1, node.last) for step in node.steps(str(place))]
    guards = (step.guard(node, step.contact) for step in steps)
    values = (a.value for step in steps for a in step.reset(node, step.contact))
    found = [formula_symbols(guard) for guard in guards] + [symbols(value) for value in values]
    return {symbol.name for part in found for symbol in part}


def test_two_impacts_at_once_need_sweeps_and_agree_with_the_simulator() -> None:
    """ẏ1 after the impact is 0.3456 for k = 1.5; a sweep adds 2 · (1 + 3) clauses."""
    question = example("three-balls", "k", 1.5, 1.5, 0.7)
    root, inquiry, encoding = after_impact(question, Options(steps=4, hidden=3))
    found = state_of(root)
    place = encoding.symbols.variables.index("ball1.vy")
    assert found[place] == pytest.approx(0.3456, abs=1e-4)
    assert str(root.location) == "{}"
    sweeps = [row.clauses for row in inquiry.rows if row.asked == "converged"]
    assert len(sweeps) > 2
    assert sweeps[1] - sweeps[0] == Sizes(one=2, two=6)


def test_a_sequence_of_impacts_is_refused_unless_there_is_one_contact() -> None:
    """Its clauses are those of Newton's law at all contacts at once."""
    alone = SLIDE + "impact sequence"
    assert Encoding(opened(alone, "v", 0.5, 2, 0.2), Options()).automaton is not None
    other = "body ball2 { sphere radius 0.5  mass 1  position (3, 0.6, 0) } "
    with pytest.raises(ModelError, match="solves impacts at all contacts at once; write 'impact n"):
        Encoding(opened(other + alone, "v", 0.5, 2, 0.2), Options())


def test_contacts_under_a_condition_are_refused() -> None:
    first = SLIDE.index("}", SLIDE.index("contact"))
    switched = f"{SLIDE[:first]} when t < 9 {SLIDE[first:]}"
    with pytest.raises(ModelError, match="knows no contacts under a condition; leave out 'when'"):
        Encoding(opened(switched, "v", 0.5, 2, 0.2), Options())
