"""Answers against simulations at sampled numbers, and certificates that somebody has damaged."""

import base64
import gzip
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyverse.certificate.check import Checked, check
from dyverse.certificate.file import Question
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from dyverse.native.many import simulate_many
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import ends
from dyverse.proving.writing import write_certificate
from dyverse.simulation.requirement.properties import outcome
from dyverse.simulation.simulate import Options, simulate

START = "gravity (0, -9.81, 0)\nbody floor { plane normal (0, 1, 0) }\n"
BALL = "body ball { sphere radius 0.1  mass 1  "
MODELS: dict[str, tuple[str, tuple[float, float]]] = {
    "spin": (
        f"""parameter w = 20
{BALL} position (0, 0.6, 0)  velocity (1, 0, 0)  spin (0, 0, w) }}
contact ball floor {{ restitution 0.8  friction 0.4 }}
property claim: always t < 0.5 or ball.vx > 0 until 0.8
""",
        (0.0, 60.0),
    ),
    "corner": (
        f"""parameter v = 3
{BALL} position (0, 1, 0)  velocity (v, 0, 0) }}
body wall {{ plane normal (-1, 0, 0)  position (2, 0, 0) }}
contact all {{ restitution 0.8 }}
property claim: always ball.x > -0.5 until 1.5
""",
        (2.0, 4.0),
    ),
    "rest": (
        f"""parameter e = 0.5
{BALL} position (0, 1.1, 0) }}
contact ball floor {{ restitution e }}
property claim: always t < 1.2 or ball.y < 0.102 until 2
""",
        (0.3, 0.6),
    ),
    "roll": (
        f"""parameter v = 1
{BALL} position (0, 0.1, 0)  velocity (v, 0, 0) }}
contact ball floor {{ restitution 0  friction 0.2 }}
property claim: always t < 0.2 or slip_speed[ball,floor] < 1e-9 until 0.5
""",
        (0.5, 2.0),
    ),
    "cushions": (
        f"""parameter a = 0.8
{BALL} position (0, 1, 0)  velocity (3*cos(a), 3*sin(a), 0) }}
body left {{ plane normal (1, 0, 0)  position (-1, 0, 0) }}
body right {{ plane normal (-1, 0, 0)  position (1, 0, 0) }}
contact all {{ restitution 0.9  friction 0.1 }}
property claim: always ball.y < 1.4 until 1.2
""",
        (0.2, 1.4),
    ),
    "swing": (
        """\
parameter a = 0.5
body hook { point  fixed  position (0, 2, 0) }
body bob { sphere radius 0.1  mass 1  position (sin(a), 2 - cos(a), 0) }
body wall { plane normal (1, 0, 0)  position (-0.1, 0, 0) }
joint rod { revolute hook bob  at (0, 2, 0)  axis (0, 0, 1)  damping 0.1 }
contact all off
contact bob wall { restitution 0.6 }
property claim: always t < 0.6 or bob.x < 0.25 until 1
""",
        (0.3, 0.6),
    ),
    "pushed": (
        """\
parameter a = 3
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
contact ball floor { restitution 0.8  offers hit }
automaton hand {
  real f
  clock c
  int hits
  location wait
  location press { invariant c <= 0.1 }
  initial wait
  edge wait -> press { do f := -a, c := 0, hits := hits + 1  sync hit? }
  edge press -> wait { when c >= 0.1  do f := 0 }
}
system hand
force ball (0, hand.f, 0)
property claim: always hand.hits < 2.5 until 1.5
""",
        (2.0, 4.0),
    ),
    "switched": (
        """\
parameter k = 0.1
automaton room {
  real T = 20
  int n
  location heat { T' = k*(30 - T)  invariant T <= 22 }
  location wait { T' = k*(10 - T)  invariant T >= 18 }
  initial heat
  edge heat -> wait { when T >= 22  do n := n + 1 }
  edge wait -> heat { when T <= 18  do n := n + 1 }
}
system room
property claim: always room.n < 3.5 until 20
""",
        (0.05, 0.2),
    ),
}
NAMES = {
    "spin": "w",
    "corner": "v",
    "rest": "e",
    "roll": "v",
    "cushions": "a",
    "pushed": "a",
    "swing": "a",
}
NAMES |= {"switched": "k"}


def text_of(name: str) -> str:
    """The whole text of a model; the room has no floor."""
    return MODELS[name][0] if name == "switched" else START + MODELS[name][0]


def question(name: str) -> Question:
    _, limits = MODELS[name]
    return reduced(ask(text_of(name), "claim", ranges={NAMES[name]: limits}, settings={}))


def answered(name: str, finest: int = 5) -> tuple[Answer, list[Any]]:
    kept: list[Any] = []
    return prove(question(name), limits=Limits(finest=finest), keep=kept.append), kept


def samples(answer: Answer, count: int, seed: int) -> Iterator[tuple[str, float]]:
    """Numbers in boxes that are decided, some of them at their ends, with what is said of them."""
    chance = random.Random(seed)
    boxes = [box for box in answer.boxes if box.verdict != "open"]
    for _ in range(count):
        box = chance.choice(boxes)
        low, high = ends(answer.question, box.halves)[0].tolist()
        share = chance.choice((chance.random(), chance.random(), 0.0, 1.0))
        yield box.verdict, low + share * (high - low)


def margins(name: str, numbers: list[float]) -> list[float]:
    """How well runs keep the property, by simulation: less than nothing where they break it."""
    model = parse_model(text_of(name))
    until = model.until({}, 1.0)
    if model.described is None:
        many = simulate_many(model.world, {NAMES[name]: np.array(numbers)}, until=until)
        return [float(margin) for margin in many.least[:, 0]]
    claim, found = model.properties[0], []
    for number in numbers:
        automaton = model.automaton({NAMES[name]: number})
        run = simulate(automaton, until=until, options=Options(solver="native"))
        found.append(outcome(run, claim, model.values({NAMES[name]: number})).worst.margin)
    return found


def disagreements(name: str, count: int) -> list[tuple[str, float]]:
    """Numbers for which a simulation says otherwise; what it cannot tell is no disagreement."""
    answer, _ = answered(name)
    assert answer.share("open") < 1 / 4
    drawn = list(samples(answer, count, seed=1))
    found = zip(drawn, margins(name, [number for _, number in drawn]), strict=True)
    return [pair for pair, x in found if abs(x) > 1e-6 and (x > 0) != (pair[0] == "safe")]


@pytest.mark.parametrize("name", MODELS)
def test_simulations_agree_with_proofs(name: str) -> None:
    assert disagreements(name, 20) == []


@pytest.mark.long
@pytest.mark.parametrize("name", MODELS)
def test_many_simulations_agree_with_proofs(name: str) -> None:
    assert disagreements(name, 10_000) == []


@pytest.fixture(scope="module", params=["corner", "switched"])
def certificate(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Checked]:
    path = tmp_path_factory.mktemp("damaged") / "whole"
    answer, kept = answered(request.param, 4)
    write_certificate(path, answer.question, kept)
    return path, check(path)


def damaged(path: Path, seed: int) -> bytes:
    """The lines of a certificate with something in a box changed, and checksums to match."""
    chance = random.Random(seed)
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    box = chance.choice([line for line in lines[1:-1] if line["legs"]])
    leg = chance.choice([leg for leg in box["legs"] if leg["steps"]])
    step = chance.choice(leg["steps"])
    match chance.randrange(8):
        case 0:
            box["legs"].remove(leg)
        case 1:
            leg["steps"].remove(step)
        case 2:
            box["halves"] = box["halves"][:-1]
        case 3:
            box["legs"], box["degrees"] = [], []
        case 4:
            leg["place"] = [["ball-wall", "smooth"], ["room", "wait"], ["room.n =", "1"]]
        case 5:
            leg["then"] = {"kind": "end"}
        case 6:
            leg["then"] |= {"closing": "edge 1, 0", "edges": [0, 1], "pattern": []}
        case 7:
            which = chance.randrange(len(step["states"]))
            step["states"][which] = moved(step["states"][which], chance)
    body = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines[:-1])
    last = {"boxes": len(lines) - 2, "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(last).encode() + b"\n"


def moved(polynomial: str, chance: random.Random) -> str:
    numbers = np.frombuffer(base64.b64decode(polynomial), dtype="<f8").copy()
    numbers[chance.randrange(9)] += chance.choice((-1, 1)) * 10 ** chance.uniform(-3, 1)
    return base64.b64encode(numbers.tobytes()).decode("ascii")


def outcomes(certificate: tuple[Path, Checked], folder: Path, seeds: range) -> list[bool]:
    """Whether each damaged certificate was refused; one that was not must say no more."""
    path, whole = certificate
    refused = []
    for seed in seeds:
        (folder / "damaged").write_bytes(damaged(path, seed))
        try:
            found = check(folder / "damaged")
        except ModelError:
            refused.append(True)
        else:
            assert found.safe <= whole.safe
            assert found.unsafe <= whole.unsafe
            refused.append(False)
    return refused


def test_damaged_certificates_are_refused(
    certificate: tuple[Path, Checked], tmp_path: Path
) -> None:
    assert sum(outcomes(certificate, tmp_path, range(20))) > 12


@pytest.mark.long
def test_many_damaged_certificates_are_refused(
    certificate: tuple[Path, Checked], tmp_path: Path
) -> None:
    assert sum(outcomes(certificate, tmp_path, range(500))) > 300
