"""Certificates in which anything has been replaced by anything else, with checksums to match."""

import gzip
import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dyverse.certificate.check import check, verdict
from dyverse.certificate.file import Broken, Graze, Impact, Question, Unproved
from dyverse.certificate.system import System
from dyverse.errors import ModelError
from dyverse.proving.asking import ask
from dyverse.proving.reduction import reduced
from dyverse.proving.task import WAYS, Way, _Attempt, _prepared
from dyverse.proving.writing import plain, write_certificate
from tests.proving.test_branches import asked as walker
from tests.proving.test_graze import asked as passing

Json = Any  # whatever the json module takes
PROOFS: dict[str, tuple[Question, Way]] = {
    "choices": (walker("low"), WAYS[0]),
    "a graze": (passing("on"), Way(grazes=-1.0)),
}
BOUNCE = """\
gravity (0, -10, 0)
body floor { plane normal (0, 1, 0) }
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
contact ball floor { restitution 0.5 }
property claim: always ball.y < 2 until 0.5
"""
RAMP = """\
automaton ramp { real x = 0.25  location up { x' = 1 }  initial up }
system ramp
property low: always ramp.x < 2 until 1.5
property lower: always ramp.x < 0.5 until 1.5
"""
JUNK: tuple[Json, ...] = (
    None,
    True,
    -1,
    0,
    7,
    10**30,
    1e308,
    "",
    "gap[a,c]",
    "slip+",
    "AAAAAAAA8D8=",
    [],
    [[]],
    {},
    {"kind": "end"},
    {"kind": "broken", "time": 2},
    {"kind": "rest", "contact": "a-c", "moving": [0], "reach": "AAAAAAAA8D8=", "after": []},
    {"kind": "graze", "contact": "a-c", "moving": [0, 9], "reach": "AAAAAAAA8D8="},
)


@pytest.fixture(scope="module", params=PROOFS)
def lines(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Json]]:
    question, way = PROOFS[request.param]
    path = tmp_path_factory.mktemp("hostile") / "whole"
    box = _Attempt(_prepared(question), ()).box(way)
    write_certificate(path, question, [plain(box)])
    assert check(path).safe == 1
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def places(value: Json) -> Iterator[tuple[Json, Json]]:
    """Everything that is inside something, with its key."""
    listed = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(listed):
        yield value, key
        if isinstance(item, dict | list):
            yield from places(item)


def test_an_impulse_that_is_listed_twice_is_refused(tmp_path: Path) -> None:
    question, way = PROOFS["a graze"]
    box = _Attempt(_prepared(question), ()).box(way)
    (number, leg) = next((i, leg) for i, leg in enumerate(box.legs) if isinstance(leg.then, Graze))
    assert isinstance(leg.then, Graze)
    then = replace(leg.then, moving=(*leg.then.moving, leg.then.moving[0]))
    legs = (*box.legs[:number], replace(leg, then=then), *box.legs[number + 1 :])
    write_certificate(tmp_path / "c", question, [plain(replace(box, legs=legs))])
    with pytest.raises(ModelError, match="an impulse twice"):
        check(tmp_path / "c")


def test_a_contact_that_is_listed_twice_is_refused(tmp_path: Path) -> None:
    question = reduced(ask(BOUNCE, "claim", ranges={}, settings={}))
    box = _Attempt(_prepared(question), ()).box(Way())
    (number, leg) = next((i, leg) for i, leg in enumerate(box.legs) if isinstance(leg.then, Impact))
    assert isinstance(leg.then, Impact)
    then = replace(leg.then, pattern=leg.then.pattern * 2)
    legs = (*box.legs[:number], replace(leg, then=then), *box.legs[number + 1 :])
    write_certificate(tmp_path / "c", question, [plain(replace(box, legs=legs))])
    with pytest.raises(ModelError, match="a contact twice"):
        check(tmp_path / "c")


def test_legs_that_nobody_comes_to_are_no_reason_not_to_look() -> None:
    """A leg of failure behind the end of a proof: until there the property must hold."""
    low = reduced(ask(RAMP, "low", ranges={}, settings={}))
    lower = System(replace(low, claim="lower"))
    box = _Attempt(_prepared(low), ()).box(Way())
    failing = replace(box.legs[-1], then=Broken(0.0))
    for legs in (box.legs, (*box.legs, failing)):
        with pytest.raises(Unproved, match=r"property|failure"):
            verdict(lower, replace(box, legs=legs))


@pytest.mark.parametrize("name", ["literal_0_25", "nobody", "t", "ramp.up"])
def test_what_cannot_be_set_is_refused(name: str, tmp_path: Path) -> None:
    question = reduced(ask(RAMP, "low", ranges={}, settings={}))
    box = plain(replace(_Attempt(_prepared(question), ()).box(Way()), degrees=(0,)))
    unknown = replace(question, unknowns=((name, "0", "1"),))
    write_certificate(tmp_path / "c", unknown, [box])
    with pytest.raises(ModelError, match="could be set"):
        check(tmp_path / "c")


def hostile(lines: list[dict[str, Json]], seed: int) -> bytes:
    """Something of the first line or of a box is something else, is gone, or is there twice."""
    chance = random.Random(seed)
    changed = json.loads(json.dumps(lines[:-1]))
    inside, key = chance.choice(list(places(changed[chance.choice((0, 1, 1, 1))])))
    match chance.randrange(4):
        case 0 if isinstance(inside, list):
            inside.append(inside[key])
        case 1:
            del inside[key]
        case _:
            inside[key] = chance.choice(JUNK)
    body = b"".join(json.dumps(line).encode() + b"\n" for line in changed)
    last = {"boxes": len(changed) - 1, "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(last).encode() + b"\n"


def tried(lines: list[dict[str, Json]], path: Path, seeds: range) -> int:
    """How many certificates were refused; none may end in anything else but its old claim."""
    refused = 0
    for seed in seeds:
        path.write_bytes(hostile(lines, seed))
        try:
            found = check(path)
        except ModelError:
            refused += 1
        else:
            assert found.unsafe == 0, seed
    return refused


def test_hostile_certificates_are_refused(lines: list[dict[str, Json]], tmp_path: Path) -> None:
    assert tried(lines, tmp_path / "c", range(25)) > 15


@pytest.mark.long
def test_many_hostile_certificates_are_refused(
    lines: list[dict[str, Json]], tmp_path: Path
) -> None:
    assert tried(lines, tmp_path / "c", range(1000)) > 600
