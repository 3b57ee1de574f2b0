"""Locations and jumps of bodies together with automata."""

from __future__ import annotations

from dataclasses import dataclass

from dyverse.automaton.interface import Assignment, Edge, State
from dyverse.automaton.network.moves import Move, Places
from dyverse.expr.formula import Formula
from dyverse.generation.skeleton.location import Modes, RigidLocation
from dyverse.generation.skeleton.skeleton import RigidEdge


@dataclass(frozen=True, slots=True)
class Underway:
    """Bodies between two dynamical locations: where they left, and which contacts were hit."""

    left: Modes
    hit: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Joint:
    """Where the bodies are, where each automaton is, and which signals have not been heard yet.

    ``underway`` is kept within an instant, if contacts offer anything; while time passes it is not
    there, and nothing is ``offered``.
    """

    bodies: RigidLocation
    places: Places
    offered: tuple[str, ...] = ()
    underway: Underway | None = None

    def __str__(self) -> str:
        return f"{self.bodies}, {self.places}"


@dataclass(frozen=True, slots=True)
class JointEdge:
    """A jump of the bodies, or of some automata; perhaps of those that ``heard`` the bodies."""

    source: Joint
    target: Joint
    part: RigidEdge | Move
    heard: bool = False

    @property
    def guard(self) -> Formula:
        """Where it is allowed."""
        return self.part.guard

    @property
    def reset(self) -> tuple[Assignment, ...]:
        """What it changes."""
        return self.part.reset

    @property
    def action(self) -> str:
        """What it is called."""
        return self.part.action


def finds_contacts(edge: Edge) -> bool:
    """Whether ``edge`` is a jump of the bodies; at the start of a run, it finds who touches."""
    part = edge.part if isinstance(edge, JointEdge) else edge
    return isinstance(part, RigidEdge)


def joint(state: State) -> Joint:
    """The location of a state of bodies and automata."""
    assert isinstance(state.location, Joint)
    return state.location
