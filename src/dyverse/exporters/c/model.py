"""A model as C sources: the generated code, the runtime that it needs, and what lies between.

`exported` gives texts by path: ``unit.c`` is all there is to compile, ``runtime/model`` has the
interface, ``dyverse_model.h``, and a program that writes a run as CSV.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from string import Template

import casadi as ca

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.node import NodePlace
from dyverse.automaton.reading.description import Described
from dyverse.bodies.world import World
from dyverse.errors import ExportError
from dyverse.exporters.c import choices, ctext, slopes
from dyverse.exporters.c.preparing import Preparation, Source, preparation
from dyverse.exporters.c.quantities import Kind, Quantity, contact_outputs, free_name, unit_of
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.parts import most_jumps, parts_of
from dyverse.mechanics.system import system_of
from dyverse.native.automata.model import AutomatonModel
from dyverse.native.automata.options import DEFAULTS
from dyverse.native.automata.sheet import Sheet, is_supported, sheet
from dyverse.native.automata.source import source as automaton_source
from dyverse.native.automata.tables import Tables, tables
from dyverse.native.code.codegen import ModelCode, generated
from dyverse.native.code.depths import energy_of
from dyverse.native.coupled.engine import is_supported as is_coupled_supported
from dyverse.native.coupled.library import Links
from dyverse.native.coupled.model import coupled_code
from dyverse.native.header import SOURCES, headers
from dyverse.native.library import Structure
from dyverse.native.model import uncompiled

UNITS = {"bodies": "runtime.c", "automata": "automata/automata.c", "both": "coupled/coupled.c"}
FOLDERS = {
    "bodies": (".", "joint"),
    "automata": (".", "automata"),
    "both": (".", "joint", "automata", "coupled"),
}
# What tools scale absolute tolerances of states by. What comes to rest gets small, and so does the
# error that times of events can stand. Forces of contacts and joints are solved for, and have
# rounding errors; tools that differentiate over a smaller change see little but these.
BODIES, AUTOMATA = 1e-2, 1e-4
PYTHON = "has Python functions, which C cannot call"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exported:
    """A model in C: what the outside sees of it, and the sources by path."""

    name: str
    identity: str
    horizon: float
    settings: tuple[Quantity, ...]
    states: tuple[Quantity, ...]
    outputs: tuple[Quantity, ...]
    indicators: int
    starts: tuple[tuple[int, ...], ...]  # of each state: the settings that its start depends on
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Code:
    """The engine's code of bodies, automata or both."""

    what: str
    text: str
    bodies: tuple[ModelCode, Structure] | None = None
    sheet: Sheet | None = None
    tables: Tables | None = None
    links: Links | None = None

    @property
    def switches(self) -> int:
        """Functions of rates that switch, at most at once."""
        own = len(self.tables.switches) if self.tables else 0
        return own + (len(self.bodies[0].switches) if self.bodies else 0)

    @property
    def columns(self) -> int:
        """Signals that are watched at once, at most."""
        contacts = 2 * self.bodies[1].contacts if self.bodies else 0
        return int(contacts) + (_most_columns(self.tables) if self.tables else 0)


def exported(
    name: str,
    automaton: HybridAutomaton,
    *,
    world: World,
    described: Described | None = None,
    given: Mapping[str, float] | None = None,
    horizon: float = 10.0,
    outputs: frozenset[str] = frozenset(),
) -> Exported:
    """The model ``name`` in C, with such further ``outputs``; see `GROUPS`."""
    code = _code(automaton)
    source = Source(world, described, automaton, dict(given or {}), code.sheet)
    found = preparation(source)
    states = tuple(_states(automaton, code, found))
    settings = _with_seed(code, found, states)
    others = _outputs(automaton, code, outputs)
    shown = (*states, *_under_free_names(others, (*settings, *states)))
    numbers = (code.columns + 2 * code.switches, horizon)
    facts = _facts(automaton, code, found)
    own = (name, settings, states, shown)
    identity = hashlib.sha256("\0".join((code.text, facts, repr(own))).encode()).hexdigest()[:32]
    files = {
        "unit.c": _unit(code.what),
        "model.c": _rooted(code.text),
        "facts.c": facts + _described(name, identity, settings, states, shown, *numbers),
        "CMakeLists.txt": (SOURCES / "model" / "CMakeLists.txt").read_text(encoding="utf-8"),
    }
    return Exported(
        name=name,
        identity=identity,
        horizon=horizon,
        settings=settings,
        states=states,
        outputs=shown,
        indicators=numbers[0],
        starts=found.starts,
        sources={**files, **runtime_files(code.what)},
    )


def _code(automaton: HybridAutomaton) -> _Code:
    parts = parts_of(automaton)
    if parts.coupled is not None:
        return _coupled(parts.coupled)
    if parts.bodies is not None:
        world = replace(parts.bodies.world, properties=())
        code, structure = uncompiled(world, parts.bodies.scene)
        return _Code(what="bodies", text=code.source, bodies=(code, structure))
    written = parts.only_automata
    if written is None or not is_supported(written):
        raise ExportError(f"the model {PYTHON}")
    rows = sheet(written)
    made_tables = tables(rows)
    text = automaton_source(made_tables.recipes)
    return _Code(what="automata", text=text, sheet=rows, tables=made_tables)


def _coupled(automaton: CoupledAutomaton) -> _Code:
    if not is_coupled_supported(automaton):
        raise ExportError(f"the model {PYTHON}")
    made = coupled_code(automaton)
    return _Code(
        what="both",
        text=made.source,
        bodies=(made.bodies, made.structure),
        sheet=made.sheet,
        tables=made.tables,
        links=made.links,
    )


def _most_columns(found: Tables) -> int:
    """Guards of the edges that leave, and invariants, in the places that have most of them."""
    rows = found.rows
    first = rows["leaving_first"]
    leaving = [last - begin for begin, last in pairwise(first)]
    sources: dict[int, int] = {}
    for place, count in enumerate(leaving[: found.counts["places"]]):
        if count:
            owner = rows["edge_component"][rows["leaving"][first[place]]]
            sources[owner] = max(sources.get(owner, 0), count)
    return sum(sources.values()) + found.counts["components"] + 1


def _with_seed(
    code: _Code, found: Preparation, states: tuple[Quantity, ...]
) -> tuple[Quantity, ...]:
    """The settings, and last the seed of choices, if there are some."""
    taken = {item.name for item in (*found.settings, *states)}
    return (*found.settings, *choices.seed(code.sheet, taken))


def _states(automaton: HybridAutomaton, code: _Code, found: Preparation) -> Iterator[Quantity]:
    bodies = code.bodies[1].size if code.bodies else 0
    for i, (name, start) in enumerate(zip(automaton.variables, found.start, strict=True)):
        unit, size = (unit_of(name), BODIES) if i < bodies else ("", AUTOMATA)
        yield Quantity(name=name, unit=unit, value=start, kind=Kind.STATE, index=i, nominal=size)


def _under_free_names(
    outputs: Iterator[Quantity], others: tuple[Quantity, ...]
) -> Iterator[Quantity]:
    """``outputs``, none with a name that the model has given to something else."""
    taken = {item.name for item in others}
    for item in outputs:
        yield replace(item, name=free_name(item.name, taken))


def _outputs(automaton: HybridAutomaton, code: _Code, groups: frozenset[str]) -> Iterator[Quantity]:
    """Outputs that are no states."""
    bodies = parts_of(automaton).bodies
    if bodies:
        says = "energy of motion, gravity and springs"
        yield Quantity(name="energy", unit="J", kind=Kind.ENERGY, says=says)
    if "counts" in groups:
        yield Quantity(name="events", kind=Kind.EVENTS, says="events so far")
        if bodies:
            yield Quantity(name="impacts", kind=Kind.IMPACTS, says="impacts so far")
    if code.sheet and "locations" in groups:
        for i, item in enumerate(code.sheet.components):
            labels = tuple(place.name for place in item.places)
            says = f"the location of {item.name}"
            name = f"location[{item.name}]"
            yield Quantity(name=name, kind=Kind.LOCATION, index=i, says=says, labels=labels)
    if bodies:
        yield from contact_outputs(bodies.contacts, groups)


def _facts(automaton: HybridAutomaton, code: _Code, found: Preparation) -> str:
    """Tables of the engine, and the functions that prepare its numbers."""
    parts = ["/* Generated by dyverse: the model's tables, and what its settings mean. */\n"]
    calls = ""
    bodies = parts_of(automaton).bodies
    functions = [
        found.prepare,
        found.check,
        slopes.slope("dm_prepare_slope_code", found.prepare, (0,)),
    ]
    if code.bodies and bodies:
        parts += _body_facts(bodies, code.bodies[1], most_jumps(automaton, DEFAULTS.max_jumps))
        made, calls = _body_functions(bodies, code.bodies[0])
        functions += made
    if code.tables and code.sheet:
        parts += _automata_facts(automaton, code.tables, code.sheet)
    if code.links:
        links = code.links
        counts = {"driven": links.driven, "offers": links.offers}
        rows = {name: row.tolist() for name, row in links.tables.items()}
        parts.append(ctext.structure("dvc_links", "dm_links", counts, rows))
    parts.append(ctext.ints("dm_spread", found.spread))
    rates, wrappers = slopes.rate_slopes(code.tables)
    parts += ["#undef CASADI_PREFIX\n", generated([*functions, *rates], "dm_facts"), calls]
    if code.tables:
        parts.append(wrappers)
    template = Template((SOURCES / "model" / "prepare.c.in").read_text(encoding="utf-8"))
    numbers = {
        "numbers": len(found.spread),
        "distinct": found.prepare.nnz_out(0),
        "body_numbers": found.body_numbers,
        "checks": found.check.nnz_out(0),
        "positive": found.positive,
        "switches": code.switches,
        "columns": code.columns,
        "board": code.tables.counts["board"] + code.tables.counts["widest"] if code.tables else 0,
        "weighted": int(bool(choices.weights(automaton))),
    }
    return "".join([*parts, template.substitute(numbers)])


def _body_facts(bodies: RigidBodyAutomaton, structure: Structure, jumps: int) -> Iterator[str]:
    rows = {name: row.tolist() for name, row in structure.tables.items()}
    yield ctext.structure("dv_structure", "dm_bodies", structure.counts, rows)
    limits = {"max_jumps": jumps}
    for name in ("gap", "speed", "slip", "acceleration", "rest", "heap"):
        limits[name] = getattr(bodies.tolerances, name)
    yield _tuning("dm_tune_bodies", limits)


def _tuning(name: str, options: Mapping[str, float]) -> str:
    lines = "".join(
        f"    o->{field} = {value if isinstance(value, int) else ctext.number(value)};\n"
        for field, value in options.items()
    )
    return f"\nstatic void {name}(dv_options *o) {{\n{lines}}}\n\n"


def _body_functions(bodies: RigidBodyAutomaton, code: ModelCode) -> tuple[list[ca.Function], str]:
    """Energy, and slopes of energy, loads and contacts; and what calls the last."""
    world = replace(bodies.world, properties=())
    system = system_of(world, tuple(bodies.scene.settings))
    known = system.names
    arguments = [known.time, known.state, known.settings]
    energy = ca.Function("dm_energy_code", arguments, [ca.densify(ca.SX(energy_of(system)))])
    along = slopes.slope("dm_energy_slope_code", energy, (1, 2))
    touching, calls = slopes.contact_slopes(code, system)
    return [energy, along, slopes.load_slope(system), *touching], calls


def _automata_facts(automaton: HybridAutomaton, found: Tables, sheet: Sheet) -> Iterator[str]:
    parts = parts_of(automaton)
    written = parts.written or parts.network
    assert written is not None
    yield ctext.structure("da_structure", "dm_automata", found.counts, found.rows)
    jumps = most_jumps(written, DEFAULTS.max_jumps)
    options = replace(DEFAULTS, max_jumps=jumps).in_c(written.margin, written.grain)
    names = [name for name, _ in headers().typeof("dv_options").fields]
    chosen = {name: getattr(options, name) for name in names} | {"max_steps": 0}
    if parts.bodies:  # for whose search and nodes the runtime's own are right
        chosen = {name: value for name, value in chosen.items() if value}
    yield _tuning("dm_tune_automata", chosen)
    yield ctext.doubles("dm_weights", choices.weights(automaton))
    location = written.start().location
    assert not isinstance(location, NodePlace)
    model = AutomatonModel(sheet, None, None, ())  # type: ignore[arg-type]
    yield ctext.ints("dm_positions", model.positions(location).tolist())
    first = [0]
    for item in sheet.components:
        first.append(first[-1] + len(item.places))
    yield ctext.ints("dm_first_place", first)


def _described(
    name: str,
    identity: str,
    settings: tuple[Quantity, ...],
    states: tuple[Quantity, ...],
    outputs: tuple[Quantity, ...],
    indicators: int,
    horizon: float,
) -> str:
    """What never changes, as `dyverse_describe` tells it."""
    lists = {"setting": settings, "state": states, "output": outputs}
    arrays = "".join(ctext.quantities(f"dm_{word}s", found) for word, found in lists.items())
    counts = ", ".join(str(len(found)) for found in lists.values())
    horizon = horizon if math.isfinite(horizon) else 10.0
    own = f"{ctext.string(name)}, {ctext.string(identity)}, {ctext.number(horizon)}"
    names = ", ".join(f"dm_{word}s" for word in lists)
    facts = f"    {own},\n    {counts}, {indicators},\n    {names}"
    return f"{arrays}\nstatic const dyverse_facts dm_facts = {{\n{facts}}};\n"


def _unit(what: str) -> str:
    template = Template((SOURCES / "model" / "unit.c.in").read_text(encoding="utf-8"))
    engine = "bodies" if what == "bodies" else "automata"
    return template.substitute(
        bodies=int(what != "automata"),
        automata=int(what != "bodies"),
        runtime=UNITS[what],
        engine=f"{engine}.c",
    )


def _rooted(text: str) -> str:
    """Generated code that finds the runtime's headers where they lie in an export."""
    for name, folder in (("dyverse.h", "runtime"), ("automata.h", "runtime/automata")):
        text = text.replace(f'#include "{name}"', f'#include "{folder}/{name}"', 1)
    return text


@cache
def runtime_files(what: str) -> dict[str, str]:
    """The runtime that a model with bodies, automata or both needs, by path."""
    found = {}
    for folder in (*FOLDERS[what], "model"):
        for path in sorted((SOURCES / folder).iterdir()):
            if path.suffix in (".c", ".h"):
                place = path.relative_to(SOURCES).as_posix()
                found[f"runtime/{place}"] = path.read_text(encoding="utf-8")
    return found
