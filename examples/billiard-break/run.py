"""A billiard break seen from above: see README.md."""

import argparse
from math import sqrt

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from dyverse import Run, example_text, generate, parse_world, simulate

G, MU, RADIUS, MASS, L, W = 9.81, 0.2, 0.028575, 0.17, 1.27, 0.635
SPEED, AIM = 10.0, 0.015
BALLS = ("cue", *(f"b{number}" for number in range(1, 16)))


def first_hit() -> float:
    """When the cue ball, slowed down by μ g, has come to the first ball of the rack (s)."""
    way = L - sqrt((2 * RADIUS) ** 2 - AIM**2)
    return (SPEED - sqrt(SPEED**2 - 2 * MU * G * way)) / (MU * G)


def paths(run: Run) -> dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Where each ball went, x and z (m)."""
    names = run.automaton.variables
    rows = np.concatenate([arc.states for arc in run.arcs])
    return {b: rows[:, [names.index(f"{b}.x"), names.index(f"{b}.z")]] for b in BALLS}


def draw(run: Run, file: str) -> None:
    figure = Figure(figsize=(10, 5.4), layout="constrained")
    axes = figure.subplots()
    axes.add_patch(Rectangle((-L, -W), 2 * L, 2 * W, color="#E3EFE6", zorder=0))
    colours = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
    for ball, path in paths(run).items():
        row = 0 if ball == "cue" else 1 + sum(int(ball[1:]) > n for n in (1, 3, 6, 10))
        axes.plot(*path.T, color=colours[row], linewidth=1)
        axes.add_patch(Circle(tuple(path[0]), RADIUS, fill=False, edgecolor=colours[row], ls=":"))
        axes.add_patch(Circle(tuple(path[-1]), RADIUS, facecolor=colours[row], alpha=0.85))
    title = f"{len(run.times('impact'))} impacts in 1 s; dotted: start, full: end, a colour per row"
    axes.set(
        xlabel="x (m)", ylabel="z (m)", aspect="equal", xlim=(-L, L), ylim=(-W, W), title=title
    )
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the table from above")
    file = parser.parse_args().plot
    run = simulate(generate(parse_world(example_text("billiard-break"))), until=1)
    print(f"{'':28}{'measured':>16}{'closed form':>16}")
    print(f"{'first hit (s)':28}{run.times('impact')[0]:16.10f}{first_hit():16.10f}")
    observe, lying = run.automaton.observe, 16 * MASS * G * RADIUS
    start, end = (observe(state)["energy"] - lying for state in (run.automaton.start(), run.end))
    print(f"{'energy at the start (J)':28}{start:16.10f}{MASS * SPEED**2 / 2:16.10f}")
    print(f"energy after 1 s: {end:.2f} J; {len(run.events)} events, {run.stop}")
    if file:
        draw(run, file)
