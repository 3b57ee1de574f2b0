from __future__ import annotations

import json

from dyverse.exporters.json_model import json_model
from tests.exporters.test_listing import balls


def test_small_automata_are_written_whole() -> None:
    model = json.loads(json.dumps(json_model(*balls(3, rules="paper"))))
    assert model["whole"]
    assert len(model["locations"]) == model["counts"]["dynamical_locations"] == 64
    assert len(model["nodes"]) == 14
    assert len(model["edges"]) == model["counts"]["edges"] == 524
    assert model["locations"][1]["modes"] == {"ball1-ball2": "stick"}
    flow = ["stick[ball1,ball2]", "open[ball1,ball3]", "open[ball2,ball3]"]
    assert model["locations"][1]["flow"] == flow
    assert "  (ball1.x, ball1.y, ball1.z) = (2, 0, 0)" in model["init"]
    assert "    normal_acceleration[α,β] = 0" in model["flow"]
    assert "  tolerance = 1e-12" in model["definitions"]
    assert model["edges"][0]["guard"].startswith("gap[ball1,ball2] <= 0")
    inner = model["nodes"][0]["edges"]
    assert inner[0]["reset"][0] == {"target": "lambda_N[ball1,ball2]", "value": "0"}


def test_large_automata_are_counted() -> None:
    model = json.loads(json.dumps(json_model(*balls(20, graph="feasible"))))
    assert not model["whole"]
    assert "edges" not in model
    assert model["counts"]["dynamical_locations"] == 4**190
