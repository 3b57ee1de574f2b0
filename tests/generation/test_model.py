"""Whole models: what a text means, what can be set, what is wrong with it and where."""

import math
import pickle
import random
import re
from pathlib import Path

import pytest

from dyverse.automaton.network.network import Network
from dyverse.automaton.run import Stop
from dyverse.automaton.surface.composed import composed_automaton
from dyverse.automaton.surface.discontinuous import DiscontinuousSystem
from dyverse.automaton.written.writing import assignments, term
from dyverse.automaton.written.written import Start, WrittenAutomaton
from dyverse.bodies.world import Parameter
from dyverse.errors import ModelError
from dyverse.expr.term import Number, Symbol
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.model import load_model, parse_model
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_names, example_text
from tests.catalogue import thermostat_switches

THERMOSTAT = """
parameter k = 0.1 in [0.05, 0.2]
automaton heater(low = 18, high = 22) {
  real T = 20 in [19, 21]
  location on { T' = k*(30 - T)  invariant T <= high }
  location off { T' = k*(10 - T)  invariant T >= low }
  initial on
  edge on -> off { when T >= high  action off }
  edge off -> on { when T <= low  action on }
}
property warm: always T > 17 until 12
"""
TANKS = """
parameter inflow = 2
automaton tank(outflow, share = 1) {
  real level = 1
  location open { level' = share*inflow - outflow }
  initial open
}
automaton hose { bool left = true  clock c  location on  initial on
  edge on -> on { when c >= 1  do c := 0, left := not left } }
system a = tank(1, hose.left) || b = tank(outflow = 1, share = 1 - hose.left) || hose
"""
RACKET = """
gravity (0, -10, 0)
body ball { sphere radius 0.5  mass 2  position (0, 5.5, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5  offers hit }
input push = 3*hand.on
force ball (push, 0, 0)
automaton hand(most = 2) { bool on  int hits  clock c  location l location done initial l
  edge l -> l { when hits < most  do hits := hits + 1, on := true, c := 0  sync hit? }
  edge l -> l { when on and c >= 0.25  do on := false  action off }
  edge l -> done { when ball.x >= 1  action far } }
system hand
horizon 3
"""


def test_a_single_real_automaton_is_a_written_one() -> None:
    model = parse_model(THERMOSTAT)
    made = model.automaton({"high": 22.0})
    assert isinstance(made, WrittenAutomaton)
    run = simulate(made, until=15.0)
    assert [e.time for e in run.events] == pytest.approx(thermostat_switches(4), rel=1e-8)
    assert [e.kind for e in run.events] == ["off", "on", "off", "on"]


def test_what_can_be_uncertain_is_told_with_its_limits() -> None:
    model = parse_model(THERMOSTAT)
    limits = (Number(0.05), Number(0.2))
    assert model.parameters == (
        Parameter(name="k", value=Number(0.1), limits=limits),
        Parameter(name="low", value=Number(18.0)),
        Parameter(name="high", value=Number(22.0)),
        Parameter(name="T", value=Number(20.0), limits=(Number(19.0), Number(21.0))),
    )
    assert [claim.name for claim in model.properties] == ["warm"]
    assert model.until({}, 10.0) == 12.0
    assert model.horizon is None


def test_a_property_without_end_lasts_as_long_as_it_looks_ahead() -> None:
    text = THERMOSTAT.replace(" until 12", "")
    ahead = text + "property late: always eventually[0, 20] once[0, 50] T > 19\n"
    assert parse_model(text).until({}, 10.0) == 10.0
    assert parse_model(ahead).until({}, 10.0) == 20.0


def test_settings_reach_parameters_arguments_and_starts() -> None:
    made = parse_model(THERMOSTAT).automaton({"k": 0.2, "low": 17.0, "T": 19.5})
    assert isinstance(made, WrittenAutomaton)
    assert dict(made.parameters) == {"k": 0.2, "low": 17.0, "high": 22.0}
    assert made.start().values.tolist() == [19.5]


def test_an_argument_may_change_in_time() -> None:
    """Each second the hose changes tanks: +1, -1, +1 and the other way round."""
    made = parse_model(TANKS).automaton()
    assert isinstance(made, Network)
    run = simulate(made, until=2.5)
    assert run.final["a.level"] == pytest.approx(1.5)
    assert run.final["b.level"] == pytest.approx(0.5)
    assert dict(made.parameters) == {"inflow": 2.0, "a.outflow": 1.0, "b.outflow": 1.0}


def test_a_discontinuous_system_runs_alone() -> None:
    text = """
    parameter F = 1
    discontinuous brick { real x, v = 2  surface v
      above { x' = v  v' = -F }  below { x' = v  v' = F }  initial slip_plus }
    """
    made = parse_model(text).automaton({"F": 4.0})
    assert isinstance(made, WrittenAutomaton)
    run = simulate(made, until=2.0)
    assert run.events[0].target == "stick"
    assert run.events[0].time == pytest.approx(0.5, abs=1e-6)
    assert run.final["x"] == pytest.approx(0.5, abs=1e-6)


MASS = """
discontinuous NAME { real x = START, v = 1  surface v - 1  along v
  above { x' = v  v' = -x + k*(OTHER.x - x) - 1 }
  below { x' = v  v' = -x + k*(OTHER.x - x) + 1 }  initial stick }
"""


def mass(name: str, other: str, start: float) -> str:
    text = MASS.replace("NAME", name).replace("OTHER", other)
    return text.replace("START", str(start))


def two_masses(*, k: float) -> str:
    system = "system left || right"
    return f"parameter k = {k}" + mass("left", "right", 0.2) + mass("right", "left", 0.4) + system


def test_several_surfaces_run_together() -> None:
    """The same as the composition in Python, whose systems read each other's variables."""
    made = parse_model(two_masses(k=0.5)).automaton()
    assert isinstance(made, WrittenAutomaton)
    assert made.variables == ("left.x", "left.v", "right.x", "right.v")
    assert len(made.locations) == 25
    assert made.start().location == "stick,stick"
    assert made.start().values.tolist() == [0.2, 1, 0.4, 1]
    assert {edge.action for edge in made.edges} == {f"{a}{n}" for a in "abcd" for n in "12"}
    run = simulate(made, until=12)
    python = simulate(composed_automaton([_python("left", 0.2), _python("right", 0.4)]), until=12)
    assert [(e.time, e.kind) for e in run.events] == [(e.time, e.kind) for e in python.events]


def _python(name: str, start: float) -> DiscontinuousSystem:
    other = "right" if name == "left" else "left"
    pull = f"-{name}.x + k*({other}.x - {name}.x)"
    above, below = (
        assignments({f"{name}.x": f"{name}.v", f"{name}.v": f"{pull} {sign} 1"}) for sign in "-+"
    )
    return DiscontinuousSystem(
        name=name,
        variables=(f"{name}.x", f"{name}.v"),
        parameters=(("k", 0.5),),
        surface=term(f"{name}.v - 1"),
        along=f"{name}.v",
        above=above,
        below=below,
        initial=Start("stick", ((f"{name}.x", start), (f"{name}.v", 1.0))),
    )


def test_one_system_may_run_twice() -> None:
    """Without a spring between them both do what one does alone."""
    alone = mass("one", "one", 0.2).replace("one.x", "x")
    single = simulate(parse_model("parameter k = 0" + alone).automaton(), until=10)
    both = simulate(
        parse_model(f"parameter k = 0{alone} system a = one || b = one").automaton(), until=10
    )
    times = [event.time for event in single.events]
    assert [e.time for e in both.events if e.kind.endswith("1")] == pytest.approx(times)
    assert [e.time for e in both.events if e.kind.endswith("2")] == pytest.approx(times)
    assert both.final["a.x"] == both.final["b.x"] == pytest.approx(single.final["x"])


FORCED = """
discontinuous f { real x  surface x  period PERIOD
  above { x' = -1 + cos(2*pi*t) }  below { x' = 1 + cos(2*pi*t) }  initial slip_plus }
"""


def test_a_forced_system_has_its_period() -> None:
    made = parse_model(FORCED.replace("PERIOD", "2")).automaton()
    assert isinstance(made, WrittenAutomaton)
    assert made.period == 2
    with pytest.raises(ModelError, match=r"does not repeat after the period 0\.3"):
        parse_model(FORCED.replace("PERIOD", "0.3")).automaton()


def test_bodies_and_automata_run_together() -> None:
    """Falls 5 m in 1 s; each of the first two hits pushes 3 N for 0.25 s: 0.375 m/s more."""
    model = parse_model(RACKET)
    made = model.automaton()
    assert isinstance(made, CoupledAutomaton)
    run = simulate(made, until=model.until({}, 1.0))
    assert run.stop == Stop.HORIZON
    halves = [3 - 2 * 0.5**n for n in range(5)]  # each bounce takes half as long as the last
    assert run.times("impact")[:5] == pytest.approx(halves, abs=1e-9)
    assert run.times("hit") == pytest.approx([1.0, 2.0], abs=1e-9)
    assert run.times("off") == pytest.approx([1.25, 2.25], abs=1e-9)
    assert run.final["ball.vx"] == pytest.approx(2 * 1.5 * 0.25, abs=1e-9)
    slow, fast = 0.375, 0.75
    x = slow * 0.25 / 2 + slow * 0.75 + (slow + fast) / 2 * 0.25
    assert run.times("far") == pytest.approx([2.25 + (1 - x) / fast], abs=1e-9)


def test_a_coupled_automaton_is_sent_and_set_like_any_other() -> None:
    model = parse_model(RACKET)
    made = pickle.loads(pickle.dumps(model.automaton({"hand.most": 1.0, "ball.y": 1.75})))
    run = simulate(made, until=1.0)
    assert run.times("impact")[0] == pytest.approx(0.5)
    assert len(run.times("hit")) == 1
    assert run.end.values[-3:].tolist()[1] == 1.0  # hits


def test_bodies_alone_are_as_before() -> None:
    model = parse_model("body b { sphere radius 1 mass 1 } parameter k = 1")
    assert isinstance(model.automaton({"k": 2.0}), RigidBodyAutomaton)
    assert model.described is None
    assert model.settable() == ()


def test_functions_are_written_out_everywhere() -> None:
    text = """
    function twice(x) = 2*x
    parameter k = twice(3)
    automaton a { real x = k  location l { x' = twice(x)/x } initial l
      edge l -> l { when x >= twice(5)  do x := twice(1) } }
    property p: always x <= twice(5)
    """
    run = simulate(parse_model(text).automaton(), until=3.0)
    assert [e.time for e in run.events] == pytest.approx([2.0])
    assert run.final["x"] == pytest.approx(4.0)


AB = "automaton a { real x location p { x' = 1 } initial p edge p -> p { EDGE } } "
EMPTY = AB.replace("EDGE", "")
BALL = "body b { sphere radius 1 mass 1 } body f { plane normal (0, 1, 0) position (0, -9, 0) } "
OFFER = BALL + "contact b f { offers hit ON } "
SENDS = AB.replace("EDGE", "sync hit!") + AB.replace("a {", "c {", 1).replace("EDGE", "sync hit?")
SENDS += "system a || c"
D = "discontinuous d { real x surface x above {} below {} initial stick } "
WRONG = [  # the text, the words that are pointed at, the message
    (EMPTY.replace("-> p", "-> q"), "q", "unknown location 'q'"),
    (AB.replace("EDGE", "when x"), "x", "expected a condition such as 'x > 0', found a number"),
    (AB.replace("EDGE", "when y > 1"), "y", "unknown name 'y'"),
    (AB.replace("EDGE", "do y := 1"), "y", "unknown variable 'y'"),
    (AB.replace("EDGE", "do x := 1, x := 2"), "x", "the assignment to 'x' is given twice"),
    (AB.replace("EDGE", "when x > 1 when x > 2"), "x > 2", "'when' is given twice"),
    (AB.replace("EDGE", "when sine(x) > 1"), "sine(x)", "unknown function 'sine'"),
    (AB.replace("EDGE", "priority x"), "priority", "a priority is a whole number"),
    (AB.replace("EDGE", "sync s!"), "s", "nobody receives 's'"),
    (AB.replace("EDGE", "").replace("'", ""), "=", "expected a rate"),
    (EMPTY + "property q: always a.x > 0", "a.x", "write 'x'"),
    (EMPTY + "property q: always x", "x", "expected a condition"),
    (EMPTY + "property q: always p", "p", "write 'a.p'"),
    (EMPTY + "property q: always a.q", "a.q", "has no variable or location 'q'; there are p"),
    (
        EMPTY + "system a property q: always a.y > 0",
        "a.y",
        "'a' has no variable or location 'y'; there are x, p",
    ),
    (EMPTY + "body b { sphere radius 1 mass 1 }", "a", "write 'system a'"),
    (EMPTY + "automaton b {location p initial p}", "b", "'system a || b'"),
    (EMPTY + "system a || c", "c", "unknown automaton 'c'"),
    (EMPTY + "system a || a", "a", "the instance 'a' is given twice"),
    (EMPTY + "system a(1)", "a", "'a' takes 0 arguments, not 1"),
    (EMPTY.replace("a {", "a(k) {"), "a", "'a' needs a value for 'k'"),
    (EMPTY.replace("a {", "a(k) {") + "system a(m = 1)", "a", "'a' needs a value for 'k'"),
    ("automaton a { location p }", "a", "'a' has no initial location; write 'initial p'"),
    ("automaton a { int n location p { n' = 1 } initial p }", "n", "'n' is an integer"),
    ("automaton a { real x, x location p initial p }", "x", "the name 'x' is given twice"),
    ("automaton a { real sin location p initial p }", "sin", "word of the language"),
    ("automaton a { location p location p initial p }", "p", "'p' is given twice"),
    ("automaton a { int n = 9 in [0, 3] location p initial p }", "a", "outside its range [0, 3]"),
    ("automaton a { bool b in [0, 1] location p initial p }", "b", "needs no range"),
    ("automaton a { real x = t location p initial p }", "t", "must be constant"),
    ("discontinuous d { real x surface x above {} initial stick }", "d", "has no 'below'"),
    (D + "system d(1)", "d", "takes no arguments"),
    (D + "automaton a { location p initial p } system a || d", "d", "with others of its kind only"),
    (D.replace("surface x", "surface x period x"), "x", "must be constant"),
    ("parameter k = 1 automaton a { real k location p initial p }", "k", "taken by a parameter"),
    (BALL + AB.replace("EDGE", "sync s?") + "system a", "s", "nobody sends 's'"),
    ("parameter k = 1", "p", "nothing moves in this model, for there is no body and no automaton"),
    (
        "body b { sphere radius 1 fixed }",
        "b",
        "nothing moves in this model, for all bodies are fix",
    ),
    (OFFER.replace("ON", "on tuoch"), "tuoch", "did you mean 'touch'?"),
    (OFFER.replace("ON", "") + "channel hit", "hit", "write 'channel hit { broadcast }'"),
    (OFFER.replace("ON", "") + SENDS, "hit", "offers 'hit' to all who listen"),
]


@pytest.mark.parametrize(("text", "words", "message"), WRONG)
def test_what_is_wrong_has_a_place(text: str, words: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_model(text, file="m.drbt")
    first = caught.value.problems[0]
    assert message in first.message
    assert first.span is not None
    assert text[first.span.column - 1 : first.span.end - 1] == words


def test_settings_that_cannot_be_are_refused() -> None:
    model = parse_model(THERMOSTAT)
    with pytest.raises(ModelError, match="cannot set 'T' to nan"):
        model.automaton({"T": math.nan})
    with pytest.raises(ModelError, match="cannot set 'hihg': unknown name"):
        model.automaton({"hihg": 1.0})


def test_a_model_is_loaded_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "m.drbt"
    path.write_text(THERMOSTAT, encoding="utf-8")
    assert load_model(path) == parse_model(THERMOSTAT)
    with pytest.raises(ModelError, match=r"missing\.drbt: cannot be read"):
        load_model(tmp_path / "missing.drbt")


TEXTS = [THERMOSTAT, TANKS, RACKET, *map(example_text, example_names()[:9])]
WORDS = re.findall(r"\S+", " ".join(TEXTS))


@pytest.mark.parametrize("seed", range(4))
def test_any_text_gives_a_model_or_an_error_with_places(seed: int) -> None:
    pick = random.Random(seed)
    outcomes = []
    for _ in range(60):
        words = re.findall(r"\s+|\w+|[^\w\s]", pick.choice(TEXTS))
        for _ in range(pick.choice([0, 1, 2, 5])):
            words[pick.randrange(len(words))] = pick.choice([*WORDS, "", "{", "}", "(", "'", "!"])
        text = "".join(words)
        try:
            parse_model(text)
            outcomes.append("model")
        except ModelError as error:
            lines = text.splitlines()
            for problem in error.problems:
                assert problem.span is not None, (problem, text)
                assert 1 <= problem.span.line <= max(1, len(lines))
            outcomes.append("error")
    assert {"model", "error"} == set(outcomes)


def test_a_symbol_is_no_constant_of_a_surface() -> None:
    model = parse_model("parameter w = 1 automaton a { real x = w location p initial p }")
    assert model.described is not None
    assert model.described.declared[0].start == Symbol("w")
