"""A second road for networks: a naive interpreter.

It knows nothing of terms, compilers or solvers: clocks are fractions with constant
rates, guards are lists of comparisons, and time passes from one threshold to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

MOST_JUMPS = 50  # of one instant


@dataclass(frozen=True)
class Rule:
    """An edge as the interpreter reads it: comparisons of a variable with a number."""

    source: int
    target: int
    clocks: tuple[tuple[int, int], ...] = ()  # clock, at least
    counters: tuple[tuple[int, str, int], ...] = ()  # counter, relation, number
    resets: tuple[int, ...] = ()  # clocks set to zero
    copies: tuple[tuple[int, int], ...] = ()  # counter := another counter
    sync: str = ""


@dataclass
class Naive:
    """A network of rules at work."""

    rules: list[list[Rule]]  # per component
    rates: list[list[int]]  # per clock, the rate in each place of the component that owns it
    broadcast: set[str]
    counters: list[int]
    places: list[int] = field(default_factory=list)
    clocks: list[Fraction] = field(default_factory=list)
    time: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        self.places = [0] * len(self.rules)
        self.clocks = [Fraction(0)] * len(self.rates)

    def run(self, until: int, most: int) -> Iterator[tuple[Fraction, str, tuple[int, ...]]]:
        """The jumps: time, channel, places after it; it ends where jumps do not end."""
        count = jumps = 0
        while count < most:
            found = sorted(self.enabled())
            if found:
                jumps += 1
                if jumps > MOST_JUMPS:
                    return
                count += 1
                yield self.take(found[0])
            else:
                jumps = 0
                if not self.wait(until):
                    return

    def enabled(self) -> list[list[tuple[int, int]]]:
        """Every joint jump, as (component, rule) with the sender first."""
        ready = [
            (i, k)
            for i, rules in enumerate(self.rules)
            for k, rule in enumerate(rules)
            if rule.source == self.places[i] and self.holds(rule)
        ]
        found = []
        for i, k in ready:
            sync = self.rules[i][k].sync
            if not sync:
                found.append([(i, k)])
            elif sync.endswith("!"):
                partners = [
                    (j, m) for j, m in ready if j != i and self.rules[j][m].sync == f"{sync[:-1]}?"
                ]
                if sync[:-1] in self.broadcast:
                    groups = [[p for p in partners if p[0] == j] for j in range(len(self.rules))]
                    found += [[(i, k), *choice] for choice in product(*filter(None, groups))]
                else:
                    found += [[(i, k), partner] for partner in partners]
        return found

    def holds(self, rule: Rule) -> bool:
        relations = {"==": int.__eq__, "<=": int.__le__}
        return all(self.clocks[c] >= k for c, k in rule.clocks) and all(
            relations[sign](self.counters[n], k) for n, sign, k in rule.counters
        )

    def take(self, move: list[tuple[int, int]]) -> tuple[Fraction, str, tuple[int, ...]]:
        before = list(self.counters)
        for i, k in move:
            rule = self.rules[i][k]
            self.places[i] = rule.target
            for clock in rule.resets:
                self.clocks[clock] = Fraction(0)
            for to, source in rule.copies:
                self.counters[to] = before[source]
        first = self.rules[move[0][0]][move[0][1]]
        return self.time, first.sync.rstrip("!?") or "jump", tuple(self.places)

    def wait(self, until: int) -> bool:
        """Let time pass to the next threshold that enables a jump; false if there is none."""
        owners = [clock % len(self.rules) for clock in range(len(self.clocks))]
        rates = [row[self.places[o]] for row, o in zip(self.rates, owners, strict=True)]
        bounds = {b for rules in self.rules for rule in rules for b in rule.clocks}
        ahead = sorted(
            {(k - self.clocks[c]) / rates[c] for c, k in bounds if rates[c] and k > self.clocks[c]}
        )
        start = list(self.clocks)
        for delay in ahead:
            if self.time + delay > until:
                return False
            self.clocks = [x + r * delay for x, r in zip(start, rates, strict=True)]
            if self.enabled():
                self.time += delay
                return True
        return False
