"""What a listing says of rolling and spinning resistance: see `dyverse.contact.pair.resistance`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dyverse.bodies.pairs import TouchingPair
from dyverse.contact.pair.kinematics import Resistance
from dyverse.exporters.listed import schemas

SLIPS = {
    Resistance.ROLLING: ("dot(tangent_1[{p}], {twist})", "dot(tangent_2[{p}], {twist})"),
    Resistance.SPINNING: ("dot(normal[{p}], {twist})", "0"),
}
IN_PLANE = "dot(tangent_2[{p}], {twist})", "0"  # what rolls does so about one tangent
SAME = ("gap", "normal_speed", "normal_acceleration")
PROSE = """\
W_N[σ,α,β], minv_W_N[σ,α,β]: 0
W_T1[σ,α,β], W_T2[σ,α,β]: the derivatives of slip_1[α,β] and slip_2[α,β] by σ
minv_W_T1[σ,α,β], minv_W_T2[σ,α,β]: M^-1 times these
lambda_N[α,β]: that of the contact at which it is; free_normal[α,β]: 0
A[α-β,α-β]: C11[α-β,α-β]; A[α-β,γ-δ]: -C11[α-β,α-β] if it is at γ-δ
in an impact node drive_N, drive_T1, drive_T2 and friction of α-β are 0""".splitlines()


def resistance_lines(pairs: Sequence[TouchingPair]) -> Iterator[str]:
    """Definitions for what resists turning; each comes behind the contact at which it does."""
    yield "  For what resists turning, α-β, instead, σ being a speed of a moving body:"
    leader = pairs[0]
    for pair in pairs:
        if pair.pair.resistance is None:
            leader = pair
        else:
            yield from (f"  {line}" for line in _own(pair, leader))
    yield from (f"  {line}" for line in PROSE)
    first = next(i for i, line in enumerate(schemas.OF_CONTACTS) if line.startswith("slip_speed"))
    lines = (line for line in schemas.OF_CONTACTS[first:] if not line.startswith("normal_acc"))
    yield "  for what resists turning, α-β:"
    yield from (f"    {line}" for line in lines)


def _own(pair: TouchingPair, leader: TouchingPair) -> Iterator[str]:
    r, p = (one.name.replace("-", ",", 1) for one in (pair, leader))
    assert pair.pair.resistance is not None
    a, b = leader.ends
    yield from (f"{quantity}[{r}] = {quantity}[{p}]" for quantity in SAME)
    slips = SLIPS[pair.pair.resistance] if pair.pair.across is None else IN_PLANE
    for i, slip in enumerate(slips, start=1):
        yield f"slip_{i}[{r}] = {slip.format(p=p, twist=f'(spin[{b}] - spin[{a}])')}"
