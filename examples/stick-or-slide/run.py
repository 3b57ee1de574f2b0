"""A pushed box sticks or slides, against the closed form: see README.md."""

import argparse

import numpy as np
from matplotlib.figure import Figure

from dyverse import example_text, parse_world
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.plain import WORDS
from dyverse.native.many import simulate_many

G, F, J, MR2 = 9.81, 3.0, 100.0, 0.01
WORLD = parse_world(example_text("stick-or-slide"))
GUSTS = ((0.0, 0.0), (0.0, 2.0), (0.0, 0.9), (0.9, 0.93), (-9.0, 0.9), (-6.0, 0.9))


def strongest(mu: float) -> float:
    """The greatest push that the box bears without sliding, μ m g (1 + m r²/J) (N).

    Friction f hinders the push and turns the box: m a = P - f and J a/r = f r without slip,
    so f = P J/(J + m r²), which must not exceed μ m g.
    """
    return mu * G * (1 + MR2 / J)


def slides(low: float, high: float) -> bool:
    """Whether some gust of that range slides the box where friction is least, mu = 0.4."""
    return max(F + high, -(F + low)) > strongest(0.4)


def draw(file: str) -> None:
    gust, mu = (grid.ravel() for grid in np.meshgrid(np.linspace(0, 2, 33), np.linspace(0.4, 0.6)))
    least = simulate_many(WORLD, {"gust": gust, "mu": mu}, until=1).least[:, 0]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for kept, colour, label in ((True, "#0072B2", "sticks"), (False, "#D55E00", "slides")):
        chosen = (least >= 0) == kept
        axes.plot(gust[chosen], mu[chosen], ".", color=colour, markersize=3, label=label)
    axes.plot([0, 2], [(F + x) / strongest(1.0) for x in (0, 2)], color="black", label="limit")
    axes.set(xlabel="gust (N)", ylabel="friction μ", ylim=(0.395, 0.605))
    axes.legend(loc="upper left")
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw who sticks over gust and friction")
    if file := parser.parse_args().plot:
        draw(file)
    print(f"mu in [0.4, 0.6]; at 0.4 the box bears {strongest(0.4):.6f} N in all")
    print(f"{'':36}{'found':>14}{'known':>14}")
    for low, high in GUSTS:
        verdict = falsify(ask(WORLD, ranges={"gust": (low, high)}))
        known = "unsafe" if slides(low, high) else "not_found"
        print(f"{f'gust in [{low}, {high}] N':36}{WORDS[type(verdict)]:>14}{known:>14}")
