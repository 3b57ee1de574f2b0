"""Declarations and statements as text, one a line; parsing the text gives them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from dyverse.uppaal.language import syntax
from dyverse.uppaal.language.expression import Expression
from dyverse.uppaal.language.printing import (
    declarator_text,
    expression_text,
    expressions_text,
    parameters_text,
    type_text,
    value_text,
    variables_text,
)

_STEP = "    "


def declarations_text(declarations: tuple[syntax.Declaration, ...]) -> str:
    """Declarations, one after the other; comments beside them stay there."""
    return "\n".join(_joined(declarations))


def _joined(items: tuple[syntax.Declaration | syntax.Statement, ...]) -> list[str]:
    lines: list[str] = []
    for item in items:
        if isinstance(item, syntax.Remark) and item.beside and lines:
            lines[-1] += f" {item.text}"
        else:
            lines.extend(_lines(item))
    return lines


def _lines(item: syntax.Declaration | syntax.Statement) -> Iterator[str]:
    """The lines of an item; a comment of several lines counts as one, so that it stays as it is."""
    match item:
        case syntax.Variables():
            yield variables_text(item)
        case syntax.TypeDefinition(type=type_, declarators=declarators):
            yield f"typedef {type_text(type_)} {', '.join(map(declarator_text, declarators))};"
        case syntax.Function(result=result, name=name, parameters=parameters, body=body):
            yield f"{type_text(result)} {name}({parameters_text(parameters)})"
            yield from _block(body)
        case syntax.Instantiation():
            yield _instantiation(item)
        case syntax.ChannelPriority(groups=groups):
            yield f"chan priority {' < '.join(map(expressions_text, groups))};"
        case syntax.Hook(kind=kind, updates=updates):
            yield f"{kind} {{ {expressions_text(updates)} }}"
        case syntax.SystemLine(groups=groups):
            yield f"system {' < '.join(map(expressions_text, groups))};"
        case syntax.Progress(measures=measures):
            yield from _braced("progress", map(_measure, measures))
        case syntax.Gantt(lines=rows):
            yield from _braced("gantt", (_chart_line(*row) for row in rows))
        case syntax.Remark(text=text):
            yield text
        case _:
            yield from _statement(item)


def _braced(head: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"{head} {{"
    yield from (f"{_STEP}{line}" for line in lines)
    yield "}"


def _measure(parts: tuple[Expression, Expression | None]) -> str:
    return f"{' : '.join(expression_text(part) for part in parts if part is not None)};"


def _chart_line(
    name: str, selections: tuple[syntax.Selection, ...], bars: tuple[syntax.Bar, ...]
) -> str:
    head = f"{name}({value_text(selections)})" if selections else name
    return f"{head} : {', '.join(map(_bar, bars))};"


def _bar(bar: syntax.Bar) -> str:
    loop = f"for ({value_text(bar.selections)}) " if bar.selections else ""
    return f"{loop}{expression_text(bar.condition)} -> {expression_text(bar.colour)}"


def _instantiation(item: syntax.Instantiation) -> str:
    parameters = f"({parameters_text(item.parameters)})" if item.parameters else ""
    return f"{item.name}{parameters} = {item.template}({expressions_text(item.arguments)});"


def _block(block: syntax.Block) -> Iterator[str]:
    yield "{"
    yield from (f"{_STEP}{line}" for line in _joined(block.items))
    yield "}"


def _statement(
    item: syntax.Block
    | syntax.Evaluate
    | syntax.Empty
    | syntax.If
    | syntax.For
    | syntax.Iterate
    | syntax.While
    | syntax.Return
    | syntax.Assert,
) -> Iterator[str]:
    match item:
        case syntax.Block():
            yield from _block(item)
        case syntax.Evaluate(expression=expression):
            yield f"{expression_text(expression)};"
        case syntax.Empty():
            yield ";"
        case syntax.If():
            yield from _branch(item)
        case syntax.For(first=first, tests=tests, then=then, body=body):
            head = "; ".join(map(expressions_text, (first, tests, then)))
            yield from _with_body(f"for ({head})", body)
        case syntax.Iterate(variable=variable, type=type_, body=body):
            yield from _with_body(f"for ({variable} : {type_text(type_)})", body)
        case syntax.While(tests=tests, body=body, kind="do"):
            yield from _with_body("do", body)
            yield f"while ({expressions_text(tests)});"
        case syntax.While(tests=tests, body=body):
            yield from _with_body(f"while ({expressions_text(tests)})", body)
        case syntax.Return(value=value):
            yield "return;" if value is None else f"return {expression_text(value)};"
        case syntax.Assert(condition=condition):
            yield f"assert {expression_text(condition)};"
        case _:
            assert_never(item)


def _branch(item: syntax.If) -> Iterator[str]:
    yield from _with_body(f"if ({expressions_text(item.tests)})", item.yes)
    if item.no is not None:
        yield from _with_body("else", item.no)


def _with_body(head: str, body: syntax.Statement) -> Iterator[str]:
    yield head
    for line in _lines(body):
        yield line if isinstance(body, syntax.Block) else f"{_STEP}{line}"
