"""The C code of the loads: bodies that differ in nothing but symbols and numbers share a function.

It is called for each of them with what tables say, so that the compiler's time does not grow with
the number of bodies. Few bodies are written out, which is faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import casadi as ca

from dyverse.expr.alike import Alike, alike
from dyverse.mechanics.layout import DOF
from dyverse.mechanics.system import System

MANY = 32  # bodies that are alike share a function
SOURCES = ("(&time)", "x", "p", "v")  # what CasADi's functions of loads take, in the C below


@dataclass(frozen=True, slots=True)
class LoadCode:
    """CasADi functions to be generated, and the C that calls them."""

    functions: tuple[Any, ...]
    wrapper: str


def load_code(system: System) -> LoadCode:
    """How ``dv_model_loads`` of this system is worked out."""
    function = system.loads
    symbols = [ca.SX.sym(f"a{i}", function.nnz_in(i)) for i in range(function.n_in())]
    loads = function(*symbols)[0]
    bodies = len(system.layout.moving)
    columns = [loads[DOF * i : DOF * (i + 1)] for i in range(bodies)]
    groups = alike(columns, symbols, least=MANY)
    stretches = list(_stretches(bodies, {i for group in groups for i in group.members}))
    rest = [ca.densify(loads[DOF * a : DOF * b]) for a, b in stretches]
    functions = [_named(f"dv_loads{i}", group.function) for i, group in enumerate(groups)]
    functions += [ca.Function("dv_loads", symbols, rest)] if rest else []
    return LoadCode(tuple(functions), _wrapper(groups, [a for a, _ in stretches]))


def _stretches(bodies: int, shared: set[int]) -> Iterator[tuple[int, int]]:
    """From where to where bodies share nothing."""
    ends = [-1, *sorted(shared), bodies]
    return ((a + 1, b) for a, b in pairwise(ends) if b > a + 1)


def _named(name: str, function: Any) -> Any:
    """The same function under another name."""
    symbols = function.sx_in()
    return ca.Function(name, symbols, [function(*symbols)])


def _wrapper(groups: tuple[Alike, ...], starts: list[int]) -> str:
    shared = "".join(_shared(i, group) for i, group in enumerate(groups))
    called = "".join(f"    dv_all_loads{i}(time, x, p, v, h);\n" for i in range(len(groups)))
    if starts:
        rows = "".join(f" res[{k}] = h + {DOF * start};" for k, start in enumerate(starts))
        called += REST.format(rows=rows, count=len(starts))
    return WRAPPER.format(shared=shared, called=called)


def _shared(number: int, group: Alike) -> str:
    """A function that goes through the bodies of a group."""
    return SHARED.format(
        number=number,
        count=len(group.members),
        entries=max(1, len(group.sources)),
        numbers=max(1, len(group.numbers[0])),
        places=_table(group.entries),
        constants=_table(group.numbers),
        rows=", ".join(str(DOF * row) for row in group.members),
        taken="".join(
            f"        entry[{k}] = {SOURCES[source]}[place[i][{k}]];\n"
            for k, source in enumerate(group.sources)
        ),
    )


def _table(rows: Iterable[tuple[float, ...]]) -> str:
    return ",\n".join("{" + (", ".join(map(_number, row)) or "0") + "}" for row in rows)


def _number(number: float) -> str:
    """A number in C; one that is none stands there by its name."""
    text = repr(number)
    return {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}.get(text, text)


SHARED = """
static void dv_all_loads{number}(double time, const double *x, const double *p, const double *v,
                          double *h) {{
    static const int row[] = {{{rows}}};
    static const int place[][{entries}] = {{{places}}};
    static const double number[][{numbers}] = {{{constants}}};
    const double *arg[2];
    double *res[1], entry[{entries}];
    int i;
    (void)time; (void)x; (void)p; (void)v; (void)place;
    for (i = 0; i < {count}; i++) {{
{taken}        arg[0] = entry; arg[1] = number[i]; res[0] = h + row[i];
        dv_loads{number}(arg, res, 0, 0, 0);
    }}
}}
"""

REST = """\
    const double *arg[4];
    double *res[{count}];
    arg[0] = &time; arg[1] = x; arg[2] = p; arg[3] = v;{rows}
    dv_loads(arg, res, 0, 0, 0);
"""

WRAPPER = """{shared}
void dv_model_loads(double time, const double *x, const double *p, const double *v, double *h) {{
    (void)time; (void)x; (void)p; (void)v; (void)h;
{called}}}
"""
