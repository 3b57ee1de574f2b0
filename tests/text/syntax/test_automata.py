"""Statements about automata: the tree they give, what is printed, and where errors are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.errors import ParseError
from dyverse.expr.formula import Compare, Not
from dyverse.expr.term import Binary, Number, Symbol
from dyverse.text.parse import parse
from dyverse.text.printing.model import model_text
from dyverse.text.syntax.automata import (
    ActionName,
    Along,
    Argument,
    AutomatonStatement,
    ChannelStatement,
    Declaration,
    Declarations,
    DiscontinuousStatement,
    EdgePart,
    FieldPart,
    FunctionStatement,
    Guard,
    Initial,
    Instance,
    Invariant,
    Kind,
    LocationPart,
    Rate,
    Sync,
    SystemStatement,
    Update,
    Updates,
)
from dyverse.text.syntax.elements import Definition, Entry, Name
from dyverse.text.syntax.statements import Model, Statement
from tests.expr.strategies import formulas, terms

ONE, X = Number(1.0), Symbol("x")
P, Q = Name("p"), Name("q")


def automaton(*entries: object) -> AutomatonStatement:
    return AutomatonStatement(Name("a"), (), entries)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("function f(x, y) = x", FunctionStatement(Name("f"), (Name("x"), Name("y")), X)),
        ("channel a", ChannelStatement(Name("a"))),
        (
            "channel a { broadcast priority 1 }",
            ChannelStatement(Name("a"), (Entry("broadcast"), Entry("priority", ONE))),
        ),
        (
            "system p || off = q(1, k = x)",
            SystemStatement(
                (
                    Instance(P),
                    Instance(Q, (Argument(ONE), Argument(X, Name("k"))), Name("off")),
                )
            ),
        ),
        ("automaton a {}", automaton()),
        (
            "automaton a(k, m = 1) {}",
            AutomatonStatement(Name("a"), (Definition(Name("k")), Definition(Name("m"), ONE)), ()),
        ),
        (
            "automaton a { real x = 1 in [1, x], y clock c }",
            automaton(
                Declarations(
                    "real", (Declaration(Name("x"), ONE, (ONE, X)), Declaration(Name("y")))
                ),
                Declarations("clock", (Declaration(Name("c")),)),
            ),
        ),
        (
            "automaton a { bool b = true, d = false }",
            automaton(
                Declarations(
                    "bool",
                    (Declaration(Name("b"), ONE), Declaration(Name("d"), Number(0.0))),
                )
            ),
        ),
        (
            "automaton a { location p location q { x' = 1 invariant x < 1 urgent } initial p }",
            automaton(
                LocationPart(P),
                LocationPart(
                    Q, (Rate(Name("x"), ONE), Invariant(Compare("<", X, ONE)), Entry("urgent"))
                ),
                Initial(P),
            ),
        ),
        (
            "automaton a { edge p -> q edge q->p { when x < 1 do x := 1, b.y := x sync s! } }",
            automaton(
                EdgePart(P, Q),
                EdgePart(
                    Q,
                    P,
                    (
                        Guard(Compare("<", X, ONE)),
                        Updates((Update(Name("x"), ONE), Update(Name("b.y"), X))),
                        Sync(Name("s"), True),
                    ),
                ),
            ),
        ),
        (
            "automaton a { edge p -> p { sync s? action go urgent priority 1 } }",
            automaton(
                EdgePart(
                    P,
                    P,
                    (
                        Sync(Name("s"), False),
                        ActionName(Name("go")),
                        Entry("urgent"),
                        Entry("priority", ONE),
                    ),
                )
            ),
        ),
        (
            "discontinuous d { real x surface x period 1 initial p }",
            DiscontinuousStatement(
                Name("d"),
                (
                    Declarations("real", (Declaration(Name("x")),)),
                    Entry("surface", X),
                    Entry("period", ONE),
                    Initial(P),
                ),
            ),
        ),
        (
            "discontinuous d { real x surface x along x above { x' = 1 } below {} initial p }",
            DiscontinuousStatement(
                Name("d"),
                (
                    Declarations("real", (Declaration(Name("x")),)),
                    Entry("surface", X),
                    Along(Name("x")),
                    FieldPart("above", (Rate(Name("x"), ONE),)),
                    FieldPart("below", ()),
                    Initial(P),
                ),
            ),
        ),
    ],
)
def test_each_statement(text: str, statement: Statement) -> None:
    assert parse(text).statements == (statement,)


def test_a_name_alone_is_a_condition_and_a_truth_an_amount() -> None:
    (made,) = parse(
        "automaton a { edge p -> p { when on and not off do on := not on, off := true } }"
    ).statements
    assert isinstance(made, AutomatonStatement)
    (edge,) = made.entries
    assert isinstance(edge, EdgePart)
    guard, updates = edge.entries
    assert isinstance(guard, Guard)
    assert isinstance(updates, Updates)
    first, second = guard.formula.parts  # type: ignore[union-attr]
    zero = Number(0.0)
    assert first == Compare("!=", Symbol("on"), zero)
    assert second == Not(Compare("!=", Symbol("off"), zero))
    assert [u.value for u in updates.items] == [Binary("-", ONE, Symbol("on")), ONE]


names = st.sampled_from(["a", "on", "off", "when", "real", "mass"]).map(Name)
dotted = st.sampled_from(["a", "b.x", "on"]).map(Name)
kinds: st.SearchStrategy[Kind] = st.sampled_from(["real", "clock", "int", "bool"])
limits = st.none() | st.tuples(terms, terms)
rates = st.builds(Rate, st.sampled_from(["x", "y"]).map(Name), terms)
declarations = st.builds(
    Declarations,
    kinds,
    st.lists(st.builds(Declaration, names, st.none() | terms, limits), min_size=1, max_size=2).map(
        tuple
    ),
)
marks = st.sampled_from([Entry("urgent"), Entry("committed")])
ranked = st.one_of(st.just(Entry("urgent")), st.builds(Entry, st.just("priority"), terms))
locations = st.builds(
    LocationPart,
    names,
    st.lists(st.one_of(rates, st.builds(Invariant, formulas), marks), max_size=3).map(tuple),
)
updates = st.lists(st.builds(Update, dotted, terms), min_size=1, max_size=2).map(tuple)
edges = st.builds(
    EdgePart,
    names,
    names,
    st.lists(
        st.one_of(
            st.builds(Guard, formulas),
            st.builds(Updates, updates),
            st.builds(Sync, names, st.booleans()),
            st.builds(ActionName, names),
            ranked,
        ),
        max_size=3,
    ).map(tuple),
)
initials = st.builds(Initial, names)
arguments = st.lists(st.builds(Argument, terms, st.none() | names), max_size=2).map(tuple)
instances = st.builds(Instance, names, arguments, st.none() | names)
statements = st.one_of(
    st.builds(
        AutomatonStatement,
        names,
        st.lists(st.builds(Definition, names, st.none() | terms), max_size=2).map(tuple),
        st.lists(st.one_of(declarations, locations, edges, initials), max_size=4).map(tuple),
        st.lists(names, max_size=2).map(tuple),
    ),
    st.builds(
        DiscontinuousStatement,
        names,
        st.lists(
            st.one_of(
                st.builds(Entry, st.sampled_from(["surface", "width", "control"]), terms),
                st.builds(
                    FieldPart,
                    st.sampled_from(["above", "below", "sliding", "rising", "falling"]),
                    st.lists(rates, max_size=2).map(tuple),
                ),
                st.builds(Along, names),
                initials,
            ),
            max_size=4,
        ).map(tuple),
    ),
    st.builds(
        SystemStatement,
        st.lists(
            st.builds(Instance, names, arguments, st.none() | names), min_size=1, max_size=3
        ).map(tuple),
    ),
    st.builds(FunctionStatement, names, st.lists(names, min_size=1, max_size=2).map(tuple), terms),
    st.builds(ChannelStatement, names, st.lists(ranked, max_size=2).map(tuple)),
)
models = st.lists(statements, max_size=3).map(lambda items: Model(tuple(items)))


@given(models)
def test_a_printed_model_parses_back(model: Model) -> None:
    assert parse(model_text(model)) == model


WRONG = [
    ("automaton { }", 1, 11, "expected a name, found '{'"),
    ("automaton a { rel x }", 1, 15, "unexpected 'rel'; did you mean 'real'?"),
    ("automaton a { location p { x = 1 } }", 1, 30, "expected a rate such as x' = 1, found '='"),
    ("automaton a { location p {\n x' 1 } }", 2, 5, "expected '=', found '1'"),
    ("automaton a { edge p q }", 1, 22, "expected '->', found 'q'"),
    ("automaton a { edge p -> p { whn x > 1 } }", 1, 29, "did you mean 'when'?"),
    ("automaton a { edge p -> p { do x = 2 } }", 1, 34, "expected ':=', found '='"),
    ("automaton a { edge p -> p { sync s } }", 1, 36, "expected '!' or '?', found '}'"),
    ("automaton a { edge p -> p { when x + 1 } }", 1, 34, "expected a condition"),
    ("automaton a { edge p -> p { do x := y > 1 } }", 1, 37, "expected a number"),
    ("automaton a { int n in [1 2] }", 1, 27, "unexpected '2'; write ','"),
    ("automaton a { location p\nhorizon 2", 2, 1, "'}' is missing before 'horizon'"),
    ("system a | b", 1, 10, "unexpected '|'; write '||'"),
    ("system", 1, 7, "expected a name, found the end of the text"),
    ("function f() = 1", 1, 12, "expected a name, found ')'"),
    ("function f(x) 1", 1, 15, "expected '=', found '1'"),
    ("channel a { loud }", 1, 13, "expected 'broadcast', 'priority', 'urgent' or '}'"),
    ("discontinuous d { above x' = 1 }", 1, 25, "expected '{', found 'x'"),
    ("autmaton a { }", 1, 1, "did you mean 'automaton'?"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG)
def test_a_syntax_error_says_where_and_what(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    (problem,) = caught.value.problems
    assert problem.span is not None
    assert (problem.span.line, problem.span.column) == (line, column)
    assert message in problem.message


def test_several_errors_in_one_automaton_are_reported_together() -> None:
    text = (
        "automaton a {\n"
        "  location p { invarint x > 1  urgnt }\n"
        "  edge p -> p { when x >  do x := 1  prority 2 }\n"
        "}"
    )
    with pytest.raises(ParseError) as caught:
        parse(text)
    lines = [problem.span.line for problem in caught.value.problems if problem.span]
    assert 2 in lines
    assert 3 in lines
