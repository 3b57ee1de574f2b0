"""F and Init of a world as lines for people, and the meaning of every name in a listing.

What the model says is written with its own names and numbers; what holds for every body, contact or
node is written once, see `dyverse.exporters.listed.schemas`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dyverse.bodies.joint.links import links
from dyverse.bodies.pairs import touching_pairs
from dyverse.bodies.world import (
    AXES,
    NOWHERE,
    ORIENTED,
    ZERO,
    Body,
    Parameter,
    Spring,
    World,
)
from dyverse.exporters.listed import schemas
from dyverse.exporters.listed.contacts import laws, of_nodes, of_pairs, of_rows, of_ties
from dyverse.exporters.listed.joints import joint_lines
from dyverse.exporters.listed.lines import by_motion, factor, titled, under
from dyverse.exporters.listed.planes import plane_lines
from dyverse.exporters.listed.resistances import resistance_lines
from dyverse.expr.printing import term_text
from dyverse.expr.term import Number, Term, Vector

STARTS = {"position": "", "rotation": "r", "velocity": "v", "spin": "w"}


def initial(world: World) -> Iterator[str]:
    """Init: where runs start, and within which ranges."""
    yield from ("", "Init")
    yield "  t = 0 in location {}; contacts that touch there close in the first instant"
    for body in world.bodies:
        if not body.is_unmoved:
            yield from _starts(body)
    yield "  every other variable is 0"
    yield from titled("Parameters", map(parameter_text, world.parameters))
    yield from titled("Inputs", map(_input, _inputs(world)))


def offers(world: World) -> Iterator[str]:
    """The channels that contacts give to the automata of the model."""
    told = (
        f"{pair.name} offers {offer.channel} on {offer.on}"
        for pair in touching_pairs(world)
        for offer in pair.offers
    )
    return titled("Channels", told)


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
    yield from by_motion(world, "for every moving body α", schemas.MOTION, schemas.TURNING)
    speeds = "for every speed σ of a moving body"
    if not any(touching_pairs(world)) and not any(links(world)):
        yield from under(speeds, [schemas.FREE_FLIGHT])
        return
    yield from under(f"{speeds}, summed over all contacts α-β of the body", [schemas.ACCELERATION])
    for mode, lines in schemas.MODES.items():
        yield from under(f"{mode}[α,β], for a contact α-β in that mode{_remark(mode)}", lines)
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
    yield from by_motion(world, "for every body α", *kinds, remark=still)
    pairs, ties = list(touching_pairs(world)), list(links(world))
    if pairs:
        yield from of_pairs(world, [pair for pair in pairs if pair.pair.resistance is None])
    if any(pair.pair.resistance for pair in pairs):
        yield from resistance_lines(pairs)
    if ties:
        yield from of_ties(ties)
    yield from plane_lines(world)
    if pairs or ties:
        yield from of_rows()
        yield from laws([*pairs, *ties])
        yield from of_nodes(world)


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
    return " + ".join(f"{factor(term)} * axis_{axis}[{body}]" for term, axis in along)


def _summed(parts: list[str]) -> str:
    return " + ".join(parts).replace("+ -", "- ") or "(0, 0, 0)"


def _pull(spring: Spring) -> str:
    """The pull of a spring on its body; see `dyverse.mechanics.loads`."""
    here = f"position[{spring.body}]"
    joined = isinstance(spring.other, str)
    there = f"position[{spring.other}]" if joined else _vector(spring.other)  # type: ignore[arg-type]
    stiffness, damping = factor(spring.stiffness), factor(spring.damping)
    if _is_zero((spring.length, spring.damping)):
        return f"{stiffness} * ({there} - {here})"
    speed = f"velocity[{spring.other}] - " if joined else "-"
    along = f"unit({there} - {here})"
    stretch = f"{stiffness} * (norm({there} - {here}) - {factor(spring.length)})"
    receding = f"dot({speed}velocity[{spring.body}], {along})"
    return f"({stretch} + {damping} * {receding}) * {along}"


def _triple(body: str, letter: str) -> str:
    return f"({', '.join(f'{body}.{letter}{axis}' for axis in 'xyz')})"


def _vector(vector: Vector) -> str:
    return f"({', '.join(map(term_text, vector))})"


def _is_zero(terms: Iterable[Term]) -> bool:
    return all(isinstance(term, Number) and term.value == 0 for term in terms)
