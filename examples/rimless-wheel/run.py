"""A rimless wheel comes to its gait: see README.md."""

import argparse
from itertools import pairwise
from math import cos, pi, sqrt

from scipy.integrate import quad

from dyverse import Options, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("rimless-wheel"))
G, J, ALPHA = 9.81, 0.2, pi / 8  # m = l = 1
SLOPES = (0.06, 0.08, 0.1)
NATIVE = Options(solver="native")


def gait(slope: float) -> tuple[float, float, float]:
    """What an impact leaves of the spin, the spin before it (rad/s) and the time of a step (s)."""
    share = (J + cos(2 * ALPHA)) / (J + 1)
    gain = 2 * G * (cos(slope - ALPHA) - cos(slope + ALPHA)) / (J + 1)
    before = sqrt(gain / (1 - share**2))

    def slowness(angle: float) -> float:
        fallen = cos(slope - ALPHA) - cos(slope - ALPHA + angle)
        return 1 / sqrt((share * before) ** 2 + 2 * G * fallen / (J + 1))

    return share, before, quad(slowness, 0, 2 * ALPHA, epsabs=1e-13, epsrel=1e-13)[0]


def found(slope: float) -> tuple[float, float, float]:
    """The same of the last step of a minute."""
    run = simulate(generate(WORLD, {"slope": slope}), until=60.0, options=NATIVE)
    place = run.automaton.variables.index("wheel.sz")
    hits = [(a.end, b.start) for a, b in pairwise(run.arcs) if a.end.time > a.start.time]
    (earlier, _), (before, after) = hits[-2:]
    spins = before.values[place], after.values[place]
    return spins[1] / spins[0], -spins[0], before.time - earlier.time


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the spin, started fast and slowly")
    file = parser.parse_args().plot
    print(f"{'gait':40}{'found':>18}{'closed form':>18}")
    for slope in SLOPES:
        words = ("an impact leaves of the spin", "spin before it (rad/s)", "time of a step (s)")
        for word, got, asked in zip(words, found(slope), gait(slope), strict=True):
            print(f"{f'slope {slope:g}, {word}':40}{got:18.10f}{asked:18.10f}")
    if file:
        starts = {f"spun with {spin:g} rad/s": {"spin": spin} for spin in (1.0, 3.0)}
        runs = {
            name: simulate(generate(WORLD, own), until=8.0, options=NATIVE)
            for name, own in starts.items()
        }
        plot_signals(runs, ["wheel.wz"], file, label="spin (rad/s)")
