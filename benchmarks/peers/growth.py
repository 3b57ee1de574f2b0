"""How the cost of an event grows: balls-N of 2 to 50 balls, every pair a contact."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from benchmarks.peers.engine import Runs
from benchmarks.peers.measure import Answer, best, say
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.text.examples import example_text

SIZES = (2, 5, 10, 20, 50)


def measured(balls: int) -> Answer:
    automaton = generate(parse_world(example_text(f"balls-{balls}")))
    runs = Runs(automaton)
    seconds = best(runs.to(automaton.scene.horizon or 1.0), batches=20)
    counts = runs.engine.counts
    return {
        "balls": balls,
        "contacts": len(automaton.contacts),
        "events": counts["events"],
        "steps": counts["steps"],
        "seconds": seconds / counts["events"],
    }


def draw(rows: list[Answer], file: Path) -> None:
    """Cost per event over the number of balls, and what one part per contact would be."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    balls, costs = [row["balls"] for row in rows], [1e6 * row["seconds"] for row in rows]
    axes.loglog(balls, costs, "o-", color="#0072B2", label="native engine")
    for power, style in ((1, ":"), (2, "--")):
        guide = [costs[0] * (n / balls[0]) ** power for n in balls]
        axes.loglog(balls, guide, style, color="#999999", label=f"growth as N{'²' * (power - 1)}")
    axes.set(xlabel="balls N", ylabel="µs per event", title="balls-N: cost of an event")
    axes.set_xticks(balls, [str(n) for n in balls], minor=False)
    axes.minorticks_off()
    axes.legend()
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    say(*map(measured, SIZES))
