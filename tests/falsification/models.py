"""Small models whose answers are known, and how to ask about them."""

from collections.abc import Mapping

from dyverse import World, example_text, parse_world
from dyverse.falsification.asking import ask
from dyverse.falsification.question import Question

G = 9.81

# After the impact the ball rises to e² (0.5 + v²/2g).
BOUNCE = """\
parameter e = 0.7 in [0.5, 0.9]
parameter v = 2 in [1, 3]
parameter limit = 0.6
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 0.6, 0)  velocity (0, -v, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution e }
property low: always ball.y - 0.1 <= limit until 0.8
"""

# Only where |y| is below half the clearance the ball passes both posts untouched.
STRAIT = """\
parameter y = -0.21 in [-0.4, 0.3]
parameter clearance = 1e-6
body ball { sphere radius 0.1  mass 1  position (0, y, 0)  velocity (2, 0, 0) }
body lower { sphere radius 0.5  position (1, -0.6 - clearance/2, 0)  fixed }
body upper { sphere radius 0.5  position (3, 0.6 + clearance/2, 0)  fixed }
contact all { restitution 0.9 }
property touched: always ball.x < 4 or abs(ball.vy) > 1e-9 until 2.2
"""

FLIGHT = """\
parameter v = 3 in [1, 5]
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  velocity (1, v, 0) }
property low: always ball.y <= 1 until 2
"""


def peak(e: float, v: float) -> float:
    """How high the ball of `BOUNCE` rises after its first impact (m)."""
    return e**2 * (0.5 + v**2 / (2 * G))


def asked(
    text: str,
    name: str | None = None,
    *,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    settings: Mapping[str, float] | None = None,
    until: float | None = None,
    depth: int = 100,
) -> Question:
    """A question about a text or, with a colon, about an example: ``example:three-balls``."""
    return ask(
        world(text), name, ranges=ranges or {}, settings=settings or {}, until=until, depth=depth
    )


def world(text: str) -> World:
    """The world of a text or of an example."""
    start = "example:"
    return parse_world(example_text(text.removeprefix(start)) if text.startswith(start) else text)
