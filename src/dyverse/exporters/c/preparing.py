"""From settings to the engine's numbers and the start of a run, as code.

In come parameters and ports by name, out goes a CasADi function of them: what `dv_set_numbers`
takes, what `da_set_numbers` takes, then the state at the start. So an exported model takes any
settings, as the text does; what follows from a setting follows there too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.reading.description import Described
from dyverse.bodies.placed import Scene
from dyverse.bodies.scene import symbolic_scene
from dyverse.bodies.values import known_amounts, known_values
from dyverse.bodies.world import World
from dyverse.exporters.c.quantities import Quantity, Role
from dyverse.expr.symbolic import EXPRESSIONS, SX, symbolic
from dyverse.expr.term import CONSTANTS, Term, symbols
from dyverse.expr.value import value
from dyverse.generation.parts import parts_of
from dyverse.native.automata.lifting import number_of
from dyverse.native.automata.sheet import Sheet
from dyverse.native.code.checks import checks
from dyverse.native.model import number_list, still_places

REAL = ("real", "clock")
ENDLESS = (-math.inf, math.inf)


@dataclass(frozen=True, eq=False)  # without slots: what follows is worked out once
class Source:
    """A model at given settings: what an exported one is made from."""

    world: World
    described: Described | None
    automaton: HybridAutomaton
    given: Mapping[str, float]
    sheet: Sheet | None  # of its automata

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The settings: ports, and parameters and arguments that follow from no others."""
        ports = (item.name for item in self.world.inputs if item.formula is None)
        return (*self._free, *ports)

    @cached_property
    def _free(self) -> tuple[str, ...]:
        terms = {p.name: p.value for p in self.world.parameters}
        if self.described:
            terms |= {constant.name: constant.value for constant in self.described.constants}
        return tuple(name for name, term in terms.items() if name in self.given or _is_free(term))

    @cached_property
    def symbols(self) -> SX:
        """One for each setting."""
        return ca.SX.sym("s", len(self.names))

    @cached_property
    def table(self) -> dict[str, SX]:
        """What is known by name before anything is worked out: settings, and starts as given."""
        found = {name: ca.SX(number) for name, number in self.given.items()}
        return found | {name: self.symbols[i] for i, name in enumerate(self.names)}

    @cached_property
    def values(self) -> dict[str, float]:
        """The settings at their own numbers."""
        found = {**known_values(self.world, self.given), **self.given}
        for constant in self.described.constants if self.described else ():
            found.setdefault(constant.name, value(constant.value, found))
        return {name: found[name] for name in self.names}

    @cached_property
    def known(self) -> dict[str, SX]:
        """Parameters, ports, arguments and starts of automata as expressions."""
        found = known_amounts(self.world, self.table, EXPRESSIONS)
        described = self.described
        for constant in described.constants if described else ():
            own = symbolic(constant.value, found)
            found[constant.name] = self.table.get(constant.name, own)
        for item in described.declared if described else ():
            own = symbolic(item.start, found)
            found[item.name] = self.table.get(item.name, own)
        return found

    @cached_property
    def scene(self) -> Scene | None:
        """The bodies, with expressions; variables of automata drive them."""
        if not self.world.bodies:
            return None
        found = symbolic_scene(self.world, self.table)
        return replace(found, values={**found.values, **self._driving})

    @cached_property
    def _driving(self) -> dict[str, SX]:
        """Variables of automata at the start; some say in which place one is."""
        network = parts_of(self.automaton).network
        if network is None:
            return {}
        starts = zip(network.variables, network.start().values.tolist(), strict=True)
        return {name: self.known.get(name, ca.SX(number)) for name, number in starts}


def _is_free(term: Term) -> bool:
    return all(symbol.name in CONSTANTS for symbol in symbols(term))


@dataclass(frozen=True, slots=True, eq=False)
class Preparation:
    """The function ``dm_prepare``, that of checks, and what they say about the settings.

    Many contacts share a few numbers: the function gives each number once, and ``spread`` says
    which of them comes where.
    """

    prepare: Any  # casadi ships no type information
    spread: tuple[int, ...]
    check: Any
    positive: int  # how many checks must be over zero; the others not below
    body_numbers: int
    settings: tuple[Quantity, ...]
    starts: tuple[tuple[int, ...], ...]  # of each state: the settings that its start depends on
    start: tuple[float, ...]


def preparation(source: Source) -> Preparation:
    """Numbers and start of ``source``."""
    scene, sheet = source.scene, source.sheet
    bodies = [] if scene is None else [ca.SX(x) for x in number_list(scene, symbolic)]
    automata = [] if sheet is None else [ca.SX(x) for x in _automaton_numbers(source, sheet)]
    start = [ca.SX(x) for x in _start(source)]
    distinct, spread = _distinct([*bodies, *automata, *start])
    prepare = _function("dm_prepare_code", source.symbols, distinct)
    positive, weak = _checks(source)
    once = _dependence(prepare)
    depends = {i: once[number] for i, number in enumerate(spread) if number in once}
    first = len(bodies) + len(automata)
    places = set() if scene is None else still_places(scene)
    still = {*places, *range(first, first + len(start))}
    numbers = prepare(list(source.values.values())).full().ravel().tolist()
    begin = tuple(numbers[number] for number in spread[first:])
    return Preparation(
        prepare=prepare,
        spread=spread,
        check=_function("dm_check_code", source.symbols, [*positive, *weak]),
        positive=len(positive),
        body_numbers=len(bodies),
        settings=tuple(_settings(source, depends, still)),
        starts=tuple(tuple(sorted(depends.get(first + i, ()))) for i in range(len(start))),
        start=begin,
    )


def _distinct(entries: Iterable[SX]) -> tuple[list[SX], tuple[int, ...]]:
    """Every number or expression once, and which of them each entry is."""
    found: dict[tuple[str, str | int], int] = {}
    distinct: list[SX] = []
    spread = []
    for entry in entries:
        constant = entry.is_constant()
        key = ("number", float(entry).hex()) if constant else ("node", entry.element_hash())
        if key not in found:
            found[key] = len(distinct)
            distinct.append(entry)
        spread.append(found[key])
    return distinct, tuple(spread)


def _function(name: str, settings: SX, results: Iterable[SX]) -> Any:
    return ca.Function(name, [settings], [ca.densify(ca.vertcat(*results, ca.SX.zeros(0)))])


def _start(source: Source) -> Iterator[SX]:
    if source.scene is not None:
        yield from source.scene.start
    values = source.automaton.start().values.tolist()
    for name, number in zip(source.automaton.variables, values, strict=True):
        if source.scene is None or (source.sheet and name not in source.sheet.outside):
            yield source.known.get(name, number)


def _automaton_numbers(source: Source, sheet: Sheet) -> Iterator[SX]:
    """What `AutomatonModel.numbers` holds: parameters, then least and greatest values."""
    parts = parts_of(source.automaton)
    numbers = dict((parts.written or parts.network).parameters)  # type: ignore[union-attr]
    for name in sheet.parameters:
        lifted = number_of(name)
        yield source.known.get(name, numbers.get(name)) if lifted is None else lifted
    limits = _limits(source)
    for side, endless in ((0, -math.inf), (1, math.inf)):
        for name in sheet.names:
            yield limits[name][side] if name in limits else endless


def _limits(source: Source) -> dict[str, tuple[SX, SX]]:
    network = parts_of(source.automaton).network
    found: dict[str, tuple[SX, SX]] = {}
    for variable in network.shared if network else ():
        found[variable.name] = variable.limits
    for item in source.described.declared if source.described and network else ():
        if item.limits is not None and item.kind not in REAL:
            low, high = (symbolic(bound, source.known) for bound in item.limits)
            found[item.name] = (low, high)
    return found


def _checks(source: Source) -> tuple[list[SX], list[SX]]:
    """What must be positive, and what must not be negative, as far as settings change it."""
    if source.scene is None:
        return [], []
    rules = checks(source.world, source.scene)
    found = [[ca.SX(e) for e in part] for part in (rules.positive, rules.weak)]
    positive, weak = ([e for e in part if not e.is_constant()] for part in found)
    return positive, weak


def _dependence(function: Any) -> dict[int, set[int]]:
    """Which settings each result depends on."""
    pattern = function.jac_sparsity(0, 0)
    found: dict[int, set[int]] = {}
    for row, column in zip(*pattern.get_triplet(), strict=True):
        found.setdefault(row, set()).add(column)
    return found


def _settings(
    source: Source, depends: Mapping[int, set[int]], still: set[int]
) -> Iterator[Quantity]:
    """Every setting; one that moves a place, a size or a start cannot change in a run."""
    fixed = {setting for row in still for setting in depends.get(row, ())}
    ports = {item.name for item in source.world.inputs if item.formula is None}
    ranges = {p.name: p.limits for p in source.world.parameters if p.limits is not None}
    known = known_values(source.world, source.given)
    for i, (name, number) in enumerate(source.values.items()):
        role = Role.PORT if name in ports else Role.FIXED if i in fixed else Role.TUNABLE
        low, high = (value(b, known) for b in ranges[name]) if name in ranges else ENDLESS
        yield Quantity(name=name, value=number, low=low, high=high, kind=role)
