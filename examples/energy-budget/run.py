"""Energy never grows, whatever restitution is: see README.md."""

import argparse

import numpy as np
from matplotlib.figure import Figure

from dyverse import example_text, parse_world
from dyverse.automaton.interface import Array
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.native.many import simulate_many

G, V, SPIN, RADIUS = 9.81, 2.0, 20.0, 0.1
START = G * 0.6 + V**2 / 2 + 0.4 * RADIUS**2 * SPIN**2 / 2  # J
WORLD = parse_world(example_text("energy-budget"))


def left(e: list[float], mu: float) -> Array:
    """The energy at the end of runs with these restitutions (J)."""
    many = simulate_many(WORLD, {"e": e, "mu": [mu] * len(e)}, until=0.35)
    speeds = sum(many.column(f"ball.v{axis}") ** 2 for axis in "xyz")
    spins = sum(many.column(f"ball.w{axis}") ** 2 for axis in "xyz")
    return np.asarray((speeds + 0.4 * RADIUS**2 * spins) / 2 + G * many.column("ball.y"))


def draw(file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes, fine = figure.subplots(), np.linspace(0, 1, 41).tolist()
    for mu, colour in ((0.0, "#0072B2"), (0.1, "#009E73"), (1.0, "#D55E00")):
        axes.plot(fine, left(fine, mu), color=colour, label=f"μ = {mu:g}")
    axes.axhline(START, color="black", linestyle=":", label="at the start")
    axes.set(xlabel="restitution e", ylabel="energy after 0.35 s (J)")
    axes.legend()
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw what is left over e and mu")
    if file := parser.parse_args().plot:
        draw(file)
    print(f"{'':36}{'found':>14}{'known':>14}")
    verdict = falsify(ask(WORLD))
    print(f"{'e in [0, 1]':36}{WORDS[type(verdict)]:>14}{'not_found':>14}")
    print(f"{'  e = 1, mu = 0 keeps all (J)':36}{left([1.0], 0.0)[0]:14.9f}{START:14.9f}")
