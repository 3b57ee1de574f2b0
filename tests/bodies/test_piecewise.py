"""Ports in pieces: steps at equal times, against the closed form of a pushed ball."""

import pytest

from dyverse.bodies.piecewise import longest_step, piece_names, with_pieces
from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.automaton import generate
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
    settings = dict(zip(piece_names("u", len(pushes)), pushes, strict=True))
    accuracy = Accuracy(longest_step=longest_step(pieces, 2.0))
    options = Options(solver=solver, follow=FollowOptions(accuracy=accuracy))
    run = simulate(generate(stepped, settings), until=2.0, options=options)
    assert run.final["ball.x"] == pytest.approx(reached(pushes, 2.0), abs=1e-6)


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
