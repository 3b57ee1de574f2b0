"""A ball jumps down the stairs, against hops worked out by hand: see README.md."""

import argparse
from math import sqrt

from dyverse import Options, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("stairs"))
G, R, E, MU = 9.81, 0.05, 0.7, 0.3
NATIVE = Options(solver="native")
SPEEDS = (0.7, 1.1, 1.3)


def hops(vx: float, until: float = 1.5) -> list[tuple[int, float]]:
    """Which step is hit when, if only the flat of steps is: parabolas, and impacts with friction.

    Friction takes no more than what makes the ball roll, 2/7 of its slip.
    """
    x, y, vy, spin, time, step = -0.2, 0.1, 0.0, 0.0, 0.0, 0
    found: list[tuple[int, float]] = []
    while True:
        while True:  # the step that it is above when it comes down on it
            fall = (vy + sqrt(vy**2 + 2 * G * (y - R + 0.2 * step))) / G
            if x + vx * fall <= 0.3 * step:
                break
            step += 1
        if (time := time + fall) > until:
            return found
        x, y, down = x + vx * fall, R - 0.2 * step, G * fall - vy
        slip = vx + R * spin
        push = max(-MU * (1 + E) * down, min(MU * (1 + E) * down, -2 / 7 * slip))
        vx, vy, spin = vx + push, E * down, spin + 5 / 2 * push / R
        found.append((step, time))


def hits(speed: float, until: float = 1.5) -> list[tuple[int, float]]:
    """The same, as it is simulated."""
    run = simulate(generate(WORLD, {"speed": speed}), until=until, options=NATIVE)
    impacts = [event for event in run.events if event.kind == "impact"]
    return [(int(event.contacts[0][-1]), event.time) for event in impacts]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the height, for three speeds")
    print(f"{'impact at (s)':40}{'dyverse':>18}{'hop by hop':>18}")
    for speed in SPEEDS:
        for (step, found), (other, asked) in zip(hits(speed), hops(speed), strict=True):
            print(f"{f'{speed:g} m/s, step {step} and {other}':40}{found:18.10f}{asked:18.10f}")
    if file := parser.parse_args().plot:
        made = {f"{speed:g} m/s": generate(WORLD, {"speed": speed}) for speed in SPEEDS}
        runs = {name: simulate(one, until=3.0, options=NATIVE) for name, one in made.items()}
        plot_signals(runs, ["ball.y"], file, label="height (m)")
