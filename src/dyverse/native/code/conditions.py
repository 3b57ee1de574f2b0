"""The C code that tells which contacts are switched on: see `dyverse.mechanics.system`."""

from __future__ import annotations

import numpy as np

from dyverse.mechanics.system import System

TEXT = """
int dv_model_conditions(void) {{
    return {count};
}}

int dv_model_condition(int contact) {{
    switch (contact) {{
{cases}    default: return -1;
    }}
}}

void dv_model_enabled(const double *p, const double *v, double *out) {{
    const double *arg[2];
    double *res[1];
    arg[0] = p; arg[1] = v; res[0] = out;
    dv_enabled(arg, res, 0, 0, 0);
}}
"""


def conditions(system: System) -> str:
    """How many conditions there are, which one each contact has, and whether they hold."""
    numbered = {when: i for i, when in enumerate(system.conditions)}
    contacts = system.contacts
    owned = contacts.column(numbered[s.when] if s.when else -1 for s in contacts.sorts)
    found = ((contact, owned[contact]) for contact in np.flatnonzero(owned >= 0).tolist())
    cases = "".join(f"    case {contact}: return {number};\n" for contact, number in found)
    return TEXT.format(count=len(numbered), cases=cases)
