"""C and what Python reads of it: what is said twice is the same, names are told apart."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from pathlib import Path
from threading import Barrier

import pytest

from dyverse.native import header
from dyverse.native.automata import library as automata
from dyverse.native.cache import kept
from dyverse.native.coupled import model as coupled
from dyverse.native.header import SOURCES, headers
from dyverse.native.library import Point
from dyverse.native.logged import record
from dyverse.native.many import KINDS
from dyverse.native.running import Code

RUNTIME = [SOURCES / "automata", SOURCES / "coupled", SOURCES]
DEFINED = re.compile(
    r"^(?:static )?(?:inline )?(?:const )?[a-z]\w* \*?(\w+)\([^;{}]*\) \{$", re.MULTILINE
)


def test_no_two_functions_of_the_runtime_have_one_name() -> None:
    """It is compiled in several units, but exported models take it as one."""
    texts = (path.read_text("utf-8") for folder in RUNTIME for path in folder.glob("*.[ch]"))
    names = Counter(name for text in texts for name in DEFINED.findall(text))
    assert len(names) > 800
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize(
    ("enum", "prefix"),
    [(Code, "DV"), (Point, "DV"), (automata.Signal, "DA")],
    ids=["codes", "points", "signals"],
)
def test_names_in_python_have_the_numbers_of_c(enum: type[IntEnum], prefix: str) -> None:
    for member in enum:
        assert headers().integer_const(f"{prefix}_{member.name}") == member.value


def test_events_are_numbered_as_in_c() -> None:
    names = {"stick": "STICKS", "slip": "SLIPS"}
    for number, kind in enumerate(KINDS[1:], 1):
        assert headers().integer_const(f"DV_{names.get(kind, kind.upper())}") == number
    assert all(KINDS[number] == kind for kind, number in coupled.KINDS.items())


def test_records_of_the_log_are_numbered_as_in_c() -> None:
    kinds = ("ARC", "ROWS", "JUMP", "NODE", "SETTLED", "GRAZE", "REST", "VISIT", "MODES", "SIDES")
    for kind in kinds:
        assert headers().integer_const(f"DV_LOG_{kind}") == getattr(record, kind)


def test_the_header_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYVERSE_CACHE", str(tmp_path))
    script = "from pathlib import Path; from dyverse.native import cache; "
    script += "cache.BUILT = Path('nothing'); "  # set-up may have parsed it
    script += "from dyverse.native.header import headers; headers(); import sys; "
    script += "print('cffi' in sys.modules)"
    told = [
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert told == ["True\n", "False\n"]


def test_threads_that_read_it_at_once_share_one(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Barrier(2)

    def at_once(name: str, build: Callable[[Path], None]) -> Path:
        both.wait(timeout=60)
        return kept(name, build)

    monkeypatch.setattr(header, "_READ", {})
    monkeypatch.setattr(header, "kept", at_once)
    with ThreadPoolExecutor(2) as pool:
        one, other = (task.result() for task in [pool.submit(headers), pool.submit(headers)])
    assert one is other
