"""When chasing cars change what they do, against roots of polynomials: see README.md."""

import argparse

from matplotlib.figure import Figure
from numpy.polynomial import Polynomial

from dyverse import example_text, parse_model, simulate

NEXT = {"chases": (("keeps", 10, -1),), "keeps": (("chases", 15, 1), ("brakes", 5, -1))}


def moved(mode: str, t: float, y: float, v: float) -> Polynomial:
    """The place y(t) of a car that has been in a mode since t."""
    since = Polynomial([-t, 1.0])
    return y + v * since if mode == "keeps" else y - v * since - since**2 / 2


def met(off: Polynomial, way: int, now: float) -> list[float]:
    """When a gap is first met, from now on; at once if it is."""
    if way * off(now) >= -1e-9:
        return [now]
    roots = [complex(root) for root in off.trim(1e-12).roots()]
    return sorted(r.real for r in roots if abs(r.imag) < 1e-9 and r.real > now)[:1]


def changes(throttle: float, count: int) -> list[tuple[float, str]]:
    """The first changes of the cars behind a leader that goes -throttle t²/2."""
    cars, speeds, found = range(1, 5), [0.0] * 5, [(0.0, "")]
    places = [Polynomial([0.0, 0.0, -throttle / 2])]
    places += [moved("chases", 0.0, 10.0 * i, 0.0) for i in cars]
    modes, since = ["chases"] * 5, [0.0] * 5
    while len(found) <= count:
        gaps = {i: places[i] - places[i - 1] for i in cars}
        ways = [(i, *way) for i in cars for way in NEXT[modes[i]]]
        met_at = ((met(gaps[i] - gap, way, found[-1][0]), i, to) for i, to, gap, way in ways)
        now, i, mode = min((t, i, to) for times, i, to in met_at for t in times)
        speeds[i] += now - since[i] if modes[i] == "chases" else 0.0
        places[i] = moved(mode, now, places[i](now), speeds[i])
        modes[i], since[i] = mode, now
        found.append((now, f"car {i + 1} {mode}"))
    return found[1:]


if __name__ == "__main__":
    (parser := argparse.ArgumentParser(description=__doc__)).add_argument("--plot", metavar="FILE")
    file, model = parser.parse_args().plot, parse_model(example_text("chasing-cars"))
    run = simulate(model.automaton({"throttle": 0.8}), until=40)
    print(f"{'':30}{'measured':>16}{'exact':>16}")
    for event, (time, what) in zip(run.events, changes(0.8, 20), strict=False):
        print(f"{what + ' (s)':30}{event.time:16.10f}{time:16.10f}")
    if file:
        axes = (figure := Figure(figsize=(7, 3.5), layout="constrained")).subplots()
        ys = [run.signal(f"car{i}.y") for i in range(1, 6)]
        for i in range(1, 5):
            axes.plot(ys[i][0], ys[i][1] - ys[i - 1][1], linewidth=1, label=f"car {i} to {i + 1}")
        axes.set(xlabel="t (s)", ylabel="distance (m)")
        axes.legend()
        figure.savefig(file, dpi=110)
