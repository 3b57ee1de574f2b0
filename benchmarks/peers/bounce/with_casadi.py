# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""CasADi: its event-handling Runge–Kutta integrator, in its virtual machine and as generated C."""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import Any

import casadi

from benchmarks.peers.bounce.task import ABSOLUTE, BOUNCES, HEIGHT, RELATIVE, E, G, error, horizon
from benchmarks.peers.measure import best, say

FLAGS = ("-O2", "-fPIC", "-shared", "-fno-math-errno")


def integrator(kept: int) -> Any:
    """Height, speed, number of impacts, and the times of the first ``kept`` of them."""
    x = casadi.SX.sym("x", 3 + kept)
    ode = casadi.vertcat(x[1], -G, *[0] * (1 + kept))
    index, t = casadi.SX.sym("index"), casadi.SX.sym("t")
    none = [casadi.SX.sym(name, 0) for name in "zpu"]
    times = [casadi.if_else(x[2] == k, t, x[3 + k]) for k in range(kept)]
    after = casadi.vertcat(0, -E * x[1], x[2] + 1, *times)
    jump = casadi.Function(
        "jump",
        [index, t, x, *none],
        [after, none[0]],
        casadi.event_in(),
        casadi.event_out(),
    )
    options = {"reltol": RELATIVE, "abstol": ABSOLUTE, "transition": jump, "event_tol": 1e-14}
    dae = {"x": x, "ode": ode, "zero": x[0]}
    return casadi.integrator("bounce", "erk", dae, 0.0, horizon(), options)


def generated(function: Any, folder: str) -> Any:
    """The same function from its C code."""
    with_header = casadi.CodeGenerator("bounce.c")
    with_header.add(function)
    with_header.generate(folder + os.sep)
    source, target = os.path.join(folder, "bounce.c"), os.path.join(folder, "bounce.so")
    subprocess.run(["cc", *FLAGS, source, "-o", target, "-lm"], check=True)
    return casadi.external("bounce", target)


def times(function: Any) -> list[float]:
    found = function(x0=[HEIGHT, *[0.0] * (2 + BOUNCES)])["xf"].full().ravel()
    return [float(t) for t in found[3:]]


def answer(name: str, short: Any, whole: Any) -> dict[str, Any]:
    start = casadi.DM([HEIGHT, 0.0, 0.0])
    buffer, call = short.buffer()
    given, got = start.full(), casadi.DM.zeros(3).full()
    buffer.set_arg(0, memoryview(given))
    buffer.set_res(0, memoryview(got))
    return {
        "peer": name,
        "version": casadi.__version__,
        "seconds": best(call),
        "error": error(times(whole)) if got[2, 0] == BOUNCES else float("inf"),
        "note": f"{got[2, 0]:.0f} impacts; times are read in a second run that keeps them",
    }


if __name__ == "__main__":
    short, whole = integrator(0), integrator(BOUNCES)
    answers = [answer("CasADi erk", short, whole)]
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        compiled = generated(short, one), generated(whole, other)
        answers.append(answer("CasADi erk, generated C", *compiled))
    say(*answers)
