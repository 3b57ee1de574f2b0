"""A four-bar and a slider-crank against loop equations of their own, which know no joints."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.mechanics.joint.test_mechanisms import DOWN, SLIDER_CRANK, G, integrated

SPIN = 6.0  # rad/s, of both cranks at the start
CRANK, ROD, ROCKER, GROUND = 0.3, 1.0, 0.7, 0.9  # m: the crank goes all round


@dataclass(frozen=True, slots=True)
class Moving:
    """How one bar follows the crank: its place as a complex number, its angle; two derivatives."""

    mass: float
    inertia: float
    place: tuple[complex, complex]
    angle: tuple[float, float]


def bar(mass: float, length: float, width: float) -> float:
    return mass * (length**2 + width**2) / 12


def solved(columns: tuple[complex, complex], right: complex) -> tuple[float, float]:
    """The real a and b with a columns₁ + b columns₂ = right."""
    rows = [[c.real for c in columns], [c.imag for c in columns]]
    a, b = np.linalg.solve(np.array(rows), [right.real, right.imag])
    return float(a), float(b)


def four_bar(crank: float, rod: float, last: float) -> tuple[list[Moving], float, float]:
    """r e^{iφ} + l e^{iβ} - s e^{iψ} = d, differentiated by φ once and twice."""
    r, link, s = (
        size * cmath.exp(1j * angle) for size, angle in ((CRANK, crank), (ROD, rod), (ROCKER, last))
    )
    beta, psi = solved((1j * link, -1j * s), -1j * r)
    beta2, psi2 = solved((1j * link, -1j * s), r + link * beta**2 - s * psi**2)
    bend = 1j * link * beta2 - link * beta**2
    bars = [
        Moving(1, bar(1, CRANK, 0.1), (1j * r / 2, -r / 2), (1, 0)),
        Moving(2, bar(2, ROD, 0.1), (1j * r + 1j * link * beta / 2, -r + bend / 2), (beta, beta2)),
        Moving(
            1,
            bar(1, ROCKER, 0.1),
            (1j * s * psi / 2, (1j * s * psi2 - s * psi**2) / 2),
            (psi, psi2),
        ),
    ]
    return bars, beta, psi


def slider_crank(crank: float, rod: float, _: float) -> tuple[list[Moving], float, float]:
    """r e^{iφ} + l e^{iβ} = x, differentiated by φ once and twice."""
    r, link = 0.3 * cmath.exp(1j * crank), cmath.exp(1j * rod)
    beta, x = solved((1j * link, -1), -1j * r)
    beta2, x2 = solved((1j * link, -1), r + link * beta**2)
    bend = 1j * link * beta2 - link * beta**2
    bars = [
        Moving(0.5, bar(0.5, 0.3, 0.05), (1j * r / 2, -r / 2), (1, 0)),
        Moving(1, bar(1, 1, 0.05), (1j * r + 1j * link * beta / 2, -r + bend / 2), (beta, beta2)),
        Moving(0.8, 0, (x, x2), (0, 0)),
    ]
    return bars, beta, x


def crank_at(
    follow: Callable[[float, float, float], tuple[list[Moving], float, float]],
    start: tuple[float, float, float],
    until: float,
) -> np.ndarray:
    """J φ'' + J'/2 φ'² + V' = 0 with J = Σ m |r'|² + I θ'² and V = Σ m g y: φ, φ', β, the last."""

    def field(_: float, state: np.ndarray) -> list[float]:
        angle, rate, rod, last = map(float, state)
        bars, rod_rate, last_rate = follow(angle, rod, last)
        inertia = sum(b.mass * abs(b.place[0]) ** 2 + b.inertia * b.angle[0] ** 2 for b in bars)
        grows = sum(
            b.mass * (b.place[0].conjugate() * b.place[1]).real + b.inertia * math.prod(b.angle)
            for b in bars
        )
        climbs = sum(b.mass * G * b.place[0].imag for b in bars)
        turn = -(grows * rate**2 + climbs) / inertia
        return [rate, turn, rod_rate * rate, last_rate * rate]

    crank, rod, last = start
    return integrated(field, [crank, SPIN, rod, last], until)


def four_bar_text() -> tuple[str, tuple[float, float, float]]:
    """Its crank upright, open upwards; both of its other bars by the law of cosines."""
    across = math.hypot(GROUND, CRANK)
    inner = math.acos((across**2 + ROD**2 - ROCKER**2) / (2 * across * ROD))
    rod = inner - math.atan2(CRANK, GROUND)
    end = 1j * CRANK + ROD * cmath.exp(1j * rod)
    rocker = cmath.phase(end - GROUND)
    start = (math.pi / 2, rod, rocker)
    _, beta, psi = four_bar(*start)
    centres = (0.5j * CRANK, 1j * CRANK + ROD * cmath.exp(1j * rod) / 2, (GROUND + end) / 2)
    spins = (SPIN, SPIN * beta, SPIN * psi)
    speeds = (
        complex(-SPIN * CRANK / 2),
        -SPIN * CRANK + 1j * spins[1] * ROD * cmath.exp(1j * rod) / 2,
        1j * spins[2] * (end - GROUND) / 2,
    )
    text = [f"{DOWN}contact all off\nbody frame {{ point  fixed }}"]
    for name, mass, size, place, angle, speed, spin in zip(
        ("crank", "rod", "rocker"), (1, 2, 1), (CRANK, ROD, ROCKER), centres, start,
        speeds, spins, strict=True,
    ):  # fmt: skip
        text.append(
            f"body {name} {{ box size ({size}, 0.1, 0.1)  mass {mass}  rotation (0, 0, {angle})"
            f"  position ({place.real}, {place.imag}, 0)  velocity ({speed.real}, {speed.imag}, 0)"
            f"  spin (0, 0, {spin}) }}"
        )
    pins = (("frame", "crank", 0j), ("crank", "rod", 1j * CRANK), ("rod", "rocker", end),
            ("rocker", "frame", complex(GROUND)))  # fmt: skip
    text += [
        f"joint pin{i} {{ revolute {a} {b}  at ({p.real}, {p.imag}, 0)  axis (0, 0, 1) }}"
        for i, (a, b, p) in enumerate(pins)
    ]
    return "\n".join(text), start


def finely(text: str, until: float, solver: str) -> Run:
    follow = Options().follow
    accuracy = replace(follow.accuracy, relative=1e-11, absolute=1e-13)
    options = Options(solver=solver, follow=replace(follow, accuracy=accuracy))
    run = simulate(generate(parse_model(text).world), until=until, options=options)
    assert run.stop is Stop.HORIZON
    assert run.solver == solver
    return run


TIMES = [("native", 5.0), ("reference", 1.0), ("cvode", 0.1)]


@pytest.mark.parametrize(("solver", "until"), TIMES)
def test_a_four_bar_moves_as_its_loop_equations_say(solver: str, until: float) -> None:
    text, start = four_bar_text()
    angle, rate, rod, rocker = crank_at(four_bar, start, until)
    run = finely(text, until, solver)
    end = run.automaton.observe(run.end)
    assert (end["pin0.angle"], end["pin0.rate"]) == pytest.approx(
        (angle - math.pi / 2, rate), abs=1e-8
    )
    place = GROUND + ROCKER / 2 * cmath.exp(1j * rocker)
    assert (end["rocker.x"], end["rocker.y"]) == pytest.approx((place.real, place.imag), abs=1e-8)
    assert end["pin1.angle"] == pytest.approx(rod - start[1] - angle + math.pi / 2, abs=1e-8)
    assert solver != "native" or angle > 4 * math.pi


@pytest.mark.parametrize(("solver", "until"), TIMES)
def test_a_slider_crank_moves_as_its_loop_equations_say(solver: str, until: float) -> None:
    start = (math.pi / 2, -math.asin(0.3), math.sqrt(0.91))
    angle, rate, _, x = crank_at(slider_crank, start, until)
    run = finely(SLIDER_CRANK, until, solver)
    end = run.automaton.observe(run.end)
    found = (end["main.angle"] + math.pi / 2, end["main.rate"], end["piston.x"])
    assert found == pytest.approx((angle, rate, x), abs=1e-8)
