"""FMUs as automata of a model: their plant, our controller and our contacts."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest

from dyverse import Options, open_session, simulate
from dyverse.automaton.run import Run, Stop
from dyverse.errors import ModelError
from dyverse.generation.model import Model, load_model, parse_model
from dyverse.text.parse import parse
from dyverse.text.printing.model import model_text
from tests.exporters.fmu.building import fmu
from tests.foreign.making import lag

ROOM = """
parameter level = 1
automaton room(u, k = 2) {
  fmu "lag.fmu" step 0.125 { u = "der(x).in"  k = "rate"  temp = "x" }
  real temp
  int calls
  bool warm
}
automaton heater {
  bool hot = true
  location on { }
  initial on
  edge on -> on { when hot and room.temp >= 0.75 do hot := false action off }
  edge on -> on { when not hot and room.temp <= 0.5 do hot := true action hot }
}
system room(u = level*heater.hot) || heater
"""


def _model(text: str, folder: Path, fault: str = "") -> Model:
    lag(folder, fault)
    (folder / "model.drbt").write_text(text)
    return load_model(folder / "model.drbt").trusting()


def _ends(run: Run) -> dict[str, float]:
    return dict(zip(run.automaton.variables, run.end.values.tolist(), strict=True))


@pytest.mark.parametrize("solver", ["native", "reference"])
def test_their_plant_and_our_controller(solver: str, tmp_path: Path) -> None:
    """x' = 2 (u - x) with u held: off when 0.75 is seen, hot again at 0.5, step by step."""
    model = _model(ROOM, tmp_path)
    run = simulate(model.automaton(), until=3.0, options=Options(solver=solver))
    x, hot, seen = 0.0, 1.0, []
    for number in range(1, 25):
        x += (hot - x) * (1 - math.exp(-2 * 0.125))
        if hot and x >= 0.75:
            hot = 0.0
            seen.append(("off", number * 0.125))
        elif not hot and x <= 0.5:
            hot = 1.0
            seen.append(("hot", number * 0.125))
    events = [(e.kind, e.time) for e in run.events if e.kind in ("off", "hot")]
    assert [kind for kind, _ in events] == [kind for kind, _ in seen]
    assert [t for _, t in events] == pytest.approx([t for _, t in seen], abs=1e-9)
    assert _ends(run)["room.temp"] == pytest.approx(x, abs=1e-12)
    assert _ends(run)["room.calls"] == 24


def test_their_motor_pushes_our_ball_against_our_wall(tmp_path: Path) -> None:
    """A force that is 1 - exp(-t) in steps; with the step the impact comes nearer to the limit."""
    text = """
    parameter h = 0.1
    automaton motor(k = 1, u = 1) { fmu "lag.fmu" step h { u = "der(x).in" k = "rate" } real x }
    body ball { sphere radius 0.1  mass 1 }
    body wall { plane normal (-1, 0, 0)  position (1.1, 0, 0)  fixed }
    contact ball wall { restitution 0.5 }
    force ball (motor.x, 0, 0)
    system motor
    """
    model = _model(text, tmp_path)
    times = []
    for step in (0.2, 0.1, 0.05):
        run = simulate(model.automaton({"h": step}), until=2.5)
        times.append(run.times("impact")[0])
    limit = 2.1142073  # of t²/2 - t + 1 - exp(-t) = 1
    errors = [abs(time - limit) for time in times]
    assert limit**2 / 2 - limit + 1 - math.exp(-limit) == pytest.approx(1.0, abs=1e-6)
    assert errors[0] > 1.8 * errors[1] > 3.2 * errors[2]
    assert errors[2] < 0.03


def test_a_crash_of_theirs_ends_the_run_and_loses_nothing(tmp_path: Path) -> None:
    run = simulate(_model(ROOM, tmp_path, "abort();").automaton(), until=3.0)
    assert run.stop is Stop.FAULT
    assert run.end.time == pytest.approx(1.125)
    assert "room (lag.fmu): its code crashed (SIGABRT)" in run.message
    assert len([e for e in run.events if e.kind == "exchange"]) == 8


def test_a_session_goes_back_and_on_another_way(tmp_path: Path) -> None:
    session = open_session(_model(ROOM, tmp_path))
    session.advance(0.5)
    here = session.snapshot()
    session.advance(1.5)
    there = session.observe("room.temp")["room.temp"]
    session.restore(here)
    session.change({"level": 3.0})
    session.advance(1.5)
    assert session.observe("room.temp")["room.temp"] > there + 0.1
    session.restore(here)
    session.advance(1.5)
    assert session.observe("room.temp")["room.temp"] == there


def test_nothing_foreign_runs_without_trust(tmp_path: Path) -> None:
    lag(tmp_path, "abort();")
    model = parse_model(ROOM, file=str(tmp_path / "model.drbt"))
    assert [item.file for item in model.foreign] == ["lag.fmu"]
    with pytest.raises(
        ModelError, match=r"\(made by: by hand\), and would run its code.*lag\.so.*trust"
    ):
        simulate(model.automaton(), until=1.0)
    copied = pickle.loads(pickle.dumps(model.trusting()))
    assert copied.foreign[0].trusted


def test_an_fmu_of_ours_comes_back(tmp_path: Path) -> None:
    """A ball in an FMU of FMI 3.0 that hangs on a spring outside of it."""
    fmu("body m { point mass 2 }\ninput u\nforce m (u, 0, 0)", tmp_path, "fmu3")
    (tmp_path / "model.drbt").write_text("""
    automaton mass(u) { fmu "model.fmu" step 0.001 { x = "m.x"  v = "m.vx" }  real x, v }
    system mass(u = 8*(1 - mass.x))
    """)
    run = simulate(load_model(tmp_path / "model.drbt").trusting().automaton(), until=1.0)
    assert _ends(run)["mass.x"] == pytest.approx(1 - math.cos(2.0), abs=2e-3)


def test_it_is_printed_as_it_was_written() -> None:
    tree = parse(ROOM)
    assert parse(model_text(tree)) == tree


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("step 0.125", "step 0", "the step must be over 0 s"),
        ("step 0.125", "step heater.hot", "this must be constant"),
        ("real temp", "real temp = 3", "'temp' is read of the FMU, which gives its start"),
        ("real temp", "clock temp", "an FMU has no clocks; write 'real'"),
        ("int calls", "int course", "every FMU has 'course' of its own"),
        ("bool warm", "bool warm  location p", "an automaton that is an FMU has variables and"),
        ('temp = "x"', 'tmp = "x"', "unknown name 'tmp'; did you mean 'temp'"),
        ("room(u = level*heater.hot)", "room", "'room' needs a value for 'u'"),
    ],
)
def test_what_cannot_be_said(old: str, new: str, words: str) -> None:
    assert old in ROOM
    with pytest.raises(ModelError, match=words):
        parse_model(ROOM.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('temp = "x"', 'temp = "y"', "the FMU has no variable 'y'"),
        ("int calls", "int calls, x", r"'x' of the FMU is a real number; write 'real x'"),
        ('k = "rate"', 'k = "x"', "is a variable of the kind 'output', which cannot be set"),
        ("room(u = level*heater.hot)", "room(u = 1, k = heater.hot)", "what is given for it chan"),
        ("bool warm", "bool warm, label", "'label' of the FMU is a String"),
        ("lag.fmu", "leg.fmu", "leg.fmu: cannot be read: No such file"),
    ],
)
def test_what_does_not_fit_to_the_fmu(old: str, new: str, words: str, tmp_path: Path) -> None:
    assert old in ROOM
    model = _model(ROOM.replace(old, new), tmp_path)
    with pytest.raises(ModelError, match=words):
        simulate(model.automaton(), until=1.0)
