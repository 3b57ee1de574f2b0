"""Web pages in one file: text, tables and pictures, without scripts and without the network.

Parts are made by small functions and put together by `page`. A part is `Markup`; plain text becomes
markup only here, escaped, so no name or text of a model can turn into an element of the page.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Literal

from matplotlib import rc_context
from matplotlib.figure import Figure

from dyverse.exporters.atomic import write_lines

DPI = 110
MIME = {"png": "image/png", "svg": "image/svg+xml"}
UNDATED = {"png": {}, "svg": {"Date": None}}  # equal figures make equal files
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }
h1, h2, h3 { line-height: 1.2; font-weight: 600 } h2 { margin-top: 2.5rem }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #ddd; text-align: left;
  vertical-align: top; overflow-wrap: anywhere }
td { font-variant-numeric: tabular-nums } .bad { color: #b5480b } .good { color: #00704f }
.doubt { color: #8a6100 } .verdict { font-size: 1.25rem; font-weight: 600 }
img { max-width: 100%; height: auto }
pre { background: #f5f5f5; padding: 1rem; overflow: auto; font-size: 12px; max-height: 30rem }
summary { cursor: pointer }
"""

Form = Literal["png", "svg"]
Kind = Literal["bad", "good", "doubt", "verdict"]


@dataclass(frozen=True, slots=True)
class Markup:
    """HTML that may stand on a page as it is."""

    text: str


Part = str | Markup  # a string is text and gets escaped


def page(title: str, parts: Iterable[Markup]) -> str:
    """The whole page, headed by its title."""
    head = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
    ]
    return "\n".join([*head, *(part.text for part in parts), "</body></html>"])


def write_page(path: str | Path, title: str, parts: Iterable[Markup]) -> None:
    """Write the page, in full or not at all; what is not Unicode becomes a question mark."""
    write_lines(path, [page(title, parts).encode("utf-8", "replace").decode("utf-8")])


def heading(*parts: Part, level: Literal[2, 3] = 2) -> Markup:
    """The heading of a section, or of a part of one."""
    return _element(f"h{level}", *parts)


def paragraph(*parts: Part, kind: Kind | None = None) -> Markup:
    """Running text."""
    return _element("p", *parts, kind=kind)


def marked(text: str, kind: Kind) -> Markup:
    """Some words in the colour of their kind."""
    return _element("span", text, kind=kind)


def code(text: str) -> Markup:
    """Words as they are typed."""
    return _element("code", text)


def link(text: str, file: str) -> Markup:
    """A link to a file beside the page."""
    if ":" in file or file.startswith(("/", "\\")):
        raise ValueError(f"not a file beside the page: {file!r}")
    return Markup(f'<a href="{escape(file)}">{escape(text)}</a>')


def number(amount: float) -> str:
    """A number with nine digits, which tell runs apart."""
    return f"{amount:.9g}"


def preformatted(text: str) -> Markup:
    """Text whose lines and spaces are kept."""
    return _element("pre", text)


def details(title: str, *parts: Markup) -> Markup:
    """Something to fold out."""
    inside = "".join(part.text for part in parts)
    return Markup(f"<details><summary>{escape(title)}</summary>{inside}</details>")


def table(head: Sequence[Part], rows: Iterable[Sequence[Part]]) -> Markup:
    """A table with headings."""
    lines = [_row("th", head), *(_row("td", row) for row in rows)]
    return Markup(f"<table>{''.join(lines)}</table>")


def picture(drawing: Figure, words: str, *, form: Form = "png") -> Markup:
    """A figure, as part of the page; ``words`` say what it shows to those who cannot see it."""
    data = BytesIO()
    with rc_context({"svg.hashsalt": "dyverse"}):
        drawing.savefig(data, format=form, dpi=DPI, metadata=UNDATED[form])
    source = f"data:{MIME[form]};base64,{b64encode(data.getvalue()).decode()}"
    return Markup(f'<img alt="{escape(words)}" src="{source}">')


def _row(tag: Literal["td", "th"], cells: Sequence[Part]) -> str:
    return f"<tr>{''.join(_element(tag, cell).text for cell in cells)}</tr>"


def _element(tag: str, *parts: Part, kind: Kind | None = None) -> Markup:
    name = f' class="{kind}"' if kind else ""
    return Markup(f"<{tag}{name}>{''.join(map(_markup, parts))}</{tag}>")


def _markup(part: Part) -> str:
    return part.text if isinstance(part, Markup) else escape(part)
