"""Newton's cradle on strings against the period of a pendulum: see README.md."""

import argparse
from math import sin, sqrt

from scipy.special import ellipk

from dyverse import Options, example_text, generate, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals

WORLD = parse_world(example_text("string-cradle"))
BALLS = tuple(f"ball{i}" for i in range(1, 6))
H, W, G, LIFT = 0.4, 0.1, 9.81, 0.7
NATIVE = Options(solver="native")


def quarter(lift: float) -> float:
    """A quarter of a pendulum's period, √(h/g) K(sin²(φ/2)) (s)."""
    return sqrt(H / G) * float(ellipk(sin(lift / 2) ** 2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw where the balls are")
    automaton = generate(WORLD)
    run = simulate(automaton, until=2, options=NATIVE)
    print(f"{'impact at (s)':28}{'dyverse':>16}{'closed form':>16}")
    for i, time in enumerate(run.times("impact")):
        print(f"{i + 1:<28}{time:16.10f}{(2 * i + 1) * quarter(LIFT):16.10f}")
    start = automaton.observe(run.arcs[0].start)
    tension = start["normal_force[ball3,front3.front_rope3]"]
    pull = 0.5 * G * sqrt(H**2 + W**2) / (2 * H)
    print(f"{'tension of a rope (N)':28}{tension:16.10f}{pull:16.10f}")
    if file := parser.parse_args().plot:
        made = {f"e = {e}": generate(WORLD, {"e": e}) for e in (1, 0.95)}
        runs = {name: simulate(one, until=2, options=NATIVE) for name, one in made.items()}
        plot_signals(runs, [f"{ball}.x" for ball in BALLS], file, label="x (m)")
