"""The first stroke of a racket on a bouncing ball, against the closed form: see README.md."""

import argparse
import math

from matplotlib.figure import Figure
from scipy.optimize import brentq

from dyverse import Run, example_text, parse_model, simulate

G, DROP, APART = 9.8, 1.0, 0.4  # m/s², m, m: sum of the radii
HIGH, LOW, OMEGA = 1.5, 1.0, 20.0  # m, m, 1/s: K = ω², D = 2ω, critically damped


def first(e: float) -> tuple[float, float, float]:
    """When the ball meets the floor, passes 0.45 m, and meets the racket that comes down."""
    hit = math.sqrt(2 * DROP / G)
    up = e * G * hit
    swing = hit + (up - math.sqrt(up**2 - 2 * G * 0.35)) / G

    def gap(t: float) -> float:
        ball = 0.1 + up * (t - hit) - G * (t - hit) ** 2 / 2
        s = OMEGA * (t - swing)
        return LOW + (HIGH - LOW) * (1 + s) * math.exp(-s) - ball - APART

    return hit, swing, float(brentq(gap, swing, swing + 0.2, xtol=1e-14))


def play(e: float, until: float = 3.5) -> Run:
    return simulate(parse_model(example_text("racket")).automaton({"e": e}), until=until)


def draw(run: Run, file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    looks = {"ball": ("#0072B2", 0.0), "racket": ("#D55E00", -0.3)}
    for name, (colour, shift) in looks.items():
        times, heights = run.signal(f"{name}.y")
        axes.plot(times, heights + shift, color=colour, linewidth=1.5, label=name)
    axes.set(xlabel="time (s)", ylabel="m", title="A ball and the lower edge of a racket")
    axes.legend(loc="upper right")
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the heights")
    file = parser.parse_args().plot
    print(f"{'':30}{'measured':>16}{'closed form':>16}")
    for e in (0.8, 0.9):
        run = play(e, 1)
        kinds = zip(("floor_hit", "swing", "stroke"), first(e), strict=True)
        for kind, expected in kinds:
            print(f"{f'e = {e}: {kind} (s)':30}{run.times(kind)[0]:16.10f}{expected:16.10f}")
    if file:
        draw(play(0.8), file)
