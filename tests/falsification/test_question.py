"""Questions: ranges, bounds, what is open, and what is refused."""

import os
import subprocess
import sys

import numpy as np
import pytest

from dyverse.errors import ModelError
from dyverse.falsification.asking import ask
from dyverse.falsification.question import probe
from dyverse.generation.model import parse_model
from tests.falsification.models import BOUNCE, FLIGHT, STRAIT, asked

PORT = FLIGHT + "input wind\nforce ball (wind, 0, 0)\n"


def test_parameters_with_a_range_are_open_and_what_ranges_name() -> None:
    question = asked(PORT, ranges={"wind": (-1, 2), "ball.vx": (0, 3)})
    assert [unknown.name for unknown in question.unknowns] == ["v", "wind", "ball.vx"]
    assert question.nominal.tolist() == [3, 0, 1]
    assert question.width.tolist() == [4, 3, 3]
    assert question.until == 2


def test_a_set_parameter_is_not_open() -> None:
    question = asked(BOUNCE, settings={"e": 0.6})
    assert [unknown.name for unknown in question.unknowns] == ["v"]
    assert question.at(np.array([1.2])) == {"e": 0.6, "v": 1.2}
    columns = question.columns(np.array([[1.2], [1.3]]))
    assert {name: column.tolist() for name, column in columns.items()} == {
        "e": [0.6, 0.6],
        "v": [1.2, 1.3],
    }


def test_the_own_point_is_moved_into_the_ranges() -> None:
    assert asked(FLIGHT, ranges={"v": (4, 5)}).nominal.tolist() == [4]


@pytest.mark.parametrize(
    ("line", "until"),
    [
        ("horizon 4", 2.0),
        ("property q: always true", 10.0),
        ("property q: eventually[0, 12] always[0, 3] ball.y < 1", 15.0),
    ],
)
def test_the_property_or_the_model_says_how_long(line: str, until: float) -> None:
    name = "low" if "horizon" in line else "q"
    assert asked(FLIGHT + line, name).until == until


def test_a_horizon_of_the_model_counts_where_the_property_has_no_end() -> None:
    assert asked(FLIGHT.replace(" until 2", "") + "horizon 4").until == 4


def test_an_end_that_depends_on_an_unknown_is_the_latest() -> None:
    text = FLIGHT.replace("until 2", "until v/2")
    question = asked(text)
    assert question.until == 2.5
    # At v = 1 the property ends at 0.5 s: the peak, v²/20, is at v/10 s.
    margins = probe(question, np.array([[1.0], [5.0]])).margins
    assert margins == pytest.approx([1 - 1 / 20, 1 - 25 / 20], abs=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ranges": {"v": (2, 1)}}, "range 2:1 of 'v' is empty; write 1:2"),
        ({"ranges": {"v": (0, float("inf"))}}, "not finite"),
        ({"until": 0.0}, "must be a finite time after 0"),
        ({"depth": 0}, "must be 1 event or more"),
        ({"ranges": {"w": (0, 1)}}, "'w'"),
        ({"ranges": {"v": (0, 1)}, "settings": {"v": 1.0}}, "both set and given a range"),
        ({"name": "lo"}, "no property 'lo'; did you mean 'low'"),
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        asked(FLIGHT, **change)  # type: ignore[arg-type]


def test_one_property_must_be_chosen() -> None:
    with pytest.raises(ModelError, match="several properties; name one: low, q"):
        asked(FLIGHT + "property q: always true")
    with pytest.raises(ModelError, match="no property to break; add one"):
        asked("body ball { sphere radius 1  mass 1 }")


def test_ranges_in_which_bodies_overlap_are_refused() -> None:
    question = asked(STRAIT, ranges={"ball.x": (0, 3)})
    with pytest.raises(ModelError, match=r"at .*ball.x = 3.*overlap .*; narrow the range"):
        question.check_points(np.array([[0.3, 0.0], [0.3, 3.0]]))


def test_a_question_has_the_same_name_in_every_process() -> None:
    code = (
        "from tests.falsification.models import STRAIT, asked\n"
        "print(asked(STRAIT, ranges={'y': (0, 1)}).digest)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    question = asked(STRAIT, ranges={"y": (0, 1)})
    assert done.stdout.split() == [question.digest]
    others = [
        asked(STRAIT),
        asked(STRAIT, ranges={"y": (0, 2)}),
        asked(STRAIT, ranges={"y": (0, 1)}, until=0.9),
        asked(STRAIT, ranges={"y": (0, 1)}, depth=7),
        asked(STRAIT, ranges={"y": (0, 1)}, settings={"clearance": 1e-5}),
    ]
    assert len({question.digest, *(other.digest for other in others)}) == 6


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("always[p, 1] x < 9", "interval .* is upside down"),
        ("always x < 9 until 1 - p", "until"),
    ],
)
def test_times_that_settings_of_automata_make_impossible_are_refused(
    claim: str, message: str
) -> None:
    text = "parameter p = 0.5 in [0, 2]\nautomaton a { real x  location on { x' = 1 }  initial on }"
    model = parse_model(f"{text}\nproperty q: {claim}")
    with pytest.raises(ModelError, match=f"at p = 2.*{message}.*; narrow the range"):
        ask(model).check_points(np.array([[0.5], [2.0]]))
    with pytest.raises(ModelError, match=message):
        model.automaton({"p": 1.5})
