"""When a pendulum hits its stop, against elliptic integrals by quadrature: see README.md."""

import argparse
from math import acos, cos, sin, sqrt

from scipy.integrate import quad

from dyverse import Options, example_text, generate, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals

WORLD = parse_world(example_text("stopped-pendulum"))
STOP, START, E = 0.2, 1.2, 0.5
INERTIA = 2 * (1 + 0.4 * 0.1**2)  # of the ball about the hinge, kg m²
RATE = 2 * 2 * 9.81 / INERTIA  # rate² = RATE (cos φ - cos of where it turned), 1/s²
NATIVE = Options(solver="native")


def fall(turn: float) -> float:
    """From where it turns to the stop (s): the integral of dφ/rate, φ = turn - (turn - stop) s²."""

    def slowness(s: float) -> float:
        down = (turn - STOP) * s * s
        gain = 2 * sin(turn - down / 2) * sin(down / 2)
        return 2 * (turn - STOP) * s / sqrt(RATE * gain)

    return float(quad(slowness, 0, 1, epsabs=1e-13, epsrel=1e-13)[0])


def impacts(count: int) -> list[float]:
    """Each impact leaves e² of the energy above the stop, and so a lower place to turn."""
    times, turn = [fall(START)], START
    for _ in range(count - 1):
        turn = acos(cos(STOP) - E**2 * (cos(STOP) - cos(turn)))
        times.append(times[-1] + 2 * fall(turn))
    return times


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the angle for three stops")
    automaton = generate(WORLD)
    run = simulate(automaton, until=4, options=NATIVE)
    print(f"{'impact at (s)':24}{'dyverse':>16}{'quadrature':>16}")
    for i, (ours, theirs) in enumerate(zip(run.times("impact"), impacts(10), strict=False), 1):
        print(f"{i:<24}{ours:16.10f}{theirs:16.10f}")
    push = automaton.observe(run.end)["normal_force[frame.hinge_lower,bob]"]
    print(f"{'torque of the stop (N m)':24}{push:16.10f}{2 * 9.81 * sin(STOP):16.10f}")
    if file := parser.parse_args().plot:
        made = {f"e = {e}": generate(WORLD, {"e": e}) for e in (0.2, 0.5, 0.8)}
        runs = {name: simulate(one, until=4, options=NATIVE) for name, one in made.items()}
        plot_signals(runs, ["hinge.angle"], file, label="angle (rad)")
