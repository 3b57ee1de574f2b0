"""Self-oscillation of a relay loop, with and without sliding, against exact maps: see README.md."""

import argparse

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq, fsolve

from dyverse import example_text, parse_model, simulate
from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.verdict import Repeats
from dyverse.exporters.signals_plot import plot_signals

MODEL = parse_model(example_text("relay"))
A = np.array([[-1.2, 1, 0], [-1.2, 0, 1], [-1, 0, 0]])  # lambda = omega = 1, zeta = 0.1


def gain(sigma: float) -> np.ndarray:
    return np.array([1, 2 * sigma, 1])  # k = rho = 1


def crossing_period(sigma: float) -> float:
    """2h with C (e^{Ah} + I)⁻¹ (e^{Ah} - I) A⁻¹ B = 0: half a round mirrors the state."""

    def output(h: float) -> float:
        push = (expm(A * h) - np.eye(3)) @ np.linalg.solve(A, gain(sigma))
        return float(np.linalg.solve(expm(A * h) + np.eye(3), push)[0])

    return 2 * brentq(output, 2.5, 4.5, xtol=1e-13)


def sliding_period(sigma: float) -> float:
    """2 (slip + slide): from (0, 1, z) to (0, -1, -z), off the surface and then along it."""
    along = np.array([[-2 * sigma, 1], [-1, 0]])  # of x2 and x3, where u = x2

    def miss(unknown: np.ndarray) -> list[float]:
        z, slip, slide = unknown
        held = np.linalg.solve(A, gain(sigma))
        off = expm(A * slip) @ (np.array([0, 1, z]) - held) + held
        return [off[0], *(expm(along * slide) @ off[1:] + (1, z))]

    found = fsolve(miss, (1.2, 2.7, 0.5), xtol=1e-13)
    assert max(map(abs, miss(found))) < 1e-10
    return float(2 * (found[1] + found[2]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw both oscillations")
    file, exact = parser.parse_args().plot, (sliding_period, crossing_period)
    automata = {s: MODEL.written({"sigma": s}) for s in (-0.1, -0.5)}
    verdicts = {sigma: classify(automaton, until=200)[0] for sigma, automaton in automata.items()}
    print(*(f"sigma = {sigma}: {v.word}, {v}" for sigma, v in verdicts.items()), sep="\n")
    print(f"{'':36}{'measured':>18}{'exact':>18}")
    for (sigma, verdict), wanted in zip(verdicts.items(), exact, strict=True):
        assert isinstance(verdict, Repeats)
        period = verdict.evidence.orbit.period
        print(f"{f'sigma = {sigma}: period (s)':36}{period:18.10f}{wanted(sigma):18.10f}")
    if file:
        runs = {f"sigma = {s}": simulate(a, until=30) for s, a in automata.items()}
        plot_signals(runs, ["x1", "x2"], file, label="x1, x2")
