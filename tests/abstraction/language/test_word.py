import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.abstraction.language.word import (
    Lasso,
    Word,
    lasso,
    parse_word,
    primitive_root,
    word_text,
)
from dyverse.errors import ModelError, ParseError
from tests.abstraction.strategies import NAMES, lassos_up_to

words = st.lists(st.sampled_from(NAMES), max_size=5).map(tuple)


@settings(deadline=None)
@given(words)
def test_what_is_printed_parses_to_the_same(word: Word) -> None:
    assert parse_word(word_text(word)) == word


def test_signs_are_no_letters() -> None:
    with pytest.raises(ParseError, match=r":1:2: '\+' is not a letter"):
        parse_word("a+b")


def test_a_lasso_repeats_something() -> None:
    with pytest.raises(ModelError, match="at least one letter"):
        Lasso(("a",), ())


def unrolled(word: Lasso, length: int) -> Word:
    return (word.prefix + word.cycle * length)[:length]


def test_reduced_is_the_same_infinite_word_and_the_same_for_all_its_spellings() -> None:
    for word in lassos_up_to(3):
        reduced = word.reduced()
        assert unrolled(reduced, 20) == unrolled(word, 20)
        assert Lasso(word.prefix + word.cycle, word.cycle * 2).reduced() == reduced


def test_lassos_print_as_in_the_paper() -> None:
    assert str(lasso("a", "bda")) == "a(bda)^ω"
    assert str(lasso("", "b")) == "(b)^ω"


def test_the_root_is_the_shortest_sequence_repeated() -> None:
    assert primitive_root("abab") == ("a", "b")
    assert primitive_root("aba") == ("a", "b", "a")
    assert primitive_root("aaa") == ("a",)
