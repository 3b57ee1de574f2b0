"""When a thermostat switches, against the closed form: see README.md."""

import argparse
import math

from matplotlib.figure import Figure

from dyverse import Run, example_text, parse_model, simulate

HOT, COLD, LOW, HIGH, START = 30.0, 10.0, 18.0, 22.0, 20.0


def switches(k: float, count: int) -> list[float]:
    """First from 20 to 22 °C, then down and up: each way is a logarithm."""
    first = math.log((HOT - START) / (HOT - HIGH)) / k
    down = math.log((HIGH - COLD) / (LOW - COLD)) / k
    up = math.log((HOT - LOW) / (HOT - HIGH)) / k
    ways = [first] + [up if n % 2 else down for n in range(count - 1)]
    return [sum(ways[: n + 1]) for n in range(count)]


def play(k: float) -> Run:
    model = parse_model(example_text("thermostat"))
    return simulate(model.automaton({"k": k}), until=20)


def draw(run: Run, file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for arc in run.arcs:
        colour = "#D55E00" if arc.location == "heat" else "#0072B2"
        axes.plot(arc.times, arc.states[:, 0], color=colour, linewidth=2)
    for level in (LOW, HIGH):
        axes.axhline(level, color="#333333", linewidth=0.8, linestyle="--")
    axes.set(xlabel="time (s)", ylabel="°C", xlim=(0, 20), title="A thermostat: heat, wait, heat")
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the temperature")
    file = parser.parse_args().plot
    print(f"{'':30}{'measured':>16}{'closed form':>16}")
    for k in (0.1, 0.2):
        run = play(k)
        times = [event.time for event in run.events]
        for number, (time, expected) in enumerate(zip(times, switches(k, len(times)), strict=True)):
            label = f"k = {k}: switch {number + 1} (s)"
            print(f"{label:30}{time:16.10f}{expected:16.10f}")
    if file:
        draw(play(0.1), file)
