"""Pages: nothing becomes an element that was meant as text, and nothing is loaded."""

from base64 import b64decode
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from dyverse.errors import ExportError
from dyverse.exporters.page import (
    Form,
    Markup,
    code,
    details,
    heading,
    link,
    marked,
    page,
    paragraph,
    picture,
    preformatted,
    table,
    write_page,
)
from tests.parsed_page import ParsedPage

HOSTILE = "</pre></td></style><script>alert('x')</script>\" onload=\"a &amp; b"
TEXTS: list[Callable[[str], Markup]] = [
    heading,
    paragraph,
    preformatted,
    code,
    lambda text: paragraph(marked(text, "bad")),
    lambda text: details(text, preformatted(text)),
    lambda text: table((text, "b"), [(text, marked(text, "good"))]),
]


def drawing() -> Figure:
    figure = Figure(figsize=(2, 1))
    figure.subplots().plot([0, 1], [0, 1], label="x")
    return figure


@pytest.mark.parametrize("make", TEXTS)
@given(
    text=st.one_of(
        st.just(HOSTILE), st.text(st.characters(codec="ascii", exclude_categories=["Cc"]))
    )
)
def test_text_stays_text(make: Callable[[str], Markup], text: str) -> None:
    parsed = ParsedPage(page(text, [make(text)]))
    plain = ParsedPage(page("t", [make("t")]))
    assert parsed.tags == plain.tags
    assert parsed.text.count(text) >= 3 if text else True  # title, heading, and itself


def test_cells_are_told_apart() -> None:
    parsed = ParsedPage(page("t", [table(("a", "b"), [("<1>", marked("2 & 3", "bad"))])]))
    assert parsed.tables == [[["a", "b"], ["<1>", "2 & 3"]]]


@pytest.mark.parametrize(("form", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_picture_is_part_of_the_page(form: Form, start: bytes) -> None:
    (image,) = ParsedPage(page("t", [picture(drawing(), HOSTILE, form=form)])).images
    kind, _, data = image.partition(";base64,")
    assert kind.startswith("data:image/")
    assert b64decode(data).startswith(start)


@pytest.mark.parametrize("form", ["png", "svg"])
def test_equal_figures_make_equal_pages(form: Form) -> None:
    assert picture(drawing(), "x", form=form) == picture(drawing(), "x", form=form)


def test_links_lead_to_files_beside_the_page_only() -> None:
    parsed = ParsedPage(page("t", [paragraph(link("more", "K 1 & 3.html"))]))
    assert parsed.links == ["K 1 & 3.html"]
    for target in ("https://example.org", "javascript:alert(1)", "//example.org/x", "/etc/passwd"):
        with pytest.raises(ValueError, match="beside the page"):
            link("no", target)


def test_a_page_is_written_in_full_or_not_at_all(tmp_path: Path) -> None:
    write_page(tmp_path / "a.html", "a\udcff", [paragraph("1 < 2")])
    written = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "a?" in written
    assert escape("1 < 2") in written
    assert written.endswith("</html>\n")
    with pytest.raises(ExportError, match="cannot be written"):
        write_page(tmp_path / "none" / "a.html", "a", [])
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]
