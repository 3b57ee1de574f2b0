"""The interception game: its automaton, runs for some K, a scan and a search: see README.md."""

import argparse
from pathlib import Path

import numpy as np
from games import Played, Scan, Search
from report import draw_overview, write_report

from dyverse import example_text, generate, parse_world, simulate
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.generation.skeleton.counts import counts
from dyverse.native.many import simulate_many
from dyverse.simulation.requirement.properties import Broken, outcome

WORLD = parse_world(example_text("interception-game"))
CHOSEN, RANGES = (1.0, 1.8, 2.0, 3.0), ((1.0, 3.0), (1.7, 1.9))  # 2 is the model's own value
VALUES = np.linspace(1, 3, 400)


def play(K: float) -> Played:
    """Two seconds with this K; the margin of the property is the height of ball 1."""
    (caught,) = WORLD.properties
    run = simulate(generate(WORLD, {"K": K}), until=2)
    found = outcome(run, caught, {})
    lost_at = found.time if isinstance(found, Broken) else None
    return Played(K=K, run=run, lowest=found.worst.margin, lost_at=lost_at)


def search(low: float, high: float, scan: Scan) -> Search:
    """Falsify the property with K between ``low`` and ``high``."""
    question = ask(WORLD, ranges={"K": (low, high)})
    return Search(question=question, verdict=falsify(question), scan=scan.within(low, high))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw some runs and the scan")
    parser.add_argument("--report", metavar="DIR", type=Path, help="write everything, as web page")
    wish = parser.parse_args()
    for rules in ("complete", "paper"):
        size = counts(1, rules=rules)
        nodes = f"{size.contact_nodes} contact node, {size.impact_nodes} impact node"
        print(f"automaton ({rules} rules): {size.dynamical_locations} dynamical locations", end="")
        print(f", {nodes}, {size.edges} edges")
    print(f"{'K':>6}{'impacts':>9}{'lowest y1 (m)':>15}{'lost at (s)':>13}{'known':>9}")
    played = [play(K) for K in CHOSEN]
    print(*(game.told for game in played), sep="\n")
    many = simulate_many(WORLD, {"K": VALUES}, until=2)
    scan = Scan(VALUES, many.least[:, 0], many.failed_at[:, 0])
    searches = [search(low, high, scan) for low, high in RANGES]
    for found in searches:
        print(f"{found.name}: {found.told}\n  scan by simulation: {found.scan.told}")
    if wish.plot:
        draw_overview(played, scan).savefig(wish.plot, dpi=110)
    if wish.report:
        print(f"the report is in {write_report(wish.report, played, scan, searches)}")
