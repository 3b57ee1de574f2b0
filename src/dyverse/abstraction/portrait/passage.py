"""One round of a run from jump to jump: where it leads, and how that depends on where it began.

In comes a state right after a jump and the letters to come; out goes the state right after the last
of them, and its derivative. Between jumps small differences follow the linearised flow, Φ' = J Φ.
At a jump with guard g, reset R and the fields f before and f' after it they are multiplied by the
saltation matrix S = ∂R + (f' - ∂R f) ∇g / (∇g·f)  [dibernardo2008] §2.5, and at the last one, where
the state is taken when it gets there and not at a fixed time, by ∂R (I - f ∇g / (∇g·f)).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from scipy.integrate import solve_ivp

from dyverse.abstraction.language.word import Word
from dyverse.abstraction.portrait.field import Fields, Matrix
from dyverse.automaton.guard.robustness import atom, fold, leaves, normal, staying
from dyverse.automaton.guard.waiting import arrived
from dyverse.automaton.interface import Array, State
from dyverse.automaton.jump import jump
from dyverse.automaton.run import Arc, Run
from dyverse.automaton.written.written import WrittenAutomaton, WrittenEdge
from dyverse.expr.derivative import derivative
from dyverse.expr.formula import Compare
from dyverse.expr.value import value
from dyverse.simulation.simulate import DEFAULTS, Options, simulate

GRAZE = "graze"  # an event that is no jump
TANGENT = 1e-9  # a guard met at so small a share of its speed is met tangentially
MOST_IN_AN_INSTANT = 200


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A round from ``start`` to ``end``, both right after a jump."""

    start: State
    end: State
    arcs: tuple[Arc, ...]
    track: tuple[tuple[str, Array], ...]  # each location on the way, and the states in it
    derivative: Matrix  # of end by start
    tangent: Matrix  # a basis of the directions in which the end can lie, one per column

    @property
    def places(self) -> tuple[str, ...]:
        """The locations on the way, also those in which no time passes."""
        return tuple(place for place, _ in self.track)

    @property
    def time(self) -> float:
        """How long the round takes (s)."""
        return self.end.time - self.start.time


def word_of_run(run: Run) -> Word:
    """The letters of a run, one for each jump; an edge without an action is a ``jump``."""
    return tuple(event.kind for event in run.events if event.kind != GRAZE)


def after_last_jump(automaton: WrittenAutomaton, run: Run) -> State | None:
    """The state after the jumps in which a run ends, if it does: its last arc is over before."""
    arc = run.arcs[-1]
    last = [event for event in run.events if event.kind != GRAZE and event.time >= arc.times[-1]]
    if not last or len(arc.times) == 1:
        return None
    *_, (_, _, after) = islice(_jumps(automaton, arrived(automaton, arc)), len(last))
    return after


def passage(
    fields: Fields,
    start: State,
    letters: Word,
    *,
    until: float,
    options: Options = DEFAULTS,
) -> Passage | None:
    """The round with these letters; nothing if the run has others, or a jump is tangential."""
    arcs = _followed(fields.automaton, start, letters, until, options)
    if arcs is None:
        return None
    state, whole, tangent = start, np.eye(len(start.values)), np.eye(len(start.values))
    track: list[tuple[str, Array]] = []
    for arc in arcs:
        jumps = tuple(_jumps(fields.automaton, arrived(fields.automaton, arc)))
        found = _saltation(fields, jumps, moving=arc is not arcs[-1])
        if found is None:
            return None
        tangent, state = found, jumps[-1][2]
        track.append((str(arc.location), arc.states))
        track += [(str(here.location), here.values[None, :]) for _, here, _ in jumps[1:]]
        whole = tangent @ _flow_matrix(fields, arc) @ whole
    return Passage(start, state, arcs, tuple(track), whole, _span(tangent, fields.moving))


def _followed(
    automaton: WrittenAutomaton, start: State, letters: Word, until: float, options: Options
) -> tuple[Arc, ...] | None:
    """The arcs of the round, each ended by jumps."""
    arcs: list[Arc] = []
    seen: Word = ()
    while len(seen) < len(letters):
        left = replace(options, max_events=len(letters) - len(seen))
        run = simulate(automaton, start, until=until, options=left)
        seen += word_of_run(run)
        arcs += [arc for arc in run.arcs if len(arc.times) > 1]
        start = run.end
        lost = start.time >= until or not run.events or not np.isfinite(start.values).all()
        if lost or seen != letters[: len(seen)]:
            return None
    return tuple(arcs)


def after_letters(
    automaton: WrittenAutomaton, start: State, letters: Word, until: float, options: Options
) -> State | None:
    """The state right after the last of some letters; nothing if the run has others."""
    arcs = _followed(automaton, start, letters, until, options)
    if arcs is None:
        return None
    *_, (_, _, after) = _jumps(automaton, arrived(automaton, arcs[-1]))
    return after


def _flow_matrix(fields: Fields, arc: Arc) -> Matrix:
    """Φ over an arc."""
    field, size = fields[arc.location], len(arc.start.values)

    def rate(_: float, both: Array) -> Array:
        x, differences = both[:size], both[size:].reshape(size, size)
        return np.concatenate((field.rate(x), (field.jacobian(x) @ differences).ravel()))

    start = np.concatenate((arc.states[0], np.eye(size).ravel()))
    length = float(arc.times[-1] - arc.times[0])
    solved = solve_ivp(rate, (0.0, length), start, method="DOP853", rtol=1e-9, atol=1e-11)
    return np.asarray(solved.y[size:, -1].reshape(size, size))


Jump = tuple[WrittenEdge, State, State]


def _saltation(fields: Fields, jumps: tuple[Jump, ...], *, moving: bool) -> Matrix | None:
    """How differences pass the jumps of an instant; nothing if the guard is met tangentially."""
    if not jumps:
        return None
    before, after = jumps[0][1], jumps[-1][2]
    gradient, _ = guard_slope(fields.automaton, jumps[0][0], before)
    speed = fields[before.location].rate(before.values)
    crossing = float(gradient @ speed)
    if abs(crossing) <= TANGENT * float(np.abs(gradient) @ np.abs(speed)):
        return None
    resets = np.eye(len(before.values))
    for edge, here, _ in jumps:
        resets = reset_matrix(fields.automaton, edge, here) @ resets
    flow = fields[after.location].rate(after.values) * moving
    return np.asarray(resets + np.outer(flow - resets @ speed, gradient) / crossing)


def _jumps(automaton: WrittenAutomaton, state: State) -> Iterator[Jump]:
    """The jumps of one instant, with the states before and after each."""
    for _ in range(MOST_IN_AN_INSTANT):
        edges = automaton.enabled(state)
        if not edges:
            return
        after = jump(automaton, edges[0], state)
        yield edges[0], state, after
        state = after


def guard_slope(
    automaton: WrittenAutomaton, edge: WrittenEdge, state: State
) -> tuple[Array, float]:
    """The gradient, and the derivative by time, of what decides about a guard at its boundary.

    That is how deep inside it a state is, or the difference of two sides that are to be equal.
    """
    known, parts = _known(automaton, state), leaves(normal(edge.guard))
    depths = ((value(staying(leaf, margin=0.0).depth, known), n) for n, leaf in enumerate(parts))

    def leaf(_: Compare) -> tuple[float, int]:
        return next(depths)

    _, number = fold(normal(edge.guard), leaf, min, max)
    decides = atom(parts[number], margin=0.0).depth
    by = [value(derivative(decides, name), known) for name in (*automaton.variables, "t")]
    return np.array(by[:-1]), by[-1]


def reset_matrix(automaton: WrittenAutomaton, edge: WrittenEdge, state: State) -> Matrix:
    """∂R: how the state after a reset depends on the one before."""
    known, names = _known(automaton, state), automaton.variables
    matrix = np.eye(len(names))
    for assignment in edge.reset:
        slopes = (derivative(assignment.value, name) for name in names)
        matrix[names.index(assignment.target)] = [value(slope, known) for slope in slopes]
    return matrix


def _known(automaton: WrittenAutomaton, state: State) -> Mapping[str, float]:
    numbers = dict(zip(automaton.variables, state.values.tolist(), strict=True))
    return {**dict(automaton.parameters), "t": state.time, **numbers}


def _span(matrix: Matrix, moving: tuple[int, ...]) -> Matrix:
    """An orthonormal basis of the columns, as far as variables move at all."""
    kept = np.zeros_like(matrix)
    kept[np.ix_(moving, moving)] = matrix[np.ix_(moving, moving)]
    vectors, sizes, _ = np.linalg.svd(kept)
    return np.asarray(vectors[:, sizes > 1e-9 * max(sizes.max(initial=0.0), 1e-300)])
