"""``python -m benchmarks.peers [QUESTION …]``: install the peers, ask them all, write PEERS.md.

A run of some questions only prints. The exit code is 0 whatever the numbers are: the page says
which promises are kept.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.machine import commit, machine
from benchmarks.peers.ask import Asker
from benchmarks.peers.install import PEERS, installed
from benchmarks.peers.page import Promise, Section
from benchmarks.peers.questions import QUESTIONS

PAGE = Path(__file__).parents[1] / "PEERS.md"
JSON = Path(__file__).with_name("results.json")


def main(arguments: list[str]) -> int:
    """Ask what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers")
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=", ".join(QUESTIONS))
    chosen = parser.parse_args(arguments).questions
    before = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    missing = installed(print)
    asker = Asker(missing)
    sections = []
    for name in chosen or QUESTIONS:
        sections.append(QUESTIONS[name](asker))
        print(sections[-1].markdown(), end="\n\n", flush=True)
    print(*asker.failures, sep="\n")
    if not chosen:
        PAGE.write_text(page(sections, asker, before), encoding="utf-8")
        JSON.write_text(_json(asker), encoding="utf-8")
    return 0


def page(sections: list[Section], asker: Asker, load: float) -> str:
    """The committed page."""
    on = machine()
    promises = [(section.title, p) for section in sections for p in section.promises]
    head = [
        "# dyverse and its peers",
        "",
        "Written by `make bench-peers`, in one run. Do not edit.",
        "",
        f"- measured {datetime.now(UTC).isoformat(timespec='minutes')} at commit {commit()}",
        f"- on {on['cpu']}, {on['cores']} cores, {on['system']}, {on['python']}; "
        f"load {load:.1f} before and {on['load']} after, the machine is shared",
        "- times are the processor's, the best of many batches, with one thread for linear "
        "algebra, unless a table says otherwise",
        "",
        _count([promise for _, promise in promises]),
        "",
        *(f"- {title}: {promise}" for title, promise in promises),
    ]
    parts = ["\n".join(head), _peers(asker), *(section.markdown() for section in sections)]
    return "\n\n".join(parts) + "\n"


def _json(asker: Asker) -> str:
    found = {"commit": commit(), "machine": machine(), "missing": asker.missing}
    text = json.dumps({**found, "failures": asker.failures, "answers": asker.raw}, indent=1)
    return re.sub(r"\b(NaN|-?Infinity)\b", "null", text) + "\n"


def _count(promises: list[Promise]) -> str:
    return f"{sum(p.reached for p in promises)} of {len(promises)} promises are reached:"


def _peers(asker: Asker) -> str:
    rows = [
        f"| {peer.name} | `{peer.command}` | {_state(asker.missing[peer.name])} |" for peer in PEERS
    ]
    lines = [
        "## The peers",
        "",
        "| peer | how to install it | state |",
        "| --- | --- | --- |",
        *rows,
    ]
    lines += [
        "",
        "Each package of PyPI gets an environment of its own under `.bench-venv`; Siconos ",
    ]
    lines[-1] += "runs under Debian's own `python3`."
    return "\n".join([*lines, *(f"- {failure}" for failure in asker.failures)])


def _state(reason: str) -> str:
    return f"**not installed**: {reason}" if reason else "installed"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
