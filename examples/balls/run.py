"""The sizes of the automata of balls-1 … balls-4 against Table 2 of the paper: see README.md."""

import argparse

from dyverse import example_text, generate, parse_world, simulate
from dyverse.exporters.plots import plot_run
from dyverse.generation.skeleton.counts import Counts, counted

TABLE_2 = {1: (1, 0, 0, 0), 2: (4, 1, 1, 11), 3: (64, 7, 7, 524), 4: (4096, 63, 63, 231_284)}


def sizes(size: Counts) -> tuple[int, int, int, int]:
    return size.dynamical_locations, size.contact_nodes, size.impact_nodes, size.edges


def count(number: int) -> Counts:
    """The size of the automaton of ``balls-N`` by the rules printed in the paper."""
    world = parse_world(example_text(f"balls-{number}"))
    return counted(generate(world, rules="paper").skeleton)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw a run of balls-4")
    file = parser.parse_args().plot
    names = ("dynamical locations", "contact nodes", "impact nodes", "edges")
    print(f"{'':38}{'counted':>12}{'Table 2':>12}")
    for number, expected in TABLE_2.items():
        for name, got, exact in zip(names, sizes(count(number)), expected, strict=True):
            print(f"{f'balls-{number}: {name}':38}{got:12}{exact:12}")
    print(f"balls-20 has {count(20).contacts} contacts and 4^190 dynamical locations; it runs:")
    run = simulate(generate(parse_world(example_text("balls-20"))), until=2)
    print(f"  {len(run.times('impact'))} impacts in 2 s, stopped: {run.stop}")
    if file:
        run = simulate(generate(parse_world(example_text("balls-4"))), until=4)
        plot_run(run, file, title="balls-4")
