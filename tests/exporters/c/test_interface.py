"""The interface of an exported model, called as a program would: ``dyverse_model.h``."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from dyverse.exporters.c.model import Exported
from dyverse.exporters.c.quantities import GROUPS
from dyverse.text.examples import example_text
from tests.exporters.c.building import compile_c, in_c, shared, table, written
from tests.exporters.c.test_model import BLOCK, PENDULUM

OK, EVENT, ENDED, REFUSED = 0, 1, 2, 3


class Interface:
    """One model of a library."""

    def __init__(self, library: ctypes.CDLL, found: Exported) -> None:
        self._library, self._found = library, found
        library.dyverse_create.restype = ctypes.c_void_p
        library.dyverse_time.restype = library.dyverse_get.restype = ctypes.c_double
        library.dyverse_saved_size.restype = ctypes.c_size_t
        library.dyverse_message.restype = ctypes.c_char_p
        self._model = ctypes.c_void_p(library.dyverse_create())

    def call(self, name: str, *arguments: object) -> int:
        """What a function comes back with."""
        return int(getattr(self._library, f"dyverse_{name}")(self._model, *arguments))

    def numbers(self, name: str, count: int) -> list[float]:
        """What a function writes into an array."""
        out = (ctypes.c_double * count)()
        getattr(self._library, f"dyverse_{name}")(self._model, out)
        return list(out)

    @property
    def x(self) -> list[float]:
        """The state."""
        return self.numbers("state", len(self._found.states))

    @property
    def indicators(self) -> list[float]:
        """The signals that the caller watches."""
        return self.numbers("indicators", self._found.indicators)

    @property
    def time(self) -> float:
        """The time."""
        return float(self._library.dyverse_time(self._model))

    def value(self, setting: int) -> float:
        """A setting."""
        return float(self._library.dyverse_get(self._model, setting))

    def output(self, number: int) -> float:
        """One of the outputs."""
        told = ctypes.c_double()
        assert self.call("output", number, ctypes.byref(told)) == OK, self.message
        return told.value

    @property
    def message(self) -> str:
        """Why the last call failed."""
        return str(self._library.dyverse_message(self._model).decode())

    def advance(self, until: float) -> int:
        """Go on through all events."""
        return self.call("advance", ctypes.c_double(until))

    def save(self) -> bytes:
        """The run as bytes."""
        size = self._library.dyverse_saved_size(self._model)
        memory = ctypes.create_string_buffer(size)
        assert self.call("save", memory, ctypes.c_size_t(size)) == OK
        return memory.raw

    def restore(self, saved: bytes) -> int:
        """Go on from bytes."""
        return self.call("restore", saved, ctypes.c_size_t(len(saved)))


@pytest.fixture(scope="module")
def libraries(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, tuple[ctypes.CDLL, Exported]]:
    """Bodies, automata, and both, as libraries."""
    found = {}
    for name in ("bouncing-ball", "relay", "racket"):
        _, made = in_c(example_text(name), GROUPS)
        found[name] = (shared(made, tmp_path_factory.mktemp(name)), made)
    return found


Libraries = dict[str, tuple[ctypes.CDLL, Exported]]


@pytest.mark.parametrize("name", ["bouncing-ball", "relay", "racket"])
def test_a_saved_run_goes_on_elsewhere_to_the_last_bit(libraries: Libraries, name: str) -> None:
    library, made = libraries[name]
    first, other = Interface(library, made), Interface(library, made)
    assert first.call("begin", ctypes.c_double(0.0)) == OK
    assert first.advance(0.37 * made.horizon) == OK
    saved = first.save()
    assert first.advance(made.horizon) == OK
    assert other.restore(saved) == OK
    assert other.time == pytest.approx(0.37 * made.horizon)
    assert other.advance(made.horizon) == OK
    assert other.x == first.x
    assert first.restore(saved) == OK
    assert first.save() == saved


@pytest.mark.parametrize("name", ["bouncing-ball", "relay", "racket"])
def test_a_run_is_the_same_however_often_it_stops(libraries: Libraries, name: str) -> None:
    """Also if it is saved, and goes on elsewhere, at one of these times."""
    library, made = libraries[name]
    ends, saved, there = [], b"", []
    for parts in (1, 7, 333):
        model = Interface(library, made)
        assert model.call("begin", ctypes.c_double(0.0)) == OK
        for part in range(1, parts + 1):
            assert model.advance(made.horizon * part / parts) == OK
            assert model.time == made.horizon * part / parts
            if part == 100:
                saved, there = model.save(), model.x
        ends.append(model.x)
    model = Interface(library, made)
    assert model.restore(saved) == OK
    assert (model.time, model.x) == (made.horizon * 100 / 333, there)
    assert model.advance(made.horizon) == OK
    assert ends[0] == ends[1] == ends[2] == model.x


@pytest.mark.parametrize("name", ["bouncing-ball", "relay", "racket"])
def test_reading_rates_slopes_and_outputs_changes_nothing(libraries: Libraries, name: str) -> None:
    library, made = libraries[name]
    plain, watched = Interface(library, made), Interface(library, made)
    for model in (plain, watched):
        assert model.call("begin", ctypes.c_double(0.0)) == OK
    states, settings = len(made.states), len(made.settings)
    dx, ds, out = (_room(count) for count in (states, settings, states))
    dx[0] = 1.0
    for part in range(1, 41):
        assert watched.advance(made.horizon * part / 40) == OK
        seen = watched.x
        watched.numbers("derivatives", states)
        watched.call("slopes", dx, ds, out)
        for i in range(len(made.outputs)):
            watched.output(i)
            watched.call("output_slope", i, dx, ds, out)
        assert (watched.time, watched.x) == (made.horizon * part / 40, seen)
    assert plain.advance(made.horizon) == OK
    assert watched.x == plain.x


def _room(count: int) -> ctypes.Array[ctypes.c_double]:
    return (ctypes.c_double * count)()


def test_indicators_change_nothing_but_where_steps_end(libraries: Libraries) -> None:
    library, made = libraries["racket"]
    plain, watched = Interface(library, made), Interface(library, made)
    for model in (plain, watched):
        assert model.call("begin", ctypes.c_double(0.0)) == OK
    for part in range(1, 41):
        assert watched.advance(made.horizon * part / 40) == OK
        seen = watched.x
        assert min(watched.indicators) > 0
        assert watched.x == seen
    assert plain.advance(made.horizon) == OK
    assert watched.x == pytest.approx(plain.x, abs=1e-8)


SWITCHED = """
input u
automaton lamp {
  real x
  location off { x' = 0 }
  location on { x' = 1 }
  initial off
  edge off -> on { when u >= 1 }
}
"""


def test_what_is_fed_is_noticed_at_once_also_if_outputs_are_read(tmp_path: Path) -> None:
    _, made = in_c(SWITCHED, ("counts",))
    model, value = Interface(shared(made, tmp_path), made), ctypes.c_double()
    port = [setting.name for setting in made.settings].index("u")
    assert model.call("begin", ctypes.c_double(0.0)) == OK
    assert model.advance(1.0) == OK
    assert model.call("set", port, ctypes.c_double(2.0)) == OK
    assert model.call("output", len(made.states), ctypes.byref(value)) == OK
    assert value.value == 0  # events
    assert model.advance(3.0) == OK
    assert model.x == pytest.approx([2.0], abs=1e-9)


@pytest.mark.parametrize("text", [BLOCK, PENDULUM], ids=["block", "pendulum"])
def test_what_was_in_the_callers_memory_does_not_matter(text: str, tmp_path: Path) -> None:
    _, made = in_c(text)
    model = Interface(shared(made, tmp_path), made)
    assert model.call("begin", ctypes.c_double(0.0)) == OK
    nan = [float("nan")] * len(made.states)
    rates = (ctypes.c_double * len(nan))(*nan)
    assert model.call("derivatives", rates) == OK, model.message
    assert list(rates) == model.numbers("derivatives", len(nan))


def test_damaged_and_foreign_runs_are_refused(libraries: Libraries) -> None:
    ball, relay = (Interface(*libraries[name]) for name in ("bouncing-ball", "relay"))
    ball.call("begin", ctypes.c_double(0.0))
    saved, before = ball.save(), ball.x
    for place in range(0, len(saved), 7):
        damaged = saved[:place] + bytes([saved[place] ^ 1]) + saved[place + 1 :]
        assert ball.restore(damaged) == REFUSED
    assert ball.restore(saved[:-1]) == REFUSED
    assert relay.restore(saved) == REFUSED
    assert ball.x == before


@pytest.mark.parametrize("name", ["bouncing-ball", "racket"])
def test_indicators_are_positive_after_every_event(libraries: Libraries, name: str) -> None:
    """A caller with the midpoint rule, who looks at signs alone and does not locate anything."""
    library, made = libraries[name]
    model, changed = Interface(library, made), ctypes.c_int()
    assert model.call("begin", ctypes.c_double(0.0)) == OK
    count, step, updates = len(made.states), made.horizon / 3000, 0
    for number in range(1, 800):
        time, x = model.time, model.x
        rates = model.numbers("derivatives", count)
        middle = [a + step / 2 * f for a, f in zip(x, rates, strict=True)]
        model.call("put", ctypes.c_double(time + step / 2), (ctypes.c_double * count)(*middle))
        rates = model.numbers("derivatives", count)
        after = [a + step * f for a, f in zip(x, rates, strict=True)]
        model.call("put", ctypes.c_double(number * step), (ctypes.c_double * count)(*after))
        if min(model.indicators) <= 0:
            assert model.call("update", ctypes.byref(changed)) == OK, model.message
            updates += 1
            assert min(model.indicators) > 0
    assert updates > 0


def test_a_stiff_model_ends_with_a_reason_not_never(tmp_path: Path) -> None:
    text = "automaton a { real x = 1  location on { x' = -1e12*(x - cos(t)) } initial on }"
    sources = written(in_c(text)[1], tmp_path)
    (sources / "hurry.c").write_text('#define DM_STEPS 1000\n#include "unit.c"\n')
    answer = compile_c(sources, ["hurry.c", "runtime/model/main.c"], "run")
    assert answer.returncode == 0, answer.stderr
    made = table(sources / "run", "1")
    assert made.code == 1
    assert "too many steps" in made.said


def test_calls_at_the_wrong_time_are_refused(libraries: Libraries) -> None:
    library, made = libraries["bouncing-ball"]
    model = Interface(library, made)
    nothing = (ctypes.c_double * len(made.states))()
    assert model.advance(1.0) == REFUSED
    assert model.call("derivatives", nothing) == REFUSED
    assert model.call("set", 99, ctypes.c_double(1.0)) == REFUSED
    assert model.call("begin", ctypes.c_double(float("nan"))) == REFUSED
    assert model.call("begin", ctypes.c_double(0.0)) == OK
    assert model.call("begin", ctypes.c_double(0.0)) == REFUSED
    assert model.call("set_start", 0, ctypes.c_double(1.0)) == REFUSED
    names = [setting.name for setting in made.settings]
    assert model.call("set", names.index("drop"), ctypes.c_double(3.0)) == REFUSED
    assert "once a run has begun" in model.message
    assert model.call("set", names.index("e"), ctypes.c_double(0.5)) == OK
    assert model.call("set", names.index("e"), ctypes.c_double(5.0)) == REFUSED
    assert model.advance(-1.0) == REFUSED
    bad = (ctypes.c_double * len(made.states))(float("inf"))
    assert model.call("put", ctypes.c_double(0.0), bad) == REFUSED
    assert model.advance(3.0) == OK


@pytest.mark.long
def test_two_runs_in_two_threads_do_not_disturb_each_other(tmp_path: Path) -> None:
    sources = written(in_c(example_text("racket"))[1], tmp_path)
    shutil.copy(Path(__file__).with_name("threads.c"), sources)
    flags = ("-std=c99", "-O0", "-g", "-I.", "-fsanitize=thread", "-pthread")
    answer = compile_c(sources, ["unit.c", "threads.c"], "threads", flags)
    if answer.returncode != 0:
        pytest.skip("this compiler cannot watch threads")
    made = subprocess.run([sources / "threads"], capture_output=True, text=True, check=False)
    if "unexpected memory mapping" in made.stderr:
        pytest.skip("this kernel lets no one watch threads")
    assert made.stdout == "the same\n", made.stderr
    assert made.returncode == 0
