"""Run a peer's script in its environment and read its answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field

from benchmarks.peers.install import FALSIFIERS, PEERS, ROOT
from benchmarks.peers.measure import Answer

PATIENCE = 1800  # s
# Threads of a linear algebra library add up in processor time, against whoever uses them.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
PYTHONS = {"dyverse": sys.executable, **{peer.name: peer.python for peer in PEERS + FALSIFIERS}}


@dataclass
class Asker:
    """Asks those that are there, and remembers what went wrong."""

    missing: dict[str, str]  # peer -> why it is not there, "" if it is
    failures: list[str] = field(default_factory=list)
    raw: dict[str, list[Answer]] = field(default_factory=dict)  # script -> what it said

    def ask(self, peer: str, script: str, *arguments: str) -> list[Answer]:
        """The answers of ``benchmarks.peers.SCRIPT``; none, and a failure noted, if it failed."""
        if self.missing.get(peer):
            self.failures.append(f"{peer} is not installed: {self.missing[peer]}")
            return []
        print(f"{script} …", flush=True)
        command = [PYTHONS[peer], "-m", f"benchmarks.peers.{script}", *arguments]
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env={**os.environ, **ONE_THREAD},
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self.failures.append(f"{peer} did not finish {script} within {PATIENCE} s")
            return []
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            self.failures.append(f"{peer} failed in {script}: {last}")
            return []
        answers: list[Answer] = json.loads(done.stdout.splitlines()[-1])
        self.raw[script] = answers
        return answers
