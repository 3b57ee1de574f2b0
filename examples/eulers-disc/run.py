"""A disc wobbles about a centre at rest: see README.md."""

import argparse
from math import atan2, sin, sqrt, tau

from dyverse import Options, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.expr.rotation import matrix
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("eulers-disc"))
G, R = 9.81, 0.1
LEANS = (0.05, 0.1, 0.3, 0.6, 1.0)
NATIVE = Options(solver="native")


def found(lean: float) -> float:
    """How fast the lowest point goes round (rad/s), from where it is after most of a turn."""
    until = 0.9 * tau / sqrt(4 * G / (R * sin(lean)))
    end = simulate(generate(WORLD, {"lean": lean}), until=until, options=NATIVE).final
    axis = [row[2] for row in matrix([end[f"disc.q{part}"] for part in "wxyz"])]
    return (atan2(axis[2], -axis[0]) % tau) / until


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw how the centre goes up and down")
    file = parser.parse_args().plot
    print(f"{'rate of the wobble (rad/s)':40}{'found':>18}{'closed form':>18}")
    for lean in LEANS:
        print(f"{f'at {lean:g} rad':40}{found(lean):18.8f}{sqrt(4 * G / (R * sin(lean))):18.8f}")
    if file:
        runs = {
            f"{share:g} of that rate": simulate(
                generate(WORLD, {"share": share}), until=1.0, options=NATIVE
            )
            for share in (0.95, 1.05)
        }
        plot_signals(runs, ["disc.y"], file, label="height of the centre (m)")
