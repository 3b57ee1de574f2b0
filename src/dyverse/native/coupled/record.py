"""The runtime's log as a run of bodies with automata, as the reference engine makes it.

`dyverse.native.automata.record` reads the log; here is what it says of bodies
and of the signals that they give.
"""

from __future__ import annotations

from dataclasses import replace

from dyverse.automaton.interface import Array, Edge, State
from dyverse.automaton.network.moves import Move
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.jumps import JointEdge, finds_contacts, joint
from dyverse.generation.skeleton.location import RigidLocation
from dyverse.generation.skeleton.skeleton import RigidEdge
from dyverse.native.automata.record import Recorder
from dyverse.native.logged.naming import Naming
from dyverse.native.logged.record import MODES, SETTLED, VISIT, visit_of


def coupled_recorder(automaton: CoupledAutomaton, start: State, how: str = "by order") -> Recorder:
    """The run so far, from ``start`` on; ``how`` edges are chosen."""
    reading = _Reading(automaton)
    return Recorder(
        automaton,
        start,
        how,
        reading.taken,
        {
            SETTLED: reading.settled,
            VISIT: reading.visited,
            MODES: reading.changed,
        },
    )


class _Reading:
    """Reads records of bodies with automata into a recorder."""

    def __init__(self, automaton: CoupledAutomaton) -> None:
        self._automaton = automaton
        self._size = len(automaton.rigid.variables)
        self._naming = Naming(automaton.rigid.contacts)

    def taken(self, state: State, numbers: list[int]) -> Edge:
        """A jump of automata: they hear the first signal, if there is one."""
        here = joint(state)
        settled = self._automaton.settled(here)
        move = self._automaton.network.moves.move(here.places, numbers)
        after = replace(settled, places=move.target, offered=settled.offered[1:])
        return JointEdge(here, after, move, heard=bool(settled.offered))

    def settled(self, recorder: Recorder, record: Array) -> None:
        """The end of an instant: there is nothing more to tell."""
        recorder.end_arc()
        here = joint(recorder.state)
        after = self._automaton.settled(here)
        if after != here:
            nothing = Move(here.places, here.places, ())
            _take(recorder, JointEdge(here, after, nothing))
        recorder.settled(record)

    def changed(self, recorder: Recorder, record: Array) -> None:
        """The bodies in another dynamical location."""
        recorder.end_arc()
        self._bodies_jump(recorder, self._naming.location(record))

    def _bodies_jump(self, recorder: Recorder, target: RigidLocation) -> None:
        here, skeleton = joint(recorder.state), self._automaton.rigid.skeleton
        after = replace(here, bodies=target, underway=self._automaton.underway(here))
        _take(recorder, JointEdge(here, after, RigidEdge(here.bodies, target, "", skeleton)))

    def visited(self, recorder: Recorder, record: Array) -> None:
        """The bodies in a computation node; impacts are kept in mind."""
        recorder.end_arc()
        entrance, leaving = self._naming.node(record)
        self._bodies_jump(recorder, entrance)
        automaton, state = self._automaton, recorder.state
        automaton.drive(state)
        before, values = automaton.bodies(state), record[len(record) - self._size :]
        after = State(state.time, leaving, values, self._naming.held(record))
        found = visit_of(record, before, after, self._naming, automaton.rigid)
        visit = automaton.passed(state, found)
        recorder.parts.append(visit)
        recorder.visits.append(visit)
        recorder.state = visit.after


def _take(recorder: Recorder, edge: JointEdge) -> None:
    recorder.take_edge(edge, recorder.state.values, finds=finds_contacts(edge))
