"""Small runs that the exporters are tested on."""

from functools import cache

from dyverse.automaton.run import Run
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.simulation.simulate import simulate

BOUNCE = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.5  mass 1  position (0, 3, 0)  velocity (1, 0, 0) }
body floor { plane normal (0, 1, 0) }
input push = 0.1*t, wind
force ball (push + wind, 0, 0)
contact all { restitution 0.8  friction 0.3 }
"""
SPRING = """
body m { sphere radius 0.1  mass 1  position (1, 0, 0) }
spring m (0, 0, 0) { stiffness 4 }
"""
DROP = """
gravity (0, 0, -9.81)
body ball { sphere radius 0.5  mass 1  position (0, 0, 10) }
body post { sphere radius 0.2  position (3, 0, 0.2)  fixed }
body floor { plane normal (0, 0, 1) }
"""


@cache
def sample(text: str, until: float) -> Run:
    """The run of a model text."""
    return simulate(generate(parse_world(text)), until=until)
