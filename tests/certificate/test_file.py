import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dyverse.certificate.file import (
    Box,
    Broken,
    Certificate,
    Change,
    End,
    Graze,
    Impact,
    Leg,
    Question,
    Then,
)
from dyverse.enclosure.front import Step
from dyverse.errors import ModelError
from dyverse.proving.writing import plain, write_certificate

QUESTION = Question(
    text="parameter K = 1\n",
    claim="caught",
    until="2.5",
    unknowns=(("K", "1", "3"), ("e", "-0.5", "1e-3")),
    settings=(("mu", "0.3"),),
    states=("ball.x", "ball.vx"),
    still=("ball.z",),
)
LINE = (0.5, -1.25, 0.0, 1e-300)
THENS: tuple[Then, ...] = (
    Impact("gap[a,b]", (("a-b", "stick"),), ((0, LINE), (1, LINE)), (LINE, LINE)),
    Change("onward[a,b]"),
    Graze("a-b", (0, 1), LINE),
    Broken(0.25),
    End(),
)
STEP = Step(1, LINE, ((*LINE, *LINE), (*LINE, *LINE)))
LEGS = tuple(Leg((("a-b", "slip+"),), (STEP,), then) for then in THENS)
BOXES = [
    Box((0,), (1, 1), LEGS, others=(LEGS[1:], LEGS[2:])),
    Box((1,), why="grazing"),
]


def written(path: Path) -> Path:
    assert write_certificate(path, QUESTION, map(plain, BOXES)) == 2
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    found = Certificate(written(tmp_path / "c.gz"))
    assert found.question == QUESTION
    assert list(found.boxes()) == BOXES


def test_a_certificate_may_be_plain_text(tmp_path: Path) -> None:
    packed = written(tmp_path / "c.gz")
    (tmp_path / "c.jsonl").write_bytes(gzip.decompress(packed.read_bytes()))
    assert list(Certificate(tmp_path / "c.jsonl").boxes()) == BOXES


@pytest.mark.parametrize("seed", range(50))
def test_a_damaged_file_is_refused(tmp_path: Path, seed: int) -> None:
    """A byte is changed, left out or put in, or the end is missing."""
    chance = random.Random(seed)
    data = bytearray(gzip.decompress(written(tmp_path / "c.gz").read_bytes()))
    place = chance.randrange(len(data))
    match seed % 4:
        case 0:
            data[place] ^= 1 << chance.randrange(8)
        case 1:
            del data[place]
        case 2:
            data.insert(place, chance.randrange(256))
        case 3:
            del data[place:]
    (tmp_path / "d").write_bytes(bytes(data))
    with pytest.raises(ModelError):
        list(Certificate(tmp_path / "d").boxes())


def changed(**fields: object) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.update(fields)


WRONG: dict[str, tuple[int, Callable[[dict[str, Any]], None]]] = {
    "another kind": (0, changed(**{"dyverse certificate": 99})),
    "another text": (0, changed(text="parameter K = 2\n")),
    "no text": (0, changed(text=None)),
    "a text that is a number": (0, changed(claim=3)),
    "a ball as a number": (0, changed(until="[1 +/- 2]")),
    "a number that is none": (0, changed(unknowns=[["K", "nan", "3"], ["e", "0", "1"]])),
    "a name twice": (0, changed(unknowns=[["K", "1", "3"], ["K", "0", "1"]])),
    "a state twice": (0, changed(states=["a", "a"])),
    "too many unknowns": (0, changed(unknowns=[[f"K{i}", "1", "3"] for i in range(99)])),
    "halves that are no numbers": (1, changed(halves=["0"])),
    "halves below zero": (1, changed(halves=[-1])),
    "truths for numbers": (1, changed(halves=[True])),
    "a box halved too often": (1, changed(halves=[0] * 1000)),
    "a huge degree": (1, changed(degrees=[10**9, 1])),
    "degrees that are no numbers": (1, changed(degrees=[1.5])),
    "no legs": (1, changed(legs=None)),
    "legs that are none": (1, changed(legs=[3])),
    "other legs that are none": (1, changed(others=[3])),
    "other legs in another": (1, changed(others=[[[]]])),
    "an unknown end": (1, lambda line: line["legs"][0]["then"].update(kind="miracle")),
    "numbers that are none": (
        1,
        lambda line: line["legs"][0]["steps"][0].update(
            pace="AAAAAAAA8H8AAAAAAADwfwAAAAAAAPB/AAAAAAAA8H8="
        ),
    ),
    "numbers that are short": (1, lambda line: line["legs"][0]["steps"][0].update(pace="AAAA")),
    "numbers in other signs": (1, lambda line: line["legs"][0]["steps"][0].update(pace="?" * 44)),
    "a time that is none": (1, lambda line: line["legs"][3]["then"].update(time="now")),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_makes_no_sense_is_refused(tmp_path: Path, name: str) -> None:
    """Also if whoever wrote it knows how to write checksums."""
    number, change = WRONG[name]
    found = lines(written(tmp_path / "c.gz"))
    change(found[number])
    (tmp_path / "d").write_text("".join(json.dumps(line) + "\n" for line in found))
    with pytest.raises(ModelError, match=r"certificate|changed"):
        list(Certificate(tmp_path / "d").boxes())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}",
        b"[]\n",
        b"nonsense",
        b"[" * 100_000,
        b'{"dyverse certificate": 1}\n',
        b'{"dyverse certificate": NaN}\n',
        b"\x1f\x8b",
        b"\x1f\x8bnonsense",
        gzip.compress(b'{"dyverse certificate": 1, "text": "', mtime=0),
    ],
)
def test_a_file_that_is_no_certificate_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c").write_bytes(content)
    with pytest.raises(ModelError):
        Certificate(tmp_path / "c")


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dyverse.certificate.file.LONGEST", 10_000)
    (tmp_path / "c").write_bytes(gzip.compress(b" " * 1_000_000))
    with pytest.raises(ModelError, match="too long"):
        Certificate(tmp_path / "c")


@pytest.mark.parametrize("name", ["missing", ""])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        Certificate(tmp_path / name)
