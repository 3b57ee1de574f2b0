"""When a sliding ball starts to roll, against the closed form: see README.md."""

import argparse

from matplotlib.figure import Figure

from dyverse import Run, example_text, generate, parse_world, simulate

G, RADIUS = 9.81, 0.11


def rolls(v0: float, mu: float) -> tuple[float, float]:
    """When a solid ball without spin starts to roll, and how fast: 2 v₀/(7 μ g), 5 v₀/7."""
    return 2 * v0 / (7 * mu * G), 5 * v0 / 7


def play(v0: float, mu: float) -> Run:
    world = parse_world(example_text("sliding-to-rolling"))
    return simulate(generate(world, {"v0": v0, "mu": mu}), until=2)


def draw(run: Run, file: str, *, v0: float, mu: float) -> None:
    time, speed = rolls(v0, mu)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    curves = {"speed of the centre": ("ball.vx", 1.0), "spin × radius": ("ball.wz", -RADIUS)}
    for (label, (name, scale)), colour in zip(curves.items(), ("#0072B2", "#D55E00"), strict=True):
        times, values = run.signal(name)
        axes.plot(times, scale * values, label=label, color=colour, linewidth=2)
    times, slip = run.signal("slip_speed[ball,lane]")
    axes.plot(times, slip, label="slip speed", color="#009E73", linestyle="--")
    axes.plot(time, speed, "ko", label="2v₀/(7μg), 5v₀/7")
    axes.axvspan(0, time, color="#E69F00", alpha=0.12, label="slip")
    axes.axvspan(time, 2, color="#0072B2", alpha=0.10, label="stick: it rolls")
    axes.set(xlabel="time (s)", ylabel="m/s", xlim=(0, 2), title="A bowling ball starts to roll")
    axes.legend(loc="upper right", fontsize=9, ncols=2)
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw speed and spin")
    file = parser.parse_args().plot
    print(f"{'':30}{'measured':>16}{'closed form':>16}")
    for v0, mu in ((7.0, 0.2), (7.0, 0.5), (3.0, 0.1)):
        run, (time, speed) = play(v0, mu), rolls(v0, mu)
        label = f"v0 = {v0}, mu = {mu}: "
        print(f"{label + 'rolls (s)':30}{run.times('stick')[0]:16.10f}{time:16.10f}")
        print(f"{'  speed then (m/s)':30}{run.final['ball.vx']:16.10f}{speed:16.10f}")
        print(f"{'  spin (rad/s)':30}{-run.final['ball.wz']:16.10f}{speed / RADIUS:16.10f}")
    if file:
        draw(play(7.0, 0.2), file, v0=7.0, mu=0.2)
