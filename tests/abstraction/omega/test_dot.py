import re

from dyverse.abstraction.behaviours.discontinuous import BEHAVIOURS, discontinuous_lts
from dyverse.abstraction.behaviours.splitting import refine
from dyverse.abstraction.omega.automata import BuchiAutomaton
from dyverse.abstraction.omega.dot import dot
from dyverse.abstraction.omega.lts import lts


def test_figure_3_is_drawn_without_acceptance() -> None:
    text = dot(discontinuous_lts(rules="paper"), name="figure 3")
    assert text.startswith('digraph "figure 3" {\n')
    assert text.count("shape=circle") == 5
    assert len(re.findall(r'"q\d" -> "q\d" \[label=', text)) == 8
    assert '"start 0" -> "q3";' in text


def test_figure_4_is_drawn_with_its_sets() -> None:
    text = dot(refine(discontinuous_lts(rules="paper"), BEHAVIOURS).automaton())
    assert text.count("shape=doublecircle") == 5
    assert "{q1 q31 q51}" in text
    assert len(re.findall(r'"q\d+" -> "q\d+" \[label=', text)) == 16


def test_steps_between_the_same_locations_share_an_arrow() -> None:
    system = lts("p a q, p b q", initial="p")
    text = dot(BuchiAutomaton(system, frozenset({"q"})))
    assert '"p" -> "q" [label="a, b"];' in text
    assert '"q" [shape=doublecircle];' in text


def test_quotes_are_escaped() -> None:
    assert '"say \\"p\\""' in dot(lts("p a p", initial="p"), name='say "p"')
