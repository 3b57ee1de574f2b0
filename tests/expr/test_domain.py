"""Which part of a term is at the edge of where it is defined."""

from __future__ import annotations

import pytest

from dyverse.expr.domain import at_edge
from dyverse.expr.printing import term_text
from dyverse.text.parse import parse_term


@pytest.mark.parametrize(
    ("text", "known", "part"),
    [
        ("-0.3*sqrt(h) + 1/(2 + h)", {"h": 1e-9}, "sqrt(h)"),
        ("sqrt(h) - 1/(h - 0.5)", {"h": 0.5 + 1e-9}, "1 / (h - 0.5)"),
        ("log(h)", {"h": 0.0}, "log(h)"),
        ("acos(h) + h", {"h": 1 - 1e-7}, "acos(h)"),
        ("h^0.5 + h^2", {"h": 1e-8}, "h ^ 0.5"),
        ("sqrt(h)", {"h": 1.0}, None),
        ("h^2 + h/3 + sin(h)", {"h": 0.0}, None),
    ],
)
def test_the_nearest_edge_is_named(text: str, known: dict[str, float], part: str | None) -> None:
    found = at_edge([parse_term(text)], known)
    expected = None if part is None else term_text(parse_term(part))
    assert (None if found is None else term_text(found)) == expected
