"""What is shipped: the animator's page is in wheels and source packages."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "dyverse" / "animation" / "static"
PAGE = ("index.html", "replay.html")


@pytest.mark.long
@pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the page is not built")
def test_packages_contain_the_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,), (source,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as found:
        shipped = set(found.namelist())
    assert {f"dyverse/animation/static/{name}" for name in PAGE} < shipped
    assert "dyverse/examples/bouncing-ball/model.drbt" in shipped
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/dyverse/animation/static/{name}" for name in PAGE} < names
    assert {"hatch_build.py", "web/package-lock.json"} < names
    assert not any(name.startswith("web/node_modules/") for name in names)
