"""What a listing says of bodies that are kept in planes: see `dyverse.contact.pair.planar`."""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.bodies.world import AXES, World

PROSE = """\
minv_h[σ], minv_W_N[σ,α,β], minv_W_T1[σ,α,β]: 0 for the speed σ along {axis} of a body
the parts for its spin: those of its torque about {axis}, over its moment of inertia about that
axis[α,β]: {unit}
slip_2[α,β], W_T2[σ,α,β], minv_W_T2[σ,α,β]: 0; C22[α-β,α-β]: C11[α-β,α-β]""".splitlines()


def plane_lines(world: World) -> Iterator[str]:
    """What is otherwise, because guides hold whatever leaves the plane."""
    if world.planar is None:
        return
    axis, unit = AXES[world.planar], tuple(int(i == world.planar) for i in range(3))
    yield f"  In planes across {axis} bodies are held by guides, α-β being any contact; instead:"
    yield from (f"  {line.format(axis=axis, unit=unit)}" for line in PROSE)
