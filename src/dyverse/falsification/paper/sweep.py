"""A computation node as clauses: its jumps read one after the other, every value by a new name.

A place of the node with jumps s of guards G_s and resets y := e_s gives the clauses
``¬G_s ∨ y' = e_s``, with y' a new variable. For the projections of SORPROX these are the clauses of
[navarro2018] supplement §5: the normal estimate is accepted or the force is zero, the tangential
one lies inside the disc or its projection on the rim is taken. Where two guards meet their resets
agree, so that both are closed without a margin; there the printed clauses would ask for neither, so
that one more says that some assignment is made.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import count

import casadi as ca

from dyverse.expr.formula import Formula, Not, both, compare, either
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term, symbols
from dyverse.falsification.satisfy.clauses import Clauses, Translation, disjunction
from dyverse.falsification.satisfy.cnf import MX, Cnf, Definition, real
from dyverse.generation.skeleton.names import signal, signal_name
from dyverse.generation.skeleton.places import ForceNode, Step

Names = Mapping[str, MX]  # what every name stands for at the moment
AT_REST = 1e-40  # added under roots, which then have a derivative also at zero
SLIPS = 1e-6  # m/s

_fresh = count(1)


def sweep(
    node: ForceNode, formula: Cnf, known: Names, *, smooth: Container[str] = ()
) -> tuple[Cnf, Names]:
    """All places of one sweep, from the first to the convergence test.

    ``smooth`` contacts have no friction: their tangential force stays zero and is not asked about.
    """
    for place in range(1, node.last):
        steps = node.steps(str(place))
        if place <= 2 * len(node.contacts) or steps[0].contact not in smooth:
            formula, known = jump(node, steps, formula, known)
    return formula, known


def jump(node: ForceNode, steps: tuple[Step, ...], formula: Cnf, known: Names) -> tuple[Cnf, Names]:
    """The jumps out of one place: whichever guard holds, its assignments are made."""
    resets = [step.reset(node, step.contact) for step in steps]
    targets = dict.fromkeys(assignment.target for reset in resets for assignment in reset)
    variables = {target: real(f"{target}.{next(_fresh)}") for target in targets}
    read = Translation(lambda term: express(term, known), _margin(node))
    clauses: Clauses = ()
    made: dict[str, tuple[Definition, ...]] = dict.fromkeys(targets, ())
    for step, reset in zip(steps, resets, strict=True):
        other = read.clauses(Not(step.guard(node, step.contact))) if len(steps) > 1 else ((),)
        for assignment in reset:
            target, value = assignment.target, express(assignment.value, known)
            here = Definition(variables[target], value, f"{target} = {step.name}")
            made[target] += (here,)
            clauses += disjunction((other, ((here,),)))
    clauses += tuple(each for each in made.values() if len(each) > 1)
    new = {target: variable.symbol for target, variable in variables.items()}
    return formula.also(clauses, variables.values()), {**known, **new}


def not_converged(
    node: ForceNode, known: Names, tolerance: float, *, smooth: Container[str] = ()
) -> Clauses:
    """The forces miss the laws at some contact by more than ``tolerance``.

    A contact's forces are right where the next sweep would leave them alone: the natural map of
    `dyverse.contact.law.problem.contact_residuals`, in the units of what the forces change.
    """
    estimates = dict(known)
    for place in range(1, node.last, 2):
        (step,) = node.steps(str(place))
        for assignment in step.reset(node, step.contact):
            estimates[assignment.target] = express(assignment.value, known)
    parts = [_wrong_normal(contact, tolerance) for contact in node.contacts]
    rubbing = (contact for contact in node.contacts if contact not in smooth)
    wrong = either(*parts, *(_wrong_tangential(node, contact, tolerance) for contact in rubbing))
    return Translation(lambda term: express(term, estimates), _margin(node)).clauses(wrong)


def _margin(node: ForceNode) -> float:
    """Only a contact node tells slipping contacts from others, for which it needs a margin."""
    return SLIPS if node.kind == "contact" else 0.0


def _wrong_normal(j: str, tolerance: float) -> Formula:
    """|A (λ_N - max(0, φ_N))| is above the tolerance, with φ the new estimate."""
    stiff = _entry("A", j) / tolerance
    projected = Call("max", (Number(0.0), stiff * signal("phi_N", j)))
    return compare(Call("abs", (stiff * signal("lambda_N", j) - projected,)), ">=", 1.0)


def _wrong_tangential(node: ForceNode, j: str, tolerance: float) -> Formula:
    """C ‖λ_T - P(φ_T)‖ is above the tolerance, with φ the new estimate and P its projection."""
    place = 2 * len(node.contacts) + 2 * node.contacts.index(j) + 2
    steps = node.steps(str(place))
    return either(*(both(s.guard(node, j), _apart(node, s, j, tolerance)) for s in steps))


def _apart(node: ForceNode, step: Step, j: str, tolerance: float) -> Formula:
    """The tangential force differs from the one that ``step`` would give it."""
    soft = Call("max", (_entry("C11", j), _entry("C22", j)))
    current = {signal_name(f"lambda_T{i}", j): signal(f"lambda_T{i}", j) for i in (1, 2)}
    changes = [current[a.target] - a.value for a in step.reset(node, j)]
    size = Call("sqrt", (changes[0] ** 2 + changes[1] ** 2,))
    return compare(soft * size / tolerance, ">=", 1.0)


def _entry(block: str, j: str) -> Term:
    return Symbol(f"{block}[{j},{j}]")


def express(term: Term, known: Names) -> MX:
    """A term over names that stand for expressions."""
    names = tuple(dict.fromkeys(symbol.name for symbol in symbols(term) if symbol.name in known))
    arguments = [ca.SX.sym(name) for name in names]
    expression = symbolic(_rooted(term), dict(zip(names, arguments, strict=True)))
    function = ca.Function("term", arguments, [expression])
    return ca.MX(function.call([known[name] for name in names])[0])


def _rooted(term: Term) -> Term:
    """The same with something added under every root."""
    match term:
        case Negate(operand=operand):
            return Negate(_rooted(operand))
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, _rooted(left), _rooted(right))
        case Call(function=function, arguments=arguments):
            inner = tuple(map(_rooted, arguments))
            return Call(function, (inner[0] + AT_REST,) if function == "sqrt" else inner)
        case _:
            return term
