"""A reader of TChecker files, written from the description of the format and not from the writer.

A line is ``word:field:…{key: value : key: value}``. Conditions are conjunctions of comparisons,
of which one side may be a clock or the difference of two; all else is arithmetic of integers.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

NAME = r"[A-Za-z_][A-Za-z0-9_.]*"
WORDS = {"system", "clock", "int", "event", "process", "location", "edge", "sync"}
ATTRIBUTES = {
    "location": {"initial", "committed", "urgent", "invariant", "labels"},
    "edge": {"provided", "do"},
}
ARITY = {"system": 1, "clock": 2, "int": 5, "event": 1, "process": 1, "location": 2, "edge": 4}
Ints = Mapping[str, int]


@dataclass(frozen=True)
class Atom:
    """``plus - minus relation bound``, or without clocks ``left relation bound``."""

    left: str
    relation: str
    bound: str
    clocks: tuple[str, ...]


@dataclass(frozen=True)
class Spot:
    name: str
    initial: bool
    still: bool
    committed: bool
    invariant: tuple[Atom, ...]
    labels: frozenset[str]


@dataclass(frozen=True)
class Arrow:
    source: str
    target: str
    event: str
    guard: tuple[Atom, ...]
    updates: tuple[tuple[str, str], ...]


@dataclass
class System:
    clocks: list[str] = field(default_factory=list)
    ints: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)
    spots: dict[str, dict[str, Spot]] = field(default_factory=dict)
    arrows: dict[str, list[Arrow]] = field(default_factory=dict)
    syncs: list[list[tuple[str, str, bool]]] = field(default_factory=list)

    @property
    def processes(self) -> list[str]:
        return list(self.spots)

    @property
    def start(self) -> tuple[str, ...]:
        initial = [[s.name for s in spots.values() if s.initial] for spots in self.spots.values()]
        assert all(len(names) == 1 for names in initial)
        return tuple(names[0] for names in initial)

    def moves(self, places: tuple[str, ...]) -> Iterator[dict[str, Arrow]]:
        """The joint transitions from ``places``, whatever their guards say."""
        at = dict(zip(self.processes, places, strict=True))
        bound = {(process, event) for row in self.syncs for process, event, _ in row}
        committed = {p for p, name in at.items() if self.spots[p][name].committed}
        for found in (*self._alone(at, bound), *self._joint(at)):
            if not committed or committed & set(found):
                yield found

    def _leaving(self, process: str, place: str, event: str | None = None) -> list[Arrow]:
        arrows = (arrow for arrow in self.arrows[process] if arrow.source == place)
        return [arrow for arrow in arrows if event in (None, arrow.event)]

    def _alone(self, at: dict[str, str], bound: set[tuple[str, str]]) -> Iterator[dict[str, Arrow]]:
        for process, place in at.items():
            for arrow in self._leaving(process, place):
                if (process, arrow.event) not in bound:
                    yield {process: arrow}

    def _joint(self, at: dict[str, str]) -> Iterator[dict[str, Arrow]]:
        for row in self.syncs:
            options: list[list[Arrow | None]] = []
            for process, event, weak in row:
                ready: list[Arrow | None] = list(self._leaving(process, at[process], event))
                assert not (weak and any(a and a.guard for a in ready)), "a guard on a weak event"
                options.append(ready or ([None] if weak else []))
            for choice in product(*options):
                names = (process for process, _, _ in row)
                yield {p: arrow for p, arrow in zip(names, choice, strict=True) if arrow}


def read(text: str) -> System:
    """The system of a file; everything must be declared before it is used."""
    found = System()
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert lines[0].startswith("system:")
    for line in lines:
        match = re.fullmatch(r"([a-z]+):([^{}#]*)(?:\{([^{}#]*)\})?", line)
        assert match, line
        word, fields, rest = match[1], match[2].split(":"), _attributes(match[1], match[3] or "")
        assert word in WORDS
        assert word == "sync" or len(fields) == ARITY[word], line
        _take(found, word, fields, rest)
    return found


def _attributes(word: str, text: str) -> dict[str, str]:
    parts = [part.strip() for part in text.split(":")] if text.strip() else []
    assert len(parts) % 2 == 0, text
    found = dict(zip(parts[::2], parts[1::2], strict=True))
    assert len(found) == len(parts) // 2
    assert set(found) <= ATTRIBUTES.get(word, set()), text
    return found


def _take(found: System, word: str, fields: list[str], rest: dict[str, str]) -> None:
    match word:
        case "clock":
            assert fields[0] == "1"
            found.clocks.append(_new(fields[1], {*found.clocks, *found.ints}))
        case "int":
            assert fields[0] == "1"
            low, high, start = map(int, fields[1:4])
            assert -(2**31) <= low <= start <= high < 2**31
            found.ints[_new(fields[4], {*found.clocks, *found.ints})] = (low, high, start)
        case "event":
            found.events.append(_new(fields[0], set(found.events)))
        case "process":
            found.spots[_new(fields[0], set(found.spots))] = {}
            found.arrows[fields[0]] = []
        case "location":
            spots = found.spots[fields[0]]
            spots[_new(fields[1], set(spots))] = _spot(found, fields[1], rest)
        case "edge":
            process, source, target, event = fields
            assert {source, target} <= set(found.spots[process])
            assert event in found.events
            found.arrows[process].append(_arrow(found, source, target, event, rest))
        case "sync":
            found.syncs.append([_end(found, text) for text in fields])


def _new(name: str, taken: set[str]) -> str:
    assert re.fullmatch(NAME, name), name
    assert name not in taken | WORDS, name
    return name


def _end(found: System, text: str) -> tuple[str, str, bool]:
    process, _, event = text.rstrip("?").partition("@")
    assert process in found.spots
    assert event in found.events
    return process, event, text.endswith("?")


def _spot(found: System, name: str, rest: dict[str, str]) -> Spot:
    return Spot(
        name,
        "initial" in rest,
        "urgent" in rest or "committed" in rest,
        "committed" in rest,
        _atoms(found, rest.get("invariant", "")),
        frozenset(filter(None, rest.get("labels", "").split(","))),
    )


def _arrow(found: System, source: str, target: str, event: str, rest: dict[str, str]) -> Arrow:
    updates = []
    for text in filter(None, rest.get("do", "").split(";")):
        name, _, value = (part.strip() for part in text.partition("="))
        assert name in found.ints or name in found.clocks
        updates.append((name, value))
    return Arrow(source, target, event, _atoms(found, rest.get("provided", "")), tuple(updates))


def _atoms(found: System, text: str) -> tuple[Atom, ...]:
    atoms = []
    for part in filter(None, (part.strip() for part in text.split("&&"))):
        pieces = re.split(r"(<=|>=|==|!=|<|>)", part)
        assert len(pieces) == 3, part
        left, relation, right = (piece.strip() for piece in pieces)
        clocks = tuple(name for name in re.findall(NAME, left) if name in found.clocks)
        assert not clocks or left == " - ".join(clocks), part
        assert not any(name in found.clocks for name in re.findall(NAME, right)), part
        atoms.append(Atom(left, relation, right, clocks))
    return tuple(atoms)


def number(text: str, ints: Ints) -> int:
    """The value of an integer expression."""
    return _number(ast.parse(text, mode="eval").body, ints)


def _number(node: ast.expr, ints: Ints) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return ints[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, ints)
        case ast.BinOp(left=left, op=sign, right=right):
            a, b = _number(left, ints), _number(right, ints)
            return {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}[type(sign)]
    raise AssertionError(ast.dump(node))


def compared(a: float, relation: str, b: float) -> bool:
    """``a relation b`` on numbers."""
    return {"<": a < b, "<=": a <= b, "==": a == b, "!=": a != b, ">=": a >= b, ">": a > b}[
        relation
    ]
