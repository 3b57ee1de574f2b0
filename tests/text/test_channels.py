"""Channels as parameters of automata: each instance synchronises on those that it is given."""

from __future__ import annotations

import pytest

from dyverse import parse_model
from dyverse.errors import ModelError
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.parse import parse
from dyverse.text.printing.model import model_text

TEMPLATES = """
automaton timer(channel out, period = 1) {
  clock c
  location on { invariant c <= period }
  initial on
  edge on -> on { when c >= period  do c := 0  sync out! }
}
automaton counter(  # two of them
  channel up, channel down, step = 1) {
  int n
  location on
  initial on
  edge on -> on { sync up?  do n := n + step }
  edge on -> on { sync down?  do n := n - step }
}
channel fast { broadcast }
channel slow { broadcast }
"""
SYSTEM = """
system quick = timer(fast, 0.5) || lazy = timer(period = 2, out = slow)
    || one = counter(fast, slow) || two = counter(slow, fast, 10)
"""


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_instances_hear_the_channels_that_they_are_given(solver: str) -> None:
    """Eight quick ticks and two lazy ones in 4.2 s."""
    automaton = parse_model(TEMPLATES + SYSTEM).automaton()
    run = simulate(automaton, until=4.2, options=Options(solver=solver))
    assert (run.final["one.n"], run.final["two.n"]) == (6, -60)


def test_the_same_written_out_for_each_instance_runs_alike() -> None:
    """One road more: templates with the channels put in by hand."""
    timer, _, rest = TEMPLATES.partition("automaton counter")
    plain = "automaton counter" + rest
    hand = [
        timer.replace("channel out, ", "").replace("out!", f"{channel}!").replace("timer", name)
        for name, channel in (("quick", "fast"), ("lazy", "slow"))
    ]
    system = "system quick(0.5) || lazy(2) || one = counter(fast, slow)"
    first = simulate(parse_model("".join((*hand, plain, system))).automaton(), until=4.2)
    short = SYSTEM.partition("|| two")[0]
    second = simulate(parse_model(TEMPLATES + short).automaton(), until=4.2)
    assert first.final == second.final
    assert [e.time for e in first.events] == [e.time for e in second.events]


def test_they_are_printed_as_they_were_written() -> None:
    tree = parse(TEMPLATES + SYSTEM)
    assert "automaton timer(channel out, period = 1)" in model_text(tree)
    assert parse(model_text(tree)) == tree


def test_they_go_with_repeats() -> None:
    text = """
    repeat i in 1..3 { channel tick[i] { broadcast } }
    system a = timer(tick[1]) || b = timer(tick[2]) || one = counter(tick[1], tick[2])
    """
    run = simulate(parse_model(TEMPLATES + text).automaton(), until=2.5)
    assert run.final["one.n"] == 0


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("system a = timer || one = counter(fast, slow)", "'timer' needs a channel for 'out'"),
        ("system a = timer(0.5)", "'out' is a channel; give it the name of one, found '0.5'"),
        ("system a = timer(b.c)", "'out' is a channel; give it the name of one, found 'b.c'"),
        ("system a = timer(fast, 1, 2)", "'timer' takes 2 arguments, not 3"),
        ("system a = timer(channel = fast)", "unknown parameter 'channel'"),
        ("system one = counter(fast, slow)", "nobody sends 'slow'"),
    ],
)
def test_what_is_wrong_with_what_an_instance_is_given(system: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_model(TEMPLATES + system)
    assert message in str(caught.value)
    assert "receives 'out'" not in str(caught.value)  # which nobody can know


@pytest.mark.parametrize(
    ("formals", "message"),
    [
        ("k, channel c", "1:24: channels come before other parameters"),
        ("channel c, channel c", "the channel 'c' is given twice"),
        ("channel", "expected a name, found ')'"),
    ],
)
def test_what_is_wrong_with_a_template(formals: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_model(f"automaton a({formals}) {{ location l  initial l }}")
    assert message in str(caught.value)
