import networkx as nx
from hypothesis import given, settings

from dyverse.abstraction.language.word import Lasso
from dyverse.abstraction.omega.machine import Machine, bits, set_of, trimmed
from tests.abstraction.machines import machines
from tests.abstraction.strategies import lassos_up_to, words_up_to

LASSOS = lassos_up_to(3)


def accepted(machine: Machine, lasso: Lasso) -> bool:
    """By definition: a cycle past a marked state in the product with the places of the lasso."""
    letters, graph = lasso.prefix + lasso.cycle, nx.DiGraph()
    following = [*range(1, len(letters)), len(lasso.prefix)]
    for place, letter in enumerate(letters):
        for state, row in enumerate(machine.moves[machine.letters.index(letter)]):
            graph.add_edges_from(((state, place), (end, following[place])) for end in bits(row))
    starts = [(state, 0) for state in bits(machine.start) if (state, 0) in graph]
    reached = {node for start in starts for node in {start, *nx.descendants(graph, start)}}
    return any(
        any(machine.marked >> state & 1 for state, _ in part)
        and (len(part) > 1 or any(graph.has_edge(node, node) for node in part))
        for part in nx.strongly_connected_components(graph.subgraph(reached))
    )


@settings(max_examples=60, deadline=None)
@given(machines())
def test_a_lasso_is_accepted_if_a_cycle_passes_a_marked_state(machine: Machine) -> None:
    for lasso in LASSOS[::2]:
        assert machine.accepts(lasso) == accepted(machine, lasso), lasso


@settings(max_examples=60, deadline=None)
@given(machines())
def test_trimming_leaves_only_states_on_a_way_to_acceptance(machine: Machine) -> None:
    infinite, finite = trimmed(machine, infinite=True), trimmed(machine, infinite=False)
    assert all(machine.accepts(lasso) == infinite.accepts(lasso) for lasso in LASSOS[::3])
    assert all(machine.accepts(word) == finite.accepts(word) for word in words_up_to(4))
    for kept in (infinite, finite):
        assert bool(kept.start) == bool(kept.size) == bool(kept.marked)
        assert trimmed(kept, infinite=kept is infinite) == kept


def test_sets_are_bits() -> None:
    assert list(bits(0b10110)) == [1, 2, 4]
    assert set_of([4, 1, 2]) == 0b10110
