"""What is written is read back by a small reader and accepts the same words."""

import re
from dataclasses import dataclass

from hypothesis import given, settings

from dyverse.abstraction.behaviours.discontinuous import BEHAVIOURS, discontinuous_lts
from dyverse.abstraction.behaviours.splitting import refine
from dyverse.abstraction.language.parse import parse_expression
from dyverse.abstraction.language.word import Lasso
from dyverse.abstraction.omega.automata import (
    BuchiAutomaton,
    FiniteAutomaton,
    MullerAutomaton,
    buchi_automaton,
)
from dyverse.abstraction.omega.hoa import hoa
from dyverse.abstraction.omega.lts import Lts, Step, infinity_set, lts
from tests.abstraction.strategies import lassos_up_to, muller_automata


@dataclass(frozen=True)
class Read:
    lts: Lts
    marks: dict[str, frozenset[int]]
    acceptance: str

    def accepts(self, word: Lasso) -> bool:
        """Evaluate the formula on what the run visits for ever."""
        visited = infinity_set(self.lts, word)
        if visited is None:
            return False
        seen = frozenset[int]().union(*(self.marks[location] for location in visited))
        formula = re.sub(r"Inf\((\d+)\)", lambda m: str(int(m[1]) in seen), self.acceptance)
        formula = re.sub(r"Fin\((\d+)\)", lambda m: str(int(m[1]) not in seen), formula)
        return bool(eval(formula.replace("t", "True") if formula == "t" else formula, {"f": False}))


def read(text: str) -> Read:
    head, body = text.split("--BODY--\n")
    letters = re.findall(r'"([^"]*)"', next(re.finditer(r"^AP: .*$", head, re.M))[0])
    starts = tuple(re.findall(r"^Start: (\d+)$", head, re.M))
    acceptance = next(re.finditer(r"^Acceptance: \d+ (.*)$", head, re.M))[1]
    marks, steps, here = {}, [], ""
    for line in body.splitlines():
        if state := re.fullmatch(r'State: (\d+) "[^"]*"(?: \{(\d+)\})?', line):
            here = state[1]
            marks[here] = frozenset({int(state[2])} if state[2] else ())
        elif step := re.fullmatch(r"\[(.*)\] (\d+)", line):
            (true,) = (int(ap) for ap in step[1].split("&") if ap[0] != "!")
            steps.append(Step(here, letters[true], step[2]))
    assert body.endswith("--END--\n")
    return Read(Lts(tuple(marks), tuple(letters), tuple(steps), starts), marks, acceptance)


@settings(max_examples=40, deadline=None)
@given(muller_automata(deterministic=True))
def test_muller_automata_read_back_accept_the_same(automaton: MullerAutomaton) -> None:
    back = read(hoa(automaton))
    for word in lassos_up_to(2):
        wanted = infinity_set(automaton.lts, word) in automaton.family
        assert back.accepts(word) == wanted, word


def test_figure_4_in_the_format() -> None:
    text = hoa(refine(discontinuous_lts(rules="paper"), BEHAVIOURS).automaton(), name='the "nine"')
    assert text.startswith('HOA: v1\nname: "the \\"nine\\""\nStates: 9\nStart: 2\n')
    assert 'AP: 4 "a" "b" "c" "d"\n' in text
    assert "properties: explicit-labels state-acc trans-labels deterministic\n" in text
    assert "finite: 0 1 2 5 6\n" in text
    assert len(read(text).lts.steps) == 16


def test_buchi_automata_mark_their_recurrent_locations() -> None:
    text = hoa(buchi_automaton(parse_expression("a(ba)^ω")))
    assert "acc-name: Buchi\nAcceptance: 1 Inf(0)\n" in text
    assert len(re.findall(r"^State: .*\{0\}$", text, re.M)) == 1


def test_finite_words_are_left_to_our_own_header() -> None:
    system = lts("on x off, off y on", initial="on")
    text = hoa(FiniteAutomaton(system, frozenset({"off"})))
    assert "acc-name: none\nAcceptance: 0 f\n" in text
    assert "finite: 0\n" in text
    assert not read(text).accepts(Lasso((), ("x", "y")))


def test_nondeterministic_automata_do_not_claim_to_be_deterministic() -> None:
    system = lts("p a p, p a q", initial="p")
    assert "deterministic" not in hoa(BuchiAutomaton(system, frozenset({"q"})))
