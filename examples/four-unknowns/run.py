"""A thin corner of four unknowns, and what random search would cost: see README.md."""

import argparse

import numpy as np

from dyverse import example_text, parse_world
from dyverse.exporters.plots import plot_run
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.falsification.verdict import Unsafe

G, RADIUS, X, Y, W = 9.81, 0.1, 1.6, 1.0, 1e-3
WORLD = parse_world(example_text("four-unknowns"))


def peak(e: float, wind: float, drop: float, v: float) -> tuple[float, float]:
    """Where the ball is highest after its first impact (m).

    It falls for t₁ = √(2 drop/g), rises for e t₁ to e² drop, and meanwhile the wind pushes it.
    """
    time = np.sqrt(2 * drop / G) * (1 + e)
    return v * time + wind * time**2 / 2, e**2 * drop + RADIUS


def share() -> float:
    """Which share of the ranges leads into the slot, to first order in its size.

    For each e and wind there is one drop and one speed for the middle of the slot; the slot's size
    leaves them 2 w/e² and 2 w/t of room.
    """
    e, wind = np.meshgrid(np.linspace(0.7, 0.9, 2001), np.linspace(-1, 1, 2001))
    drop = (Y - RADIUS) / e**2
    time = np.sqrt(2 * drop / G) * (1 + e)
    v = (X - wind * time**2 / 2) / time
    inside = (drop >= 0.8) & (drop <= 1.2) & (v >= 0.5) & (v <= 1.5)
    return float(np.mean(inside * (2 * W / e**2 / 0.4) * (2 * W / time / 1.0)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the run into the slot")
    file = parser.parse_args().plot
    verdict = falsify(ask(WORLD))
    print(f"{'':36}{'found':>14}{'known':>14}")
    print(f"{'all four uncertain':36}{WORDS[type(verdict)]:>14}{'unsafe':>14}")
    print(f"  {verdict.covered.runs} runs; random search needs about {1 / share():.1e}")
    if isinstance(verdict, Unsafe) and verdict.deepest:
        x, y = peak(**verdict.deepest.settings)
        print(f"{'  its peak: x (m)':36}{x:14.5f}{X:14.5f}")
        print(f"{'  its peak: y (m)':36}{y:14.5f}{Y:14.5f}")
        if file:
            plot_run(verdict.witness.run, file, title="four-unknowns")
    verdict = falsify(ask(WORLD, ranges={"e": (0.7, 0.85)}))
    print(f"{'e in [0.7, 0.85]':36}{WORDS[type(verdict)]:>14}{'not_found':>14}")
