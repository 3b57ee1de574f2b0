"""A second road for guards at their boundary: networks with constant rates, in exact fractions.

It knows nothing of signals, roots or margins. Depths are linear in time, so the instants at which
something can change are known, and every atom is read there as `dyverse.automaton.guard.truth`
says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

MOST_JUMPS = 40  # of one instant


@dataclass(frozen=True)
class Atom:
    """``variable relation number``."""

    variable: int
    relation: str
    number: Fraction

    def __str__(self) -> str:
        return f"x{self.variable} {self.relation} {self.number}"

    def read(self, x: list[Fraction], rates: list[Fraction]) -> tuple[bool, bool, bool]:
        """Whether it holds right after, here, and for this instant alone."""
        sign = -1 if self.relation in ("<", "<=") else 1
        depth, rate = sign * (x[self.variable] - self.number), sign * rates[self.variable]
        if self.relation == "==":
            return depth == 0 == rate, depth == 0, depth == 0 != rate
        if self.relation in ("<", ">"):
            return depth > 0 or (depth == 0 and rate > 0), depth > 0, False
        return depth > 0 or (depth == 0 and rate >= 0), depth >= 0, False


@dataclass(frozen=True)
class Rule:
    """An edge: all atoms of one of the ways must hold; ``resets`` give variables new numbers."""

    source: int
    target: int
    ways: tuple[tuple[Atom, ...], ...]
    resets: tuple[tuple[int, Fraction], ...] = ()
    sync: str = ""


@dataclass
class Exact:
    """Components with two places each; variable i moves at ``rates[i][place of component i]``."""

    rules: list[list[Rule]]
    rates: list[list[Fraction]]
    invariants: list[list[tuple[Atom, ...]]]
    x: list[Fraction]
    places: list[int] = field(default_factory=list)
    time: Fraction = Fraction(0)
    jumped: set[int] = field(default_factory=set)
    arrived: bool = False

    def __post_init__(self) -> None:
        self.places = [0] * len(self.rules)
        self.x = list(self.x)

    def run(self, until: float, most: int) -> Iterator[tuple[Fraction, str, tuple[int, ...]]]:
        """The jumps; ``ended`` then tells why there are no more."""
        self.ended, jumps = "horizon", 0
        for _ in range(most):
            while not (moves := sorted(self.enabled())):
                jumps = 0
                if not self.wait(Fraction(until)):
                    return
            jumps += 1
            if jumps > MOST_JUMPS:
                self.ended = "livelock"
                return
            yield self.take(moves[0])
        self.ended = "enough"

    @property
    def slopes(self) -> list[Fraction]:
        return [row[self.places[i]] for i, row in enumerate(self.rates)]

    def any_way(self, rule: Rule) -> list[bool]:
        return [any(part) for part in zip(*map(self.read, rule.ways), strict=True)]

    def read(self, atoms: tuple[Atom, ...]) -> tuple[bool, bool, bool]:
        parts = [atom.read(self.x, self.slopes) for atom in atoms]
        here = all(part[1] for part in parts)
        return all(part[0] for part in parts), here, here and any(part[2] for part in parts)

    def ready(self, component: int, rule: Rule) -> bool:
        after, here, instant = self.any_way(rule)
        return after or instant or (here and self.arrived and component not in self.jumped)

    def leaving(self) -> Iterator[tuple[int, int, Rule]]:
        for i, rules in enumerate(self.rules):
            for k, rule in enumerate(rules):
                if rule.source == self.places[i]:
                    yield i, k, rule

    def enabled(self) -> list[list[tuple[int, int]]]:
        ready = [(i, k, rule) for i, k, rule in self.leaving() if self.ready(i, rule)]
        found = [[(i, k)] for i, k, rule in ready if not rule.sync]
        for i, k, rule in ready:
            for j, m, other in ready:
                if i != j and rule.sync.endswith("!") and other.sync == f"{rule.sync[:-1]}?":
                    found.append([(i, k), (j, m)])
        return found

    def take(self, move: list[tuple[int, int]]) -> tuple[Fraction, str, tuple[int, ...]]:
        for i, k in move:
            rule = self.rules[i][k]
            self.places[i] = rule.target
            self.jumped.add(i)
            for variable, number in rule.resets:
                self.x[variable] = number
        (i, k), *_ = move
        name = self.rules[i][k].sync.rstrip("!?") or f"e{i}{k}"
        return self.time, name, tuple(self.places)

    def may_pass(self) -> bool:
        return all(self.read(row[self.places[i]])[0] for i, row in enumerate(self.invariants))

    def wait(self, until: Fraction) -> bool:
        """Let time pass to the next instant where a jump is ready or time ends."""
        self.arrived, self.jumped = True, set()
        if not self.may_pass():
            if self.enabled():
                return True
            self.ended = "timelock"
            return False
        slopes, start, begin = self.slopes, list(self.x), self.time
        for delay in self.instants(slopes):
            if begin + delay > until:
                break
            self.time = begin + delay
            self.x = [x + rate * delay for x, rate in zip(start, slopes, strict=True)]
            if self.enabled() or not self.may_pass():
                return True
        delay = until - begin
        self.time = until
        self.x = [x + rate * delay for x, rate in zip(start, slopes, strict=True)]
        return False

    def instants(self, slopes: list[Fraction]) -> list[Fraction]:
        """The delays after which some atom is at its boundary."""
        atoms = [atom for _, _, rule in self.leaving() for way in rule.ways for atom in way]
        atoms += [atom for i, row in enumerate(self.invariants) for atom in row[self.places[i]]]
        found = set()
        for atom in atoms:
            if slopes[atom.variable]:
                delay = (atom.number - self.x[atom.variable]) / slopes[atom.variable]
                found |= {delay} if delay > 0 else set()
        return sorted(found)
