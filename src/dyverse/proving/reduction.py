"""Which states a proof has to follow: those that matter, without those that are plainly zero.

A ball that moves in a plane stays in it, and its orientation matters to nobody. What is found here
is only a proposal: the checker sees for itself that states stay zero and that others do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

import casadi as ca

from dyverse.certificate.bodies import Bodies, ImpactLaw
from dyverse.certificate.file import Modes, Question, Unproved
from dyverse.certificate.system import System
from dyverse.enclosure.plain import are_same
from dyverse.expr.formula import formula_symbols
from dyverse.expr.symbolic import SX, split

MOST = 64  # contacts of a model, for all of which impacts are looked at
IMPULSES = ((0,), (0, 1), (0, 2), (0, 1, 2))  # of a contact: normal, and tangential as needed


def struck(bodies: Bodies, pattern: Modes) -> ImpactLaw:
    """The law of an impact with as few impulses as it takes."""
    names = [contact for contact, _ in pattern]
    twins = {c for c in names if any(c in bodies.twins(b) for b in names[: names.index(c)])}
    options = [((),) if word == "separated" or c in twins else IMPULSES for c, word in pattern]
    why = "unsupported: the equations of an impact do not fit together"
    for choice in product(*options):
        moving = tuple(3 * k + i for k, own in enumerate(choice) for i in own)
        try:
            return bodies.impact(pattern, moving)
        except Unproved as error:
            why = str(error) if str(error).startswith("unsupported") else why
    raise Unproved(why)


def reduced(question: Question) -> Question:
    """The question with the states that have to be followed, and those that are still."""
    system = System(replace(question, states=(), still=()))
    beside = () if system.automata is None else tuple(system.automata.moving)
    if system.bodies is None:
        return replace(question, states=beside)
    count = len(system.bodies.symbolic.contacts.names)
    if count > MOST:
        raise Unproved(f"unsupported: {count} contacts; proofs are about {MOST} at most")
    still = _still(question)
    needed = _needed(System(replace(question, states=(), still=still)))
    states = (*(name for name in needed if name not in still), *beside)
    plain = replace(question, states=states, still=still)
    if beside:
        return plain  # a mirror does not show automata
    images = (_halved(plain, system, axis) for axis in range(3))
    return next((image for image in images if image is not None), plain)


def _halved(question: Question, system: System, axis: int) -> Question | None:
    """The question with bodies on one side of a plane alone, if those on the other mirror them."""
    bodies = system.bodies
    assert bodies is not None
    start = dict(zip(bodies.variables, split(bodies.symbolic.start()), strict=True))
    names = tuple(dict.fromkeys(name.rpartition(".")[0] for name in question.states))
    partners = {a: next((b for b in names if _mirrors(start, a, b, axis)), None) for a in names}
    if None in partners.values() or all(a == b for a, b in partners.items()):
        return None
    kept, still, mirrored = [], list(question.still), []
    for state in question.states:
        body, _, quantity = state.rpartition(".")
        sign, partner = _sign(quantity, axis), partners[body]
        if partner == body and sign == "-":
            still.append(state)
        elif partner is not None and names.index(partner) < names.index(body):
            mirrored.append((state, f"{partner}.{quantity}", sign))
        else:
            kept.append(state)
    made = replace(question, states=tuple(kept), still=tuple(still), mirrored=tuple(mirrored))
    try:
        found = System(made)
        _ = found.frame, found.place(()).rate
    except Unproved:
        return None
    assert found.bodies is not None
    several = (len(found.bodies.twins(c)) > 1 for c in found.bodies.symbolic.contacts.names)
    return made if any(several) else None


def _mirrors(start: Mapping[str, SX], a: str, b: str, axis: int) -> bool:
    """Whether one body begins as the image of another."""
    own = [name.rpartition(".")[2] for name in start if name.rpartition(".")[0] == a]
    pairs = [(start[f"{a}.{q}"], start.get(f"{b}.{q}"), _sign(q, axis)) for q in own]
    return all(y is not None and are_same(x, y if sign == "+" else -y) for x, y, sign in pairs)


def _sign(quantity: str, axis: int) -> str:
    """What becomes of a quantity in a mirror: places and velocities, or turns."""
    along = quantity[-1] == "xyz"[axis]
    turns = quantity[0] in "rw"
    return "+" if along == turns else "-"


def _still(question: Question) -> tuple[str, ...]:
    """States that begin at zero and that nothing moves from there."""
    whole = _bodies(question, ())
    start = dict(zip(whole.variables, split(whole.symbolic.start()), strict=True))
    found = tuple(name for name, first in start.items() if first.is_zero())
    while True:
        trial = _bodies(question, found)
        zero = {
            name: part.is_zero()
            for column in _columns(trial)
            for name, part in zip(whole.variables, split(column), strict=True)
            if name in found and not part.is_zero()
        }
        if not zero:
            return found
        found = tuple(name for name in found if name not in zero)


def _bodies(question: Question, still: tuple[str, ...]) -> Bodies:
    found = System(replace(question, states=(), still=still)).bodies
    assert found is not None
    return found


def _columns(bodies: Bodies) -> Iterator[SX]:
    """Rates of all states in flight and with one contact closed, and states after impacts."""
    for place in _places(bodies):
        yield bodies.motion(place)
    for contact, word in _outcomes(bodies):
        yield _impact(bodies, contact, word)[0]


def _places(bodies: Bodies) -> Iterator[Modes]:
    yield ()
    for contact in bodies.symbolic.contacts.names:
        smooth = bodies.row(contact).smooth
        yield from (((contact, mode),) for mode in (("smooth",) if smooth else ("stick", "slip")))


def _outcomes(bodies: Bodies) -> Iterator[tuple[str, str]]:
    return product(bodies.symbolic.contacts.names, ("stick", "slip"))


def _impact(bodies: Bodies, contact: str, word: str) -> tuple[SX, SX]:
    """States after an impact at one contact, and its equations and signs."""
    law = bodies.symbolic.impact({contact: word})  # type: ignore[dict-item]  # one of the words
    after = equations = ca.SX(0, 1)
    for own in IMPULSES:
        zero = law.impulses[[i for i in range(3) if i not in own]]
        equations = bodies.reduced(law.equalities, zero)
        after = bodies.reduced(law.after, zero)
        if sum(not e.is_zero() for e in split(equations)) == len(own):
            break
    return after, ca.vertcat(equations, bodies.reduced(law.inequalities, zero))


def _needed(system: System) -> list[str]:
    """States that the property, the signals or the impacts depend on, and what moves those."""
    assert system.bodies is not None
    bodies = system.bodies
    names = {str(symbol): name for name, symbol in bodies.variables.items()}

    def read(expressions: Iterable[SX]) -> set[str]:
        found = ca.symvar(ca.vertcat(ca.SX(0, 1), *expressions))
        return {names[str(symbol)] for symbol in found if str(symbol) in names}

    columns = list(_columns(bodies))
    needed = read(_looked_at(system))
    while True:
        rows = (
            column[i] for column in columns for i, n in enumerate(bodies.variables) if n in needed
        )
        wider = needed | read(rows)
        if wider == needed:
            return [name for name in bodies.variables if name in needed]
        needed = wider


def _looked_at(system: System) -> Iterator[SX]:
    """What decides: signals and the property in all places, and what is asked of impacts."""
    assert system.bodies is not None
    bodies = system.bodies
    names = {symbol.name for symbol in formula_symbols(system.claim.formula)}
    if system.automata is not None:
        names |= set(system.automata.reads())
    for modes in _places(bodies):
        table = bodies.table(modes)
        yield from (table[name] for name in (*bodies.signals(modes), *names) if name in table)
    for contact, word in _outcomes(bodies):
        yield _impact(bodies, contact, word)[1]
