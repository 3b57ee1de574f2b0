"""How long until the first result: with nothing compiled, with everything cached, and for help."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.peers.measure import Answer

MODELS = ("bouncing-ball", "interception-game", "billiard-break")
FIRST = """
import os, sys, time
def now():
    return time.perf_counter(), sum(os.times()[:4])  # wall; processor, with the compiler's
start = now()
from dyverse.text.examples import example_text
from dyverse.bodies.read import parse_world
from dyverse.generation.automaton import generate
from dyverse.native.engine import simulate_native
from dyverse.native import cache
if sys.argv[2] == "nothing":  # as if no set-up had built the runtime
    cache.BUILT = cache.BUILT / "nothing"
loaded = now()
automaton = generate(parse_world(example_text(sys.argv[1])))
simulate_native(automaton, until=0.2)
done = now()
print(*(loaded[i] - start[i] for i in (0, 1)), *(done[i] - loaded[i] for i in (0, 1)))
"""


Times = tuple[float, float]  # by the clock on the wall; of the processor (s)


def measured() -> list[Answer]:
    """Each model with an empty cache, then with what that left there; and the command's help."""
    command = Path(sys.executable).with_name("dyverse")
    helping = _least([_help(command) for _ in range(9)])
    return [*(_model(name) for name in MODELS), {"what": "dyverse --help", "help": helping}]


def _model(name: str) -> Answer:
    cold, warm, bare = [], [], []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(_first(name, cache))
            warm += [_first(name, cache) for _ in range(3)]
        with tempfile.TemporaryDirectory() as cache:
            bare.append(_first(name, cache, built="nothing"))
    return {
        "what": name,
        "imports": _least([imports for imports, _ in cold + warm]),
        "compiled": _least([own for _, own in cold]),
        "cached": _least([own for _, own in warm]),
        "everything": _least([own for _, own in bare]),
    }


def _least(times: list[Times]) -> Times:
    return min(wall for wall, _ in times), min(processor for _, processor in times)


def _first(name: str, cache: str, built: str = "runtime") -> tuple[Times, Times]:
    """Of the imports, and from the text to the result after them."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST, name, built],
        env={**os.environ, "DYVERSE_CACHE": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    a, b, c, d = map(float, done.stdout.split())
    return (a, b), (c, d)


def _help(command: Path) -> Times:
    start, before = time.perf_counter(), os.times()
    subprocess.run([command, "--help"], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    spent = after.children_user + after.children_system
    return time.perf_counter() - start, spent - before.children_user - before.children_system
