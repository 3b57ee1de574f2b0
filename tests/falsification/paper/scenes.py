"""Small questions for the published algorithms."""

from __future__ import annotations

from dyverse.falsification.asking import ask
from dyverse.falsification.question import Question
from dyverse.generation.model import parse_model
from dyverse.text.examples import example_text

BALL = """
parameter e = 0.6 in [0, 1]
automaton ball {
  real y = 10, v
  location fly { y' = v  v' = -9.81 }
  initial fly
  edge fly -> fly { when y <= 0 and v < 0  do v := -e*v }
}
property low: always y <= 5 or t <= 1.5 until 3
"""


def example(name: str, unknown: str, low: float, high: float, until: float) -> Question:
    """The property of an example, with one number open."""
    return opened(example_text(name), unknown, low, high, until)


def opened(
    text: str, unknown: str, low: float, high: float, until: float, depth: int = 10
) -> Question:
    """The property of a model, with one number open."""
    return ask(parse_model(text), ranges={unknown: (low, high)}, until=until, depth=depth)


def bounces(low: float, high: float) -> Question:
    """A ball dropped from 10 m, with e in a range: can it rise above 5 m after one impact?"""
    return opened(BALL, "e", low, high, 3.0, depth=1)
