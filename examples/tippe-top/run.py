"""A tippe top: it turns over, and one thing stays as it was: see README.md."""

import argparse
from collections.abc import Mapping

import numpy as np

from dyverse import Options, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.expr.rotation import matrix
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("tippe-top"))
RADIUS, OFF, INERTIA = 0.02, 0.003, np.array([3.2e-6, 3.2e-6, 3.1e-6])
TIMES = (0.5, 1.0, 2.0, 4.0)  # s


def jellett(seen: Mapping[str, float]) -> float:
    """-L · (arm to the contact point), which friction at that point cannot change (N m s m)."""
    turned: np.ndarray = np.array(matrix([seen[f"top.q{part}"] for part in "wxyz"]))
    spin = np.array([seen[f"top.s{axis}"] for axis in "xyz"])
    arm = turned @ np.array([0, 0, OFF]) - np.array([0, RADIUS, 0])
    return float(-(turned @ (INERTIA * spin)) @ arm)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the height of the centre of mass")
    file = parser.parse_args().plot
    automaton = generate(WORLD)
    first = jellett(automaton.observe(automaton.start())) * 1e6
    print(f"{'Jellett integral (1e-6 kg m³/s)':40}{'found':>18}{'at the start':>18}")
    for time in TIMES:
        run = simulate(automaton, until=time, options=Options(solver="native"))
        found = jellett(automaton.observe(run.end)) * 1e6
        print(f"{f'after {time:g} s':40}{found:18.10f}{first:18.10f}")
    print(f"{'events':40}{', '.join(event.kind for event in run.events)}")
    rise = run.final["top.y"] - automaton.scene.body("top").position[1]
    print(f"{'the centre of mass rises by (m)':40}{rise:.5f}")
    if file:
        plot_signals({"top": run}, ["top.y"], file, label="height of the centre of mass (m)")
