"""When the hose changes tanks, and when time stops, against the closed form: see README.md."""

import argparse

from matplotlib.figure import Figure

from dyverse import Run, example_text, parse_model, simulate

LOW, START, OUTFLOW = 0.25, 1.0, 0.5


def switches(inflow: float, count: int) -> list[float]:
    """The hose stays until the other tank is low; meanwhile its own gains what that one loses."""
    served, other, times = START - LOW, START - LOW, [0.0]
    for _ in range(count):
        stay = other / OUTFLOW
        served, other = 0.0, served + (inflow - OUTFLOW) * stay
        times.append(times[-1] + stay)
    return times[1:]


def end(inflow: float) -> float:
    """What is in both tanks above the mark, over what is lost per second."""
    return 2 * (START - LOW) / (2 * OUTFLOW - inflow)


def play(inflow: float) -> Run:
    model = parse_model(example_text("two-tanks"))
    return simulate(model.automaton({"inflow": inflow}), until=20)


def draw(run: Run, file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for name, colour in (("left", "#0072B2"), ("right", "#D55E00")):
        axes.plot(*run.signal(f"{name}.level"), color=colour, linewidth=2, label=f"{name} tank")
    axes.axhline(LOW, color="#333333", linewidth=0.8, linestyle="--", label="low")
    axes.axvline(run.end.time, color="#999999", linewidth=0.8, label="time stops")
    axes.set(xlabel="time (s)", ylabel="level (m)", title="One hose for two tanks")
    axes.legend()
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the levels")
    file = parser.parse_args().plot
    print(f"{'':30}{'measured':>16}{'closed form':>16}")
    for inflow in (0.75, 0.6):
        run, expected = play(inflow), switches(inflow, 6)
        label = f"inflow = {inflow}: "
        for number, (event, time) in enumerate(zip(run.events, expected, strict=False)):
            print(f"{f'{label}switch {number + 1} (s)':30}{event.time:16.10f}{time:16.10f}")
        print(f"{label + 'time stops (s)':30}{run.end.time:16.10f}{end(inflow):16.10f}")
    if file:
        draw(play(0.75), file)
