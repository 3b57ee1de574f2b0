"""The report of the interception game: files for every run, and web pages with all of it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from games import Played, Scan, Search
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from dyverse import RigidBodyAutomaton, __version__, example_text, world_text
from dyverse.cli.work.falsify_report import write_report as write_search
from dyverse.cli.work.falsifying import answer_json
from dyverse.exporters import page
from dyverse.exporters.atomic import write_lines
from dyverse.exporters.dot import dot
from dyverse.exporters.listing import listing
from dyverse.exporters.page import Markup, details, heading, link, number, paragraph, picture, table
from dyverse.exporters.plots import run_figure, save
from dyverse.exporters.run_json import run_json
from dyverse.exporters.table import write_csv
from dyverse.generation.skeleton.counts import counted
from dyverse.generation.skeleton.location import Node, RigidLocation
from dyverse.generation.skeleton.rules import RULES

MODEL = "example:interception-game"
COLOURS = ("#D55E00", "#009E73", "#0072B2", "#CC79A7")
STICK, TRANS, SLIP = (f"{{ball1-ball2: {mode}}}" for mode in ("stick", "trans", "slip"))
IMPACT, CONTACT = "impact{ball1-ball2}", "contact{ball1-ball2}"
PLACES = {"{}": (0.0, 0.0), IMPACT: (1.3, 1.0), CONTACT: (3.4, 1.0)}
PLACES |= {STICK: (1.5, -0.6), TRANS: (3.4, -0.9), SLIP: (4.9, -0.6)}
BENDS = {(SLIP, "{}"): -0.5, (TRANS, "{}"): -0.25, (STICK, "{}"): -0.05, (TRANS, SLIP): -0.25}
GAME = """Ball 1 flies; ball 2 is steered by K to stay under it. The game is lost when the centre of
ball 1 falls to y = 0 within two seconds. Units: m, s, kg, N, J."""
CAUTION = """The search follows the margin of the property down along each path of events; the scan
simulates single values of K and knows nothing of its neighbours. Where both find nothing, that is
no proof: between the values that were tried, anything may happen."""


def write_report(
    folder: Path, played: Sequence[Played], scan: Scan, searches: Sequence[Search]
) -> Path:
    """Write all files into ``folder``; the answer is the web page."""
    folder.mkdir(parents=True, exist_ok=True)
    automaton = played[0].run.automaton
    assert isinstance(automaton, RigidBodyAutomaton)
    write_lines(folder / "display.txt", listing(automaton.skeleton, automaton.world))
    write_lines(folder / "automaton.dot", [dot(automaton.skeleton, guards=True)])
    rows = np.column_stack([scan.K, scan.lowest, scan.lost_at]).tolist()
    lines = (",".join("" if np.isnan(x) else repr(x) for x in row) for row in rows)
    write_lines(folder / "scan.csv", ["K,lowest_y1,lost_at", *lines])
    for found in searches:
        answer = answer_json(MODEL, found.question, found.verdict)
        text = example_text("interception-game")
        write_search(folder / found.file, MODEL, found.question, found.verdict, answer, text=text)
    parts = [*_outline(folder, automaton, played, scan), *_searches(searches)]
    parts += [part for game in played for part in _game(folder, game)]
    parts.append(paragraph(f"Made by dyverse {__version__}."))
    page.write_page(folder / "index.html", "The interception game", parts)
    return folder / "index.html"


def draw_overview(played: Sequence[Played], scan: Scan) -> Figure:
    """Paths of the balls for the games played, and the lowest height of ball 1 over K."""
    figure = Figure(figsize=(11, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    for game, colour in zip(played, COLOURS, strict=True):
        for ball, line in (("ball1", "-"), ("ball2", ":")):
            (_, x), (_, y) = (game.run.signal(f"{ball}.{axis}") for axis in "xy")
            label = f"K = {game.K:g}: {game.verdict}" if ball == "ball1" else None
            left.plot(x, y, line, color=colour, label=label)
        right.plot(game.K, game.lowest, "o", color=colour, zorder=3)
    left.axhline(0, color="#888888", linewidth=0.8)
    left.set(xlabel="x (m)", ylabel="y (m)", xlim=(-1.3, 3.2), ylim=(-2.5, 3.4))
    left.set(title="Paths of the centres")
    left.legend(title="— ball 1   ··· ball 2", fontsize=8, loc="upper right")
    right.plot(scan.K, scan.lowest, ".-", color="#333333", linewidth=0.8, markersize=2)
    right.axhline(0, color="#888888", linewidth=0.8)
    right.fill_between([1, 3], 0, scan.lowest.min() - 0.5, color="#D55E00", alpha=0.08)
    right.set(xlabel="K", ylabel="lowest y of ball 1 (m)", xlim=(0.97, 3.03))
    right.set(
        ylim=(scan.lowest.min() - 0.5, 1.2), title="Scan by simulation; below 0 the game is lost"
    )
    return figure


def draw_automaton(automaton: RigidBodyAutomaton) -> Figure:
    """Locations in blue, computation nodes in yellow, edges with the names of their rules."""
    figure = Figure(figsize=(10, 5.6), layout="constrained")
    axes = figure.subplots()
    boxes = {name: _box(axes, name) for name in PLACES}
    for edge in automaton.skeleton.edges():
        a, b = _name(edge.source), _name(edge.target)
        (x, y), (u, v), bend = PLACES[a], PLACES[b], BENDS.get((a, b), 0.12)
        style = {"arrowstyle": "-|>", "color": "#777777", "connectionstyle": f"arc3,rad={bend}"}
        ends = {"patchA": boxes[a], "patchB": boxes[b], "shrinkA": 0, "shrinkB": 2}
        axes.annotate("", (u, v), (x, y), arrowprops={**style, **ends}, zorder=3)
        middle = (x + u) / 2 + bend / 2 * (v - y), (y + v) / 2 - bend / 2 * (u - x)
        label = axes.text(*middle, edge.rule, fontsize=7, ha="center", va="center", zorder=4)
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
    axes.set(xlim=(-0.3, 5.7), ylim=(-2.0, 1.3), aspect="equal")
    axes.set_axis_off()
    return figure


def _box(axes: Axes, name: str) -> FancyBboxPatch | None:
    shape, fill = ("round", "#DCEAF5") if name.startswith("{") else ("square", "#FBE9C8")
    box = {"boxstyle": f"{shape},pad=0.7", "facecolor": fill, "edgecolor": "#888888"}
    text = axes.text(*PLACES[name], name, ha="center", va="center", fontsize=9, bbox=box, zorder=2)
    return text.get_bbox_patch()


def _name(location: RigidLocation) -> str:
    return location.name if isinstance(location, Node) else str(location)


def _outline(
    folder: Path, automaton: RigidBodyAutomaton, played: Sequence[Played], scan: Scan
) -> Iterator[Markup]:
    overview = draw_overview(played, scan)
    overview.savefig(folder / "overview.png", dpi=110)
    yield paragraph(GAME)
    for game in played:
        yield paragraph(f"K = {game.K:g}: ", _verdict(game))
    yield picture(overview, "Paths of the balls, and the lowest height of ball 1 over K")
    yield heading("Model")
    yield page.preformatted(world_text(automaton.world))
    yield heading("Automaton")
    yield picture(draw_automaton(automaton), "Locations, nodes and edges", form="svg")
    yield _counts(automaton)
    for title, name in (("The automaton in full", "display.txt"), ("Graphviz", "automaton.dot")):
        text = page.preformatted((folder / name).read_text(encoding="utf-8"))
        yield details(f"{title} ({name})", text)


def _searches(searches: Sequence[Search]) -> Iterator[Markup]:
    yield heading("Falsification")
    yield table(
        ("range", "falsification", "scan by simulation", ""),
        [(one.name, one.told, one.scan.told, link("report", one.file)) for one in searches],
    )
    yield paragraph(CAUTION, " All values: ", link("scan.csv", "scan.csv"), ".")


def _game(folder: Path, game: Played) -> Iterator[Markup]:
    """The files and the section of one game."""
    drawing = run_figure(game.run, title=f"K = {game.K:g}, {game.verdict}")
    save(drawing, folder / f"K-{game.K:g}.png")
    write_csv(game.run, folder / f"K-{game.K:g}.csv")
    write_lines(folder / f"K-{game.K:g}.json", [json.dumps(run_json(game.run), indent=1)])
    yield heading(f"K = {game.K:g}: ", _verdict(game))
    yield picture(drawing, f"The run with K = {game.K:g}")
    events = [
        (f"{e.time:.9f}", e.kind, ", ".join(e.contacts), str(e.target)) for e in game.run.events
    ]
    yield table(("time (s)", "event", "contacts", "location after"), events)
    final = [(name, number(x)) for name, x in game.run.final.items() if x]
    yield table(("variable", "at 2 s"), final)


def _verdict(game: Played) -> Markup:
    return page.marked(game.verdict, "good" if game.lost_at is None else "bad")


def _counts(automaton: RigidBodyAutomaton) -> Markup:
    size = counted(automaton.skeleton)
    rows = [
        ("dynamical locations", size.dynamical_locations),
        ("contact nodes", size.contact_nodes),
        ("impact nodes", size.impact_nodes),
        ("edges", size.edges),
        *((f"… {RULES[rule].paper} {rule}", n) for rule, n in size.per_rule.items() if n),
    ]
    return table(("", "number"), [(name, str(amount)) for name, amount in rows])
