# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""scikit-sundae: CVODE to the next impact, twenty times, with a Python right-hand side."""

from __future__ import annotations

import numpy as np
import sksundae
from sksundae.cvode import CVODE

from benchmarks.peers.bounce.task import ABSOLUTE, BOUNCES, HEIGHT, RELATIVE, E, G, error, horizon
from benchmarks.peers.measure import best, say


def rate(_time, state, out):
    out[0], out[1] = state[1], -G


def floor(_time, state, out):
    out[0] = state[0]


floor.terminal, floor.direction = [True], [-1]  # type: ignore[attr-defined]
ACCURACY = {"rtol": RELATIVE, "atol": ABSOLUTE}


def solver(method: str) -> CVODE:
    return CVODE(rate, method=method, eventsfn=floor, num_events=1, **ACCURACY)


def bounces(solver: CVODE) -> list[float]:
    times, state, now = [], np.array([HEIGHT, 0.0]), 0.0
    while len(times) < BOUNCES:
        found = solver.solve([now, horizon()], state)
        now, speed = found.t[-1], found.y[-1, 1]
        times.append(float(now))
        state = np.array([0.0, -E * speed])
    return times


if __name__ == "__main__":
    say(
        *(
            {
                "peer": f"scikit-sundae CVODE {method}",
                "version": sksundae.__version__,
                "seconds": best(lambda method=method: bounces(solver(method))),
                "error": error(bounces(solver(method))),
            }
            for method in ("BDF", "Adams")
        )
    )
