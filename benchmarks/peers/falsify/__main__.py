"""``python -m benchmarks.peers.falsify [--quick] [--seeds N] [--minutes N] [PROBLEM …]``.

It writes FALSIFY.md; a run of some problems only prints. ``--quick`` takes 5 seeds in place of 20.
With ``--minutes`` no other problem is begun after so many, and the page says which are left. What
was measured is kept, so that the same command goes on where it was stopped; if dyverse's sources
have changed since, it begins again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from itertools import product, zip_longest
from pathlib import Path

from benchmarks.machine import commit, machine
from benchmarks.peers.ask import Asker
from benchmarks.peers.falsify.kept import Kept
from benchmarks.peers.falsify.page import Found, page
from benchmarks.peers.falsify.task import ALONE, BATCH, KINDS, MANY, PROBLEMS, QUICK, SEEDS
from benchmarks.peers.install import FALSIFIERS, HOME, ROOT, installed
from benchmarks.peers.measure import Answer

PAGE = Path(__file__).parents[2] / "FALSIFY.md"
JSON = Path(__file__).with_name("results.json")
KEPT = HOME / "falsify.jsonl"  # what was measured so far
SEARCHES = (
    ("dyverse", "falsify.with_dyverse"),
    ("dyverse", "falsify.with_scipy"),  # scipy and numpy are where dyverse is
    ("dyverse", "falsify.with_random"),
    ("PSY-TaLiRo", "falsify.with_cma"),
    ("PSY-TaLiRo", "falsify.with_taliro"),
)
NOTES = (
    "dyverse sees into the model, the others only margins: slopes are worked out along a run and "
    "are not counted as runs, and distances are measured by guards and locations",
)
AT_ONCE = 3  # searches; time is the processor's


def main(arguments: list[str]) -> int:
    """Ask what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.falsify")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help=", ".join(PROBLEMS))
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--quick", dest="seeds", action="store_const", const=QUICK)
    chosen = parser.parse_args(arguments)
    found = measured(chosen.problems or in_turn(), chosen.seeds, chosen.minutes)
    print(page(found))
    if not chosen.problems:
        JSON.write_text(as_json(found), encoding="utf-8")
        PAGE.write_text(page(json.loads(JSON.read_text("utf-8"))), encoding="utf-8")
    return 0


def in_turn() -> list[str]:
    """All problems, of each kind one in turn: a run that ends early has some of each."""
    own = {name for group in KINDS for name in group}
    groups = [[name for name in PROBLEMS if name not in own], *KINDS]
    return [name for row in zip_longest(*groups) for name in row if name is not None]


def measured(problems: list[str], seeds: int, minutes: float) -> Found:
    """Every search on every problem, with all that the page says about them."""
    began, load = time.monotonic(), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    asker, before = Asker(installed(print, FALSIFIERS)), _sources()
    kept, begun = Kept(KEPT, f"{before} {seeds}"), set[str]()

    def asked(job: tuple[str, tuple[str, str]]) -> list[Answer]:
        problem, (peer, script) = job
        if problem not in begun and time.monotonic() - began > 60 * minutes:
            return []
        begun.add(problem)
        known = kept.answers(problem, script)
        if known is None:
            known = asker.ask(peer, script, problem, str(seeds))
            kept.add(problem, script, known)
        return known

    with ThreadPoolExecutor(AT_ONCE) as pool:
        parts = list(pool.map(asked, product(problems, SEARCHES)))
    order = list(PROBLEMS)
    answers = sorted((a for part in parts for a in part), key=lambda a: order.index(a["problem"]))
    if _sources() != before:
        asker.failures.append("dyverse's sources changed while this was measured: measure again")
    return {
        "commit": commit(),
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "machine": machine(),
        "load": round(load, 2),
        "minutes": round((time.monotonic() - began) / 60, 1),
        "installed": ", ".join(f"`{peer.command}`" for peer in FALSIFIERS),
        "seeds": seeds,
        "alone": ALONE,
        "many": MANY,
        "batch": BATCH,
        "notes": NOTES,
        "failures": asker.failures,
        "answers": answers,
    }


def _sources() -> str:
    """A name for the program that is measured, and for what is asked of it."""
    folders = (ROOT / "src", Path(__file__).parent)
    ends = ("py", "c", "h", "drbt")
    files = sorted(path for folder in folders for end in ends for path in folder.rglob(f"*.{end}"))
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def as_json(found: Found) -> str:
    """One line for each answer: they are long lists of numbers."""
    head = {key: entry for key, entry in found.items() if key != "answers"}
    lines = ",\n".join(f"  {json.dumps(answer)}" for answer in found["answers"])
    return f'{json.dumps(head, indent=1)[:-2]},\n "answers": [\n{lines}\n ]\n}}\n'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
