"""An arm from its URDF file, against MuJoCo: see README.md."""

import argparse
from pathlib import Path

import mujoco

from dyverse import Options, example_text, generate, parse_world, simulate
from dyverse.exporters.signals_plot import plot_signals

WORLD = parse_world(example_text("robot-arm"))
ROBOT = str(Path(__file__).with_name("robot.urdf"))
NATIVE = Options(solver="native")
JOINTS = ("turn", "shoulder", "elbow")
AIMS = ((60.0, 0.6), (30.0, 0.4))  # stiffness (N m/rad) and aim (rad) that do not touch the ball


def theirs(k: float, aim: float) -> list[float]:
    """The angles after a second (rad), as MuJoCo follows the file with the same motors."""
    spec = mujoco.MjSpec.from_file(ROBOT)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep = 1e-3
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:] = 0, 0.6, 1

    def drive(_: mujoco.MjModel, now: mujoco.MjData) -> None:
        turn, shoulder, elbow = now.qpos
        w1, w2, w3 = now.qvel
        now.qfrc_applied[0] = 20 * (aim - turn) - 5 * w1
        now.qfrc_applied[1] = k * (0.6 - shoulder) - 3 * w2
        now.qfrc_applied[2] = k * (1 - elbow) - 2 * w3

    mujoco.set_mjcb_control(drive)
    mujoco.mj_step(model, data, 1000)
    mujoco.set_mjcb_control(None)
    return [float(angle) for angle in data.qpos]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw how near the hand comes to the ball")
    print(f"{'angle after 1 s (rad)':40}{'dyverse':>14}{'MuJoCo':>14}")
    for k, aim in AIMS:
        run = simulate(generate(WORLD, {"k": k, "aim": aim}), until=1, options=NATIVE)
        for joint, angle in zip(JOINTS, theirs(k, aim), strict=True):
            own = run.signal(f"{joint}.angle")[1][-1]
            print(f"{f'{joint}, k = {k:g}, aim = {aim:g}':40}{own:14.8f}{angle:14.8f}")
    if file := parser.parse_args().plot:
        made = ((f"k = {k} N m/rad", {"k": k, "aim": 1}) for k in (60, 20))
        runs = {name: simulate(generate(WORLD, own), until=1, options=NATIVE) for name, own in made}
        plot_signals(runs, ["gap[lower.geom2,forbidden]"], file, label="to the ball (m)")
