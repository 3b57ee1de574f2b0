"""The work of ``dyverse export --to c``: a model as sources for a compiler."""

from __future__ import annotations

import re
from pathlib import PurePath

from dyverse.bodies.values import known_values
from dyverse.cli.arguments.opened import EXAMPLE, Opened, opened
from dyverse.cli.arguments.settings import parse_settings
from dyverse.errors import ExportError, did_you_mean
from dyverse.exporters.c.folder import write_files
from dyverse.exporters.c.model import Exported, exported
from dyverse.exporters.c.quantities import GROUPS
from dyverse.expr.value import value
from dyverse.generation.model import Model

OTHERWISE = 10.0  # s, how long a run lasts if the model does not say


def write_code(model: str, to: str, output: str, settings: tuple[str, ...], outputs: str) -> None:
    """Write ``model`` for a compiler."""
    found = exported_model(opened(model), model_name(model), settings, _groups(outputs))
    write_files(output, dict(found.sources))


def exported_model(
    found: Opened, name: str, settings: tuple[str, ...], outputs: frozenset[str]
) -> Exported:
    """A model that was opened, in C."""
    given = parse_settings(found.world, settings, more=found.model.settable())
    return exported(
        name,
        found.automaton(given),
        world=found.world,
        described=found.model.described if isinstance(found.model, Model) else None,
        given=given,
        horizon=_horizon(found, given),
        outputs=outputs,
    )


def _horizon(found: Opened, given: dict[str, float]) -> float:
    known = known_values(found.world, given)
    if found.horizon is not None:
        return value(found.horizon, known)
    ends = (claim.over(known) for claim in found.properties if claim.until is not None)
    return max(ends, default=OTHERWISE)


def model_name(model: str) -> str:
    """A name for code, made of letters, digits and underscores."""
    path = PurePath(model.removeprefix(EXAMPLE))
    stem = path.parent.name if path.stem == "model" and path.parent.name else path.stem
    plain = re.sub(r"[^A-Za-z0-9_]", "_", stem)
    return plain if plain[:1].isalpha() else f"model_{plain}"


def _groups(text: str) -> frozenset[str]:
    """The outputs that are asked for."""
    found = [part.strip() for part in text.split(",") if part.strip()]
    if "all" in found:
        return frozenset(GROUPS)
    for word in found:
        if word not in GROUPS:
            known = (*GROUPS, "all")
            raise ExportError(
                f"--outputs: unknown {word!r}{did_you_mean(word, known)}; known: {', '.join(known)}"
            )
    return frozenset(found)
