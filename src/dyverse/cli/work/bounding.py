"""The times between signals that an export is given: said, established, or observed.

What someone says goes first; then all runs are enclosed, if that was asked for, and what cannot be
established so is observed in a run, if that was.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dyverse.abstraction.timing.spacing import NotEstablished, established
from dyverse.abstraction.timing.stay import Rule
from dyverse.automaton.endings import WORDS
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.network import Network
from dyverse.automaton.run import Ending
from dyverse.automaton.signal_bounds import Bounds, signal_bounds
from dyverse.cli.terminal.reported import say
from dyverse.errors import ModelError, Problem
from dyverse.simulation.simulate import simulate


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is said, and how far to establish and to observe (s)."""

    said: tuple[str, ...] = ()
    establish: float | None = None
    rule: Rule = "must"
    observe: float | None = None

    def __bool__(self) -> bool:
        return bool(self.said) or self.establish is not None or self.observe is not None

    def check(self) -> None:
        """Refuse at once what cannot be done."""
        if self.establish is not None and not self.establish > 0:
            raise ModelError([Problem("must be a time over 0, or 'inf'")], file="--establish")
        if self.observe is not None and not 0 < self.observe < math.inf:
            raise ModelError([Problem("must be a finite time over 0")], file="--observe")

    def seen(self, automaton: HybridAutomaton) -> tuple[str, ...]:
        """The kinds of events that a run to the time of ``observe`` shows."""
        if self.observe is None:
            return ()
        return tuple(dict.fromkeys(e.kind for e in simulate(automaton, until=self.observe).events))


NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds that were found, and what could not be established."""

    bounds: tuple[Bounds, ...] = ()
    failed: tuple[NotEstablished, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The same as plain data."""
        return {
            "bounds": [_as_json(item) for item in self.bounds],
            "not_established": [
                {"signal": item.action, "reason": item.reason} for item in self.failed
            ],
        }


def _as_json(bounds: Bounds) -> dict[str, object]:
    return {
        "signal": bounds.action,
        "first": [bounds.first_low, bounds.first_high],
        "then": [bounds.low, bounds.high],
        "marked": bounds.marked,
        "by": bounds.by or ("a run" if bounds.marked == "observed" else "--bound"),
        "until": bounds.until,
    }


def limits(
    automaton: HybridAutomaton, network: Network, signals: tuple[str, ...], wishes: Wishes
) -> Limits:
    """The bounds of ``signals`` by the first means that gives some."""
    said = [_said(text) for text in wishes.said]
    proved = _established(network, _without(signals, said), wishes)
    failed = [item for item in proved if isinstance(item, NotEstablished)]
    found = said + [item for item in proved if isinstance(item, Bounds)]
    for item in failed:
        say(str(item))
    seen = _observed(automaton, _without(signals, found), wishes.observe)
    return Limits((*found, *seen), tuple(failed))


def _without(signals: Iterable[str], found: list[Bounds]) -> list[str]:
    return [name for name in signals if name not in {bounds.action for bounds in found}]


def _established(
    network: Network, signals: list[str], wishes: Wishes
) -> list[Bounds | NotEstablished]:
    until = wishes.establish
    if until is None:
        return []
    return [established(network, name, rule=wishes.rule, until=until) for name in signals]


def _observed(automaton: HybridAutomaton, signals: list[str], until: float | None) -> list[Bounds]:
    if until is None or not signals:
        return []
    run = simulate(automaton, until=until)
    if run.stop.ending is not Ending.REACHED:  # bounds are of what was seen, which says so little
        say(f"observed only to {run.end.time:.9g} s of {until:g} s: {WORDS[run.stop]}")
    seen = {event.kind for event in run.events}
    return [signal_bounds([run], name) for name in signals if name in seen]


def _said(text: str) -> Bounds:
    name, equals, limits = text.partition("=")
    first, colon, last = limits.partition(":")
    try:
        low, high = float(first), float(last) if last.strip() else None
    except ValueError:
        low, high = math.nan, None
    if not (name and equals and colon and low >= 0):
        raise ModelError([Problem(f"{text!r} is not of the form SIGNAL=LO:HI")], file="--bound")
    return Bounds(action=name.strip(), low=low, high=high, first_low=0.0, first_high=high)
