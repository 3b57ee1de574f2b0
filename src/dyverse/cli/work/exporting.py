"""The work of ``dyverse export``: the automaton of a model, written for another program."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass

from dyverse.abstraction.behaviours.initial import initial_abstraction
from dyverse.abstraction.omega.automata import BuchiAutomaton, States
from dyverse.abstraction.omega.hoa import hoa
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.network import Network
from dyverse.cli.arguments.opened import opened
from dyverse.cli.arguments.outputs import STDOUT, check_outputs
from dyverse.cli.arguments.settings import parse_settings
from dyverse.cli.terminal.reported import print_json, print_text, say
from dyverse.cli.work.bounding import NO_WISHES, Limits, Wishes, limits
from dyverse.cli.work.exporting_code import FOLDERS, write_code
from dyverse.errors import ExportError, ModelError, Problem
from dyverse.exporters.atomic import write_lines
from dyverse.exporters.c.folder import is_archive
from dyverse.exporters.dot import dot
from dyverse.exporters.json_model import Json, json_model
from dyverse.exporters.network import as_network, network_dot, network_json
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.offering import channels_of, offers_of
from dyverse.generation.parts import parts_of
from dyverse.generation.skeleton.solids import skeleton_of
from dyverse.uppaal.export.profiles import tchecker, uppaal_smc, uppaal_stub
from dyverse.uppaal.export.stub import BODIES, signals_of
from dyverse.uppaal.files.named import is_uppaal
from dyverse.uppaal.files.reading import read_document
from dyverse.uppaal.files.to_xml import xml_text

CODE = (*FOLDERS, "fmu2", "fmu3")  # formats for compilers and simulators
BODIES_MOVE = (
    "bodies move by laws of their own, which statistical checking cannot follow: write --profile "
    "stub, with --observe T or --bound SIGNAL=LO:HI for the times between their signals"
)
NO_SIGNALS = (
    "bodies alone are written by their signals: say which with --bound impact=LO:HI, or observe "
    "them in a run with --observe T; with 'offers NAME on impact' at a contact and an automaton "
    "that listens, that automaton is written too"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to write, and how."""

    to: str
    output: str
    profile: str = "stub"
    unit: float = 1.0
    wishes: Wishes = NO_WISHES
    settings: tuple[str, ...] = ()
    outputs: str = ""

    @property
    def is_code(self) -> bool:
        """Whether it is for a compiler: several files, none of them for standard output."""
        return self.to in CODE

    @property
    def only_the_format(self) -> bool:
        """Whether a file of UPPAAL can be written as it is."""
        changed = self.wishes or self.settings
        return self.to == "uppaal" and self.profile == "stub" and not changed

    @property
    def has_signals(self) -> bool:
        """Whether hybrid objects are written by their signals."""
        return self.to == "tck" or (self.to == "uppaal" and self.profile == "stub")

    def check(self, model: str, *, as_json: bool) -> None:
        """Refuse at once what cannot be done."""
        if not 0 < self.unit < math.inf:
            raise ModelError([Problem("must be a finite time over 0")], file="--unit")
        self.wishes.check()
        if self.to not in FOLDERS or is_archive(self.output):
            check_outputs(model, {"--output": self.output}, stdout=True)
        if self.is_code and self.output == STDOUT:
            raise ExportError("code is several files: name a folder or an archive")
        if as_json and self.output == STDOUT:
            raise ExportError("--json and a file '-' both ask for standard output")


def export_model(model: str, order: Order, *, as_json: bool) -> None:
    """Write ``model`` in the format asked for."""
    order.check(model, as_json=as_json)
    found = Limits()
    if order.is_code:
        write_code(model, order.to, order.output, order.settings, order.outputs)
        _told(order, found, as_json=as_json)
        return
    if is_uppaal(model) and order.only_the_format:
        lines: Iterable[str] = xml_text(read_document(model)).splitlines()
    else:
        automaton = _automaton(model, order.settings)
        found = _limits(automaton, order)
        lines = _lines(automaton, order, found)
    if order.output == STDOUT:
        print_text(f"{line}\n" for line in lines)
    else:
        write_lines(order.output, lines)
    _told(order, found, as_json=as_json)


def _told(order: Order, found: Limits, *, as_json: bool) -> None:
    """Say what was written."""
    if order.output != STDOUT:
        say(f"wrote {order.output}")
    if as_json:
        print_json({"files": [order.output], **(found.as_json() if order.has_signals else {})})


def _automaton(model: str, settings: tuple[str, ...]) -> HybridAutomaton:
    found = opened(model)
    given = parse_settings(found.world, found.set(settings), more=found.model.settable())
    return found.automaton(given)


def _limits(automaton: HybridAutomaton, order: Order) -> Limits:
    """The times between the signals of hybrid objects."""
    if not order.has_signals:
        return Limits()
    network = _written(automaton)
    signals = signals_of(network, _offered(automaton, order))
    return limits(automaton, network, signals, order.wishes)


def _lines(automaton: HybridAutomaton, order: Order, found: Limits) -> Iterable[str]:
    match order.to:
        case "dot":
            return _dot(automaton)
        case "json":
            return [json.dumps(_json(automaton), indent=1, ensure_ascii=False)]
        case "hoa":
            return _hoa(automaton).splitlines()
        case _:
            return _checked(automaton, order, found).splitlines()


def _dot(automaton: HybridAutomaton) -> Iterable[str]:
    if bodies := parts_of(automaton).only_bodies:
        return dot(skeleton_of(bodies.world, bodies.scene, rules="complete")).splitlines()
    return network_dot(as_network(automaton))


def _json(automaton: HybridAutomaton) -> dict[str, Json]:
    bodies = parts_of(automaton).bodies
    if parts_of(automaton).only_bodies and bodies:
        return _bodies_json(bodies)
    beside: dict[str, Json] = {"bodies": _bodies_json(bodies)} if bodies else {}
    return network_json(as_network(automaton)) | beside


def _bodies_json(automaton: RigidBodyAutomaton) -> dict[str, Json]:
    world = automaton.world
    return json_model(skeleton_of(world, automaton.scene, rules="complete"), world)


def _hoa(automaton: HybridAutomaton) -> str:
    """The initial abstraction, which accepts all its infinite words."""
    if (written := parts_of(automaton).written) is None:
        raise ExportError("only a single automaton has a HOA text; networks have no one alphabet")
    lts = initial_abstraction(written, letters="actions").lts
    return hoa(BuchiAutomaton(lts, States(lts.locations)), name=written.name)


def _checked(automaton: HybridAutomaton, order: Order, found: Limits) -> str:
    """The file for a checker."""
    if not order.has_signals:
        if parts_of(automaton).bodies:
            raise ExportError(BODIES_MOVE)
        return uppaal_smc(as_network(automaton))
    write = tchecker if order.to == "tck" else uppaal_stub
    network = _written(automaton)
    return write(network, found.bounds, unit=order.unit, offered=_offered(automaton, order))


def _written(automaton: HybridAutomaton) -> Network:
    """The automata that are written; none if there are bodies alone."""
    if parts_of(automaton).only_bodies:
        return Network(components=(), name=BODIES)
    return as_network(automaton)


def _offered(automaton: HybridAutomaton, order: Order) -> tuple[str, ...]:
    """The channels that contacts of bodies offer; of bodies alone, the kinds of their events."""
    parts = parts_of(automaton)
    if parts.is_coupled and parts.bodies:
        return channels_of(offers_of(parts.bodies.scene))
    if not parts.bodies:
        return ()
    said = [text.partition("=")[0].strip() for text in order.wishes.said]
    seen = order.wishes.seen(automaton)
    if not said and not seen:
        raise ExportError(NO_SIGNALS)
    return tuple(dict.fromkeys((*said, *seen)))
