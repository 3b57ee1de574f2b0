"""How much friction a ball needs to grip a slope it is dropped on: see README.md."""

import argparse
from math import cos, pi, sin, tan

import numpy as np
from matplotlib.figure import Figure

from dyverse import example_text, parse_world
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.native.many import simulate_many

G, ALPHA, END = 9.81, pi / 6, 1.0
WORLD = parse_world(example_text("drop-on-incline"))
RANGES = ((0.1, 0.4), (0.1, 0.16), (0.164, 0.4), (0.166, 0.4))


def limit(alpha: float = ALPHA) -> float:
    """The least friction that grips, 2/7 tan α: in the impact, and when rolling after it."""
    return 2 / 7 * tan(alpha)


def slip(mu: float) -> float:
    """The slip speed at the end (m/s): (g sin α - 7/2 μ g cos α) t, or zero where it grips."""
    return max(0.0, G * END * (sin(ALPHA) - 3.5 * mu * cos(ALPHA)))


def draw(file: str) -> None:
    mu = np.linspace(0.1, 0.4, 61)
    many = simulate_many(WORLD, {"mu": mu}, until=END)
    along, spin = many.column("ball.vx"), many.column("ball.wz")
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(mu, along + 0.1 * spin, "o", markersize=3, color="#0072B2", label="runs")
    axes.plot(mu, [slip(x) for x in mu], color="#D55E00", linewidth=1, label="closed form")
    axes.axvline(limit(), color="black", linestyle=":", label=f"2/7 tan α = {limit():.6f}")
    axes.set(xlabel="friction μ", ylabel="slip speed after 1 s (m/s)")
    axes.legend()
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the slip speed over mu")
    if file := parser.parse_args().plot:
        draw(file)
    print(f"{'':36}{'found':>14}{'known':>14}")
    for low, high in RANGES:
        verdict = falsify(ask(WORLD, ranges={"mu": (low, high)}))
        known = "unsafe" if low < limit() else "not_found"
        print(f"{f'mu in [{low}, {high}]':36}{WORDS[type(verdict)]:>14}{known:>14}")
