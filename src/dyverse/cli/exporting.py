"""The work of ``dyverse export``: the automaton of a model, written for another program."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from dyverse.abstraction.automata import BuchiAutomaton, States
from dyverse.abstraction.hoa import hoa
from dyverse.abstraction.initial import initial_abstraction
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.written import WrittenAutomaton
from dyverse.cli.opened import opened
from dyverse.cli.reported import print_json, say
from dyverse.cli.settings import parse_settings
from dyverse.errors import ExportError, ModelError, Problem
from dyverse.exporters.atomic import check_writable, write_lines
from dyverse.exporters.dot import dot
from dyverse.exporters.json_model import Json, json_model
from dyverse.exporters.network import as_network, network_dot, network_json
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled import CoupledAutomaton
from dyverse.generation.solids import skeleton_of
from dyverse.simulation.simulate import simulate
from dyverse.uppaal.bounds import Bounds, signal_bounds
from dyverse.uppaal.exporting import tchecker, uppaal_smc, uppaal_stub
from dyverse.uppaal.load import is_uppaal, load_uppaal
from dyverse.uppaal.reading import read_document
from dyverse.uppaal.stub import signals_of
from dyverse.uppaal.to_xml import xml_text

STDOUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to write, and how."""

    to: str
    output: str
    profile: str = "stub"
    unit: float = 1.0
    bounds: tuple[str, ...] = ()
    observe: float | None = None
    settings: tuple[str, ...] = ()

    @property
    def only_the_format(self) -> bool:
        """Whether a file of UPPAAL can be written as it is."""
        changed = self.bounds or self.settings or self.observe is not None
        return self.to == "uppaal" and self.profile == "stub" and not changed

    def check(self, *, as_json: bool) -> None:
        """Refuse at once what cannot be done."""
        if not 0 < self.unit < math.inf:
            raise ModelError([Problem("must be a finite time over 0")], file="--unit")
        if self.observe is not None and not 0 < self.observe < math.inf:
            raise ModelError([Problem("must be a finite time over 0")], file="--observe")
        if self.output != STDOUT:
            check_writable(self.output)
        elif as_json:
            raise ExportError("--json and a file '-' both ask for standard output")


def export_model(model: str, order: Order, *, as_json: bool) -> None:
    """Write ``model`` in the format asked for."""
    order.check(as_json=as_json)
    if is_uppaal(model) and order.only_the_format:
        lines: Iterable[str] = xml_text(read_document(model)).splitlines()
    else:
        lines = _lines(_automaton(model, order.settings), order)
    if order.output == STDOUT:
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        write_lines(order.output, lines)
        say(f"wrote {order.output}")
    if as_json:
        print_json({"files": [order.output]})


def _automaton(model: str, settings: tuple[str, ...]) -> HybridAutomaton:
    if is_uppaal(model):
        file = load_uppaal(model)
        return file.automaton(parse_settings(file.world, settings, more=file.settable()))
    found = opened(model)
    given = parse_settings(found.world, settings, more=found.model.settable())
    return found.automaton(given)


def _lines(automaton: HybridAutomaton, order: Order) -> Iterable[str]:
    match order.to:
        case "dot":
            return _dot(automaton)
        case "json":
            return [json.dumps(_json(automaton), indent=1, ensure_ascii=False)]
        case "hoa":
            return _hoa(automaton).splitlines()
        case _:
            return _checked(automaton, order).splitlines()


def _dot(automaton: HybridAutomaton) -> Iterable[str]:
    if isinstance(automaton, RigidBodyAutomaton):
        return dot(skeleton_of(automaton.world, automaton.scene, rules="complete")).splitlines()
    return network_dot(as_network(automaton))


def _json(automaton: HybridAutomaton) -> dict[str, Json]:
    if isinstance(automaton, RigidBodyAutomaton):
        return json_model(skeleton_of(automaton.world, automaton.scene, rules="complete"))
    return network_json(as_network(automaton))


def _hoa(automaton: HybridAutomaton) -> str:
    """The initial abstraction, which accepts all its infinite words."""
    if not isinstance(automaton, WrittenAutomaton):
        raise ExportError("only a single automaton has a HOA text; networks have no one alphabet")
    lts = initial_abstraction(automaton, letters="actions").lts
    return hoa(BuchiAutomaton(lts, States(lts.locations)), name=automaton.name)


def _checked(automaton: HybridAutomaton, order: Order) -> str:
    """The file for a checker."""
    network = as_network(automaton)
    if order.to == "uppaal" and order.profile == "smc":
        return uppaal_smc(network)
    write = tchecker if order.to == "tck" else uppaal_stub
    offered = _offered(automaton)
    bounds = _bounds(automaton, signals_of(network, offered), order)
    return write(network, bounds, unit=order.unit, offered=offered)


def _offered(automaton: HybridAutomaton) -> tuple[str, ...]:
    """The channels that impacts of bodies offer."""
    if not isinstance(automaton, CoupledAutomaton):
        return ()
    return tuple(dict.fromkeys(r.offers for r in automaton.world.contacts if r.offers))


def _bounds(automaton: HybridAutomaton, signals: tuple[str, ...], order: Order) -> list[Bounds]:
    found = [_established(text) for text in order.bounds]
    given = {bounds.action for bounds in found}
    if order.observe is not None:
        run = simulate(automaton, until=order.observe)
        seen = {event.kind for event in run.events} - given
        found += [signal_bounds([run], name) for name in signals if name in seen]
    return found


def _established(text: str) -> Bounds:
    name, equals, limits = text.partition("=")
    first, colon, last = limits.partition(":")
    try:
        low, high = float(first), float(last) if last.strip() else None
    except ValueError:
        low, high = math.nan, None
    if not (name and equals and colon and low >= 0):
        raise ModelError([Problem(f"{text!r} is not of the form SIGNAL=LO:HI")], file="--bound")
    return Bounds(action=name.strip(), low=low, high=high, first_low=0.0, first_high=high)
