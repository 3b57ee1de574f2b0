"""A brake that listens to the tyre, against the closed form: see README.md."""

import argparse
import math

from matplotlib.figure import Figure

from dyverse import Run, example_text, parse_model, simulate

G, M, R, J, MU, FADE, RATE, LOW = 9.81, 400.0, 0.3, 1.0, 0.8, 0.1, 4000.0, 500.0
MOST = MU * G * (J + M * R**2) / R  # N m: below, the tyre rolls
GROWTH = G * FADE * (1 + M * R**2 / J)  # 1/s: the more it slips, the less it grips


def cycle(late: float) -> tuple[float, float, float]:
    """When the tyre grips again, how fast it slipped, and how much slower the car is then."""
    roll, x, a, b = (MOST - LOW) / RATE, GROWTH * late, R * RATE / J, R * (MOST - LOW) / J
    slip = a / GROWTH**2 * (math.exp(x) - 1 - x)
    back = math.log(b / (b - GROWTH * slip)) / GROWTH
    way = a / GROWTH**2 * (math.expm1(x) / GROWTH - late - GROWTH * late**2 / 2)
    way += (slip - b / GROWTH) * math.expm1(GROWTH * back) / GROWTH + b * back / GROWTH
    slower = MU * G * (MOST**2 - LOW**2) / (2 * MOST * RATE) + G * (MU * (late + back) - FADE * way)
    return roll + late + back, slip, slower


def let_go(period: float, slower: float) -> float:
    """When three cycles and part of a fourth have taken 3 m/s off."""
    moment = math.sqrt(LOW**2 + 2 * MOST * RATE * (3 - 3 * slower) / (MU * G))
    return 3 * period + (moment - LOW) / RATE


def draw(run: Run, file: str) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes, (times, spin) = figure.subplots(), run.signal("wheel.wz")
    axes.plot(*run.signal("wheel.vx"), color="#0072B2", label="car")
    axes.plot(times, -R * spin, color="#D55E00", linewidth=1, label="rim of the wheel")
    axes.set(xlabel="time (s)", ylabel="m/s", title="A brake that eases when the tyre slips")
    axes.legend(loc="upper right")
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw the speeds")
    file = parser.parse_args().plot
    print(f"{'':32}{'measured':>16}{'closed form':>16}")
    model = parse_model(example_text("brake"))
    for late, until in ((0.02, 0.6), (0.03, 0.2)):
        run = simulate(model.automaton({"late": late}), until=until)
        period, slip, slower = cycle(late)
        rows = [("skids", 0, (MOST - LOW) / RATE), ("grips", 0, period)]
        rows += [("grips", 2, 3 * period), ("let_go", 0, let_go(period, slower))] * (late < 0.03)
        for kind, n, time in rows:
            what = f"{late} s late: {kind} {n + 1} (s)"
            print(f"{what:32}{run.times(kind)[n]:16.10f}{time:16.10f}")
        seen = run.automaton.observe(run.at(run.times("ease")[0]))["slip_speed[wheel,road]"]
        print(f"{f'{late} s late: fastest slip (m/s)':32}{seen:16.10f}{slip:16.10f}")
        if file and late < 0.03:
            draw(run, file)
