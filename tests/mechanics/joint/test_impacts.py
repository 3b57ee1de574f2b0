"""Impacts of chains: energy never grows, and no joint opens."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.mechanics.joint.test_mechanisms import DOWN, automaton_of


@pytest.mark.parametrize("seed", range(3))
def test_a_chain_that_hits_a_wall_gains_no_energy_and_stays_whole(seed: int) -> None:
    random = np.random.default_rng(seed)
    e, mu = random.uniform(0, 1), random.uniform(0, 0.5)
    ways = np.array([random.uniform(-1.5, -0.3), random.uniform(-1.5, -0.3)])
    links = np.stack([np.sin(ways), -np.cos(ways)], axis=1)
    places = np.cumsum(links, axis=0)
    text = f"""{DOWN}body frame {{ point  fixed }}
        body wall {{ plane normal (-1, 0, 0)  position (0.2, 0, 0) }}
        body one {{ sphere radius 0.1  mass 1  position ({places[0, 0]}, {places[0, 1]}, 0) }}
        body two {{ sphere radius 0.1  mass 2  position ({places[1, 0]}, {places[1, 1]}, 0) }}
        joint a {{ revolute frame one  at (0, 0, 0)  axis (0, 0, 1) }}
        joint b {{ spherical one two  at ({places[0, 0]}, {places[0, 1]}, 0) }}
        contact all off
        contact one wall {{ restitution {e}  friction {mu} }}
        contact two wall {{ restitution {e}  friction {mu} }}"""
    automaton = automaton_of(text)
    run = simulate(automaton, until=1.5, options=Options(solver="reference"))
    assert any(event.kind == "impact" for event in run.events)
    energies = [automaton.observe(s)["energy"] for arc in run.arcs for s in (arc.start, arc.end)]
    assert (np.diff(energies) <= 1e-6).all()
    joints = automaton.dynamics.joints
    assert joints is not None
    for arc in run.arcs:
        joined = joints.at(arc.start.values)
        assert np.abs(joined.error).max() < 1e-9
        assert np.abs(joined.W.T @ arc.start.values[automaton.dynamics.layout.v]).max() < 1e-9
