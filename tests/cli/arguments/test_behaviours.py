import pytest

from dyverse.abstraction.behaviours.discontinuous import discontinuous_lts
from dyverse.abstraction.behaviours.initial import initial_abstraction
from dyverse.cli.arguments.behaviours import behaviour_name
from dyverse.errors import ParseError
from tests.abstraction.systems import drilling

LTS = initial_abstraction(drilling(6000, 55_000), letters="actions").lts


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("equilibrium in stick", "equilibrium in stick"),
        ("equilibrium in slip_plus_2_1", "equilibrium in slip_plus_2_1"),
        ("orbit within slip_plus", "orbit within slip_plus"),
        ("escapes", "escapes"),
        ("undecided", "undecided"),
        ("trans_plus slip_plus stick for ever", "slip_plus stick trans_plus for ever"),
        (
            "stick trans_plus slip_plus stick trans_plus slip_plus for ever",
            "slip_plus stick trans_plus for ever",
        ),
        ("equilibrium in stick #2", "equilibrium in stick #2"),
    ],
)
def test_names_are_those_of_verdicts(text: str, name: str) -> None:
    assert behaviour_name(text, LTS, option="--bad") == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("equilibrium in stik", r"--bad:1:16: unknown location 'stik'; did you mean 'stick'\?"),
        ("equilibrium in ", "--bad:1:16: unknown location ''"),
        ("stick trans_plus slipplus for ever", "--bad:1:18: unknown location 'slipplus'; did you"),
        ("stick slip_plus for ever", "no edge leads from 'stick' to 'slip_plus'"),
        ("equilbrium in stick", "is no behaviour; behaviours are equilibrium in LOCATION"),
        ("escape", r"is no behaviour; did you mean 'escapes'\?"),
        ("for ever", "is no behaviour"),
        ("", "is no behaviour"),
    ],
)
def test_what_no_run_can_be_called_is_refused(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        behaviour_name(text, LTS, option="--bad")


def test_locations_of_the_paper_have_names_too() -> None:
    assert behaviour_name("q5 q1 q3 for ever", discontinuous_lts(), option="--bad") == (
        "q1 q3 q5 for ever"
    )
