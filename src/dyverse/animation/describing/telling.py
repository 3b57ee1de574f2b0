"""What the page hears while a run is played, as plain data for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from dyverse.animation.describing.touching import touching
from dyverse.animation.parts import Parts
from dyverse.animation.recording.record import Change, Cut, News, Piece, Shade
from dyverse.animation.said import Json
from dyverse.animation.show import Show
from dyverse.automaton.endings import WORDS
from dyverse.automaton.interface import Event
from dyverse.automaton.network.moves import Move
from dyverse.generation.coupled.events import BODIES
from dyverse.generation.coupled.jumps import JointEdge
from dyverse.session.foresight import Ahead

FEW, FEWER = 16, 3  # crossings that are told: of automata, and of bodies alone
LARGE = 100  # contacts: with more, one look ahead would be felt while a run is played
STOPS = "howto/read-a-run.html#why-it-stopped"  # page of the documentation


def status(show: Show) -> dict[str, Json]:
    """Where the run is, and how it goes."""
    kept = show.pace.kept()
    fork = show.fork
    return {
        "say": "status",
        "state": _state(show),
        "time": show.time,
        "live": show.record.end,
        "playing": show.playing,
        "tick": show.tick,
        "speed": {"target": kept.target, "achieved": kept.achieved, "overruns": kept.overruns},
        "loop": None if show.loop is None else {"from": show.loop[0], "to": show.loop[1]},
        "fork": None
        if fork is None
        else dict(zip(("at", "name", "from", "to"), fork, strict=True)),
        "settings": dict(show.session.settings),
        "asks": show.session.question is not None,
        "may_wait": show.session.question is not None and show.session.question.may_wait,
        "why": _why(show),
        "link": STOPS if show.is_over else "",
    }


def _state(show: Show) -> str:
    if show.failure:
        return "error"
    if show.is_past:
        return "past"
    if show.is_over:
        return "ended"
    return "live" if show.playing else "paused"


def _why(show: Show) -> str:
    """The reason for a stop, in a sentence."""
    if show.failure:
        return show.failure
    if show.session.question is not None:
        return "a choice is to be made: click an edge that is enabled"
    if show.is_over and show.session.stop is not None:
        return show.session.message or WORDS[show.session.stop]
    if not show.playing and not show.is_past and show.time >= show.horizon:
        return "the horizon is reached; play goes on"
    return ""


def events(found: Iterable[Event], parts: Parts) -> dict[str, Json]:
    """What happened."""
    return {"say": "events", "events": [_event(event, parts) for event in found]}


def _event(event: Event, parts: Parts) -> Json:
    taken = [pair for edge in event.edges for pair in parts.taken(edge)]
    names = list(dict.fromkeys(name for name, _ in taken))
    told: dict[str, Json] = {
        "time": event.time,
        "kind": event.kind,
        "who": [*event.contacts, *names],
        "from": str(event.source),
        "to": str(event.target),
        "edges": [{"component": name, "edge": number} for name, number in taken],
        "remark": event.remark,
    }
    return told | _message(event, names)


def _message(event: Event, names: list[str]) -> dict[str, Json]:
    """Of a handshake or broadcast: the channel, who sent, and who heard."""
    edge = event.edges[0] if event.edges else None
    part = edge.part if isinstance(edge, JointEdge) else edge
    if not isinstance(part, Move) or part.halves[0].edge.action is None:
        return {}
    sends = part.halves[0].edge.action.sends
    told: Json = [*names[1:]] if sends else [*names]
    heard = BODIES if event.remark.startswith(f"{BODIES} to ") else "outside"
    sender = names[0] if sends else heard
    return {"channel": part.halves[0].edge.action.channel, "sender": sender, "receivers": told}


def enabled(show: Show) -> dict[str, Json]:
    """The edges that can be taken now, and what watched signals would come to next."""
    session, parts = show.session, show.parts
    edges = [pair for edge in session.enabled() for pair in parts.taken(edge)]
    many = parts.rigid is not None and len(parts.rigid.contacts) > LARGE
    most = FEW if parts.components else FEWER
    seen = () if many and show.playing else show.ahead(most=most)
    return {
        "say": "enabled",
        "time": show.time,
        "edges": [
            {"component": name, "edge": number, "choose": True}
            for name, number in dict.fromkeys(edges)
        ],
        "ahead": [_ahead(item, parts) for item in seen],
    }


def _ahead(item: Ahead, parts: Parts) -> Json:
    component, edge = parts.watched.get(item.signal, (None, None))
    return {"signal": item.signal, "component": component, "edge": edge, "at": item.time}


def contacts(show: Show) -> dict[str, Json]:
    """Closed contacts, as they are drawn."""
    points: list[Json] = [
        {
            "contact": found.contact,
            "at": found.at.tolist(),
            "normal": found.normal.tolist(),
            "force": found.force.tolist(),
            "mode": found.mode,
            "friction": found.friction,
        }
        for found in touching(show.parts, show.session.state)
    ]
    return {"say": "contacts", "time": show.time, "points": points}


def lanes(changes: Iterable[Change], shades: Iterable[Shade]) -> dict[str, Json]:
    """What lanes show from when on, and stretches that need a word."""
    return {
        "say": "lanes",
        "changes": [{"time": c.time, "lane": c.lane, "value": c.value} for c in changes],
        "shaded": [{"lane": s.lane, "from": s.begin, "to": s.end, "why": s.why} for s in shades],
    }


def cut(found: Cut) -> dict[str, Json]:
    """Forget what is later."""
    return {"say": "cut", "at": found.at, "ghost": found.ghost}


def news(item: News, parts: Parts) -> Iterator[dict[str, Json]]:
    """What has happened to the record of a run."""
    match item:
        case Cut():
            yield cut(item)
        case Piece():
            if item.events:
                yield events(item.events, parts)
            if item.changes or item.shades:
                yield lanes(item.changes, item.shades)
        case _:
            assert_never(item)


def all_so_far(show: Show) -> Iterator[dict[str, Json]]:
    """Everything that a page needs that has just come."""
    record = show.record
    yield cut(Cut(-1.0, ghost=show.ghost is not None))
    yield {**events(record.events, show.parts), "since": record.since}
    yield lanes(record.changes, record.shades)
    yield status(show)
