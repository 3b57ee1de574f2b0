"""Models to play, and a clock that goes as it is told."""

from __future__ import annotations

from dataclasses import dataclass

from dyverse.animation.playable import Playable
from dyverse.animation.show import Show
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options
from dyverse.text.examples import example_text

NATIVE = Options(solver="native")
BALL = """# A ball that spins and bounces
parameter e = 0.8 in [0, 1]
gravity (0, -9.81, 0)
input wind
body ball { sphere radius 0.1  mass 1  position (0, 1, 0)  spin (0, 0, 2) }
body floor { plane normal (0, 1, 0) }
force ball (wind, 0, 0)
contact ball floor { restitution e  friction 0.2 }
property low: always ball.y < 5
"""


@dataclass
class Watch:
    """A clock that stands still until it is set on."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def ball() -> Playable:
    return Playable(name="ball.drbt", model=parse_model(BALL), text=BALL)


def example(name: str) -> Playable:
    text = example_text(name)
    return Playable(name=name, model=parse_model(text), text=text, example=name)


def shown(play: Playable | None = None, options: Options = NATIVE) -> tuple[Show, Watch]:
    watch = Watch()
    return Show(play or ball(), options, clock=watch), watch


def played(show: Show, watch: Watch, seconds: float, rate: float = 60.0) -> None:
    """Let the clock go on while the run is played."""
    if not show.playing:
        show.play()
    for _ in range(round(seconds * rate)):
        watch.now += 1 / rate
        show.beat()


def judged(show: Show) -> None:
    """Let the run stand until its properties have been looked at."""
    show.pause()
    show.beat()
    while show.is_judging:
        show.beat()
