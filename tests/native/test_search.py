"""The search for events in C, by itself: the same as `dyverse.flow.events` finds."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dyverse.native.compile import SOURCES, compiler


def test_a_hop_that_begins_without_speed_is_found(tmp_path: Path) -> None:
    source, program = Path(__file__).with_name("search.c"), tmp_path / "search"
    flags = ["-std=c99", "-O1", f"-I{SOURCES}", "-lm"]
    command = [*compiler().command, str(source), "-o", str(program), *flags]
    subprocess.run(command, check=True, capture_output=True)
    told = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    assert [float(time) for time in told.split()] == pytest.approx([0.05] * 3, rel=1e-6)
