"""When a car changes gear, and how fast it is then, against the closed form: see README.md."""

import argparse
import math

from matplotlib.figure import Figure

from dyverse import Run, example_text, parse_model, simulate

PULL, DRAG = 6.0, 0.1


def reach(speed: float, goal: float, gear: int) -> float:
    """How long a gear takes from ``speed`` to ``goal``: the speed tends to pull/(gear drag)."""
    most = PULL / gear / DRAG
    return math.log((most - speed) / (most - goal)) / DRAG


def shifts(pause: float) -> list[float]:
    """When the clutch opens and closes, at 15 and at 20 m/s; in between the car coasts."""
    opened = reach(0, 15, 1)
    again = opened + pause + reach(15 * math.exp(-DRAG * pause), 20, 2)
    return [opened, opened + pause, again, again + pause]


def play(pause: float) -> Run:
    model = parse_model(example_text("gear"))
    return simulate(model.automaton({"pause": pause}), until=15)


def draw(run: Run, file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    gears = {1: "#0072B2", 2: "#D55E00", 3: "#009E73"}
    v, gear = (run.automaton.variables.index(name) for name in ("car.v", "car.gear"))
    for arc in run.arcs:
        number = round(float(arc.states[0, gear]))
        dashed = "--" if "coasting" in str(arc.location) else "-"
        axes.plot(arc.times, arc.states[:, v], dashed, color=gears[number], linewidth=2)
    for number, colour in gears.items():
        axes.plot([], [], color=colour, label=f"gear {number}")
    axes.set(
        xlabel="time (s)", ylabel="m/s", xlim=(0, 30), title="A gear controller (dashed: open)"
    )
    axes.legend(loc="lower right")
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the speed")
    file = parser.parse_args().plot
    print(f"{'':30}{'measured':>16}{'closed form':>16}")
    for pause in (0.4, 1.0):
        for event, expected in zip(play(pause).events, shifts(pause), strict=True):
            label = f"pause = {pause}: {event.kind} (s)"
            print(f"{label:30}{event.time:16.10f}{expected:16.10f}")
    if file:
        draw(play(0.4), file)
