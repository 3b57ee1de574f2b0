"""The argument MODEL: a file of model text, ``example:NAME``, or a file of witnesses.

A file of witnesses is a model with numbers for it: those of its first witness, or of another that
is named behind ``#``, by its kind or number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from dyverse.automaton.fmu.component import foreign_problems, untrusted
from dyverse.automaton.interface import HybridAutomaton
from dyverse.bodies.joint.links import links
from dyverse.bodies.pairs import Rules
from dyverse.bodies.world import Parameter, Property, World
from dyverse.cli.arguments.source import EXAMPLE, Source, source_of
from dyverse.cli.terminal.reported import say
from dyverse.errors import NAMELESS, ModelError, Problem, did_you_mean
from dyverse.expr.term import Term
from dyverse.falsification.witness_file import Found, WitnessFile, is_witness, read_witness
from dyverse.generation.model import Model, parse_model

if TYPE_CHECKING:
    from dyverse.uppaal.loading.load import UppaalModel  # who opens no such file needs none of it

DEFAULT_UNTIL = 10.0  # s, of a run where nobody says how long
NO_REASON = "{} is code of others, which can be simulated and animated; nothing more is known of it"
STEPS = "{} is {}, which is seen at its steps only: times of events in it are exact to a step"


@dataclass(frozen=True, slots=True)
class Opened:
    """A model that was read without problems, the name it was asked for by, and its text.

    What was read from a file of witnesses has the file, and the witness that is meant.
    """

    name: str
    model: Model | UppaalModel
    source: str = field(default="", repr=False, compare=False)
    file: WitnessFile | None = None
    witness: Found | None = None

    def set(self, texts: Sequence[str]) -> tuple[str, ...]:
        """These settings of a command, and those of the witness that they do not replace."""
        given = {text.partition("=")[0].strip() for text in texts}
        own = self.witness.settings.items() if self.witness else ()
        return (*texts, *(f"{name}={number}" for name, number in own if name not in given))

    def until(self, wish: float | None) -> float | None:
        """When a run is to end (s): as the command says, else as the witness does."""
        return self.file.until if wish is None and self.file else wish

    @property
    def world(self) -> World:
        """Its bodies, parameters and properties."""
        return self.model.world

    @property
    def text_model(self) -> Model:
        """The model, if it is of the model language, where properties and ranges are said."""
        if not isinstance(self.model, Model):
            problem = "an UPPAAL file has no properties or ranges of ours; write a model text"
            raise ModelError([Problem(problem)], file=self.name)
        return self.model

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read and plays no part in a run, each with its place."""
        if isinstance(self.model, Model):
            steps = (STEPS.format(item.name, item.file) for item in self.model.foreign)
            return tuple(f"{self.name}: {words}" for words in steps)
        found = self.model.notes
        return tuple(
            f"{self.name}:{note.span.line}:{note.span.column}: {note.message}"
            if note.span
            else f"{self.name}: {note.message}"
            for note in found
        )

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All that can be uncertain: parameters, arguments, and starts with a range."""
        return self.model.parameters

    @property
    def properties(self) -> tuple[Property, ...]:
        """What is asked of it."""
        return self.model.properties

    @property
    def horizon(self) -> Term | None:
        """How long a run is to last (s), if it says so."""
        return self.model.horizon

    @property
    def summary(self) -> str:
        """What is in it, in a few words."""
        if not isinstance(self.model, Model):
            components, surfaces = self.model.network.components, 0
        else:
            described = self.model.described
            components = described.components if described else ()
            surfaces = len(described.surfaces) if described else 0
        sizes = {
            "body": len(self.world.bodies),
            "contact": Rules(self.world).count() + sum(1 for _ in links(self.world)),
            "joint": len(self.world.joints),
            "input": len(self.world.inputs),
            "automaton": surfaces or len(components),
            "location": sum(len(component.places) for component in components),
            "edge": sum(len(component.edges) for component in components),
            "property": len(self.world.properties),
        }
        return ", ".join(_counted(number, word) for word, number in sizes.items() if number)

    def automaton(self, settings: Mapping[str, float]) -> HybridAutomaton:
        """Its automaton at these settings; a problem with them names the model."""
        try:
            return self.model.automaton(settings)
        except ModelError as error:
            raise self.named(error) from None

    def unasked(self) -> Opened:
        """The same without properties, where it is a model of ours."""
        return replace(self, model=self.model.unasked()) if isinstance(self.model, Model) else self

    def named(self, error: ModelError) -> ModelError:
        """The error with the model's name and text, unless it is about something else."""
        if error.file != NAMELESS:
            return error
        return ModelError(error.problems, source=self.source, file=self.name)


Use = Literal["look", "run", "trust", "reason"]  # at it; it, its FMUs too if trusted; about it


def opened(model: str | Source, use: Use = "reason") -> Opened:
    """The model of that name or path, or a `ModelError` with all its problems.

    What was read but plays no part in a run is told on standard error.
    """
    found = _read(source_of(model) if isinstance(model, str) else model)
    found = replace(found, model=_with_foreign(found, use))
    for note in found.notes:
        say(note)
    return found


def _read(source: Source) -> Opened:
    name, path, text = source.name, source.path, source.text
    if text is None:
        from dyverse.uppaal.loading.load import load_uppaal

        found = load_uppaal(path)
        return Opened(name, found, found.document.source)
    if name.startswith(EXAMPLE) or not is_witness(text):
        return Opened(name, parse_model(text, file=name), text)
    file = read_witness(text, file=path)
    own = f"{path}:{file.model}"
    witness = _witness(file, source.kind, name)
    return Opened(own, parse_model(file.text, file=own), file.text, file, witness)


def _with_foreign(found: Opened, use: Use) -> Model | UppaalModel:
    """The model, as far as it may be used if there are FMUs in it."""
    model = found.model
    if not isinstance(model, Model) or not model.foreign:
        return model
    problems = [problem for item in model.foreign for problem in foreign_problems(item)]
    if not problems and use == "run":
        problems = [Problem(untrusted(item), item.span) for item in model.foreign]
    if not problems and use == "reason":
        problems = [Problem(NO_REASON.format(item.file), item.span) for item in model.foreign]
    if problems:
        raise found.named(ModelError(problems))
    return model.trusting() if use == "trust" else model


def _witness(file: WitnessFile, kind: str, model: str) -> Found:
    if found := file.of_kind(kind):
        return found
    kinds = [found.kind for found in file.witnesses]
    hint = did_you_mean(kind, kinds) or f"; there are {', '.join(kinds)}, or 1 to {len(kinds)}"
    raise ModelError([Problem(f"no witness {kind!r}{hint}")], file=model)


def _counted(number: int, word: str) -> str:
    plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    plural = "automata" if word == "automaton" else plural
    return f"{number} {word if number == 1 else plural}"
