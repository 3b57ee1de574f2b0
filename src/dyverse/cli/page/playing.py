"""Models for the animator: what a command or a page asks for, read and ready to be played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dyverse.animation.asked import Request
from dyverse.animation.playable import Playable
from dyverse.cli.arguments.opened import DEFAULT_UNTIL, Opened, opened
from dyverse.cli.arguments.settings import parse_settings
from dyverse.cli.arguments.signals import in_pieces
from dyverse.cli.arguments.source import EXAMPLE, Source
from dyverse.cli.page.ordering import Order
from dyverse.errors import ModelError, Problem
from dyverse.generation.model import parse_model
from dyverse.text.examples import example_text
from dyverse.uppaal.files.named import is_uppaal

NOT_FROM_PAGES = "pages cannot make FMUs run: write a file, and open it with --trust"


def playable(source: Source, order: Order) -> tuple[Playable, float]:
    """What to play, and until when (s)."""
    model, found = source.name, opened(source, "trust" if order.trust else "run")
    wish = found.until(order.until)
    end = found.model.until({}, DEFAULT_UNTIL) if wish is None else wish
    found, texts, step = in_pieces(found, found.set(order.settings), end)
    settings = parse_settings(found.world, texts, more=found.model.settable())
    is_example = model.startswith(EXAMPLE)
    name = model.removeprefix(EXAMPLE) if is_example else Path(model).name
    play = Playable(
        name=name,
        model=found.model,
        text=found.source,
        path=None if is_example or found.file else str(Path(model).resolve()),
        example=model.removeprefix(EXAMPLE) if is_example else None,
        settings=settings,
        notes=replace(found, name=name).notes,  # pages need not know where files lie
        longest_step=step,
    )
    until = found.model.until(settings, DEFAULT_UNTIL) if wish is None else wish
    return play, until


def requested(request: Request) -> Playable:
    """The model that a page asks for: an example, or text. Files are never read for a page."""
    match request:
        case {"example": str(name)}:
            text = example_text(name)
            made = parse_model(text, file=f"{EXAMPLE}{name}")
            return Playable(name=name, model=made, text=text, example=name)
        case {"text": str(text)}:
            name = str(request.get("name") or "model.drbt")[:80]
            return _read(text, name)
        case _:
            raise ModelError([Problem("there is no example and no text to open")])


def _read(text: str, name: str) -> Playable:
    """The model that a text from a page describes; what it is written in is told by its name."""
    if not is_uppaal(name):
        model = parse_model(text, file=name)
        if model.foreign:
            problems = [Problem(NOT_FROM_PAGES, item.span) for item in model.foreign]
            raise ModelError(problems, source=text, file=name)
        return Playable(name=name, model=model, text=text)
    from dyverse.uppaal.files.reading import parse_document
    from dyverse.uppaal.loading.load import model_of

    found = Opened(name, model_of(parse_document(text, file=name)), text)
    return Playable(name=name, model=found.model, text=text, notes=found.notes)
