"""The questions: each asks dyverse and its peers, and puts the answers side by side."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from benchmarks.peers import growth, startup
from benchmarks.peers.ask import Asker
from benchmarks.peers.bounce.stepping import SHOWN
from benchmarks.peers.contacts.task import TOLERANCE, Problem, save
from benchmarks.peers.measure import Answer
from benchmarks.peers.mechanisms.question import mechanisms
from benchmarks.peers.page import Promise, Section, ratio, value
from benchmarks.peers.solids.question import solids
from benchmarks.solve import SEED, pack, stack
from benchmarks.table import Cell

PICTURE = Path(__file__).parents[1] / "growth.png"
ENGINE = "dyverse native, engine"
CONTACTS = (2, 5, 10, 20, 50, 100)
CALL = (
    "of one run a third is the call from Python; the rest is about 0.25 µs per bounce, to locate "
    "it and to solve an impact with friction in space"
)


def named(answers: list[Answer], name: str) -> Answer | None:
    """The answer of that name, if it came."""
    return next((answer for answer in answers if answer["peer"] == name), None)


def _public(answers: list[Answer], peers: dict[str, Answer | None]) -> list[str]:
    """The promises are held to the engine by itself; what the calls for users reach instead."""
    names = (ENGINE, "dyverse native, simulate_many", "dyverse native, simulate")
    lines = []
    for name in names:
        found = [(peer, ratio(answer, named(answers, name))) for peer, answer in peers.items()]
        told = [f"{times:.3g} × {peer}" for peer, times in found if times is not None]
        if told:
            lines.append(f"{name.removeprefix('dyverse native, ')}: {', '.join(told)}")
    about = "Speed by what is called (the promises are held to the engine, which users do not call)"
    return [f"{about}: {'; '.join(lines)}."] if lines else []


def bounce(asker: Asker) -> Section:
    answers = asker.ask("dyverse", "bounce.with_dyverse")
    for peer, script in (
        ("CasADi", "casadi"),
        ("diffrax", "diffrax"),
        ("Siconos", "siconos"),
        ("scikit-sundae", "sundae"),
        ("scipy", "scipy"),
    ):
        answers += asker.ask(peer, f"bounce.with_{script}")
    own = named(answers, ENGINE)
    rows = [
        (
            a["peer"],
            a["version"],
            1e6 * a["seconds"],
            ratio(a, own) or float("nan"),
            a["error"],
            a.get("note", ""),
        )
        for a in sorted(answers, key=lambda a: a["seconds"])
    ]
    siconos, scipy = named(answers, "Siconos event-driven"), named(answers, "scipy RK45")
    return Section(
        title="Twenty bounces, from a model to its result",
        columns=("program", "version", "µs per run", "× engine", "event-time error s", "note"),
        rows=tuple(rows),
        promises=(
            Promise(
                "times faster than Siconos event-driven", ratio(siconos, own), 50, "at least", CALL
            ),
            Promise("times faster than scipy RK45", ratio(scipy, own), 300, "at least", CALL),
            Promise("largest error of an event time (s)", value(own, "error"), 1e-12),
        ),
        notes=(
            "A ball falls 10 m; restitution 0.8; relative tolerance 1e-10 and absolute 1e-12 are "
            "asked of everyone but Siconos, whose own defaults come out more exact than these.",
            "Peers integrate height and speed; dyverse follows the twelve variables of a sphere "
            "in space and has a law of friction at the contact. It sees from the model that loads "
            "are constant, and steps along parabolas; peers are not told.",
            "Models are made and compiled before the clock starts. Siconos, scipy and "
            "scikit-sundae are driven bounce by bounce from Python, as their interfaces ask for; "
            "`simulate` keeps a sampled record of the whole run, of which Python objects are made "
            "when they are asked for, and the engine keeps event times and the final state, like "
            "CasADi and diffrax.",
            *_public(answers, {"Siconos": siconos, "scipy RK45": scipy}),
        ),
    )


def stepping(asker: Asker) -> Section:
    answers = [
        answer
        for peer in ("MuJoCo", "PyBullet", "Drake")
        for answer in asker.ask(peer, f"bounce.with_{peer.lower()}")
    ]
    return Section(
        title="The same ball in engines that step through time",
        columns=(
            "program",
            "version",
            "default step ms",
            *(f"error of impact {i + 1} ms" for i in range(SHOWN)),
            "deepest penetration mm",
            "first rebound m (6.4)",
            "impacts (20)",
            "ms per run",
        ),
        rows=tuple(
            (
                a["peer"],
                a["version"],
                1e3 * a["step"],
                *(1e3 * error for error in _padded(a["errors"])),
                1e3 * a["penetration"],
                a["rebound"],
                a["impacts"],
                1e3 * a["seconds"],
            )
            for a in answers
        ),
        notes=(
            "These have no events: contact is a force or a correction at the next step, so they "
            "answer another question. Accuracy is compared at their default steps, speed is not.",
            "MuJoCo and Drake have no coefficient of restitution: MuJoCo's soft contact is given "
            "the damping of a spring that returns 0.8 (stiffness 1e5/s²), Drake's point contact "
            "(1e5 N/m) no dissipation. PyBullet is told 0.8.",
            "An impact is a turn from falling to rising below 0.5 m: ripples of a resting ball "
            "count too. Not comparable in the other questions: none of the three locates events.",
        ),
    )


def _padded(errors: list[float]) -> list[float]:
    return [*errors, *[float("nan")] * SHOWN][:SHOWN]


def spheres(asker: Asker) -> Section:
    answers = asker.ask("dyverse", "spheres.with_dyverse") + asker.ask(
        "scipy", "spheres.with_scipy"
    )
    own = named(answers, ENGINE)
    exact = named(answers, "scipy DOP853, NumPy callbacks")
    rows = [
        (
            a["peer"],
            a["version"],
            1e6 * a["seconds"],
            ratio(a, own) or float("nan"),
            len(a["times"]),
            _difference(a, exact),
        )
        for a in sorted(answers, key=lambda a: a["seconds"])
    ]
    rk45 = named(answers, "scipy RK45, NumPy callbacks")
    return Section(
        title="Two spheres with friction and spin, two seconds",
        columns=(
            "program",
            "version",
            "µs per run",
            "× engine",
            "impacts",
            "final state, from scipy DOP853",
        ),
        rows=tuple(rows),
        promises=(
            Promise(
                "times faster than scipy RK45, NumPy callbacks",
                ratio(rk45, own),
                100,
                "at least",
                "the steering force asks for some 500 steps of seven rates, in which two bodies "
                "are followed one number at a time",
            ),
        ),
        notes=(
            "The interception game, ball 1 spinning at 20 rad/s; everyone integrates all 24 "
            "variables at 1e-10 and 1e-12. scipy's impacts are a closed form for equal spheres.",
            "RK45 and the native engine use the same pair of formulas (Dormand–Prince 5(4)), the "
            "reference engine DOP853: at this tolerance the higher order needs fewer steps.",
            *_public(answers, {"scipy RK45": rk45, "scipy DOP853": exact}),
        ),
    )


def _difference(a: Answer, b: Answer | None) -> float:
    return float(np.abs(np.subtract(a["final"], b["final"])).max()) if b else float("nan")


def billiard(asker: Asker) -> Section:
    answers = asker.ask("dyverse", "billiard.with_dyverse")
    answers += asker.ask("pooltool", "billiard.with_pooltool")
    own, pool = named(answers, ENGINE), named(answers, "pooltool")
    rows = [
        (
            a["peer"],
            a["version"],
            1e6 * a["seconds"],
            1e6 * float(a.get("worst") or a["seconds"]),
            " / ".join(map(str, a["events"])),
        )
        for a in answers
    ]
    return Section(
        title="A billiard break",
        columns=("program", "version", "µs per event", "worst rack", "events"),
        rows=tuple(rows),
        promises=(
            Promise(
                "µs per event of the native engine",
                value(own, "seconds", 1e6),
                20,
                why="an event begins a new location for all balls, also for those it does not "
                "touch: contact forces, directions and bounds of all of them are found again",
            ),
        ),
        notes=(
            "dyverse: example:billiard-break, 16 balls that roll and slide on a table and fly, 200 "
            "contacts with Coulomb friction, one second, integrated to 1e-10, or along parabolas "
            "while no acceleration changes, as in pooltool. pooltool: three "
            "breaks at the same 10 m/s on its own table with pockets, to rest; between events its "
            "balls move by closed formulas, and each collision is of two bodies.",
            *([f"pooltool: {pool['note']}."] if pool else []),
            *_public(answers, {"pooltool": pool}),
        ),
    )


def contacts(asker: Asker) -> Section:
    random = np.random.default_rng
    made = [(f"stack of {n}", stack(n)) for n in CONTACTS]
    made += [(f"pack of {n}", pack(n, random(SEED))) for n in CONTACTS]
    problems = [Problem(name, p.matrix, p.free, p.friction) for name, p in made]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problems.npz"
        save(path, problems)
        own = asker.ask("dyverse", "contacts.with_dyverse", str(path))
        peers = asker.ask("Siconos", "contacts.with_siconos", str(path))
    rows = [_contact_row(problem.name, own, peers) for problem in problems]
    worst = max((float(row[5]) for row in rows), default=float("nan"))
    tall = next((a for a in own if a["problem"] == f"stack of {CONTACTS[-1]}"), None)
    slower = ", ".join(str(row[0]) for row in rows if float(row[5]) > 1)
    return Section(
        title="One contact problem with friction, at the same true residual",
        columns=(
            "problem",
            "dyverse µs",
            "by",
            "Siconos NSGS dense µs",
            "NSGS blocks µs",
            "dyverse / faster NSGS",
            "Siconos NSN_AC µs",
            "dyverse residual",
            "NSGS residual",
            "NSGS sweeps",
        ),
        rows=tuple(rows),
        promises=(
            Promise(
                "largest time of dyverse over the faster NSGS",
                worst,
                1,
                why="Newton's method does not converge before sweeps have found out which contacts "
                "stick, and each of its steps eliminates a matrix",
            ),
            Promise("true residual of the stack of 100", value(tall, "residual"), TOLERANCE),
        ),
        notes=(
            f"True residual: the natural map over max |c_N|, at most {TOLERANCE:g}. Siconos' own "
            "tolerance is tightened until that holds; a dash means not reached within 100,000 "
            "sweeps (200 Newton steps) or 15 s. dyverse is compiled with that tolerance instead of "
            "its own 1e-12, and ends far below because Newton's method ends quadratically.",
            "Families of `benchmarks/solve.py`: a stack pushed sideways, and a pack in which "
            "every sphere lies on up to three others (hyperstatic). Friction 0.3, all from zero.",
            *([f"Slower than NSGS: {slower}."] if slower else []),
        ),
    )


def _contact_row(name: str, own: list[Answer], peers: list[Answer]) -> tuple[Cell, ...]:
    mine = next((a for a in own if a["problem"] == name), {})
    theirs = {a["solver"]: a for a in peers if a["problem"] == name}
    dense, blocks = theirs.get("NSGS, dense", {}), theirs.get("NSGS, blocks", {})
    nan = float("nan")
    fastest = min(dense.get("seconds", nan), blocks.get("seconds", nan))
    return (
        name,
        1e6 * mine.get("seconds", nan),
        f"{mine.get('solver', '–')}, {mine.get('sweeps', 0)} sweeps",
        1e6 * dense.get("seconds", nan),
        1e6 * blocks.get("seconds", nan),
        mine.get("seconds", nan) / fastest,
        1e6 * theirs.get("NSN_AC, dense", {}).get("seconds", nan),
        mine.get("residual", nan),
        blocks.get("residual", nan),
        blocks.get("sweeps", 0),
    )


STARTS = ("imports", "compiled", "cached", "everything")


def starting(asker: Asker) -> Section:
    found = asker.raw["startup"] = startup.measured()
    models = [row for row in found if "cached" in row]
    helping = next(row["help"] for row in found if "help" in row)
    rows: list[tuple[Cell, ...]] = [
        (row["what"], *(cell for key in STARTS for cell in _pairs(row[key]))) for row in models
    ]
    rows.append(("dyverse --help", *_pairs(helping), *["–"] * 6))
    return Section(
        title="Start-up: model text to the first native result",
        columns=(
            "model",
            *(part for key in STARTS for part in (f"{key} s", "(processor)")),
        ),
        rows=tuple(rows),
        promises=(
            Promise("first result, compiling (s)", max(row["compiled"][0] for row in models), 2),
            Promise("first result, cached (s)", max(row["cached"][0] for row in models), 0.3),
            Promise("dyverse --help (s)", helping[0], 0.3),
        ),
        notes=(
            "By the clock on the wall, which a busy machine lengthens and which the promises are "
            "held to; in brackets the processor's time, the compiler's included. "
            "After imports; the run is 0.2 s of model time. Compiled: with an empty cache, after "
            "`make setup`, which has built what no model changes; everything: as in a package "
            "that nobody has set up, where the first run builds that too. Best of 3, 9 and 3.",
        ),
    )


def _pairs(times: list[float] | tuple[float, float]) -> tuple[float, str]:
    return times[0], f"({times[1]:.2f})"


def growing(asker: Asker) -> Section:
    answers = asker.ask("dyverse", "growth")
    if answers:
        growth.draw(answers, PICTURE)
    return Section(
        title="How the cost of an event grows",
        columns=("balls", "contacts", "events", "steps", "µs per event"),
        rows=tuple(
            (a["balls"], a["contacts"], a["events"], a["steps"], 1e6 * a["seconds"])
            for a in answers
        ),
        notes=(
            "![Cost of an event over the number of balls](growth.png)",
            "example:balls-N, native engine: every pair is a contact, so contacts grow as N²; the "
            "state grows as N. There is no peer for this table.",
        ),
    )


QUESTIONS = {
    "bounce": bounce,
    "stepping": stepping,
    "spheres": spheres,
    "billiard": billiard,
    "contacts": contacts,
    "solids": solids,
    "mechanisms": mechanisms,
    "startup": starting,
    "growth": growing,
}
