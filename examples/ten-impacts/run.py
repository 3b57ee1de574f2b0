"""A violation that only the tenth impact brings, against the closed form: see README.md."""

import argparse
from math import sqrt

from scipy.optimize import brentq

from dyverse import example_text, parse_world
from dyverse.exporters.plots import plot_run
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.falsification.verdict import Unsafe

G, X, SPEED = 9.81, 5.2, 1.0
WORLD = parse_world(example_text("ten-impacts"))


def impact(n: int, e: float) -> float:
    """When the n-th impact is, t₁ (1 + 2 (e + … + eⁿ⁻¹)) with t₁ = √(2/g) (s)."""
    return sqrt(2 / G) * (1 + 2 * sum(e**i for i in range(1, n)))


def restitution(n: int) -> float:
    """With which restitution the n-th impact is on the mark."""
    return brentq(lambda e: SPEED * impact(n, e) - X, 0.5, 0.99, xtol=1e-14)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the run to the mark")
    file = parser.parse_args().plot
    for n in (9, 10, 11):
        print(f"impact {n} is on the mark for e = {restitution(n):.6f}")
    print(f"{'':36}{'found':>14}{'known':>14}")
    verdict = falsify(ask(WORLD))
    print(f"{'e in [0.885, 0.9]':36}{WORDS[type(verdict)]:>14}{'unsafe':>14}")
    if isinstance(verdict, Unsafe) and verdict.deepest:
        before = sum(time <= verdict.witness.time for time in verdict.witness.run.times("impact"))
        print(f"{'  impacts before it is broken':36}{before:14d}{10:14d}")
        found, known = verdict.deepest.settings["e"], restitution(10)
        print(f"{'  restitution of the worst':36}{found:14.6f}{known:14.6f}")
        if file:
            plot_run(verdict.witness.run, file, title="ten-impacts")
    verdict = falsify(ask(WORLD, depth=9))
    print(f"{'  with nine events only':36}{WORDS[type(verdict)]:>14}{'unknown':>14}")
