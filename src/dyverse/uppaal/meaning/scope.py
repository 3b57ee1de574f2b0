"""What names mean: constants, variables, channels, types, functions and templates, in scopes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dyverse.errors import Span, did_you_mean
from dyverse.text.tree.builder import Mistake
from dyverse.uppaal.language.document import Template
from dyverse.uppaal.language.expression import Expression
from dyverse.uppaal.language.syntax import Function, Instantiation
from dyverse.uppaal.meaning.kinds import Kind


@dataclass(frozen=True, slots=True)
class Stored:
    """A variable, clock or channel whose leaves are called by ``path``; perhaps a constant.

    The leaves of a constant have fixed ``values``, by path.
    """

    path: str
    kind: Kind
    values: tuple[tuple[str, float], ...] | None = None

    @property
    def is_constant(self) -> bool:
        """Whether it never changes."""
        return self.values is not None


@dataclass(frozen=True, slots=True)
class TypeMeant:
    """A type that a typedef introduced."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class FunctionMeant:
    """A function, and the scope in which it was declared."""

    function: Function
    scope: Scope


@dataclass(frozen=True, slots=True)
class Instantiable:
    """A template, or an instantiation with parameters of its own."""

    template: Template | Instantiation
    scope: Scope
    assigned: frozenset[str] = frozenset()  # parameters that the template assigns, among others


@dataclass(frozen=True, slots=True)
class Alias:
    """An expression under another name: what a parameter stands for."""

    expression: Expression
    scope: Scope


Meaning = Stored | TypeMeant | FunctionMeant | Instantiable | Alias


@dataclass(slots=True, eq=False)
class Scope:
    """Names and their meanings, with a scope around; ``prefix`` begins the paths made here.

    A view of a scope as it once was sees the first ``seen`` of its names.
    """

    around: Scope | None = None
    prefix: str = ""
    names: dict[str, Meaning] = field(default_factory=dict)
    order: dict[str, int] = field(default_factory=dict)
    seen: int | None = None
    is_value: bool = False  # whether it has one name, the value of a select or a quantifier

    def inner(self, prefix: str | None = None) -> Scope:
        """A scope inside this one."""
        return Scope(self, self.prefix if prefix is None else prefix)

    def so_far(self, more: int = 0) -> Scope:
        """The scope as it is now, or will be after so many ``more`` names."""
        seen = len(self.order) + more
        return Scope(self.around, self.prefix, self.names, self.order, seen)

    def find(self, name: str) -> Meaning | None:
        """The meaning of ``name``, here or around."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (
                scope.seen is None or scope.order.get(name, 0) < scope.seen
            ):
                return scope.names[name]
            scope = scope.around
        return None

    def known(self) -> Iterator[str]:
        """All names, the nearest first."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.names
            scope = scope.around

    def add(self, name: str, meaning: Meaning, span: Span | None) -> None:
        """Give ``name`` a meaning; twice in one scope is a mistake."""
        if name in self.names:
            raise mistake(f"{name!r} is declared twice", span)
        self.order[name] = len(self.order)
        self.names[name] = meaning

    def stored(self, name: str, span: Span | None) -> Stored:
        """The variable, clock, channel or constant of that name."""
        meaning = self.find(name)
        if isinstance(meaning, Stored):
            return meaning
        if meaning is None:
            raise mistake(f"unknown name {name!r}{did_you_mean(name, self.known())}", span)
        raise mistake(f"{name!r} is no variable", span)


def mistake(message: str, span: Span | None) -> Mistake:
    """A mistake at ``span``, or at the beginning of the file."""
    return Mistake(message, span or Span(1, 1, 2))
