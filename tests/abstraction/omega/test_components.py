import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from dyverse.abstraction.omega.components import components, way

DEEP = 100_000
graphs = st.dictionaries(st.integers(0, 7), st.lists(st.integers(0, 7)), max_size=8)


def drawn(graph: dict[int, list[int]]) -> nx.DiGraph:
    return nx.DiGraph([(here, there) for here, ends in graph.items() for there in ends])


@given(graphs)
def test_components_are_those_of_networkx(graph: dict[int, list[int]]) -> None:
    peer = drawn(graph)
    found = list(components(peer.nodes, lambda here: graph.get(here, [])))
    assert sorted(map(sorted, found)) == sorted(map(sorted, nx.strongly_connected_components(peer)))


@given(graphs)
def test_a_component_comes_after_those_it_leads_to(graph: dict[int, list[int]]) -> None:
    place = {
        node: n
        for n, part in enumerate(components(graph, lambda here: graph.get(here, [])))
        for node in part
    }
    assert all(place[there] <= place[here] for here, ends in graph.items() for there in ends)


@given(graphs, st.integers(0, 7))
def test_a_way_is_shortest(graph: dict[int, list[int]], goal: int) -> None:
    peer = drawn(graph)
    peer.add_nodes_from([0, goal])
    found = way(
        [0], lambda here: here == goal, lambda here: (((here, t), t) for t in graph.get(here, []))
    )
    assert (found is not None) == nx.has_path(peer, 0, goal)
    if found is not None:
        assert found[0] == goal
        assert len(found[1]) == nx.shortest_path_length(peer, 0, goal)
        assert all(peer.has_edge(*edge) for edge in found[1])


def test_depth_is_no_limit() -> None:
    def following(here: int) -> list[int]:
        return [here + 1] if here + 1 < DEEP else [DEEP // 2]

    sizes = [len(part) for part in components([0], following)]
    assert sizes == [DEEP // 2] + [1] * (DEEP // 2)
    found = way(
        [0], lambda here: here == DEEP - 1, lambda here: ((here, t) for t in following(here))
    )
    assert found == (DEEP - 1, list(range(DEEP - 1)))
