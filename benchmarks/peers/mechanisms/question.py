"""Mechanisms beside MuJoCo, Drake and Siconos: what does a second cost at the same accuracy?"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.peers.ask import Asker
from benchmarks.peers.measure import Answer
from benchmarks.peers.mechanisms.task import MECHANISMS, TOLERANCE
from benchmarks.peers.page import Section
from benchmarks.table import Cell

PEERS = ("MuJoCo", "Drake", "Siconos")


def mechanisms(asker: Asker) -> Section:
    """Everyone as they come, and then as exact as dyverse at a tolerance of 1e-8."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "truth.npz")
        own = asker.ask("dyverse", "mechanisms.with_dyverse", path)
        peers: list[Answer] = []
        if own:  # without them nobody knows the truth
            for peer in PEERS:
                peers += asker.ask(peer, f"mechanisms.with_{peer.lower()}", path)
    spans = ", ".join(f"{m.name} {m.until:g} s" for m in MECHANISMS)
    return Section(
        title="Mechanisms, at the same accuracy",
        columns=(
            "mechanism",
            "program",
            "version",
            "step, accuracy or tolerance",
            "error of angles rad",
            "processor s per s",
            "× dyverse, as exact",
        ),
        rows=tuple(row for m in MECHANISMS for row in rows(m.name, own + peers)),
        notes=(
            "Errors: the largest of the hinges' angles at the end, against the native engine at a "
            f"tolerance of 1e-12; runs end before small differences have grown: {spans}.",
            "First everyone as they come (dyverse at 1e-4), then steps are halved, or Drake's "
            f"accuracy divided by ten, until the error is that of dyverse at {TOLERANCE:g}; the "
            "last column is how much longer they take then. A dash: not reached before a run took "
            "most of a second; the last one tried is shown.",
            "Open chains: MuJoCo's Runge-Kutta method of order 4; Drake's of order 3 in a "
            "continuous plant. Loop and floor are soft in MuJoCo, harder for smaller steps, and "
            "discrete in Drake (SAP), whose errors fall only with the step itself. MuJoCo and "
            "Drake have angles as their coordinates, dyverse and Siconos bodies in space. Siconos "
            "has Moreau and Jean's scheme throughout, from the step of its `mechanics_run` on; it "
            "is not asked about the arm.",
            "The arm: MuJoCo and Drake relax Coulomb's law to a convex one, by which a contact "
            "that slides leaves the floor, so that smaller steps lead to another motion. The "
            "impact is one with a closed form, which dyverse meets: slip keeps its direction.",
        ),
    )


def rows(name: str, answers: list[Answer]) -> list[tuple[Cell, ...]]:
    """Each with its price over that of dyverse, if it is as exact."""
    found = [a for a in answers if a["mechanism"] == name]
    own = next((a for a in found if a["reached"]), None)  # dyverse comes first
    return [
        (
            name,
            a["peer"],
            a["version"],
            a["knob"],
            a["error"],
            a["seconds"],
            a["seconds"] / own["seconds"] if own and a["reached"] else float("nan"),
        )
        for a in found
    ]
