"""Print ∘ parse: what was printed is read back equal, and printing again changes nothing."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.uppaal.files.reading import parse_document, read_document
from dyverse.uppaal.files.to_xml import with_own_ids, xml_text
from dyverse.uppaal.files.to_xta import xta_text
from dyverse.uppaal.language.document import Document
from dyverse.uppaal.language.expression import (
    Application,
    Choice,
    Constant,
    Element,
    Expression,
    Infix,
    Member,
    Named,
    Prefix,
    Quantifier,
    Ranged,
    Reference,
    Suffix,
    Type,
    Update,
)
from dyverse.uppaal.language.parse import parsed
from dyverse.uppaal.language.printing import expression_text
from dyverse.uppaal.language.source import plain
from tests.uppaal.sample_models import ALL, document

SIGNS = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "&&",
    "||",
    "imply",
    "xor",
    "|",
    "^",
    "&",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "<?",
    ">?",
    "<<",
    ">>",
    "**",
]
TYPES = [Type(Named("T")), Type(Ranged(Constant("0"), Reference("n")))]
LEAVES = st.sampled_from(
    [Constant("0"), Constant("2.5"), Constant("true"), Reference("a"), Reference("b1")]
)


def _larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(Infix, st.sampled_from(SIGNS), inner, inner),
        st.builds(Prefix, st.sampled_from(["-", "+", "!", "++", "--"]), inner),
        st.builds(Suffix, st.sampled_from(["++", "--", "'"]), inner),
        st.builds(Choice, inner, inner, inner),
        st.builds(Element, inner, inner),
        st.builds(Member, inner, st.sampled_from(["f", "g"])),
        st.builds(Application, st.just(Reference("f")), st.lists(inner, max_size=2).map(tuple)),
        st.builds(Update, st.sampled_from(["=", "+=", "<<="]), inner, inner),
        st.builds(
            Quantifier,
            st.sampled_from(["forall", "exists", "sum"]),
            st.just("i"),
            st.sampled_from(TYPES),
            inner,
        ),
    )


@given(st.recursive(LEAVES, _larger, max_leaves=12))
def test_any_expression_is_read_back_as_it_was(expression: Expression) -> None:
    text = expression_text(expression)
    found = parsed(plain(text), "guard_part")
    assert found.problem is None, (text, found.problem)
    assert found.tree == expression, text


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_every_file_survives_xml(path: Path) -> None:
    first = read_document(path)
    text = xml_text(first)
    again = parse_document(text)
    assert again == first if first.doctype else replace(again, doctype=None) == _as_xml(first)
    assert xml_text(again) == text


def _as_xml(found: Document) -> Document:
    """An XTA document has no document type, XML writes none, and each id stands once in XML."""
    return replace(found, doctype=None, templates=with_own_ids(found.templates))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_every_file_survives_xta(path: Path) -> None:
    first = read_document(path)
    text = xta_text(first)
    again = parse_document(text)
    assert xta_text(again) == text
    assert parse_document(xta_text(again)) == again
    if path.suffix == ".xta":
        assert again == first


def test_a_drawing_keeps_everything_it_has() -> None:
    path = next(path for path in ALL if path.name == "drawn.xml")
    text = xml_text(read_document(path))
    for piece in (
        "<!-- Everything",
        "<!-- inside",
        "// colours",
        "clock x; // beside",
        "/* over\n   two lines */",
        'color="#ff00ff"',
        'color="#00ffaa"',
        "#222222",
        "1 : 2",
        "waits &amp; waits;\non two lines.",
        "enter();",
        'id="t1"',
        'controllable="false"',
        '<nail x="3" y="4"/>',
        "why not &lt;this&gt;",
        "go();",
        "E&lt;&gt; P.A",
        "reach  it",
        "--search-order",
        'unit="s"',
        "// soon",
        "DTD Flat System 1.4",
        "<urgent/>",
        '"quoted"',
    ):
        assert piece in text, piece


def test_code_of_all_kinds_is_printed_as_it_is_read() -> None:
    text = """int f(int a, int &b[3])
{
    int i, j = 2;
    // a comment
    for (i = 0, j = 1; i < 3; i++, j--)
        a += i;
    for (k : int[0, 2])
    {
        if (k == 1)
            a = 1;
        else
            a = 2;
    }
    while (a > 0)
        a--; // less
    do
    {
        ;
    }
    while (b[0] < 3);
    assert a >= 0;
    return a ? -b[1] : +i;
}
"""
    source = text + "\nprocess P() {\nstate a;\ninit a;\n}\n\nsystem P;\n"
    assert xta_text(document(source)) == source


def test_charts_and_measures_are_kept() -> None:
    source = """process P() {
state a;
init a;
}

system P;
progress {
    n;
    b && n > 3 : 2 * n;
}
gantt {
    G(i : int[0, 2]) : x[i] > 1 -> 2, for (j : T) y[i][j] -> j + 1;
    Other : true -> 0;
}
"""
    assert xta_text(document(source)) == source


@pytest.mark.parametrize("name", ["break", "continue", "switch", "case", "numOf", "E", "sup", "X"])
def test_words_that_uppaal_leaves_free_can_be_names(name: str) -> None:
    source = f"int {name};\n\nprocess P() {{\nstate s;\ninit s;\n}}\n\nsystem P;\n"
    assert xta_text(document(source)) == source


def test_words_name_locations_and_charts_stay_in_xml() -> None:
    text = xml_text(document("process P() { state a; init a; } system P;"))
    text = text.replace("<name>a</name>", "<name>select</name>")
    text = text.replace("\t<system>", "\t<lsc>\n\t\t<name>L</name>\n\t</lsc>\n\t<system>")
    again = parse_document(text)
    assert again.templates[0].places[0].name == "select"
    assert xml_text(again) == text
