"""The stage hears requests and tells everyone; no sockets here."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyverse.animation.describing import telling
from dyverse.animation.playable import Playable
from dyverse.animation.replays.replay import SLOT
from dyverse.animation.serving import built
from dyverse.animation.show import Show
from dyverse.animation.stage import Stage
from dyverse.automaton.run import Run
from dyverse.errors import ModelError, Problem
from dyverse.generation.model import parse_model
from dyverse.native.errors import NativeError
from dyverse.simulation.simulate import ENGINES, Options
from dyverse.text.examples import example_names
from dyverse.text.file import model_file_text
from tests.animation.plays import BALL, NATIVE, Watch, ball, example
from tests.session.test_hands import TWO, bell

Message = dict[str, Any]  # as JSON has it


def opened(request: Mapping[str, Any]) -> Playable:
    if "example" in request:
        return example(request["example"])
    name, text = request.get("name", "text"), request["text"]
    return Playable(name=name, model=parse_model(text), text=text)


class Page:
    """A page that has come to a stage."""

    def __init__(self, stage: Stage, number: int = 1) -> None:
        self.stage, self.number, self.count = stage, number, 0
        stage.join(number)

    def ask(self, do: str, **more: object) -> Message:
        """The answer to a request."""
        self.count += 1
        self.stage.said.clear()
        self.stage.hear(self.number, {"v": 1, "id": self.count, "do": do, **more})
        return next(said for said in self.said() if said.get("re") == self.count)

    def said(self) -> list[Message]:
        """What was told to this page."""
        texts = [s.data for s in self.stage.said if self.number in s.to]
        return [json.loads(text) for text in texts if isinstance(text, str)]

    def last(self, say: str) -> Message:
        return [said for said in self.said() if said.get("say") == say][-1]

    def frames(self) -> list[bytes]:
        found = [s.data for s in self.stage.said if self.number in s.to and s.frame]
        return [data for data in found if isinstance(data, bytes)]


def staged(play: Playable | None = None, options: Options = NATIVE) -> tuple[Stage, Page, Watch]:
    watch = Watch()
    stage = Stage(opened, options, clock=watch)
    stage.begin(play or ball())
    return stage, Page(stage), watch


def test_who_comes_is_told_everything_in_order() -> None:
    _, page, _ = staged()
    told = [said["say"] for said in page.said()]
    assert told[-5:] == ["model", "cut", "events", "lanes", "status"]
    assert len(page.frames()) == 1
    model = page.last("model")
    assert model["title"] == "A ball that spins and bounces"
    assert model["plane"] == "xy"
    assert model["bodies"][0]["shape"] == {"kind": "sphere", "radius": 0.1}
    assert model["bodies"][0]["orientation"] == [1, 0, 0, 0]
    assert model["parameters"] == [
        {"name": "e", "value": 0.8, "limits": [0.0, 1.0], "unit": "", "about": ""}
    ]
    assert [item["name"] for item in model["inputs"]] == ["wind"]
    assert {"name": "ball.vx", "value": 0.0, "limits": None, "unit": "m/s"} in model["starts"]
    assert {"name": "gap[ball,floor]", "unit": "m"} in model["signals"]


def test_what_another_engine_runs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> Run:
        raise NativeError("there is no compiler")

    monkeypatch.setitem(ENGINES, "native", missing)
    _, page, _ = staged()
    assert page.last("model")["notes"] == [
        "there is no compiler; the reference engine runs instead"
    ]


def test_an_empty_stage_says_so() -> None:
    stage = Stage(opened, NATIVE)
    page = Page(stage)
    assert page.last("status")["state"] == "empty"
    answer = page.ask("play")
    assert not answer["ok"]
    assert "no model" in answer["problems"][0]["message"]
    assert page.ask("open", example="thermostat")["ok"]
    assert page.last("model")["name"] == "thermostat"


def test_frames_have_what_was_asked_for() -> None:
    stage, page, watch = staged()
    assert page.ask("subscribe", signals=["ball.vy", "energy", "nothing"])["ok"]
    page.ask("play")
    stage.said.clear()
    for _ in range(30):
        watch.now += 1 / 60
        stage.beat()
    assert 25 <= len(page.frames()) <= 31
    data = page.frames()[-1]
    kind, flags, count, _, time = struct.unpack_from("<BBHId", data)
    assert (kind, flags, count) == (1, 0, 3)
    assert time == pytest.approx(0.5, abs=0.02)
    numbers = np.frombuffer(data, "<f4", offset=16)
    assert len(numbers) == 7 + 3
    assert np.isnan(numbers[-1])


def test_the_last_frame_after_a_pause_or_a_jump_arrives() -> None:
    stage, page, watch = staged()
    page.ask("play")
    for _ in range(30):
        watch.now += 1 / 60
        stage.beat()
    page.ask("pause")
    page.ask("seek", time=0.2)
    watch.now += 0.02
    stage.beat()
    _, flags, _, _, time = struct.unpack_from("<BBHId", page.frames()[-1])
    assert (flags, time) == (1, 0.2)
    assert page.last("status")["state"] == "past"


def test_history_answers_with_numbers_under_the_same_id() -> None:
    stage, page, _ = staged()
    page.ask("ticks", n=30)
    stage.said.clear()
    stage.hear(
        1, {"id": 99, "do": "history", "signals": ["ball.y"], "from": 0, "to": 1, "pixels": 80}
    )
    data = next(s.data for s in stage.said if isinstance(s.data, bytes))
    kind, flags, count, request, rows = struct.unpack_from("<BBHII", data)
    assert (kind, flags, count, request) == (2, 0, 1, 99)
    assert 10 < rows <= 82


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"do": "dance"}, "nothing is known of 'dance'"),
        ({"do": "seek", "time": "now"}, "'time' must"),
        ({"do": "seek", "time": float("nan")}, "'time' must"),
        ({"do": "subscribe", "signals": [1]}, "'signals' must be a list of names"),
        ({"do": "find", "text": 7, "limit": 3}, "'text' must be text"),
        ({}, "nothing is known of None"),
    ],
)
def test_what_makes_no_sense_is_refused(request_: Message, message: str) -> None:
    _, page, _ = staged()
    do = request_.pop("do", None)
    answer = page.ask(do, **request_)
    assert not answer["ok"]
    assert message in answer["problems"][0]["message"]


def test_a_wrong_text_keeps_the_model_that_was_open() -> None:
    stage, page, _ = staged()
    answer = page.ask("open", text="body ball { spere radius 1 }")
    assert not answer["ok"]
    (problem,) = answer["problems"]
    assert (problem["line"], problem["column"], problem["length"]) == (1, 13, 5)
    assert stage.show is not None
    assert stage.show.play_of.name == "ball.drbt"
    assert page.ask("open", text="body ball { sphere radius 1  mass 1 }")["ok"]
    assert stage.show.play_of.text.startswith("body ball")


def test_what_is_wrong_with_the_first_model_is_told_to_those_who_come() -> None:
    stage = Stage(opened, NATIVE)
    wrong = Playable(name="x", model=ball().model, settings={"nonsense": 1.0})
    stage.begin(wrong)
    page = Page(stage)
    assert "nonsense" in page.last("note")["text"]


def test_signals_are_found_by_words() -> None:
    _, page, _ = staged()
    found = page.ask("find", text="SPEED floor", limit=5)["signals"]
    assert [item["name"] for item in found] == [
        "normal_speed[ball,floor]",
        "slip_speed[ball,floor]",
    ]
    assert found[0]["unit"] == "m/s"


def test_two_pages_see_the_same_run_with_signals_of_their_own() -> None:
    stage, one, watch = staged()
    two = Page(stage, 2)
    one.ask("subscribe", signals=["ball.y"])
    two.ask("subscribe", signals=[])
    one.ask("play")
    stage.said.clear()
    watch.now += 0.1
    stage.beat()
    sizes = [len(page.frames()[-1]) for page in (one, two)]
    assert sizes == [16 + 4 * 8, 16 + 4 * 7]
    stage.leave(1)
    stage.said.clear()
    watch.now += 0.1
    stage.beat()
    assert one.frames() == []
    assert two.frames()


def test_an_error_on_the_way_pauses_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    stage, page, watch = staged()
    page.ask("play")

    def fail() -> bool:
        raise ModelError([Problem("it broke")])

    assert stage.show is not None
    monkeypatch.setattr(stage.show, "beat", fail)
    watch.now += 0.1
    stage.beat()
    status = page.last("status")
    assert (status["state"], status["playing"]) == ("error", False)
    assert "it broke" in status["why"]
    assert page.ask("pause")["ok"]


# The clock stands still, so that looking ahead has all the time that it wants: here up to a minute.
SLOW = (
    "automatic-transmission",
    "compass-walker",
    "conveyor",
    "eulers-disc",
    "four-bar",
    "rattleback",
    "slider-crank",
    "steam-condenser",
    "tippe-top",
    "wind-turbine",
    "woodpecker",
)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.long) if n in SLOW else n for n in example_names()],
)
def test_every_example_can_be_played(name: str) -> None:
    stage, page, watch = staged(example(name))
    model = page.last("model")
    json.dumps(model, allow_nan=False)
    page.ask("subscribe", signals=[item["name"] for item in model["signals"][:30]])
    page.ask("play")
    for _ in range(20):
        watch.now += 1 / 30
        stage.beat()
    assert stage.show is not None
    assert stage.show.time >= 0.3
    assert page.frames()
    page.ask("seek", time=0.1)
    assert page.ask("ticks", n=1)["ok"]


def test_a_slider_branches_the_run_and_first_goes_back() -> None:
    stage, page, _ = staged()
    page.ask("ticks", n=60)
    page.ask("seek", time=0.2)
    assert page.ask("set", values={"e": 0.1})["ok"]
    assert page.last("cut")["ghost"]
    status = page.last("status")
    assert status["fork"] == {"at": 0.2, "name": "e", "from": 0.8, "to": 0.1}
    assert status["settings"] == {"e": 0.1}
    assert status["live"] == 0.2
    page.ask("first")
    assert page.last("cut") == {"v": 1, "say": "cut", "at": -1.0, "ghost": False}
    assert page.last("status")["live"] == pytest.approx(1.0)
    refused = page.ask("set", values={"e": 7.0})
    assert not refused["ok"]
    assert page.ask("set", values={"ball.y": 3.0}, at=0)["ok"]
    assert stage.show is not None
    assert stage.show.values(("ball.y",))[0] == 3.0


def test_a_body_of_several_parts_says_where_they_are() -> None:
    text = """
    body bell {
      part a { sphere radius 0.1  at (0, 0.5, 0) }
      part b { box size (0.2, 0.3, 0.4)  at (0, -0.5, 0) }
      mass 1  inertia (1, 1, 1)
    }
    """
    _, page, _ = staged(Playable(name="bell", model=parse_model(text), text=text), Options())
    (body,) = model_of(page)["bodies"]
    assert body["shape"] == {
        "kind": "part",
        "parts": [
            {"shape": {"kind": "sphere", "radius": 0.1}, "at": [0, 0.5, 0]},
            {"shape": {"kind": "box", "size": [0.2, 0.3, 0.4]}, "at": [0, -0.5, 0]},
        ],
    }


def test_a_polyhedron_is_drawn_by_its_triangles() -> None:
    text = "body tent { polyhedron vertices (-3, -1, -1) (-3, -1, 1) (1, -1, 0) (5, 3, 0)  mass 1 }"
    _, page, _ = staged(Playable(name="tent", model=parse_model(text), text=text), Options())
    (body,) = model_of(page)["bodies"]
    assert body["shape"]["kind"] == "mesh"
    assert body["shape"]["vertices"] == [[-3, -1, -1], [-3, -1, 1], [1, -1, 0], [5, 3, 0]]
    assert sorted(map(sorted, body["shape"]["faces"])) == [
        [0, 1, 2],
        [0, 1, 3],
        [0, 2, 3],
        [1, 2, 3],
    ]


def test_a_contact_that_offers_a_channel_is_heard_from_the_bodies() -> None:
    _, page, _ = staged(example("racket"))
    page.ask("events", n=1)
    events = [event for said in page.said() for event in said.get("events", ())]
    (hit,) = [event for event in events if event.get("channel") == "floor_hit"]
    assert (hit["sender"], hit["receivers"]) == ("bodies", ["hand"])


def test_a_body_is_dragged_but_not_into_another() -> None:
    stage, page, _ = staged()
    page.ask("ticks", n=3)
    assert page.ask("drag", body="ball", position=[0.5, 0.7, 0])["ok"]
    assert stage.show is not None
    assert stage.show.poses()[0, :3].tolist() == [0.5, 0.7, 0.0]
    refused = page.ask("drag", body="ball", position=[0.5, 0.0, 0])
    assert "overlap" in refused["problems"][0]["message"]
    assert not page.ask("drag", body="floor", position=[0, 0, 0])["ok"]
    assert not page.ask("drag", body="ball", position=[0, 0])["ok"]


def settled(stage: Stage, watch: Watch) -> None:
    """Let the stage tell what it has to tell."""
    stage.said.clear()
    watch.now += 0.1
    stage.beat()
    stage.beat()  # what comes next is told after what is shown


def test_among_many_contacts_one_looks_ahead_only_while_the_run_stands() -> None:
    stage, page, watch = staged(example("balls-16"))
    page.ask("play")
    settled(stage, watch)
    assert page.last("enabled")["ahead"] == []
    page.ask("pause")
    settled(stage, watch)
    assert page.last("enabled")["ahead"]


def test_restart_and_play_is_one_request() -> None:
    stage, page, watch = staged()
    page.ask("ticks", n=20)
    page.ask("restart", play=True)
    assert page.last("status")["playing"]
    watch.now += 0.1
    stage.beat()
    assert stage.show is not None
    assert 0 < stage.show.time <= 0.1
    page.ask("pause")
    page.ask("restart")
    assert not page.last("status")["playing"]


def test_who_scrubs_does_not_wait_for_a_long_look_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    stage, page, watch = staged()
    page.ask("ticks", n=20)
    looks: list[float] = []

    def slow(show: Show) -> Message:
        looks.append(show.time)
        watch.now += 0.1
        return {"say": "enabled", "time": show.time, "edges": [], "ahead": []}

    monkeypatch.setattr(telling, "enabled", slow)
    for k in range(20):
        page.ask("seek", time=0.01 * k)
        stage.beat()
        watch.now += 0.02
        stage.beat()
        assert len(page.frames()) == 1
    assert len(looks) <= 2
    watch.now += 0.5
    stage.beat()
    assert looks[-1] == pytest.approx(0.19)


def test_what_is_enabled_and_comes_next_is_told() -> None:
    stage, page, watch = staged(example("thermostat"))
    page.ask("ticks", n=1)
    settled(stage, watch)
    told = page.last("enabled")
    assert told["edges"] == []
    first = told["ahead"][0]
    assert first["component"] == page.stage.show.parts.components[0].name  # type: ignore[union-attr]
    component = next(c for c in model_of(page)["components"] if c["kind"] == "automaton")
    edge = component["edges"][first["edge"]]
    stage.said.clear()
    page.ask("events", n=1)
    event = page.last("events")["events"][0]
    assert event["time"] == pytest.approx(first["at"])
    assert event["edges"] == [{"component": component["name"], "edge": edge["id"]}]


def model_of(page: Page) -> Message:
    Page(page.stage, 77)
    return next(
        json.loads(s.data)
        for s in page.stage.said
        if 77 in s.to and isinstance(s.data, str) and '"say":"model"' in s.data
    )


def test_with_choices_asked_for_a_click_answers() -> None:
    stage, page, watch = staged(Playable(name="two", model=parse_model(TWO)))
    assert page.ask("choice", how="ask")["ok"]
    page.ask("play")
    for _ in range(80):
        watch.now += 1 / 60
        stage.beat()
    status = page.last("status")
    assert (status["asks"], status["may_wait"], status["playing"]) == (True, True, False)
    assert "choice" in status["why"]
    told = page.last("enabled")["edges"]
    assert told == [
        {"component": "a", "edge": 0, "choose": True},
        {"component": "b", "edge": 0, "choose": True},
    ]
    assert not page.ask("take", component="a", edge=1)["ok"]
    assert page.ask("take", component="b", edge=0)["ok"]
    assert page.ask("wait")["ok"]
    assert page.last("events")["events"][0]["who"] == ["b"]
    assert not page.ask("choice", how="dice")["ok"]


def test_a_channel_is_a_button() -> None:
    _, page, _ = staged(Playable(name="bell", model=bell()))
    assert {"name": "ring", "kind": "broadcast"} in model_of(page)["channels"]
    assert page.ask("signal", channel="ring")["ok"]
    event = page.last("events")["events"][0]
    assert (event["channel"], event["sender"], event["receivers"]) == (
        "ring",
        "outside",
        ["one", "two"],
    )
    refused = page.ask("signal", channel="silence")
    assert "nobody hears 'silence'" in refused["problems"][0]["message"]


def test_forces_are_told_to_those_who_draw_them() -> None:
    """A ball of 1 kg at rest: 9.81 N up, at the lowest point of it."""
    stage, page, watch = staged()
    page.ask("drag", body="ball", position=[0.2, 0.1, 0])
    page.ask("ticks", n=60)
    page.ask("show", contacts=True)
    settled(stage, watch)
    (point,) = page.last("contacts")["points"]
    assert point["contact"] == "ball-floor"
    assert point["at"][1] == pytest.approx(0.0, abs=1e-9)
    assert point["force"][1] == pytest.approx(9.81)
    assert point["normal"] == pytest.approx([0, -1, 0])
    assert point["friction"] == 0.2
    page.ask("show", contacts=False)
    settled(stage, watch)
    assert not [said for said in page.said() if said["say"] == "contacts"]


def test_the_editor_hears_of_problems_and_names() -> None:
    _, page, _ = staged()
    answer = page.ask("check", text="body ball { spere radius 1 }")
    assert answer["ok"]
    assert answer["problems"][0]["column"] == 13
    names = page.ask("check", text=ball().text)["names"]
    kinds = {item["name"]: item["kind"] for item in names}
    assert kinds["e"] == "parameter"
    assert kinds["ball"] == "body"
    assert kinds["ball.vy"] == "variable"
    assert kinds["gap[ball,floor]"] == "signal"


def test_a_run_is_shared_as_a_replay_a_table_and_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built, "STATIC", tmp_path)
    (tmp_path / "replay.html").write_text(SLOT)
    _, page, _ = staged(example("bouncing-ball"))
    page.ask("ticks", n=60)
    page.ask("set", values={"e": 0.5})
    page.ask("speed", factor=2)
    answer = page.ask("share", what="replay")
    assert answer["name"] == "bouncing-ball.html"
    assert len(answer["text"]) > len(SLOT)
    table = page.ask("share", what="csv", signals=["ball.y", "energy"])
    assert table["name"] == "bouncing-ball.csv"
    assert table["text"].startswith("t,ball.y,energy\r\n0.0,20.1,")
    told = page.ask("command")["text"]
    assert told == "dyverse animate example:bouncing-ball --set e=0.5 --speed 2"


def test_only_the_own_file_is_saved_and_only_if_nobody_else_has_changed_it(tmp_path: Path) -> None:
    _, page, _ = staged()
    assert "no file" in page.ask("save", text="x")["problems"][0]["message"]
    path = tmp_path / "ball.drbt"
    path.write_text(ball().text)
    _, page, _ = staged(replace(ball(), path=str(path)))
    assert page.ask("save", text="first")["ok"]
    assert page.ask("save", text="second")["ok"]
    assert path.read_text() == "second"
    path.write_text("by someone else")
    refused = page.ask("save", text="third")
    assert "someone else" in refused["problems"][0]["message"]
    assert path.read_text() == "by someone else"
    assert [item.name for item in tmp_path.iterdir()] == ["ball.drbt"]


def test_what_a_model_includes_stays_in_its_own_file(tmp_path: Path) -> None:
    path, other = tmp_path / "ball.drbt", tmp_path / "floor.drbt"
    other.write_text("body floor { plane normal (0, 1, 0) }")
    path.write_text(f'include "floor.drbt"\n{BALL}')
    text = model_file_text(path)
    _, page, _ = staged(replace(ball(), path=str(path), text=text))
    for radius in ("radius 0.2", "radius 0.3"):
        assert page.ask("save", text=text.replace("radius 0.1", radius))["ok"]
        assert path.read_text() == f'include "floor.drbt"\n{BALL}'.replace("radius 0.1", radius)
    refused = page.ask("save", text=text.replace("(0, 1, 0) }", "(0, 2, 0) }", 1))
    assert "change it in its own file" in refused["problems"][0]["message"]
    assert other.read_text() == "body floor { plane normal (0, 1, 0) }"


def test_a_hull_is_saved_by_the_name_of_its_mesh(tmp_path: Path) -> None:
    path, mesh = tmp_path / "ball.drbt", tmp_path / "tent.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1")
    own = f'{BALL}\nbody tent {{ hull "tent.obj" centred  mass 1 }}\n'
    path.write_text(own)
    text = model_file_text(path)
    _, page, _ = staged(replace(ball(), path=str(path), text=text))
    assert page.ask("save", text=text.replace("mass 1 }", "mass 2 }"))["ok"]
    assert path.read_text() == own.replace("mass 1 }", "mass 2 }")
    refused = page.ask("save", text=text.replace("vertices (", "vertices (1"))
    assert "hull of a mesh was changed" in refused["problems"][0]["message"]


def test_text_that_is_run_is_that_of_the_open_file_and_can_be_saved(tmp_path: Path) -> None:
    file = tmp_path / "ball.drbt"
    file.write_text(BALL)
    _, page, _ = staged(replace(ball(), path=str(file)))
    changed = BALL.replace("radius 0.1", "radius 0.2")
    assert page.ask("open", text=changed)["ok"]
    assert page.last("model")["can_save"]
    assert page.ask("save", text=changed)["ok"]
    assert file.read_text() == changed
    assert page.ask("open", example="thermostat")["ok"]
    assert not page.last("model")["can_save"]
