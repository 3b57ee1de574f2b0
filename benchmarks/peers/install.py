"""The peers: what is installed where, and what came of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".bench-venv"  # ignores itself in git
DEBIAN = shutil.which("python3", path=os.defpath) or "python3"  # not one of pyenv or a venv


@dataclass(frozen=True, slots=True)
class Peer:
    """What to install, pinned, and the module that must be there then; of PyPI or of Debian."""

    name: str
    package: str
    module: str
    debian: bool = False

    @property
    def command(self) -> str:
        """How to install it."""
        return f"apt-get install {self.package}" if self.debian else f"pip install {self.package}"

    @property
    def python(self) -> str:
        """The interpreter that has it; each peer of PyPI lives in an environment of its own."""
        if self.debian:
            return DEBIAN
        folder = "Scripts" if sys.platform == "win32" else "bin"
        return str(HOME / self.name.lower() / folder / "python")


PEERS = (
    Peer("scipy", "scipy==1.17.1", "scipy"),
    Peer("scikit-sundae", "scikit-sundae==1.2.0", "sksundae"),
    Peer("CasADi", "casadi==3.8.2", "casadi"),
    Peer("diffrax", "diffrax==0.7.2", "diffrax"),
    Peer("Siconos", "python3-siconos", "siconos.kernel", debian=True),
    Peer("MuJoCo", "mujoco==4.0.0", "mujoco"),
    Peer("PyBullet", "pybullet==3.2.7 numpy", "pybullet"),
    Peer("Drake", "drake==1.51.1", "pydrake"),
    Peer("pooltool", "pooltool-billiards==0.3.3", "pooltool"),
)
# It simulates with dyverse, so both go into its environment.
FALSIFIERS = (
    Peer("PSY-TaLiRo", "psy-taliro==3.2.0 cma==4.5.0 --editable .", "staliro, cma, dyverse"),
)


def installed(say: Callable[[str], None], peers: tuple[Peer, ...] = PEERS) -> dict[str, str]:
    """Install what is missing; for each peer "" or the reason why it is not there."""
    HOME.mkdir(exist_ok=True)
    (HOME / ".gitignore").write_text("*\n", encoding="utf-8")
    reasons = {}
    for peer in peers:
        say(f"{peer.command} …")
        reasons[peer.name] = "" if _there(peer) else _install(peer)
        if reasons[peer.name]:
            say(f"  not installed: {reasons[peer.name]}")
    return reasons


def _there(peer: Peer) -> bool:
    if not peer.debian and not Path(peer.python).exists():
        return False
    return not _failure([peer.python, "-c", f"import {peer.module}"])


def _install(peer: Peer) -> str:
    if peer.debian:
        steps = [["apt-get", "update"], ["apt-get", "install", "-y", peer.package]]
    else:
        place = HOME / peer.name.lower()
        pip = [peer.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        steps = [[sys.executable, "-m", "venv", str(place)], [*pip, *peer.package.split()]]
    steps.append([peer.python, "-c", f"import {peer.module}"])
    return next((why for step in steps if (why := _failure(step))), "")


def _failure(command: list[str]) -> str:
    """The last thing a command complained of, without the names of folders; "" if it worked."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    if done.returncode == 0:
        return ""
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    wrong = [line for line in lines if "error" in line.lower()]
    return (wrong or lines or ["failed without a word"])[-1].strip().replace(str(ROOT), "")
