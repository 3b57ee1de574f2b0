"""The page of the animator's pace is kept section by section."""

from __future__ import annotations

from benchmarks.animate import PAGE, renewed
from benchmarks.table import Requirement, Table

TABLE = Table(
    question="what is kept",
    columns=("what", "median"),
    rows=(("MB of the server", 2.5),),
    requirements=(Requirement(text="MB of the server", value=2.5, limit=10.0),),
)


def test_what_was_not_measured_again_stays() -> None:
    page = PAGE.read_text("utf-8")
    assert renewed(page, {}) == page
    changed = renewed(page, {"memory": TABLE})
    pace, memory = changed.split("\n## memory: ")
    assert pace == page.split("\n## memory: ")[0]
    assert memory.startswith("what is kept\n")
    assert "- met: MB of the server (2.5, at most 10)" in memory
    assert renewed(changed, {"memory": TABLE}) == changed
