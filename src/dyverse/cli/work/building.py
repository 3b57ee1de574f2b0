"""The work of ``dyverse build``: count the automaton, write it down, show a summary."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from decimal import Decimal
from itertools import chain
from typing import Any

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.network import Network
from dyverse.bodies.world import World
from dyverse.cli.arguments.opened import opened
from dyverse.cli.arguments.outputs import STDOUT, check_outputs
from dyverse.cli.terminal.reported import print_json, print_text, say
from dyverse.cli.terminal.tables import print_line, print_table
from dyverse.errors import ExportError
from dyverse.exporters.atomic import write_lines
from dyverse.exporters.dot import dot
from dyverse.exporters.json_model import Json, json_model
from dyverse.exporters.listing import listing
from dyverse.exporters.network import (
    Ranges,
    as_network,
    network_counts,
    network_dot,
    network_json,
    network_listing,
    ranges_of,
)
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.parts import parts_of
from dyverse.generation.skeleton.counts import Counts, GraphName, counted
from dyverse.generation.skeleton.rules import RULES, RuleSet
from dyverse.generation.skeleton.skeleton import Skeleton
from dyverse.generation.skeleton.solids import skeleton_of

CONTACT_COUNTS = ("contacts", "contact_nodes", "impact_nodes")
MOST_NAMES = 12
LONG = 10**15  # from here on a number is rounded

Skeletons = dict[GraphName, Skeleton]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Which automaton to build, and what to write."""

    rules: RuleSet
    graph: GraphName
    display: str | None = None
    dot: str | None = None
    model_json: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """Where to write, ``-`` for standard output."""
        return tuple(filter(None, (self.display, self.dot, self.model_json)))


def build_model(model: str, order: Order, *, as_json: bool) -> None:
    """Build the automaton of ``model``, write what was asked for, and print its size."""
    check_outputs(
        model,
        {"--display": order.display, "--dot": order.dot, "--model-json": order.model_json},
        stdout=True,
    )
    if as_json and STDOUT in order.files:
        raise ExportError("--json and a file '-' both ask for standard output")
    sys.set_int_max_str_digits(0)  # the counts of a hundred balls have thousands of digits
    source = opened(model, "look")
    automaton = source.automaton({})
    if bodies := parts_of(automaton).only_bodies:
        _build_bodies(bodies, order, as_json=as_json)
    else:
        _build_automata(automaton, order, ranges_of(source.parameters), as_json=as_json)


def _build_automata(
    automaton: HybridAutomaton, order: Order, ranges: Ranges, *, as_json: bool
) -> None:
    """Write and count automata that are there in full, and bodies among them by themselves."""
    network = as_network(automaton)
    moving = parts_of(automaton).bodies
    skeletons = _skeletons(moving, order) if moving else None
    bodies = (skeletons[order.graph], moving.world) if moving and skeletons else None
    if order.display:
        behind = chain([""], listing(*bodies)) if bodies else ()
        _put(order.display, chain(network_listing(network, ranges), behind))
    if order.dot:
        _put(order.dot, network_dot(network))
    if order.model_json:
        data = network_json(network, ranges) | ({"bodies": json_model(*bodies)} if bodies else {})
        _put(order.model_json, _json_lines(data))
    if as_json:
        print_json(network_counts(network) | _touching(order, skeletons))
    elif STDOUT not in order.files:
        _tell_network(network)
        if skeletons:
            _tell(order, skeletons)


def _touching(order: Order, skeletons: Skeletons | None) -> dict[str, Any]:
    """What is counted of contacts beside automata, at the same place as for bodies alone."""
    if skeletons is None:
        return dict.fromkeys(CONTACT_COUNTS, 0)
    bodies = _answer(order, skeletons)
    return {name: bodies[name] for name in CONTACT_COUNTS} | {"bodies": bodies}


def _tell_network(network: Network) -> None:
    rows = [
        (item.name, str(len(item.places)), str(len(item.edges)), item.initial)
        for item in network.components
    ]
    title = f"{len(rows)} automata, {len(network.variables)} variables"
    headings = ("automaton", "locations", "edges", "initial")
    print_table(headings, rows, title=title.replace("1 automata", "1 automaton"), numbers=(1, 2))


def _build_bodies(automaton: RigidBodyAutomaton, order: Order, *, as_json: bool) -> None:
    skeletons = _skeletons(automaton, order)
    _write(skeletons[order.graph], automaton.world, order)
    if as_json:
        print_json(_answer(order, skeletons))
    elif STDOUT not in order.files:
        _tell(order, skeletons)


def _skeletons(automaton: RigidBodyAutomaton, order: Order) -> Skeletons:
    """The automaton of bodies, with all combinations of contacts and with the feasible ones."""
    graphs: tuple[GraphName, ...] = ("complete", "feasible")
    return {
        graph: skeleton_of(automaton.world, automaton.scene, rules=order.rules, graph=graph)
        for graph in graphs
    }


def _write(skeleton: Skeleton, world: World, order: Order) -> None:
    if order.display:
        _put(order.display, listing(skeleton, world))
    if order.dot:
        _put(order.dot, dot(skeleton).splitlines())
    if order.model_json:
        _put(
            order.model_json,
            [json.dumps(json_model(skeleton, world), indent=1, ensure_ascii=False)],
        )


def _json_lines(data: dict[str, Json]) -> list[str]:
    return [json.dumps(data, indent=1, ensure_ascii=False)]


def _put(path: str, lines: Iterable[str]) -> None:
    if path == STDOUT:
        print_text(f"{line}\n" for line in lines)
    else:
        write_lines(path, lines)
        say(f"wrote {path}")


def _answer(order: Order, skeletons: Skeletons) -> dict[str, Any]:
    chosen = skeletons[order.graph]
    return {
        **asdict(counted(chosen)),
        "rules": order.rules,
        "graph": order.graph,
        "contact_list": list(chosen.contacts),
        "feasible": asdict(counted(skeletons["feasible"])),
    }


def _tell(order: Order, skeletons: Skeletons) -> None:
    chosen = skeletons[order.graph]
    size, feasible = counted(chosen), counted(skeletons["feasible"])
    names = [*chosen.contacts[:MOST_NAMES], *(["…"] if size.contacts > MOST_NAMES else [])]
    plural = "s" * (size.contacts != 1)
    listed = f"{size.contacts} contact{plural}: {', '.join(names)}"
    print_line(listed if names else "no contacts")
    headings = ("", f"{order.graph} graph", *(["feasible graph"] if size != feasible else []))
    columns = [size, feasible][: len(headings) - 1]
    rows = [
        ("dynamical locations", *(_locations(c) for c in columns)),
        ("contact nodes", *(_nodes(c.contact_nodes, c) for c in columns)),
        ("impact nodes", *(_nodes(c.impact_nodes, c) for c in columns)),
        ("edges", *(_short(c.edges, c) for c in columns)),
        *((_rule(name), *(_short(c.per_rule[name], c) for c in columns)) for name in RULES),
    ]
    print_table(headings, rows, title=f"hybrid automaton, rules: {order.rules}", numbers=(1, 2))
    if not feasible.exact:
        print_line("≤: geometry leaves out some combinations; they are too many to count")


def _rule(name: str) -> str:
    return f"  {name} {RULES[name].paper}"


def _locations(size: Counts) -> str:
    number = size.dynamical_locations
    return _short(number, size, f"4^{size.contacts}" if number == 4**size.contacts else "")


def _nodes(number: int, size: Counts) -> str:
    whole = number == 2**size.contacts - 1
    return _short(number, size, f"2^{size.contacts} − 1" if whole else "")


def _short(number: int, size: Counts, power: str = "") -> str:
    """An integer with its thousands apart; a long one as its power, if it is one, and rounded."""
    bound = "" if size.exact else "≤ "
    if number < LONG:
        return f"{bound}{number:,}"
    rounded = f"{Decimal(number):.2e}".replace("e+", "e")
    return f"{bound}{power} ≈ {rounded}" if power else f"{bound or '≈ '}{rounded}"
