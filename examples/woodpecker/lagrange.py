"""The woodpecker by Lagrange's equations of three coordinates, mode by mode.

The coordinates are the height of the sleeve, its turn, and the turn of the bird. Contacts are the
lower edge of the sleeve (0) and the beak (1): in a cycle, no other touches the pole.
"""

from collections.abc import Callable, Iterator

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp

MU, R, E = 0.3, 0.0025, (0.0, 0.5)  # friction, radius of the pole, restitutions of both contacts
MODES: dict[
    str, list[list[float]]
] = {  # laws of the turn of the sleeve and of the forces, normal and friction, at its edge
    "free": [[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]],
    "slip": [[0, 1, 0, 0, 0], [0, 0, 0, -MU, 1]],  # downwards
    "stick": [[0, 1, 0, 0, 0], [1, 0, 0, 0, 0]],
}
START = np.array([0, 0, -0.2788, -0.3411, 0, -7.4583])
START[1] = np.arctan2(0.0058, 0.0031) - np.arccos(R / np.hypot(0.0031, 0.0058))  # the edge touches


def turned(angle: ca.SX, x: float, y: float) -> ca.SX:
    c, s = ca.cos(angle), ca.sin(angle)
    return ca.vertcat(x * c - y * s, x * s + y * c)


def equations() -> ca.Function:
    """Of a state: mass matrix, load, both gaps, and the directions of the forces of each."""
    q, v = ca.SX.sym("q", 3), ca.SX.sym("v", 3)
    sleeve = ca.vertcat(0, q[0])
    bird = sleeve + turned(q[1], 0.010, 0) + turned(q[2], 0.015, 0)
    speed = ca.sumsqr(ca.jacobian(bird, q) @ v)
    kinetic = (0.0045 * speed + 0.0003 * v[0] ** 2 + 5e-9 * v[1] ** 2 + 7e-7 * v[2] ** 2) / 2
    height = 0.0045 * bird[1] + 0.0003 * q[0]
    potential = 9.81 * height + 0.0056 * (q[2] - q[1]) ** 2 / 2
    mass = ca.hessian(kinetic, v)[0]
    load = ca.gradient(kinetic - potential, q) - ca.jacobian(mass @ v, q) @ v
    points = [sleeve + turned(q[1], 0.0031, -0.0058), bird + turned(q[2], -0.0201, 0.02)]
    gaps, ways = [point[0] - R for point in points], [ca.jacobian(point, q) for point in points]
    return ca.Function("equations", [ca.vertcat(q, v)], [mass, load, ca.vertcat(*gaps), *ways])


EQUATIONS = equations()


def solved(y: np.ndarray, laws: list[list[float]], right: list[float], contact: int) -> np.ndarray:
    """Accelerations and forces, or jumps of rates and impulses, by two laws of a contact."""
    mass, _, _, *ways = (value.full() for value in EQUATIONS(y))
    return np.linalg.solve(np.vstack([np.hstack([mass, -ways[contact].T]), laws]), right)


def pushed(mode: str, y: np.ndarray) -> np.ndarray:
    return solved(y, MODES[mode], [*EQUATIONS(y)[1].full().ravel(), 0, 0], 0)


def hit(y: np.ndarray, contact: int) -> np.ndarray:
    """The state after an impact in which the point slips up or down at last."""
    normal, along = EQUATIONS(y)[3 + contact].full()
    right = [0, 0, 0, -(1 + E[contact]) * float(normal @ y[3:]), 0]
    for way in (-1, 1):
        laws = [[*normal, 0, 0], [0, 0, 0, way * MU, 1]]
        after = y[3:] + solved(y, laws, right, contact)[:3]
        if way * (along @ after) > 0:
            return np.concatenate([y[:3], after])
    raise ValueError("the point sticks in this impact")


def ends(mode: str) -> dict[str, Callable[[float, np.ndarray], float]]:
    """What a mode ends with, as functions that fall to zero then."""
    match mode:
        case "free":
            return {
                "edge": lambda _, y: float(EQUATIONS(y)[2][0]),
                "beak": lambda _, y: float(EQUATIONS(y)[2][1]),
            }
        case "slip":
            return {"stick": lambda _, y: -y[3], "release": lambda _, y: pushed("slip", y)[3]}
        case _:
            return {"slip": lambda _, y: MU * pushed("stick", y)[3] - pushed("stick", y)[4]}


def passed(mode: str, now: float, y: np.ndarray, until: float) -> tuple[float, np.ndarray, str]:
    """When a mode ends, the state there, and what ends it."""
    watched = ends(mode)
    for function in watched.values():
        function.terminal, function.direction = True, -1  # type: ignore[attr-defined]
    found = solve_ivp(
        lambda _, y: [*y[3:], *pushed(mode, y)[:3]],
        (now, until),
        y,
        method="DOP853",
        events=[*watched.values()],
        rtol=1e-12,
        atol=1e-14,
    )
    what = [name for name, times in zip(watched, found.t_events or (), strict=True) if len(times)]
    return float(found.t[-1]), found.y[:, -1], what[0] if what else ""


def events(until: float) -> Iterator[tuple[float, str]]:
    """When the sleeve sticks, slips and lets go, and what hits the pole."""
    now, y, what = passed("slip", 0.0, START, until)
    while what:
        yield now, what
        y, mode = follows(what, y)
        now, y, what = passed(mode, now, y, until)


def follows(name: str, y: np.ndarray) -> tuple[np.ndarray, str]:
    """State and mode behind an event."""
    if name in ("edge", "beak"):
        y = hit(y, ("edge", "beak").index(name))
        shut = name == "edge" and pushed("slip", y)[3] > 0
        return y, "slip" if shut else "free"
    return y, "free" if name == "release" else name
