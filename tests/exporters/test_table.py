"""Tables: the right columns, full precision, each state observed once, files in full or not."""

import csv
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from dyverse.automaton.run import Arc, Run
from dyverse.errors import ExportError
from dyverse.exporters.table import (
    CsvSink,
    Kept,
    check_parquet,
    columns,
    csv_sink,
    write_csv,
    write_parquet,
)
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.simulation.observing import Row, pour
from tests.exporters.sample_runs import BOUNCE, sample


@pytest.fixture(scope="module")
def run() -> Run:
    return sample(BOUNCE, 3.0)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_columns_are_variables_signals_energy_and_inputs(run: Run) -> None:
    names = columns(run)
    assert names[:12] == run.automaton.variables
    signals = ("gap", "normal_speed", "slip_speed", "normal_force", "friction_force")
    assert names[12:] == (*(f"{s}[ball,floor]" for s in signals), "energy", "push", "wind")


def test_csv_gives_back_every_number_exactly(run: Run, tmp_path: Path) -> None:
    write_csv(run, tmp_path / "run.csv")
    rows = rows_of(tmp_path / "run.csv")
    states = list(run.states())
    assert len(rows) == len(states)
    for row, state in zip(rows, states, strict=True):
        assert float(row["t"]) == state.time
        assert row["location"] == str(state.location)
        numbers = [float(row[name]) for name in run.automaton.variables]
        assert np.array_equal(numbers, state.values)
    assert float(rows[0]["gap[ball,floor]"]) == 2.5


def test_parquet_and_csv_hold_the_same_table(run: Run, tmp_path: Path) -> None:
    write_csv(run, tmp_path / "run.csv")
    write_parquet(run, tmp_path / "run.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "run.parquet").to_pydict()
    rows = rows_of(tmp_path / "run.csv")
    assert list(table) == list(rows[0])
    assert table["location"] == [row["location"] for row in rows]
    assert table["energy"] == [float(row["energy"]) for row in rows]


def test_parquet_writes_group_after_group(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dyverse.exporters.table.BATCH", 7)
    write_parquet(run, tmp_path / "run.parquet")
    file = pyarrow.parquet.ParquetFile(tmp_path / "run.parquet")
    assert file.num_row_groups > 1
    assert file.metadata.num_rows == sum(len(arc.times) for arc in run.arcs)


def test_every_state_is_observed_once_for_all(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    survey = RigidBodyAutomaton.survey

    def counting(
        self: RigidBodyAutomaton, arc: Arc, names: Collection[str] | None = None
    ) -> Iterator[dict[str, float]]:
        seen.extend(arc.times)
        return survey(self, arc, names)

    monkeypatch.setattr(RigidBodyAutomaton, "survey", counting)
    first, second = Kept(("energy",)), Kept(("gap[ball,floor]", "nothing"))
    pour(run, [first, second])
    assert len(seen) == len(first.times) == len(second.times) == len(list(run.states()))
    assert np.all(np.isnan(second.column("nothing")))
    pour(run, [])
    assert len(seen) == len(first.times)


def test_numbers_that_are_not_defined_are_left_empty(run: Run, tmp_path: Path) -> None:
    with (tmp_path / "one.csv").open("w") as file:
        CsvSink(file, ("gap", "push")).take(Row(run.end, {"gap": float("nan")}, 0))
    assert rows_of(tmp_path / "one.csv")[0]["gap"] == ""


def test_failure_leaves_the_old_file_and_no_other(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("old")
    with pytest.raises(RuntimeError, match="stop"), csv_sink(run, path):
        raise RuntimeError("stop")
    assert [p.name for p in tmp_path.iterdir()] == ["run.csv"]
    assert path.read_text() == "old"


def test_parquet_without_pyarrow_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"pip install 'dyverse\[parquet\]'"):
        check_parquet()
