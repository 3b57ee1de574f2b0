"""A rattleback against its own rolling equations: see README.md."""

import argparse
from math import cos, sin, sqrt

import numpy as np
from scipy.integrate import solve_ivp

from dyverse import Options, RigidBodyAutomaton, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("rattleback"))
G, TILT, UNTIL = 9.81, 0.01, 3.0
SQUARES = np.array([0.2, 0.02, 0.03]) ** 2
NATIVE = Options(solver="native")


def rolling(_: float, state: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """Rates of the vertical and of the spin, both in the stone's axes, if it rolls without slip."""
    up, spin = state[:3], state[3:]
    size, turning = sqrt(up @ (SQUARES * up)), np.cross(up, spin)
    arm = -SQUARES * up / size
    wanders = -SQUARES * turning / size - arm * (up @ (SQUARES * turning)) / size**2
    pull = np.cross(wanders, spin) + np.cross(spin, np.cross(arm, spin)) + G * up
    across = np.cross(np.eye(3), arm)
    right = np.cross(arm, pull) - np.cross(spin, inertia @ spin)
    return np.concatenate([turning, np.linalg.solve(inertia - across @ across, right)])


def known(automaton: RigidBodyAutomaton) -> float:
    """The spin about its short axis at the end (rad/s)."""
    stone = automaton.scene.body("stone")
    spin, c, s = stone.spin[1], cos(TILT), sin(TILT)
    start = [0, c, -s, 0, spin * c, -spin * s]
    inertia: np.ndarray = np.array(stone.inertia_matrix)
    end = solve_ivp(rolling, (0, UNTIL), start, "DOP853", args=(inertia,), rtol=1e-11, atol=1e-13)
    return float(end.y[4, -1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the spin both ways")
    file = parser.parse_args().plot
    print(f"{'spin after 3 s (rad/s)':40}{'dyverse':>18}{'rolling':>18}")
    for spin in (1.0, -1.0):
        automaton = generate(WORLD, {"spin": spin})
        found = simulate(automaton, until=UNTIL, options=NATIVE).final["stone.sy"]
        print(f"{f'from {spin:g} rad/s':40}{found:18.10f}{known(automaton):18.10f}")
    if file:
        ways = {f"from {x:g} rad/s": {"spin": x} for x in (1.0, -1.0)}
        runs = {
            k: simulate(generate(WORLD, v), until=UNTIL, options=NATIVE) for k, v in ways.items()
        }
        plot_signals(runs, ["stone.sy"], file, label="spin (rad/s)")
