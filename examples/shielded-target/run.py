"""Which directions lead a ball near a target behind a post, by mirrors: see README.md."""

import argparse
from math import asin, atan2, cos, hypot, sin

from matplotlib.figure import Figure
from matplotlib.patches import Circle

from dyverse import example_text, generate, parse_world, simulate
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS

TARGET, WALL, NEAR = 3.5, 1.4, 0.25  # m; the wall is met by the ball's centre
WORLD = parse_world(example_text("shielded-target"))
RANGES = ((-0.2, 0.2), (0.31, 0.76), (0.31, 0.618), (0.731, 0.76))


def near() -> tuple[float, float]:
    """The angles between which the ball comes near the target: it flies to its mirror image."""
    middle, width = atan2(2 * WALL, TARGET), asin(NEAR / hypot(2 * WALL, TARGET))
    return middle - width, middle + width


def draw(file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for angle, colour in ((0.1, "#0072B2"), (sum(near()) / 2, "#D55E00"), (0.9, "#009E73")):
        run = simulate(generate(WORLD, {"angle": angle}), until=4)
        axes.plot(run.signal("ball.x")[1], run.signal("ball.y")[1], color=colour)
        axes.annotate(f"{angle:.2f}", (0.7 * cos(angle), 0.7 * sin(angle)), color=colour)
    for x, radius in ((2, 0.5), (3.5, 0.1)):
        axes.add_patch(Circle((x, 0), radius, color="grey"))
    axes.axhline(1.5, color="grey", linewidth=4)
    axes.set(xlabel="x (m)", ylabel="y (m)", aspect="equal", xlim=(-1, 5), ylim=(-0.7, 1.6))
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw three paths")
    if file := parser.parse_args().plot:
        draw(file)
    first, last = near()
    print(f"near the target: {first:.6f} < angle < {last:.6f}")
    print(f"{'':36}{'found':>14}{'known':>14}")
    for low, high in RANGES:
        verdict = falsify(ask(WORLD, ranges={"angle": (low, high)}))
        known = "unsafe" if low < last and first < high else "not_found"
        print(f"{f'angle in [{low}, {high}]':36}{WORDS[type(verdict)]:>14}{known:>14}")
