"""From a model to a question that can be proved: which numbers are open, what is claimed."""

from __future__ import annotations

from collections.abc import Mapping

from dyverse.certificate.file import Question


def ask(
    text: str,
    claim: str,
    *,
    ranges: Mapping[str, tuple[float, float]],
    settings: Mapping[str, float],
    until: float | None = None,
) -> Question:
    """Does the property ``claim`` of a model hold for all numbers in ``ranges``?

    Numbers are meant as the shortest decimals that give them: 0.1 is a tenth.
    """
    return Question(
        text=text,
        claim=claim,
        until=None if until is None else repr(float(until)),
        unknowns=tuple((name, repr(float(a)), repr(float(b))) for name, (a, b) in ranges.items()),
        settings=tuple((n, repr(float(x))) for n, x in sorted(settings.items())),
        states=(),
        still=(),
    )
