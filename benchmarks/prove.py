"""``python -m benchmarks.prove``: what is proved about contacts and automata, and how fast.

Every problem is proved on one core, its certificate written, read again and checked. Answers and
processor times go to ``PROVE.md`` beside this file, together with what is known otherwise: where
the border between safe and unsafe has a closed form, no box may lie on its wrong side.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.machine import ROOT, commit, machine
from dyverse.certificate.check import Checked, check
from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import ends
from dyverse.proving.writing import Writer
from dyverse.text.examples import example_text

MARKDOWN = ROOT / "benchmarks" / "PROVE.md"
HEAD = "| problem | unknowns | safe | unsafe | open | boxes | prove s | check s | kB | shows |"
Ranges = Mapping[str, tuple[float, float]]

FLOOR = """\
gravity (0, -9.81, 0)
body floor { plane normal (0, 1, 0) }
"""
BALL = "body ball { sphere radius 0.1  mass 1  "


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A model, a property and ranges; ``border`` is where it changes, if that is known."""

    name: str
    text: str
    claim: str
    shows: str
    ranges: Ranges
    finest: int
    border: float | None = None  # of the only unknown


def example(
    name: str,
    claim: str,
    shows: str,
    *,
    finest: int = 10,
    border: float | None = None,
    **ranges: tuple[float, float],
) -> Problem:
    """A problem of one of the examples."""
    return Problem(
        name=name,
        text=example_text(name),
        claim=claim,
        shows=shows,
        ranges=ranges,
        finest=finest,
        border=border,
    )


def model(
    name: str, shows: str, text: str, *, finest: int = 10, **ranges: tuple[float, float]
) -> Problem:
    """A problem with a text of its own, on a floor; its property is called ``claim``."""
    return Problem(
        name=name, text=FLOOR + text, claim="claim", shows=shows, ranges=ranges, finest=finest
    )


PROBLEMS = (
    example("interception-game", "caught", "three impacts with friction", K=(1.7, 1.9)),
    example("interception-game", "caught", "all of it", K=(1.0, 3.0), finest=16),
    example("ceiling", "under", "one impact", e=(0.5, 0.9), finest=14),
    example(
        "drop-on-incline",
        "grips",
        "an impact, then sticking or slipping",
        mu=(0.1, 0.4),
        finest=14,
        border=0.16495721976846,
    ),
    example(
        "inclined-plane",
        "rolls",
        "rolling or slipping",
        alpha=(0.1, 0.6),
        mu=(0.02, 0.4),
        finest=9,
    ),
    example("stick-or-slide", "sticks", "sticking", mu=(0.4, 0.6)),
    example("contact-force", "bears", "a force of contact", A=(0.0, 6.0), border=5.19),
    example("window", "outside", "a window of 2 µm", v=(0.8, 1.6), finest=18),
    example("shielded-target", "apart", "spheres and a wall", angle=(-0.2, 0.2)),
    example("three-balls", "slow", "two contacts that close at once", k=(1.0, 1.5)),
    example("ten-impacts", "beside", "ten impacts", e=(0.885, 0.9), finest=12),
    example("energy-budget", "kept", "a bound on the energy, in which much cancels", e=(0.1, 0.9)),
    example("juggling-paddle", "low", "a paddle that moves", A=(0.035, 0.05)),
    example(
        "four-unknowns",
        "misses",
        "two of its unknowns",
        e=(0.85, 0.9),
        wind=(-1.0, 0.0),
        finest=8,
    ),
    model(
        "ball with drag",
        "the fifth apex below 0.14 m",
        """\
parameter c = 0.15
parameter e = 0.8
body ball { sphere radius 0.05  mass 1  position (0, 1.05, 0) }
force ball (-c*ball.vx, -c*ball.vy, -c*ball.vz)
contact ball floor { restitution e }
property claim: always t < 2.6 or ball.y < 0.19 until 2.9
""",
        c=(0.1, 0.2),
        e=(0.79, 0.81),
    ),
    model(
        "ball to rest",
        "100 s, past the accumulation",
        f"""\
parameter e = 0.65
{BALL} position (0, 1.1, 0) }}
contact ball floor {{ restitution e }}
property claim: always ball.y < 1.2 and (t < 2.7 or ball.y < 0.101) until 100
""",
        e=(0.6, 0.7),
    ),
    model(
        "ball to rest, rolling",
        "past the accumulation, with friction",
        f"""\
parameter v = 1
{BALL} position (0, 1.1, 0)  velocity (v, 0, 0) }}
contact ball floor {{ restitution 0.6  friction 0.5 }}
property claim: always t < 3 or ball.vx < 0.8 until 10
""",
        v=(0.5, 1.0),
    ),
    model(
        "heights and restitutions",
        "two unknowns, past the accumulation",
        f"""\
parameter h = 1
parameter e = 0.6
{BALL} position (0, h + 0.1, 0) }}
contact ball floor {{ restitution e }}
property claim: always t < 1.7 or ball.y < 0.3 until 2
""",
        h=(0.8, 1.0),
        e=(0.5, 0.6),
    ),
    model(
        "sliding to rolling",
        "5/7 of the speed is left",
        f"""\
parameter v = 1
{BALL} position (0, 0.1, 0)  velocity (v, 0, 0) }}
contact ball floor {{ restitution 0  friction 0.2 }}
property claim: always t < 0.5 or (ball.vx > 0.7*v and ball.vx < 0.72*v) until 1
""",
        v=(0.5, 2.5),
    ),
    model(
        "backspin",
        "a spin turns a ball back",
        f"""\
parameter w = 20
{BALL} position (0, 0.6, 0)  velocity (1, 0, 0)  spin (0, 0, w) }}
contact ball floor {{ restitution 0.8  friction 0.4 }}
property claim: always t < 0.5 or ball.vx > 0 until 0.8
""",
        w=(0.0, 60.0),
        finest=12,
    ),
    model(
        "super ball",
        "tangential restitution",
        f"""\
parameter w = 20
{BALL} position (0, 0.6, 0)  velocity (1, 0, 0)  spin (0, 0, w) }}
contact ball floor {{ restitution 0.9  tangential_restitution 0.6  friction 2 }}
property claim: always t < 0.5 or ball.vx > 0 until 0.8
""",
        w=(0.0, 60.0),
        finest=12,
    ),
    model(
        "corner",
        "a wall, then a floor, or the other way round",
        f"""\
parameter v = 3
{BALL} position (0, 1, 0)  velocity (v, 0, 0) }}
body wall {{ plane normal (-1, 0, 0)  position (2, 0, 0) }}
contact all {{ restitution 0.8 }}
property claim: always ball.x > -0.5 until 1.5
""",
        v=(2.0, 4.0),
        finest=12,
    ),
    model(
        "spring",
        "a spring and a floor",
        f"""\
parameter k = 20
{BALL} position (0, 1, 0) }}
spring ball (0, 0.6, 0) {{ stiffness k }}
contact ball floor {{ restitution 0.7 }}
property claim: always t < 0.8 or ball.y < 0.95 until 1.5
""",
        k=(5.0, 40.0),
        finest=12,
    ),
    model(
        "oblique shot",
        "two balls with friction",
        """\
parameter b = 0.1
body a { sphere radius 0.1  mass 1  position (0, 1, 0)  velocity (3, 0, 0) }
body c { sphere radius 0.1  mass 1  position (1, 1 + b, 0) }
contact a c { restitution 0.9  friction 0.2 }
property claim: always c.y < 1.35 until 0.5
""",
        b=(0.02, 0.18),
        finest=12,
    ),
    model(
        "cradle",
        "three impacts, one after the other",
        """\
parameter gap = 0.005
parameter d = 0.05 + gap
body b1 { sphere radius 0.025  mass 0.5  position (-0.15, 9, 0)  velocity (1, 0, 0) }
body b2 { sphere radius 0.025  mass 0.5  position (0, 9, 0) }
body b3 { sphere radius 0.025  mass 0.5  position (d, 9, 0) }
body b4 { sphere radius 0.025  mass 0.5  position (2*d, 9, 0) }
contact all { restitution 1 }
property claim: always t < 0.25 or b4.vx > 0.9 until 0.3
""",
        gap=(0.001, 0.01),
    ),
    model(
        "bank shot",
        "cushions",
        f"""\
parameter a = 0.8
{BALL} position (0, 1, 0)  velocity (3*cos(a), 3*sin(a), 0) }}
body left {{ plane normal (1, 0, 0)  position (-1, 0, 0) }}
body right {{ plane normal (-1, 0, 0)  position (1, 0, 0) }}
contact all {{ restitution 0.9  friction 0.1 }}
property claim: always ball.y < 1.4 until 1.2
""",
        a=(0.2, 1.4),
        finest=12,
    ),
    model(
        "over a post",
        "over it, onto it, or before it",
        f"""\
parameter v = 3
{BALL} position (0, 0.5, 0)  velocity (v, 3, 0) }}
body post {{ sphere radius 0.3  position (1.2, 0.3, 0)  fixed }}
contact all {{ restitution 0.6  friction 0.3 }}
property claim: always t < 0.7 or ball.x > 1 until 0.9
""",
        v=(1.0, 4.0),
        finest=7,
    ),
    model(
        "pendulum",
        "a joint",
        """\
parameter a = 0.5
body hook { point  fixed }
body bob { sphere radius 0.05  mass 1  position (sin(a), -cos(a), 0) }
joint rod { revolute hook bob  at (0, 0, 0)  axis (0, 0, 1) }
contact all off
property claim: always bob.x > -0.57 until 2
""",
        a=(0.3, 0.6),
    ),
    model(
        "pendulum at a wall",
        "a joint and impacts",
        """\
parameter e = 0.5
body hook { point  fixed }
body bob { sphere radius 0.1  mass 1  position (0.8, -0.6, 0) }
body wall { plane normal (1, 0, 0)  position (-0.1, 0, 0) }
joint rod { revolute hook bob  at (0, 0, 0)  axis (0, 0, 1)  damping 0.1 }
contact all off
contact bob wall { restitution e }
property claim: always t < 0.6 or bob.x < 0.5 until 1.4
""",
        e=(0.3, 0.7),
    ),
    model(
        "crane",
        "a cart with a pendulum and a motor",
        """\
parameter k = 10
body rail { point  fixed  position (0, 2, 0) }
body cart { box size (0.2, 0.2, 0.2)  mass 2  position (0.5, 2, 0)  velocity (1, 0, 0) }
body load { sphere radius 0.05  mass 0.5  position (0.5, 1.4, 0)  velocity (1, 0, 0) }
joint slide { prismatic rail cart  axis (1, 0, 0)  length 0.5  damping 0.5 }
joint hang { revolute cart load  at (0.5, 2, 0)  axis (0, 0, 1) }
contact all off
force slide -k*slide.length
property claim: always slide.length < 1 and hang.angle < 1 until 2
""",
        k=(8.0, 12.0),
    ),
    model(
        "loop of bars",
        "joints that hold more than they must",
        """\
parameter T = 0.1
body ground { point  fixed  position (0, 1, 0) }
body crank { box size (0.04, 0.3, 0.04)  mass 1  position (0, 1.15, 0) }
body coupler { box size (1, 0.04, 0.04)  mass 1  position (0.5, 1.3, 0) }
body rocker { box size (0.04, 0.3, 0.04)  mass 1  position (1, 1.15, 0) }
joint one { revolute ground crank  at (0, 1, 0)  axis (0, 0, 1) }
joint two { revolute crank coupler  at (0, 1.3, 0)  axis (0, 0, 1) }
joint three { revolute coupler rocker  at (1, 1.3, 0)  axis (0, 0, 1) }
joint four { revolute ground rocker  at (1, 1, 0)  axis (0, 0, 1) }
contact all off
torque one T
property claim: always coupler.x > 0.46 until 0.3
""",
        T=(0.05, 0.15),
    ),
    model(
        "double pendulum",
        "two seconds of two joints",
        """\
parameter a = 0.5
body hook { point  fixed }
body one { sphere radius 0.1  mass 1  position (sin(a), -cos(a), 0) }
body two { sphere radius 0.1  mass 1  position (2*sin(a), -2*cos(a), 0) }
joint top { revolute hook one  at (0, 0, 0)  axis (0, 0, 1) }
joint middle { revolute one two  at (sin(a), -cos(a), 0)  axis (0, 0, 1) }
contact all off
property claim: always two.x > -1.3 until 2
""",
        a=(0.48, 0.52),
    ),
    example(
        "thermostat",
        "comfortable",
        "an automaton that switches two to seven times",
        k=(0.05, 0.2),
        T=(19.0, 21.0),
    ),
    Problem(
        name="two-tanks",
        text=example_text("two-tanks").replace("horizon 10", "horizon 5"),
        claim="served",
        shows="a network, before its jumps accumulate",
        ranges={"inflow": (0.7, 0.8)},
        finest=10,
    ),
    example("gear", "legal", "a controller with whole numbers", pause=(0.1, 1.0)),
    example(
        "bouncing-ball-floor",
        "high",
        "handshakes, broadcasts, committed places",
        finest=12,
        border=4.9 * (14 / (1 + 8 * (1 - 0.8**7))) ** 2,
        **{"ball.y": (17.85, 19.0)},
    ),
    example("robot", "limits", "a network of three, 17 jumps", turning=(44.0, 46.0)),
    example("brake", "steers", "a tyre that slips and grips, and its brake", late=(0.01, 0.03)),
    Problem(
        name="racket, apart",
        text=example_text("racket").replace("position (0, 1.5, 0)", "position (0, 1.51, 0)"),
        claim="kept",
        shows="a ball, a floor, a racket and its controller",
        ranges={"down": (0.199, 0.201)},
        finest=8,
    ),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a problem; seconds of one processor."""

    problem: Problem
    answer: Answer
    checked: Checked
    proving: float
    checking: float
    size: int  # of the certificate, bytes


def solved(problem: Problem, folder: Path) -> Result:
    """Prove, and check the certificate."""
    path = folder / "certificate"
    start = time.process_time()
    asked = ask(problem.text, problem.claim, ranges=problem.ranges, settings={})
    question = reduced(asked)
    with Writer(path, question) as writer:
        answer = prove(question, limits=Limits(finest=problem.finest), keep=writer.add)
    proved = time.process_time()
    checked = check(path)
    done = time.process_time()
    assert_consistent(problem, answer, checked)
    return Result(problem, answer, checked, proved - start, done - proved, path.stat().st_size)


def assert_consistent(problem: Problem, answer: Answer, checked: Checked) -> None:
    """The checker finds what the prover said, and nothing goes beyond a known border."""
    found = (checked.safe, checked.unsafe, checked.open)
    if found != tuple(answer.share(word) for word in ("safe", "unsafe", "open")):
        raise AssertionError(f"{problem.name}: the checker finds something else")
    for box in answer.boxes if problem.border is not None else ():
        low, high = ends(answer.question, box.halves)[0]
        if box.verdict != "open" and low < problem.border < high:
            raise AssertionError(f"{problem.name}: a box lies on both sides of the border")


def markdown(rows: list[str]) -> Iterator[str]:
    """The lines of the page."""
    facts = machine()
    yield "# What is proved about bodies in contact and automata"
    yield ""
    yield "Written by `python -m benchmarks.prove`. Do not edit."
    yield ""
    yield "- a row is of the latest run of its problem; problems that are named are solved alone"
    yield f"- last measured {datetime.now(UTC):%Y-%m-%d} at commit {commit()}"
    yield (
        f"- on {facts['cpu']}, {facts['cores']} cores, {facts['system']}, {facts['python']}; "
        f"load {facts['load']}: the machine is shared, so seconds are the processor's, of one core"
    )
    yield "- *boxes* are those of the certificate; every certificate was read again and checked"
    yield ""
    yield HEAD
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    yield from rows
    yield ""


def kept() -> dict[str, str]:
    """The rows of the page as it is, by how they begin."""
    lines = MARKDOWN.read_text(encoding="utf-8").splitlines() if MARKDOWN.exists() else []
    return {_place(line): line for line in lines if line.count(" | ") == HEAD.count(" | ")}


def _place(line: str) -> str:
    """The name and the unknowns of a row."""
    return " | ".join(line.split(" | ")[:2])


def row(result: Result) -> str:
    """A line of the table."""
    problem, checked = result.problem, result.checked
    shares = (f"{100 * float(x):.4g} %" for x in (checked.safe, checked.unsafe, checked.open))
    cells = (
        place(problem),
        *shares,
        str(checked.boxes),
        f"{result.proving:.1f}",
        f"{result.checking:.1f}",
        f"{result.size / 1000:.0f}",
        problem.shows,
    )
    return f"{' | '.join(cells)} |"


def place(problem: Problem) -> str:
    """How the row of a problem begins."""
    unknowns = ", ".join(f"{n} ∈ [{a:g}, {b:g}]" for n, (a, b) in problem.ranges.items())
    return f"| {problem.name} | {unknowns}"


def main(arguments: list[str] | None = None) -> None:
    """Solve the problems that were asked for, or all; the page is written after each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prove", description=__doc__)
    parser.add_argument("names", nargs="*", help="problems to solve; without any, all are")
    names = parser.parse_args(arguments).names
    with tempfile.TemporaryDirectory() as folder:
        for problem in PROBLEMS:
            if not names or problem.name in names:
                found = solved(problem, Path(folder))
                rows = kept() | {place(problem): row(found)}
                listed = [rows[key] for key in map(place, PROBLEMS) if key in rows]
                MARKDOWN.write_text("\n".join(markdown(listed)), encoding="utf-8")
                print(row(found), flush=True)


if __name__ == "__main__":
    main()
