"""Long lists in JSON: the same text as a list in memory."""

import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from dyverse.cli.terminal import long_list
from dyverse.cli.terminal.long_list import LongList, json_text, object_text

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
JSON = st.recursive(
    LEAVES | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), JSON), st.sampled_from([1, 2**24]))
def test_the_text_is_that_of_the_whole(answer: dict[str, Any], in_memory: int) -> None:
    """Lists among the values are long ones, in memory or on disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_list, "IN_MEMORY", in_memory)
        given = {key: _long(value) for key, value in answer.items()}
    text = "".join(object_text(given))
    for made in given.values():
        if isinstance(made, LongList):
            made.close()
    assert text == json_text(answer) + "\n"
    assert json.loads(text) == answer


def _long(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    made = LongList()
    for item in value:
        made.append(item)
    assert len(made) == len(value)
    return made


def test_a_number_that_is_none_spoils_no_output() -> None:
    pieces = object_text({"fine": 1, "wrong": float("nan")})
    with pytest.raises(ValueError, match="JSON compliant"):
        next(pieces)
