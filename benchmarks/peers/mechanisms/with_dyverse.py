"""dyverse: the truth at a tolerance of 1e-12, and what looser ones cost and miss."""

from __future__ import annotations

import sys
from functools import cache

import dyverse
from benchmarks.peers.engine import Runs
from benchmarks.peers.measure import Answer, best, say
from benchmarks.peers.mechanisms.task import (
    MECHANISMS,
    TOLERANCE,
    WIDTH,
    Array,
    G,
    Mechanism,
    save,
)
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.model import parse_model
from dyverse.native.engine import Options


def text(mechanism: Mechanism) -> str:
    """The model; the ball is a part of the last bar that has no mass of its own."""
    lines = [f"gravity (0, -{G}, 0)", "body frame { point  fixed }", "contact all off"]
    held, places = "frame", mechanism.joints
    numbers = zip(mechanism.lengths, mechanism.masses, mechanism.angles, strict=True)
    for i, (length, mass, angle) in enumerate(numbers):
        (x, y), (u, v) = places[i], places[i + 1]
        last = i == len(mechanism.lengths) - 1
        moment = [(a * a + b * b) * mass / 12 for a, b in _sides(length)]
        shape = f"mass {mass}  inertia ({', '.join(map(repr, moment))})  " + (
            f"part ball {{ sphere radius {mechanism.ball}  at ({length / 2}, 0, 0) }}"
            if last and mechanism.floor is not None
            else "point"
        )
        place = f"position ({(x + u) / 2!r}, {(y + v) / 2!r}, 0)  rotation (0, 0, {angle!r})"
        lines.append(f"body l{i} {{ {shape}  {place} }}")
        damping = f"  damping {mechanism.damping}" if mechanism.damping else ""
        at = f"at ({x!r}, {y!r}, 0)  axis (0, 0, 1)"
        lines.append(f"joint j{i} {{ revolute {held} l{i}  {at}{damping} }}")
        held = f"l{i}"
    x, y = places[-1]
    if mechanism.closed:
        lines.append(f"joint end {{ revolute frame {held}  at ({x!r}, {y!r}, 0)  axis (0, 0, 1) }}")
    if mechanism.floor is not None:
        lines.append(f"body floor {{ plane normal (0, 1, 0)  position (0, {mechanism.floor}, 0) }}")
        law = f"restitution 0  friction {mechanism.friction}"
        lines.append(f"contact floor {held} {{ {law} }}")
    return "\n".join(lines)


def _sides(length: float) -> tuple[tuple[float, float], ...]:
    """For each axis the two edges of a bar across it."""
    return (WIDTH, WIDTH), (length, WIDTH), (length, WIDTH)


@cache
def made(mechanism: Mechanism) -> RigidBodyAutomaton:
    return generate(parse_model(text(mechanism)).world)


def played(mechanism: Mechanism, tolerance: float, batches: int) -> tuple[Array, float]:
    """The angles at the end, and the processor time for a run (s)."""
    automaton = made(mechanism)
    runs = Runs(automaton, Options(relative=tolerance, absolute=tolerance / 100))
    seconds = best(runs.to(mechanism.until), batches=batches)
    names = [f"j{i}.angle" for i in range(len(mechanism.lengths))]
    return runs.engine.x[[automaton.variables.index(name) for name in names]].copy(), seconds


def main(path: str) -> None:
    truth, targets, answers = {}, {}, list[Answer]()
    for mechanism in MECHANISMS:
        name = mechanism.name
        truth[name], _ = played(mechanism, 1e-12, 1)
        for tolerance in (1e-4, TOLERANCE):
            angles, seconds = played(mechanism, tolerance, 5)
            targets[name] = error = float(abs(angles - truth[name]).max())
            answers.append(
                {
                    "peer": "dyverse native",
                    "version": dyverse.__version__,
                    "mechanism": name,
                    "knob": f"tolerance {tolerance:g}",
                    "error": error,
                    "seconds": seconds / mechanism.until,
                    "reached": tolerance == TOLERANCE,
                }
            )
    save(path, truth, targets)
    say(*answers)


if __name__ == "__main__":
    main(sys.argv[1])
