"""``dyverse prove``: the contract, certificates, limits, a kill and bad input."""

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

DROP = """\
parameter h = 2 in [1, 3]
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, h, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.9 }
property low: always ball.y < 2.5 until 1.2
property hits: eventually ball.vy > 0 until 1.2
property both: always ball.y < 2.5 before ball.y < 1 until 1.2
property once: always count(impact[ball,floor]) < 2 until 1.2
property late: always[0.1, 0.3] ball.y < 2.5
property falls: eventually[0.1, 0.3] ball.vy < -2.5
"""


@pytest.fixture
def drop(invoke: Invoke) -> Invoke:
    Path("drop.drbt").write_text(DROP, encoding="utf-8")
    return invoke


def test_the_answer_has_the_keys_of_the_contract(drop: Invoke) -> None:
    """The ball starts at h: low fails exactly for h ≥ 2.5."""
    done = drop("prove", "drop.drbt", "--property", "low", "--finest", "8", "--json")
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    assert answer["verdict"] == "unsafe"
    assert answer["safe"]["share"] == pytest.approx(0.75, abs=0.01)
    assert answer["unsafe"]["share"] == pytest.approx(0.25, abs=0.01)
    assert answer["open"]["share"] <= 2 / 2**8
    assert answer["safe"]["volume"] == pytest.approx(2 * answer["safe"]["share"])
    assert sum(answer[word]["boxes"] for word in ("safe", "unsafe", "open")) == len(answer["boxes"])
    for box in answer["boxes"]:
        low, high = box["ranges"]["h"]
        assert {"safe": high <= 2.5, "unsafe": low >= 2.5, "open": True}[box["verdict"]]
        assert ("why" in box) == (box["verdict"] == "open")
    assert {"stats", "reasons", "certificate", "property", "ranges", "until"} <= answer.keys()


@pytest.mark.parametrize(
    ("limits", "code", "verdict"),
    [("1:2", 0, "SAFE"), ("2.6:3", 1, "UNSAFE"), ("2:3", 1, "UNSAFE")],
)
def test_exit_codes_say_the_verdict(drop: Invoke, limits: str, code: int, verdict: str) -> None:
    done = drop(
        "prove", "drop.drbt", "--property", "low", "--range", f"h={limits}", "--finest", "6"
    )
    assert done.exit_code == code
    assert verdict in done.stdout


def test_something_that_happens_is_proved_to_happen(drop: Invoke) -> None:
    """From 3 m the ball hits the floor after 0.76 s."""
    assert drop("prove", "drop.drbt", "--property", "hits", "--range", "h=1:2.9").exit_code == 0
    assert drop("prove", "drop.drbt", "--property", "hits", "--until", "0.3").exit_code == 1


@pytest.mark.parametrize(
    ("name", "limits", "code"),
    [
        ("late", "1:2.54", 0),
        ("late", "2.6:3", 1),
        ("falls", "1:3", 0),
    ],
)
def test_intervals_say_when(drop: Invoke, name: str, limits: str, code: int) -> None:
    """After 0.1 s the ball has fallen by 0.05 m; after 0.3 s it falls with 3 m/s."""
    asked = ("prove", "drop.drbt", "--property", name, "--range", f"h={limits}", "--finest", "6")
    assert drop(*asked).exit_code == code
    assert drop(*asked, "--until", "0.05").exit_code == code


def test_a_proof_that_gets_nowhere_is_given_up(
    drop: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start the ball is where the property ends to hold, for every h."""
    monkeypatch.setattr("dyverse.proving.prove.HOPELESS", 64)
    claim = "property fine: always ball.y < h + t until 0.1\n"
    Path("drop.drbt").write_text(DROP + claim, encoding="utf-8")
    done = drop("prove", "drop.drbt", "--property", "fine", "--json")
    assert done.exit_code == 3
    answer = json.loads(done.stdout)
    assert answer["stats"]["boxes"] < 200
    assert list(answer["reasons"]) == ["border"]


def test_a_property_may_begin_at_its_bound(drop: Invoke) -> None:
    claims = "property below: always ball.y <= h until 0.1\n"
    claims += "property falling: always ball.vy <= 0 until 0.1\n"
    Path("drop.drbt").write_text(DROP + claims, encoding="utf-8")
    for name in ("below", "falling"):
        assert drop("prove", "drop.drbt", "--property", name).exit_code == 0


@pytest.mark.parametrize("name", ["both", "once"])
def test_what_cannot_be_proved_is_open(drop: Invoke, name: str) -> None:
    done = drop("prove", "drop.drbt", "--property", name, "--json")
    assert done.exit_code == 3
    answer = json.loads(done.stdout)
    assert answer["open"]["share"] == 1
    assert list(answer["reasons"]) == ["unsupported"]


def test_a_certificate_is_checked(drop: Invoke) -> None:
    asked = ("prove", "drop.drbt", "--property", "low", "--finest", "5")
    assert drop(*asked, "--certificate", "low.cert").exit_code == 1
    done = drop("prove", "--check", "low.cert", "--json")
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert answer["valid"] is True
    assert answer["verdict"] == "unsafe"
    assert drop("prove", "drop.drbt", "--check", "low.cert").exit_code == 0


def test_a_check_says_what_was_set(drop: Invoke) -> None:
    """A certificate may be about other numbers than the text, or less time."""
    asked = ("prove", "drop.drbt", "--property", "low", "--finest", "0", "--until", "0.1")
    drop(*asked, "--set", "ball.vx=0.5", "--certificate", "low.cert")
    answer = json.loads(drop("prove", "--check", "low.cert", "--json").stdout)
    assert answer["until"] == 0.1
    assert answer["settings"] == {"ball.vx": 0.5}
    assert "ball.vx = 0.5" in drop("prove", "--check", "low.cert").stdout


def test_a_certificate_for_another_text_is_refused(drop: Invoke) -> None:
    drop("prove", "drop.drbt", "--property", "low", "--finest", "3", "--certificate", "low.cert")
    Path("other.drbt").write_text(DROP.replace("0.9", "0.91"), encoding="utf-8")
    done = drop("prove", "other.drbt", "--check", "low.cert")
    assert done.exit_code == 2
    assert "is not about the text" in done.stderr


@pytest.mark.parametrize("content", [b"", b"{}", b"\x1f\x8b", b"[" * 10_000, b'{"x": NaN}\n'])
def test_a_hostile_certificate_is_bad_input(drop: Invoke, content: bytes) -> None:
    Path("bad.cert").write_bytes(content)
    done = drop("prove", "--check", "bad.cert", "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["problems"]


def test_a_certificate_that_is_missing_is_bad_input(drop: Invoke) -> None:
    assert drop("prove", "--check", "nowhere.cert").exit_code == 2


def test_a_changed_proof_is_bad_input(drop: Invoke) -> None:
    drop("prove", "drop.drbt", "--property", "low", "--finest", "2", "--certificate", "low.cert")
    data = gzip.decompress(Path("low.cert").read_bytes()).replace(b'"safe"', b'"cafe"', 1)
    lines = data.splitlines(keepends=True)
    Path("half.cert").write_bytes(b"".join(lines[:-2] + lines[-1:]))
    done = drop("prove", "--check", "half.cert")
    assert done.exit_code == 2
    assert "not as it was" in done.stderr


def test_workers_find_the_same(drop: Invoke) -> None:
    asked = ("prove", "drop.drbt", "--property", "low", "--finest", "5", "--json")
    alone, together = (json.loads(drop(*asked, *more).stdout) for more in ((), ("--workers", "2")))
    assert alone["boxes"] == together["boxes"]


def test_a_proof_goes_on_from_its_journal(drop: Invoke) -> None:
    asked = ("prove", "drop.drbt", "--property", "low", "--finest", "5", "--json")
    whole = json.loads(drop(*asked, "--journal", "j").stdout)
    text = Path("j").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("j").write_text("".join(text[:4]), encoding="utf-8")
    assert json.loads(drop(*asked, "--journal", "j").stdout)["boxes"] == whole["boxes"]
    assert Path("j").read_text(encoding="utf-8").splitlines(keepends=True) == text


def test_time_that_is_over_leaves_the_rest_open(drop: Invoke) -> None:
    done = drop("prove", "drop.drbt", "--property", "low", "--time", "1e-9", "--json")
    assert done.exit_code == 3
    assert json.loads(done.stdout)["reasons"] == {"time": 1.0}


def test_pages_and_pictures_are_written(drop: Invoke) -> None:
    asked = ("prove", "drop.drbt", "--property", "low", "--finest", "4")
    assert drop(*asked, "--report", "low.html", "--plot", "low.png").exit_code == 1
    page = Path("low.html").read_text(encoding="utf-8")
    assert "Unsafe" in page
    assert "always ball.y &lt; 2.5" in page
    assert Path("low.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name a model"),
        (("drop.drbt",), "several properties"),
        (("drop.drbt", "--property", "high"), "no property 'high'"),
        (("drop.drbt", "--property", "low", "--finest", "99"), "--finest"),
        (("drop.drbt", "--property", "low", "--time", "0"), "--time"),
        (("drop.drbt", "--property", "low", "--range", "h=3:1"), "empty"),
        (("drop.drbt", "--property", "low", "--certificate", "drop.drbt"), "the model itself"),
        (("spring.drbt",), "no property"),
    ],
)
def test_bad_input_is_told(drop: Invoke, arguments: tuple[str, ...], words: str) -> None:
    done = drop("prove", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr + done.stdout
