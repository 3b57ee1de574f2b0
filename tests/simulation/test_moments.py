"""States in which no time passes are states: every engine keeps them, and properties see them."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from dyverse.automaton.interface import Visit
from dyverse.automaton.run import Arc, Moment, Run
from dyverse.bodies.build import always, contact_all, parameter, sphere, world
from dyverse.bodies.world import World
from dyverse.exporters.table import write_csv
from dyverse.falsification.asking import ask
from dyverse.falsification.plain import path
from dyverse.falsification.question import probe
from dyverse.generation.automaton import generate
from dyverse.generation.model import Model, parse_model
from dyverse.simulation.requirement.properties import Broken, Outcome, outcome
from dyverse.simulation.simulate import Options, simulate

ENGINES = ("reference", "native", "cvode")

COMMITTED = """
automaton a {
  int b = 0 in [0, 9]
  clock c
  location go { invariant c <= d }
  location mid { committed }
  location done { }
  initial go
  edge go -> mid { when c >= d  do b := 5 }
  edge mid -> done { do b := 0 }
}
parameter d = 1 in [0.5, 1.5]
property p: always not (b == 5) until 2
"""
CASCADE = """
automaton a {
  real b = 0
  clock c
  location go { invariant c <= d }
  location mid { invariant c <= d }
  location done { }
  initial go
  edge go -> mid { when c >= d  do b := 5 }
  edge mid -> done { when b > 4  do b := 0 }
}
parameter d = 1 in [0.5, 1.5]
property p: always b < 4.5 until 2
"""
AT_START = """
automaton a {
  int b = 5 in [0, 9]
  location go { committed }
  location done { }
  initial go
  edge go -> done { do b := 0 }
}
parameter d = 0 in [0, 1]
property p: always not (b == 5) until 2
"""
COUPLED = """
gravity (0, -10, 0)
parameter d = 1.25 in [1, 1.5]
body ball { sphere radius 0.1  mass 1  position (0, d + 0.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.8  offers hit }
automaton a {
  location wait { }
  location told { committed }
  initial wait
  edge wait -> told { sync hit? }
  edge told -> wait { }
}
system a
property p: always not a.told until 0.8
"""
MODELS = {
    "committed": (COMMITTED, 1.0),
    "cascade": (CASCADE, 1.0),
    "start": (AT_START, 0.0),
    "coupled": (COUPLED, 0.5),
}


def play(model: Model, solver: str) -> tuple[Run, Outcome]:
    if solver == "cvode":
        pytest.importorskip("sksundae")
    (claim,) = model.properties
    run = simulate(model.automaton(), until=2.0, options=Options(solver=solver))
    return run, outcome(run, claim, {})


@pytest.mark.parametrize("solver", ENGINES)
@pytest.mark.parametrize("name", MODELS)
def test_a_property_sees_what_lasts_for_no_time(name: str, solver: str) -> None:
    text, time = MODELS[name]
    run, found = play(parse_model(text), solver)
    assert isinstance(found, Broken)
    assert found.time == pytest.approx(time, abs=1e-9)
    assert not found.marginal
    assert any(isinstance(part, Moment) for part in run.parts)


@pytest.mark.parametrize("name", MODELS)
def test_a_search_sees_it_too(name: str) -> None:
    question = ask(parse_model(MODELS[name][0]))
    assert probe(question, question.nominal[None, :]).margins[0] < 0


def parts_of(run: Run) -> list[tuple[str, str]]:
    """What kind of part, and where."""
    found = []
    for part in run.parts:
        match part:
            case Arc(location=location):
                found.append(("arc", str(location)))
            case Visit(before=before):
                found.append(("visit", str(before.location)))
            case Moment(state=state):
                found.append(("moment", str(state.location)))
    return found


@pytest.mark.parametrize("name", MODELS)
def test_engines_keep_the_same_moments(name: str) -> None:
    model = parse_model(MODELS[name][0])
    reference, native = (parts_of(play(model, solver)[0]) for solver in ("reference", "native"))
    assert native == reference


def test_bodies_that_touch_at_the_start_are_not_apart_before() -> None:
    """The ball lies on the floor: that it starts in free flight is how contacts are found."""
    model = parse_model(
        "gravity (0, -10, 0)\nbody ball { sphere radius 0.1  mass 1  position (0, 0.1, 0) }\n"
        "body floor { plane normal (0, 1, 0) }\nproperty p: always closed[ball,floor] until 1\n"
    )
    for solver in ("reference", "native"):
        run, found = play(model, solver)
        assert not isinstance(found, Broken)
        assert not any(isinstance(part, Moment) for part in run.parts)


def glancing(claim: str) -> World:
    """A ball meets another off its centre and does not bounce: it slides along it, and off."""
    return world(
        parameter("v", 2.0, limits=(1.0, 3.0)),
        sphere("a", radius=0.2, mass=1),
        sphere("b", radius=0.2, mass=1, position=(1, 0.2, 0), velocity=("-v", 0, 0)),
        contact_all(restitution=0, friction=0),
        always("p", claim, until=1),
    )


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_a_contact_that_closes_for_no_time_has_been_closed(solver: str) -> None:
    scene = glancing("not closed[a,b]")
    run, found = play(Model(scene), solver)
    assert isinstance(found, Broken)
    assert found.time == pytest.approx((1 - 0.2 * 3**0.5) / 2, abs=1e-9)
    assert ("moment", "{a-b: slip}") in parts_of(run)
    assert parts_of(run) == parts_of(simulate(generate(scene), until=2.0))


def test_a_search_sees_a_contact_that_closes_for_no_time() -> None:
    question = ask(glancing("not closed[a,b]"))
    seen = probe(question, np.array([[1.5], [2.0], [3.0]]))
    assert (seen.margins < 0).all()
    assert seen.times == pytest.approx((1 - 0.2 * 3**0.5) / np.array([1.5, 2.0, 3.0]), abs=1e-9)


def test_a_path_names_the_places_of_moments(tmp_path: Path) -> None:
    run, _ = play(parse_model(COMMITTED), "native")
    assert path(run) == ["go", "mid", "done"]
    write_csv(run, tmp_path / "run.csv")
    with (tmp_path / "run.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["location"] == "mid"]
    assert [(row["t"], row["b"]) for row in rows] == [("1.0", "5.0")]
