"""How deep an expression may be nested, so that no recursive function runs out of stack."""

from __future__ import annotations

from dyverse.expr.formula import And, Compare, Not, Or
from dyverse.expr.requirement import Joined, Ordered, Quantified, Requirement
from dyverse.expr.requirement import parts as requirement_parts
from dyverse.expr.term import Call, Term, children

MAX_DEPTH = 150  # comparing, pickling and copying take several Python frames per level
TOO_DEEP = (
    f"an expression may be nested {MAX_DEPTH} levels deep (a sum of n terms counts n); "
    "give parts of it a name with 'parameter' or 'input'"
)


def own_depth(part: Term | Requirement) -> int:
    """The levels that one node adds: two if its parts are in a tuple, which costs frames too."""
    return 2 if isinstance(part, Call | And | Or | Joined) else 1


def is_too_deep(part: Term | Requirement) -> bool:
    """Whether some path into ``part`` is longer than `MAX_DEPTH`; level by level, not recursive."""
    level = {id(part): (part, own_depth(part))}
    while level:
        below: dict[int, tuple[Term | Requirement, int]] = {}
        for node, depth in level.values():
            if depth > MAX_DEPTH:
                return True
            for child in _below(node):
                known = below.get(id(child), (child, 0))[1]
                below[id(child)] = (child, max(known, depth + own_depth(child)))
        level = below
    return False


def _below(part: Term | Requirement) -> tuple[Term | Requirement, ...]:
    match part:
        case Compare(left=left, right=right):
            return (left, right)
        case Not(part=inner):
            return (inner,)
        case And(parts=parts) | Or(parts=parts):
            return parts
        case Joined() | Quantified() | Ordered():
            return requirement_parts(part)
        case _:
            return children(part)
