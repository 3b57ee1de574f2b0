"""When an object crosses the lines of a grid, against matrix exponentials: see README.md."""

import argparse

import numpy as np
from matplotlib.figure import Figure
from scipy.linalg import expm
from scipy.optimize import brentq

from dyverse import example_text, parse_model, simulate

MAP = ((2, 2, 1, 1), (1, 2, 3, 6), (3, 6, 5, 6), (4, 2, 3, 4))  # from below
A = np.array([[-1.2, 0.1], [0.1, -1.2]])
STARTS = {"middle": (0.5, 3.5, 0.0, 0.0), "late": (0.6416, 3.7933, 0.1773, -0.2901)}


def wanted(cell: np.ndarray) -> np.ndarray:
    return np.array([f(MAP[int(cell[1])][int(cell[0])] * np.pi / 4) for f in (np.sin, np.cos)])


def moved(t: float, place: np.ndarray, speed: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The place after t in a cell, x + w t + A⁻¹ (e^{At} - I) (v - w)."""
    return place + w * t + np.linalg.solve(A, (expm(A * t) - np.eye(2)) @ (speed - w))


def crossings(start: tuple[float, ...], count: int) -> list[float]:
    place, speed, cell, times = np.array(start[:2]), np.array(start[2:]), np.floor(start[:2]), [0.0]
    while len(times) <= count:
        rest = (place, speed, wanted(cell))
        late = next(t for t in np.arange(1, 500) / 50 if (np.floor(moved(t, *rest)) != cell).any())
        after = np.floor(moved(late, *rest))
        axis = int((after != cell).argmax())
        rise = lambda t: moved(t, *rest)[axis] - max(after[axis], cell[axis])  # noqa: B023, E731
        t = brentq(rise, late - 0.02, late, xtol=1e-13)
        place, speed, cell = moved(t, *rest), rest[2] + expm(A * t) @ (speed - rest[2]), after
        times.append(times[-1] + t)
    return times[1:]


if __name__ == "__main__":
    (parser := argparse.ArgumentParser(description=__doc__)).add_argument("--plot", metavar="FILE")
    file, model, runs = parser.parse_args().plot, parse_model(example_text("navigation")), {}
    print(f"{'':30}{'measured':>16}{'exact':>16}")
    for name, start in STARTS.items():
        automaton = model.automaton(dict(zip(("x0", "y0", "u0", "w0"), start, strict=True)))
        runs[name] = simulate(automaton, until=25)
        for event, exact in zip(runs[name].events, crossings(start, 6), strict=False):
            print(f"{f'{name}: {event.kind} (s)':30}{event.time:16.10f}{exact:16.10f}")
    if file:
        axes = (figure := Figure(figsize=(5, 5), layout="constrained")).subplots()
        for y, colour in ((0.2, "#D55E00"), (1.2, "#009E73")):
            axes.fill([3.2, 3.8, 3.8, 3.2], [y, y, y + 0.6, y + 0.6], color=colour, alpha=0.4)
        for cell in map(np.array, np.ndindex(4, 4)):
            axes.arrow(*(cell + 0.5), *(0.2 * wanted(cell)), width=0.01, color="grey")
        for run in runs.values():
            axes.plot(run.signal("object.x")[1], run.signal("object.y")[1], linewidth=1)
        axes.set(xlabel="x (m)", ylabel="y (m)", xlim=(0, 4), ylim=(0, 4), aspect="equal")
        axes.grid(visible=True)
        figure.savefig(file, dpi=110)
