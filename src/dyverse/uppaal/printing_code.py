"""Declarations and statements as text, one a line; parsing the text gives them back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dyverse.uppaal.printing import (
    declarator_text,
    expression_text,
    expressions_text,
    parameters_text,
    type_text,
    variables_text,
)
from dyverse.uppaal.syntax import (
    Assert,
    Block,
    ChannelPriority,
    Declaration,
    Empty,
    Evaluate,
    For,
    Function,
    Hook,
    If,
    Instantiation,
    Iterate,
    Leave,
    Remark,
    Return,
    Statement,
    SystemLine,
    TypeDefinition,
    Variables,
    While,
)

_STEP = "    "


def declarations_text(declarations: tuple[Declaration, ...]) -> str:
    """Declarations, one after the other; comments beside them stay there."""
    return "\n".join(_joined(declarations))


def _joined(items: tuple[Declaration | Statement, ...]) -> list[str]:
    lines: list[str] = []
    for item in items:
        if isinstance(item, Remark) and item.beside and lines:
            lines[-1] += f" {item.text}"
        else:
            lines.extend(_lines(item))
    return lines


def _lines(item: Declaration | Statement) -> Iterator[str]:
    """The lines of an item; a comment of several lines counts as one, so that it stays as it is."""
    match item:
        case Variables():
            yield variables_text(item)
        case TypeDefinition(type=type_, declarators=declarators):
            yield f"typedef {type_text(type_)} {', '.join(map(declarator_text, declarators))};"
        case Function(result=result, name=name, parameters=parameters, body=body):
            yield f"{type_text(result)} {name}({parameters_text(parameters)})"
            yield from _block(body)
        case Instantiation():
            yield _instantiation(item)
        case ChannelPriority(groups=groups):
            yield f"chan priority {' < '.join(map(expressions_text, groups))};"
        case Hook(kind=kind, updates=updates):
            yield f"{kind} {{ {expressions_text(updates)} }}"
        case SystemLine(groups=groups):
            yield f"system {' < '.join(map(expressions_text, groups))};"
        case Remark(text=text):
            yield text
        case _:
            yield from _statement(item)


def _instantiation(item: Instantiation) -> str:
    parameters = f"({parameters_text(item.parameters)})" if item.parameters else ""
    return f"{item.name}{parameters} = {item.template}({expressions_text(item.arguments)});"


def _block(block: Block) -> Iterator[str]:
    yield "{"
    yield from (f"{_STEP}{line}" for line in _joined(block.items))
    yield "}"


def _statement(
    item: Block | Evaluate | Empty | If | For | Iterate | While | Return | Leave | Assert,
) -> Iterator[str]:
    match item:
        case Block():
            yield from _block(item)
        case Evaluate(expression=expression):
            yield f"{expression_text(expression)};"
        case Empty():
            yield ";"
        case If():
            yield from _branch(item)
        case For(first=first, tests=tests, then=then, body=body):
            head = "; ".join(map(expressions_text, (first, tests, then)))
            yield from _with_body(f"for ({head})", body)
        case Iterate(variable=variable, type=type_, body=body):
            yield from _with_body(f"for ({variable} : {type_text(type_)})", body)
        case While(tests=tests, body=body, kind="do"):
            yield from _with_body("do", body)
            yield f"while ({expressions_text(tests)});"
        case While(tests=tests, body=body):
            yield from _with_body(f"while ({expressions_text(tests)})", body)
        case Return(value=value):
            yield "return;" if value is None else f"return {expression_text(value)};"
        case Leave(word=word):
            yield f"{word};"
        case Assert(condition=condition):
            yield f"assert {expression_text(condition)};"
        case _:
            assert_never(item)


def _branch(item: If) -> Iterator[str]:
    yield from _with_body(f"if ({expressions_text(item.tests)})", item.yes)
    if item.no is not None:
        yield from _with_body("else", item.no)


def _with_body(head: str, body: Statement) -> Iterator[str]:
    yield head
    for line in _lines(body):
        yield line if isinstance(body, Block) else f"{_STEP}{line}"
