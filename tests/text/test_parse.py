import re

import pytest
from lark.lexer import PatternRE

from dyverse.errors import ParseError, Span
from dyverse.expr.formula import Compare, formula_symbols
from dyverse.expr.requirement import always
from dyverse.expr.term import Binary, Call, Number, Symbol, symbols
from dyverse.text.file import MAX_LENGTH
from dyverse.text.mistakes.explain import _listed
from dyverse.text.parse import MAX_ERRORS, parse, parse_formula, parse_term, parser
from dyverse.text.printing.model import model_text
from dyverse.text.syntax.drawings import (
    SCENE_WORDS,
    DrawingEntry,
    DrawingPart,
    SceneStatement,
)
from dyverse.text.syntax.elements import Quoted
from dyverse.text.syntax.statements import (
    CHOOSING,
    ENTRIES,
    MEASURES,
    PIECEWISE,
    RESERVED,
    TEMPORAL,
    BodyStatement,
    ContactStatement,
    Definition,
    Entry,
    ImpactStatement,
    InputStatement,
    LoadStatement,
    Name,
    Offering,
    ParameterStatement,
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
    Statement,
)

ONE, TWO = Number(1.0), Number(2.0)
TRIPLE = Row((ONE, TWO, Number(3.0)))


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("parameter K = 1", ParameterStatement(Name("K"), ONE)),
        ("parameter K=1 in[1,2]", ParameterStatement(Name("K"), ONE, (ONE, TWO))),
        ("gravity (1, 2, 3)", SettingStatement("gravity", TRIPLE)),
        ("horizon 2", SettingStatement("horizon", TWO)),
        ("impact sequence", ImpactStatement(Name("sequence"))),
        (
            "body b { mass 2 sphere radius 1 fixed }",
            BodyStatement(Name("b"), (Entry("mass", TWO), Entry("sphere", ONE), Entry("fixed"))),
        ),
        ("body b {}", BodyStatement(Name("b"), ())),
        (
            "input u = 1, v",
            InputStatement((Definition(Name("u"), ONE), Definition(Name("v")))),
        ),
        ("force b (1, 2, 3)", LoadStatement("force", Name("b"), TRIPLE)),
        ("force b (1, 2, 3) at (1, 2, 3)", LoadStatement("force", Name("b"), TRIPLE, TRIPLE)),
        ("torque b (1, 2, 3)", LoadStatement("torque", Name("b"), TRIPLE)),
        (
            "spring a b { stiffness 1 length 2 }",
            SpringStatement(
                "spring", Name("a"), Name("b"), (Entry("stiffness", ONE), Entry("length", TWO))
            ),
        ),
        (
            "damper a (1, 2, 3) { damping 1 }",
            SpringStatement("damper", Name("a"), TRIPLE, (Entry("damping", ONE),)),
        ),
        (
            "contact a b { friction 1 }",
            ContactStatement((Name("a"), Name("b")), (Entry("friction", ONE),)),
        ),
        (
            "contact a b { offers hit friction 1 offers on on slip }",
            ContactStatement(
                (Name("a"), Name("b")),
                (Entry("friction", ONE),),
                (Offering(Name("hit")), Offering(Name("on"), Name("slip"))),
            ),
        ),
        ("contact all {}", ContactStatement(None, ())),
        ("contact a b off", ContactStatement((Name("a"), Name("b")), None)),
        ("contact all off", ContactStatement(None, None)),
        (
            "property p: always b.x < 1 until 2",
            PropertyStatement(Name("p"), always(Compare("<", Symbol("b.x"), ONE)), TWO),
        ),
    ],
)
def test_each_statement(text: str, statement: Statement) -> None:
    assert parse(text).statements == (statement,)


def test_white_space_and_comments_do_not_matter() -> None:
    dense = parse("parameter K=1 horizon 2 body b{sphere radius 1 mass 2}")
    loose = parse(
        "# a comment\r\nparameter K =\r\n 1 // body x {\n\thorizon\n2 body b\n{\nsphere"
        " # horizon 3\n radius 1\n\nmass 2 } // the end"
    )
    assert dense == loose


@pytest.mark.parametrize("text", ["", "  \n\t", "# nothing"])
def test_a_text_without_statements_is_empty(text: str) -> None:
    assert parse(text).statements == ()


@pytest.mark.parametrize("word", [*ENTRIES, *MEASURES, *SCENE_WORDS, "masses", "inn", "t2"])
def test_entry_words_may_be_names(word: str) -> None:
    text = f"parameter {word} = 1 body {word} {{ sphere radius {word} mass {word} * {word}.x }}"
    assert len(parse(text).statements) == 2


@pytest.mark.parametrize("between", [" ", "\n", " # of the contact\n  "])
def test_a_channel_may_be_offered_on_impact(between: str) -> None:
    text = f"contact all {{ offers hit on{between}impact }} impact sequence"
    contact, law = parse(text).statements
    assert contact == ContactStatement(None, (), (Offering(Name("hit"), Name("impact")),))
    assert law == ImpactStatement(Name("sequence"))


def test_words_in_quotes_are_no_statements() -> None:
    text = 'scene { text { say "a body, # in contact" } } horizon 2'
    scene, _ = parse(text).statements
    said = DrawingEntry("say", Quoted("a body, # in contact"))
    assert scene == SceneStatement((DrawingPart("text", (said,)),))


def test_words_of_a_scene_are_no_entries_of_bodies() -> None:
    """One mistake is one problem: what follows the misspelt word goes with it."""
    for text in ("body ball { spere radius 1 }", "body ball { bocks size (1, 1, 1) }"):
        with pytest.raises(ParseError) as caught:
            parse(text)
        assert len(caught.value.problems) == 1
    with pytest.raises(ParseError) as caught:
        parse("scene { circle { radios 1  size (1, 1, 1)  colur red  at (0, 0, 0) } }")
    assert [problem.span and problem.span.column for problem in caught.value.problems] == [18, 44]


def test_reserved_words_are_those_the_grammar_excludes() -> None:
    for terminal in parser().terminals:
        if terminal.name in ("NAME", "REFERENCE"):
            assert isinstance(terminal.pattern, PatternRE)
            excluded = re.search(r"\(\?!\(\?:(.*?)\)", terminal.pattern.value)
            assert excluded is not None
            assert excluded[1].split("|") == list(RESERVED)


def test_terms_know_their_places() -> None:
    term = parse_term("1 +\n sin( b.x )")
    assert isinstance(term, Binary)
    assert isinstance(term.right, Call)
    assert term.left.span == Span(1, 1, 2)
    assert term.right.span == Span(2, 2, 12)
    assert term.right.arguments[0].span == Span(2, 7, 10)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2^3^2", "2^(3^2)"),
        ("-2^2", "-(2^2)"),
        ("2^-x^2", "2^(-(x^2))"),
        ("-a*b", "(-a)*b"),
        ("a - b - c", "(a - b) - c"),
        ("a/b*c", "(a/b)*c"),
        ("--1", "1"),
        (".5 + 1. + 1e-3", "0.5 + 1 + 0.001"),
        ("((a))", "a"),
    ],
)
def test_precedence(text: str, same: str) -> None:
    assert parse_term(text) == parse_term(same)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a < 1 or b < 1 and c < 1", "a < 1 or (b < 1 and c < 1)"),
        ("not a < 1 and b < 1", "(not (a < 1)) and b < 1"),
        ("not not a < 1", "not (not (a < 1))"),
        ("(a) + 1 < (b)", "a + 1 < b"),
        ("((a < 1))", "a < 1"),
    ],
)
def test_precedence_of_formulas(text: str, same: str) -> None:
    assert parse_formula(text) == parse_formula(same)


def problems(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(ParseError) as caught:
        parse(text)
    spans = [problem.span for problem in caught.value.problems]
    assert all(span is not None for span in spans)
    return [
        (span.line, span.column, problem.message)
        for span, problem in zip(spans, caught.value.problems, strict=True)
        if span is not None
    ]


WRONG: list[tuple[str, int, int, str]] = [
    ("bdy ball {}", 1, 1, "unknown statement 'bdy'; did you mean 'body'?"),
    ("horizon 2\n  bdy ball {}", 2, 3, "unknown statement 'bdy'; did you mean 'body'?"),
    ("}", 1, 1, "expected a statement, found '}'"),
    ("body b { sphere radus 1 }", 1, 17, "found 'radus'; did you mean 'radius'?"),
    ("body b { mass 1 velocty (1,2,3) }", 1, 17, "did you mean 'velocity'?"),
    ("body b { radius 1 }", 1, 10, "unexpected 'radius'; write 'sphere radius 0.5'"),
    ("body b {\n sphere radius 1", 2, 17, "'}' is missing before the end of the text: line 1"),
    (
        "body b { sphere radius 1\n\nhorizon 2",
        3,
        1,
        "'}' is missing before 'horizon': line 1 opens it",
    ),
    ("body { }", 1, 6, "expected a name, found '{'"),
    ("parameter force = 2", 1, 11, "'force' is a word of the language and cannot be a name"),
    ("parameter K = 2 * until", 1, 19, "expected a number, a name or '(', found 'until'"),
    ("parameter K 2", 1, 13, "expected '=', found '2'"),
    ("parameter K = (1 + 2", 1, 21, "')' is missing before the end of the text: line 1 opens"),
    ("parameter K = 2 in [1 3]", 1, 23, "unexpected '3'; write ',' between the numbers"),
    ("parameter K = 1 @ 2", 1, 17, "found '@'"),
    ("parameter K = µ", 1, 15, "found 'µ'"),
    ("horizon 1e999", 1, 9, "the number 1e999 is too large"),
    ("horizon 2x", 1, 10, "unexpected 'x'; write '*' to multiply"),
    ("contact a b", 1, 12, "expected 'off' or '{', found the end of the text"),
    (
        "damper a b { stiffness 1 }",
        1,
        14,
        "unexpected 'stiffness'; a damper has none; write 'spring'",
    ),
    ("property p: ball.x > 0", 1, 13, "say when it holds: always, or eventually"),
    ("property p: always b.x = 0", 1, 24, "unexpected '='; compare with '=='"),
    ("property p: always b.x + 1", 1, 20, "expected a condition such as"),
    ("property p: never b.x > 1", 1, 13, "write 'always not (…)'"),
    ("property p: globally b.x > 1", 1, 13, "unexpected 'globally'; write 'always'"),
    ("property p: finally[0, 1] b.x > 1", 1, 13, "unexpected 'finally'; write 'eventually'"),
    ("property p: alwasy[0, 3] b.x > 1", 1, 13, "unexpected 'alwasy'; did you mean 'always'?"),
    ("property p: always[0; 3] b.x > 1", 1, 21, "write ',' between the ends of an interval"),
    ("property p: always[0, 3) b.x > 1", 1, 24, "write ']': both ends of an interval belong"),
    ("property p: b.x > 0 until b.y > 1", 1, 21, "unexpected 'until'; as an operator it has an"),
    ("property p: always (b.x > 0 until b.y > 1)", 1, 29, "it has an interval: until[0, 2]"),
    ("property p: b.x > 0 implies", 1, 21, "unexpected 'implies'; a condition follows"),
    ("input u pieces 3", 1, 9, "a range comes first, then the pieces: input u in [0, 1] pieces 3"),
    ("property p: always b.x > 1 => b.y > 1", 1, 28, "write 'implies'"),
    (
        "property p: always b.x > 1 until b.y > 1",
        1,
        34,
        "a time; as an operator it has an interval",
    ),
    ("property p: always[0] b.x > 1", 1, 21, "expected ',', found ']'"),
    ("property p: b.x > 1 implies b.y > 1", 1, 13, "say when it holds"),
    ("property p: always b.x until[0, (1, 2)] b.y", 1, 30, "an interval is from one time"),
    ("automaton a { location l { invariant always b > 1 } }", 1, 38, "about one instant"),
    ("automaton a { location l { invariant x > 1 implies y > 1 } }", 1, 38, "write 'not a or b'"),
    ("scene { cirle { at (0, 0, 0) } }", 1, 9, "did you mean 'circle'?"),
    ("scene { circle { radios 2 } }", 1, 18, "did you mean 'radius'?"),
    ("scene { text { say level } }", 1, 20, "expected words in quotes, found 'level'"),
    ("scene { text { value (1 < 2) } }", 1, 23, "expected a number, found a condition"),
    ("property p: always (1, 2)", 1, 21, "found a vector"),
    ("horizon 1 < 2", 1, 9, "expected a number, found a condition"),
    ("horizon (1 < 2) + 3", 1, 10, "expected a number, found a condition"),
    ("horizon (1, 2) * 3", 1, 10, "expected a number, found a vector"),
    ("horizon sin(true)", 1, 13, "expected a number, found a condition"),
]


def test_what_is_expected_is_told_in_words_of_the_language() -> None:
    """No name of a terminal, such as 'plus', is shown to anyone."""
    words = {*RESERVED, *PIECEWISE, *CHOOSING, *TEMPORAL, *ENTRIES, *MEASURES, *SCENE_WORDS}
    words |= {"off", "on"}
    names = {terminal.name for terminal in parser().terminals} - set(parser().lexer_conf.ignore)
    for name in names | {"$END"}:
        told = _listed({name}).strip("'")
        sign = not any(c.isalpha() for c in told)
        assert sign or told in words or told in PHRASES, name


PHRASES = (
    "a name",
    "a number",
    "a comparison",
    "an operator",
    "a rate such as x' = 1",
    "a new statement",
    "words in quotes",
)


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG)
def test_a_syntax_error_says_where_and_what(
    text: str, line: int, column: int, message: str
) -> None:
    found = problems(text)
    assert len(found) == 1
    assert found[0][:2] == (line, column)
    assert message in found[0][2]


def test_no_terminal_name_of_the_parser_is_shown() -> None:
    for text in ("body", "body b", "body b {", "horizon", "horizon 1 1", "contact a", "input u ="):
        assert not re.search(r"[A-Z]{2,}|\$", problems(text)[0][2])


def test_all_syntax_errors_are_reported_together() -> None:
    text = (
        "body b { sphere radus 1 mas 2 position (0 0 0) velocty (1,2,3) spin }\n"
        "parameter K == 2\n"
        "gravity (0, 0, 1)\n"
        "contact a { }\n"
    )
    places = [(line, column) for line, column, _ in problems(text)]
    assert places == [(1, 17), (1, 25), (1, 43), (1, 48), (1, 69), (2, 14), (4, 11)]


def test_at_most_twenty_errors_are_reported() -> None:
    assert len(problems("body b { mas 1 }\n" * 100)) == MAX_ERRORS


@pytest.mark.parametrize("levels", [201, 1_000, 100_000])
def test_brackets_that_go_too_deep_are_an_error(levels: int) -> None:
    line, column, message = problems(f"horizon {'(' * levels}1{')' * levels}")[0]
    assert message == "more than 200 brackets inside each other"
    assert (line, column) == (1, 9 + levels + 1 + 200)


@pytest.mark.parametrize(
    "text",
    [
        " + ".join(["1"] * 1000),
        "^".join(["1"] * 1000),
        "-" * 1000 + "x",
        "sin(" * 100 + "1" + ")" * 100,
        "1 - (" * 180 + "1" + ")" * 180,
    ],
    ids=["sum", "power", "minus", "sin", "brackets"],
)
def test_terms_that_go_too_deep_are_an_error(text: str) -> None:
    with pytest.raises(ParseError, match="may be nested 150 levels deep"):
        parse_term(text)


def test_formulas_that_go_too_deep_are_an_error() -> None:
    with pytest.raises(ParseError, match="may be nested 150 levels deep"):
        parse_formula("not " * 200 + "x > 0")


def test_long_conjunctions_are_not_deep() -> None:
    found = parse_formula(" and ".join(["x > 0"] * 5000))
    assert len(formula_symbols(found)) == 5000


def test_a_sum_of_a_hundred_terms_is_fine() -> None:
    assert len(symbols(parse_term(" + ".join(["x"] * 100)))) == 100


def test_a_text_that_is_too_long_is_an_error() -> None:
    with pytest.raises(ParseError, match="1,000,001 characters; a model may have 1,000,000"):
        parse(" " * (MAX_LENGTH + 1))


def test_a_long_line_is_shown_in_part() -> None:
    with pytest.raises(ParseError) as caught:
        parse(f"horizon {' ' * 5000} 2 3 {' ' * 5000}")
    sentence, line, caret = str(caught.value).split("\n")
    assert len(line) < 130
    assert line[caret.index("^")] == "3"
    assert sentence.startswith("<model>:1:5012: ")


def test_the_error_points_at_its_place() -> None:
    with pytest.raises(ParseError) as caught:
        parse("horizon 2\n\tbody ball { sphere radus 1 }", file="ball.drbt")
    assert str(caught.value) == (
        "ball.drbt:2:21: expected 'radius', found 'radus'; did you mean 'radius'?\n"
        "   body ball { sphere radus 1 }\n"
        "                      ^^^^^"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [("(1, 2)", "1:2: expected a number, found a vector"), ("1 +", "1:4: .*end of the text")],
)
def test_a_term_is_a_number(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        parse_term(text)


@pytest.mark.parametrize("word", ["once", "historically", "since", "implies"])
@pytest.mark.parametrize("behind", ["friction 1", "offers a", ""])
def test_words_of_properties_are_names_elsewhere(word: str, behind: str) -> None:
    (found,) = parse(f"contact a b {{ restitution {word}  {behind} }}").statements
    assert isinstance(found, ContactStatement)
    assert found.entries is not None
    assert found.entries[0].value == Symbol(word)


def test_words_behind_if_are_names_elsewhere() -> None:
    whole = parse("parameter then = 1\nparameter y = if then > 0 then then else 2")
    assert parse(model_text(whole)) == whole


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("-2 0.1", "[-2, 0.1]"),
        ("-2 -0.1", "[-2, -0.1]"),
        ("-pi/2 pi/2", "[-pi/2, pi/2]"),
        ("-30 deg (a + 1)", "[-30 deg, a + 1]"),
        ("a -b", "[a, -b]"),
    ],
)
def test_limits_need_no_brackets(short: str, long: str) -> None:
    joint = "joint elbow {{ revolute upper lower  limits {}  friction 0.01 }}"
    tree = parse(joint.format(short))
    assert tree == parse(joint.format(long)) == parse(model_text(tree))
