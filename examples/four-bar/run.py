"""A four-bar against the circles in which its rod must end: see README.md."""

import argparse
from math import acos, atan2, cos, hypot, sin, tau

from dyverse import Options, example_text, generate, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals

WORLD = parse_world(example_text("four-bar"))
D, A, B, C, UNTIL = 1.5, 0.4, 1.4, 0.9, 3.0


def rocker(crank: float) -> float:
    """The angle of the rocker where the crank has this one (rad): a triangle on the diagonal."""
    x, y = A * cos(crank) - D, A * sin(crank)
    across = hypot(x, y)
    return (atan2(y, x) - acos((C**2 + across**2 - B**2) / (2 * C * across))) % tau


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the angles of crank and rocker")
    automaton = generate(WORLD)
    run = simulate(automaton, until=UNTIL, options=Options(solver="native"))
    print(f"{'rocker (rad) at':20}{'dyverse':>16}{'two circles':>16}")
    for time in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0):
        known = automaton.observe(run.at(time)) | dict(
            zip(automaton.variables, run.at(time).values, strict=True)
        )
        ours, theirs = known["pivot.angle"], rocker(known["main.angle"])
        print(f"{f'{time} s':20}{ours:16.10f}{theirs:16.10f}")
    assert automaton.dynamics.joints is not None
    loose = abs(automaton.dynamics.joints.at(run.end.values).error).max()
    print(f"{'loop (m, rad)':20}{loose:16.10f}{0:16.10f}")
    if file := parser.parse_args().plot:
        runs = {f"{w} rad/s": simulate(generate(WORLD, {"w": w}), until=UNTIL) for w in (2, 4)}
        plot_signals(runs, ["pivot.angle", "pivot.rate"], file, label="rocker")
