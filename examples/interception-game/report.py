"""The report of the interception game: files for every run, and one web page with all of it."""

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from dyverse import RigidBodyAutomaton, Run, __version__, world_text
from dyverse.exporters.dot import dot
from dyverse.exporters.listing import listing
from dyverse.exporters.plots import plot_run
from dyverse.exporters.run_json import run_json
from dyverse.exporters.table import write_csv
from dyverse.generation.counts import counted
from dyverse.generation.location import Node, RigidLocation
from dyverse.generation.rules import RULES

COLOURS = ("#D55E00", "#009E73", "#0072B2", "#CC79A7")
STICK, TRANS, SLIP = (f"{{ball1-ball2: {mode}}}" for mode in ("stick", "trans", "slip"))
IMPACT, CONTACT = "impact{ball1-ball2}", "contact{ball1-ball2}"
PLACES = {"{}": (0.0, 0.0), IMPACT: (1.3, 1.0), CONTACT: (3.4, 1.0)}
PLACES |= {STICK: (1.5, -0.6), TRANS: (3.4, -0.9), SLIP: (4.9, -0.6)}
BENDS = {(SLIP, "{}"): -0.5, (TRANS, "{}"): -0.25, (STICK, "{}"): -0.05, (TRANS, SLIP): -0.25}
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }
h1, h2 { line-height: 1.2; font-weight: 600 } h2 { margin-top: 2.5rem }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #ddd; text-align: left }
td { font-variant-numeric: tabular-nums } .lost { color: #b5480b } .kept { color: #00704f }
img, svg { max-width: 100%; height: auto } pre { background: #f5f5f5; padding: 1rem; overflow: auto;
  font-size: 12px; max-height: 30rem } summary { cursor: pointer }
"""
CAUTION = """The scan simulates single values of K; between two of them anything may happen, so it
finds violations but proves nothing. Falsification proper, which searches the whole range with the
automaton's own formulas, arrives in a later release."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Played:
    """One game: the run, the lowest height of ball 1 (m), and when it was lost (s), if ever."""

    K: float
    run: Run
    lowest: float
    lost_at: float | None

    @property
    def impacts(self) -> list[float]:
        """When the balls met (s)."""
        return self.run.times("impact")

    @property
    def verdict(self) -> str:
        """What became of the property."""
        return "kept to 2 s" if self.lost_at is None else f"lost at {self.lost_at:.4f} s"


def write_report(folder: Path, played: Sequence[Played], scan: Sequence[Played]) -> Path:
    """Write all files into ``folder``; the answer is the web page."""
    folder.mkdir(parents=True, exist_ok=True)
    automaton = played[0].run.automaton
    assert isinstance(automaton, RigidBodyAutomaton)
    (folder / "display.txt").write_text("\n".join(listing(automaton.skeleton)) + "\n")
    (folder / "automaton.dot").write_text(dot(automaton.skeleton, guards=True))
    for game in played:
        name = folder / f"K-{game.K:g}"
        plot_run(game.run, f"{name}.png", title=f"K = {game.K:g}, {game.verdict}")
        write_csv(game.run, f"{name}.csv")
        Path(f"{name}.json").write_text(json.dumps(run_json(game.run), indent=1))
    rows = [f"{game.K:.2f},{game.lowest!r},{game.lost_at or ''}\n" for game in scan]
    (folder / "scan.csv").write_text("K,lowest_y1,lost_at\n" + "".join(rows))
    draw_overview(played, scan).savefig(folder / "overview.png", dpi=110)
    page = folder / "index.html"
    page.write_text(_page(folder, automaton, played, scan), encoding="utf-8")
    return page


def draw_overview(played: Sequence[Played], scan: Sequence[Played]) -> Figure:
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
    heights = [game.lowest for game in scan]
    right.plot([game.K for game in scan], heights, ".-", color="#333333", linewidth=0.8)
    right.axhline(0, color="#888888", linewidth=0.8)
    right.fill_between([1, 3], 0, min(heights) - 0.5, color="#D55E00", alpha=0.08)
    right.set(xlabel="K", ylabel="lowest y of ball 1 (m)", xlim=(0.97, 3.03))
    right.set(ylim=(min(heights) - 0.5, 1.2), title="Scan by simulation; below 0 the game is lost")
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


def _page(
    folder: Path,
    automaton: RigidBodyAutomaton,
    played: Sequence[Played],
    scan: Sequence[Played],
) -> str:
    kept = [game.K for game in scan if game.lost_at is None]
    parts = [
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width'>",
        f"<title>Interception game</title><style>{STYLE}</style></head><body>",
        "<h1>The interception game</h1>",
        "<p>Ball 1 flies; ball 2 is steered by K to stay under it. The game is lost when the centre"
        " of ball 1 falls to y = 0 within two seconds. Units: m, s, kg, N, J.</p>",
        f"<p>{', '.join(f'K = {game.K:g}: {_verdict(game)}' for game in played)}.</p>",
        _image(folder / "overview.png"),
        f"<h2>Model</h2><pre>{escape(world_text(automaton.world))}</pre>",
        f"<h2>Automaton</h2>{_svg(draw_automaton(automaton))}",
        _counts(automaton),
        _details("The automaton in full (display.txt)", folder / "display.txt"),
        _details("Graphviz source (automaton.dot)", folder / "automaton.dot"),
        f"<h2>Scan by simulation</h2><p>{len(scan)} values of K in [1, 3] were simulated;"
        f" {len(kept)} kept the property, from K = {min(kept):g} to {max(kept):g}. {CAUTION}</p>",
        _table(("K", "impacts", "lowest y of ball 1 (m)", "verdict"), map(_scan_row, scan)),
    ]
    parts += [part for game in played for part in _game(folder, game)]
    return "\n".join([*parts, f"<p>Made by dyverse {__version__}.</p></body></html>\n"])


def _game(folder: Path, game: Played) -> Iterator[str]:
    yield f"<h2>K = {game.K:g}: {_verdict(game)}</h2>"
    yield _image(folder / f"K-{game.K:g}.png")
    events = [
        (f"{e.time:.9f}", e.kind, ", ".join(e.contacts), str(e.target)) for e in game.run.events
    ]
    yield _table(("time (s)", "event", "contacts", "location after"), events)
    yield _table(("variable", "at 2 s"), [(n, f"{x:.6f}") for n, x in game.run.final.items() if x])


def _verdict(game: Played) -> str:
    return f"<span class='{'kept' if game.lost_at is None else 'lost'}'>{game.verdict}</span>"


def _scan_row(game: Played) -> tuple[str, ...]:
    return f"{game.K:.2f}", str(len(game.impacts)), f"{game.lowest:.4f}", game.verdict


def _counts(automaton: RigidBodyAutomaton) -> str:
    size = counted(automaton.skeleton)
    rows = [
        ("dynamical locations", size.dynamical_locations),
        ("contact nodes", size.contact_nodes),
        ("impact nodes", size.impact_nodes),
        ("edges", size.edges),
        *((f"… {RULES[rule].paper} {rule}", n) for rule, n in size.per_rule.items() if n),
    ]
    return _table(("", "number"), ((name, str(number)) for name, number in rows))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
    return f"<table><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>{''.join(lines)}</table>"


def _details(title: str, file: Path) -> str:
    return f"<details><summary>{title}</summary><pre>{escape(file.read_text())}</pre></details>"


def _image(file: Path) -> str:
    data = base64.b64encode(file.read_bytes()).decode()
    return f"<img alt='{file.stem}' src='data:image/png;base64,{data}'>"


def _svg(figure: Figure) -> str:
    text = StringIO()
    figure.savefig(text, format="svg")
    return text.getvalue().partition("<!DOCTYPE")[2].partition(">")[2]
