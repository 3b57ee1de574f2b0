"""A ball on a floor that feels it, until its bounces are shorter than a second: see README.md."""

import argparse
import math
from pathlib import Path

from matplotlib.figure import Figure

from dyverse import Model, Options, Run, load_model, simulate

HERE = Path(__file__).parent
G, HEIGHT, E, LIMIT = 9.8, 20.0, 0.8, 1.0


def hits() -> list[float]:
    """t₁ (1 + 2 (e + … + eⁿ)), t₁ = √(2h/g), up to the end of the first bounce under the limit."""
    times = [math.sqrt(2 * HEIGHT / G)]
    while len(times) < 2 or times[-1] - times[-2] >= LIMIT:
        times.append(times[-1] + 2 * times[0] * E ** len(times))
    return times


def play(model: Model, tick: float | None = None) -> Run:
    return simulate(model.automaton(), until=16, options=Options(tick=tick))


def low(run: Run) -> float:
    """When the program finds that the bounces are low."""
    return next(event.time for event in run.events if "low_bounces" in str(event.target))


def draw(run: Run, file: str) -> None:
    end, figure = low(run), Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    places = [run.at(end * i / 2000).values[:2] for i in range(2001)]  # ball.x, ball.y
    axes.plot(*zip(*places, strict=True), color="#0072B2", linewidth=1.8)
    axes.set(xlabel="distance (m)", ylabel="height (m)", xlim=(0, 16), ylim=(0, 21))
    axes.set_title("Until bounces are shorter than 1 s")
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw height over distance")
    file = parser.parse_args().plot
    model, rigid = (load_model(HERE / name) for name in ("model.drbt", "rigid.drbt"))
    run, expected = play(model), hits()
    print(f"{'':30}{'measured':>16}{'closed form':>16}")
    for number, (time, exact) in enumerate(zip(run.times("touch"), expected, strict=False)):
        print(f"{f'hit {number + 1} (s)':30}{time:16.10f}{exact:16.10f}")
    print(f"{'low bounces (s)':30}{low(run):16.10f}{expected[-1]:16.10f}")
    print(f"{'the same, rigid body (s)':30}{low(play(rigid)):16.10f}{expected[-1]:16.10f}")
    for tick in (0.01, 0.001):
        print(f"with ticks of {tick} s it is found at {low(play(model, tick)):.3f} s")
    if file:
        draw(run, file)
