# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""PyBullet at its default step, restitution 0.8 on the ball and 1 on the floor."""

from __future__ import annotations

from importlib.metadata import version

import pybullet

from benchmarks.peers.bounce.stepping import RADIUS, judged
from benchmarks.peers.bounce.task import HEIGHT, E, G, horizon
from benchmarks.peers.measure import best, say

STEP = 1 / 240


def built() -> int:
    pybullet.resetSimulation()
    pybullet.setGravity(0, 0, -G)
    plane = pybullet.createCollisionShape(pybullet.GEOM_PLANE)
    floor = pybullet.createMultiBody(0, plane)
    sphere = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=RADIUS)
    ball = pybullet.createMultiBody(1, sphere, basePosition=[0, 0, HEIGHT + RADIUS])
    pybullet.changeDynamics(floor, -1, restitution=1.0)
    pybullet.changeDynamics(ball, -1, restitution=E, linearDamping=0, angularDamping=0)
    return int(ball)


def main() -> None:
    pybullet.connect(pybullet.DIRECT)
    ball = built()

    def advance() -> tuple[float, float]:
        pybullet.stepSimulation()
        (_, _, z), _ = pybullet.getBasePositionAndOrientation(ball)
        (_, _, speed), _ = pybullet.getBaseVelocity(ball)
        return z - RADIUS, speed

    found = judged(STEP, advance)

    def run() -> None:
        built()
        for _ in range(int(horizon() / STEP)):
            pybullet.stepSimulation()

    say({"peer": "PyBullet", "version": version("pybullet"), "seconds": best(run), **found})


if __name__ == "__main__":
    main()
