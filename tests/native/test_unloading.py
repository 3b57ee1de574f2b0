"""An engine may be the last to know the library that made it, and its end is code of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
from dyverse.generation.automaton import generate
from dyverse.native.engine import Options, c_options
from dyverse.native.library import Engine, library
from dyverse.native.model import native_model
from tests import scenes

automaton = generate(scenes.drop())
model = native_model(automaton.world, automaton.scene)
options = c_options(model, automaton, Options())
other = library.__wrapped__(model.code.source + "/* nobody else has this one */")
engine = Engine(other, model.structure, options)
del other
del engine
print("alive")
"""


def test_an_engine_goes_after_its_library() -> None:
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("alive\n", 0), done.stderr
