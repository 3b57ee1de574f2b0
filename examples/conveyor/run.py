"""What a belt does to a parcel, a tube and a ball, against closed forms: see README.md."""

import argparse
from math import sqrt

from dyverse import Options, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("conveyor"))
G, FALL = 9.81, 0.05
NATIVE = Options(solver="native")


def carried(belt: float, mu: float) -> float:
    """When a parcel is as fast as the belt: it lands, which gives it μ times the fall's speed."""
    return sqrt(2 * FALL / G) + max(0.0, (belt - mu * sqrt(2 * G * FALL)) / (mu * G))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the speeds of all three")
    file = parser.parse_args().plot
    print(f"{'the parcel slips until (s)':40}{'dyverse':>18}{'closed form':>18}")
    for belt, mu in ((0.8, 0.3), (0.8, 0.15), (1.6, 0.3)):
        run = simulate(generate(WORLD, {"belt": belt, "mu": mu}), until=2.0, options=NATIVE)
        sticks = [e.time for e in run.events if "parcel.corner1-conveyor" in e.contacts]
        asked, what = carried(belt, mu), f"belt {belt:g} m/s, friction {mu:g}"
        print(f"{what:40}{sticks[-1]:18.10f}{asked:18.10f}")
    run = simulate(generate(WORLD), until=2.0, options=NATIVE)
    print(f"{'speed in the end (m/s)':40}{'dyverse':>18}{'closed form':>18}")
    for body, share in (("parcel", 1.0), ("tube", 1 / 3), ("ball", 2 / 7)):
        print(f"{body:40}{run.final[f'{body}.vx']:18.10f}{0.8 * share:18.10f}")
    if file:
        plot_signals({"belt 0.8 m/s": run}, ["parcel.vx", "tube.vx", "ball.vx"], file, label="m/s")
