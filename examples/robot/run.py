"""The movement of a robot's outer arm, from the start to the release: see README.md."""

import argparse

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from dyverse import Run, example_text, parse_model, simulate

INNER, OUTER = 1.0, 0.8  # m, lengths of the arms
TURNING, TILTING = 45.0, 20.0  # degrees/s

# Rates are constant, so each time is a sum of angles over rates.
EXPECTED = {
    "move2pickup": 1.0,
    "pickup": 1 + 90 / TURNING,
    "arrived": 1 + 270 / TURNING,
    "release": 1 + 270 / TURNING + 30 / TILTING,
    "back": 1 + 360 / TURNING + 30 / TILTING,
}


def tip(run: Run, until: float) -> NDArray[np.float64]:
    """Where the tip of the outer arm is (m), row by row."""
    names = [run.automaton.variables.index(n) for n in ("inner.turn", "inner.lift", "outer.tilt")]
    times = np.linspace(0, until, 400).tolist()
    turn, lift, tilt = np.radians([run.at(time).values[names] for time in times]).T
    reach = INNER * np.cos(lift) + OUTER * np.cos(tilt)
    height = INNER * np.sin(lift) - OUTER * np.sin(np.radians(30) - tilt)
    return np.column_stack([reach * np.cos(turn), reach * np.sin(turn), height])


def draw(run: Run, file: str) -> None:
    path = tip(run, run.times("release")[0])
    figure = Figure(figsize=(7, 6), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    axes.plot(*path.T, color="#0072B2", linewidth=2)
    axes.plot(*path[0], "o", color="#009E73", label="start")
    axes.plot(*tip(run, run.times("pickup")[0])[-1], "s", color="#E69F00", label="pickup")
    axes.plot(*path[-1], "^", color="#D55E00", label="release")
    axes.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)", title="The outer arm")
    axes.legend()
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the path of the outer arm")
    file = parser.parse_args().plot
    run = simulate(parse_model(example_text("robot")).automaton(), until=11)
    print(f"{'':30}{'measured':>16}{'closed form':>16}")
    for name, expected in EXPECTED.items():
        print(f"{name + ' (s)':30}{run.times(name)[0]:16.10f}{expected:16.10f}")
    if file:
        draw(run, file)
