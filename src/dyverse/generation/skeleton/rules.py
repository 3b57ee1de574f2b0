"""The edges of the rigid-body automaton: one function per rule of [navarro2018] §3.5.

Each function gets the contact combination graph and a source, and yields the targets one by one.
Two sets of rules are known. ``paper`` is the printed one, which has a hole: (𝓒_k,ex, s_k,i) leaves
out the word in which every closed contact slips, so a run in which all of them slide after an
impact has nowhere to go. ``complete`` has that edge, and reads some guards more strictly (see
`dyverse.generation.skeleton.guards`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from dyverse.contact.graph import ContactGraph
from dyverse.generation.skeleton.location import (
    ENTRANCE,
    EXIT,
    FREE_FLIGHT,
    Mode,
    Modes,
    Node,
    RigidLocation,
    entrance,
    words,
)

RuleSet = Literal["paper", "complete"]
Source = TypeVar("Source", Modes, Node)


@dataclass(frozen=True, slots=True)
class Rule(Generic[Source]):
    """One kind of edge: its name here, in the paper, and the event that a run calls it."""

    name: str
    paper: str
    action: str
    targets: Callable[[ContactGraph, Source, RuleSet], Iterator[RigidLocation]]


def keep_contacts(_: ContactGraph, source: Node, __: RuleSet) -> Iterator[Node]:
    """(𝓘_k,ex, 𝓒_k,en): after the impact all its contacts stay closed."""
    yield entrance("contact", source.contacts)


def keep_some_contacts(graph: ContactGraph, source: Node, _: RuleSet) -> Iterator[Node]:
    """(𝓘_k,ex, 𝓒_j,en), (k,j) ∈ E_Ω, N_k > N_j > 0: only those of I_j stay closed."""
    return (entrance("contact", j) for j in graph.smaller(source.contacts) if j)


def rebound(graph: ContactGraph, source: Node, _: RuleSet) -> Iterator[Modes]:
    """(𝓘_k,ex, S0), (k,0) ∈ E_Ω: after the impact everything is open."""
    if graph.joined(source.contacts, ()):
        yield FREE_FLIGHT


def resume(_: ContactGraph, source: Node, rules: RuleSet) -> Iterator[Modes]:
    """(𝓒_k,ex, s_k,i): the word that the new forces give; the printed rule forgets all-slip."""
    for target in words(source.contacts):
        if rules == "complete" or any(mode != "slip" for _, mode in target.closed):
            yield target


def update_forces(_: ContactGraph, source: Modes, __: RuleSet) -> Iterator[Node]:
    """(s_k,i, 𝓒_k,en), no trans in word i: a stick gives way or a slip comes to rest."""
    if source.closed and all(mode != "trans" for _, mode in source.closed):
        yield entrance("contact", source.contacts)


def start_slipping(_: ContactGraph, source: Modes, __: RuleSet) -> Iterator[Modes]:
    """(s_k,i, s_k,j), trans in i, none in j, I_sl,j = I_sl,i ∪ I_tr,i: what began to slip does."""
    slipped: dict[Mode, Mode] = {"trans": "slip"}
    if any(mode == "trans" for _, mode in source.closed):
        yield Modes(tuple((contact, slipped.get(mode, mode)) for contact, mode in source.closed))


def collide(graph: ContactGraph, source: Modes, _: RuleSet) -> Iterator[Node]:
    """(s_k,i, 𝓘_j,en), (k,j) ∈ E_Ω, N_k < N_j: further contacts close, the old ones take part."""
    return (entrance("impact", j) for j in graph.larger(source.contacts))


def lose_contacts(graph: ContactGraph, source: Modes, _: RuleSet) -> Iterator[Node]:
    """(s_k,i, 𝓒_j,en), (k,j) ∈ E_Ω, N_k > N_j > 0: some contacts open without impact."""
    return (entrance("contact", j) for j in graph.smaller(source.contacts) if j)


def lift_off(graph: ContactGraph, source: Modes, _: RuleSet) -> Iterator[Modes]:
    """(s_k,i, S0), (k,0) ∈ E_Ω: all contacts open without impact."""
    if graph.joined(source.contacts, ()):
        yield FREE_FLIGHT


AFTER_IMPACT: tuple[Rule[Node], ...] = (
    Rule("keep_contacts", "(I_k,ex, C_k,en)", "settle", keep_contacts),
    Rule("keep_some_contacts", "(I_k,ex, C_j,en)", "settle", keep_some_contacts),
    Rule("rebound", "(I_k,ex, S0)", "rebound", rebound),
)
AFTER_CONTACT: tuple[Rule[Node], ...] = (Rule("resume", "(C_k,ex, s_k,i)", "resume", resume),)
FROM_FREE_FLIGHT: tuple[Rule[Modes], ...] = (
    Rule("collide_from_free", "(S0, I_k,en)", "impact", collide),
)
FROM_CLOSED: tuple[Rule[Modes], ...] = (
    Rule("update_forces", "(s_k,i, C_k,en)", "update", update_forces),
    Rule("start_slipping", "(s_k,i, s_k,j)", "slip", start_slipping),
    Rule("collide", "(s_k,i, I_j,en)", "impact", collide),
    Rule("lose_contacts", "(s_k,i, C_j,en)", "release", lose_contacts),
    Rule("lift_off", "(s_k,i, S0)", "release", lift_off),
)
RULES: dict[str, Rule[Node] | Rule[Modes]] = {
    rule.name: rule
    for rules in (AFTER_IMPACT, AFTER_CONTACT, FROM_CLOSED, FROM_FREE_FLIGHT)
    for rule in rules
}


def rule_between(
    graph: ContactGraph, source: RigidLocation, target: RigidLocation, rules: RuleSet
) -> str | None:
    """The rule that gives an edge from ``source`` to ``target``, if one does; lists nothing."""
    if isinstance(source, Node):
        return _after_node(graph, source, target, rules) if source.place == EXIT else None
    if isinstance(target, Modes):
        if target == FREE_FLIGHT:
            return "lift_off" if graph.joined(source.contacts, ()) else None
        return "start_slipping" if target in start_slipping(graph, source, rules) else None
    if target.place != ENTRANCE:
        return None
    if target.contacts == source.contacts:
        fits = target in update_forces(graph, source, rules)
        return "update_forces" if fits else None
    return _to_other_node(graph, source, target)


def _to_other_node(graph: ContactGraph, source: Modes, target: Node) -> str | None:
    more = len(target.contacts) - len(source.contacts)
    if not graph.joined(source.contacts, target.contacts):
        return None
    if target.kind == "impact":
        name = "collide" if source.closed else "collide_from_free"
        return name if more > 0 else None
    return "lose_contacts" if more < 0 and target.contacts else None


def _after_node(
    graph: ContactGraph, source: Node, target: RigidLocation, rules: RuleSet
) -> str | None:
    if source.kind == "contact":
        slides = isinstance(target, Modes) and len(target.having("slip")) == len(target.closed)
        same = isinstance(target, Modes) and target.contacts == source.contacts
        return "resume" if same and (rules == "complete" or not slides) else None
    if isinstance(target, Modes):
        free = target == FREE_FLIGHT and graph.joined(source.contacts, ())
        return "rebound" if free else None
    if target.kind != "contact" or target.place != ENTRANCE or not target.contacts:
        return None
    if target.contacts == source.contacts:
        return "keep_contacts"
    fewer = len(target.contacts) < len(source.contacts)
    return (
        "keep_some_contacts" if fewer and graph.joined(source.contacts, target.contacts) else None
    )
