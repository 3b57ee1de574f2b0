"""Engines that are used again: nothing of one run is left in the next."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

from dyverse.automaton.run import Stop
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.tolerances import Tolerances
from dyverse.native.engine import Options, prepared, simulate_native
from dyverse.native.idle import Idle
from dyverse.native.model import native_model
from dyverse.native.running import Code
from tests import scenes
from tests.native.test_engine import rubbing_spheres
from tests.native.test_record import all_of


def test_an_engine_is_given_to_one_at_a_time() -> None:
    idle: Idle[str, int] = Idle(3)
    idle.put("a", 1)
    assert idle.take("b") is None
    assert idle.take("a") == 1
    assert idle.take("a") is None


def test_only_the_last_ones_are_kept() -> None:
    idle: Idle[str, int] = Idle(2)
    for number, key in enumerate("abc"):
        idle.put(key, number)
    assert [idle.take(key) for key in "abc"] == [None, 1, 2]


def fresh(automaton: RigidBodyAutomaton, until: float) -> list[float]:
    """The final state by an engine that was never used before."""
    model = native_model(automaton.world, automaton.scene)
    engine = prepared(model, automaton, automaton.start(), Options())
    code = Code.PAUSED
    while code is Code.PAUSED:
        code = engine.run(until)
    return list(engine.x.tolist())


def test_runs_with_other_numbers_do_not_disturb_one_another() -> None:
    model = scenes.three_balls()
    for k in (1.0, 1.5, 1.0, 1.25):
        automaton = generate(model, {"k": k})
        for until in (0.75, 0.3, 0.75):
            assert simulate_native(automaton, until=until).end.values.tolist() == fresh(
                automaton, until
            )


def test_a_run_that_ended_badly_leaves_nothing_behind() -> None:
    automaton = generate(rubbing_spheres())
    good = all_of(simulate_native(automaton, until=2))
    halfway = Options(progress=lambda time, events: time < 0.7)
    for options in (Options(max_events=1), Options(max_jumps=1), halfway):
        assert simulate_native(automaton, until=2, options=options).stop is not Stop.HORIZON
        assert all_of(simulate_native(automaton, until=2)) == good


def test_every_option_and_tolerance_has_its_own_engine() -> None:
    model, counts = scenes.drop(), []
    for options in (
        Options(),
        Options(samples=3),
        Options(max_events=2),
        Options(longest_step=0.1),
    ):
        run = simulate_native(generate(model), until=6, options=options)
        counts.append((run.stop, len(run.events), sum(len(arc.times) for arc in run.arcs)))
    assert len(set(counts)) == 4
    rough = generate(model, tolerances=Tolerances(rest=1e-2))
    fine = simulate_native(generate(model), until=25).times("impact")
    assert len(simulate_native(rough, until=25).times("impact")) < len(fine)


def test_an_engine_is_not_used_twice_at_once() -> None:
    """The run inside a run has an engine of its own."""
    automaton = generate(rubbing_spheres())
    alone, inside = all_of(simulate_native(automaton, until=1)), []

    def look(time: float, events: int) -> bool:
        inside.append(simulate_native(automaton, until=1))
        return True

    watched = simulate_native(automaton, until=1, options=Options(progress=look))
    assert all_of(watched) == alone
    assert len(inside) > 2
    assert all(all_of(run) == alone for run in inside)


def test_threads_do_not_share_engines() -> None:
    automaton = generate(scenes.three_balls(), {"k": 1.5})
    alone = all_of(simulate_native(automaton, until=0.75))
    with ThreadPoolExecutor(6) as pool:
        runs = list(pool.map(lambda _: simulate_native(automaton, until=0.75), range(60)))
    assert all(all_of(run) == alone for run in runs)


def test_an_automaton_that_nobody_needs_is_forgotten() -> None:
    automaton = generate(scenes.drop())
    simulate_native(automaton, until=1)
    seen = weakref.ref(automaton)
    del automaton
    gc.collect()
    assert seen() is None
