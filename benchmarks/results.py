"""The results of a whole run: as JSON for machines, and from it as Markdown for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.machine import commit, machine
from benchmarks.table import Requirement, Table, shown, verdict

HOME = Path(__file__).parent
JSON, MARKDOWN = HOME / "results.json", HOME / "RESULTS.md"

Results = dict[str, Any]  # as read from JSON


def results(tables: Mapping[str, Table]) -> Results:
    """Tables with the commit, the date and the machine that they were measured on."""
    return {
        "commit": commit(),
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "machine": machine(),
        "benchmarks": {name: plain_table(table) for name, table in tables.items()},
    }


def kept() -> Results:
    """The results of the last whole run, and of what was measured again since."""
    found: Results = json.loads(JSON.read_text("utf-8"))
    return found


def renewed(found: Results, tables: Mapping[str, Table]) -> Results:
    """Results with some tables measured again, which say when and at which commit."""
    now = results(tables)
    remark = f"measured by itself, {now['date']} at commit {now['commit']}"
    for table in now["benchmarks"].values():
        table["remarks"] = [*table["remarks"], f"{remark}, load {now['machine']['load']}"]
    return {**found, "benchmarks": {**found["benchmarks"], **now["benchmarks"]}}


def plain_table(table: Table) -> Results:
    """A table as JSON has it."""
    plain = asdict(table)
    for requirement, known in zip(plain["requirements"], table.requirements, strict=True):
        requirement["met"] = known.met
    return plain


def write(found: Results) -> None:
    """Write both files beside the benchmarks."""
    JSON.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    MARKDOWN.write_text(markdown(kept()), encoding="utf-8")


def markdown(found: Results) -> str:
    """The committed page: when and on what it was measured, then one table per question."""
    parts = [_heading(found), *(section(n, b) for n, b in found["benchmarks"].items())]
    return "\n\n".join(parts) + "\n"


def _heading(found: Results) -> str:
    on, libraries = found["machine"], found["machine"]["libraries"]
    versions = ", ".join(f"{name} {number}" for name, number in libraries.items())
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Written by `make bench`; the numbers are in `results.json` too. Do not edit.",
            "",
            f"- measured {found['date']} at commit {found['commit']}",
            f"- on {on['cpu']}, {on['cores']} cores, {on['system']}, load {on['load']} at the end",
            f"- with {on['python']}, {versions}",
        ]
    )


def section(name: str, table: Results) -> str:
    """One table as Markdown."""
    rows = [table["columns"], ["---:"] * len(table["columns"])]
    rows += [[shown(cell) for cell in row] for row in table["rows"]]
    known = [Requirement(**{k: r[k] for k in ("text", "value", "limit")}) for r in _needs(table)]
    notes = [f"- {line}" for line in [*map(verdict, known), *table["remarks"]]]
    drawn = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(
        [f"## {name}: {table['question']}", "", *drawn, *([""] if notes else []), *notes]
    )


def _needs(table: Results) -> list[dict[str, Any]]:
    return list(table["requirements"])
