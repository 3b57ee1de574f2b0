"""What an FMU says of itself: odd texts, many variables, and what follows from what."""

from __future__ import annotations

import math
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import pytest

from dyverse.cli.work.exporting_code import model_name
from dyverse.exporters.c.folder import write_archive
from dyverse.exporters.fmu import fmi2, fmi3
from dyverse.exporters.fmu.archive import Format, Papers, archive
from dyverse.text.examples import example_text
from tests.exporters.c.building import in_c
from tests.exporters.fmu.building import QUICK, fmu

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")

ODD = "a < b & \"c\" 'd' – é, 日本語, 1 > 0 \\ ?? %s"
CLOCKS = 250


def test_odd_descriptions_stay_as_they_are(tmp_path: Path) -> None:
    _, found = in_c(example_text("gear"))
    for to in ("fmu2", "fmu3"):
        place = tmp_path / f"{to}.fmu"
        papers = Papers(says=ODD, resources={"model.drbt": ODD})
        write_archive(place, archive(found, to, papers, QUICK).files)
        assert validation.validate_fmu(str(place)) == []
        assert fmpy.read_model_description(str(place)).description == ODD


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("example:bouncing-ball", "bouncing_ball"),
        ("examples/gear/model.drbt", "gear"),
        ("Zähler 2.drbt", "Z_hler_2"),
        ("2balls.drbt", "model_2balls"),
        ("日本.drbt", "model___"),
        ("model.drbt", "model"),
    ],
)
def test_names_of_models_become_names_of_code(model: str, name: str) -> None:
    assert model_name(model) == name


def test_five_hundred_variables(tmp_path: Path) -> None:
    """Relaxation oscillators side by side."""
    automata = "automaton one(k) { real x, y = 1  location on { x' = k - x  y' = x - y } initial on"
    automata += "  edge on -> on { when x >= 0.9*k do x := 0 } }\n"
    parts = " || ".join(f"c{i} = one({1 + i % 7})" for i in range(CLOCKS))
    model, found, place = fmu(f"{automata}system {parts}\n", tmp_path)
    assert len(found.states) == 2 * CLOCKS
    assert validation.validate_fmu(str(place)) == []
    made: Any = fmpy.simulate_fmu(
        str(place), fmi_type="CoSimulation", stop_time=3.0, output_interval=1.5, output=["c9.x"]
    )
    values = dict(zip(model.automaton().variables, range(500), strict=False))
    assert "c9.x" in values
    assert 0 <= made["c9.x"][-1] <= 0.9 * 3


RESERVED = """
parameter double = 2
parameter NULL = 0.5
parameter errno = 1
input fmi2Real
body int { sphere radius 0.1  mass double  position (0, errno, 0) }
body struct { plane normal (0, 1, 0) }
automaton while { real for = NULL, void  location main { for' = fmi2Real - for } initial main }
contact int struct { restitution NULL }
system while
"""


def test_names_that_are_words_of_c_are_names_like_others(tmp_path: Path) -> None:
    _, _, place = fmu(RESERVED, tmp_path, "fmu2", ("counts", "locations"))
    assert validation.validate_fmu(str(place)) == []
    made: Any = fmpy.simulate_fmu(
        str(place), fmi_type="CoSimulation", stop_time=1.0, output_interval=0.5
    )
    assert made["while.for"][-1] == pytest.approx(0.5 * math.exp(-1.0), rel=1e-8)
    assert made["int.y"][-1] > 0.1


OURS = """
parameter time = 1
parameter events = 2
parameter impacts = 0.5
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass time  position (0, events, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution impacts }
"""


@pytest.mark.parametrize("to", ["fmu2", "fmu3"])
def test_names_that_we_give_make_room_for_those_of_the_model(to: Format, tmp_path: Path) -> None:
    _, _, place = fmu(OURS, tmp_path, to, ("counts",))
    assert validation.validate_fmu(str(place)) == []
    about: Any = fmpy.read_model_description(str(place))
    kinds = {v.name: v.causality for v in about.modelVariables}
    assert kinds["events"] == kinds["impacts"] == kinds["time"] == "parameter"
    assert kinds["events_"] == kinds["impacts_"] == "output"
    assert kinds.get("time_") == ("independent" if to == "fmu3" else None)


@pytest.mark.parametrize("describe", [fmi2.description, fmi3.description])
def test_starts_follow_from_the_parameters_that_they_name(describe: Any) -> None:
    _, found = in_c(example_text("bouncing-ball"))
    root = Tree.fromstring(describe(found, tool="test"))
    names = {e.get("name"): e for e in root.iter() if e.get("valueReference") and e.get("name")}
    assert names["ball.y"].get("initial") == "calculated"
    assert names["ball.x"].get("initial") == "exact"
    assert names["drop"].get("variability") == "fixed"
    assert names["e"].get("variability") == "tunable"


def test_locations_are_enumerations_and_counts_are_whole(tmp_path: Path) -> None:
    groups = ("counts", "locations", "gaps", "forces")
    _, found, place = fmu(example_text("racket"), tmp_path, "fmu2", groups)
    assert validation.validate_fmu(str(place)) == []
    names = ["events", "impacts", "location[hand]", "mode[ball,floor]", "gap[ball,floor]"]
    made: Any = fmpy.simulate_fmu(
        str(place), fmi_type="CoSimulation", stop_time=1.0, output_interval=0.25, output=names
    )
    assert made["events"][-1] >= made["impacts"][-1] > 0
    assert made["gap[ball,floor]"][0] == pytest.approx(1.0)
    assert len(found.outputs) > len(found.states) + 5


def test_the_size_of_states_is_the_same_in_the_text_and_in_the_code(tmp_path: Path) -> None:
    _, found, place = fmu(example_text("gear"), tmp_path)
    about: Any = fmpy.read_model_description(str(place))
    sizes = {v.name: v.nominal for v in about.modelVariables if v.nominal is not None}
    assert sizes.keys() == {state.name for state in found.states}
    fmpy.extract(str(place), str(tmp_path / "open"))
    one = fmpy.fmi2.FMU2Model(
        guid=about.guid,
        unzipDirectory=str(tmp_path / "open"),
        modelIdentifier=about.modelExchange.modelIdentifier,
        instanceName="one",
    )
    one.instantiate()
    row = (fmpy.fmi2.fmi2Real * len(found.states))()
    one.getNominalsOfContinuousStates(row, len(row))
    assert list(row) == [float(size) for size in sizes.values()]
    one.freeInstance()


def test_a_variable_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    _, _, place = fmu(example_text("gear"), tmp_path)
    about: Any = fmpy.read_model_description(str(place))
    fmpy.extract(str(place), str(tmp_path / "open"))
    said: list[bytes] = []
    one: Any = fmpy.simulation.instantiate_fmu(
        str(tmp_path / "open"), about, "CoSimulation", logger=lambda *told: said.append(told[-1])
    )
    with pytest.raises(fmpy.fmi1.FMICallException, match="status 3"):
        one.getReal([9999])
    with pytest.raises(fmpy.fmi1.FMICallException, match="status 3"):
        one.setReal([9999], [1.0])
    assert said == [b"there is no such variable"] * 2
    one.freeInstance()


def test_tools_are_asked_to_tell_of_their_steps(tmp_path: Path) -> None:
    """In FMI 3.0 they need not, and bodies would drift off their contacts."""
    for to in ("fmu2", "fmu3"):
        about: Any = fmpy.read_model_description(str(fmu(example_text("gear"), tmp_path, to)[2]))
        assert about.modelExchange.needsCompletedIntegratorStep


def test_terminals_follow_their_schema_and_name_variables(tmp_path: Path) -> None:
    etree: Any = pytest.importorskip("lxml.etree")
    _, found, place = fmu(example_text("racket"), tmp_path, "fmu3")
    with zipfile.ZipFile(place) as archived:
        root = etree.fromstring(archived.read("terminalsAndIcons/terminalsAndIcons.xml"))
    folder = Path(fmpy.__file__).parent / "schema" / "fmi3"
    etree.XMLSchema(file=str(folder / "fmi3TerminalsAndIcons.xsd")).assertValid(root)
    members = [e.get("variableName") for e in root.iter("TerminalMemberVariable")]
    assert sorted(members) == sorted(state.name for state in found.states)
    assert [e.get("name") for e in root.iter("Terminal")] == ["ball", "hand", "racket"]
    about: Any = fmpy.read_model_description(str(place))
    assert set(members) <= {v.name for v in about.modelVariables}
