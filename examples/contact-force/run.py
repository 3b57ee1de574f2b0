"""How hard a floor is pressed, against the closed form: see README.md."""

import argparse

import numpy as np
from matplotlib.figure import Figure

from dyverse import example_text, generate, parse_world, simulate
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.falsification.verdict import Unsafe

G, LIMIT = 9.81, 15.0
WORLD = parse_world(example_text("contact-force"))
RANGES = ((0.0, 6.0), (5.2, 5.3), (0.0, 5.15))


def greatest(A: float) -> float:
    """The greatest force within 2 s, m g + A: the press gets there, as ω · 2 s > π/2 (N)."""
    return G + A


def draw(file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for A, colour in ((4.0, "#0072B2"), (6.0, "#D55E00")):
        run = simulate(generate(WORLD, {"A": A}), until=2)
        times, force = run.signal("normal_force[ball,floor]")
        axes.plot(times, force, "o", markersize=3, color=colour, label=f"run, A = {A:g} N")
        fine = np.linspace(0, 2, 201)
        axes.plot(fine, G + A * np.sin(5 * fine), color=colour, linewidth=1)
    axes.axhline(LIMIT, color="black", linestyle=":", label="what the floor bears")
    axes.set(xlabel="time (s)", ylabel="normal force (N); lines: closed form")
    axes.legend()
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the force over time")
    if file := parser.parse_args().plot:
        draw(file)
    print(f"{'':36}{'found':>14}{'known':>14}")
    for low, high in RANGES:
        verdict = falsify(ask(WORLD, ranges={"A": (low, high)}))
        known = "unsafe" if greatest(high) > LIMIT else "not_found"
        print(f"{f'A in [{low}, {high}] N':36}{WORDS[type(verdict)]:>14}{known:>14}")
        if isinstance(verdict, Unsafe) and verdict.deepest:
            margin = LIMIT - greatest(high)
            print(f"{'  worst margin (N)':36}{verdict.deepest.margin:14.7f}{margin:14.7f}")
