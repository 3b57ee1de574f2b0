"""A ball goes over the edge of a table, against closed forms: see README.md."""

import argparse
from math import acos, atan2, cos, sin

from scipy.optimize import brentq

from dyverse import Options, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("table-edge"))
G, R = 9.81, 0.05
NATIVE = Options(solver="native")


def leaning(kind: str, speed: float, mu: float) -> float:
    """How far the ball has turned about the edge (rad) at the first event of that kind there."""
    settings = {"speed": speed, "mu": mu, "ball.wz": 0.0 if mu == 0 else -speed / R}
    run = simulate(generate(WORLD, settings), until=1.5, options=NATIVE)
    event = next(e for e in run.events if e.kind == kind and "ball-table" in e.contacts)
    seen = run.seen(run.at(event.time))
    return atan2(seen["ball.x"], seen["ball.y"])


def leaves(speed: float) -> float:
    """Without friction: cos θ = (2 + v²/(g R))/3."""
    return acos((2 + speed**2 / (G * R)) / 3)


def slips(speed: float, mu: float) -> float:
    """Rolling: 2 sin θ = μ (17 cos θ - 10 - 7 v²/(g R))."""
    pace = 7 * speed**2 / (G * R)
    return float(brentq(lambda a: 2 * sin(a) - mu * (17 * cos(a) - 10 - pace), 0, 1.0))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the way of the ball over time")
    print(f"{'angle about the edge (rad)':40}{'dyverse':>18}{'closed form':>18}")
    for v in (0.1, 0.3, 0.5):
        found = leaning("release", v, 0.0)
        print(f"{f'smooth, {v:g} m/s: it leaves at':40}{found:18.10f}{leaves(v):18.10f}")
    for v, mu in ((0.1, 0.5), (0.3, 0.5), (0.3, 0.2)):
        found = leaning("slip", v, mu)
        print(f"{f'friction {mu:g}, {v:g} m/s: it slips at':40}{found:18.10f}{slips(v, mu):18.10f}")
    if file := parser.parse_args().plot:
        made = {f"{v:g} m/s": generate(WORLD, {"speed": v}) for v in (0.3, 0.6)}
        runs = {name: simulate(one, until=1.5, options=NATIVE) for name, one in made.items()}
        plot_signals(runs, ["ball.x", "ball.y"], file, label="m")
