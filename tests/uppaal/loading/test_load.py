"""UPPAAL files as networks: each model does what its author says, checked by other means."""

import math
import pickle
from functools import cache
from pathlib import Path

import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.errors import ModelError
from dyverse.simulation.choice import Seeded
from dyverse.simulation.simulate import Options, simulate
from dyverse.uppaal.loading.load import load_uppaal
from tests.uppaal.sample_models import ALL, model, process, written


@cache
def run_of(name: str, until: float = 20.0) -> Run:
    return simulate(model(name).network, until=until)


def final(name: str, until: float = 20.0) -> dict[str, float]:
    return run_of(name, until).final


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_every_model_runs_the_same_again_and_in_another_process(path: Path) -> None:
    network = load_uppaal(path).network
    options = Options(max_events=12)
    first = simulate(network, until=5.0, options=options)
    again = simulate(pickle.loads(pickle.dumps(network)), until=5.0, options=options)
    assert [(e.time, e.kind) for e in first.events] == [(e.time, e.kind) for e in again.events]
    assert first.final == again.final


def test_a_lamp_pressed_after_1_4_6_and_13() -> None:
    """The second press, 3 after the first, makes it bright; the fourth finds it off."""
    run = run_of("lamp.xml")
    assert run.times("press") == pytest.approx([1, 4, 6, 13])
    assert [event.target[0] for event in run.events] == ["low", "bright", "off", "low"]  # type: ignore[index]


@pytest.mark.parametrize("seed", range(5))
def test_only_one_process_of_fischer_is_critical(seed: int) -> None:
    options = Options(choice=Seeded(seed), max_events=120)
    run = simulate(model("fischer.xta").network, until=200.0, options=options)
    places = [event.target for event in run.events]
    assert len(places) > 50
    assert any("critical" in place for place in places)  # type: ignore[operator]
    assert all(list(place).count("critical") <= 1 for place in places)  # type: ignore[call-overload]


@pytest.mark.parametrize("seed", range(3))
def test_trains_cross_the_bridge_one_by_one_in_the_order_they_came(seed: int) -> None:
    """The first needs 10 + 3, each other one 7 + 3 once it may go: 14, 24, 34."""
    network = model("train_gate.xml").network
    run = simulate(network, until=60.0, options=Options(choice=Seeded(seed)))
    left = [(event.kind, event.time) for event in run.events if event.kind.startswith("leave")]
    assert [name for name, _ in left] == ["leave[0]", "leave[1]", "leave[2]"]
    assert [time for _, time in left] == pytest.approx([14, 24, 34])
    crossing = [list(event.target).count("Cross") for event in run.events]  # type: ignore[call-overload]
    assert max(crossing) == 1
    assert run.final["crossed"] == 3
    assert run.final["Gate.len"] == 0


def test_people_cross_with_one_torch() -> None:
    run = run_of("bridge.xta", until=40.0)
    sides = [event.kind for event in run.events]
    assert sides.count("take") >= sides.count("release") > 0
    assert run.stop == Stop.HORIZON


def test_a_ball_bounces_at_its_closed_form_times() -> None:
    """h = 10, g = 9.81, e = 0.8: impacts at t₁(1 + 2Σeⁱ), t₁ = √(2h/g)."""
    first = math.sqrt(2 * 10 / 9.81)
    expected = [first * (1 + 2 * sum(0.8**i for i in range(1, n + 1))) for n in range(5)]
    run = run_of("bouncing_ball.xml", until=8.0)
    assert run.times("bounce") == pytest.approx(expected[:4], abs=1e-9)
    assert run.final["Observer.longest"] == pytest.approx(2 * 0.8 * first, abs=1e-9)


def test_in_ticks_a_ball_runs_past_the_point_where_bounces_pile_up() -> None:
    """They pile up at t₁(1 + e)/(1 - e) = 12.85 s."""
    end = math.sqrt(2 * 10 / 9.81) * 1.8 / 0.2
    run = simulate(model("bouncing_ball.xml").network, until=14.0, options=Options(tick=0.02))
    assert run.stop == Stop.HORIZON
    assert run.end.time == pytest.approx(14.0)
    assert run.end.time > end
    assert abs(run.final["p"]) < 0.1
    assert abs(run.final["v"]) < 0.3


def test_a_ball_with_a_place_to_rest_runs_past_it_exactly() -> None:
    """After n bounces the speed is eⁿ √(2gh); it rests as soon as that is below 1e-3."""
    speed, bounces = math.sqrt(2 * 9.81 * 10), 0
    while speed > 1e-3:
        speed, bounces = 0.8 * speed, bounces + 1
    run = run_of("zeno_rest.xta")
    assert run.stop == Stop.HORIZON
    assert run.final["bounces"] == bounces
    assert (run.final["y"], run.final["v"]) == (0, 0)


def test_a_thermostat_switches_at_its_closed_form_times() -> None:
    """θ' = -θ/10 from 20 to 18, then θ' = 5 - θ/10 from 18 to 22."""
    cool, heat, down = 10 * math.log(20 / 18), 10 * math.log(32 / 28), 10 * math.log(22 / 18)
    run = run_of("thermostat.xta")
    times = [event.time for event in run.events]
    assert times[:4] == pytest.approx(
        [cool, cool + heat, cool + heat + down, cool + 2 * heat + down], abs=1e-8
    )
    assert run.final["switches"] == len(times)


def test_the_sender_assigns_first_and_the_receiver_sees_it() -> None:
    assert final("handshake.xta") == {"parcel": 7, "got": 8, "order": 12}


def test_listeners_of_a_broadcast_assign_in_the_order_of_the_system() -> None:
    """19 ticks before 20: count is 10 · 19 by the sender, then 1 and 3 by those who hear."""
    found = final("broadcast.xta", until=19.5)
    assert (found["count"], found["last"], found["Sender.sent"]) == (194, 2, 19)


@pytest.mark.parametrize("seed", range(6))
def test_nobody_comes_between_the_steps_of_a_committed_location(seed: int) -> None:
    network = model("committed.xta").network
    run = simulate(network, until=3.0, options=Options(choice=Seeded(seed)))
    trace = [int(run.final[f"trace[{i}]"]) for i in range(3)]
    assert trace in ([1, 2, 3], [3, 1, 2])


def test_functions_compute_what_python_computes() -> None:
    found = final("functions.xta")
    numbers = [31, 4, 15, 92, 65, 35]
    assert [found[f"a[{i}]"] for i in range(6)] == sorted(numbers)
    assert found["g"] == math.gcd(48, 36)
    assert found["big"] == max(numbers)
    assert found["mean"] == pytest.approx(sum(numbers) / 6)
    assert found["steps"] == 2  # 48 mod 36 = 12, 36 mod 12 = 0


def test_integers_divide_towards_zero_and_reals_do_not() -> None:
    found = final("doubles.xta")
    assert found["r"] == pytest.approx(math.sqrt(2))
    assert (found["s"], found["q"], found["m"]) == (3.5, int(-7 / 2), math.fmod(-7, 2))
    assert found["bits"] == (5 << 1 | 1) ^ 2
    assert found["least"] == max(min(3, 8), 2)


def test_a_select_offers_each_value_that_its_guard_allows() -> None:
    found = model("select.xml").network
    pairs = [(i, j) for i in range(1, 6) for j in range(6)]
    assert len(found.components[0].edges) <= len(pairs)
    run = simulate(found, until=30.5, options=Options(choice=Seeded(1)))
    assert run.final["rounds"] == 30
    assert run.final["a"] + run.final["b"] == 6


def test_records_are_copied_field_by_field() -> None:
    found = final("struct.xml")
    assert found["total"] == 3
    assert (found["both.first.amount"], found["both.first.paid"]) == (4, 1)
    assert (found["both.tags[0]"], found["both.tags[1]"]) == (8, 3)


def test_templates_with_open_parameters_stand_for_one_process_per_value() -> None:
    network = model("partial.xml").network
    assert [c.name for c in network.components] == ["Upper(0)", "Upper(1)", "Upper(2)", "Lower"]
    found = final("partial.xml")
    rows = [[found[f"sums[{i}][{j}]"] for j in range(3)] for i in range(2)]
    assert rows == [[0, 0, 30], [100, 200, 300]]


def test_clocks_and_integers_with_variable_indices() -> None:
    """Picks at 2, 5, 7, 10, … : each waits 2 + turn on a clock that the other has reset."""
    run = run_of("matrix.xml", until=11.0)
    assert [event.time for event in run.events] == pytest.approx([2, 5, 7, 10])
    assert run.final["picked"] == 1 - 2 + 3 - 1


def test_parameters_by_reference_are_the_same_clocks_and_channels() -> None:
    run = run_of("references.xta", until=12.5)
    assert (run.final["hits[0]"], run.final["hits[1]"]) == (6, 4)
    assert run.times("go[1]") == pytest.approx([3, 6, 9, 12])


def test_a_disjunction_over_clocks_opens_with_its_first_part() -> None:
    run = run_of("disjunction.xta", until=8.0)
    assert [event.time for event in run.events] == pytest.approx([3, 5, 7, 7])


def test_the_highest_priority_goes_first() -> None:
    assert final("priorities.xta")["order"] == 321


def test_old_files_mean_what_they_meant() -> None:
    run = run_of("old.xta")
    assert run.final["n"] == 6
    assert run.stop == Stop.TIMELOCK  # y <= 9 ends time


def test_a_stopwatch_stands_still_while_paused() -> None:
    assert final("stopwatch.xta", until=13.0)["work"] == pytest.approx(3 + 3 + 3)


def test_an_urgent_location_takes_no_time() -> None:
    found = final("urgent.xta")
    assert found["when"] == pytest.approx(3)


def test_scalar_sets_and_records_in_arrays() -> None:
    found = final("scalars.xta")
    assert sum(found[f"guests[{i}].here"] for i in range(3)) == 1
    assert found["seen"] == 1


def test_a_variable_that_leaves_its_range_ends_the_run() -> None:
    run = run_of("range.xta")
    assert run.stop == Stop.FAULT
    assert "n := 4 leaves its range [0, 3]" in run.message
    assert run.end.time == pytest.approx(4)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("while (true) { n = n; }", "an endless loop"),
        ("n = 1 / (n - n);", "is divided by 0"),
        ("a[n + 5] = 1;", r"a\[5\] is outside of its indices 0 … 2"),
        ("small = 9;", r"small := 9 leaves its range \[0, 3\]"),
        ("assert n == 1;", "assert n == 1 does not hold"),
        ("n = n << 99;", "cannot be shifted by 99"),
        ("d = ln(0.0);", "ln"),
    ],
)
def test_code_that_fails_ends_the_run_with_a_sentence(code: str, message: str) -> None:
    declarations = f"int n, a[3]; int[0, 3] small; double d; void f() {{ {code} }}"
    text = process(declarations, "state s, e; init s; trans s -> e { assign f(); };")
    run = simulate(written(text).network, until=1.0)
    assert run.stop == Stop.FAULT
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(run.message)


def test_starting_values_are_set_by_name() -> None:
    found = model("zeno_rest.xta")
    run = simulate(found.automaton({"y": 5.0}), until=1.2)
    assert run.times("bounce") == pytest.approx([math.sqrt(2 * 5 / 9.81)], abs=1e-9)
    with pytest.raises(ModelError, match="unknown variable 'yy'; did you mean 'y'"):
        found.automaton({"yy": 1.0})


def test_a_variable_called_t_is_not_the_time() -> None:
    text = process("clock t = 5; int pi;", "state a, b; init a; trans a -> b { guard t >= 6; };")
    run = simulate(written(text).network, until=3.0)
    assert [event.time for event in run.events] == pytest.approx([1])
    assert run.final["t_"] == pytest.approx(8)


def test_what_plays_no_part_in_a_run_is_noted() -> None:
    notes = [note.message for note in model("drawn.xml").notes]
    assert notes == [
        "a run leaves at once; the exponential rate is not used",
        "1 queries are kept but not answered",
    ]


MANY_TRAINS = """
const int N = 400;
typedef int[0, N - 1] id_t;
chan appr[N], leave[N], stop[N];
urgent chan go[N];
process Train(const id_t id) {
    clock x;
    state Safe, Appr { x <= 20 }, Stop, Start { x <= 15 }, Cross { x <= 5 };
    init Safe;
    trans Safe -> Appr { sync appr[id]!; assign x = 0; },
        Appr -> Cross { guard x >= 10; assign x = 0; },
        Appr -> Stop { guard x <= 10; sync stop[id]?; },
        Stop -> Start { sync go[id]?; assign x = 0; },
        Start -> Cross { guard x >= 7; assign x = 0; },
        Cross -> Safe { guard x >= 3; sync leave[id]!; };
}
process Gate() {
    id_t list[N + 1]; int[0, N] len;
    void enqueue(id_t e) { list[len++] = e; }
    void dequeue() {
        int i = 0;
        len -= 1;
        while (i < len) { list[i] = list[i + 1]; i++; }
        list[i] = 0;
    }
    id_t front() { return list[0]; }
    id_t tail() { return list[len - 1]; }
    state Free, Occ, Full; commit Full; init Free;
    trans Free -> Occ { guard len > 0; sync go[front()]!; },
        Free -> Occ { select e : id_t; guard len == 0; sync appr[e]?; assign enqueue(e); },
        Occ -> Full { select e : id_t; sync appr[e]?; assign enqueue(e); },
        Full -> Occ { sync stop[tail()]!; },
        Occ -> Free { select e : id_t; guard e == front(); sync leave[e]?; assign dequeue(); };
}
system Train, Gate;
"""


def test_many_trains_come_to_one_gate() -> None:
    """All approach at once, all but the first are stopped, and one after the other crosses."""
    network = written(MANY_TRAINS).network
    run = simulate(network, until=25.0, options=Options(solver="native"))
    assert run.stop is Stop.HORIZON
    first = [event for event in run.events if event.time == 0]
    assert len(first) == 400 + 399
    assert [e.time for e in run.events if e.kind.startswith("leave")] == [13.0, 23.0]
    assert run.final["Gate.len"] == 400  # who has left comes back at once
