"""Whole files that are wrong: every mistake at its place, all of them together."""

import pytest

from dyverse.errors import ModelError, ParseError
from dyverse.uppaal.files.reading import parse_document
from dyverse.uppaal.loading.load import model_of
from tests.uppaal.sample_models import MODELS, marked, process, step, written

GOOD = """<nta>
<declaration>clock x; chan go; int n;</declaration>
<template><name>P</name>
<location id="a"><name>A</name><label kind="invariant">x &lt;= 3</label></location>
<init ref="a"/>
<transition><source ref="a"/><target ref="a"/><label kind="guard">x &gt;= 2</label></transition>
</template>
<system>system P;</system>
</nta>"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("x &lt;= 3", "x &lt;=» ", "expected an expression, found the end"),
        ("x &lt;= 3", "x &lt;= 3 &amp;&amp; »&amp;&amp; y", "found '&&'"),
        ("x &gt;= 2", "x &gt; »= 2", "found '='"),
        ('<target ref="a"', '»<target ref="aa"', "no location has the id 'aa'"),
        ('<transition><source ref="a"/>', "»<transition>", "has no <source ref=…/>"),
        ("<template><name>P</name>", "»<template>", "this <template> has no name"),
        ("<name>P</name>", "<name>»2nd</name>", "'2nd' cannot be a name"),
        ('<label kind="guard"', '»<label kind="gaurd"', "kind 'gaurd' is not supported here; did"),
        ('<label kind="guard"', '»<label kind="invariant"', "a label of kind 'invariant'"),
        ("<system>", "»<chart/><system>", "<chart> inside <nta> is not supported"),
        ('<location id="a">', "»<location>", "this <location> has no id"),
        ("<system>", "»loose<system>", "there is text directly inside <nta>"),
        ("system P;", "system P»", "found the end of the text"),
        ("<nta>\n<declaration>", "»<sbml>\n<declaration>", "the root is <sbml>, not <nta>"),
    ],
)
def test_mistakes_in_xml_are_told_at_their_place(old: str, new: str, message: str) -> None:
    assert old in GOOD
    text, place = marked(GOOD.replace(old, new, 1))
    text = text.replace("</nta>", "</sbml>") if "sbml" in new else text
    with pytest.raises(ParseError) as caught:
        parse_document(text, file="m.xml")
    assert f"m.xml:{place}: " in str(caught.value), caught.value
    assert message in str(caught.value)


def test_a_template_needs_an_initial_location() -> None:
    with pytest.raises(ParseError, match=r"m\.xml:3:1: this template has no initial location"):
        parse_document(GOOD.replace('<init ref="a"/>', ""), file="m.xml")


def test_all_mistakes_of_a_file_come_together_in_its_order() -> None:
    text = GOOD.replace("x &lt;= 3", "x &lt;=").replace("x &gt;= 2", ")").replace("int n", "int")
    with pytest.raises(ParseError) as caught:
        parse_document(text)
    assert [p.span.line for p in caught.value.problems if p.span] == [2, 4, 6]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (step("", "guard »y > 3;"), "unknown name 'y'"),
        (step("clock count;", "guard »cuont > 3;"), "did you mean 'count'?"),
        (step("int n;", "sync »n!;"), "this is no channel"),
        (step("const int n = 3;", "assign »n = 4;"), "'n' is a constant"),
        (step("int n;", "guard »n++ > 0;"), "a guard must not change anything"),
        (step("", "assign »f(3);"), "unknown function 'f'"),
        (step("int f(int a) { return a; }", "guard »f() == 0;"), "f takes 1 arguments, not 0"),
        (step("int f() { return »f(); }", "guard f() > 0;"), "calls itself"),
        (step("void f() { »x = 1; }", ""), "unknown name 'x'"),
        (step("clock x;", "guard x > 1 && »sin(x, x) > 0;"), "sin takes 1 arguments"),
        (step("int[0, 3] »n = 7;", ""), "n := 7 leaves its range [0, 3]"),
        (step("»T x;", ""), "unknown type 'T'"),
        (step("int[3, 1] »x;", ""), "the range [3, 1] is empty"),
        (step("int n; int a[»n];", ""), "'n' may change; a constant is needed here"),
        (step("int n, »n;", ""), "'n' is declared twice"),
        (step("int a[2] = { »1, 2, 3 };", ""), "2 values are needed, not 3"),
        (step("int a;", "assign »a.b = 1;"), "there is no field 'b' here"),
        (step("clock x; int n;", "guard »x % 2 == 0;"), "cannot be part of a guard over clocks"),
        (process("clock x;", "state a { x' == 1 && »x' > 2 }; init a;"), "as x' == …"),
        (process("int n;", "state a { »n' == 1 }; init a;"), "only a clock has a rate"),
        (process("", "state a; init a;").replace("system ", "system »Q"), "unknown process or"),
        (process("»before_update { n = 1 } int n;", "state a; init a;"), "not supported in a run"),
        ("process P(int &n) { state a; init a; } system »P;", "needs an argument for 'n'"),
        ("process P(int n) { state a; init a; } »Q = P(1, 2); system Q;", "P takes 1 arguments"),
        ("»process P() { state a; init a; } int n;", "there is no line 'system …;'"),
        (step("clock x;", "guard »random(3) > x;"), "a guard must not change anything"),
    ],
)
def test_what_makes_no_sense_is_told_at_its_place(text: str, message: str) -> None:
    text, place = marked(text)
    with pytest.raises(ModelError) as caught:
        written(text)
    assert str(caught.value).startswith(f"model.xta:{place}: "), caught.value
    assert message in str(caught.value)


def test_a_branchpoint_is_read_and_each_branch_is_an_edge() -> None:
    found = parse_document((MODELS / "branchpoint.xml").read_bytes(), file="b.xml")
    assert [point.id for point in found.templates[0].branchpoints] == ["id1"]
    edges = model_of(found).network.components[0].edges
    assert sum(edge.weight for edge in edges if edge.source == edges[0].source) == 1.0


def test_old_files_without_a_document_type_and_with_instantiation_are_read() -> None:
    text = GOOD.replace("<system>", "<instantiation>Q = P();</instantiation><system>")
    found = model_of(parse_document(text.replace("system P;", "system Q;")))
    assert [item.name for item in found.network.components] == ["Q"]
