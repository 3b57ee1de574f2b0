"""The C text of an automaton: its functions, in the order of their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from dyverse.native.automata.recipe import Recipe
from dyverse.native.code.codegen import generated, quiet_header

FUNCTION = """
static void da_function{i}(const double *in, double *out) {{
    const double *arg[1];
    double *res[1];
    arg[0] = in; res[0] = out;
    da_code{i}(arg, res, 0, 0, 0);
}}
"""


def source(recipes: Sequence[Recipe]) -> str:
    """The generated file."""
    made = [recipe.function(f"da_code{i}") for i, recipe in enumerate(recipes)]
    wrappers = "".join(FUNCTION.format(i=i) for i in range(len(made)))
    names = ", ".join(f"da_function{i}" for i in range(len(made))) or "0"
    table = f"\nconst da_function da_model_functions[] = {{{names}}};\n"
    return quiet_header("automata.h") + generated(made, "da_model") + wrappers + table
