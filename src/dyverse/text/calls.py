"""What is wrong with a function call, and a word of the language where a value should be."""

from __future__ import annotations

from dyverse.errors import did_you_mean
from dyverse.expr.term import FUNCTIONS, Call
from dyverse.text.syntax import ENTRIES


def call_message(call: Call) -> str:
    """What is wrong with a call, or nothing."""
    name, given = call.function, len(call.arguments)
    if name not in FUNCTIONS:
        hint = did_you_mean(name, sorted(FUNCTIONS)) or missing_value(name)
        return f"unknown function {name!r}{hint}"
    wanted = FUNCTIONS[name]
    arguments = "1 argument" if wanted == 1 else f"{wanted} arguments"
    return "" if given == wanted else f"{name!r} takes {arguments}, not {given}"


def missing_value(name: str) -> str:
    """A hint if ``name`` is a word that begins an entry."""
    return "; is a value missing before it?" if name in ENTRIES else ""
