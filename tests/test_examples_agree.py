"""Every example under all three solvers: the same events, at the same times, to the same end.

All models of all folders take part, with other settings too where these change the story, and each
is compared over its own horizon unless `SHORTER` says why not.
"""

import runpy
from pathlib import Path

import pytest

from dyverse import Options, Run, example_text, load_model, parse_model, simulate
from dyverse.automaton.interface import Event, HybridAutomaton
from dyverse.text.examples import example_names

HOME = Path(__file__).parents[1] / "examples"
FILES = tuple(str(path.relative_to(HOME)) for path in sorted(HOME.glob("*/*.drbt")))
FAMILY = tuple(name for name in example_names() if name.startswith("balls-"))
SCRIPTS = {"spiking-neurons": "neurons"}  # the models written in Python

SHORTER = {
    "bouncing-ball/model.drbt": 17.0,  # later bounces are so short that 1e-11 m in height shows
    "belt/model.drbt": 10.0,  # the rest of these goes round and round
    "belt/block.drbt": 5.0,
    "drillstring/model.drbt": 30.0,
    "relay/model.drbt": 50.0,
    "automatic-transmission/model.drbt": 11.0,
    "conveyor/model.drbt": 0.4,  # it is carried along
    "double-pendulum/model.drbt": 0.8,
    "string-cradle/model.drbt": 1.1,
    "robot-arm/model.drbt": 0.5,  # with soft motors it has touched the ball
    "rattleback/model.drbt": 0.1,  # it rolls on and on
    "compass-walker/model.drbt": 0.74,  # one step
    "compass-walker/gait.drbt": 5.0,
    "eulers-disc/model.drbt": 0.1,
    "dice/model.drbt": 0.25,  # six impacts; where it lies in the end is a matter of chance
    "four-bar/model.drbt": 0.3,  # the rest goes round and round
    "rimless-wheel/model.drbt": 0.9,  # two steps
    "vibrating-table/model.drbt": 1.0,
    "navigation/model.drbt": 15.0,  # the rest goes round and round
    "rocking-block/model.drbt": 1.2,  # it has begun to rock
    "slider-crank/model.drbt": 0.03,  # the rest goes round and round
    "tippe-top/model.drbt": 0.03,
    "wind-turbine/model.drbt": 4.0,  # it settles, and the rest goes on so
    "woodpecker/model.drbt": 0.14,  # one hop
    "billiard-break/model.drbt": 0.3,  # by then all balls move
    "spiking-neurons": 0.2,
}
QUIET = (  # nothing happens
    "balls-1",
    "four-bar/model.drbt",
    "robot-arm/model.drbt",
    "steam-condenser/model.drbt",
    "wind-turbine/model.drbt",
)
OTHERS = (
    ("robot-arm/model.drbt", {"k": 20.0, "aim": 1.0}),
    ("interception-game/model.drbt", {"K": 1.0}),
    ("interception-game/model.drbt", {"K": 3.0}),
    ("three-balls/model.drbt", {"k": 1.5}),
    ("inclined-plane/model.drbt", {"mu": 0.1}),
    ("newtons-cradle/model.drbt", {"gap": 1e-6}),
    ("stack/model.drbt", {"m": 10.0}),
)
CASES = (*((name, {}) for name in (*FILES, *FAMILY, *SCRIPTS)), *OTHERS)


def made(name: str, settings: dict[str, float]) -> tuple[HybridAutomaton, float]:
    """The automaton of an example, and how long to follow it."""
    if name in SCRIPTS:
        script = runpy.run_path(str(HOME / name / "run.py"))
        return script[SCRIPTS[name]](), SHORTER[name]
    model = load_model(HOME / name) if name in FILES else parse_model(example_text(name))
    return model.automaton(settings), SHORTER.get(name, model.until(settings, 10.0))


def told(event: Event) -> tuple[str, tuple[str, ...], str]:
    """What happened; without the billiard table, which takes 1e-20 N s in some impacts."""
    contacts = tuple(contact for contact in event.contacts if not contact.endswith("-table"))
    return event.kind, contacts, str(event.target)


def assert_same(ours: Run, theirs: Run) -> None:
    assert ours.stop == theirs.stop
    assert [told(event) for event in ours.events] == [told(event) for event in theirs.events]
    times = [event.time for event in theirs.events]
    assert [event.time for event in ours.events] == pytest.approx(times, abs=1e-7)
    assert ours.final == pytest.approx(theirs.final, abs=1e-6)


@pytest.mark.parametrize(("name", "settings"), CASES, ids=str)
def test_all_solvers_agree(name: str, settings: dict[str, float]) -> None:
    """Times to 1e-7 s and ends to 1e-6: CVODE errs by 1e-8 s over a hundred slips and sticks."""
    automaton, until = made(name, settings)
    reference = simulate(automaton, until=until, options=Options(solver="reference"))
    assert reference.events or (name in QUIET and not settings)
    native = simulate(automaton, until=until, options=Options(solver="native"))
    assert native.solver == "native"
    assert_same(native, reference)
    pytest.importorskip("sksundae")
    assert_same(simulate(automaton, until=until, options=Options(solver="cvode")), reference)
