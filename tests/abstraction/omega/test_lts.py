import pytest
from hypothesis import given, settings

from dyverse.abstraction.language.word import lasso
from dyverse.abstraction.omega.lts import Lts, Step, infinity_set, lts, word_of
from dyverse.errors import ModelError
from tests.abstraction.strategies import systems, words_up_to


def test_a_system_from_text() -> None:
    system = lts("on x off, off y on", initial="on")
    assert system.locations == ("off", "on")
    assert system.alphabet == ("x", "y")
    assert system.outgoing("on") == (Step("on", "x", "off"),)
    assert system.is_deterministic


def test_all_that_is_wrong_is_said_at_once() -> None:
    steps = (Step("q1", "a", "q22"), Step("q1", "b", "q1"))
    with pytest.raises(ModelError) as caught:
        Lts(("q1", "q2", "q1"), ("a",), steps, ("q3",))
    for message in (
        "location 'q1' is there twice",
        "step q1 –a→ q22: unknown location 'q22'; did you mean 'q2'?",
        "step q1 –b→ q1: unknown letter 'b'",
        "initial: unknown location 'q3'",
    ):
        assert message in str(caught.value)


@settings(deadline=None)
@given(systems())
def test_paths_are_runs_and_as_short_as_any(system: Lts) -> None:
    for target in system.locations:
        way = system.path(system.initial, target)
        ends = {word: _followed(system, word) for word in words_up_to(4)}
        reaching = [len(word) for word, end in ends.items() if target in end]
        assert (way is not None) == bool(reaching)
        assert way is None or (len(way) == min(reaching) and target in ends[word_of(way)])


def _followed(system: Lts, word: tuple[str, ...]) -> frozenset[str]:
    here = frozenset(system.initial)
    for letter in word:
        here = system.after(here, letter)
    return here


def test_infinity_sets_of_words() -> None:
    system = lts("p a q, q a p, q b r, r b r", initial="p")
    assert infinity_set(system, lasso("", "a")) == frozenset({"p", "q"})
    assert infinity_set(system, lasso("a", "b")) == frozenset({"r"})
    assert infinity_set(system, lasso("ab", "a")) is None


def test_infinity_sets_need_one_run_per_word() -> None:
    with pytest.raises(ModelError, match="several runs"):
        infinity_set(lts("p a p, p a q", initial="p"), lasso("", "a"))
