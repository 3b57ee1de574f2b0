"""The tables of an automaton, as ``c/automata/automata.h`` takes them, and its functions.

In comes a `Sheet`; out go rows of whole numbers by name, and the recipes of all functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Channel, NetworkEdge, Place
from dyverse.automaton.node import ComputationNode
from dyverse.automaton.written.naming import JUMP
from dyverse.automaton.written.smoothed import smoothed
from dyverse.expr.formula import TRUE
from dyverse.expr.switching import Switch
from dyverse.expr.term import Term
from dyverse.native.automata.board import NONE, Board, Pieces, board, places_before
from dyverse.native.automata.recipe import Recipe, check_recipe
from dyverse.native.automata.sheet import Sheet, is_called
from dyverse.native.automata.watching import Watching

GRAZE = "graze"
Rows = dict[str, list[int]]
Step = tuple[tuple[str, Term], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Everything that does not change with numbers."""

    counts: dict[str, int]
    rows: Rows
    recipes: tuple[Recipe, ...]
    kinds: tuple[str, ...]  # of events, by their number
    switches: tuple[Switch, ...]  # functions of rates that switch, by their number


def tables(sheet: Sheet) -> Tables:
    """The tables and functions of ``sheet``."""
    made = _Maker(sheet)
    rows = made.edges() | made.places() | made.nodes() | made.properties() | made.variables()
    rows |= made.switches() | made.watched() | made.used()
    counts = {
        "variables": len(sheet.variables),
        "parameters": len(sheet.parameters),
        "components": len(sheet.components),
        "places": made.before[-1],
        "edges": len(rows["edge_component"]),
        "channels": len(rows["channel_broadcast"]),
        "nodes": len(sheet.nodes),
        "locals": len(made.board.locals),
        "shown": len(made.board.shown),
        "watches": len(rows["watch_sample"]),
        "pieces": len(rows["piece_function"]),
        "properties": len(sheet.watched),
        "switches": len(made.smooth.switches),
        "sequential": int(sheet.sequential),
        "doubts": int(any(sheet.doubtful)),
        "ranged": int(sheet.is_network),
        "board": made.board.size,
        "widest": made.widest(),
    }
    recipes = tuple(made.pieces.recipes)
    return Tables(counts, rows, recipes, made.kinds, made.smooth.switches)


class _Maker:
    """The rows, made one after the other: guards get the numbers of their edges."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        places = (
            ((i, place.name), place.rates)
            for i, item in enumerate(sheet.components)
            for place in item.places
        )
        self.smooth = smoothed(places, sheet.moving)
        self.board: Board = board(sheet, [switch.name for switch in self.smooth.switches])
        self.pieces = Pieces(self.board)
        self.watching = Watching(self.pieces)
        self.before = places_before(sheet.components)
        self.all_edges = [(i, edge) for i, c in enumerate(sheet.components) for edge in c.edges]
        self.channels = list(dict.fromkeys(e.action.channel for _, e in self.all_edges if e.action))
        self._place_numbers = [_numbered([p.name for p in c.places]) for c in sheet.components]
        named = (_kind(edge) for _, edge in self.all_edges)
        self.kinds = tuple(dict.fromkeys(("", GRAZE, JUMP, *named)))

    def edges(self) -> Rows:
        """Edges, their guards and resets, and the channels."""
        known = {channel.name: channel for channel in self.sheet.channels}
        channels = [known.get(name) or Channel(name) for name in self.channels]
        edges = self.all_edges
        for _, edge in edges:
            self._guard(edge)
        own = [edge.priority + self.sheet.components[i].priority for i, edge in edges]
        numbers, kinds = _numbered(self.channels), _numbered(self.kinds)
        number = [numbers[e.action.channel] if e.action else NONE for _, e in edges]
        leaving: list[list[int]] = [[] for _ in self._rows]
        for k, (i, edge) in enumerate(edges):
            leaving[self._place(i, edge.source)].append(k)
        return {
            "edge_component": [i for i, _ in edges],
            "edge_target": [self._place(i, edge.target) for i, edge in edges],
            "edge_reset": [self._assignments(edge.reset) for _, edge in edges],
            "edge_channel": number,
            "edge_sends": [int(e.action is not None and e.action.sends) for _, e in edges],
            "edge_rank": own,
            "edge_channel_rank": [0 if c == NONE else channels[c].priority for c in number],
            "edge_kind": [kinds[_kind(edge)] for _, edge in edges],
            "edge_urgent": [
                int(e.urgent or (c != NONE and channels[c].urgent))
                for (_, e), c in zip(edges, number, strict=True)
            ],
            "edge_called": [int(edge.procedure is not None) for _, edge in edges],
            "edge_asks": [int(e.procedure is not None and e.procedure.asks) for _, e in edges],
            "edge_doubtful": list(map(int, self.sheet.doubtful)) or [0] * len(edges),
            "channel_broadcast": [int(channel.broadcast) for channel in channels],
            "leaving_first": starts(leaving),
            "leaving": list(chain.from_iterable(leaving)),
        }

    @property
    def _rows(self) -> range:
        """Positions that edges leave: places, then exits of nodes."""
        return range(self.before[-1] + len(self.sheet.nodes))

    def _guard(self, edge: NetworkEdge) -> None:
        if edge.source in (node.name for node in self.sheet.nodes):
            self.watching.add_numbers(edge.guard)
        else:
            self.watching.add(edge.guard, is_guard=True)

    def _place(self, component: int, name: str) -> int:
        """The number of a place; of a node, behind those of all places."""
        found = self._place_numbers[component].get(name)
        if found is not None:
            return self.before[component] + found
        return self.before[-1] + [node.name for node in self.sheet.nodes].index(name)

    def _assignments(self, reset: tuple[Assignment, ...]) -> int:
        return self.pieces.sweep((_step(reset),), self.board.slots)

    def places(self) -> Rows:
        """Rates and invariants."""
        items = enumerate(self.sheet.components)
        keys = [(i, place.name) for i, item in items for place in item.places]
        found = [place for item in self.sheet.components for place in item.places]
        return {
            "place_rate": [self._rates(key) for key in keys],
            "place_second": [self._second_rates(key) for key in keys],
            "place_invariant": [self._invariant(place) for place in found],
            "place_urgent": [int(place.urgent) for place in found],
            "place_committed": [int(place.committed) for place in found],
        }

    def _rates(self, place: tuple[int, str]) -> int:
        rates = self.smooth.rates[place]
        if not rates:
            return NONE
        number = self.pieces.terms("values", rates.values(), self.board.moved())
        self.pieces.targets[number] = [self.board.rate(name) for name in rates]
        return number

    def _second_rates(self, place: tuple[int, str]) -> int:
        rates = self.smooth.rates[place]
        number = self.pieces.terms("rates", rates.values(), self.board.moved())
        if number != NONE:
            self.pieces.targets[number] = [self.board.second(name) for name in rates]
        return number

    def switches(self) -> Rows:
        """Functions of rates that switch, and which places have which."""
        slots, found = self.board.moved(), self.smooth.switches
        active = list(self.smooth.active.values())
        return {
            "switch_kind": [int(switch.kind) for switch in found],
            "switch_slot": [self.board.sides[switch.name] for switch in found],
            "switch_sample": [self.pieces.terms("sample", [s.function], slots) for s in found],
            "place_switch_first": starts(active),
            "place_switch": list(chain.from_iterable(active)),
        }

    def _invariant(self, place: Place) -> int:
        if place.invariant == TRUE:
            return NONE
        return self.watching.add(place.invariant, is_guard=False)

    def nodes(self) -> Rows:
        """Computation nodes."""
        nodes = self.sheet.nodes
        return {
            "node_enter": [self._inside(node, [_step(node.entrance)]) for node in nodes],
            "node_sweep": [self._swept(node) for node in nodes],
            "node_test": [self._test(node) for node in nodes],
            "node_leave": [self._inside(node, [_step(node.exit)]) for node in nodes],
            "node_most": [node.max_sweeps for node in nodes],
            "node_local": starts([list(node.local) for node in nodes]),
            "node_called": [int(is_called(node)) for node in nodes],
        }

    def _swept(self, node: ComputationNode) -> int:
        """One sweep; none (-1) where the host makes them."""
        steps = () if is_called(node) else node.steps
        return self._inside(node, [_step(step.assignments) for step in steps])

    def _inside(self, node: ComputationNode, steps: Iterable[Step]) -> int:
        return self.pieces.sweep(tuple(steps), self.board.inside(node.name))

    def _test(self, node: ComputationNode) -> int:
        slots = self.board.inside(node.name)
        return self.pieces.add(check_recipe(node.converged, node.residual, slots), slots)

    def properties(self) -> Rows:
        """Formulas whose margin is wanted, and the places that they speak of."""
        for formula in self.sheet.watched:
            self.watching.add_property(formula)
        shown = self.board.shown.values()
        return {
            "shown_component": [component for component, _ in shown],
            "shown_place": [place for _, place in shown],
        }

    def variables(self) -> Rows:
        """What variables can be."""
        kinds = [kind for _, kind in self.sheet.variables]
        return {
            "variable_whole": [int(kind in ("int", "bool")) for kind in kinds],
            "variable_runs": [int(kind == "clock") for kind in kinds],
            "variable_timed": [int(name in self.watching.timed) for name in self.sheet.names],
        }

    def watched(self) -> Rows:
        """All that is watched."""
        found = self.watching
        return {
            "watch_sample": found.sample,
            "watch_second": found.second,
            "watch_plain": found.plain,
            "watch_first": starts(found.atoms),
            "sense": list(chain.from_iterable(found.atoms)),
            "decided": found.decided,
            "watch_program": starts(found.program),
            "program": list(chain.from_iterable(found.program)),
        }

    def used(self) -> Rows:
        """All pieces of code."""
        found = self.pieces
        return {
            "piece_function": found.function,
            "piece_first": starts(found.picks),
            "pick": list(chain.from_iterable(found.picks)),
            "piece_out": found.outs,
            "piece_target": starts(found.targets),
            "target": list(chain.from_iterable(found.targets)),
            "piece_steady": found.steady,
        }

    def widest(self) -> int:
        """The most numbers that a piece takes or gives, or that a formula joins."""
        sizes = (*map(len, self.pieces.picks), *self.pieces.outs)
        return max((*sizes, *map(len, self.watching.program), 1))


def _numbered(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _step(assignments: tuple[Assignment, ...]) -> Step:
    return tuple((assignment.target, assignment.value) for assignment in assignments)


def _kind(edge: NetworkEdge) -> str:
    return edge.action.channel if edge.action else edge.name


def starts(rows: Sequence[Sequence[object]]) -> list[int]:
    """Where each row begins in all of them joined, and where the last ends."""
    return [0, *accumulate(len(row) for row in rows)]
