"""How does the time to read a model grow with its text?"""

from __future__ import annotations

from benchmarks.table import Cell, Table, best
from dyverse.bodies.read import parse_world
from dyverse.text.examples import example_text
from dyverse.text.parse import parse

EXAMPLES = ("bouncing-ball", "interception-game", "billiard-break")
SIZES = (10, 30, 100, 300)


def measure(quick: bool) -> Table:
    """Syntax alone, and the whole way to a checked world."""
    names = [*EXAMPLES, *(f"balls-{n}" for n in (SIZES[:2] if quick else SIZES))]
    repeat = 2 if quick else 5
    return Table(
        question="reading a model text: its syntax, then a world with all its checks",
        columns=("model", "bytes", "lines", "syntax ms", "world ms", "syntax µs per byte"),
        rows=tuple(_row(name, repeat) for name in names),
        remarks=(
            f"best of up to {repeat}, the grammar loaded before",
            "a world's checks compare every two bodies: 300 balls have 44,850 pairs",
        ),
    )


def _row(name: str, repeat: int) -> tuple[Cell, ...]:
    text = example_text(name)
    size = len(text.encode())
    syntax, world = best(lambda: parse(text), repeat), best(lambda: parse_world(text), repeat)
    return name, size, text.count("\n"), 1e3 * syntax, 1e3 * world, 1e6 * syntax / size
