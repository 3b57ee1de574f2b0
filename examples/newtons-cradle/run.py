"""Newton's cradle by both laws of impact and with small gaps: see README.md."""

import argparse

from matplotlib.figure import Figure

from dyverse import Run, example_text, generate, parse_world, simulate

BALLS = tuple(f"ball{i}" for i in range(1, 6))
NEWTON = (-0.6, 0.4, 0.4, 0.4, 0.4)  # all contacts at once, as fractions of the first speed
NATURE = (0.0, 0.0, 0.0, 0.0, 1.0)  # contact after contact


def play(law: str, gap: float) -> Run:
    """One run by this law of impact with this gap between the balls of the row (m)."""
    model = parse_world(f"{example_text('newtons-cradle')}\nimpact {law}")
    return simulate(generate(model, {"gap": gap}), until=0.3)


def draw(runs: dict[str, Run], file: str) -> None:
    figure = Figure(figsize=(12, 4.4), layout="constrained")
    panels = figure.subplots(1, 3, sharex=True, sharey=True)
    colours = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
    for axes, (title, run) in zip(panels, runs.items(), strict=True):
        for ball, colour in zip(BALLS, colours, strict=True):
            times, places = run.signal(f"{ball}.x")
            axes.plot(times, places, color=colour, linewidth=1.5)
            axes.fill_between(times, places - 0.025, places + 0.025, color=colour, alpha=0.25)
            axes.annotate(f" {run.final[f'{ball}.vx']:.1f} m/s", (0.3, places[-1]), color=colour)
        axes.set(title=title, xlabel="time (s)", xlim=(0, 0.37))
    panels[0].set_ylabel("position (m), as wide as the balls")
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the runs")
    file = parser.parse_args().plot
    cases = (
        ("newton", 0.0, "touching, impact newton", NEWTON),
        ("sequence", 0.0, "touching, impact sequence", NATURE),
        ("newton", 1e-6, "gaps of 1 µm", NATURE),
    )
    runs = {name: play(law, gap) for law, gap, name, _ in cases}
    for *_, name, expected in cases:
        run = runs[name]
        print(f"{name}, {len(run.times('impact'))} impact(s)")
        print(f"{'  after (m/s)':16}{'measured':>14}{'closed form':>14}")
        for ball, speed in zip(BALLS, expected, strict=True):
            print(f"  {ball:14}{run.final[f'{ball}.vx']:14.9f}{speed:14.9f}")
        energy = sum(0.25 * run.final[f"{ball}.vx"] ** 2 for ball in BALLS)
        momentum = sum(0.5 * run.final[f"{ball}.vx"] for ball in BALLS)
        print(f"  {'energy (J)':14}{energy:14.9f}{0.25:14.9f}")
        print(f"  {'momentum (N s)':14}{momentum:14.9f}{0.5:14.9f}")
    if file:
        draw(runs, file)
