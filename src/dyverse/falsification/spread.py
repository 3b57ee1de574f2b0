"""Points that fill a box evenly."""

from __future__ import annotations

from scipy.stats import qmc

from dyverse.interrupts import Held


def spread(unknowns: int, *, seed: int) -> qmc.Sobol:
    """A scrambled Sobol sequence of points with so many coordinates.

    The first one in a process reads a table in code of C that drops exceptions: a Ctrl-C there
    would be printed with a traceback, and half of the table would be there.
    """
    with Held():
        return qmc.Sobol(max(1, unknowns), seed=seed)
