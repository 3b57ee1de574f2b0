"""A woodpecker on its pole against the equations of Lagrange: see README.md."""

import argparse

from lagrange import events

from dyverse import Options, example_text, generate, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals

WORLD, NATIVE = parse_world(example_text("woodpecker")), Options(solver="native")

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the height of the sleeve")
    run = simulate(generate(WORLD), until=0.4, options=NATIVE)
    print(f"{'at (s)':20}{'dyverse':>16}{'Lagrange':>16}")
    for ours, (time, what) in zip(run.events[1:], events(0.4), strict=True):
        print(f"{what:20}{ours.time:16.9f}{time:16.9f}")
    if file := parser.parse_args().plot:
        made = ((f"friction {mu}", generate(WORLD, {"mu": mu})) for mu in (0.3, 0.35, 0.4))
        runs = {name: simulate(one, until=1, options=NATIVE) for name, one in made}
        plot_signals(runs, ["sleeve.y"], file, label="height of the sleeve (m)")
