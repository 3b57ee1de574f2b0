"""UPPAAL's language: how operators bind, and what is said about mistakes."""

import pytest

from dyverse.errors import Span
from dyverse.uppaal.language.expression import Expression
from dyverse.uppaal.language.parse import Rule, parsed
from dyverse.uppaal.language.printing import expression_text
from dyverse.uppaal.language.source import plain
from dyverse.uppaal.language.syntax import Function, If, Remark
from tests.uppaal.sample_models import marked


def expression(text: str) -> Expression:
    found = parsed(plain(text), "guard_part")
    assert found.problem is None, found.problem
    tree: Expression = found.tree
    return tree


@pytest.mark.parametrize(
    ("text", "bracketed"),
    [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a && b || c && d", "(a && b) || (c && d)"),
        ("a and b or c and d", "(a and b) or (c and d)"),
        ("a && b or c && d", "(a && b) or (c && d)"),
        ("x = a and b", "x = (a and b)"),
        ("a ? b : x = c", "a ? b : (x = c)"),
        ("a ? x = b : c", "a ? (x = b) : c"),
        ("x = a && b", "x = (a && b)"),
        ("a = b = c", "a = (b = c)"),
        ("not a == b", "(not a) == b"),
        ("!a && b", "(!a) && b"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a | b ^ c & d", "a | (b ^ (c & d))"),
        ("a & b == c", "a & (b == c)"),
        ("a < b <? c", "a < (b <? c)"),
        ("a << 1 + 2", "a << (1 + 2)"),
        ("-a.b[1]", "-((a.b)[1])"),
        ("a imply b or c", "(a imply b) or c"),
        ("forall (i : T) a[i] && b", "forall (i : T) (a[i] && b)"),
        ("a && exists (i : int[0, 2]) b[i] || c", "a && (exists (i : int[0, 2]) (b[i] || c))"),
        ("x' == 2 * y", "(x') == (2 * y)"),
        ("a++ + ++b", "(a++) + (++b)"),
    ],
)
def test_operators_bind_as_in_uppaal(text: str, bracketed: str) -> None:
    assert expression(text) == expression(bracketed)


LEVELS = (  # of the operators between two operands in UPPAAL's own parser, from weak to strong
    "= := += -= *= /= %= &= |= ^= <<= >>=",
    "|| or xor imply",
    "&& and",
    "|",
    "^",
    "&",
    "== !=",
    "< <= >= >",
    "<? >?",
    "<< >>",
    "+ -",
    "* / %",
    "**",
)
STRENGTH = {sign: level for level, row in enumerate(LEVELS) for sign in row.split()}
QUANTIFIED = ("forall (i : T)", "exists (i : T)", "sum (i : T)")


@pytest.mark.parametrize("first", STRENGTH)
def test_each_pair_of_operators_groups_as_in_uppaal(first: str) -> None:
    for second, strength in STRENGTH.items():
        text, to_right = f"a {first} b {second} c", f"a {first} (b {second} c)"
        assigns = STRENGTH[first] == strength == 0
        right = STRENGTH[first] < strength or assigns
        grouped = to_right if right else f"(a {first} b) {second} c"
        assert expression(text) == expression(grouped), text


@pytest.mark.parametrize("sign", STRENGTH)
def test_prefixes_choices_and_quantifiers_group_as_in_uppaal(sign: str) -> None:
    """A prefix takes one operand; behind ':' and behind a quantifier comes all that can."""
    cases = [
        (f"{word} a {sign} b", f"({word} a) {sign} b") for word in ("-", "+", "!", "not", "++")
    ]
    cases += [(f"a {sign} {word} b", f"a {sign} ({word} b)") for word in ("-", "!", "not", "--")]
    cases += [(f"a {sign} b{word}", f"a {sign} (b{word})") for word in ("++", "'", "[1]", ".c")]
    test = f"a {sign} (b ? c : d)" if STRENGTH[sign] == 0 else f"(a {sign} b) ? c : d"
    cases += [(f"a {sign} b ? c : d", test)]
    cases += [(f"a ? b : c {sign} d", f"a ? b : (c {sign} d)")]
    cases += [(f"a ? b {sign} c : d", f"a ? (b {sign} c) : d")]
    for word in QUANTIFIED:
        cases += [(f"{word} a {sign} b", f"{word} (a {sign} b)")]
        cases += [(f"c + {word} a {sign} b", f"c + ({word} (a {sign} b))")]
        cases += [(f"! {word} a {sign} b", f"!({word} (a {sign} b))")]
        cases += [(f"{word} a {sign} b ? c : d", f"{word} (a {sign} b ? c : d)")]
    for text, grouped in cases:
        assert expression(text) == expression(grouped), text


def test_words_and_signs_mean_the_same() -> None:
    assert expression("a and not b or c") == expression("(a && !b) || c")
    assert expression("x := 3") == expression("x = 3")


MISTAKES: list[tuple[Rule, str, str]] = [  # » marks the place
    ("guard_part", "x >»", "expected an expression, found the end"),
    ("guard_part", "x > 3»)", "found ')'"),
    ("guard_part", "(x > 3»", "')'"),
    ("guard_part", "x »$ 3", "the character '$' has no meaning here"),
    ("guard_part", "a ? b»", "expected ':'"),
    ("guard_part", "forall (i »int) i", "expected ':', found 'int'"),
    ("guard_part", "a[3»", "']'"),
    ("sync_part", "go»", "'!'"),
    ("sync_part", "go!»!", "found '!'"),
    ("select_part", "i : »3", "expected a type"),
    ("update_part", "x = 0,»", "expected an expression"),
    ("update_part", "x = 0»; y = 1", "found ';'"),
    ("global_part", "int x»", "';'"),
    ("global_part", "int x = »;", "expected an expression"),
    ("global_part", "int\n  »floor;", "'floor' is a word of UPPAAL and cannot be a name"),
    ("global_part", "clock »init;", "'init' is a word of UPPAAL and cannot be a name"),
    ("global_part", "»broadcast int x;", "'broadcast' does not fit this type"),
    ("global_part", "»urgent urgent chan c;", "'urgent' does not fit this type"),
    ("global_part", "typedef int »T = 3;", "a type has no value"),
    ("global_part", "int a; »/* never ends", "this comment has no end"),
    ("global_part", "void f() { x = 1 »}", "';'"),
    ("global_part", "void f() { if »x { } }", "expected '(', found 'x'"),
    ("global_part", "void f() { switch (x) »{ } }", "';'"),
    ("global_part", '»import "lib" { };', "an external library is not supported"),
    ("system_part", "system »;", "expected a name, found ';'"),
    ("system_part", "progress { a »}", "';'"),
    ("system_part", "gantt { G : a -> »; }", "expected an expression"),
    ("parameter_part", "const int»", "a name"),
    ("xta", "process P() { »init a; } system P;", "expected"),
    ("xta", "process P() { state a; init a; trans »-> a { }; } system P;", "needs a source"),
    ("xta", "process P() { state a; commit »b; init a; } system P;", "unknown state 'b'"),
    ("xta", "system P; »query { A[] true }", "a query inside XTA is not supported"),
]


@pytest.mark.parametrize(("rule", "text", "message"), MISTAKES)
def test_mistakes_are_told_at_their_place(rule: Rule, text: str, message: str) -> None:
    text, place = marked(text)
    problem = parsed(plain(text), rule).problem
    assert problem is not None
    assert isinstance(problem.span, Span)
    assert f"{problem.span.line}:{problem.span.column}" == place, problem
    assert message in problem.message


@pytest.mark.parametrize(
    "text", ["(" * 300 + "1" + ")" * 300, "+".join("1" * 2000), "!" * 2000 + "a", "a" + "[0]" * 999]
)
def test_nesting_without_end_is_a_message_not_a_crash(text: str) -> None:
    problem = parsed(plain(text), "guard_part").problem
    assert problem is not None
    assert "nested too deeply" in problem.message or "brackets" in problem.message


def test_an_else_belongs_to_the_nearest_if() -> None:
    found = parsed(plain("void f() { if (a) if (b) x = 1; else x = 2; }"), "global_part")
    function = found.tree[0]
    assert isinstance(function, Function)
    outer = function.body.items[0]
    assert isinstance(outer, If)
    assert outer.no is None
    assert isinstance(outer.yes, If)
    assert outer.yes.no is not None


def test_comments_stay_beside_their_declaration_or_move_behind_it() -> None:
    text = "// first\nint a; // of a\nint b, // of b\n c;\nvoid f() { /* inside */ }"
    tree = parsed(plain(text), "global_part").tree
    remarks = [(item.text, item.beside) for item in tree if isinstance(item, Remark)]
    assert remarks == [("// first", False), ("// of a", True), ("// of b", False)]
    assert tree[-1].body.items == (Remark("/* inside */"),)


def test_a_comment_in_a_label_is_not_lost() -> None:
    found = parsed(plain("x > 3 // why"), "guard_part")
    assert expression_text(found.tree) == "x > 3"
    assert [remark.text for remark in found.remarks] == ["// why"]
