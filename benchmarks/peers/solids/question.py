"""Solids beside MuJoCo, Drake and Siconos: how far from the truth are they, and at what price?"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.peers.ask import Asker
from benchmarks.peers.page import Section
from benchmarks.peers.solids.task import SOLIDS, STILL

PEERS = ("MuJoCo", "Drake", "Siconos")


def solids(asker: Asker) -> Section:
    """Everyone as they come: dyverse at its default tolerance, the others at their default step."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "truth.npz")
        answers = asker.ask("dyverse", "solids.with_dyverse", path)
        if answers:  # without them nobody knows the truth
            for peer in PEERS:
                answers += asker.ask(peer, f"solids.with_{peer.lower()}", path)
    compared = ", ".join(f"{solid.key} {solid.apart:g} s" for solid in SOLIDS)
    return Section(
        title="Solids that rock, tumble and spin, as each program has them by default",
        columns=(
            "solid",
            "program",
            "version",
            "step",
            "error of tilt rad",
            "error of energy, of that at the start",
            "error of the time to rest s",
            "processor s per s",
        ),
        rows=tuple(
            (
                a["solid"],
                a["peer"],
                a["version"],
                a["step"],
                a["tilt"],
                a["energy"],
                a["rest"],
                a["seconds"],
            )
            for solid in SOLIDS
            for a in answers
            if a["solid"] == solid.key
        ),
        notes=(
            "Errors are against the native engine at a tolerance of 1e-12, the largest of what is "
            f"seen every 10 ms until differences grow by themselves ({compared}). Tilt: between "
            "one of the body's own axes and the vertical. A body rests when its kinetic energy "
            f"stays below {STILL:g} of its energy at the start, read to 10 ms; the top does not.",
            "MuJoCo's contact is as it is by default where nothing bounces, and for the box "
            "(restitution 0.3) a spring of stiffness 1e5/s² with the damping that returns 0.3. "
            "Drake's point contact (1e5 N/m) has the dissipation that returns 0.3 at 2.5 m/s, or "
            "nothing; it has one point for each pair of shapes, so a box is its eight corners.",
            "Siconos has the same laws of impact and friction, in Moreau and Jean's scheme at the "
            "step of its `mechanics_run`; where bodies touch it asks Bullet, whose points are not "
            "quite the corners. It is driven step by step from Python, as its interface asks for.",
        ),
    )
