"""A model as the page is told of it: bodies, what joins them, components, numbers, signals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from dyverse.animation.describing.joined import joints_told
from dyverse.animation.describing.names import OF_ALL, UNITS, Units, units_of
from dyverse.animation.describing.scenery import Scenery
from dyverse.animation.parts import Parts
from dyverse.animation.playable import Means, Playable, Settings
from dyverse.animation.said import Json
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.component import Component, NetworkEdge
from dyverse.bodies.amounts import number
from dyverse.bodies.describe import claim_text
from dyverse.bodies.placed import PlacedBody, Scene
from dyverse.bodies.shape.compound import BodyPart, Compound
from dyverse.bodies.shape.interface import Faceted, Shape
from dyverse.bodies.world import AXES, COORDINATES, SPEEDS, Parameter, Property, Spring
from dyverse.expr.formula import TRUE, Formula, formula_symbols
from dyverse.expr.printing import formula_text, term_text
from dyverse.expr.requirement import plain
from dyverse.expr.rewrite import rewritten_formula
from dyverse.expr.term import Number, Symbol, Term
from dyverse.expr.value import value
from dyverse.text.units import si_unit

SIGNALS = 500  # that are told at once
STARTS = 48  # starting values of bodies that are offered to be set
PLANES = {"z": "xy", "y": "xz", "x": "yz"}


def model_message(
    play: Playable,
    automaton: HybridAutomaton,
    parts: Parts,
    names: Sequence[str],
    settings: Settings,
) -> dict[str, Json]:
    """What does not change along a run."""
    scene = None if parts.rigid is None else parts.rigid.scene
    known, drawn = play.model.values(settings), Scenery(play.model.scene)
    unit_of = units_of(parts, play.variable_units())
    return {
        "name": play.name,
        "title": play.title,
        "text": play.text,
        "editable": True,
        "example": play.example,
        "can_save": play.path is not None,
        "plane": _plane(play, scene) if scene else "xy" if drawn.is_flat else None,
        "gravity": list(scene.gravity) if scene else [0.0, 0.0, 0.0],
        "units": {**UNITS, **OF_ALL},
        "bodies": [_body(body) for body in scene.bodies] if scene else [],
        "springs": [_spring(spring, known) for spring in play.model.world.springs],
        "joints": joints_told(scene) if scene else [],
        "scene": drawn.described(_constants(automaton, known) if play.model.scene else {}),
        "components": [*_bodies(parts), *_automata(play, parts)],
        "parameters": [
            _parameter(play, item, known, settings) for item in _parameters(play, automaton)
        ],
        "inputs": [
            {
                "name": item.name,
                "value": known.get(item.name, 0.0),
                "limits": item.limits and [value(bound, known) for bound in item.limits],
            }
            for item in play.model.world.inputs
            if item.formula is None
        ],
        "starts": list(_starts(play, automaton, scene, settings, unit_of)),
        "channels": list(_channels(parts)),
        "properties": [_property(claim, known) for claim in play.model.properties],
        "signals": [{"name": name, "unit": unit_of(name)} for name in names[:SIGNALS]],
        "signal_count": len(names),
        "problems": [],
        "notes": list(play.notes),
    }


def _constants(automaton: HybridAutomaton, known: Settings) -> Settings:
    """Parameters and arguments of automata, by name."""
    return {**automaton.observe(automaton.start()), **known}


def _body(body: PlacedBody) -> Json:
    return {
        "name": body.name,
        "shape": _shape(body.shape),
        "fixed": body.fixed,
        "position": list(body.position),
        "orientation": list(body.orientation),
    }


def _shape(shape: Shape[float]) -> Json:
    """How it is called and what it measures; of several parts, each where it is."""
    if isinstance(shape, Compound):
        return {"kind": shape.word, "parts": [_part(part) for part in shape.parts]}
    if isinstance(shape, Faceted):
        return {
            "kind": "mesh",
            "vertices": [list(vertex) for vertex in shape.vertices],
            "faces": [list(face) for face in shape.faces],
        }
    measures: dict[str, Json] = {
        name: list(amount) if isinstance(amount, tuple) else amount
        for name, amount in shape.measures.items()
    }
    return {"kind": shape.word, **measures}


def _part(part: BodyPart[float]) -> Json:
    turn = {} if part.turn is None else {"turn": list(part.turn)}
    return {"shape": _shape(part.shape), "at": list(part.at), **turn}


def _spring(spring: Spring, known: Settings) -> Json:
    other = spring.other
    end: Json = other if isinstance(other, str) else [number(term, known) for term in other]
    return {"from": spring.body, "to": end}


def _plane(play: Playable, scene: Scene) -> str | None:
    """The plane that a scene is in for good, if there is one."""
    kept = play.model.world.planar
    if kept is not None:
        return PLANES[AXES[kept]]
    return next((plane for axis, plane in PLANES.items() if _is_flat(play, scene, axis)), None)


def _is_flat(play: Playable, scene: Scene, axis: str) -> bool:
    """Whether nothing leaves the plane across ``axis``: no place, motion, load or surface."""
    k, world = AXES.index(axis), play.model.world
    others = [i for i in range(3) if i != k]
    still = scene.gravity[k] == 0 and all(_stays(body, k, others) for body in scene.bodies)
    forces = (load.vector[k] for load in world.loads if load.kind == "force")
    torques = (load.vector[i] for load in world.loads if load.kind == "torque" for i in others)
    held = (load.at[k] for load in world.loads if load.at is not None)
    points = (s.other[k] for s in world.springs if not isinstance(s.other, str))
    return still and all(map(_is_zero, (*forces, *torques, *held, *points)))


def _stays(body: PlacedBody, k: int, others: list[int]) -> bool:
    across = body.shape.is_mirrored(body.position, k)
    return across and body.velocity[k] == 0 and all(body.spin[i] == 0 for i in others)


def _is_zero(term: Term) -> bool:
    return isinstance(term, Number) and term.value == 0


def _bodies(parts: Parts) -> Iterator[Json]:
    """What contacts are in: bodies that never touch have one location, which says nothing."""
    pairs = () if parts.rigid is None else parts.rigid.scene.contacts
    if pairs:
        contacts: Json = [{"name": pair.name, "a": pair.a, "b": pair.b} for pair in pairs]
        yield {"name": "bodies", "kind": "bodies", "contacts": contacts}


def _automata(play: Playable, parts: Parts) -> Iterator[Json]:
    """All components, with the names that stand for long terms in them, such as gaps."""
    meant = play.model.meant if parts.components and isinstance(play.model, Means) else {}
    conditions = _Conditions(meant)
    yield from (_component(item, conditions) for item in parts.components)


class _Conditions:
    """Conditions as texts, in the words of whoever wrote them."""

    def __init__(self, meant: Mapping[str, Term]) -> None:
        self._meant, self._names = meant, {term: name for name, term in meant.items()}

    def text(self, formula: Formula) -> str:
        """A condition with names for what they stand for."""
        return "" if formula == TRUE else formula_text(self._named(formula))

    def meaning(self, formula: Formula) -> str:
        """What these names stand for."""
        names = dict.fromkeys(symbol.name for symbol in formula_symbols(self._named(formula)))
        known = [name for name in names if name in self._meant]
        return ", ".join(f"{name} = {term_text(self._meant[name])}" for name in known)

    def _named(self, formula: Formula) -> Formula:
        def rewrite(term: Term) -> Term:
            return Symbol(self._names[term]) if term in self._names else term

        return rewritten_formula(formula, rewrite) if self._names else formula


def _component(item: Component, conditions: _Conditions) -> Json:
    return {
        "name": item.name,
        "kind": "automaton",
        "initial": item.initial,
        "locations": [
            {
                "name": place.name,
                "urgent": place.urgent,
                "committed": place.committed,
                "invariant": conditions.text(place.invariant),
                "where": conditions.meaning(place.invariant),
                "rates": [f"{rate.target}' = {term_text(rate.value)}" for rate in place.rates],
            }
            for place in item.places
        ],
        "edges": [_edge(*pair, conditions) for pair in enumerate(item.edges)],
    }


def _edge(number: int, edge: NetworkEdge, conditions: _Conditions) -> Json:
    return {
        "id": number,
        "source": edge.source,
        "target": edge.target,
        "guard": conditions.text(edge.guard),
        "where": conditions.meaning(edge.guard),
        "action": edge.name,
        "sync": "" if edge.action is None else str(edge.action),
        "reset": ", ".join(f"{a.target} := {term_text(a.value)}" for a in edge.reset),
        "urgent": edge.urgent,
    }


def _channels(parts: Parts) -> Iterator[Json]:
    """Channels on which something can be heard from outside."""
    known = {channel.name: channel for channel in parts.channels}
    heard = dict.fromkeys(
        edge.action.channel
        for item in parts.components
        for edge in item.edges
        if edge.action is not None and not edge.action.sends
    )
    for name in heard:
        broadcast = name in known and known[name].broadcast
        yield {"name": name, "kind": "broadcast" if broadcast else "handshake"}


def _parameters(play: Playable, automaton: HybridAutomaton) -> list[Parameter]:
    """Those that stay the same along a run: variables with a range are told with the starts."""
    moving = frozenset(automaton.variables)
    return [item for item in play.model.parameters if item.name not in moving]


def _parameter(play: Playable, item: Parameter, known: Settings, settings: Settings) -> Json:
    amount = settings.get(item.name, number(item.value, known))
    limits: Json = None
    if item.limits is not None:
        limits = [_finite(number(bound, known)) for bound in item.limits]
    unit, about = play.remark(item.name)
    told: dict[str, Json] = {"name": item.name, "value": _finite(amount), "limits": limits}
    return told | {"unit": unit or si_unit(item.value), "about": about}


def _starts(
    play: Playable,
    automaton: HybridAutomaton,
    scene: Scene | None,
    settings: Settings,
    unit_of: Units,
) -> Iterator[Json]:
    """Variables that can be set where a run starts."""
    known = play.model.values(settings)
    limits = {item.name: item.limits for item in play.model.parameters if item.limits is not None}
    begin = dict(zip(automaton.variables, automaton.start().values.tolist(), strict=True))
    begin |= scene.starts if scene else {}
    own = [name for name in play.model.settable() if name in begin]
    moving = [body for body in scene.bodies if not body.fixed] if scene else []
    coordinates = (*COORDINATES[:3], *SPEEDS)
    of_bodies = [
        f"{body.name}.{coordinate}"
        for body in moving
        for coordinate in coordinates
        if body.across is None or coordinate in body.settable
    ]
    for name in (*own, *of_bodies[:STARTS]):
        ends = limits.get(name)
        yield {
            "name": name,
            "value": begin[name],
            "limits": None if ends is None else [_finite(number(end, known)) for end in ends],
            "unit": unit_of(name),
        }


def _property(claim: Property, known: Settings) -> Json:
    until = None if claim.until is None else _finite(number(claim.until, known))
    found = plain(claim.requirement)
    kind = "nested" if found is None else found.kind
    return {"name": claim.name, "text": claim_text(claim), "until": until, "kind": kind}


def _finite(amount: float | None) -> float | None:
    return amount if amount is not None and math.isfinite(amount) else None
