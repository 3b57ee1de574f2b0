"""What ``dyverse animate`` was asked for, and what its processes do for it.

Little is imported until they do: the page is served before there is a model.
"""

from __future__ import annotations

import ipaddress
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dyverse.animation.asked import Request
from dyverse.animation.recording.pacing import FASTEST, SLOWEST
from dyverse.animation.serving.searching import Say
from dyverse.cli.arguments.source import Source
from dyverse.errors import ModelError, Problem

if TYPE_CHECKING:
    from dyverse.animation.playable import Playable

NATIVE = "native"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to serve, and how."""

    settings: tuple[str, ...] = ()
    port: int | None = None
    host: str = "127.0.0.1"
    tick: float | None = None
    speed: float = 1.0
    solver: str = NATIVE
    browser: bool = True
    html: str | None = None
    until: float | None = None
    trust: bool = False

    def check(self) -> None:
        """Refuse numbers that make no sense, and solvers that are not there."""
        if self.solver != NATIVE:
            from dyverse.simulation.simulate import check_solver

            check_solver(self.solver)
        problems = {
            "--port": (0 <= (self.port or 0) < 2**16, "must be a port, 0 to 65535"),
            "--tick": (
                self.tick is None or 0 < self.tick < math.inf,
                "must be a finite time over 0",
            ),
            "--until": (
                self.until is None or 0 <= self.until < math.inf,
                "must be a finite time, 0 or later",
            ),
            "--speed": (
                SLOWEST <= self.speed <= FASTEST,
                f"must lie between {SLOWEST:g} and {FASTEST:g}",
            ),
        }
        for option, (fine, wish) in problems.items():
            if not fine:
                raise ModelError([Problem(wish)], file=option)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class First:
    """What is to be played at first; it is read in the process that plays it."""

    source: Source
    order: Order

    def __call__(self) -> Playable:
        """The model."""
        from dyverse.cli.page.playing import playable

        return playable(self.source, self.order)[0]


def open_requested(request: Request) -> Playable:
    """The model that a page asks for."""
    from dyverse.cli.page.playing import requested

    return requested(request)


def falsify_requested(play: Playable, request: Request, say: Say) -> None:
    """Look for a run that breaks a property."""
    from dyverse.cli.page.searching import falsify_played  # in a process that searches, only

    falsify_played(play, request, say)


def map_requested(play: Playable, request: Request, say: Say) -> None:
    """What becomes of runs over a grid."""
    from dyverse.cli.page.searching import map_played

    map_played(play, request, say)


def prove_requested(play: Playable, request: Request, say: Say) -> None:
    """Divide ranges into what is safe, unsafe and open."""
    from dyverse.cli.page.dividing import prove_played

    prove_played(play, request, say)


# By what a page calls them.
SEARCHES = {"falsify": falsify_requested, "map": map_requested, "prove": prove_requested}
