"""Ports in pieces: steps and lines, against the closed form of a pushed ball."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.bodies.build import port
from dyverse.bodies.describe import world_text
from dyverse.bodies.pieces import Pieces
from dyverse.bodies.piecewise import longest_step, placed, with_pieces
from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.falsification.asking import ask
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate

PUSHED = parse_world(
    "parameter m = 2\ninput u, w = 2*u\n"
    "body ball { sphere radius 0.1  mass m }\nforce ball (u, 0, 0)"
)


def reached(pushes: list[float], until: float) -> float:
    """Where a mass of 2 kg comes to, piece by piece."""
    x = v = 0.0
    length = until / len(pushes)
    for push in pushes:
        x += v * length + push / 2 * length**2 / 2
        v += push / 2 * length
    return x


@pytest.mark.parametrize("solver", ["reference", "native"])
@pytest.mark.parametrize("pushes", [[3.0], [1.0, -1.0, 0.5], [1.0, 1.0, -1.0, 1.0]])
def test_pieces_follow_each_other(pushes: list[float], solver: str) -> None:
    pieces = {"u": len(pushes)}
    stepped = with_pieces(PUSHED, pieces, 2.0)
    settings = dict(zip(Pieces(len(pushes)).values("u"), pushes, strict=True))
    accuracy = Accuracy(longest_step=longest_step(pieces, 2.0))
    options = Options(solver=solver, follow=FollowOptions(accuracy=accuracy))
    run = simulate(generate(stepped, settings), until=2.0, options=options)
    assert run.final["ball.x"] == pytest.approx(reached(pushes, 2.0), abs=1e-6)


def driven(pushes: list[float], times: list[float]) -> tuple[float, float]:
    """Where a mass of 2 kg comes to and how fast, if the push goes straight from each to the next.

    With a = p + q s over a piece, v grows by p s + q s²/2 and x by v s + p s²/2 + q s³/6.
    """
    x = v = 0.0
    for (a, b), (begin, end) in zip(pairwise(pushes), pairwise(times), strict=True):
        s, p, q = end - begin, a / 2, (b - a) / (end - begin) / 2
        x, v = x + v * s + p * s**2 / 2 + q * s**3 / 6, v + p * s + q * s**2 / 2
    return x, v


@pytest.mark.parametrize("solver", ["reference", "cvode", "native"])
@pytest.mark.parametrize("times", [(0.3, 0.7), (0.01, 1.99), (2 / 3, 4 / 3)])
def test_lines_bend_where_their_times_say(times: tuple[float, float], solver: str) -> None:
    world = with_pieces(PUSHED, {"u": Pieces(3, linear=True, switching=True)}, 2.0)
    pushes = [1.0, -2.0, 3.0, 0.5]
    settings = dict(zip(("u_1", "u_2", "u_3", "u_4"), pushes, strict=True))
    settings |= {"u_t2": times[0], "u_t3": times[1]}
    run = simulate(generate(world, settings), until=2.0, options=Options(solver=solver))
    bends = [arc.times[-1] for arc in run.arcs]  # behind its last number the push stays
    assert bends[:3] == pytest.approx([*times, 2.0], abs=1e-9)
    x, v = driven(pushes, [0.0, *times, 2.0])
    assert run.final["ball.x"] == pytest.approx(x, abs=1e-7)
    assert run.final["ball.vx"] == pytest.approx(v, abs=1e-7)


@given(data=st.data(), count=st.integers(2, 6))
def test_open_times_are_in_order_and_never_too_near(data: st.DataObject, count: int) -> None:
    gap, until = Pieces(count, switching=True).shortest(3.0), 3.0
    low = np.array([i * gap for i in range(1, count)])
    high = np.array([until - (count - i) * gap for i in range(1, count)])
    drawn = [data.draw(st.floats(a, b)) for a, b in zip(low, high, strict=True)]
    found = placed(np.array([drawn]), low, high, gap)
    assert (np.diff(np.concatenate([[0.0], found[0], [until]])) > 0.99 * gap).all()
    assert ((low <= found) & (found <= high)).all()
    assert placed(found, low, high, gap) == pytest.approx(found, abs=1e-12)


def test_switching_needs_something_to_switch_to() -> None:
    with pytest.raises(ModelError, match="two pieces or more to switch between"):
        with_pieces(PUSHED, {"u": Pieces(1, switching=True)}, 2.0)


@pytest.mark.parametrize(
    ("name", "count", "words"),
    [
        ("w", 2, "only an input without formula"),
        ("m", 2, "only an input without formula"),
        ("u", 0, "one piece or more"),
    ],
)
def test_what_cannot_come_in_pieces(name: str, count: int, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        with_pieces(PUSHED, {name: count}, 2.0)


def test_a_name_that_is_taken() -> None:
    world = parse_world("parameter u_1 = 0\ninput u\nbody b { sphere radius 1  mass 1 }")
    with pytest.raises(ModelError, match="'u_1', which is taken"):
        with_pieces(world, {"u": 2}, 1.0)


OPEN = """\
parameter most = 2
input u in [-1, most] pieces 3 linear switching, w in [0.5, 1], v
body ball { sphere radius 0.1  mass 1 }
force ball (u, w, v)
property near: always ball.x < 1 until 6
"""


def test_ranges_of_inputs_are_printed_and_read_back() -> None:
    world = parse_world(OPEN)
    assert parse_world(world_text(world)) == world
    assert world.inputs[0] == port("u", limits=(-1, "most"), pieces=Pieces(3, True, True))


def test_an_input_with_a_range_is_open_and_else_as_near_to_zero_as_can_be() -> None:
    model = parse_model(OPEN)
    assert [model.values({})[name] for name in "uwv"] == [0.0, 0.5, 0.0]
    question = ask(model)
    values = {f"u_{i}": (-1.0, 2.0) for i in range(1, 5)} | {"w": (0.5, 1.0)}
    times = {"u_t2": (0.2, 5.6), "u_t3": (0.4, 5.8)}
    found = {unknown.name: (unknown.low, unknown.high) for unknown in question.unknowns}
    assert found == {name: pytest.approx(ends) for name, ends in (values | times).items()}
    assert [u.name for u in ask(model, settings={"u": 1.0}).unknowns] == ["w"]
    assert len(ask(model, ranges={"u": (0, 1)}, pieces={"u": 1}).unknowns) == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("pieces 3", "pieces 1", "2:.*'u' must be a whole number, 2 or more to switch"),
        ("pieces 3 linear switching", "pieces most", "2:.*'u' must be a whole number, 1"),
        ("[0.5, 1]", "[1, 0.5]", r"the range \[1, 0.5\] of 'w' is upside down; write \[0.5, 1\]"),
        ("most]", "ball.x]", "2:17: the range of input 'u' must be constant"),
    ],
)
def test_ranges_of_inputs_that_make_no_sense(old: str, new: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        parse_model(OPEN.replace(old, new, 1))
