"""A ball on a slope rolls or slips, with the right acceleration on both sides: see README.md."""

import argparse
from math import cos, degrees, pi, sin, tan

import numpy as np
from matplotlib.figure import Figure

from dyverse import Run, example_text, generate, parse_world, simulate

G, ALPHA = 9.81, pi / 6
WORLD = parse_world(example_text("inclined-plane"))


def limit(alpha: float) -> float:
    """The least friction with which a solid ball rolls, 2/7 tan α."""
    return 2 / 7 * tan(alpha)


def acceleration(alpha: float, mu: float) -> float:
    """Down the slope (m/s²): 5/7 g sin α if it rolls, else g (sin α - μ cos α)."""
    return G * (5 / 7 * sin(alpha) if mu >= limit(alpha) else sin(alpha) - mu * cos(alpha))


def play(alpha: float, mu: float) -> Run:
    return simulate(generate(WORLD, {"alpha": alpha, "mu": mu}), until=1)


def rolls(run: Run) -> bool:
    return "stick" in str(run.end.location)


def draw(file: str) -> None:
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes, fine = figure.subplots(), np.linspace(0, 0.4, 401)
    for alpha, colour in ((pi / 4, "#D55E00"), (pi / 6, "#0072B2"), (pi / 12, "#009E73")):
        axes.plot(fine, [acceleration(alpha, mu) for mu in fine], color=colour, linewidth=1)
        for mu in np.linspace(0, 0.4, 17):
            run = play(alpha, float(mu))
            fill = "full" if rolls(run) else "none"
            axes.plot(mu, run.final["ball.vx"], "o", color=colour, fillstyle=fill)
        axes.axvline(limit(alpha), color=colour, linestyle=":")
        axes.annotate(f"{degrees(alpha):.0f}°", (0.405, acceleration(alpha, 0.4)), color=colour)
    axes.set(xlabel="friction μ", ylabel="acceleration (m/s²)", xlim=(-0.01, 0.43))
    axes.set_title("Slips (○) or rolls (●); lines: closed form; dotted: μ = 2/7 tan α", size=11)
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw acceleration over friction")
    if file := parser.parse_args().plot:
        draw(file)
    print(f"slope {degrees(ALPHA):.0f}°: rolls if mu >= 2/7 tan(alpha) = {limit(ALPHA):.6f}")
    print(f"{'acceleration (m/s²)':28}{'measured':>14}{'closed form':>14}")
    for run, mu in ((play(ALPHA, mu), mu) for mu in (0.0, 0.1, 0.164, 0.166, 0.2, 1.0)):
        label = f"mu = {mu}: {'rolls' if rolls(run) else 'slips'}"
        print(f"{label:28}{run.final['ball.vx']:14.9f}{acceleration(ALPHA, mu):14.9f}")
