"""From the parser's reductions to the syntax tree: called by Lark bottom-up, never recursive.

The grammar has one kind of expression; here it is decided whether a part is a term, a vector or a
condition, and a part in the wrong place is a `Mistake`. Parts carry their depth, so that a nesting
that later recursive functions could not follow is refused where it stands.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Literal, NoReturn, cast

from lark import Token, v_args

from dyverse.errors import Span
from dyverse.expr.choice import where
from dyverse.expr.formula import FALSE, TRUE, And, Compare, Formula, Relation
from dyverse.expr.requirement import (
    Connective,
    Interval,
    Order,
    Ordered,
    Quantified,
    Quantifier,
    Requirement,
    as_formula,
    joined,
)
from dyverse.expr.term import Binary, Call, Number, Operator, Symbol, Term, negate
from dyverse.text.indices import indices
from dyverse.text.syntax.automata import Guard
from dyverse.text.syntax.elements import InPieces
from dyverse.text.syntax.statements import (
    BodyStatement,
    ContactStatement,
    Definition,
    Entry,
    ImpactStatement,
    InputStatement,
    Joining,
    JointStatement,
    LoadStatement,
    Name,
    Offering,
    ParameterStatement,
    PartEntry,
    PlanarStatement,
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
    Value,
)
from dyverse.text.tree.automata import AutomatonTree
from dyverse.text.tree.drawings import DrawingTree
from dyverse.text.tree.part import Mistake as Mistake
from dyverse.text.tree.part import (
    Part,
    amount_of,
    bracketed,
    formula_of,
    joined_part,
    name_at,
    plain,
    requirement_of,
    term_of,
    through,
)
from dyverse.text.tree.part import token_span as token_span
from dyverse.text.units import with_unit

NO_MESH = (
    "'hull' stands with the name of a mesh on one line, hull \"part.stl\", in a model that is a "
    "file; text from elsewhere names none"
)


@v_args(inline=True)
class TreeBuilder(AutomatonTree, DrawingTree):
    """One method per rule of the grammar; those for automata and scenes are in the others."""

    def parameter(
        self, name: Name, value: Value, low: Value | None, high: Value | None
    ) -> ParameterStatement:
        """``parameter K = 2 in [1, 3]``."""
        limits = None if low is None or high is None else (low, high)
        return ParameterStatement(name, value, limits)

    def setting(self, keyword: Token, value: Value) -> SettingStatement:
        """``gravity (0, -9.81, 0)``."""
        return SettingStatement(str(keyword), value, token_span(keyword))

    def impact(self, keyword: Token, law: Name, *option: Name) -> ImpactStatement:
        """``impact sequence``, ``impact newton without collision``."""
        return ImpactStatement(law, option, token_span(keyword))

    def planar(self, keyword: Token, normal: Value | None) -> PlanarStatement:
        """``planar``, ``planar (0, 1, 0)``."""
        return PlanarStatement(normal, token_span(keyword))

    def body(self, name: Name, *entries: Entry | PartEntry) -> BodyStatement:
        """``body ball { … }``."""
        parts = tuple(entry for entry in entries if isinstance(entry, PartEntry))
        own = tuple(entry for entry in entries if isinstance(entry, Entry))
        return BodyStatement(name, own, parts)

    def part(self, name: Name, *entries: Entry) -> PartEntry:
        """``part head { … }``."""
        return PartEntry(name, entries)

    def input(self, *definitions: Definition) -> InputStatement:
        """``input u1 = …, u2``."""
        return InputStatement(definitions)

    def definition(self, name: Name, formula: Value | None) -> Definition:
        """``u1 = -K*ball.x``."""
        return Definition(name, formula)

    def port(
        self,
        name: Name,
        low: Value,
        high: Value,
        count: Value | None = None,
        *words: Token,
    ) -> Definition:
        """``u in [0, 1] pieces 5 linear switching``."""
        pieces = None if count is None else InPieces(count, "linear" in words, "switching" in words)
        return Definition(name, limits=(low, high), pieces=pieces)

    def load(
        self, kind: Token, body: Name, value: Value, *at: Token | Value | None
    ) -> LoadStatement:
        """``force ball (1, 0, 0)``, ``force rocket (0, 5, 0) at (0, -1, 0)``."""
        point = cast(Value | None, at[-1])
        return LoadStatement(cast(Literal["force", "torque"], str(kind)), body, value, point)

    def spring(
        self, kind: Token, body: Name, other: Name | Value, *entries: Entry
    ) -> SpringStatement:
        """``spring ball1 ball2 { … }``."""
        word = cast(Literal["spring", "damper"], str(kind))
        return SpringStatement(word, body, other, entries)

    def joint(self, name: Name, *entries: Joining | Entry) -> JointStatement:
        """``joint elbow { … }``."""
        joins = tuple(entry for entry in entries if isinstance(entry, Joining))
        own = tuple(entry for entry in entries if isinstance(entry, Entry))
        return JointStatement(name, joins, own)

    def rope(
        self, kind: Token, name: Name, a: Name, b: Name | Value, *entries: Entry
    ) -> JointStatement:
        """``rope line { ball (0, 3, 0)  length 1 }``: a joint of that kind."""
        return self.joint(name, self.joining(kind, a, b), *entries)

    def joining(self, kind: Token, a: Name, b: Name | Value) -> Joining:
        """``revolute upper lower``."""
        return Joining(name_at(kind), a, b)

    def limits(self, keyword: Token, low: Value, high: Value) -> Entry:
        """``limits [-1, 1]`` or ``limits -1 1``: both in a row."""
        return self.entry(keyword, _together(low, high))

    def contact(
        self, pair: tuple[Name, ...], *entries: Entry | Offering | Guard | Token
    ) -> ContactStatement:
        """``contact ball1 ball2 { … }``, ``contact all off``."""
        off = any(isinstance(entry, Token) for entry in entries)
        rules = tuple(entry for entry in entries if isinstance(entry, Entry))
        offers = tuple(entry for entry in entries if isinstance(entry, Offering))
        both = (pair[0], pair[1]) if len(pair) == 2 else None
        whens = tuple(entry.formula for entry in entries if isinstance(entry, Guard))
        return ContactStatement(both, None if off else rules, offers, whens, pair[0].span)

    def pair(self, *names: Token | Name) -> tuple[Name, ...]:
        """Two names, or the word ``all``."""
        return tuple(name_at(name) if isinstance(name, Token) else name for name in names)

    def property(
        self, name: Name, requirement: Requirement, until: Value | None
    ) -> PropertyStatement:
        """``property caught: always … until 2``."""
        return PropertyStatement(name, requirement, until)

    def entry(self, keyword: Token, value: Value | None = None) -> Entry:
        """``mass 1``."""
        return Entry(str(keyword), value, token_span(keyword))

    def measured(self, keyword: Token, radius: Value, _: Token, other: Value) -> Entry:
        """``capsule radius 0.1 length 1``: both in a row."""
        return self.entry(keyword, _together(radius, other))

    def cornered(self, keyword: Token, *vertices: Value) -> Entry:
        """``polyhedron vertices (0, 0, 0) (1, 0, 0) …``: all in a row."""
        for place in vertices:
            if not isinstance(place, Row) or len(place.items) != 3:
                message = "a vertex has three components: polyhedron vertices (0, 0, 0) (1, 0, 0) …"
                raise Mistake(message, place.span or token_span(keyword))
        return self.entry(keyword, _together(*vertices))

    def hull(self, keyword: Token, *_: Token | Value) -> NoReturn:
        """``hull "rock.obj"``, where no file was read: then vertices would stand here."""
        raise Mistake(NO_MESH, token_span(keyword))

    def NAME(self, token: Token) -> Name:  # noqa: N802 - named after the terminal
        """A name with its place."""
        return name_at(token)

    def value(self, part: Part) -> Value:
        """A whole term or vector."""
        return part.value if isinstance(part.value, Row) else term_of(part)

    vector = bound = value

    def condition(self, part: Part) -> Formula:
        """A whole formula."""
        return formula_of(part)

    def requirement(self, part: Part) -> Requirement:
        """A whole requirement; one that is only about the start was hardly meant."""
        found = requirement_of(part)
        if as_formula(found) is not None:
            raise Mistake("say when it holds: always, or eventually", part.span)
        return found

    def either(self, *parts: Part) -> Part:
        """``a or b or c``."""
        return self._joined("or", parts)

    def both(self, *parts: Part) -> Part:
        """``a and b and c``."""
        return self._joined("and", parts)

    def implication(self, first: Part, word: Token, then: Part) -> Part:
        """``a implies b``."""
        return self._joined("implies", (first, then))

    def _joined(self, word: Connective, parts: tuple[Part, ...]) -> Part:
        span = through(parts[0].span, parts[-1].span)
        made = joined(word, *map(requirement_of, parts), span=span)
        return joined_part(made, span, parts, parts[-1].span)

    def opposite(self, word: Token, part: Part) -> Part:
        """``not a``."""
        span = through(token_span(word), part.span)
        made = joined("not", requirement_of(part), span=span)
        return joined_part(made, span, (part,), token_span(word))

    def quantified(self, word: Token, during: Interval | None, part: Part) -> Part:
        """``always[0, 2] a``."""
        span = through(token_span(word), part.span)
        made = Quantified(cast(Quantifier, str(word)), requirement_of(part), during, span)
        return joined_part(made, span, (part,), token_span(word))

    def ordered(self, left: Part, word: Token, during: Interval | None, right: Part) -> Part:
        """``a until[0, 2] b``, ``a since b``."""
        span = through(left.span, right.span)
        sides = requirement_of(left), requirement_of(right)
        made = Ordered(cast(Order, str(word)), *sides, during, span)
        return joined_part(made, span, (left, right), token_span(word))

    def before(self, word: Token, during: Interval | None, left: Part, right: Part) -> Part:
        """``always a before b``."""
        span = through(token_span(word), right.span)
        made = Ordered("before", requirement_of(left), requirement_of(right), during, span)
        return joined_part(made, span, (left, right), token_span(word))

    def interval(self, low: Value, high: Value) -> Interval:
        """``[0, 2]``."""
        if isinstance(low, Row) or isinstance(high, Row):
            raise Mistake("an interval is from one time to another: [0, 2]", _span(low, high))
        return Interval(low, high)

    def comparison(self, first: Part, *rest: Part | Token) -> Part:
        """``a < b``, or ``a < b <= c``."""
        sides = (first, *_parts(rest))
        signs = [sign for sign in rest if isinstance(sign, Token)]
        pairs = zip(pairwise(sides), signs, strict=True)
        links = tuple(_compared(left, sign, right) for (left, right), sign in pairs)
        span = through(first.span, sides[-1].span)
        made = links[0] if len(links) == 1 else And(links, span)
        return joined_part(made, span, sides, token_span(signs[0]))

    def truth(self, word: Token) -> Part:
        """``true`` or ``false``."""
        return Part(TRUE if word == "true" else FALSE, token_span(word))

    def binary(self, left: Part, sign: Token, right: Part) -> Part:
        """``a + b``."""
        span = through(left.span, right.span)
        term = Binary(cast(Operator, str(sign)), term_of(left), term_of(right), span)
        return joined_part(term, span, (left, right), token_span(sign))

    def negative(self, sign: Token, part: Part) -> Part:
        """``-a``."""
        span = through(token_span(sign), part.span)
        return joined_part(negate(term_of(part), span), span, (part,), token_span(sign))

    def choice(self, word: Token, test: Part, then: Part, otherwise: Part) -> Part:
        """``if a then b else c``; of vectors, one for each component."""
        span = through(token_span(word), otherwise.span)
        formula, parts = formula_of(test), (test, then, otherwise)
        if isinstance(then.value, Row) and isinstance(otherwise.value, Row):
            rows = then.value.items, otherwise.value.items
            if len(rows[0]) != len(rows[1]):
                raise Mistake("both vectors need the same number of components", otherwise.span)
            items = (where(formula, a, b, span) for a, b in zip(*rows, strict=True))
            return joined_part(Row(tuple(items), span), span, parts, token_span(word))
        made = where(formula, amount_of(then), amount_of(otherwise), span)
        return joined_part(made, span, parts, token_span(word))

    def number(self, token: Token, unit: Token | None) -> Part:
        """``1e-3``, ``10 cm``."""
        span, number = token_span(token), float(token)
        if math.isinf(number):
            raise Mistake(f"the number {token} is too large", span)
        if unit is None:
            return Part(Number(number, span), span)
        span = through(span, token_span(unit))
        term = with_unit(str(token), str(unit), span)
        return Part(term, span, 1 + 2 * isinstance(term, Binary))

    def symbol(self, token: Token) -> Part:
        """``K`` or ``ball1.vx``."""
        span, number = token_span(token), indices().get(str(token))
        return Part(
            Symbol(plain(token), span) if number is None else Number(float(number), span), span
        )

    def signal(self, name: Token, a: Name, b: Name, bracket: Token) -> Part:
        """``gap[ball1, ball2]``."""
        span = through(token_span(name), token_span(bracket))
        return Part(Symbol(f"{name}[{a.text},{b.text}]", span), span)

    def feature(self, token: Token) -> Name:
        """``block.corner1``, of a signal."""
        return name_at(token)

    def named_signal(self, word: Token, name: Name, bracket: Token) -> Part:
        """``action[hit]``."""
        span = through(token_span(word), token_span(bracket))
        return Part(Symbol(f"{word}[{name.text}]", span), span)

    def call(self, name: Token, *rest: Part | Token | None) -> Part:
        """``sin(x)``."""
        parts, at = _parts(rest), token_span(cast(Token, rest[-1]))
        span = through(token_span(name), at)
        term: Term = Call(str(name), tuple(map(term_of, parts)), span)
        match term:
            case Call(function="count", arguments=(Symbol(name=event),)) if "[" in event:
                term = Symbol(f"count({event})", span)  # a signal: how many there have been
        return bracketed(joined_part(term, span, parts, at), at)

    def group(self, *rest: Part | Token) -> Part:
        """``(a)`` is a in brackets, ``(a, b, c)`` a vector."""
        parts, at = _parts(rest), token_span(cast(Token, rest[-1]))
        if len(parts) == 1:
            return bracketed(parts[0], at)
        span = through(parts[0].span, parts[-1].span)
        row = Row(tuple(map(term_of, parts)), span)
        return bracketed(joined_part(row, span, parts, at), at)


def _together(*values: Value) -> Row:
    """Several values in a row; checks count them."""
    rows = (value.items if isinstance(value, Row) else (value,) for value in values)
    return Row(tuple(item for row in rows for item in row))


def _compared(left: Part, sign: Token, right: Part) -> Compare:
    span = through(left.span, right.span)
    return Compare(cast(Relation, str(sign)), term_of(left), term_of(right), span)


def _span(first: Value, last: Value) -> Span:
    found = [value.span for value in (first, last) if value.span is not None]
    return through(found[0], found[-1]) if found else Span(1, 1, 2)


def _parts(items: tuple[Part | Token | None, ...]) -> tuple[Part, ...]:
    return tuple(item for item in items if isinstance(item, Part))
