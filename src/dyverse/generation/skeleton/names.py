"""Names of the quantities that guards, domains and resets speak of: ``gap[ball1,ball2]``.

A contact ``a-b`` has the signals ``gap`` g_N, ``normal_speed`` ġ_N, ``normal_acceleration`` g̈_N,
``slip_speed`` ‖ġ_T‖, ``slip_acceleration`` ‖g̈_T‖, ``normal_force`` λ_N, ``friction_force`` ‖λ_T‖
and ``friction_limit`` μ λ_N, each written with ``[a,b]``.
"""

from __future__ import annotations

from dyverse.expr.term import Symbol

SIGNALS = (
    "gap",
    "normal_speed",
    "normal_acceleration",
    "slip_speed",
    "slip_acceleration",
    "normal_force",
    "friction_force",
    "friction_limit",
)


def signal_name(quantity: str, contact: str) -> str:
    """The name of a contact's quantity: ``gap`` of ``ball1-ball2`` is ``gap[ball1,ball2]``."""
    return f"{quantity}[{contact.replace('-', ',', 1)}]"


def signal(quantity: str, contact: str) -> Symbol:
    """The same as a term."""
    return Symbol(signal_name(quantity, contact))


def signal_parts(name: str) -> tuple[str, str]:
    """The quantity and the contact of a signal's name: the inverse of `signal_name`."""
    quantity, _, bodies = name.removesuffix("]").partition("[")
    return quantity, bodies.replace(",", "-", 1)
