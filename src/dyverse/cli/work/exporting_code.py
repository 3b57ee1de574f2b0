"""The work of ``dyverse export`` to C and FMI: models for compilers and simulators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from dyverse.bodies.values import known_values
from dyverse.cli.arguments.opened import Opened, opened
from dyverse.cli.arguments.settings import parse_settings
from dyverse.cli.arguments.source import EXAMPLE
from dyverse.cli.terminal.reported import say
from dyverse.errors import ExportError, did_you_mean
from dyverse.exporters.c.folder import write_archive, write_files
from dyverse.exporters.c.model import Exported, exported
from dyverse.exporters.c.quantities import GROUPS
from dyverse.exporters.c.sfunction import sfunction
from dyverse.exporters.fmu.archive import Papers, archive
from dyverse.exporters.listing import listing
from dyverse.exporters.network import as_network, network_listing, ranges_of
from dyverse.expr.value import value
from dyverse.generation.model import Model
from dyverse.generation.parts import parts_of
from dyverse.generation.skeleton.solids import skeleton_of
from dyverse.text.examples import example_description, example_picture

FOLDERS = ("c", "sfunction")  # what is written as a folder of files
PNG = b"\x89PNG"
OTHERWISE = 10.0  # s, how long a run lasts if the model does not say


def write_code(model: str, to: str, output: str, settings: tuple[str, ...], outputs: str) -> None:
    """Write ``model`` for a compiler, or compiled for tools that simulate it."""
    found = opened(model)
    made = exported_model(found, model_name(model), settings, _groups(outputs))
    if to in FOLDERS:
        write_files(output, dict(made.sources) if to == "c" else sfunction(made))
        return
    whole = archive(made, "fmu2" if to == "fmu2" else "fmu3", _papers(found))
    write_archive(output, whole.files)
    if not whole.compiled:
        say("there is no compiler here: the archive has sources, but no library for any platform")


def _papers(found: Opened) -> Papers:
    """The model's text, its listing and its picture."""
    name = found.name.removeprefix(EXAMPLE)
    is_example = found.name.startswith(EXAMPLE)
    return Papers(
        says=example_description(name) if is_example else "",
        resources={"model.drbt" if isinstance(found.model, Model) else "model.xml": found.source},
        documentation={"listing.txt": "\n".join(_listing(found)) + "\n"},
        picture=_picture(found.name),
    )


def _picture(name: str) -> bytes | None:
    """Of an example; or what lies beside a model's file under its name, ``ball.png``."""
    is_example = name.startswith(EXAMPLE)
    own = name.removeprefix(EXAMPLE)
    try:
        place = example_picture(own) if is_example else Path(own).with_suffix(".png")
        picture = place.read_bytes() if place else b""
    except (OSError, ValueError):
        return None
    return picture if picture.startswith(PNG) else None


def _listing(found: Opened) -> Iterator[str]:
    """The automaton for people to read."""
    automaton = found.automaton({})
    parts = parts_of(automaton)
    if not parts.only_bodies:
        yield from network_listing(as_network(automaton), ranges_of(found.parameters))
    if bodies := parts.bodies:
        yield from listing(skeleton_of(bodies.world, bodies.scene, rules="complete"), bodies.world)


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
