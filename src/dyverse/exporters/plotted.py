"""What a picture of a run shows, as numbers: paths, gaps, energy and bands of modes.

Between two samples a path is a cubic through both positions and velocities, and a gap one through
both gaps and normal speeds; in free flight under gravity these are exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc, Run
from dyverse.bodies.placed import PlacedBody, Scene
from dyverse.bodies.shape.interface import Endless
from dyverse.bodies.world import AXES
from dyverse.exporters.table import Kept
from dyverse.generation.coupled.jumps import Joint
from dyverse.generation.parts import parts_of
from dyverse.generation.skeleton.location import Modes
from dyverse.generation.skeleton.names import signal_name

MOST_CONTACTS = 12
MOST_VARIABLES = 8
MOST_OUTLINES = 36  # outlines at impacts, of all bodies together
FINE = 20_000  # points of a curve; longer ones are left as they were sampled
WIDE = 1.5  # width over height from which a scene is laid out in breadth
IMPACTS = ("impact", "accumulation")

Span = tuple[float, float]  # start and length, s


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A curve over time."""

    name: str
    times: Array
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class Path2D:
    """The way of one body in the plane of view (m), and where it took an impact."""

    name: str
    radius: float
    points: Array  # (k, 2)
    impacts: Array  # (n, 2)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Plotted:
    """Everything that the panels show."""

    start: float
    end: float
    plane: tuple[str, str]
    paths: tuple[Path2D, ...]
    edges: tuple[tuple[Array, Array], ...]  # point, normal
    fixed: tuple[tuple[Array, float], ...]  # centre, radius
    variables: tuple[Drawn, ...]
    contacts: tuple[str, ...]
    left_out: int  # contacts that are not shown
    gaps: tuple[Drawn, ...]
    energy: Drawn | None
    modes: dict[str, dict[str, list[Span]]]
    impacts: dict[str, list[float]]

    @property
    def limits(self) -> tuple[Array, Array]:
        """The corners of the view: all circles along all paths, with some room."""
        if not self.paths:
            return np.zeros(2), np.ones(2)
        low = np.min([path.points.min(axis=0) - path.radius for path in self.paths], axis=0)
        high = np.max([path.points.max(axis=0) + path.radius for path in self.paths], axis=0)
        room = 0.06 * float(np.max(high - low))
        return low - room, high + room

    @property
    def wide(self) -> bool:
        """Whether the scene is much wider than high."""
        width, height = self.limits[1] - self.limits[0]
        return bool(width > WIDE * height) or not self.paths

    @property
    def widest_gap(self) -> float:
        """The largest gap worth showing: of a contact that closes, else of the nearest one."""
        tops = [float(np.nanmax(curve.values)) for curve in self.gaps]
        closing = [top for c, top in zip(self.contacts, tops, strict=True) if self._closes(c)]
        return max(closing or [min(tops, default=0.0)]) or 1.0

    def _closes(self, contact: str) -> bool:
        return bool(self.impacts[contact] or self.modes[contact])


def recorder(run: Run) -> Kept:
    """A sink for the signals that the picture of ``run`` needs."""
    if _scene(run) is None:
        return Kept(run.automaton.variables[:MOST_VARIABLES])
    signals = [
        signal_name(signal, contact)
        for contact in shown_contacts(run)
        for signal in ("gap", "normal_speed")
    ]
    return Kept((*signals, "energy"))


def shown_contacts(run: Run) -> tuple[str, ...]:
    """All contacts if they are few; of many those that ever close, the busiest first chosen."""
    scene = _scene(run)
    contacts = tuple(pair.name for pair in scene.contacts) if scene else ()
    if len(contacts) <= MOST_CONTACTS:
        return contacts
    busy = Counter(contact for event in run.events for contact in event.contacts)
    busy.update(contact for arc in run.arcs for contact, _ in _closed(arc))
    chosen = {contact for contact, _ in busy.most_common(MOST_CONTACTS)}
    return tuple(contact for contact in contacts if contact in chosen)


def plotted(run: Run, kept: Kept) -> Plotted:
    """What the picture of ``run`` shows; ``kept`` is its filled `recorder`."""
    arcs, shown, scene = run.arcs, shown_contacts(run), _scene(run)
    bodies = scene.bodies if scene else ()
    moving = [body for body in bodies if not body.fixed and body.shape.reach < math.inf]
    most = max(1, MOST_OUTLINES // max(1, len(moving)))
    plane = _plane(run, scene)
    return Plotted(
        start=float(arcs[0].times[0]),
        end=float(arcs[-1].times[-1]),
        plane=(AXES[plane[0]], AXES[plane[1]]),
        paths=tuple(_path(run, body, plane, most) for body in moving),
        edges=tuple(_edges(bodies, plane)),
        fixed=tuple(_fixed(bodies, plane)),
        variables=() if scene else tuple(_drawn(kept, name) for name in kept.names),
        contacts=shown,
        left_out=len(scene.contacts) - len(shown) if scene else 0,
        gaps=tuple(_gap(run, kept, contact) for contact in shown),
        energy=_energy(run, kept) if scene else None,
        modes=_mode_spans(arcs, shown),
        impacts=_impact_times(run, shown),
    )


def _scene(run: Run) -> Scene | None:
    """The scene behind a run of rigid bodies."""
    bodies = parts_of(run.automaton).bodies
    return bodies.scene if bodies else None


def _drawn(kept: Kept, name: str) -> Drawn:
    return Drawn(name, np.array(kept.times), kept.column(name))


def _closed(arc: Arc) -> tuple[tuple[str, str], ...]:
    place = arc.location.bodies if isinstance(arc.location, Joint) else arc.location
    return place.closed if isinstance(place, Modes) else ()


def _mode_spans(arcs: Iterable[Arc], contacts: tuple[str, ...]) -> dict[str, dict[str, list[Span]]]:
    """For each contact and mode the stretches of time; those that follow one another are joined."""
    spans: dict[str, dict[str, list[Span]]] = {contact: {} for contact in contacts}
    for arc in arcs:
        start, end = float(arc.times[0]), float(arc.times[-1])
        for contact, mode in _closed(arc):
            if contact in spans:
                _append(spans[contact].setdefault(mode, []), start, end)
    return spans


def _append(spans: list[Span], start: float, end: float) -> None:
    if spans and math.isclose(sum(spans[-1]), start, rel_tol=1e-12):
        start, _ = spans.pop()
    spans.append((start, end - start))


def _impact_times(run: Run, contacts: tuple[str, ...]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {contact: [] for contact in contacts}
    for event in run.events:
        for contact in event.contacts if event.kind in IMPACTS else ():
            if contact in times:
                times[contact].append(event.time)
    return times


def _gap(run: Run, kept: Kept, contact: str) -> Drawn:
    gap, speed = (kept.column(signal_name(s, contact)) for s in ("gap", "normal_speed"))
    pieces: list[Array] = []
    first = 0
    for arc in run.arcs:
        rows = slice(first, first + len(arc.times))
        pieces.append(_smooth(arc.times, gap[rows, None], speed[rows, None], len(gap)))
        first = rows.stop
    curve = np.concatenate(pieces)
    return Drawn(contact, curve[:, 0], curve[:, 1])


def _energy(run: Run, kept: Kept) -> Drawn:
    """The energy, between samples as a curve that makes no new ups and downs."""
    whole = kept.column("energy")
    pieces, first = [], 0
    for arc in run.arcs:
        rows = slice(first, first + len(arc.times))
        fresh = _fresh(arc.times)
        t, x = arc.times[fresh], whole[rows][fresh]
        fine = _between(t, len(whole))
        smooth = PchipInterpolator(t, x)(fine) if len(fine) > len(t) else x
        pieces.append(np.column_stack([fine, smooth]))
        first = rows.stop
    curve = np.concatenate(pieces)
    return Drawn("energy", curve[:, 0], curve[:, 1])


def _smooth(times: Array, values: Array, rates: Array, rows: int) -> Array:
    """Rows of time and values, with points between the samples unless there are many already."""
    fresh = _fresh(times)
    t, x, v = times[fresh], values[fresh], rates[fresh]
    fine = _between(t, rows)
    return np.column_stack([fine, CubicHermiteSpline(t, x, v)(fine) if len(fine) > len(t) else x])


def _fresh(times: Array) -> NDArray[np.bool_]:
    """Which times are later than the one before."""
    return np.concatenate([[True], np.diff(times) > 0])


def _between(times: Array, rows: int) -> Array:
    """The times, with some more between them unless there are many rows already."""
    between = min(8, FINE // max(rows, 1))
    if between < 2 or len(times) < 2:
        return times
    steps = np.linspace(0, 1, between, endpoint=False)
    return np.append((times[:-1, None] + np.diff(times)[:, None] * steps).ravel(), times[-1])


def _path(run: Run, body: PlacedBody, plane: tuple[int, int], most: int) -> Path2D:
    names = run.automaton.variables
    where = [names.index(f"{body.name}.{AXES[axis]}") for axis in plane]
    speed = [names.index(f"{body.name}.v{AXES[axis]}") for axis in plane]
    rows = sum(len(arc.times) for arc in run.arcs)
    pieces = [
        _smooth(arc.times, arc.states[:, where], arc.states[:, speed], rows) for arc in run.arcs
    ]
    points = np.concatenate(pieces)[:, 1:]
    return Path2D(body.name, body.shape.reach, points, _outlines(run, body.name, where, most))


def _outlines(run: Run, body: str, where: list[int], most: int) -> Array:
    """Places of a body at its impacts; if these are more than ``most``, some of them, evenly."""
    times = [e.time for e in run.events if e.kind in IMPACTS and _takes_part(body, e.contacts)]
    stride = max(1, math.ceil(len(times) / most))
    return np.array([run.at(time).values[where] for time in times[::stride]]).reshape(-1, 2)


def _takes_part(body: str, contacts: tuple[str, ...]) -> bool:
    return any(body in contact.split("-") for contact in contacts)


def _plane(run: Run, scene: Scene | None) -> tuple[int, int]:
    """The two axes along which the bodies move most; gravity, if among them, points down."""
    moving = [body.name for body in scene.bodies if not body.fixed] if scene else []
    if scene is None or not moving:
        return (0, 1)
    pull = [abs(part) for part in scene.gravity]
    weights = [_extent(run, moving, axis) + 1e-6 * g for axis, g in enumerate(pull)]
    a, b = max(combinations(range(3), 2), key=lambda pair: weights[pair[0]] + weights[pair[1]])
    return (b, a) if pull[a] > pull[b] else (a, b)


def _extent(run: Run, bodies: list[str], axis: int) -> float:
    """How far apart the bodies get along an axis, in place and time (m)."""
    places = [run.automaton.variables.index(f"{body}.{AXES[axis]}") for body in bodies]
    low = min(float(arc.states[:, places].min()) for arc in run.arcs)
    return max(float(arc.states[:, places].max()) for arc in run.arcs) - low


def _edges(bodies: tuple[PlacedBody, ...], plane: tuple[int, int]) -> Iterator[tuple[Array, Array]]:
    """Where the plane of view cuts what has no end: a point of the edge, and its normal there."""
    for body in bodies:
        if isinstance(body.shape, Endless):
            normal = np.array(body.shape.outward)[list(plane)]
            size = float(np.hypot(*normal))
            if size > 1e-6:
                yield np.array(body.position)[list(plane)], normal / size


def _fixed(bodies: tuple[PlacedBody, ...], plane: tuple[int, int]) -> Iterator[tuple[Array, float]]:
    for body in bodies:
        if body.fixed and not isinstance(body.shape, Endless):
            yield np.array(body.position)[list(plane)], body.shape.reach
