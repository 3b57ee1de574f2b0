"""A syntax tree as model text; parsing the text gives the tree back."""

from __future__ import annotations

from typing import assert_never

from dyverse.expr.printing import formula_text, requirement_text
from dyverse.text.printing.automata import automaton_text, short_text
from dyverse.text.printing.drawings import scene_text
from dyverse.text.printing.elements import (
    block_text,
    definition_text,
    end_text,
    entry_text,
    joining_text,
    limits_text,
    offering_text,
    part_text,
    value_text,
)
from dyverse.text.syntax.automata import (
    AutomatonStatement,
    ChannelStatement,
    DiscontinuousStatement,
    FunctionStatement,
    SystemStatement,
)
from dyverse.text.syntax.drawings import SceneStatement
from dyverse.text.syntax.statements import (
    BodyStatement,
    ContactStatement,
    ImpactStatement,
    InputStatement,
    JointStatement,
    LoadStatement,
    Model,
    ParameterStatement,
    PlanarStatement,
    PropertyStatement,
    SettingStatement,
    SpringStatement,
    Statement,
)


def model_text(model: Model) -> str:
    """The whole model as text."""
    return "".join(f"{statement_text(statement)}\n" for statement in model.statements)


def statement_text(statement: Statement) -> str:
    """One statement as text; only automata and scenes take more than one line."""
    match statement:
        case ParameterStatement(name=name, value=value, limits=limits):
            return f"parameter {name.text} = {value_text(value)}{limits_text(limits)}"
        case SettingStatement(keyword=keyword, value=value):
            return f"{keyword} {value_text(value)}"
        case ImpactStatement(law=law, option=option):
            return " ".join(["impact", law.text, *(word.text for word in option)])
        case PlanarStatement(normal=normal):
            return "planar" if normal is None else f"planar {value_text(normal)}"
        case BodyStatement(name=name, entries=entries, parts=pieces):
            said = [*map(entry_text, entries), *map(part_text, pieces)]
            return f"body {name.text} {block_text(said)}"
        case InputStatement(definitions=definitions):
            return f"input {', '.join(map(definition_text, definitions))}"
        case LoadStatement(kind=kind, body=body, value=value, at=at):
            point = "" if at is None else f" at {value_text(at)}"
            return f"{kind} {body.text} {value_text(value)}{point}"
        case SpringStatement(kind=kind, body=body, other=other, entries=entries):
            return f"{kind} {body.text} {end_text(other)} {block_text(map(entry_text, entries))}"
        case JointStatement(name=name, joins=joins, entries=entries):
            said = [*map(joining_text, joins), *map(entry_text, entries)]
            return f"joint {name.text} {block_text(said)}"
        case ContactStatement(pair=pair, entries=entries, offers=offers, whens=whens):
            who = "all" if pair is None else f"{pair[0].text} {pair[1].text}"
            parts = [*map(entry_text, entries or ()), *map(offering_text, offers)]
            parts += [f"when {formula_text(when)}" for when in whens]
            return f"contact {who} {'off' if entries is None else block_text(parts)}"
        case PropertyStatement(name=name, requirement=requirement, until=until):
            end = "" if until is None else f" until {value_text(until)}"
            return f"property {name.text}: {requirement_text(requirement)}{end}"
        case FunctionStatement() | ChannelStatement() | SystemStatement():
            return short_text(statement)
        case SceneStatement():
            return scene_text(statement)
        case AutomatonStatement() | DiscontinuousStatement():
            return automaton_text(statement)
        case _:
            assert_never(statement)
