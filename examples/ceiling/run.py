"""How bouncy a ball may be under a ceiling, against the closed form: see README.md."""

import argparse
from math import sqrt

import numpy as np
from matplotlib.figure import Figure

from dyverse import example_text, parse_world
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.falsification.verdict import Unsafe
from dyverse.native.many import simulate_many

G, H, V, CEILING = 9.81, 1.0, 4.0, 1.2
WORLD = parse_world(example_text("ceiling"))
RANGES = ((0.5, 0.9), (0.82, 0.9), (0.5, 0.813))


def height(e: float) -> float:
    """The peak after the first impact, e² (h + v²/2g): later ones are lower (m)."""
    return e**2 * (H + V**2 / (2 * G))


def limit() -> float:
    """The restitution that just reaches the ceiling."""
    return sqrt(CEILING / height(1.0))


def draw(file: str) -> None:
    e = np.linspace(0.5, 0.9, 81)
    margins = simulate_many(WORLD, {"e": e}, until=0.8).least[:, 0]
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(e, margins, "o", markersize=3, color="#0072B2", label="least margin of the runs")
    closed = np.minimum(CEILING - H, CEILING - height(1.0) * e**2)
    axes.plot(e, closed, color="#D55E00", linewidth=1, label="closed form")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.axvline(limit(), color="black", linestyle=":", label=f"e = {limit():.6f}")
    axes.set(xlabel="restitution e", ylabel="margin of the property (m)")
    axes.legend()
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the margin over e")
    if file := parser.parse_args().plot:
        draw(file)
    print(f"{'':36}{'found':>14}{'known':>14}")
    for low, high in RANGES:
        verdict = falsify(ask(WORLD, ranges={"e": (low, high)}))
        known = "unsafe" if high > limit() else "not_found"
        print(f"{f'e in [{low}, {high}]':36}{WORDS[type(verdict)]:>14}{known:>14}")
        if isinstance(verdict, Unsafe) and verdict.deepest:
            margin = CEILING - height(high)
            print(f"{'  worst margin (m)':36}{verdict.deepest.margin:14.9f}{margin:14.9f}")
