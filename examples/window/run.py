"""A ball through windows of every size, and what random search would cost: see README.md."""

import argparse
from math import sqrt

from dyverse import example_text, parse_world
from dyverse.exporters.plots import plot_run
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.falsification.verdict import Unsafe

G, E, RADIUS, X, Y = 9.81, 0.8, 0.1, 1.0, 0.5
LOW, HIGH = 0.8, 1.6
FALL = sqrt(2 / G)  # from 1 m (s)
UP = E * G * FALL  # speed after the first impact (m/s)
WORLD = parse_world(example_text("window"))


def speed() -> float:
    """The speed along x that leads through the middle of the window, on the way down (m/s)."""
    return X / (FALL + (UP + sqrt(UP**2 - 2 * G * (Y - RADIUS))) / G)


def share(w: float) -> float:
    """Which share of all speeds leads through the window.

    The height at the window grows by dy/dv with the speed, and within the window the path, of
    slope m, may still fall by m times its width: a run passes if |y - Y| <= w (1 + |m|).
    """
    v = speed()
    falling = UP - G * (X / v - FALL)
    return 2 * w * (1 - falling / v) / (-falling * X / v**2) / (HIGH - LOW)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the run through the last window")
    file = parser.parse_args().plot
    print(f"{'':36}{'found':>14}{'known':>14}")
    for w in (1e-3, 1e-5, 1e-6):
        verdict = falsify(ask(WORLD, settings={"w": w}))
        print(f"{f'w = {w:g} m':36}{WORDS[type(verdict)]:>14}{'unsafe':>14}")
        print(f"  {verdict.covered.runs} runs; random search needs about {1 / share(w):.0f}")
        if isinstance(verdict, Unsafe) and verdict.deepest:
            found = verdict.deepest.settings["v"]
            print(f"{'  speed through the middle (m/s)':36}{found:14.7f}{speed():14.7f}")
            if file:
                plot_run(verdict.witness.run, file, title=f"window, w = {w:g} m")
    verdict = falsify(ask(WORLD, ranges={"v": (0.8, 0.96)}))
    print(f"{'v in [0.8, 0.96]':36}{WORDS[type(verdict)]:>14}{'not_found':>14}")
