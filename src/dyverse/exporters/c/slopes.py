"""Directional derivatives of what is generated, as code: numbers, loads, energy, contacts, rates.

Each function takes what the original takes and then directions, and gives how its results change
along them, by forward differentiation: it costs about as much as the original.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import casadi as ca

from dyverse.expr.symbolic import SX
from dyverse.mechanics.joint.single import joint_rows
from dyverse.mechanics.system import System
from dyverse.native.automata.recipe import Recipe
from dyverse.native.automata.tables import Tables
from dyverse.native.code.codegen import ModelCode, law_function

WRAPPER = """
static void dm_slope{i}(const double *in, const double *along, double *out) {{
    const double *arguments[2];
    arguments[0] = in;
    arguments[1] = along;
    dm_rate_slope_code{i}(arguments, &out, 0, 0, 0);
}}
"""
TYPE = "\ntypedef void (*dm_slope)(const double *in, const double *along, double *out);\n"
CONTACTS = """
/* Rows of a contact: gap, speed, bias, J and frame; of a joint: values, biases and J, of as many
 * rows as it returns; and friction. All along directions of what they are functions of. */
static void dm_rows_slope(int kind, const double *a, const double *b, const double *shape,
                          const double *da, const double *db, const double *dshape, double *out) {{
    const double *in[6];
    in[0] = a; in[1] = b; in[2] = shape; in[3] = da; in[4] = db; in[5] = dshape;
    switch (kind) {{
{rows}    default: break;
    }}
}}

static int dm_joint_slope(int kind, const double *a, const double *b, const double *fitting,
                          const double *da, const double *db, const double *dfitting,
                          double *out) {{
    static const int rows[] = {{{counts}}};
    const double *in[6];
    in[0] = a; in[1] = b; in[2] = fitting; in[3] = da; in[4] = db; in[5] = dfitting;
    switch (kind) {{
{joint}    default: break;
    }}
    return rows[kind];
}}

static double dm_law_slope(int law, double slip, const double *p, double dslip, const double *dp) {{
    const double *in[4];
    double slope = 0.0, *out[1];
    in[0] = &slip; in[1] = p; in[2] = &dslip; in[3] = dp; out[0] = &slope;
    switch (law) {{
{law}    default: break;
    }}
    return slope;
}}
"""


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


def contact_slopes(code: ModelCode, system: System) -> tuple[list[Any], str]:
    """Of rows of contacts and joints and of laws of friction: functions, and what calls them."""
    rows = [_stacked(pair.rows, (pair.body, pair.body)) for pair in code.kinds]
    joints = [_stacked(joint_rows(kind), ()) for kind in code.joints]
    laws = [law_function("mu", law, system.names) for law in code.laws]
    functions = [
        *(slope(f"dm_rows_slope_code{i}", f, (0, 1, 2)) for i, f in enumerate(rows)),
        *(slope(f"dm_joint_slope_code{i}", f, (0, 1, 2)) for i, f in enumerate(joints)),
        *(slope(f"dm_law_slope_code{i}", f, (0, 1)) for i, f in enumerate(laws)),
    ]
    counts = ", ".join(str(joint_rows(kind).nnz_out(0)) for kind in code.joints) or "0"
    cases = {
        word: "".join(
            f"    case {i}: dm_{word}_slope_code{i}(in, {out}, 0, 0, 0); break;\n"
            for i in range(count)
        )
        for word, count, out in (
            ("rows", len(rows), "&out"),
            ("joint", len(joints), "&out"),
            ("law", len(laws), "out"),
        )
    }
    return functions, CONTACTS.format(counts=counts, **cases)


def _stacked(function: Any, split: tuple[int, ...]) -> Any:
    """All results of a function as one, the first argument in parts of such lengths."""
    first, others = list(split) or [function.nnz_in(0)], range(1, function.n_in())
    parts = [ca.SX.sym(f"b{i}", size) for i, size in enumerate(first)]
    known = [*parts, *(ca.SX.sym(f"a{i}", function.nnz_in(i)) for i in others)]
    results = function.call([ca.vertcat(*parts), *known[len(parts) :]])
    return ca.Function("stacked", known, [ca.vertcat(*(ca.vec(ca.densify(r)) for r in results))])


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
