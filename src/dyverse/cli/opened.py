"""The argument MODEL: a file of model text, or ``example:NAME``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dyverse.bodies.pairs import touching_pairs
from dyverse.bodies.read import load_world, parse_world
from dyverse.bodies.world import World
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.text.examples import example_names, example_text

if TYPE_CHECKING:
    from dyverse.generation.automaton import RigidBodyAutomaton

EXAMPLE = "example:"


@dataclass(frozen=True, slots=True)
class Opened:
    """A model that was read without problems, and the name it was asked for by."""

    name: str
    world: World

    @property
    def summary(self) -> str:
        """What is in it, in a few words."""
        pairs = sum(1 for _ in touching_pairs(self.world))
        sizes = {
            "body": len(self.world.bodies),
            "contact": pairs,
            "input": len(self.world.inputs),
            "property": len(self.world.properties),
        }
        return ", ".join(_counted(number, word) for word, number in sizes.items() if number)

    def automaton(self, settings: Mapping[str, float]) -> RigidBodyAutomaton:
        """Its automaton at these settings; a problem with them names the model."""
        from dyverse.generation.automaton import generate  # CasADi, which a check does not need

        try:
            return generate(self.world, settings)
        except ModelError as error:
            raise ModelError(error.problems, source=_source(self.name), file=self.name) from None


def opened(model: str) -> Opened:
    """The model of that name or path, or a `ModelError` with all its problems."""
    if model.startswith(EXAMPLE):
        text = example_text(model.removeprefix(EXAMPLE))
        return Opened(model, parse_world(text, file=model))
    if not Path(model).exists():
        raise ModelError([Problem(f"no such file{_hint(model)}")], file=model)
    return Opened(model, load_world(model))


def _source(model: str) -> str:
    if model.startswith(EXAMPLE):
        return example_text(model.removeprefix(EXAMPLE))
    return Path(model).read_text(encoding="utf-8-sig")


def _hint(model: str) -> str:
    """The example that was perhaps meant, or the file beside."""
    if model in example_names():
        return f"; did you mean '{EXAMPLE}{model}'?"
    folder = Path(model).parent
    beside = [str(path) for path in folder.glob("*.drbt")] if folder.is_dir() else []
    examples = [f"{EXAMPLE}{name}" for name in example_names()]
    return did_you_mean(model, beside) or did_you_mean(model, examples)


def _counted(number: int, word: str) -> str:
    plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{number} {word if number == 1 else plural}"
