"""A run as JSON: valid whatever the numbers, with the keys of the contract."""

import json
from dataclasses import replace

import numpy as np

from dyverse.automaton.interface import State
from dyverse.automaton.run import Arc, Run, Stop
from dyverse.exporters.run_json import run_json
from tests.exporters.sample_runs import BOUNCE, sample


def test_a_run_has_the_keys_of_the_contract() -> None:
    run = sample(BOUNCE, 3.0)
    answer = json.loads(json.dumps(run_json(run), allow_nan=False))
    assert answer["stop"] == "horizon"
    assert answer["time"] == 3.0
    keys = {"time", "kind", "contacts", "from", "to", "remark", "accumulates"}
    assert set(answer["events"][0]) == keys
    assert set(answer["nodes"][0]) == {"time", "node", "sweeps", "residual", "method"}
    assert answer["events"][0]["contacts"] == ["ball-floor"]
    assert answer["events"][0]["from"] == "{}"
    assert answer["final"] == run.final


def test_numbers_that_are_not_finite_become_null() -> None:
    run = sample(BOUNCE, 3.0)
    values = run.end.values.copy()
    values[0] = np.nan
    start = State(0.0, run.end.location, values)
    broken = replace(run, parts=(Arc(start=start, times=np.zeros(1), states=values[None, :]),))
    assert json.loads(json.dumps(run_json(broken), allow_nan=False))["final"]["ball.x"] is None


def test_a_run_that_never_began_ends_where_it_starts() -> None:
    automaton = sample(BOUNCE, 3.0).automaton
    empty = Run(automaton=automaton, parts=(), events=(), stop=Stop.INTERRUPTED)
    answer = run_json(empty)
    assert (answer["stop"], answer["time"]) == ("interrupted", 0.0)
