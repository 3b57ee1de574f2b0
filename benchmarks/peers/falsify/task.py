"""The problems: examples and models of ours, with ranges in which a violation is to be found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dyverse.falsification.asking import ask
from dyverse.falsification.question import Question
from dyverse.generation.model import parse_model
from dyverse.text.examples import example_text

MODELS = Path(__file__).parent / "models"
SEEDS, QUICK = 20, 5
ALONE = 4_000  # runs that a search may make, if it makes them one at a time
MANY = 100_000  # the same in batches, which takes about as long
BATCH = 256  # runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An example or a file, what is set and what is open in it, and what is hard about it."""

    title: str
    about: str
    example: str = ""  # else a file of `MODELS`
    file: str = ""
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    settings: Mapping[str, float] = field(default_factory=dict)
    until: float | None = None

    def question(self) -> Question:
        """The question that all searches are asked."""
        return ask(
            parse_model(self._text),
            ranges=self.ranges,
            settings=self.settings,
            until=self.until,
        )

    @property
    def _text(self) -> str:
        if self.example:
            return example_text(self.example)
        return (MODELS / f"{self.file}.drbt").read_text(encoding="utf-8")

    @property
    def command(self) -> str:
        """The same question on the command line."""
        model = f"example:{self.example}" if self.example else f"models/{self.file}.drbt"
        words = [f"dyverse falsify {model}"]
        words += [f"--range {name}={low:g}:{high:g}" for name, (low, high) in self.ranges.items()]
        words += [f"--set {name}={number:g}" for name, number in self.settings.items()]
        return " ".join(words + ([] if self.until is None else [f"--until {self.until:g}"]))


def _post(high: float, share: str) -> Problem:
    return Problem(
        title=f"Behind a post, directions up to {high:g} rad",
        example="shielded-target",
        about="A target that a ball reaches only by several bounces between a post and a wall, for "
        f"a share of {share} of its directions, in islands among a dozen different paths.",
        ranges={"angle": (-0.2, high)},
    )


def _window(half: float) -> Problem:
    """Behind its bounce the ball is at the window's height once, at 1.0337 s, with -2.168 m/s."""
    share = 3.5 * half  # 2 w (1 + 0.967 / 2.168) / 1.0337 of a range of 0.8 m/s
    return Problem(
        title=f"A window of ±{half:g} m",
        example="window",
        about="A ball must not fly through a small window; open is its speed. One speed in "
        f"{1 / share:,.0f} does it.",
        settings={"w": half},
    )


def _own(file: str, kind: str) -> Problem:
    """A model of ours; its first line says what it is about."""
    first = (MODELS / f"{file}.drbt").read_text(encoding="utf-8").splitlines()[0]
    return Problem(title=f"{kind}: {file}", file=file, about=f"{first.removeprefix('# ')}.")


STEPS = ("locks", "switches", "queue", "gears", "crossing")
SMOOTH = ("resonance",)
BODIES = ("barrier", "tally", "thruster", "alarm", "sorter")
# Written down after the searches were, and never used to choose anything about them.
HELD_OUT = ("cup", "swing", "tank", "tumbler", "lift", "pulses", "goal", "bumper", "dial", "radio")
KINDS = (STEPS, HELD_OUT, BODIES, SMOOTH)

PROBLEMS = {
    "game at the end": Problem(
        title="The interception game, lost at the end of a range",
        example="interception-game",
        about="The game is lost in the lowest thousandth of the range of K and nowhere else. "
        "dyverse looks at the ends of ranges first.",
        ranges={"K": (1.6513, 2.0105)},
    ),
    "game inside": Problem(
        title="The interception game, lost inside a range",
        example="interception-game",
        about="With strong steering and 1.889 s, the game is lost for K from 27.9924 to 27.9982, "
        "a thousandth of the range: one side is a jump, because another impact happens there.",
        ranges={"K": (27.5, 32.4)},
        until=1.889,
    ),
    "window 1e-3": _window(1e-3),
    "window 1e-5": _window(1e-5),
    "window 1e-6": _window(1e-6),
    "four unknowns": Problem(
        title="Four unknowns, a slot of ±1e-3 m",
        example="four-unknowns",
        about="A ball must not reach its peak in a small slot; open are its restitution, the wind, "
        "its height and its speed.",
    ),
    "ten impacts": Problem(
        title="Ten impacts",
        example="ten-impacts",
        about="A ball must not jump off a mark of ±1e-3 m, which its tenth impact can hit; open "
        "is its restitution.",
    ),
    "post": _post(0.26, "6.6e-4"),
    "post, thinner": _post(0.259, "8.7e-5"),
    **{name: _own(name, "Steps") for name in STEPS},
    **{name: _own(name, "Bodies and automata") for name in BODIES},
    **{name: _own(name, "Ripples") for name in SMOOTH},
    **{name: _own(name, "Held out") for name in HELD_OUT},
}
