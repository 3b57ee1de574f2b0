"""Numbers and starts of many runs at once: one compiled function of the settings for all rows.

In come rows of settings, out go the entries of `NativeModel.numbers` and of the start that depend
on them; all others are those of the scene at hand. A row that fails a check is given to
`dyverse.bodies.scene.scene`, which has the last word and says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from dyverse.automaton.interface import Array
from dyverse.bodies.placed import Scene
from dyverse.bodies.scene import scene, symbolic_scene
from dyverse.bodies.world import World
from dyverse.errors import ModelError, Problem
from dyverse.expr.buffered import Buffered
from dyverse.expr.symbolic import symbolic
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.given import check_kind
from dyverse.native.code.checks import checks
from dyverse.native.model import NativeModel, number_list

Settings = Sequence[Mapping[str, float]] | Mapping[str, ArrayLike]
Places = NDArray[np.intp]
BLOCK = 256  # rows evaluated in one call


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """What tells runs apart: some entries of the numbers, then of the start, row by row."""

    numbers: Array  # of the scene at hand
    start: Array
    groups: tuple[Group, ...]
    group: NDArray[np.intp]  # (n,) which group each run belongs to
    place: NDArray[np.intp]  # (n,) its row in there

    def __len__(self) -> int:
        return len(self.group)

    def rows(self, first: int, last: int) -> tuple[Array, Array]:
        """Numbers and starts of the runs from ``first`` to before ``last``."""
        whole = np.tile(np.concatenate([self.numbers, self.start]), (last - first, 1))
        for number, group in enumerate(self.groups):
            mine = np.flatnonzero(self.group[first:last] == number)
            whole[np.ix_(mine, group.places)] = group.values[self.place[first:last][mine]]
        size = self.numbers.size
        return np.ascontiguousarray(whole[:, :size]), np.ascontiguousarray(whole[:, size:])


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Runs that set the same names."""

    places: Places
    values: Array  # (runs, places)


def prepare(base: RigidBodyAutomaton, native: NativeModel, settings: Settings) -> Prepared:
    """Check every row of ``settings`` and work out its numbers.

    Raises `ModelError` about the first row that cannot be, with its number and its settings.
    """
    found = tables(settings)
    count = sum(len(rows) for _, rows, _ in found)
    group, place = np.zeros(count, dtype=np.intp), np.zeros(count, dtype=np.intp)
    groups = []
    for number, (names, rows, where) in enumerate(found):
        group[where], place[where] = number, np.arange(len(where))
        groups.append(_group(base, native, names, rows, where))
    start = np.array(base.scene.start)
    return Prepared(native.numbers(base.scene), start, tuple(groups), group, place)


def tables(settings: Settings) -> list[tuple[tuple[str, ...], Array, Places]]:
    """Names, rows and the numbers of the runs, for each set of names that occurs."""
    check_kind(settings, (Mapping, Sequence), "settings", "[{'K': 1.0}, {'K': 1.5}]")
    if isinstance(settings, Mapping):
        columns = [np.asarray(column, dtype=float).ravel() for column in settings.values()]
        rows = np.stack(np.broadcast_arrays(*columns), axis=1) if columns else np.zeros((1, 0))
        return [(tuple(settings), rows, np.arange(len(rows)))]
    found: dict[tuple[str, ...], list[int]] = {}
    for i, row in enumerate(settings):
        found.setdefault(tuple(sorted(row)), []).append(i)
    return [
        (names, np.array([[settings[i][n] for n in names] for i in where]), np.array(where))
        for names, where in found.items()
    ]


def _group(
    base: RigidBodyAutomaton,
    native: NativeModel,
    names: tuple[str, ...],
    rows: Array,
    where: Places,
) -> Group:
    others = {name: number for name, number in base.settings.items() if name not in names}
    if len(rows):
        _scene_of(base.world, others, names, rows[0], int(where[0]))
    plan = _plan(base.world, names, tuple(sorted(others.items())))
    values, sound = plan.evaluate(rows)
    for i in np.flatnonzero(~sound).tolist():
        found = _scene_of(base.world, others, names, rows[i], int(where[i]))
        whole = np.concatenate([native.numbers(found), found.start])
        values[i] = whole[plan.places]
    return Group(plan.places, values)


def _scene_of(
    world: World, others: Mapping[str, float], names: Iterable[str], row: Array, number: int
) -> Scene:
    """The scene of one row; its errors name the row."""
    own = dict(zip(names, row.tolist(), strict=True))
    try:
        return scene(world, {**others, **own})
    except ModelError as error:
        text = ", ".join(f"{name} = {_shown(amount)}" for name, amount in own.items())
        place = f"run {number} ({text}): " if own else f"run {number}: "
        problems = [Problem(place + p.message, p.span) for p in error.problems]
        raise ModelError(problems, source=error.source, file=error.file) from None


def _shown(amount: object) -> str:
    return f"{amount:.6g}" if isinstance(amount, float) else repr(amount)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A function of the settings for many rows at once, and which entries it gives."""

    places: Places
    function: Any  # CasADi: (names) -> entries, finite, positive, not negative

    def evaluate(self, rows: Array) -> tuple[Array, NDArray[np.bool_]]:
        """The entries of every row, and whether it is beyond doubt."""
        values, sound = np.empty((len(rows), len(self.places))), np.empty(len(rows), dtype=bool)
        with np.errstate(invalid="ignore"):
            for first in range(0, len(rows), BLOCK):
                part = slice(first, min(first + BLOCK, len(rows)))
                values[part], sound[part] = self._block(rows[part])
        return values, sound

    def _block(self, rows: Array) -> tuple[Array, NDArray[np.bool_]]:
        count = len(rows)
        mapped = Buffered(self.function.map(count))
        entries, finite, positive, weak = (
            found.reshape(count, -1) for found in mapped(np.ascontiguousarray(rows).ravel())
        )
        good = [np.isfinite(part) for part in (rows, entries, finite, positive)]
        sound = np.hstack([*good, positive > 0, weak >= 0]).all(axis=1)
        return entries, np.asarray(sound)


@lru_cache(maxsize=32)
def _plan(world: World, names: tuple[str, ...], others: tuple[tuple[str, float], ...]) -> Plan:
    settings = ca.SX.sym("s", len(names))
    table = {name: ca.SX(number) for name, number in others}
    table |= {name: settings[i] for i, name in enumerate(names)}
    found = symbolic_scene(world, table)
    whole = [ca.SX(entry) for entry in (*number_list(found, symbolic), *found.start)]
    places = [i for i, entry in enumerate(whole) if not entry.is_constant()]
    rules = checks(world, found)
    results = [_column([whole[i] for i in places])] + [
        _column([entry for part in parts if not (entry := ca.SX(part)).is_constant()])
        for parts in (rules.finite, rules.positive, rules.weak)
    ]
    return Plan(np.array(places, dtype=np.intp), ca.Function("rows", [settings], results))


def _column(entries: list[Any]) -> Any:  # casadi ships no type information
    return ca.densify(ca.vertcat(*entries, ca.SX.zeros(0)))
