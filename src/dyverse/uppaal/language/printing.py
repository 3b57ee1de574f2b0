"""Expressions, types and labels as text that parses back to themselves."""

from __future__ import annotations

from typing import assert_never

from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language.document import Label, LabelValue
from dyverse.uppaal.language.syntax import (
    Declarator,
    Initial,
    Listing,
    Parameter,
    Selection,
    Synchronisation,
    Variables,
)

_LEVELS = (  # from weak to strong; those of one row group to the left
    (":",),
    ("=", "?"),
    ("||", "imply", "xor"),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">=", ">"),
    ("<?", ">?"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
    ("**",),
)
_STRENGTH = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_WEAKEST = _STRENGTH["="]  # an assignment or a choice: both go on to the right as far as they can
_UNARY = len(_LEVELS)
_POSTFIX = _UNARY + 1


def expression_text(expression: ex.Expression) -> str:
    """An expression, with as few brackets as it needs."""
    match expression:
        case ex.Constant(text=text):
            return text
        case ex.Reference(name=name):
            return name
        case ex.Prefix(operator=sign, operand=operand):
            text = _wrapped(operand, _UNARY)
            return f"{sign}({text})" if text[0] in "+-" and sign != "!" else f"{sign}{text}"
        case ex.Suffix(operator=sign, operand=operand):
            return f"{_wrapped(operand, _POSTFIX)}{sign}"
        case ex.Infix(operator=sign, left=left, right=right):
            level = _STRENGTH[sign]
            return f"{_wrapped(left, level)} {sign} {_wrapped(right, level + 1)}"
        case ex.Choice(test=test, yes=yes, no=no):
            first = _wrapped(test, _WEAKEST + 1)
            return f"{first} ? {_wrapped(yes, _WEAKEST)} : {_wrapped(no, _WEAKEST)}"
        case ex.Element(base=base, index=index):
            return f"{_wrapped(base, _POSTFIX)}[{expression_text(index)}]"
        case ex.Member(base=base, name=name):
            text = _wrapped(base, _POSTFIX)
            return f"({text}).{name}" if isinstance(base, ex.Constant) else f"{text}.{name}"
        case ex.Application(function=function, arguments=arguments):
            return f"{_wrapped(function, _POSTFIX)}({expressions_text(arguments)})"
        case ex.Update(operator=sign, target=target, value=value):
            return f"{_wrapped(target, _WEAKEST + 1)} {sign} {_wrapped(value, _WEAKEST)}"
        case ex.Quantifier(kind=kind, variable=variable, type=type_, body=body):
            return f"{kind} ({variable} : {type_text(type_)}) {_wrapped(body, 1)}"
        case _:
            assert_never(expression)


def _wrapped(expression: ex.Expression, at_least: int) -> str:
    text = expression_text(expression)
    return text if _strength(expression) >= at_least else f"({text})"


def _strength(expression: ex.Expression) -> int:
    match expression:
        case ex.Infix(operator=sign):
            return _STRENGTH[sign]
        case ex.Update() | ex.Choice():
            return _WEAKEST
        case ex.Quantifier():
            return 0  # its body goes on as far as it can
        case ex.Prefix():
            return _UNARY
        case _:
            return _POSTFIX


def expressions_text(expressions: tuple[ex.Expression, ...]) -> str:
    """``a, b, c``."""
    return ", ".join(map(expression_text, expressions))


def type_text(type_: ex.Type) -> str:
    """A type with its prefixes."""
    match type_.base:
        case ex.Named(name=name):
            base = name
        case ex.Ranged(low=low, high=high):
            base = f"int[{expression_text(low)}, {expression_text(high)}]"
        case ex.ScalarSet(size=size):
            base = f"scalar[{expression_text(size)}]"
        case ex.Record(fields=fields):
            base = f"struct {{ {' '.join(map(variables_text, fields))} }}"
        case _:
            assert_never(type_.base)
    return " ".join((*type_.prefixes, base))


def variables_text(variables: Variables) -> str:
    """``int a, b[2] = { 1, 2 };``."""
    return f"{type_text(variables.type)} {', '.join(map(declarator_text, variables.declarators))};"


def declarator_text(declarator: Declarator) -> str:
    """``b[2] = { 1, 2 }``."""
    initial = declarator.initial
    value = "" if initial is None else f" = {initial_text(initial)}"
    return f"{declarator.name}{_dimensions(declarator.dimensions)}{value}"


def initial_text(initial: Initial) -> str:
    """An expression, or a list in braces."""
    if not isinstance(initial, Listing):
        return expression_text(initial)
    names = initial.names or ("",) * len(initial.items)
    pairs = zip(names, initial.items, strict=True)
    parts = (f"{name}: {initial_text(i)}" if name else initial_text(i) for name, i in pairs)
    return f"{{ {', '.join(parts)} }}"


def _dimensions(dimensions: tuple[ex.Dimension, ...]) -> str:
    return "".join(f"[{_dimension(dimension)}]" for dimension in dimensions)


def _dimension(dimension: ex.Dimension) -> str:
    return type_text(dimension) if isinstance(dimension, ex.Type) else expression_text(dimension)


def parameters_text(parameters: tuple[Parameter, ...]) -> str:
    """``const int n, chan &c``."""
    return ", ".join(
        f"{type_text(p.type)} {'&' * p.by_reference}{p.name}{_dimensions(p.dimensions)}"
        for p in parameters
    )


def label_text(label: Label) -> str:
    """What is written at a location or an edge."""
    return value_text(label.value)


def value_text(value: LabelValue) -> str:
    """The text of a label's value."""
    match value:
        case None:
            return ""
        case str():
            return value
        case Synchronisation(channel=channel, direction=direction):
            return f"{expression_text(channel)}{direction}"
        case tuple():
            return ", ".join(map(_item, value))
        case _:
            return expression_text(value)


def _item(item: Selection | ex.Expression) -> str:
    if isinstance(item, Selection):
        return f"{item.name} : {type_text(item.type)}"
    return expression_text(item)
