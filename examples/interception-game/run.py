"""The interception game: its automaton, runs for some K, and a scan over K: see README.md."""

import argparse
from pathlib import Path

import numpy as np
from report import Played, draw_overview, write_report

from dyverse import Run, example_text, generate, parse_world, simulate
from dyverse.generation.counts import counts
from dyverse.simulation.observing import pour
from dyverse.simulation.properties import Watcher

WORLD = parse_world(example_text("interception-game"))
KNOWN = {1.0: "1.06 s", 1.8: "never", 3.0: "1.03 s"}  # lost at, by independent simulation
CHOSEN, SCAN = (1.0, 1.8, 2.0, 3.0), np.linspace(1, 3, 41)  # 2 is the model's own value


def lost_at(run: Run) -> float | None:
    """When the property ``caught`` fails first (s)."""
    (caught,) = WORLD.properties
    watcher = Watcher(caught, {})
    pour(run, [watcher])
    return watcher.outcome(run).violated_at


def play(K: float) -> Played:
    """Two seconds with this K. Ball 1 only falls between impacts: it is lowest at an arc's end."""
    run = simulate(generate(WORLD, {"K": K}), until=2)
    height = run.automaton.variables.index("ball1.y")
    lowest = min(float(arc.states[row, height]) for arc in run.arcs for row in (0, -1))
    return Played(K=K, run=run, lowest=lowest, lost_at=lost_at(run))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw some runs and the scan")
    parser.add_argument("--report", metavar="DIR", type=Path, help="write everything, as web page")
    wish = parser.parse_args()
    for rules in ("complete", "paper"):
        size = counts(1, rules=rules)
        print(
            f"automaton ({rules} rules): {size.dynamical_locations} dynamical locations, ", end=""
        )
        print(f"{size.contact_nodes} contact node, {size.impact_nodes} impact node, ", end="")
        print(f"{size.edges} edges")
    print(f"{'K':>6}{'impacts':>9}{'lowest y1 (m)':>15}{'lost at (s)':>13}{'known':>9}")
    played = [play(K) for K in CHOSEN]
    for game in played:
        time = "never" if game.lost_at is None else f"{game.lost_at:.6f}"
        numbers = f"{game.K:6.1f}{len(game.impacts):9}{game.lowest:15.6f}"
        print(f"{numbers}{time:>13}{KNOWN.get(game.K, ''):>9}")
    scan = [play(float(K)) for K in SCAN]
    kept = ", ".join(f"{game.K:.2f}" for game in scan if game.lost_at is None)
    print(f"scan by simulation: of {len(scan)} values K in [1, 3] these are kept:\n  {kept}")
    if wish.plot:
        draw_overview(played, scan).savefig(wish.plot, dpi=110)
    if wish.report:
        print(f"the report is in {write_report(wish.report, played, scan)}")
