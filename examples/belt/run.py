"""A mass on a belt as two vector fields and as a rigid body, with the same words: see README.md."""

import argparse
from dataclasses import replace
from math import log
from pathlib import Path

from dyverse import example_text, generate, load_world, parse_model, simulate
from dyverse.abstraction.behaviours.contact_word import contact_word
from dyverse.abstraction.evidence.classify import classify
from dyverse.abstraction.portrait.equilibria import equilibria
from dyverse.abstraction.portrait.field import LocationField
from dyverse.abstraction.portrait.passage import word_of_run
from dyverse.exporters.signals_plot import plot_signals

MODEL = parse_model(example_text("belt"))
BLOCK = load_world(Path(__file__).parent / "block.drbt")
BELT, UNTIL = 0.5, 5.0
STARTS = {(0.0, 0.0): "stick", (0.0, 2.0): "slip_plus", (0.0, -2.0): "slip_minus"}
STARTS |= {(0.3, 1.0): "slip_plus", (-0.5, -1.0): "slip_minus", (0.0, 5.0): "slip_plus"}


def growth(v_b: float) -> float:
    """How fast small swings about the sliding equilibrium grow (1/s)."""
    field = LocationField(MODEL.written({"v_b": v_b}), "slip_minus")
    (point,) = equilibria(field, ((-2.0, 2.0), (-1.0, 1.0))).points
    return point.growth


def compared(y: float, slip: float, location: str) -> tuple[str, str, float, float]:
    """Both words from an elongation and a slip speed, and both speeds at the end."""
    fields = MODEL.written({"y": y, "v": BELT + slip})
    start = replace(fields.initial, location=location)
    one = simulate(replace(fields, initial=start), until=UNTIL)
    two = simulate(generate(BLOCK, {"block.x": y, "block.vx": slip}), until=UNTIL)
    first, second = word_of_run(one), contact_word(two, "floor-block", "block.vx")
    return "".join(first), "".join(second), one.final["v"], two.final["block.vx"] + BELT


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw slow and fast belts")
    file = parser.parse_args().plot
    print(f"{'speed of the mass at 5 s (m/s)':40}{'two fields':>18}{'rigid body':>18}")
    for (y, slip), location in STARTS.items():
        word, same, *speeds = compared(y, slip, location)
        assert word == same, (word, same)
        print(f"{f'from y = {y:g}, slip {slip:g}: {word}':40}{speeds[0]:18.10f}{speeds[1]:18.10f}")
    border = 0.5 * log(9.81 * 0.2 / (0.5 * 0.5))  # the friction falls as fast as the damper rises
    print(f"{'growth where it should be zero (1/s)':40}{growth(border):18.10f}{0:18.10f}")
    automata = {v: MODEL.written({"v_b": v}) for v in (0.5, 2.0)}
    for v, automaton in automata.items():
        print(f"belt at {v:g} m/s: {classify(automaton, until=100)[0]}")
    if file:
        runs = {f"belt at {v:g} m/s": simulate(a, until=20) for v, a in automata.items()}
        plot_signals(runs, ["v", "y"], file, label="v (m/s), y (m)")
