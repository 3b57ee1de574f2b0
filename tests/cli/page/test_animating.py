"""What pages may open: examples and text, never files."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyverse.cli.page.ordering import open_requested
from dyverse.errors import DyverseError
from dyverse.uppaal.loading.load import UppaalModel

MODELS = Path(__file__).parents[2] / "uppaal" / "models"
ENTITIES = """<?xml version="1.0"?>
<!DOCTYPE nta [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "{}">]>
<nta><declaration>// &b; &c;</declaration><system>system P;</system></nta>
"""


@pytest.mark.parametrize("file", ["train_gate.xml", "priorities.xta"])
def test_text_of_uppaal_is_known_by_the_name_of_the_model(file: str) -> None:
    text = (MODELS / file).read_text("utf-8")
    play = open_requested({"text": text, "name": file})
    assert isinstance(play.model, UppaalModel)
    assert play.model.automaton().start()
    with pytest.raises(DyverseError):
        open_requested({"text": text, "name": "model.drbt"})


def test_text_from_a_page_reads_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden words")
    for text, name in (
        (f'include "{secret}"', "m.drbt"),
        (f'body a {{ hull "{secret}" }}', "m.drbt"),
        (f"#include <{secret}>\nbody", "m.drbt"),
        (ENTITIES.replace("{}", secret.as_uri()), "m.xml"),
        (f'import "{secret}" {{ int f(); }}; system P;', "m.xta"),
    ):
        with pytest.raises(DyverseError) as error:
            open_requested({"text": text, "name": name})
        assert "hidden" not in str(error.value)


@pytest.mark.parametrize(
    "request_of_page",
    [
        {},
        {"text": 3},
        {"example": "../robot"},
        {"example": "robot/../../secret"},
        {"example": ["robot"]},
        {"path": "/etc/passwd"},
        {"example": "", "name": "/etc/passwd"},
    ],
)
def test_other_requests_are_refused(request_of_page: dict[str, object]) -> None:
    with pytest.raises(DyverseError):
        open_requested(request_of_page)
