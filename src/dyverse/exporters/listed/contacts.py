"""The contacts of a world in the listing: what they touch with, their signals and laws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dyverse.bodies.pairs import TouchingPair
from dyverse.bodies.shapes import PAIRS
from dyverse.bodies.world import (
    AXES,
    Law,
    World,
)
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.contact.law.solve import DEFAULTS
from dyverse.contact.pair.kinematics import UNTURNED, Hold
from dyverse.exporters.listed import schemas
from dyverse.exporters.listed.lines import by_motion, factor, under
from dyverse.expr.printing import formula_text, number_text, term_text
from dyverse.expr.rewrite import rewritten, substitution
from dyverse.expr.rotation import matrix
from dyverse.expr.term import Symbol, Term, as_term


def of_pairs(world: World, pairs: list[TouchingPair]) -> Iterator[str]:
    """Signals of contacts between bodies, and with what these touch."""
    kinds = {(pair.met.a.kind, pair.met.b.kind) for pair in pairs}
    for (first, second), pair in PAIRS.items():
        for a, b, names in ((first, second, "αβ"), (second, first, "βα")):
            if (a, b) in kinds:
                lines = (*pair.listed, *schemas.ENDS)
                letters = str.maketrans("AB", names)
                yield from under(_title(a, b), (line.translate(letters) for line in lines))
                kinds.remove((a, b))
    yield from _features(pairs)
    yield from under("for every contact α-β, summed over both of its bodies γ", [schemas.DRIFT])
    yield from under("for every contact α-β", schemas.OF_CONTACTS)
    ends, turned_ends = schemas.OF_ENDS, schemas.OF_TURNED_ENDS
    yield from by_motion(
        world, "for every contact α-β and each moving body γ of it", ends, turned_ends
    )
    yield "  for a contact α-β and the speeds σ of other bodies, W_N[σ,α,β] and the like are 0"


def of_ties(ties: list[TouchingPair]) -> Iterator[str]:
    """Ropes, stops and limits, which have a gap and no friction."""
    yield "  For ropes, stops and limits α-β, instead, σ being a speed of a moving body:"
    for tie in ties:
        yield f"  gap[{tie.name.replace('-', ',')}]: as its joint says, see Joints"
    yield "  W_N[σ,α,β], minv_W_N[σ,α,β]: the derivative of gap[α,β]' by σ, and M^-1 times it"
    for name in ("W_T1", "W_T2", "minv_W_T1", "minv_W_T2"):
        yield f"  {name}[σ,α,β] = 0"
    yield from under("for ropes, stops and limits α-β", schemas.OF_TIES)


def of_rows() -> Iterator[str]:
    """What every two contacts do to each other."""
    title = "for every two contacts α-β and γ-δ, summed over all speeds σ of moving bodies"
    yield from under(title, schemas.OF_TWO_CONTACTS)
    yield from under("for every contact α-β, with every lambda at 0", schemas.FREE)


def _features(pairs: list[TouchingPair]) -> Iterator[str]:
    """Points of bodies that touch for them: each is named like a body, and moves with its own."""
    found = {
        f"{body.name}.{feature.name}": (body.name, feature)
        for pair in pairs
        for body, feature in ((pair.a, pair.met.a), (pair.b, pair.met.b))
        if feature.name
    }
    for name, (body, feature) in found.items():
        first = len(feature.numbers) - feature.hold.value
        offset = feature.numbers[first : first + 3]
        axes = (
            f"{factor(as_term(at))} * axis_{axis}[{body}]"
            for at, axis in zip(offset, AXES, strict=True)
        )
        place = f"position[{body}] + {' + '.join(axes)}".replace("+ -", "- ")
        if feature.hold == Hold.PLACED:
            yield f"  radius[{name}] = {term_text(as_term(feature.numbers[0]))}"
        else:
            yield from (f"  {line}" for line in _axes(name, body, feature.numbers[-4:]))
        for word, amount in zip(feature.words, feature.numbers, strict=False):
            yield f"  {word}[{name}] = {term_text(as_term(amount))}"
        yield f"  position[{name}] = {place}"
        yield f"  arm[{body},{name},β] = position[{name}] - position[{body}] + arm[{name},{name},β]"
        yield f"  side[{body},{name},β] = side[{name},{name},β]"
    if found:
        yield from under("for a point α of a body γ that touches for it", schemas.OF_POINTS)


def _axes(name: str, body: str, turn: tuple[Any, ...]) -> Iterator[str]:
    """The axes of a feature on a body, which may be turned there."""
    if turn == UNTURNED[3:]:
        yield from (f"axis_{axis}[{name}] = axis_{axis}[{body}]" for axis in AXES)
        return
    for axis, own in zip(AXES, zip(*matrix(turn), strict=True), strict=True):
        ways = (f"{factor(as_term(x))} * axis_{a}[{body}]" for x, a in zip(own, AXES, strict=True))
        yield f"axis_{axis}[{name}] = {' + '.join(ways)}".replace("+ -", "- ")


def _title(a: str, b: str) -> str:
    of = f"two {a}s" if a == b else f"a {a} and a {b}"
    return f"for every contact α-β of {of}"


def laws(pairs: list[TouchingPair]) -> Iterator[str]:
    """The coefficients: those that most contacts share, then the exceptions by name."""
    sharing: dict[Law, list[str]] = {}
    for pair in pairs:
        sharing.setdefault(pair.law, []).append(pair.name)
    common, *others = sorted(sharing, key=lambda law: -len(sharing[law]))
    but = " but those that follow" if others else ""
    yield from under(f"for every contact α-β{but}", _coefficients(common))
    for law in others:
        yield from under(f"for α-β in {', '.join(sharing[law])}", _coefficients(law))
    for pair in pairs:
        if pair.when is not None:
            when = formula_text(pair.when)
            yield f"  contact {pair.name} is open, whatever its gap, unless {when}"


def _coefficients(law: Law) -> Iterator[str]:
    yield f"restitution[α,β] = {term_text(law.restitution)}"
    yield f"tangential_restitution[α,β] = {term_text(law.tangential_restitution)}"
    yield f"friction[α,β] = {term_text(_friction(law.friction))}"


def _friction(term: Term) -> Term:
    return rewritten(term, substitution({"slip_speed": Symbol("slip_speed[α,β]")}))


def of_nodes(world: World) -> Iterator[str]:
    """What is solved in computation nodes."""
    yield from (f"  {line}" for line in IMPACT_LAWS[world.impact].listed)
    if world.without_collision:
        yield "  without collision: where a contact node has no forces for slip, speeds change so"
        yield "  that all contacts of its island stand still, and it is gone through again"
    yield f"  tolerance = {number_text(DEFAULTS.tolerance)}"
    yield "  phi_N[α,β], phi_T1[α,β], phi_T2[α,β]: what a node estimates for its contact α-β"
    yield from under("for every contact α-β of an impact node", schemas.IMPACT_DRIVES)
    yield from under("for every contact α-β of a contact node", schemas.CONTACT_DRIVES)
    yield from under(
        "for every contact α-β of a node, summed over its contacts γ-δ", schemas.RESPONSES
    )
    yield from under("for every contact α-β of a node", schemas.OF_NODES)
    yield from under(
        "for every contact α-β of a contact node with slip_speed > 0", [schemas.SLIDING]
    )
    yield from under(
        "for every node ν, most: the greatest over its contacts α-β", [schemas.RESIDUAL]
    )
