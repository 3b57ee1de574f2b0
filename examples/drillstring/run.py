"""Three behaviours of a drillstring, their words, languages and map: see README.md."""

import argparse
from math import exp

from scipy.optimize import brentq

from dyverse import example_text, parse_model, simulate
from dyverse.abstraction.behaviours.behaviour import derive
from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.evidence.verdict import Converges, Repeats
from dyverse.abstraction.language.printing import expression_text
from dyverse.abstraction.language.word import word_text
from dyverse.abstraction.survey.survey import survey
from dyverse.automaton.surface.discontinuous import ruled
from dyverse.exporters.signals_plot import plot_signals

MODEL = parse_model(example_text("drillstring"))
TORQUE, UNTIL = 6000.0, 400.0


def balanced(low: float, high: float, weight: float) -> float:
    """A speed at which the torques of motor, dampers and bit balance (rad/s)."""

    def left(speed: float) -> float:
        friction = weight * 0.155575 * (0.5 + 0.3 * exp(-0.9 * speed))
        return TORQUE - (425 + 50) * speed - friction

    return brentq(left, low, high, xtol=1e-14)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the speeds for the three behaviours")
    file = parser.parse_args().plot
    automata = {w: MODEL.written({"W_ob": w}) for w in (45_000, 55_000, 60_000)}
    verdicts = [classify(automaton, until=UNTIL)[0] for automaton in automata.values()]
    for weight, verdict in zip(automata, verdicts, strict=True):
        word = verdict.word if isinstance(verdict, Repeats) else word_text(verdict.word)
        print(f"{weight / 1000:g} kN: {word}, {verdict}")

    found = survey(ruled(automata[55_000], "paper"), until=UNTIL)
    low, high = (p.values[2] for p in found.points if p.location == "slip_plus")
    turns, slips, stuck = verdicts
    assert isinstance(turns, Converges)
    assert isinstance(slips, Repeats)
    assert isinstance(stuck, Converges)
    hits = simulate(automata[55_000], until=300).times("a")
    rows = [
        ("45 kN: speed (rad/s)", turns.evidence.point.values[2], balanced(1, 10, 45_000)),
        ("55 kN: period (s)", slips.evidence.orbit.period, hits[-1] - hits[-2]),
        ("60 kN: twist when stuck (rad)", stuck.evidence.point.values[1], TORQUE / 861.5336),
        ("55 kN: unstable speed (rad/s)", low, balanced(0, 2, 55_000)),
        ("55 kN: stable speed (rad/s)", high, balanced(2, 10, 55_000)),
    ]
    print(f"{'':36}{'measured':>18}{'expected':>18}")
    print(*(f"{what:36}{got:18.12f}{wanted:18.12f}" for what, got, wanted in rows), sep="\n")
    print(*found.violations, *found.separated.cuts, sep="\n")
    print(*(f"{b}: {expression_text(derive(found.lts, b))}" for b in found.behaviours), sep="\n")
    if file:
        runs = {f"W_ob = {w / 1000:g} kN": simulate(a, until=60) for w, a in automata.items()}
        plot_signals(runs, ["x3", "x1"], file, label="speed (rad/s)")
