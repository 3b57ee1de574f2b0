"""Hostile and broken XML gets a message with its place, and nothing else happens."""

import pytest

from dyverse.errors import ParseError
from dyverse.uppaal.files.reading import parse_document
from dyverse.uppaal.files.xmltree import MAX_DEPTH, read_xml
from tests.uppaal.sample_models import marked

BOMB = """<?xml version="1.0"?>
<!DOCTYPE nta »[
 <!ENTITY a "aaaaaaaaaa">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
 <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<nta><declaration>&c;</declaration></nta>"""
EXTERNAL = """<!DOCTYPE nta »[ <!ENTITY secret SYSTEM "file:///etc/hostname"> ]>
<nta><declaration>&secret;</declaration></nta>"""
PARAMETER = """<!DOCTYPE nta »[ <!ENTITY % more SYSTEM "http://localhost/x.dtd"> %more; ]><nta/>"""
UNKNOWN = """<!DOCTYPE nta SYSTEM "http://localhost/flat-1_1.dtd">
<nta><declaration>int a; »&hidden; int b;</declaration></nta>"""
DEEP = (
    "<nta>"
    + "<template>" * (MAX_DEPTH - 1)
    + "»"
    + "<template>" * 69
    + "</template>" * 100
    + "</nta>"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "declarations inside DOCTYPE are refused"),
        (EXTERNAL, "declarations inside DOCTYPE are refused"),
        (PARAMETER, "declarations inside DOCTYPE are refused"),
        (UNKNOWN, "unknown entity '&hidden;'"),
        (DEEP, f"nested {MAX_DEPTH} levels deep"),
        ("<nta><declaration>int a;</»nta>", "mismatched tag"),
        ("<nta>»", "no element found"),
        ("<nta/>»<nta/>", "junk after document element"),
        ("<nta>»&undefined;</nta>", "undefined entity"),
        ("<nta a='1' »a='2'/>", "duplicate attribute"),
        ("<nta>»<?php x ?></nta>", "processing instruction 'php'"),
        ("<?xml version='1.0' encoding='»klingon'?><nta/>", "unknown encoding"),
        ("<nta>»\x00</nta>", "not well-formed"),
    ],
)
def test_hostile_and_broken_files_are_refused(text: str, message: str) -> None:
    text, place = marked(text)
    with pytest.raises(ParseError) as caught:
        parse_document(text, file="evil.xml")
    sentence = str(caught.value)
    assert sentence.startswith(f"evil.xml:{place}: "), sentence
    assert message in sentence


def test_a_file_of_a_hundred_megabytes_is_not_even_looked_at() -> None:
    with pytest.raises(ParseError, match="a model may have 10,000,000"):
        parse_document(b"<nta>" + b" " * 100_000_000, file="big.xml")


def test_places_count_characters_through_entities_cdata_and_other_encodings() -> None:
    text = '<?xml version="1.0" encoding="iso-8859-1"?>\n<nta>é &lt;<![CDATA[a<b]]> &#65;!\nz</nta>'
    tree = read_xml(text.encode("iso-8859-1"), file="x.xml", source=text)
    source = tree.root.source
    assert source.text == "é <a<b A!\nz"
    places = {
        letter: source.span(source.text.index(letter), source.text.index(letter) + 1)
        for letter in "éabA!z"
    }
    lines = text.split("\n")
    for letter, shown in (("é", "é"), ("a", "a<b"), ("b", "b]]"), ("A", "&#65;"), ("!", "!")):
        assert lines[places[letter].line - 1][places[letter].column - 1 :].startswith(shown)
    assert (places["z"].line, places["z"].column) == (3, 1)


def test_the_document_type_is_remembered_and_never_fetched() -> None:
    found = parse_document('<!DOCTYPE nta PUBLIC "p" "http://localhost:1/none.dtd"><nta/>')
    assert found.doctype is not None
    assert (found.doctype.public, found.doctype.system) == ("p", "http://localhost:1/none.dtd")
