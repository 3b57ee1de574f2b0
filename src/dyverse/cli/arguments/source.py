"""Where the argument MODEL points: an example or a file, which is read once, for it may be a pipe.

Little is imported here: what is not there is told at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.text.examples import example_names, example_text
from dyverse.text.file import model_file_text
from dyverse.uppaal.files.named import is_uppaal

EXAMPLE = "example:"
OF_KIND = "#"


@dataclass(frozen=True, slots=True)
class Source:
    """What a command was given: its name, the file, and which of the witnesses in it is meant."""

    name: str
    path: str
    kind: str = "1"
    text: str | None = field(default=None, repr=False)  # UPPAAL's own reader reads its files


def source_of(model: str) -> Source:
    """The text of that name or path, or a `ModelError` that says why there is none."""
    if model.startswith(EXAMPLE):
        return Source(model, model, text=example_text(model.removeprefix(EXAMPLE)))
    path, kind = _path(model)
    if not Path(path).exists():
        raise ModelError([Problem(f"no such file{_hint(model)}")], file=model)
    return Source(model, path, kind, None if is_uppaal(path) else model_file_text(path))


def _path(model: str) -> tuple[str, str]:
    """The file, and which of its witnesses is meant."""
    if Path(model).exists() or OF_KIND not in model:
        return model, "1"
    path, _, kind = model.rpartition(OF_KIND)
    return path, kind


def _hint(model: str) -> str:
    """The example that was perhaps meant, or the file beside."""
    if model in example_names():
        return f"; did you mean '{EXAMPLE}{model}'?"
    folder = Path(model).parent
    beside = [str(path) for path in folder.glob("*.drbt")] if folder.is_dir() else []
    examples = [f"{EXAMPLE}{name}" for name in example_names()]
    return did_you_mean(model, beside) or did_you_mean(model, examples)
