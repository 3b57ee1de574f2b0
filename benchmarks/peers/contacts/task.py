"""How contact problems travel between environments, and how an answer is judged; NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TOLERANCE = 1e-8  # true relative residual that everyone has to reach


@dataclass(frozen=True)
class Problem:
    """Find r with u = G r + c: Signorini on the normals, Coulomb on the tangents."""

    name: str
    G: Array  # (3n, 3n); rows go normal, tangent 1, tangent 2
    c: Array
    mu: Array

    def residual(self, r: Array) -> float:
        """The natural map in units of u over max |c_N|: dyverse.contact.law.problem, anew.

        Of the normals |min(a r_N, u_N)|; of the tangents t |r_T - nearest(r_T - u_T/t)|, nearest in
        the disc of radius mu r_N; a and t are the scales of the diagonal blocks.
        """
        r3, u3 = r.reshape(-1, 3), (self.G @ r + self.c).reshape(-1, 3)
        blocks = [self.G[i : i + 3, i : i + 3] for i in range(0, len(r), 3)]
        a = np.array([block[0, 0] for block in blocks])
        t = np.array([np.linalg.eigvalsh(block[1:, 1:])[-1] for block in blocks])
        y = r3[:, 1:] - u3[:, 1:] / t[:, None]
        length = np.linalg.norm(y, axis=1)
        radius = self.mu * np.maximum(r3[:, 0], 0)
        nearest = y * np.minimum(1, radius / np.maximum(length, 1e-300))[:, None]
        normal = np.abs(np.minimum(a * r3[:, 0], u3[:, 0]))
        tangent = t * np.linalg.norm(r3[:, 1:] - nearest, axis=1)
        return float(max(normal.max(), tangent.max()) / np.abs(self.c[0::3]).max())


def save(path: Path, problems: list[Problem]) -> None:
    """Write problems for another process."""
    arrays = {f"{p.name}.{k}": getattr(p, k) for p in problems for k in ("G", "c", "mu")}
    np.savez(path, **arrays)


def load(path: str) -> list[Problem]:
    """Read them."""
    with np.load(path) as found:
        names = list(dict.fromkeys(key.rpartition(".")[0] for key in found.files))
        return [Problem(n, *(found[f"{n}.{k}"] for k in ("G", "c", "mu"))) for n in names]
