"""What can be wrong with rolling and spinning resistance, beside its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dyverse.bodies.amounts import span_of
from dyverse.bodies.pairs import resistances, touching_pairs
from dyverse.bodies.world import ContactRule, Law, World
from dyverse.errors import Problem, Span


def resisting_rules(world: World) -> tuple[ContactRule, ...]:
    """The rules by which something resists turning."""
    return tuple(rule for rule in world.contacts if rule.law and resistances(rule.law))


def resistance_place(world: World) -> Span | None:
    """Where the first of them is written, if there is any."""
    for rule in resisting_rules(world):
        for term in resistances(rule.law or Law()).values():
            return span_of(term, rule.span)
    return None


def resistance_problems(world: World) -> Iterator[Problem]:
    """Names that mean two contacts, and laws that are not there with a resistance."""
    if not resisting_rules(world):
        return
    place = resistance_place(world)
    if world.without_collision:
        hint = "leave out 'without collision', or 'rolling' and 'spinning'"
        message = "an impact without collision is not known where something resists turning"
        yield Problem(f"{message}; {hint}", place)
    counts = Counter(pair.name for pair in touching_pairs(world))
    for name, count in counts.items():
        if count > 1:
            yield Problem(f"two contacts are called {name!r}; give the part another name", place)
