"""What is wrong with a function call, and a word of the language where a value should be."""

from __future__ import annotations

from dyverse.errors import did_you_mean
from dyverse.expr.term import CHOICE, CONDITIONS, FUNCTIONS, Call
from dyverse.text.syntax.statements import ENTRIES

MEANT = {
    "ln": "log",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "sgn": "sign",
    "fabs": "abs",
    "tg": "tan",
}
ENDLESS = ("inf", "infinity", "infty", "oo")
BRANCH = "write 'if x > 0 then 1 else 2'"
OTHERWISE = {
    "pow": "write a power as x^2",
    "square": "write a power as x^2",
    "sqr": "write a power as x^2",
    "log10": "write log(x)/log(10)",
    "log2": "write log(x)/log(2)",
    "mod": "a remainder is a - b*floor(a/b)",
    "where": BRANCH,
    "ifelse": BRANCH,
    "piecewise": BRANCH,
    "step": "write 'if x > 0 then 1 else 0'",
    "heaviside": "write 'if x > 0 then 1 else 0'",
    "round": "write floor(x + 0.5)",
    "count": "events can be counted: count(impact[ball, floor])",
    "norm": "write sqrt(x^2 + y^2 + z^2)",
}


def call_message(call: Call) -> str:
    """What is wrong with a call, or nothing."""
    name, given = call.function, len(call.arguments)
    if name == CHOICE or name in CONDITIONS:
        return ""
    if name not in FUNCTIONS:
        return f"unknown function {name!r}{_otherwise(name)}"
    wanted = FUNCTIONS[name]
    arguments = "1 argument" if wanted == 1 else f"{wanted} arguments"
    return "" if given == wanted else f"{name!r} takes {arguments}, not {given}"


def _otherwise(name: str) -> str:
    """What to write instead of a function that there is not."""
    if name in OTHERWISE:
        return f"; {OTHERWISE[name]}"
    if name in MEANT:
        return f"; write {MEANT[name]!r}"
    known = did_you_mean(name, sorted(FUNCTIONS)) or missing_value(name)
    return known or f"; there are {', '.join(sorted(FUNCTIONS))}"


def missing_value(name: str) -> str:
    """A hint if ``name`` is a word that begins an entry, or one for a number that there is not."""
    if name.lower() in ENDLESS:
        return "; without an interval, always and eventually look to the end"
    return "; is a value missing before it?" if name in ENTRIES else ""
