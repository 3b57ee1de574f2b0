"""Files of witnesses: written and read back, and damaged ones."""

import json

import pytest

from dyverse.errors import ModelError
from dyverse.falsification.witness_file import (
    MARK,
    Found,
    WitnessFile,
    is_witness,
    read_witness,
    witness_text,
)

FILE = WitnessFile(
    model="fall.drbt",
    text="parameter h = 1\n",
    claim="high",
    never="",
    ranges=("h=0.5:2.0", "u=-1.0:1.0:2"),
    settings=("m=2",),
    until=2.0,
    depth=7,
    seed=3,
    method="shooting",
    witnesses=(
        Found(
            kind="witness",
            settings={"h": "0.1", "u": "1.0:0.5"},
            parameters={"h": 0.1, "u_1": 1.0, "u_2": 0.5},
            told={"time": 0.30000000000000004, "path": ["{}"]},
        ),
        Found(kind="nearest", settings={}, parameters={}, told={}),
    ),
)


def test_what_was_written_is_read() -> None:
    text = witness_text(FILE)
    assert is_witness(text)
    assert read_witness(text, file="w") == FILE
    assert FILE.versions["dyverse"]


def test_a_witness_is_named_by_its_kind_or_number() -> None:
    first, second = FILE.witnesses
    assert [FILE.of_kind(kind) for kind in ("1", "witness", "2", "nearest")] == [
        *(first, first),
        *(second, second),
    ]
    assert FILE.of_kind("3") is FILE.of_kind("0") is FILE.of_kind("worst") is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({MARK: 2}, "it has format 2, and this version reads 1"),
        ({"witnesses": []}, "there is none in it"),
        ({"text": 5}, "'text' is no text"),
        ({"until": None}, "None is no number"),
        ({"versions": None}, "is no file of witnesses"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(change: dict[str, object], words: str) -> None:
    told = json.loads(witness_text(FILE)) | change
    with pytest.raises(ModelError, match=words):
        read_witness(json.dumps(told), file="w")


def test_a_file_that_was_cut_off_says_so() -> None:
    text = witness_text(FILE)
    for end in range(len(MARK) + 10, len(text) - 1, 97):
        assert is_witness(text[:end])
        with pytest.raises(ModelError, match="it may have been cut off"):
            read_witness(text[:end], file="w")


@pytest.mark.parametrize("key", ["text", "witnesses", "until", "seed"])
def test_what_is_missing_is_named(key: str) -> None:
    told = json.loads(witness_text(FILE))
    del told[key]
    with pytest.raises(ModelError, match=f"'{key}' is missing"):
        read_witness(json.dumps(told), file="w")
