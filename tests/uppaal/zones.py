"""A small checker of timed automata: the zone graph of a TChecker file, with no code of ours in it.

A zone is a matrix of bounds on differences of clocks; ``2c + 1`` means ``<= c`` and ``2c`` means
``< c``. Bounds beyond the largest constant are forgotten, so that the graph is finite.
"""

from collections import deque
from itertools import product

from tests.uppaal.tck_file import Arrow, Atom, Ints, System, compared, number

NONE = 1 << 60
Zone = list[list[int]]
State = tuple[tuple[str, ...], tuple[tuple[str, int], ...]]


def reachable(system: System, labels: set[str], *, most: int = 20_000) -> bool:
    """Whether some reachable state has all ``labels``."""
    return _Graph(system).has(labels, most)


def plus(a: int, b: int) -> int:
    """The sum of two bounds."""
    return NONE if NONE in (a, b) else (a & ~1) + (b & ~1) + (a & b & 1)


class _Graph:
    def __init__(self, system: System) -> None:
        self.system = system
        self.index = {name: i for i, name in enumerate(system.clocks, 1)}
        self.size = len(system.clocks) + 1
        self.largest = self._largest()

    def _largest(self) -> int:
        arrows = [arrow for found in self.system.arrows.values() for arrow in found]
        spots = [spot for found in self.system.spots.values() for spot in found.values()]
        atoms = [a for arrow in arrows for a in arrow.guard] + [
            a for s in spots for a in s.invariant
        ]
        return max((self._most(atom) for atom in atoms if atom.clocks), default=0)

    def _most(self, atom: Atom) -> int:
        names = [name for name in self.system.ints if name in atom.bound]
        ends = product(*(self.system.ints[name][:2] for name in names))
        return max(abs(number(atom.bound, dict(zip(names, e, strict=True)))) for e in ends)

    def has(self, labels: set[str], most: int) -> bool:
        ints = tuple((name, start) for name, (_, _, start) in self.system.ints.items())
        begin: State = (self.system.start, ints)
        zone = self._delayed(begin, [[1] * self.size for _ in range(self.size)])
        left = deque([(begin, zone)] if zone else [])
        passed: dict[State, list[Zone]] = {}
        while left:
            state, zone = left.popleft()
            if any(_within(zone, other) for other in passed.get(state, ())):
                continue
            if labels <= self._labels(state):
                return True
            passed.setdefault(state, []).append(zone)
            assert sum(map(len, passed.values())) < most
            left += self._next(state, zone)
        return False

    def _labels(self, state: State) -> frozenset[str]:
        spots = zip(self.system.processes, state[0], strict=True)
        return frozenset().union(*(self.system.spots[p][name].labels for p, name in spots))

    def _next(self, state: State, zone: Zone) -> list[tuple[State, Zone]]:
        found = []
        for move in self.system.moves(state[0]):
            after = self._taken(state, [row[:] for row in zone], move)
            if after is not None:
                found.append(after)
        return found

    def _taken(self, state: State, zone: Zone, move: dict[str, Arrow]) -> tuple[State, Zone] | None:
        ints = dict(state[1])
        if not all(self._cut(zone, arrow.guard, ints) for arrow in move.values()):
            return None
        for arrow in move.values():
            for name, value in arrow.updates:
                if name in self.index:
                    _reset(zone, self.index[name], number(value, ints))
                else:
                    ints[name] = number(value, ints)
                    low, high, _ = self.system.ints[name]
                    assert low <= ints[name] <= high, f"{name} leaves its range"
        at = dict(zip(self.system.processes, state[0], strict=True))
        at |= {process: arrow.target for process, arrow in move.items()}
        new: State = (tuple(at.values()), tuple(ints.items()))
        delayed = self._delayed(new, zone)
        return (new, delayed) if delayed else None

    def _delayed(self, state: State, zone: Zone) -> Zone | None:
        """The zone after any delay that the invariants allow."""
        here = zip(self.system.processes, state[0], strict=True)
        spots = [self.system.spots[process][name] for process, name in here]
        ints = dict(state[1])
        if not all(self._cut(zone, spot.invariant, ints) for spot in spots):
            return None
        if not any(spot.still for spot in spots):
            for row in zone[1:]:
                row[0] = NONE
            if not all(self._cut(zone, spot.invariant, ints) for spot in spots):
                return None
        return self._forgotten(zone)

    def _cut(self, zone: Zone, atoms: tuple[Atom, ...], ints: Ints) -> bool:
        for atom in atoms:
            value = number(atom.bound, ints)
            if not atom.clocks:
                if not compared(number(atom.left, ints), atom.relation, value):
                    return False
                continue
            i, *others = (self.index[name] for name in atom.clocks)
            j = others[0] if others else 0
            if atom.relation in ("<", "<=", "=="):
                _tighten(zone, i, j, 2 * value + (atom.relation != "<"))
            if atom.relation in (">", ">=", "=="):
                _tighten(zone, j, i, -2 * value + (atom.relation != ">"))
        return all(zone[i][i] >= 1 for i in range(self.size))

    def _forgotten(self, zone: Zone) -> Zone:
        for i, row in enumerate(zone):
            for j, bound in enumerate(row):
                if i != j and bound != NONE:
                    if bound > 2 * self.largest + 1:
                        row[j] = NONE
                    elif bound < -2 * self.largest:
                        row[j] = -2 * self.largest
        _close(zone)
        return zone


def _tighten(zone: Zone, i: int, j: int, bound: int) -> None:
    if bound >= zone[i][j]:
        return
    zone[i][j] = bound
    _close(zone)


def _close(zone: Zone) -> None:
    size = range(len(zone))
    for k in size:
        for i in size:
            if zone[i][k] != NONE:
                for j in size:
                    zone[i][j] = min(zone[i][j], plus(zone[i][k], zone[k][j]))


def _reset(zone: Zone, i: int, value: int) -> None:
    for j in range(len(zone)):
        if j != i:
            zone[i][j] = plus(2 * value + 1, zone[0][j])
            zone[j][i] = plus(zone[j][0], -2 * value + 1)


def _within(inner: Zone, outer: Zone) -> bool:
    rows = zip(inner, outer, strict=True)
    return all(a <= b for row, other in rows for a, b in zip(row, other, strict=True))
