"""Two balls, one on the other, that stay at rest: see README.md."""

import argparse

from dyverse import Run, example_text, generate, parse_world, simulate
from dyverse.exporters.plots import plot_run

G = 9.81
GAPS = ("gap[lower,floor]", "gap[lower,upper]")


def play(m: float) -> Run:
    """A hundred seconds with an upper ball of mass ``m`` (kg)."""
    return simulate(generate(parse_world(example_text("stack")), {"m": m}), until=100)


def forces(m: float) -> dict[str, float]:
    """What the contacts carry (N)."""
    return {"normal_force[lower,floor]": (1 + m) * G, "normal_force[lower,upper]": m * G}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the run of m = 1")
    file = parser.parse_args().plot
    for m in (0.1, 1.0, 10.0):
        run = play(m)
        print(f"upper ball of {m} kg on a lower one of 1 kg, after {run.end.time} s: {run.stop}")
        print(f"  {'':28}{'measured':>16}{'closed form':>16}")
        known = run.automaton.observe(run.end)
        for name, expected in forces(m).items():
            print(f"  {name + ' (N)':30}{known[name]:14.9f}{expected:16.9f}")
        widest = max(abs(x) for name in GAPS for x in run.signal(name)[1])
        print(f"  largest |gap| on the way: {widest:.1e} m (allowed: 1e-9 m)")
    if file:
        plot_run(play(1.0), file, title="stack")
