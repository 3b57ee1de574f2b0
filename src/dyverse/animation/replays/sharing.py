"""What is handed out of a run: files, the command that shows the same, the saved model.

Also what is looked up in a model: signals by their words, and what an editor is told of a text.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from dyverse.animation.asked import Refused, Request, names_in
from dyverse.animation.describing.names import units_of
from dyverse.animation.describing.words import words
from dyverse.animation.mistakes import problems
from dyverse.animation.playable import Playable
from dyverse.animation.replays.replay import replay_html, show_messages
from dyverse.animation.replays.tape import csv_lines
from dyverse.animation.said import Json
from dyverse.animation.show import Show
from dyverse.errors import ModelError
from dyverse.text.file import including_again, model_file_text


def shared(show: Show, request: Request, model: Mapping[str, Json]) -> dict[str, Json]:
    """The run as a file: a replay, or a table of signals."""
    name = PurePath(show.play_of.name).stem
    if request.get("what") == "csv":
        lines = csv_lines(show.pieces(), names_in(request, "signals"))
        return {"name": f"{name}.csv", "text": "".join(lines)}
    return {"name": f"{name}.html", "text": replay_html(show_messages(show, model))}


def command(show: Show, tick: float | None) -> str:
    """The command that opens the same view."""
    play, speed = show.play_of, show.pace.speed
    model = f"example:{play.example}" if play.example else play.path or play.name
    settings = (f"--set {n}={x!r}" for n, x in show.session.settings.items())
    more = [f"--tick {tick!r}"] if tick else []
    more += [f"--speed {speed:g}"] if speed != 1 else []
    return " ".join(["dyverse animate", shlex.quote(model), *settings, *more])


def checked(read: Callable[[], Playable]) -> dict[str, Json]:
    """What is wrong with a text, and which names are in it."""
    try:
        made = read()
    except ModelError as error:
        return {"problems": problems(error), "names": []}
    names = dict(reversed([*words(made.model)]))
    found: list[Json] = [{"name": name, "kind": names[name]} for name in reversed(names)]
    return {"problems": [], "names": found}


def found(show: Show, text: str, limit: int) -> Json:
    """So many signals whose names have all the words of ``text``."""
    unit_of, parts = units_of(show.parts, show.play_of.variable_units()), text.lower().split()
    fitting = (name for name in show.names if all(part in name.lower() for part in parts))
    chosen = [name for name, _ in zip(fitting, range(limit), strict=False)]
    return [{"name": name, "unit": unit_of(name)} for name in chosen]


@dataclass(slots=True)
class Files:
    """The files of models that were opened, as they are on disk as far as we know."""

    known: dict[str, str] = field(default_factory=dict)

    def opened(self, play: Playable) -> None:
        """Remember what a file said when it was first opened."""
        if play.path is not None:
            self.known.setdefault(play.path, play.text)

    def save(self, play: Playable, text: str) -> None:
        """Write the model's own file, unless someone else has written to it meanwhile."""
        if play.path is None:
            raise Refused("this model has no file to save to")
        file, known = Path(play.path), self.known[play.path]
        if model_file_text(file) != known:
            raise Refused(f"{file.name} was changed by someone else; nothing was saved")
        own = including_again(text, known)
        if own is None:
            message = "the text of an included file or the hull of a mesh was changed"
            raise Refused(f"{message}; change it in its own file")
        beside = file.with_name(f".{file.name}.saving")
        beside.write_text(own, "utf-8")
        beside.replace(file)
        self.known[play.path] = model_file_text(file)
