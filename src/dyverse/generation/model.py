"""A whole model: bodies, automata, or both; what it asks, and what can be set in it.

In comes model text, out goes a value that makes its hybrid automaton at any settings. It does not
matter to whoever uses it whether that is a rigid-body automaton, a hand-written one or a network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from dyverse.automaton.fmu.component import Foreign
from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.reading.check import automaton_problems
from dyverse.automaton.reading.description import Declared, Described, expanded
from dyverse.automaton.reading.statements import described
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.check.entries import DRIVES
from dyverse.bodies.check.names import jointed, motion_of, names_of, signal_problem
from dyverse.bodies.check.sanity import time_problems
from dyverse.bodies.hooks import hooked
from dyverse.bodies.joint.joint import JOINT_KINDS
from dyverse.bodies.read import raise_problems, read, world_problems
from dyverse.bodies.shapes import SHAPES, STILL
from dyverse.bodies.signals import in_body_order
from dyverse.bodies.values import known_values, setting_problems
from dyverse.bodies.world import Parameter, Property, World
from dyverse.errors import ModelError, Problem, Span
from dyverse.expr.formula import formula_symbols
from dyverse.expr.requirement import formulas, reach, with_formulas
from dyverse.expr.rewrite import rewritten_formula
from dyverse.expr.term import Term
from dyverse.expr.value import value
from dyverse.generation.automaton import generate
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.courses import steered, steering
from dyverse.generation.drawing import Drawing, drawing_problems, drawings, name_problems
from dyverse.generation.parts import parts_of
from dyverse.given import number_problem
from dyverse.mechanics.seen import meanings, named_in_loads
from dyverse.text.file import model_file_text
from dyverse.text.functions import without_functions
from dyverse.text.instances import automata, systems
from dyverse.text.parse import parse
from dyverse.text.syntax.automata import Kind
from dyverse.text.syntax.statements import BodyStatement, JointStatement
from dyverse.text.syntax.statements import Model as Tree

Settings = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that a text says. Parameters, properties and the horizon are in ``world``."""

    world: World
    described: Described | None = None
    scene: tuple[Drawing, ...] = ()

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All that can be uncertain: parameters, arguments, and starts with a range."""
        if self.described is None:
            return self.world.parameters
        constants = (Parameter(name=c.name, value=c.value) for c in self.described.constants)
        starts = (_start(item) for item in self.described.declared if _is_uncertain(item))
        return (*self.world.parameters, *constants, *starts)

    @property
    def properties(self) -> tuple[Property, ...]:
        """What is asked of it; automata alone have no inputs to observe, so they are put in."""
        if self.world.bodies or not (formulas := self._formulas):
            return self.world.properties
        rewrite = expanded(formulas)
        return tuple(
            replace(
                claim,
                requirement=with_formulas(
                    claim.requirement, lambda formula: rewritten_formula(formula, rewrite)
                ),
            )
            for claim in self.world.properties
        )

    @property
    def _formulas(self) -> dict[str, Term]:
        """What inputs with a formula stand for."""
        inputs = {item.name: item.formula for item in self.world.inputs}
        return {name: formula for name, formula in inputs.items() if formula is not None}

    @property
    def horizon(self) -> Term | None:
        """How long a run is to last (s), if it says so."""
        return self.world.horizon

    @property
    def foreign(self) -> tuple[Foreign, ...]:
        """The FMUs in it: code of others, which runs only if it is trusted."""
        return self.described.foreign if self.described else ()

    def trusting(self) -> Model:
        """The same, with FMUs that may run: they can do all that you can."""
        return replace(self, described=self.described.trusting()) if self.described else self

    def settable(self) -> tuple[str, ...]:
        """The names of arguments and starting values of automata."""
        return self.described.settable() if self.described else ()

    def values(self, settings: Settings) -> dict[str, float]:
        """Every parameter and port by name, at these settings."""
        return known_values(self.world, settings)

    def until(self, settings: Settings, otherwise: float) -> float:
        """The horizon, else when the last property is over, else something else (s).

        Where the model says nothing it is never less than any property looks ahead.
        """
        known = self.values(settings)
        if self.horizon is not None:
            return value(self.horizon, known)
        ends = [claim.over(known) for claim in self.properties if claim.until is not None]
        ahead = [reach(claim.requirement, known) for claim in self.properties]
        return max([max(ends, default=otherwise), *ahead])

    def problems(self, settings: Settings) -> Iterator[Problem]:
        """Settings that cannot be."""
        own = set(self.settable())
        for name in own & settings.keys():
            if wrong := number_problem(settings[name]):
                yield Problem(f"cannot set {name!r} to {settings[name]!r}: {wrong}")
        others = {name: number for name, number in settings.items() if name not in own}
        yield from setting_problems(self.world, others)
        finite = {name: number for name, number in others.items() if not number_problem(number)}
        yield from time_problems(self.world, self.values(finite))

    def automaton(self, settings: Settings | None = None) -> HybridAutomaton:
        """Its automaton, with parameters, ports, arguments or starting values set by name."""
        given = dict(settings or {})
        if self.described is None:
            return generate(self.world, given)
        if problems := list(self.problems(given)):
            raise ModelError(problems)
        automata = self.automata
        if self.world.bodies:
            return CoupledAutomaton(self.world, automata, given)
        known = self.values(given)
        if self._asks_where() and not automata.surfaces:
            return automata.network(known, given)
        return automata.automaton(known, given)

    def _asks_where(self) -> bool:
        """Whether a property names a location: only a network tells where its automata are."""
        assert self.described is not None
        asked = {
            symbol.name
            for claim in self.world.properties
            for formula in formulas(claim.requirement)
            for symbol in formula_symbols(formula)
        }
        return not asked.isdisjoint(self.described.located())

    @property
    def automata(self) -> Described:
        """Its automata, with inputs, gaps and what else follows from the state worked out."""
        assert self.described is not None
        automata = self.described.reading(self._formulas)
        named = named_in_loads(self.world) | steering(self.world) | automata.mentioned()
        automata = automata.flagging(named)
        return automata.reading(self.meant)

    @property
    def meant(self) -> dict[str, Term]:
        """What names stand for that automata read of bodies, such as gaps."""
        if self.described is None or not self.world.bodies:
            return {}
        mentioned = self.described.reading(self._formulas).mentioned()
        return meanings(self.world, mentioned)

    def steered(self) -> Model:
        """The same, whose bodies know how the automata change that move them."""
        if self.described is None or not self.world.bodies:
            return self
        automata = self.described.reading(self._formulas).reading(self.meant)
        return replace(self, world=steered(self.world, automata))

    def unasked(self) -> Model:
        """The same without properties: one automaton is no network for what they ask of it."""
        return replace(self, world=replace(self.world, properties=()))

    def written(self, settings: Settings | None = None) -> WrittenAutomaton:
        """The same where it is one automaton with real variables; else a `ModelError`."""
        if (written := parts_of(self.unasked().automaton(settings)).written) is None:
            raise ModelError([Problem("is not one automaton with real variables")])
        return written


def parse_model(text: str, *, file: str = "<model>") -> Model:
    """The model that ``text`` describes, or a `ModelError` with all its problems."""
    return model_of(parse(text, file=file), text, file=file)


def model_of(whole: Tree, text: str, *, file: str = "<model>") -> Model:
    """The same from the syntax tree of ``text``."""
    written, wrong = without_functions(whole)
    tree = hooked(written)
    world = read(tree)
    found = chain(wrong, world_problems(tree, world), _together(tree), _still(tree))
    drawn = drawing_problems(tree)
    inputs = [item.name for item in world.inputs]
    wrong_automata = automaton_problems(tree, _quantities(tree), inputs, _signals(tree))
    raise_problems(chain(found, wrong_automata, drawn), text, file)
    automata = described(tree, folder=Path(file).parent)
    model = Model(in_body_order(world), automata, drawings(tree))
    try:
        model = model.steered()
    except ModelError as error:
        raise_problems(error.problems, text, file)
    raise_problems(_unfit(model, tree), text, file)
    raise_problems(_unjoined(model), text, file)
    raise_problems(_undrawable(model, tree), text, file)
    return model


def load_model(path: str | Path) -> Model:
    """The model in a file of model text, UTF-8."""
    return parse_model(model_file_text(path), file=str(path))


def _quantities(tree: Tree) -> dict[str, Kind]:
    """The variables of bodies and joints, which automata may read."""
    bodies = [s for s in tree.statements if isinstance(s, BodyStatement)]
    joints = [s for s in tree.statements if isinstance(s, JointStatement) and s.joins]
    turning = jointed(tree)
    owned = [(s.name, motion_of(s, turning).quantities) for s in bodies]
    owned += [(s.name, JOINT_KINDS[s.joins[0].kind.text].variables) for s in joints]
    return {f"{owner.text}.{name}": "real" for owner, names in owned for name in names}


def _signals(tree: Tree) -> Callable[[str], str]:
    """What is wrong with a signal of contacts that an automaton reads, or nothing."""
    names = names_of(tree)
    return lambda name: signal_problem(name, names)


def _together(tree: Tree) -> Iterator[Problem]:
    """Bodies and automata run together only if the text says so."""
    bodies = any(isinstance(s, BodyStatement) for s in tree.statements)
    found = automata(tree)
    if bodies and len(found) == 1 and not systems(tree):
        name = found[0].name
        message = f"bodies and an automaton; write 'system {name.text}' to run them together"
        yield Problem(message, name.span)


def _still(tree: Tree) -> Iterator[Problem]:
    """A model in which nothing could ever happen."""
    bodies = [s for s in tree.statements if isinstance(s, BodyStatement)]
    moving = any(map(_can_move, bodies))
    if not moving and not automata(tree):
        what = "all bodies are fixed" if bodies else "there is no body and no automaton"
        hint = "add a body: body ball { sphere radius 0.5  mass 1 }"
        place = bodies[0].name.span if bodies else Span(1, 1, 2)
        yield Problem(f"nothing moves in this model, for {what}; {hint}", place)


def _can_move(body: BodyStatement) -> bool:
    words = {entry.keyword for entry in body.entries}
    shapes = words & SHAPES.keys()
    return not words & {"fixed", *DRIVES} and (not shapes or bool(shapes - set(STILL)))


def _unfit(model: Model, tree: Tree) -> Iterator[Problem]:
    """What only shows when the automata are put together, at the model's own numbers."""
    if model.described is None:
        return
    try:
        model.automaton()
    except ModelError as error:
        for problem in error.problems:
            yield Problem(problem.message, problem.span or _place(tree))


def _unjoined(model: Model) -> Iterator[Problem]:
    """Joints that do not fit at the start, at the model's own numbers."""
    if model.world.joints and model.described is None:
        try:
            model.automaton()
        except ModelError as error:
            yield from error.problems


def _undrawable(model: Model, tree: Tree) -> Iterator[Problem]:
    """Names in the scene that are none of the model."""
    if not model.scene:
        return
    automaton = model.automaton()
    known = {*automaton.variables, *automaton.observe(automaton.start()), *model.values({})}
    known |= {f"{name}.{place}" for name, place in parts_of(automaton).places()}
    moving = frozenset(automaton.variables)
    constants = {*model.values({}), *model.settable()} - moving
    yield from name_problems(tree, known, constants)


def _place(tree: Tree) -> Span | None:
    found = systems(tree)
    return found[0].instances[0].name.span if found else automata(tree)[0].name.span


def _is_uncertain(item: Declared) -> bool:
    return item.kind in ("real", "clock") and item.limits is not None


def _start(item: Declared) -> Parameter:
    return Parameter(name=item.name, value=item.start, limits=item.limits, span=item.span)
