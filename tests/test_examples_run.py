"""Every example: its files, its text, its script, and its numbers.

Numbers are compared with closed forms, with the paper, or with the independent calculations that
the examples' pages quote; the tolerance stands beside each.
"""

import json
import math
import re
import runpy
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from dyverse import (
    Model,
    Options,
    RigidBodyAutomaton,
    Run,
    Stop,
    example_text,
    generate,
    load_model,
    parse_model,
    parse_world,
    simulate,
    world_text,
)
from dyverse.cli.main import app
from dyverse.falsification.asking import ask
from dyverse.falsification.question import probe
from dyverse.falsification.verdict import Witness
from dyverse.falsification.witness import replay
from dyverse.simulation.requirement.properties import Broken, Kept, Outcome
from dyverse.simulation.requirement.properties import outcome as became
from dyverse.text.parse import parse
from dyverse.text.printing.model import model_text
from tests.parsed_page import ParsedPage

HOME = Path(__file__).parents[1] / "examples"
FAMILY = "balls"  # its models are written when asked for
MODELS = (
    "stairs",
    "billiard-break",
    "bouncing-ball",
    "conveyor",
    "dice",
    "double-pendulum",
    "eulers-disc",
    "four-bar",
    "inclined-plane",
    "interception-game",
    "newtons-cradle",
    "rattleback",
    "rimless-wheel",
    "robot-arm",
    "rocking-block",
    "rolling-to-rest",
    "slider-crank",
    "sliding-to-rolling",
    "stack",
    "stopped-pendulum",
    "string-cradle",
    "table-edge",
    "three-balls",
    "tippe-top",
    "vibrating-table",
    "woodpecker",
)
AUTOMATA = (
    "automatic-transmission",
    "bouncing-ball-floor",
    "brake",
    "chasing-cars",
    "compass-walker",
    "gear",
    "navigation",
    "racket",
    "robot",
    "steam-condenser",
    "thermostat",
    "two-tanks",
    "wind-turbine",
)
SCRIPTS = (*MODELS, *AUTOMATA, FAMILY)
G = 9.81
PNG = b"\x89PNG"
NUMBER = r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
COMPARED = re.compile(rf"{NUMBER} +{NUMBER}$", re.M)  # the two columns of a script's table

# How many numbers each script compares, and how far from the expected ones they may be.
ROWS = {
    "stairs": (14, 1e-9),
    "billiard-break": (2, 1e-9),
    "bouncing-ball": (7, 1e-9),
    "conveyor": (6, 1e-9),
    "double-pendulum": (4, 1e-8),
    "eulers-disc": (5, 1e-8),
    "four-bar": (7, 1e-9),
    "inclined-plane": (6, 1e-8),
    "newtons-cradle": (21, 1e-9),
    "rattleback": (2, 1e-7),
    "rimless-wheel": (9, 1e-8),
    "robot-arm": (6, 1e-7),
    "rocking-block": (4, 1e-8),
    "rolling-to-rest": (8, 1e-9),
    "slider-crank": (4, 1e-8),
    "sliding-to-rolling": (9, 1e-9),
    "stack": (6, 1e-8),
    "stopped-pendulum": (11, 1e-9),
    "string-cradle": (4, 1e-9),
    "table-edge": (6, 1e-9),
    "three-balls": (6, 1e-8),
    "tippe-top": (4, 1e-8),
    "vibrating-table": (5, 1e-8),
    "woodpecker": (18, 1e-8),
    "automatic-transmission": (5, 1e-7),  # SciPy steps over the kinks of tables
    "bouncing-ball-floor": (10, 1e-9),
    "brake": (8, 1e-7),
    "chasing-cars": (18, 1e-9),
    "compass-walker": (5, 3e-6),  # the legs have a little inertia of their own
    "gear": (8, 1e-8),
    "navigation": (12, 1e-8),
    "racket": (6, 1e-8),
    "robot": (5, 1e-9),
    "steam-condenser": (10, 1e-8),  # SciPy steps over the kinks of tables
    "thermostat": (15, 1e-8),
    "two-tanks": (14, 1e-8),
    "wind-turbine": (18, 1e-8),
    FAMILY: (16, 0.0),
}


def play(name: str, until: float, solver: str = "reference", **settings: float) -> Run:
    automaton = generate(parse_world(example_text(name)), settings)
    return simulate(automaton, until=until, options=Options(solver=solver))


def outcome(run: Run) -> Outcome:
    """What became of the only property of the model."""
    assert isinstance(run.automaton, RigidBodyAutomaton)
    (claim,) = run.automaton.world.properties
    return became(run, claim, run.automaton.scene.values)


def script(name: str, *options: str) -> str:
    """What the script of an example prints."""
    command = [sys.executable, "-W", "error", str(HOME / name / "run.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_examples_are_all_there() -> None:
    there = {path.parent.name for path in HOME.glob("*/model.drbt")}
    assert there >= {*MODELS, *AUTOMATA}


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_example_has_a_script_a_page_and_a_picture(name: str) -> None:
    page = (HOME / name / "README.md").read_text(encoding="utf-8")
    assert f"dyverse simulate example:{name}" in page
    assert "(picture.png)" in page
    assert "Units:" in page
    picture = (HOME / name / "picture.png").read_bytes()
    assert picture.startswith(PNG)
    assert len(picture) < 150_000
    assert len((HOME / name / "run.py").read_text(encoding="utf-8").splitlines()) < 60


@pytest.mark.parametrize("name", [*MODELS, *AUTOMATA])
def test_an_example_is_a_described_model_that_passes_the_check(name: str) -> None:
    assert example_text(name).startswith("# ")
    assert CliRunner().invoke(app, ["check", f"example:{name}"]).exit_code == 0


@pytest.mark.parametrize("name", MODELS)
def test_an_example_can_be_printed_and_read_again(name: str) -> None:
    world = parse_world(example_text(name))
    assert parse_world(world_text(world)) == world


@pytest.mark.parametrize("name", AUTOMATA)
def test_an_example_with_automata_can_be_printed_and_read_again(name: str) -> None:
    tree = parse(example_text(name))
    assert parse(model_text(tree)) == tree
    assert parse_model(model_text(tree)) == parse_model(example_text(name))


def test_the_billiard_model_is_what_its_writer_writes(tmp_path: Path) -> None:
    writer = (HOME / "billiard-break" / "write_model.py").read_text(encoding="utf-8")
    (tmp_path / "write_model.py").write_text(writer, encoding="utf-8")
    subprocess.run([sys.executable, str(tmp_path / "write_model.py")], check=True)
    assert (tmp_path / "model.drbt").read_text(encoding="utf-8") == example_text("billiard-break")


def test_a_die_comes_to_lie_on_a_face() -> None:
    made = runpy.run_path(str(HOME / "dice" / "run.py"))
    speeds = np.linspace(1, 2, 12)
    faces = made["faces"](made["thrown"](speeds, 20 + 0 * speeds))
    assert set(faces.tolist()) <= {1, 2, 3, 4, 5, 6}
    assert len(set(faces.tolist())) > 2


@pytest.mark.parametrize("name", ROWS)
def test_a_script_prints_what_is_expected_and_draws(name: str, tmp_path: Path) -> None:
    number, tolerance = ROWS[name]
    picture = tmp_path / "picture.png"
    rows = COMPARED.findall(script(name, "--plot", str(picture)))
    assert len(rows) == number
    for got, expected in rows:
        assert float(got) == pytest.approx(float(expected), rel=tolerance, abs=tolerance)
    assert picture.read_bytes().startswith(PNG)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What ``make demo`` prints, and the folder with its report."""
    folder = tmp_path_factory.mktemp("report")
    plot = ("--plot", str(folder / "plot.png"))
    return script("interception-game", "--report", str(folder), *plot), folder


def test_the_demo_says_who_loses_and_when(demo: tuple[str, Path]) -> None:
    """K = 1 is lost at 1.06 s, K = 3 at 1.03 s, K = 1.8 never, by independent simulation."""
    printed, folder = demo
    lines = [line.split() for line in printed.splitlines()]
    lost = {line[0]: line[3] for line in lines if line[0] in ("1.0", "1.8", "3.0")}
    assert float(lost["1.0"]) == pytest.approx(1.06, abs=5e-3)
    assert float(lost["3.0"]) == pytest.approx(1.03, abs=5e-3)
    assert lost["1.8"] == "never"
    assert "12 edges" in printed
    assert "11 edges" in printed
    assert str(folder / "index.html") in printed


def test_the_demo_writes_files_for_every_run(demo: tuple[str, Path]) -> None:
    _, folder = demo
    runs = {f"K-{K}.{end}" for K in ("1", "1.8", "2", "3") for end in ("csv", "json", "png")}
    others = {"index.html", "display.txt", "automaton.dot", "scan.csv", "overview.png", "plot.png"}
    others |= {"falsify-1-3.html", "falsify-1.7-1.9.html"}
    assert {path.name for path in folder.iterdir()} == runs | others
    assert json.loads((folder / "K-3.json").read_text())["stop"] == "horizon"
    assert (folder / "K-1.csv").read_text().startswith("t,location,ball1.x")
    assert (folder / "automaton.dot").read_text().startswith("digraph")
    assert len((folder / "scan.csv").read_text().splitlines()) == 1 + 400


def test_the_demo_falsifies_the_game_and_a_scan_agrees(demo: tuple[str, Path]) -> None:
    """K in [1, 3] is unsafe, [1.7, 1.9] is not; 400 simulated values say nothing else."""
    printed, folder = demo
    rows = [line.split(",") for line in (folder / "scan.csv").read_text().splitlines()[1:]]
    scan = {float(K): float(lowest) for K, lowest, _ in rows}
    lost = {float(K) for K, _, lost_at in rows if lost_at}
    assert lost == {K for K, lowest in scan.items() if lowest <= 0}
    assert not [K for K in lost if 1.7 <= K <= 1.9]
    assert "K in [1, 3]: UNSAFE" in printed
    assert "K in [1.7, 1.9]: not found" in printed
    nearest = float(re.findall(r"UNSAFE.*nearest to 2: (\S+)", printed)[0])
    assert abs(nearest - 2) <= min(abs(K - 2) for K in lost)
    least = float(re.findall(r"not found.*lowest y1 (\S+)", printed)[0])
    assert least <= min(lowest for K, lowest in scan.items() if 1.7 <= K <= 1.9)


def test_the_report_is_pages_that_load_nothing(demo: tuple[str, Path]) -> None:
    _, folder = demo
    for file in folder.glob("*.html"):
        page = ParsedPage(file.read_text(encoding="utf-8"))
        assert all(image.startswith("data:") for image in page.images)
        assert all((folder / link).is_file() for link in page.links)
    index = ParsedPage((folder / "index.html").read_text(encoding="utf-8"))
    assert set(index.links) == {"falsify-1-3.html", "falsify-1.7-1.9.html", "scan.csv"}
    assert "lost at 1.0552 s" in index.text
    assert "no proof" in index.text


def test_the_ball_bounces_at_its_closed_form_and_comes_to_rest() -> None:
    """t₁ (1 + 2 (e + … + eⁿ)), t₁ = √(2·20/g), to 1e-9; they pile up at t₁ (1 + e)/(1 − e)."""
    run, first = play("bouncing-ball", 25), math.sqrt(2 * 20 / G)
    expected = [first * (1 + 2 * sum(0.8**i for i in range(1, n + 1))) for n in range(30)]
    assert run.times("impact")[:30] == pytest.approx(expected, rel=1e-9)
    (piled,) = (visit.accumulates for visit in run.visits if visit.accumulates is not None)
    assert piled == pytest.approx(18.173476, abs=1e-6)
    assert "18.1735" in run.events[-1].remark
    assert abs(run.automaton.observe(run.end)["gap[ball,floor]"]) <= 1e-9
    assert isinstance(outcome(run), Kept)


@pytest.mark.parametrize(("v0", "mu"), [(7, 0.2), (3, 0.1), (1, 1.0)])
def test_a_sliding_ball_rolls_in_time(v0: float, mu: float) -> None:
    """At 2 v₀/(7 μ g) with 5 v₀/7, to 1e-9."""
    run = play("sliding-to-rolling", 2, v0=v0, mu=mu)
    assert run.times("stick") == pytest.approx([2 * v0 / (7 * mu * G)], rel=1e-9)
    assert run.final["ball.vx"] == pytest.approx(5 * v0 / 7, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.2, math.pi / 6, 1.0])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99, 1.01, 3.0])
def test_a_ball_on_a_slope_rolls_from_two_sevenths_of_the_tangent_on(
    alpha: float, share: float
) -> None:
    """From μ = 2/7 tan α on it rolls with 5/7 g sin α; else g (sin α - μ cos α), to 1e-9."""
    mu = share * 2 / 7 * math.tan(alpha)
    run = play("inclined-plane", 1, alpha=alpha, mu=mu)
    slips = G * (math.sin(alpha) - mu * math.cos(alpha))
    expected = 5 / 7 * G * math.sin(alpha) if share > 1 else slips
    assert run.final["ball.vx"] == pytest.approx(expected, rel=1e-9)
    assert isinstance(outcome(run), Kept) == (share > 1)


@pytest.mark.parametrize(
    ("k", "time", "speed"), [(1, 0.7361, -0.8218), (1.5, 0.6743, 0.3456)], ids=str
)
def test_three_balls_meet_in_one_impact(k: float, time: float, speed: float) -> None:
    """By independent calculation, to 1e-4."""
    run = play("three-balls", 0.75, k=k)
    (event,) = run.events
    assert event.contacts == ("ball1-ball2", "ball1-ball3")
    assert event.time == pytest.approx(time, abs=1e-4)
    assert run.final["ball1.vy"] == pytest.approx(speed, abs=1e-4)
    assert run.final["ball1.vx"] == pytest.approx(0, abs=1e-9)
    assert isinstance(outcome(run), Kept)


@pytest.mark.parametrize(("K", "lost"), [(1, 1.0552), (1.8, None), (2, None), (3, 1.0319)])
def test_the_interception_game_is_lost_or_not(K: float, lost: float | None) -> None:
    """Independent simulation: 1.06 s, not at all for 1.8, 1.03 s; our digits to 1e-4."""
    found = outcome(play("interception-game", 2, K=K))
    assert isinstance(found, Broken) == (lost is not None)
    if isinstance(found, Broken):
        assert found.time == pytest.approx(lost, abs=1e-4)


@pytest.mark.parametrize(
    ("gap", "impacts", "after"), [(0, 1, (-0.6, 0.4, 0.4, 0.4, 0.4)), (1e-6, 4, (0, 0, 0, 0, 1))]
)
def test_the_cradle_knows_newton_and_nature(
    gap: float, impacts: int, after: tuple[float, ...]
) -> None:
    """Both keep momentum and energy; speeds to 1e-9."""
    run = play("newtons-cradle", 0.3, gap=gap)
    assert len(run.times("impact")) == impacts
    speeds = [run.final[f"ball{i}.vx"] for i in range(1, 6)]
    assert speeds == pytest.approx(after, abs=1e-9)
    assert sum(v**2 for v in speeds) == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("m", [0.1, 1, 10])
def test_the_stack_stays_at_rest_for_a_hundred_seconds(m: float) -> None:
    """|gap| <= 1e-9 m throughout, and forces m g and (1 + m) g to 1e-9."""
    run = play("stack", 100, m=m)
    assert run.stop == Stop.HORIZON
    assert isinstance(outcome(run), Kept)
    known = run.automaton.observe(run.end)
    assert known["normal_force[lower,upper]"] == pytest.approx(m * G, rel=1e-9)
    assert known["normal_force[lower,floor]"] == pytest.approx((1 + m) * G, rel=1e-9)


def test_the_billiard_break_hits_in_time_and_loses_energy() -> None:
    """First hit by the closed form for a sliding ball, to 1e-9."""
    run = play("billiard-break", 0.3)
    way = 1.27 - math.sqrt(4 * 0.028575**2 - 0.015**2)
    expected = (10 - math.sqrt(100 - 2 * 0.2 * G * way)) / (0.2 * G)
    assert run.times("impact")[0] == pytest.approx(expected, rel=1e-9)
    assert run.stop == Stop.HORIZON
    ends = [run.automaton.observe(arc.state(0))["energy"] for arc in run.arcs]
    assert all(after <= before + 1e-9 for before, after in pairwise(ends))


def test_cvode_lays_the_bouncing_ball_to_rest_too() -> None:
    """Its last bounces err by 1e-11 m in height: accumulation to 1e-4 s, the gap to 1e-9 m."""
    pytest.importorskip("sksundae")
    run = play("bouncing-ball", 25, "cvode")
    (piled,) = (visit.accumulates for visit in run.visits if visit.accumulates is not None)
    assert piled == pytest.approx(18.1735, abs=1e-4)
    assert abs(run.automaton.observe(run.end)["gap[ball,floor]"]) <= 1e-9


def follow(model: Model, solver: str, until: float) -> Run:
    return simulate(model.automaton(), until=until, options=Options(solver=solver))


def test_the_tanks_say_that_time_stops() -> None:
    """At 2 (1 - 0.25)/(0.5 + 0.5 - 0.75) = 6 s."""
    run = follow(parse_model(example_text("two-tanks")), "reference", 10.0)
    assert run.stop == Stop.LIVELOCK
    assert "jumps accumulate at 6 s (Zeno)" in run.message


def test_a_rigid_ball_and_the_automaton_ball_meet_one_program_alike() -> None:
    network = follow(parse_model(example_text("bouncing-ball-floor")), "reference", 16.0)
    rigid = follow(load_model(HOME / "bouncing-ball-floor" / "rigid.drbt"), "reference", 16.0)
    heard = [event.time for event in network.events if event.kind == "touch"]
    assert rigid.times("impact") == pytest.approx(heard, abs=1e-9)
    low = [
        next(e.time for e in run.events if "low_bounces" in str(e.target))
        for run in (network, rigid)
    ]
    assert low[0] == pytest.approx(low[1], abs=1e-9)


@pytest.mark.parametrize(
    ("claim", "halves", "margin"),
    [
        ("cc1", (0.5, 1.0, 0.0, 1.0), -44.12514924482045),
        ("cc2", (0.0, 0.5, 1.0, 0.0), -5.0),
    ],
)
def test_chasing_cars_have_the_margins_that_falstar_published(
    claim: str, halves: tuple[float, ...], margin: float
) -> None:
    """Throttle and brake for 50 s each: results/quest2019-journal/instance1/cc.csv, to 1e-9."""
    model = parse_model(example_text("chasing-cars"))
    asked = ask(model, claim, pieces={"throttle": 2, "brake": 2}, depth=5000)
    found = probe(asked, np.array([halves])).margins
    assert found == pytest.approx([margin], abs=1e-9)


def test_gusts_break_three_requirements_of_a_wind_turbine() -> None:
    """From 8 to 16 m/s and back, for 10 s each."""
    gusts = ("--set", "wind=8:16:8:16:8:16", "--until", "60", "--json")
    done = CliRunner().invoke(app, ["simulate", "example:wind-turbine", *gusts])
    found = {claim["name"]: claim["violated_at"] for claim in json.loads(done.stdout)["properties"]}
    assert found.pop("wt4") is None
    assert found == pytest.approx({"wt1": 35.398316, "wt2": 30.0, "wt3": 33.509229}, abs=1e-5)


def test_a_compass_walker_of_bodies_falls_on_a_steep_slope() -> None:
    """It walks on 2° to 4° and falls within 3 s on 6°, where `dyverse falsify` looks early."""
    asked = ask(parse_model(example_text("compass-walker")), "walks")
    margins = probe(asked, np.radians([[2.0], [3.0], [4.0], [6.0]])).margins
    assert (margins > 0).tolist() == [True, True, True, False]


@pytest.mark.long
def test_the_fall_of_a_compass_walker_is_confirmed() -> None:
    """Its foot slips as it falls, which in space would take the reference engine minutes."""
    found = replay(ask(parse_model(example_text("compass-walker")), "walks"), np.radians([6.0]))
    assert isinstance(found, Witness)
    assert found.time == pytest.approx(2.795684, abs=1e-6)
