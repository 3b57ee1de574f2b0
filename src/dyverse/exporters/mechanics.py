"""F and Init of a world as lines for people, and the meaning of every name in a listing.

What the model says is written with its own names and numbers; what holds for every body, contact or
node is written once, see `dyverse.exporters.schemas`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dyverse.bodies.joint.links import links
from dyverse.bodies.pairs import TouchingPair, touching_pairs
from dyverse.bodies.shapes import PAIRS
from dyverse.bodies.world import (
    AXES,
    NOWHERE,
    ORIENTED,
    ZERO,
    Body,
    Law,
    Parameter,
    Spring,
    World,
)
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.contact.law.solve import DEFAULTS
from dyverse.contact.pair.kinematics import UNTURNED, Hold
from dyverse.exporters import schemas
from dyverse.exporters.joints import joint_lines
from dyverse.expr.printing import formula_text, number_text, term_text
from dyverse.expr.rewrite import rewritten, substitution
from dyverse.expr.rotation import matrix
from dyverse.expr.term import Binary, Number, Symbol, Term, Vector, as_term

STARTS = {"position": "", "rotation": "r", "velocity": "v", "spin": "w"}


def initial(world: World) -> Iterator[str]:
    """Init: where runs start, and within which ranges."""
    yield from ("", "Init")
    yield "  t = 0 in location {}; contacts that touch there close in the first instant"
    for body in world.bodies:
        if not body.is_unmoved:
            yield from _starts(body)
    yield "  every other variable is 0"
    yield from _titled("Parameters", map(parameter_text, world.parameters))
    yield from _titled("Inputs", map(_input, _inputs(world)))


def offers(world: World) -> Iterator[str]:
    """The channels that contacts give to the automata of the model."""
    told = (
        f"{pair.name} offers {offer.channel} on {offer.on}"
        for pair in touching_pairs(world)
        for offer in pair.offers
    )
    return _titled("Channels", told)


def _starts(body: Body) -> Iterator[str]:
    for what, letter in STARTS.items():
        vector: Vector = getattr(body, what)
        if what == "rotation" and body.motion == ORIENTED:
            yield from _lying(body.name, vector)
        elif not _is_zero(vector):
            yield f"  {_triple(body.name, letter)} = {_vector(vector)}"


def _lying(name: str, angles: Vector) -> Iterator[str]:
    """The orientation at the start: the product of turns about the axes of the world, x first."""
    lies = ", ".join(f"{name}.q{part}" for part in "wxyz")
    if _is_zero(angles):
        yield f"  ({lies}) = (1, 0, 0, 0)"
    else:
        yield f"  ({lies}) = turned{_vector(angles)}"


def parameter_text(parameter: Parameter) -> str:
    """``K = 2 in [1, 3]``."""
    limits = parameter.limits
    within = "" if limits is None else f" in [{term_text(limits[0])}, {term_text(limits[1])}]"
    return f"{parameter.name} = {term_text(parameter.value)}{within}"


def _inputs(world: World) -> Iterator[tuple[str, Term | None]]:
    return ((item.name, item.formula) for item in world.inputs)


def _input(named: tuple[str, Term | None]) -> str:
    name, formula = named
    return f"{name} = 0, unless set" if formula is None else f"{name} = {term_text(formula)}"


def flow(world: World) -> Iterator[str]:
    """F: what holds in every location, and what each mode of a contact adds."""
    yield from joint_lines(world)
    yield from ("", "Flow F")
    yield from _by_motion(world, "for every moving body α", schemas.MOTION, schemas.TURNING)
    speeds = "for every speed σ of a moving body"
    if not any(touching_pairs(world)) and not any(links(world)):
        yield from _under(speeds, [schemas.FREE_FLIGHT])
        return
    yield from _under(f"{speeds}, summed over all contacts α-β of the body", [schemas.ACCELERATION])
    for mode, lines in schemas.MODES.items():
        yield from _under(f"{mode}[α,β], for a contact α-β in that mode{_remark(mode)}", lines)
    yield "  If several lambda meet all of these, as at redundant contacts, one of them is taken."


def _remark(mode: str) -> str:
    match mode:
        case "open":
            return ": it is not closed"
        case "slip":
            return "; without friction lambda_T1 and lambda_T2 are 0"
        case _:
            return ""


def definitions(world: World) -> Iterator[str]:
    """Every name of a listing that is neither a variable, nor a parameter, nor an input."""
    yield from ("", "Definitions")
    yield "  t is the time (s); dot, cross, norm and unit are those of vectors (x, y, z);"
    if any(body.motion == ORIENTED for body in world.bodies):
        yield "  turned(a, b, c) is the turn by a, then b, then c about x, y and z of the world;"
        yield "  times(A, b) is a matrix, rows first, times a vector, solve(A, b) what gives b so;"
    yield "  ' is the rate of a quantity along F; if(c, a, b) is a where c holds, else b; SI units"
    yield from _of_world(world)
    still = "; a fixed one has speeds 0"
    kinds = schemas.OF_BODIES, schemas.OF_TURNED_BODIES
    yield from _by_motion(world, "for every body α", *kinds, remark=still)
    pairs, ties = list(touching_pairs(world)), list(links(world))
    if pairs:
        yield from _of_pairs(world, pairs)
    if ties:
        yield from _of_ties(ties)
    if pairs or ties:
        yield from _of_rows()
        yield from _laws([*pairs, *ties])
        yield from _of_nodes(world)


def _of_world(world: World) -> Iterator[str]:
    yield f"  gravity = {_vector(world.gravity)}"
    yield from (f"  {line}" for body in world.bodies for line in _body(body))
    pulls = [f"spring_{i}" for i in range(1, len(world.springs) + 1)]
    for name, spring in zip(pulls, world.springs, strict=True):
        yield f"  {name} = {_pull(spring)}"
    for body in world.bodies:
        if not body.is_unmoved:
            yield f"  force[{body.name}] = {_force(world, body, pulls)}"
            yield f"  torque[{body.name}] = {_summed(_loads(world, body, 'torque'))}"


def _body(body: Body) -> Iterator[str]:
    yield from body.shape.lines(body.name)
    if body.driven:
        yield from _driven(body, *body.driven)
    elif body.fixed:
        yield f"{_triple(body.name, '')} = {_vector(body.position)}"
    elif body.mass is not None:
        yield f"mass[{body.name}] = {term_text(body.mass)}"
        yield f"inertia[{body.name}] = {_inertia(body)}"


def _driven(body: Body, place: Vector, speed: Vector, acceleration: Vector) -> Iterator[str]:
    """A body that is moved: where to, and that nothing pushes it."""
    name, spins = body.name, _triple(body.name, "s" if body.motion == ORIENTED else "w")
    if place != NOWHERE:
        yield f"{_triple(name, '')} = {_vector(place)}"
    yield f"{_triple(name, 'v')} = {_vector(speed)}"
    yield f"(minv_h[{name}.vx], minv_h[{name}.vy], minv_h[{name}.vz]) = {_vector(acceleration)}"
    minv = ", ".join(f"minv_h[{spin}]" for spin in spins.strip("()").split(", "))
    if body.turned is None:
        yield f"({minv}) = (0, 0, 0)"
    else:
        angles, spin, rate = map(_vector, body.turned)
        lies = ", ".join(f"{name}.q{part}" for part in "wxyz")
        yield f"({lies}) = turned{angles}"
        yield f"{spins} = {_own(name, spin)}"
        yield f"({minv}) = {_own(name, rate)}"
    yield f"minv_W_N, minv_W_T1 and minv_W_T2 of the speeds of {name} are 0"


def _own(body: str, vector: str) -> str:
    """A vector in the axes of a body."""
    return f"({', '.join(f'dot(axis_{axis}[{body}], {vector})' for axis in AXES)})"


def _inertia(body: Body) -> str:
    if isinstance(body.inertia, tuple):
        return _matrix(body.inertia)
    moment = term_text(body.inertia) if body.inertia else body.shape.moment_text(body.name)
    if body.motion != ORIENTED or (body.inertia is None and not body.shape.is_round):
        return moment
    return f"(({moment}, 0, 0), (0, {moment}, 0), (0, 0, {moment}))"


def _matrix(inertia: tuple[Term, ...]) -> str:
    xx, yy, zz, xy, xz, yz = map(term_text, (*inertia, ZERO, ZERO, ZERO)[:6])
    return f"(({xx}, {xy}, {xz}), ({xy}, {yy}, {yz}), ({xz}, {yz}, {zz}))"


def _force(world: World, body: Body, pulls: list[str]) -> str:
    parts = [f"mass[{body.name}] * gravity", *_loads(world, body, "force")]
    for name, spring in zip(pulls, world.springs, strict=True):
        parts += [name] * (spring.body == body.name) + [f"-{name}"] * (spring.other == body.name)
    return _summed(parts)


def _loads(world: World, body: Body, kind: str) -> list[str]:
    loads = [load for load in world.loads if load.body == body.name]
    found = [_vector(load.vector) for load in loads if load.kind == kind]
    if kind == "torque":
        points = ((load.at, load.vector) for load in loads if load.at is not None)
        found += [f"cross({_arm(at, body.name)}, {_vector(vector)})" for at, vector in points]
    return found


def _arm(at: Vector, body: str) -> str:
    """A point of a body, from its centre."""
    along = zip(at, AXES, strict=True)
    return " + ".join(f"{_factor(term)} * axis_{axis}[{body}]" for term, axis in along)


def _summed(parts: list[str]) -> str:
    return " + ".join(parts).replace("+ -", "- ") or "(0, 0, 0)"


def _pull(spring: Spring) -> str:
    """The pull of a spring on its body; see `dyverse.mechanics.loads`."""
    here = f"position[{spring.body}]"
    joined = isinstance(spring.other, str)
    there = f"position[{spring.other}]" if joined else _vector(spring.other)  # type: ignore[arg-type]
    stiffness, damping = _factor(spring.stiffness), _factor(spring.damping)
    if _is_zero((spring.length, spring.damping)):
        return f"{stiffness} * ({there} - {here})"
    speed = f"velocity[{spring.other}] - " if joined else "-"
    along = f"unit({there} - {here})"
    stretch = f"{stiffness} * (norm({there} - {here}) - {_factor(spring.length)})"
    receding = f"dot({speed}velocity[{spring.body}], {along})"
    return f"({stretch} + {damping} * {receding}) * {along}"


def _by_motion(
    world: World, title: str, plain: Iterable[str], turned: Iterable[str], remark: str = ""
) -> Iterator[str]:
    """Lines for all bodies, or one kind of lines for each kind of bodies."""
    lie = [body.motion == ORIENTED for body in world.bodies]
    if not any(lie):
        yield from _under(f"{title}{remark}", plain)
        return
    if not all(lie):
        yield from _under(f"{title} without an orientation{remark}", plain)
    yield from _under(f"{title} with an orientation{remark}", turned)


def _of_pairs(world: World, pairs: list[TouchingPair]) -> Iterator[str]:
    kinds = {(pair.met.a.kind, pair.met.b.kind) for pair in pairs}
    for (first, second), pair in PAIRS.items():
        for a, b, names in ((first, second, "αβ"), (second, first, "βα")):
            if (a, b) in kinds:
                lines = (*pair.listed, *schemas.ENDS)
                letters = str.maketrans("AB", names)
                yield from _under(_title(a, b), (line.translate(letters) for line in lines))
                kinds.remove((a, b))
    yield from _features(pairs)
    yield from _under("for every contact α-β, summed over both of its bodies γ", [schemas.DRIFT])
    yield from _under("for every contact α-β", schemas.OF_CONTACTS)
    ends, turned_ends = schemas.OF_ENDS, schemas.OF_TURNED_ENDS
    yield from _by_motion(
        world, "for every contact α-β and each moving body γ of it", ends, turned_ends
    )
    yield "  for a contact α-β and the speeds σ of other bodies, W_N[σ,α,β] and the like are 0"


def _of_ties(ties: list[TouchingPair]) -> Iterator[str]:
    """Ropes, stops and limits, which have a gap and no friction."""
    yield "  For ropes, stops and limits α-β, instead, σ being a speed of a moving body:"
    for tie in ties:
        yield f"  gap[{tie.name.replace('-', ',')}]: as its joint says, see Joints"
    yield "  W_N[σ,α,β], minv_W_N[σ,α,β]: the derivative of gap[α,β]' by σ, and M^-1 times it"
    for name in ("W_T1", "W_T2", "minv_W_T1", "minv_W_T2"):
        yield f"  {name}[σ,α,β] = 0"
    yield from _under("for ropes, stops and limits α-β", schemas.OF_TIES)


def _of_rows() -> Iterator[str]:
    """What every two contacts do to each other."""
    title = "for every two contacts α-β and γ-δ, summed over all speeds σ of moving bodies"
    yield from _under(title, schemas.OF_TWO_CONTACTS)
    yield from _under("for every contact α-β, with every lambda at 0", schemas.FREE)


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
            f"{_factor(as_term(at))} * axis_{axis}[{body}]"
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
        yield from _under("for a point α of a body γ that touches for it", schemas.OF_POINTS)


def _axes(name: str, body: str, turn: tuple[Any, ...]) -> Iterator[str]:
    """The axes of a feature on a body, which may be turned there."""
    if turn == UNTURNED[3:]:
        yield from (f"axis_{axis}[{name}] = axis_{axis}[{body}]" for axis in AXES)
        return
    for axis, own in zip(AXES, zip(*matrix(turn), strict=True), strict=True):
        ways = (f"{_factor(as_term(x))} * axis_{a}[{body}]" for x, a in zip(own, AXES, strict=True))
        yield f"axis_{axis}[{name}] = {' + '.join(ways)}".replace("+ -", "- ")


def _title(a: str, b: str) -> str:
    of = f"two {a}s" if a == b else f"a {a} and a {b}"
    return f"for every contact α-β of {of}"


def _laws(pairs: list[TouchingPair]) -> Iterator[str]:
    """The coefficients: those that most contacts share, then the exceptions by name."""
    sharing: dict[Law, list[str]] = {}
    for pair in pairs:
        sharing.setdefault(pair.law, []).append(pair.name)
    common, *others = sorted(sharing, key=lambda law: -len(sharing[law]))
    but = " but those that follow" if others else ""
    yield from _under(f"for every contact α-β{but}", _coefficients(common))
    for law in others:
        yield from _under(f"for α-β in {', '.join(sharing[law])}", _coefficients(law))
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


def _of_nodes(world: World) -> Iterator[str]:
    yield from (f"  {line}" for line in IMPACT_LAWS[world.impact].listed)
    if world.without_collision:
        yield "  without collision: where a contact node has no forces for slip, speeds change so"
        yield "  that all contacts of its island stand still, and it is gone through again"
    yield f"  tolerance = {number_text(DEFAULTS.tolerance)}"
    yield "  phi_N[α,β], phi_T1[α,β], phi_T2[α,β]: what a node estimates for its contact α-β"
    yield from _under("for every contact α-β of an impact node", schemas.IMPACT_DRIVES)
    yield from _under("for every contact α-β of a contact node", schemas.CONTACT_DRIVES)
    yield from _under(
        "for every contact α-β of a node, summed over its contacts γ-δ", schemas.RESPONSES
    )
    yield from _under("for every contact α-β of a node", schemas.OF_NODES)
    yield from _under(
        "for every contact α-β of a contact node with slip_speed > 0", [schemas.SLIDING]
    )
    yield from _under(
        "for every node ν, most: the greatest over its contacts α-β", [schemas.RESIDUAL]
    )


def _titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines under a title of their own, if there are any."""
    shown = [f"  {line}" for line in lines]
    if shown:
        yield from ("", title, *shown)


def _under(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"  {title}"
    yield from (f"    {line}" for line in lines)


def _triple(body: str, letter: str) -> str:
    return f"({', '.join(f'{body}.{letter}{axis}' for axis in 'xyz')})"


def _vector(vector: Vector) -> str:
    return f"({', '.join(map(term_text, vector))})"


def _factor(term: Term) -> str:
    text = term_text(term)
    return f"({text})" if isinstance(term, Binary) else text


def _is_zero(terms: Iterable[Term]) -> bool:
    return all(isinstance(term, Number) and term.value == 0 for term in terms)
