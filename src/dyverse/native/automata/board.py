"""Where each number has its place on the runtime's board, and pieces of code that use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dyverse.automaton.network.component import Component
from dyverse.expr.formula import formula_symbols
from dyverse.expr.term import Term
from dyverse.native.automata.recipe import TIME, Kind, Recipe, Steps, recipe, sweep_recipe
from dyverse.native.automata.sheet import Sheet

NONE = -1


@dataclass(frozen=True, slots=True)
class Board:
    """The layout that ``c/automata/automata.h`` describes."""

    sheet: Sheet
    slots: Mapping[str, int]  # time, variables, parameters
    shown: Mapping[str, tuple[int, int]]  # places that formulas speak of: component, place
    sides: Mapping[str, int]  # values of functions that switch
    locals: Mapping[tuple[str, str], int]  # node, name
    size: int

    def rate(self, name: str) -> int:
        """The place of a variable's rate."""
        return self.slots[name] + len(self.sheet.variables) + len(self.sheet.parameters)

    def second(self, name: str) -> int:
        """The place of a variable's second rate."""
        return self.rate(name) + len(self.sheet.variables)

    def moved(self) -> dict[str, int]:
        """Everything that can be named in a rate."""
        return {**self.slots, **self.sides}

    def inside(self, node: str) -> dict[str, int]:
        """Everything that can be named in a node."""
        own = {name: place for (where, name), place in self.locals.items() if where == node}
        return {**self.slots, **own}

    def observed(self) -> dict[str, int]:
        """Everything that a property can name: also whether a component is in a place."""
        first = 1 + 3 * len(self.sheet.variables) + len(self.sheet.parameters)
        return {**self.slots, **{name: first + i for i, name in enumerate(self.shown)}}


def board(sheet: Sheet, sides: Sequence[str] = ()) -> Board:
    """The board of an automaton; ``sides`` are names of values of functions that switch."""
    slots = {TIME: 0}
    for name in (*sheet.names, *sheet.parameters):
        slots[name] = len(slots)
    shown = _shown(sheet)
    end = 1 + 3 * len(sheet.variables) + len(sheet.parameters) + len(shown)
    values = {name: end + i for i, name in enumerate(sides)}
    end += len(values)
    names = [(node.name, name) for node in sheet.nodes for name in node.local]
    own = {name: end + i for i, name in enumerate(names)}
    return Board(sheet, slots, shown, values, own, end + len(own))


def _shown(sheet: Sheet) -> dict[str, tuple[int, int]]:
    if not sheet.is_network:
        return {}
    asked = {symbol.name for formula in sheet.watched for symbol in formula_symbols(formula)}
    found: dict[str, tuple[int, int]] = {}
    first = 0
    for i, item in enumerate(sheet.components):
        for k, place in enumerate(item.places):
            if (name := f"{item.name}.{place.name}") in asked:
                found[name] = (i, first + k)
        first += len(item.places)
    return found


def places_before(components: Sequence[Component]) -> list[int]:
    """The number of the first place of each component, among all places."""
    found = [0]
    for item in components:
        found.append(found[-1] + len(item.places))
    return found


@dataclass(slots=True)
class Pieces:
    """Uses of generated functions, in the order of their numbers."""

    board: Board
    recipes: dict[Recipe, int] = field(default_factory=dict)
    function: list[int] = field(default_factory=list)
    picks: list[list[int]] = field(default_factory=list)
    outs: list[int] = field(default_factory=list)
    targets: list[list[int]] = field(default_factory=list)
    steady: list[int] = field(default_factory=list)
    moving: frozenset[str] = field(init=False)  # what changes while time passes, but for time

    def __post_init__(self) -> None:
        self.moving = self.board.sheet.moving

    def add(
        self,
        found: tuple[Recipe, list[str]],
        slots: Mapping[str, int],
        targets: Iterable[int] = (),
    ) -> int:
        """A use of a recipe with these names; its number."""
        made, names = found
        picks = [slots[name] for name in names]
        moving = [names[i] for i in made.moving]
        places = (self.board.rate, self.board.second)
        picks += [place(name) for place in places[: made.orders] for name in moving]
        self.function.append(self.recipes.setdefault(made, len(self.recipes)))
        self.picks.append(picks)
        self.outs.append(made.results)
        self.targets.append(list(targets))
        low = 1 + len(self.board.sheet.variables)
        high = low + len(self.board.sheet.parameters)
        self.steady.append(int(all(low <= pick < high for pick in picks)))
        return len(self.function) - 1

    def terms(self, kind: Kind, terms: Iterable[Term], slots: Mapping[str, int]) -> int:
        """A use of terms; none (-1) for rates that are zero."""
        found = recipe(kind, terms, slots, self.moving)
        if kind in ("rates", "second") and found[0].is_still:
            return NONE
        return self.add(found, slots)

    def sweep(self, steps: Steps, slots: Mapping[str, int]) -> int:
        """Assignments, step after step; none (-1) if there are none."""
        if not any(steps):
            return NONE
        made, names = sweep_recipe(steps, slots)
        return self.add((made, names), slots, (slots[names[int(v[1:])]] for v in made.targets))
