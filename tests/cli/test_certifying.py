"""``dyverse falsify --prove``: answers that become theorems."""

import json
from pathlib import Path

from dyverse.campaign.crew import Alone
from dyverse.cli.work.certifying import Certifier
from dyverse.falsification.asking import ask
from dyverse.falsification.verdict import Coverage, NotFound, Unsafe
from dyverse.generation.model import parse_model
from tests.cli.conftest import Invoke

GAME = "example:interception-game"
DROP = """\
parameter h = 2 in [1, 3]
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, h, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.9 }
input push
force ball (push, 0, 0)
property low: always ball.y < 2.5 until 0.5
"""


def test_what_is_not_found_becomes_safe(invoke: Invoke) -> None:
    done = invoke("falsify", GAME, "--range", "K=1.75:1.85", "--runs", "500", "--prove", "--json")
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert answer["verdict"] == "safe"
    assert "proved" in answer["certificate"]
    assert answer["certified"] == {"proved": True, "ranges": None, "why": None}


def test_a_witness_gets_a_box(invoke: Invoke) -> None:
    done = invoke("falsify", GAME, "--prove", "--json")
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    low, high = answer["certified"]["ranges"]["K"]
    assert low < high
    again = invoke("prove", GAME, "--range", f"K={low!r}:{high!r}", "--json")
    assert json.loads(again.stdout)["unsafe"]["share"] == 1


def test_the_words_say_what_is_certified(invoke: Invoke) -> None:
    Path("drop.drbt").write_text(DROP, encoding="utf-8")
    assert "certified: broken for every h in [" in invoke("falsify", "drop.drbt", "--prove").stdout
    safe = invoke("falsify", "drop.drbt", "--range", "h=1:2", "--prove")
    assert "SAFE: proved" in safe.stdout


def test_what_cannot_be_proved_stays_as_it_is(invoke: Invoke) -> None:
    Path("drop.drbt").write_text(DROP, encoding="utf-8")
    ranges = ("--range", "h=1:1.1", "--range", "push=-1:1:3")
    asked = ("falsify", "drop.drbt", *ranges, "--runs", "50")
    plain, tried = (json.loads(invoke(*asked, *p, "--json").stdout) for p in ((), ("--prove",)))
    assert plain["verdict"] == tried["verdict"]
    assert tried["certified"]["proved"] is False
    assert "only properties" in tried["certified"]["why"]


def test_what_a_search_passes_over_is_found_by_the_proof() -> None:
    model = parse_model(DROP)
    question = ask(model, None, ranges={}, settings={}, until=None)
    nothing = NotFound(
        covered=Coverage(runs=1, paths=1, deepest=0, least_margin=0.5, nearest={"h": 2.0})
    )
    found = Certifier(DROP, model, question, None).certified(nothing, Alone())
    assert isinstance(found.verdict, Unsafe)
    assert found.box is not None
    assert found.box["h"][0] >= 2.5
    assert found.verdict.witness.margin < 0
