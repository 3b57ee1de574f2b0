"""A die is thrown again and again: which face is up in the end: see README.md."""

import argparse
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np

from dyverse import example_text, parse_world
from dyverse.expr.rotation import matrix
from dyverse.native.many import Many, simulate_many

WORLD = parse_world(example_text("dice"))
NAMES = [f"die.q{part}" for part in "wxyz"]
FACES = {(0, 1): 1, (0, -1): 6, (1, 1): 2, (1, -1): 5, (2, 1): 3, (2, -1): 4}  # axis, up or down


def thrown(speeds: np.ndarray, spins: np.ndarray) -> Many:
    """One throw for each."""
    return simulate_many(WORLD, {"speed": speeds.ravel(), "spin": spins.ravel()}, until=2.0)


def faces(many: Many) -> np.ndarray:
    """Which face is up at the end of each throw; 0 if the die does not lie on one."""
    places = [many.variables.index(name) for name in NAMES]
    ups = np.array([matrix(end)[1] for end in many.final[:, places]])
    axis = np.abs(ups).argmax(axis=1)
    up = ups[np.arange(len(ups)), axis]
    found = [FACES[int(a), int(np.sign(u))] for a, u in zip(axis, up, strict=True)]
    return np.where(np.abs(up) > 0.999, found, 0)


def draw(file: str, count: int = 16) -> None:
    """The face over speed and spin of the throw."""
    speeds, spins = np.meshgrid(np.linspace(1, 2, count), np.linspace(10, 30, count))
    shown = faces(thrown(speeds, spins)).reshape(count, count)
    colours = plt.get_cmap("viridis", 6)
    plt.pcolormesh(speeds, spins, np.ma.masked_equal(shown, 0), cmap=colours, vmin=0.5, vmax=6.5)
    plt.colorbar(label="face", ticks=range(1, 7))
    plt.xlabel("speed of the throw (m/s)")
    plt.ylabel("spin of the throw (rad/s)")
    plt.savefig(file, dpi=120, bbox_inches="tight")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the face over speed and spin")
    rng = np.random.default_rng(1)
    counted = Counter(faces(thrown(rng.uniform(1, 2, 100), rng.uniform(10, 30, 100))).tolist())
    print("100 throws, of speed and spin by chance")
    for face in sorted(counted):
        print(f"{'still moving' if face == 0 else f'face {face}':40}{counted[face]:8}")
    if file := parser.parse_args().plot:
        draw(file)
