"""The inside of a computation node: SORPROX as places, guards and resets.

[navarro2018] §3.4 and Appendix A.

One sweep of the iteration visits the contacts twice, normals first: a new estimate φ, then its
projection onto what the law allows. For n contacts the places are ``en``, ``1`` … ``4n+1``, ``ex``:

- en → 1: the initial guess, all λ = 0;
- 2m-1 → 2m: estimate of the m-th normal force; 2m → 2m+1: its projection on λ_N ≥ 0;
- 2n+2m-1 → 2n+2m: estimate of the m-th friction force; → 2n+2m+1: its projection on the disc;
- 4n+1 → 1 until the complementarity residual is small, then 4n+1 → ex, with the reset of q̇ or q̈.

Assignments of one edge happen at once, on the old values; so the names of forces already stand for
the new values of the contacts before and the old ones of the contacts after (Gauss and Seidel).
Departures from the paper, all explained in docs/theory/automaton.md: the sign before (1 + e), the
sums over B that do not skip n = j, the sign in the projection on the rim, the proximal step in the
tangent plane, and the test of the residual itself instead of its last change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import add

from dyverse.automaton.interface import Assignment
from dyverse.contact.geometry import bodies_of
from dyverse.expr.formula import TRUE, Compare, Formula, Relation, both, compare
from dyverse.expr.term import Call, Number, Symbol, Term
from dyverse.generation.skeleton.location import ENTRANCE, EXIT, Kind, Node
from dyverse.generation.skeleton.names import signal, signal_name

Reset = tuple[Assignment, ...]

FORCES = ("lambda_N", "lambda_T1", "lambda_T2")
DIRECTIONS = ("N", "T1", "T2")
TOLERANCE = Symbol("tolerance")
LONG = 100


@dataclass(frozen=True, slots=True)
class Step:
    """One kind of jump inside a node; its guard and reset are computed when asked for."""

    name: str
    place: str  # where it leads
    contact: str  # the contact it treats; empty for the jumps that treat all
    guard: Callable[[ForceNode, str], Formula]
    reset: Callable[[ForceNode, str], Reset]


@dataclass(frozen=True, slots=True)
class ForceNode:
    """The node 𝓘_k or 𝓒_k that finds the impulses or forces of ``contacts``.

    ``speeds`` names those of all moving bodies; the exit changes them.
    """

    kind: Kind
    contacts: tuple[str, ...]
    speeds: tuple[str, ...]

    def at(self, place: str) -> Node:
        """The location at ``place``."""
        return Node(self.kind, self.contacts, place)

    @property
    def name(self) -> str:
        """``impact{ball1-ball2}``."""
        return self.at(ENTRANCE).name

    @property
    def last(self) -> int:
        """The place of the convergence test, 4 N_k + 1."""
        return 4 * len(self.contacts) + 1

    def places(self) -> Iterator[Node]:
        """Entrance, steps, exit."""
        yield self.at(ENTRANCE)
        yield from (self.at(str(place)) for place in range(1, self.last + 1))
        yield self.at(EXIT)

    def has(self, place: str) -> bool:
        """Whether there is such a place."""
        if place in (ENTRANCE, EXIT):
            return True
        return place.isdecimal() and 1 <= int(place) <= self.last

    def steps(self, place: str) -> tuple[Step, ...]:
        """The jumps from ``place`` to other places of this node; from the exit there is none."""
        if place == EXIT:
            return ()
        if place == ENTRANCE:
            return (Step("initial_guess", "1", "", _always, _initial_guess),)
        number = int(place)
        if number == self.last:
            return (
                Step("repeat", "1", "", _not_converged, _nothing),
                Step("converged", EXIT, "", _converged, _apply),
            )
        return self._sweep(number)

    def _sweep(self, number: int) -> tuple[Step, ...]:
        """The jumps of one sweep, from an odd place an estimate, from an even one a projection."""
        half, index = divmod((number - 1) // 2, len(self.contacts))
        kinds = (NORMAL if half == 0 else self._tangential)[(number - 1) % 2]
        to, contact = str(number + 1), self.contacts[index]
        return tuple(Step(name, to, contact, guard, reset) for name, guard, reset in kinds)

    @property
    def _tangential(self) -> Sweep:
        return IMPACT_TANGENTIAL if self.kind == "impact" else CONTACT_TANGENTIAL


def sign(quantity: str, contact: str, relation: Relation) -> Compare:
    """A contact's quantity compared with zero."""
    return compare(signal(quantity, contact), relation, 0)


StepKind = tuple[str, Callable[[ForceNode, str], Formula], Callable[[ForceNode, str], Reset]]
Sweep = tuple[tuple[StepKind, ...], tuple[StepKind, ...]]


def _always(_: ForceNode, __: str) -> Formula:
    return TRUE


def _nothing(_: ForceNode, __: str) -> Reset:
    return ()


def _initial_guess(node: ForceNode, _: str) -> Reset:
    zero = Number(0.0)
    return tuple(Assignment(signal_name(f, c), zero) for c in node.contacts for f in FORCES)


def _residual(node: ForceNode) -> Term:
    return Symbol(f"residual[{node.name}]")


def _converged(node: ForceNode, _: str) -> Compare:
    return compare(_residual(node), "<=", TOLERANCE)


def _not_converged(node: ForceNode, _: str) -> Compare:
    return compare(_residual(node), ">", TOLERANCE)


def _normal_estimate(node: ForceNode, j: str) -> Reset:
    """φ_N,j := -(Σ_{n≠j} A_jn λ_N,n + Σ_n B_jn λ_T,n + b_j)/A_jj.  [navarro2018] Eq. (A1)

    b_j = (1 + e_N) ġ_N⁻ in an impact, the free acceleration g̈_N in a contact.
    """
    terms = [_entry("A", j, n) * signal("lambda_N", n) for n in node.contacts if n != j]
    terms += [
        _entry(f"B{i}", j, n) * signal(f"lambda_T{i}", n) for n in node.contacts for i in (1, 2)
    ]
    value = -_sum([*terms, _normal_drive(node, j)]) / _entry("A", j, j)
    return (Assignment(signal_name("phi_N", j), value),)


def _tangential_estimate(node: ForceNode, j: str) -> Reset:
    """φ_T,j := λ_T,j - ξ_T,j/max(C11_jj, C22_jj), a proximal step.  [navarro2018] Eq. (A2)

    Where the block C_jj is a multiple of the identity, as for spheres, it is the step of (A2). Else
    it still shrinks the error, because the largest eigenvalue of C_jj is below twice that maximum.
    """
    slope = Call("max", (_entry("C11", j, j), _entry("C22", j, j)))
    return tuple(
        Assignment(
            signal_name(f"phi_T{i}", j),
            signal(f"lambda_T{i}", j) - _tangential_miss(node, j, i) / slope,
        )
        for i in (1, 2)
    )


def _tangential_miss(node: ForceNode, j: str, i: int) -> Term:
    """ξ_Ti,j = Σ_n C_jn λ_T,n + Σ_n Bᵀ_jn λ_N,n + b_j, what the forces leave of the slip."""
    terms: list[Term] = [
        _entry(f"C{i}{k}", j, n) * signal(f"lambda_T{k}", n) for n in node.contacts for k in (1, 2)
    ]
    terms += [_entry(f"B{i}", n, j) * signal("lambda_N", n) for n in node.contacts]
    return _sum([*terms, _tangential_drive(node, j, i)])


def _normal_drive(node: ForceNode, j: str) -> Term:
    if node.kind == "contact":
        return signal("free_normal", j)
    return (1 + signal("restitution", j)) * signal("normal_speed", j)


def _tangential_drive(node: ForceNode, j: str, i: int) -> Term:
    if node.kind == "contact":
        return signal(f"free_slip_{i}", j)
    return (1 + signal("tangential_restitution", j)) * signal(f"slip_{i}", j)


def _pushes(_: ForceNode, j: str) -> Formula:
    return sign("phi_N", j, ">=")


def _pulls(_: ForceNode, j: str) -> Formula:
    return sign("phi_N", j, "<")


def _accept_normal(_: ForceNode, j: str) -> Reset:
    return (Assignment(signal_name("lambda_N", j), signal("phi_N", j)),)


def _no_normal(_: ForceNode, j: str) -> Reset:
    return (Assignment(signal_name("lambda_N", j), Number(0.0)),)


def _estimate_size(j: str) -> Term:
    return Call("sqrt", (signal("phi_T1", j) ** 2 + signal("phi_T2", j) ** 2,))


def _limit(j: str) -> Term:
    return signal("friction", j) * signal("lambda_N", j)


def _inside(_: ForceNode, j: str) -> Formula:
    return compare(_estimate_size(j), "<=", _limit(j))


def _outside(_: ForceNode, j: str) -> Formula:
    return compare(_estimate_size(j), ">", _limit(j))


def _inside_at_rest(node: ForceNode, j: str) -> Formula:
    return both(sign("slip_speed", j, "=="), _inside(node, j))


def _outside_at_rest(node: ForceNode, j: str) -> Formula:
    return both(sign("slip_speed", j, "=="), _outside(node, j))


def _slips(_: ForceNode, j: str) -> Formula:
    return sign("slip_speed", j, ">")


def _accept_tangential(_: ForceNode, j: str) -> Reset:
    return tuple(Assignment(signal_name(f"lambda_T{i}", j), signal(f"phi_T{i}", j)) for i in (1, 2))


def _rim(_: ForceNode, j: str) -> Reset:
    """λ_T := + μ λ_N φ_T/‖φ_T‖: the nearest point of the disc."""
    return tuple(
        Assignment(
            signal_name(f"lambda_T{i}", j), _limit(j) * signal(f"phi_T{i}", j) / _estimate_size(j)
        )
        for i in (1, 2)
    )


def _against_slip(_: ForceNode, j: str) -> Reset:
    """λ_T := - μ λ_N ġ_T/‖ġ_T‖."""
    return tuple(
        Assignment(
            signal_name(f"lambda_T{i}", j),
            -_limit(j) * signal(f"slip_{i}", j) / signal("slip_speed", j),
        )
        for i in (1, 2)
    )


def _apply(node: ForceNode, _: str) -> Reset:
    """q̇ := q̇ + M⁻¹(W_N λ_N + W_T λ_T), or q̈ := M⁻¹(h + W_N λ_N + W_T λ_T).  [navarro2018] §3.7"""
    concerned = {body for contact in node.contacts for body in bodies_of(contact)}
    moved = (speed for speed in node.speeds if speed.partition(".")[0] in concerned)
    return tuple(_applied(node, speed) for speed in moved)


def _applied(node: ForceNode, speed: str) -> Assignment:
    body = speed.partition(".")[0]
    forces = [
        Symbol(f"minv_W_{d}[{speed},{c.replace('-', ',', 1)}]") * signal(f"lambda_{d}", c)
        for c in node.contacts
        if body in bodies_of(c)
        for d in DIRECTIONS
    ]
    if node.kind == "impact":
        return Assignment(speed, _sum([Symbol(speed), *forces]))
    return Assignment(f"acceleration[{speed}]", _sum([Symbol(f"minv_h[{speed}]"), *forces]))


def _entry(block: str, row: str, column: str) -> Term:
    """An entry of A = W_Nᵀ M⁻¹ W_N, B = W_Nᵀ M⁻¹ W_T or C = W_Tᵀ M⁻¹ W_T: ``A[a-b,c-d]``."""
    return Symbol(f"{block}[{row},{column}]")


def _sum(terms: list[Term]) -> Term:
    """The sum, bracketed by the hundred so that no term is too deep to walk over."""
    if len(terms) <= LONG:
        return reduce(add, terms)
    return _sum([reduce(add, terms[i : i + LONG]) for i in range(0, len(terms), LONG)])


NORMAL: Sweep = (
    (("normal_estimate", _always, _normal_estimate),),
    (("normal_accepted", _pushes, _accept_normal), ("normal_zero", _pulls, _no_normal)),
)
IMPACT_TANGENTIAL: Sweep = (
    (("tangential_estimate", _always, _tangential_estimate),),
    (("tangential_inside", _inside, _accept_tangential), ("tangential_rim", _outside, _rim)),
)
CONTACT_TANGENTIAL: Sweep = (
    (("tangential_estimate", _always, _tangential_estimate),),
    (
        ("tangential_inside", _inside_at_rest, _accept_tangential),
        ("tangential_rim", _outside_at_rest, _rim),
        ("tangential_slip", _slips, _against_slip),
    ),
)
