"""Files of models: read as far as a model can go, and no further.

A device, a pipe or a file of another kind may have no end; what is too long is refused when so much
of it has been read, not when memory is.

A file may include others, named from where it is and below the folder of the model. Their text
takes the place of ``include "legs.drbt"``, between two comments by which an error finds the file
that it is in (`dyverse.errors.ModelError.origin`). So whoever keeps the text of a model, in a
certificate, a witness or a journal, keeps all of it. Text that comes from no file includes none.
So it is with ``hull "rock.obj"`` and the vertices of that mesh (`dyverse.text.hulls`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dyverse.errors import (
    END_INCLUDED,
    HULL,
    INCLUDED,
    ModelError,
    ParseError,
    Problem,
    Span,
    did_you_mean,
)
from dyverse.text.hulls import Asked, cut, hull_asked, hulls_again, polyhedron_text

MAX_LENGTH = 1_000_000  # characters of a model's text
MAX_INCLUDED = 1_000  # files, each as often as it is included
MAX_NESTED = 16  # files that include each other
MAX_MESH = 50_000_000  # bytes of a mesh, a million triangles
MODELS, MESHES = (".drbt",), (".obj", ".stl")
_INCLUDE = re.compile(r'\s*include\s*"([^"]*)"\s*(?:(?:#|//).*)?')


def model_file_text(path: str | Path) -> str:
    """The text of a model's file, with the files that it includes and the hulls of meshes."""
    return with_included(file_text(path), path)


def with_included(text: str, path: str | Path) -> str:
    """``text``, which was read from ``path``, with what it includes and the hulls of meshes."""
    if not ("include" in text or "hull" in text) or not Path(path).is_file():
        return text
    return "\n".join(_Including(Path(path)).lines(text, (Path(path),)))


def including_again(text: str, whole: str) -> str | None:
    """``text``, which was made of ``whole``, with its statements for the files that it names.

    None if what comes of such a file was changed: that can be written to its file only.
    """
    if INCLUDED not in whole and HULL not in whole:
        return text
    plain, known = hulls_again(text, whole), hulls_again(whole, whole)
    return None if plain is None or known is None else _including_again(plain, known)


def _including_again(text: str, whole: str) -> str | None:
    known = {entry for entry in _entries(whole) if len(entry) > 1}
    found = list(_entries(text))
    if any(len(entry) > 1 and entry not in known for entry in found):
        return None
    return "".join(f"{entry[0].removeprefix(INCLUDED)}\n" for entry in found)


def _entries(text: str) -> Iterator[tuple[str, ...]]:
    """The lines of a text, one by one, but those of a file that is included all together."""
    held: list[str] = []
    depth = 0
    for line in text.splitlines():
        held.append(line)
        depth += line.startswith(INCLUDED) - (line.startswith(END_INCLUDED) and depth > 0)
        if depth == 0:
            yield tuple(held)
            held = []
    yield from ((line,) for line in held)


class _Line(NamedTuple):
    """A line of the last of ``files``, each of which includes the next."""

    text: str  # of the whole file
    number: int
    files: tuple[Path, ...]

    def wrong(self, name: str, start: int, error: ModelError) -> ParseError:
        """What is wrong with the file that is named there, in quotes, by an error with no place."""
        span = Span(self.number, start + 1, start + len(name) + 3)
        return self.problem(Problem(f"{name!r} {error.problems[0].message}", span))

    def problem(self, problem: Problem) -> ParseError:
        """One of this line."""
        return ParseError([problem], source=self.text, file=str(self.files[-1]))


class _Including:
    """Puts files into the text of a model, which is in the folder ``home``."""

    def __init__(self, model: Path) -> None:
        self._home = model.resolve().parent
        self._files = self._length = 0

    def lines(self, text: str, files: tuple[Path, ...]) -> Iterator[str]:
        """The lines of the last of ``files``."""
        for number, line in enumerate(text.splitlines(), start=1):
            here = _Line(text, number, files)
            found = _INCLUDE.fullmatch(line)
            if found is None:
                for own in self._with_hulls(line, here):
                    self._length += len(own) + 1
                    yield own
                continue
            try:
                target, inner = self._included(found[1], files)
            except ModelError as error:
                raise here.wrong(found[1], found.start(1) - 1, error) from None
            yield f"{INCLUDED}{line}"
            yield from self.lines(inner, (*files, target))
            yield END_INCLUDED

    def _with_hulls(self, line: str, here: _Line) -> Iterator[str]:
        """A line, cut where it has hulls of meshes."""
        while asked := hull_asked(line):
            if problem := asked.problem(here.number):
                raise here.problem(problem)
            try:
                polyhedron = self._hull(asked, here.files[-1].parent / asked.name)
            except ModelError as error:
                raise here.wrong(asked.name, asked.at, error) from None
            *before, line = cut(line, asked, polyhedron)
            yield from before
        yield line

    def _hull(self, asked: Asked, target: Path) -> str:
        """The vertices of a mesh; a `ModelError` says what is wrong with it."""
        self._files += 1
        if wrong := self._misplaced(asked.name, target, MESHES):
            raise ModelError([Problem(wrong)])
        text = polyhedron_text(asked, file_bytes(target.resolve(), most=MAX_MESH))
        self._make_room(text)
        return text

    def _included(self, name: str, files: tuple[Path, ...]) -> tuple[Path, str]:
        """A file and its text; a `ModelError` says what is wrong with it."""
        target = files[-1].parent / name
        self._files += 1
        if wrong := self._misplaced(name, target, MODELS) or self._nested(target, files):
            raise ModelError([Problem(wrong)])
        text = file_text(target.resolve())
        self._make_room(text)
        return target, text

    def _make_room(self, text: str) -> None:
        if self._length + len(text) > MAX_LENGTH:
            message = f"makes this more than {MAX_LENGTH:,} characters, which a model may have"
            raise ModelError([Problem(message)])

    def _misplaced(self, name: str, target: Path, kinds: tuple[str, ...]) -> str:
        """What is wrong with where a file of one of these kinds is."""
        if not name or "\0" in name or Path(name).is_absolute():
            return f"is no file named from here, such as 'parts/leg{kinds[0]}'"
        try:
            found = target.resolve()
            is_there = found.is_file()
        except (OSError, RuntimeError):  # too long a name, or links in a circle
            return "is no file that is there"
        if not found.is_relative_to(self._home):
            return "is not below the folder of the model"
        if not is_there:
            beside = sorted(path.name for path in target.parent.glob("*") if path.suffix in kinds)
            return f"is no file that is there{did_you_mean(target.name, beside)}"
        if self._files > MAX_INCLUDED:
            return f"is too much: {MAX_INCLUDED} files can be included"
        return ""

    def _nested(self, target: Path, files: tuple[Path, ...]) -> str:
        """What is wrong with files that include each other."""
        if target.resolve() in (file.resolve() for file in files):
            return f"includes itself: {' -> '.join(file.name for file in (*files, target))}"
        if len(files) > MAX_NESTED:
            return f"is too much: {MAX_NESTED} files can be included by each other"
        return ""


def file_text(path: str | Path) -> str:
    """The text of a file in UTF-8, or a `ModelError` that says why it cannot be read."""
    data = file_bytes(path, most=4 * MAX_LENGTH)  # a character takes up to four
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"not a text file in UTF-8 (byte {error.start + 1}); save it as UTF-8"
        raise ModelError([Problem(message)], file=str(path)) from None


def file_bytes(path: str | Path, *, most: int) -> bytes:
    """What is in a file, or a `ModelError`: why it cannot be read, or that there is too much."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError([Problem(f"cannot be read: {reason}")], file=str(path)) from None
    if len(data) > most:
        message = f"has more than {most:,} bytes, which is too much for a model"
        raise ModelError([Problem(message)], file=str(path))
    return data
