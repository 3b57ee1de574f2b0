"""Bounces of a ball and where they pile up, against the closed form: see README.md."""

import argparse
from math import sqrt

from dyverse import example_text, generate, parse_world, simulate
from dyverse.exporters.plots import plot_run

G, DROP, E = 9.81, 20.0, 0.8


def impacts(number: int, *, drop: float = DROP, e: float = E) -> list[float]:
    """The first impact times, t₁ (1 + 2 (e + … + eⁿ)) with t₁ = √(2 drop/g) (s)."""
    first = sqrt(2 * drop / G)
    return [first * (1 + 2 * sum(e**i for i in range(1, n + 1))) for n in range(number)]


def accumulation(*, drop: float = DROP, e: float = E) -> float:
    """Where infinitely many impacts pile up, t₁ (1 + e)/(1 - e) (s)."""
    return sqrt(2 * drop / G) * (1 + e) / (1 - e)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the run")
    file = parser.parse_args().plot
    run = simulate(generate(parse_world(example_text("bouncing-ball"))), until=25)
    times, expected = run.times("impact"), impacts(30)
    rows = [(f"impact {n + 1} (s)", times[n], expected[n]) for n in (0, 1, 2, 9, 29)]
    (piled,) = (v.accumulates for v in run.visits if v.accumulates is not None)
    rows += [("impacts accumulate at (s)", piled, accumulation())]
    rows += [("gap at 25 s (m)", run.automaton.observe(run.end)["gap[ball,floor]"], 0.0)]
    print(f"{'':28}{'measured':>18}{'closed form':>18}")
    print(*(f"{what:28}{got:18.12f}{exact:18.12f}" for what, got, exact in rows), sep="\n")
    worst = max(abs(t - x) / x for t, x in zip(times, expected, strict=False))
    print(f"largest relative error of the first 30 impacts: {worst:.1e}")
    print(f"{len(times)} impacts were computed one by one; then the ball rests: {run.end.location}")
    if file:
        plot_run(run, file, title="bouncing-ball")
