"""Assignments at once and in sequence come to the same, on one edge and across a channel."""

from hypothesis import given
from hypothesis import strategies as st

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Action, Component, NetworkEdge, Place, Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.node import assigned
from dyverse.expr.term import Binary, Number, Symbol, Term
from dyverse.expr.value import value
from dyverse.uppaal.export.sequence import Sequencer, Steps, in_sequence, old

NAMES = ("a", "b", "c", "d")
leaves: st.SearchStrategy[Term] = st.one_of(
    st.sampled_from(NAMES).map(Symbol), st.integers(-3, 3).map(lambda n: Number(float(n)))
)
terms: st.SearchStrategy[Term] = st.recursive(
    leaves,
    lambda inner: st.builds(Binary, st.sampled_from(["+", "-", "*"]), inner, inner),
    max_leaves=4,
)
known = {"a": 2.0, "b": -3.0, "c": 5.0, "d": 7.0}


def resets(names: tuple[str, ...]) -> st.SearchStrategy[tuple[Assignment, ...]]:
    found = st.dictionaries(st.sampled_from(names), terms)
    return found.map(lambda pairs: tuple(Assignment(n, t) for n, t in pairs.items()))


def carried_out(steps: Steps, numbers: dict[str, float]) -> dict[str, float]:
    for name in steps.copies:
        numbers = numbers | {old(name): numbers[name]}
    for assignment in steps.assignments:
        numbers = numbers | {assignment.target: value(assignment.value, numbers)}
    return numbers


@given(resets(NAMES))
def test_a_sequence_with_copies_is_the_same_as_all_at_once(reset: tuple[Assignment, ...]) -> None:
    after = carried_out(in_sequence(reset), known)
    expected = known | assigned(reset, known)
    assert {name: after[name] for name in NAMES} == expected


def test_a_swap_needs_one_copy_and_a_chain_none() -> None:
    swap = (Assignment("a", Symbol("b")), Assignment("b", Symbol("a")))
    assert len(in_sequence(swap).copies) == 1
    chain = (
        Assignment("b", Symbol("a")),
        Assignment("c", Symbol("b")),
        Assignment("a", Number(0.0)),
    )
    assert in_sequence(chain).copies == ()
    assert carried_out(in_sequence(chain), known) | {} == known | {"a": 0, "b": 2, "c": -3}


def network(sent: tuple[Assignment, ...], heard: tuple[Assignment, ...]) -> Network:
    def component(name: str, reset: tuple[Assignment, ...], sends: bool) -> Component:
        edge = NetworkEdge(source="p", target="p", reset=reset, action=Action("go", sends))
        return Component(name=name, places=(Place(name="p"),), edges=(edge,), initial="p")

    return Network(
        components=(component("S", sent, True), component("R", heard, False)),
        shared=tuple(Variable(name, start=known[name]) for name in NAMES),
    )


@given(resets(("a", "b")), resets(("c", "d")))
def test_a_receiver_reads_what_was_before_the_sender_assigned(
    sent: tuple[Assignment, ...], heard: tuple[Assignment, ...]
) -> None:
    both = network(sent, heard)
    sequencer = Sequencer(both)
    numbers = known
    for item in both.components:
        numbers = carried_out(sequencer.steps(item, item.edges[0]), numbers)
    state = both.take(next(both.outgoing(both.start().location)), both.start())
    assert [numbers[name] for name in NAMES] == state.values.tolist()
