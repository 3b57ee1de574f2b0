"""What was measured so far: one line for each search on each problem, in a file of its own."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock

from benchmarks.peers.measure import Answer


class Kept:
    """The answers of one measurement; those of another, by its name, are not looked at."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name, self._lock = path, name, Lock()
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        rows = [json.loads(line) for line in lines if line.endswith("}")]  # one may be cut off
        self._known: dict[tuple[str, str], list[Answer]] = {
            (row["problem"], row["script"]): row["answers"] for row in rows if row["name"] == name
        }

    def answers(self, problem: str, script: str) -> list[Answer] | None:
        """What was measured, if it was."""
        return self._known.get((problem, script))

    def add(self, problem: str, script: str, answers: list[Answer]) -> None:
        """Keep what was measured now; a failure is tried again the next time."""
        if not answers:
            return
        row = {"name": self._name, "problem": problem, "script": script, "answers": answers}
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(row)}\n")  # behind what may be cut off
