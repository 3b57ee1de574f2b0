# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""scipy: `solve_ivp` with NumPy callbacks on the same 24 variables, impacts in closed form."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from benchmarks.peers.measure import Answer, best, say
from benchmarks.peers.spheres.task import ABSOLUTE, RELATIVE, UNTIL

Array = NDArray[np.float64]

K, R, E, MU = 2.0, 0.5, 0.8, 0.3
GRAVITY = np.array([0.0, -9.81, 0.0])
SPIN = 2.5 / R**2  # 1/inertia of a solid sphere of 1 kg
START = np.zeros(24)  # q1, φ1, q2, φ2, v1, ω1, v2, ω2
START[0:3], START[6:9] = (0, 3, 0), (1.5, 0, 0)
START[12:15], START[15:18] = (1, 1, 0), (0, 3, 20)


def rate(_time: float, x: Array) -> Array:
    out = np.zeros(24)
    out[:12] = x[12:]
    out[12:15] = GRAVITY
    lead = x[0:3] - x[6:9]
    out[18:21] = GRAVITY + np.array([K * lead[0], -100 * x[7], 100 * lead[2]])
    return out


def gap(_time: float, x: Array) -> float:
    return float(np.linalg.norm(x[0:3] - x[6:9]) - 2 * R)


gap.terminal, gap.direction = True, -1  # type: ignore[attr-defined]


def impact(x: Array) -> Array:
    """Newton's law with Coulomb friction at one contact of two equal spheres."""
    after = x.copy()
    v1, w1, v2, w2 = (after[i : i + 3] for i in (12, 15, 18, 21))
    apart = x[0:3] - x[6:9]
    normal = apart / np.linalg.norm(apart)
    relative = v1 - v2 - R * np.cross(w1 + w2, normal)
    approach = relative @ normal
    slip = relative - approach * normal
    pushed = -(1 + E) * approach / 2
    stuck = -slip / (2 + 2 * R**2 * SPIN)
    size = np.linalg.norm(stuck)
    pulled = stuck * min(1.0, MU * pushed / size) if size > 0 else stuck
    impulse, turn = pushed * normal + pulled, -R * SPIN * np.cross(normal, pulled)
    v1 += impulse
    v2 -= impulse
    w1 += turn
    w2 += turn
    return after


def run(method: str) -> tuple[list[float], Array]:
    now, x, times = 0.0, START, []
    while True:
        found = solve_ivp(rate, (now, UNTIL), x, method, events=gap, rtol=RELATIVE, atol=ABSOLUTE)
        now, x = float(found.t[-1]), found.y[:, -1]
        if found.status != 1:
            return times, x
        times.append(now)
        x = impact(x)


def answer(method: str) -> Answer:
    times, final = run(method)
    return {
        "peer": f"scipy {method}, NumPy callbacks",
        "version": scipy.__version__,
        "seconds": best(lambda: run(method)),
        "times": times,
        "final": final.tolist(),
    }


if __name__ == "__main__":
    say(*map(answer, ("RK45", "DOP853")))
