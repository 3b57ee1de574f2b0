"""Algorithm 1, *DepthFirstSearch*: explore a location, then every root that leads on from it.

[navarro2018] supplement §2. A candidate counts only when it has been replayed by a simulation; if
it is not confirmed, the search goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.paper.encoding import DEFAULTS, Encoding, Options, Root
from dyverse.falsification.paper.explore import Candidate, explore_dynamical_location
from dyverse.falsification.paper.inquiry import Inquiry, Row, Tell
from dyverse.falsification.paper.node import explore_comp_node
from dyverse.falsification.question import Question
from dyverse.falsification.satisfy.satisfy import Answer, Satisfied
from dyverse.falsification.search.shooting import Limits


class PaperSearch:
    """One search by the published algorithms, and its record."""

    def __init__(
        self,
        question: Question,
        limits: Limits,
        tell: Tell = lambda row: None,
        options: Options = DEFAULTS,
    ) -> None:
        self.encoding = Encoding(question, options)
        self.inquiry = Inquiry(limits, tell)
        self.deepest = 0  # jumps out of dynamical locations
        self.paths: list[tuple[str, ...]] = []  # the roots that were explored
        self.cut = 0  # roots that were not, for the bound on depth

    @property
    def rows(self) -> list[Row]:
        """The questions asked so far."""
        return self.inquiry.rows

    def candidates(self) -> Iterator[Candidate]:
        """What looks unsafe, one after the other; to be replayed."""
        yield from depth_first_search(self, self.encoding.start())

    def points(self) -> Iterator[Array]:
        """The same as values of the question's unknowns."""
        for found in self.candidates():
            yield np.array(list(found.settings.values()), dtype=np.float64)


def depth_first_search(search: PaperSearch, root: Root, depth: int = 0) -> Iterator[Candidate]:
    """Algorithm 1: ``root``'s location, then the roots found there, to the depth of the question.

    ``depth`` counts the jumps out of dynamical locations.
    """
    if not reached(search, root):
        return
    search.deepest = max(search.deepest, depth)
    search.paths.append(tuple(str(edge.target) for edge in root.path))
    dynamical = search.encoding.automaton.is_dynamical(root.location)
    explore = explore_dynamical_location if dynamical else explore_comp_node
    roots = yield from explore(search.encoding, search.inquiry, root)
    if dynamical and depth >= search.encoding.question.depth:
        search.cut += sum(isinstance(_asked(search, one), Satisfied) for one in roots)
        return
    for following in roots:
        yield from depth_first_search(search, following, depth + dynamical)


def reached(search: PaperSearch, root: Root) -> bool:
    """Whether some trajectory comes to the root; if so, more are sought to start from later."""
    solver, encoding = search.inquiry.solver, search.encoding
    answer = _asked(search, root)
    if not isinstance(answer, Satisfied):
        return False
    solver.spread(root.formula, answer, encoding.unknowns, encoding.options.spread)
    return True


def _asked(search: PaperSearch, root: Root) -> Answer:
    return search.inquiry.satisfy(root.formula, "root", root.location, root.earliest)
