"""Models as C sources: compiled by the system's compiler, they tell the same story as we do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.exporters.c.model import exported
from dyverse.exporters.c.quantities import GROUPS
from dyverse.generation.model import Model
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_names, example_text
from tests.exporters.c.building import compile_c, in_c, program, table, written
from tests.native.sanitizing import WARNINGS

STRICT = ("-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror")
BALL = """
parameter h = 2 in [1, 3]
parameter e = 0.5
parameter top = h + 1
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, h + 0.1, 0) }
body floor { plane normal (0, 1, 0) }
input wind
force ball (wind, 0, 0)
contact ball floor { restitution e }
"""
BLOCK = """
parameter A = 0.02
gravity (0, -9.81, 0)
body block { box size (0.3, 0.2, 0.25)  mass 1  position (0, 1, 0)  rotation (0.1, 0.2, 0.3)
             spin (1, 2, 3) }
body step { box size (1, 0.2, 1)  position (0.6, 0, 0)  rotation (0, 0, 0.2)  fixed }
body ball { sphere radius 0.1  mass 1  position (0.5, 1, 0) }
body floor { plane normal (0, 1, 0)  moves (0, A*sin(20*t), 0) }
contact block step off
contact all { restitution 0.3  friction 0.4 }
horizon 0.6
"""
PENDULUM = """
parameter phi = 1.2
gravity (0, -9.81, 0)
body frame { point  fixed }
body bob { point  mass 1  inertia 0.01  position (sin(phi), -cos(phi), 0)  rotation (0, 0, phi) }
body tail { point  mass 0.5  inertia 0.01  position (2*sin(phi), -2*cos(phi), 0)
            rotation (0, 0, phi) }
joint hinge {
  revolute frame bob  at (0, 0, 0)  axis (0, 0, 1)  angle phi
  limits [0.2, 3]  restitution 0.5
}
joint knee { revolute bob tail  at (sin(phi), -cos(phi), 0)  axis (0, 0, 1)  damping 0.1 }
horizon 2
"""
WORKSHOP = """
parameter w = 2
gravity (0, -9.81, 0)
body can { cylinder radius 0.2 length 0.3  mass 1  position (0, 1, 0)  rotation (0.3, 0.2, 0.1)
           spin (1, 2, 3) }
body ball { sphere radius 0.1  mass 1  position (1, 1, 0) }
body belt { plane normal (0, 1, 0)  drags (0.5, 0, 0) }
body flap { box size (1, 0.1, 1)  position (1.2, 0.2, 0)  turns (0, 0, 0.2*sin(w*t)) }
contact can flap off
force can (0, if can.y < 0.8 then 2 else 0, 0) at (0.1, 0, 0)
contact all { restitution 0.3  friction 0.4 }
horizon 0.8
"""
TRAPDOOR = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5  when gate.shut }
automaton gate {
  location shut
  location open
  initial shut
  edge shut -> open { when ball.y < 0.3 and ball.vy > 0 }
}
system gate
horizon 1.5
"""
PLANAR = """
planar
gravity (0, -9.81, 0)
body box { box size (0.4, 0.2, 0.3)  mass 1  position (0, 1, 0)  rotation (0, 0, 0.3) }
body ball { sphere radius 0.1  mass 1  position (0.5, 0.5, 0.02)  velocity (-1, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact all { restitution 0.4  friction 0.3 }
force ball (0, 0, 3)
horizon 0.6
"""
TEXTS = {
    "trapdoor": TRAPDOOR,
    "block": BLOCK,
    "pendulum": PENDULUM,
    "workshop": WORKSHOP,
    "planar": PLANAR,
}
NATIVE = Options(solver="native")
QUICK = ("bouncing-ball", "belt", "newtons-cradle", "racket", "relay", "thermostat", "two-tanks")
EXAMPLES = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.long)
    for name in example_names()
    if name not in ("balls-3", "balls-4")
]


@pytest.fixture(scope="module")
def ball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of a ball above a floor."""
    return program(in_c(BALL)[1], tmp_path_factory.mktemp("ball"))


def _run(model: Model, until: float) -> Run:
    return simulate(model.automaton(), until=until, options=NATIVE)


def _text(name: str) -> str:
    return TEXTS[name] if name in TEXTS else example_text(name)


@pytest.mark.parametrize("name", [*TEXTS, *EXAMPLES])
def test_compiled_sources_end_where_our_run_does(name: str, tmp_path: Path) -> None:
    model, found = in_c(_text(name))
    ours = _run(model, found.horizon)
    made = table(program(found, tmp_path), repr(found.horizon), repr(found.horizon))
    end = ours.end
    states = made.rows[-1, 1 : 1 + end.values.size]
    assert made.rows[-1, 0] == pytest.approx(end.time, rel=1e-9)
    assert states == pytest.approx(end.values, rel=1e-9, abs=1e-9)
    assert (made.code == 0) == (ours.stop is Stop.HORIZON), made.said
    times = {event.time for event in ours.events if event.kind != "graze"}
    found_times = made.rows[1:, 0]
    assert all(np.min(np.abs(found_times - t)) <= 1e-9 * max(1.0, t) for t in times if t > 0)


@pytest.mark.parametrize(
    ("name", "level"),
    [
        *((name, "-O1") for name in ("bouncing-ball", "racket", "relay", "planar")),
        pytest.param("ceiling", "-O3", marks=pytest.mark.long),  # as CMake's Release
    ],
)
def test_no_warning_with_everything_switched_on(name: str, level: str, tmp_path: Path) -> None:
    sources = written(in_c(_text(name), GROUPS)[1], tmp_path)
    for unit in ("unit.c", "runtime/model/main.c"):
        answer = compile_c(sources, ["-c", unit], "unit.o", (*WARNINGS, level))
        assert answer.stderr == ""


@pytest.mark.long
@pytest.mark.parametrize("name", example_names())
def test_no_compiler_warns_of_any_example(name: str, tmp_path: Path) -> None:
    """gcc and clang, as C and as C++."""
    sources = written(in_c(example_text(name), GROUPS)[1], tmp_path)
    compilers = [found for found in ("gcc", "clang") if shutil.which(found)]
    if not compilers:
        pytest.skip("there is neither gcc nor clang here")
    for command in compilers:
        for language in ("c99", "c++11"):
            kind = ("-x", language.rstrip("0123456789"), f"-std={language}")
            said = subprocess.run(
                [command, *kind, *STRICT, "-fsyntax-only", "unit.c"],
                capture_output=True,
                text=True,
                check=False,
                cwd=sources,
            )
            assert said.stderr == "", (command, language)


@pytest.mark.parametrize("name", ["racket", "relay"])
def test_it_is_c_plus_plus_too_and_says_the_same(name: str, tmp_path: Path) -> None:
    found = in_c(example_text(name))[1]
    run = program(found, tmp_path)
    flags = ("-x", "c++", "-std=c++11", "-O0", *STRICT)
    units = ["unit.c", "runtime/model/main.c"]
    answer = compile_c(run.parent, units, "other", flags)
    assert answer.stderr == ""
    assert np.array_equal(table(run, "1").rows, table(run.parent / "other", "1").rows)


@pytest.mark.parametrize("name", ["racket", "relay"])
@pytest.mark.parametrize("language", ["c99", "c++11"])
def test_clang_has_nothing_to_say(language: str, name: str, tmp_path: Path) -> None:
    if shutil.which("clang") is None:
        pytest.skip("there is no clang here")
    sources = written(in_c(example_text(name))[1], tmp_path)
    kind = ("-x", language.rstrip("0123456789"), f"-std={language}")
    answer = subprocess.run(
        ["clang", *kind, *STRICT, "-fsyntax-only", "unit.c"],
        capture_output=True,
        text=True,
        check=False,
        cwd=sources,
    )
    assert (answer.returncode, answer.stderr) == (0, "")


def test_settings_and_starts_are_taken_from_the_command(ball: Path) -> None:
    model, _ = in_c(BALL)
    ours = simulate(model.automaton({"h": 1.5, "e": 0.7, "wind": 0.3}), until=2.0, options=NATIVE)
    made = table(ball, "2", "2", "h=1.5", "e=0.7", "wind=0.3")
    assert made.rows[-1, 1:13] == pytest.approx(ours.end.values, abs=1e-12)
    lower = table(ball, "0.1", "0.1", "ball.y=0.6")
    assert lower.rows[0, 2] == 0.6


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("e=2", "settings that cannot be"),
        ("e=nan", "not a finite number"),
        ("e=", "not of the form"),
        ("f=1", "unknown name"),
        ("h=-1", "settings that cannot be"),
    ],
)
def test_settings_that_cannot_be_are_refused(ball: Path, argument: str, said: str) -> None:
    made = table(ball, "2", argument)
    assert made.code == 1
    assert said in made.said


def test_parameters_that_follow_from_others_are_no_settings() -> None:
    _, found = in_c(BALL)
    assert [setting.name for setting in found.settings] == ["h", "e", "wind"]
    assert [int(setting.kind) for setting in found.settings] == [0, 1, 2]
    assert found.starts[1] == (0,)  # ball.y follows from h


def test_sources_grow_with_the_bodies() -> None:
    """Balls that all may touch: n (n - 1)/2 contacts, and yet each ball adds about the same."""
    sizes = {}
    for count in (2, 4, 10, 100):
        balls = (
            f"body b{i} {{ sphere radius 0.1  mass 1  position ({i}, 0, 0) }}\n"
            for i in range(count)
        )
        _, found = in_c("".join(balls) + "contact all { restitution 0.5  friction 0.3 }\n")
        own = (text for path, text in found.sources.items() if not path.startswith("runtime/"))
        sizes[count] = sum(map(len, own))
    each = [(sizes[b] - sizes[a]) / (b - a) for a, b in ((2, 4), (4, 10), (10, 100))]
    assert max(each) < 1.5 * min(each)


def test_cmake_builds_what_is_written(tmp_path: Path) -> None:
    sources = written(in_c(BALL)[1], tmp_path)
    try:
        made = subprocess.run(
            ["cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug"],
            cwd=sources,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("there is no cmake here")
    assert made.returncode == 0, made.stderr
    built = subprocess.run(
        ["cmake", "--build", "build"], cwd=sources, capture_output=True, check=False
    )
    assert built.returncode == 0, built.stderr
    assert table(sources / "build" / "run", "1").code == 0


def test_the_same_model_is_the_same_text() -> None:
    model, first = in_c(BALL)
    again = exported(
        "model", model.automaton(), world=model.world, described=model.described, horizon=10.0
    )
    assert again.sources == first.sources
    assert again.identity == first.identity


def test_wide_vectors_give_the_same_digits(tmp_path: Path) -> None:
    """Also where the compiler may round products together with sums, as it may by default."""
    _, found = in_c(example_text("interception-game"))
    wide = program(found, tmp_path / "wide", ("-std=gnu11", "-O2"))
    narrow = program(found, tmp_path / "narrow", ("-std=c99", "-O2", "-DDV_WIDEST="))
    assert np.array_equal(table(wide).rows, table(narrow).rows)
