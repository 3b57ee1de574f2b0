# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""scipy: `solve_ivp` to the next impact, twenty times."""

from __future__ import annotations

import scipy
from scipy.integrate import solve_ivp

from benchmarks.peers.bounce.task import ABSOLUTE, BOUNCES, HEIGHT, RELATIVE, E, G, error, horizon
from benchmarks.peers.measure import best, say


def rate(_time, state):
    return (state[1], -G)


def floor(_time, state):
    return state[0]


floor.terminal, floor.direction = True, -1  # type: ignore[attr-defined]


def bounces(method: str) -> list[float]:
    times, state, now = [], (HEIGHT, 0.0), 0.0
    while len(times) < BOUNCES:
        found = solve_ivp(
            rate, (now, horizon()), state, method, events=floor, rtol=RELATIVE, atol=ABSOLUTE
        )
        now, (_, speed) = found.t[-1], found.y[:, -1]
        times.append(float(now))
        state = (0.0, -E * speed)
    return times


if __name__ == "__main__":
    say(
        *(
            {
                "peer": f"scipy {method}",
                "version": scipy.__version__,
                "seconds": best(lambda method=method: bounces(method)),
                "error": error(bounces(method)),
            }
            for method in ("RK45", "DOP853", "LSODA")
        )
    )
