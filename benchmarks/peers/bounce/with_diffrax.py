# mypy: ignore-errors
# (it runs where its peer is installed; mypy runs where it is not)
"""diffrax: Dopri5 with an event, twenty times in one compiled scan; JAX on the processor."""

from __future__ import annotations

import diffrax
import jax
import jax.numpy as jnp
import optimistix

from benchmarks.peers.bounce.task import ABSOLUTE, BOUNCES, HEIGHT, RELATIVE, E, G, error
from benchmarks.peers.measure import best, once, say

jax.config.update("jax_enable_x64", True)


def rate(_time, state, _args):
    return jnp.stack([state[1], jnp.asarray(-G)])


def below(t, y, args, **others):  # called by keyword
    return y[0]


FALL = diffrax.ODETerm(rate)
EVENT = diffrax.Event(below, optimistix.Newton(1e-14, 1e-14), direction=False)
CONTROL = diffrax.PIDController(rtol=RELATIVE, atol=ABSOLUTE)


def bounce(carried, _):
    now, state = carried
    found = diffrax.diffeqsolve(
        FALL,
        diffrax.Dopri5(),
        now,
        now + 10.0,
        None,
        state,
        stepsize_controller=CONTROL,
        event=EVENT,
        saveat=diffrax.SaveAt(t1=True),
        throw=False,
    )
    time, end = found.ts[-1], found.ys[-1]
    return (time, jnp.stack([jnp.asarray(0.0), -E * end[1]])), time


@jax.jit
def bounces(height):
    start = jnp.asarray(0.0), jnp.stack([height, jnp.asarray(0.0)])
    return jax.lax.scan(bounce, start, None, length=BOUNCES)[1]


def run() -> list[float]:
    return [float(t) for t in bounces(HEIGHT).block_until_ready().tolist()]


if __name__ == "__main__":
    compiling = once(run)
    say(
        {
            "peer": "diffrax Dopri5",
            "version": diffrax.__version__,
            "seconds": best(lambda: bounces(HEIGHT).block_until_ready(), wall=True),
            "error": error(run()),
            "note": f"by the wall clock; compiling took {compiling:.1f} s",
        }
    )
