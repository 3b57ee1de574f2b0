"""How far a ball comes that slides, rolls and stops, against closed forms: see README.md."""

import argparse

from dyverse import Options, example_text, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals
from dyverse.generation.automaton import generate

WORLD = parse_world(example_text("rolling-to-rest"))
G, R, MU, SPIN, SPUN = 9.81, 0.0214, 0.4, 5.0, 0.0002
NATIVE = Options(solver="native")


def stages(v: float, rho: float) -> dict[str, float]:
    """While it slips v' = -μ g and (2/5) R ω' = (μ - ρ/R) g; once v = R ω, v' = -(5/7) ρ g/R."""
    gain = 2.5 * (MU - rho / R) * G
    rolls = v / (MU * G + gain)
    speed, slows = v - MU * G * rolls, 5 / 7 * rho * G / R
    return {
        "rolls from (s)": rolls,
        "stops at (s)": rolls + speed / slows,
        "how far (m)": (v + speed) / 2 * rolls + speed**2 / (2 * slows),
        "spins until (s)": 0.4 * R**2 * SPIN / (SPUN * G),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the speed and the spin")
    file = parser.parse_args().plot
    print(f"{'':40}{'dyverse':>18}{'closed form':>18}")
    for v, rho in ((2.0, 0.0014), (1.5, 0.002)):
        run = simulate(generate(WORLD, {"v0": v, "rho": rho}), until=8.0, options=NATIVE)
        ends = {e.contacts: e.time for e in run.events if e.kind == "stick"}
        contacts = ("ball-green", "ball.rolling-green", "ball.spinning-green")
        rolls, stops, spins = (ends[(name,)] for name in contacts)
        found = (rolls, stops, run.final["ball.x"], spins)
        for got, (what, expected) in zip(found, stages(v, rho).items(), strict=True):
            print(
                f"{f'v0 {v:g} m/s, rho {1000 * rho:g} mm: {what}':40}{got:18.10f}{expected:18.10f}"
            )
    if file:
        plot_signals({"v0 1.5 m/s": run}, ["ball.vx", "ball.wy"], file, label="m/s, rad/s")
