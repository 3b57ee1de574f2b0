"""Directional derivatives of what is generated, as code: of numbers, loads, energy and rates.

Each function takes what the original takes and then directions, and gives how its results change
along them, by forward differentiation: it costs about as much as the original.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import casadi as ca

from dyverse.expr.symbolic import SX
from dyverse.mechanics.system import System
from dyverse.native.automata.recipe import Recipe
from dyverse.native.automata.tables import Tables

WRAPPER = """
static void dm_slope{i}(const double *in, const double *along, double *out) {{
    const double *arguments[2];
    arguments[0] = in;
    arguments[1] = along;
    dm_rate_slope_code{i}(arguments, &out, 0, 0, 0);
}}
"""
TYPE = "\ntypedef void (*dm_slope)(const double *in, const double *along, double *out);\n"


def slope(name: str, function: Any, along: Sequence[int]) -> Any:
    """The first result of ``function`` along directions of the arguments with these numbers."""
    known = [ca.SX.sym(f"a{i}", function.nnz_in(i)) for i in range(function.n_in())]
    result = function(*known)
    seeds = [ca.SX.sym(f"d{i}", function.nnz_in(i)) for i in along]
    moved = ca.vertcat(*(known[i] for i in along))
    first = result[0] if isinstance(result, tuple) else result
    changes = ca.jtimes(ca.SX(first), moved, ca.vertcat(*seeds)) if moved.numel() else _none(first)
    return ca.Function(name, [*known, *seeds], [ca.densify(changes)])


def _none(result: SX) -> SX:
    return ca.SX.zeros(result.numel())


def load_slope(system: System) -> Any:
    """Of the loads h(t, x, p, v) along x and p."""
    return slope("dm_loads_slope_code", system.loads, (1, 2))


def rate_slopes(tables: Tables | None) -> tuple[list[Any], str]:
    """Of the rates of automata: functions, and the table of them by the number of the original."""
    recipes = {i: tables.recipes[i] for i in sorted(set(_rating(tables)))} if tables else {}
    plain = {i: made for i, made in recipes.items() if _is_plain(made)}
    functions = [
        slope(f"dm_rate_slope_code{i}", made.function("rate"), (0,)) for i, made in plain.items()
    ]
    count = len(tables.recipes) if tables else 0
    entries = ", ".join(f"dm_slope{i}" if i in plain else "0" for i in range(count)) or "0"
    wrappers = "".join(WRAPPER.format(i=i) for i in plain)
    return functions, f"{TYPE}{wrappers}\nstatic const dm_slope dm_rate_slopes[] = {{{entries}}};\n"


def _rating(tables: Tables) -> Iterator[int]:
    """The functions that give rates."""
    functions = tables.rows["piece_function"]
    return (functions[piece] for piece in tables.rows["place_rate"] if piece >= 0)


def _is_plain(recipe: Recipe) -> bool:
    """Whether it gives terms of its inputs, which are no rates."""
    return recipe.kind == "values"
