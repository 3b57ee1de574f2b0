"""Tables of whole numbers in few words: a compiler reads the same numbers."""

from __future__ import annotations

import random
import subprocess
from itertools import combinations
from pathlib import Path

from dyverse.exporters.c.ctext import ints
from dyverse.native.header import SOURCES
from tests.exporters.c.building import compile_c


def _rows() -> list[list[int]]:
    pick = random.Random(5)
    pairs = [end for pair in combinations(range(60), 2) for end in pair]
    rows = [[], [3], pairs, [-1] * 5000, list(range(7)), list(range(8)), [5, -2] * 40]
    for _ in range(20):
        parts = [
            [pick.randrange(5)] * pick.randrange(40),
            list(range(0, -pick.randrange(30), -1)),
            [x for j in range(pick.randrange(20)) for x in (3, 2 * j)],
            [pick.randrange(9) for _ in range(10)],
        ]
        pick.shuffle(parts)
        rows.append([x for part in parts for x in part])
    return rows


def test_tables_mean_the_numbers_that_they_were_made_of(tmp_path: Path) -> None:
    rows = _rows()
    text = f'#include <stdio.h>\n#include "{SOURCES / "model" / "tables.h"}"\n'
    text += "".join(ints(f"row{i}", row) for i, row in enumerate(rows))
    shown = "".join(
        f'    for (int i = 0; i < {len(row)}; i++) printf("%d ", row{number}[i]);\n'
        '    printf("\\n");\n'
        for number, row in enumerate(rows)
    )
    (tmp_path / "main.c").write_text(f"{text}int main(void) {{\n{shown}    return 0;\n}}\n")
    answer = compile_c(tmp_path, ["main.c"], "show", ("-std=c99", "-O0", "-Wall", "-Wconversion"))
    assert (answer.returncode, answer.stderr) == (0, "")
    told = subprocess.run([tmp_path / "show"], capture_output=True, text=True, check=True).stdout
    assert [[int(x) for x in line.split()] for line in told.splitlines()] == rows


def test_all_pairs_of_many_bodies_take_a_word_for_each_body() -> None:
    sizes = [
        len(ints("ends", [end for pair in combinations(range(n), 2) for end in pair]))
        for n in (50, 100, 200)
    ]
    assert sizes[2] < 2.7 * sizes[1] < 2.7**2 * sizes[0]  # n log n, not n²
