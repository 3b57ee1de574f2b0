from __future__ import annotations

import json
from itertools import combinations

from dyverse.contact.graph import CompleteGraph, FeasibleGraph
from dyverse.exporters.json_model import json_model
from dyverse.generation.skeleton import Skeleton

THREE = ("ball1-ball2", "ball1-ball3", "ball2-ball3")
MANY = tuple(f"ball{a}-ball{b}" for a, b in combinations(range(1, 21), 2))


def test_small_automata_are_written_whole() -> None:
    model = json.loads(json.dumps(json_model(Skeleton(THREE, CompleteGraph(THREE), "paper"))))
    assert model["whole"]
    assert len(model["locations"]) == model["counts"]["dynamical_locations"] == 64
    assert len(model["nodes"]) == 14
    assert len(model["edges"]) == model["counts"]["edges"] == 524
    assert model["locations"][1]["modes"] == {"ball1-ball2": "stick"}
    assert model["edges"][0]["guard"].startswith("gap[ball1,ball2] <= 0")
    inner = model["nodes"][0]["edges"]
    assert inner[0]["reset"][0] == {"target": "lambda_N[ball1,ball2]", "value": "0"}


def test_large_automata_are_counted() -> None:
    model = json.loads(json.dumps(json_model(Skeleton(MANY, FeasibleGraph(MANY)))))
    assert not model["whole"]
    assert "edges" not in model
    assert model["counts"]["dynamical_locations"] == 4**190
