"""Models in files, and the command line as a function."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dyverse.cli.main import app

Invoke = Callable[..., Result]

BOUNCE = """\
# A ball bounces to rest.
parameter e = 0.8 in [0.1, 0.9]
gravity (0, -9.81, 0)
body ball { sphere radius 0.5  mass 1  position (0, 3, 0) }
body floor { plane normal (0, 1, 0) }
input wind, gust = 2*wind
force ball (wind, 0, 0)
contact all { restitution e  friction 0.3 }
property up: always ball.y > 0.4
property slow: always ball.vy > -6 until 5
"""
BROKEN = """\
body ball { sphere radius -1  mass 1 }
contact ball flor { restitution 2 }
"""
SPRING = """\
body m { sphere radius 0.1  mass 1  position (1, 0, 0) }
spring m (0, 0, 0) { stiffness 4 }
"""


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Invoke:
    """Run a command in a folder with the models above."""
    for name, text in (("bounce", BOUNCE), ("broken", BROKEN), ("spring", SPRING)):
        (tmp_path / f"{name}.drbt").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, list(arguments), prog_name="dyverse")
