"""A ball on a vibrating table: its bounce, and where that doubles its period: see README.md."""

import argparse
from math import cos, pi, sqrt, tau

import matplotlib.pyplot as plt
import numpy as np

from dyverse import Options, example_text, parse_world, simulate
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("vibrating-table"))
G, W, E = 9.81, 60.0, 0.5
STEADY = pi * G * (1 - E) / (W * (1 + E))  # m/s, of the table at each impact
DOUBLES = sqrt((pi * (1 - E) / (1 + E)) ** 2 + (2 * (1 + E**2) / (1 + E) ** 2) ** 2)
NATIVE = Options(solver="native")


def hits(push: float, until: float = 12.0, last: int = 40) -> list[float]:
    """The speed of the table at the last impacts (m/s)."""
    run = simulate(generate(WORLD, {"push": push}), until=until, options=NATIVE)
    times = [event.time for event in run.events if event.kind == "impact"][-last:]
    return [push * G / W * cos(W * time) for time in times]


def doubling() -> float:
    """The push from which on every other bounce is higher, by halving."""
    low, high = 1.5, 1.6
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if np.ptp(hits(middle, 60.0)) < 1e-3 else (low, middle)
    return high


def draw(file: str) -> None:
    """The phase of impacts over the push of the table."""
    for push in np.linspace(1.1, 2, 200):
        speeds = np.array(hits(push)) * W / (push * G)
        plt.plot([push] * len(speeds), np.arccos(speeds.clip(-1, 1)) / tau, "k.", markersize=1)
    plt.axvline(DOUBLES, linestyle=":", linewidth=0.8)
    plt.xlabel("greatest acceleration of the table / g")
    plt.ylabel("phase of impacts (periods)")
    plt.savefig(file, dpi=120, bbox_inches="tight")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw where impacts are, over the push")
    print(f"{'speed of the table at impact (m/s)':40}{'found':>18}{'closed form':>18}")
    for push in (1.1, 1.2, 1.3, 1.4, 1.5):
        print(f"{f'pushed with {push:g} g':40}{hits(push, 60.0)[-1]:18.8f}{STEADY:18.8f}")
    print(f"{'the period doubles at':40}{doubling():.3f} g, by a closed form at {DOUBLES:.3f} g")
    if file := parser.parse_args().plot:
        draw(file)
