"""One place asks for the kind of an automaton, none for that of a shape.

See docs/decisions/one-interface.md.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from dyverse.bodies.shapes import SHAPES

PACKAGE = Path(__file__).parents[1] / "src" / "dyverse"
DISPATCH = PACKAGE / "generation" / "parts.py"
KINDS = {"RigidBodyAutomaton", "CoupledAutomaton", "Network", "WrittenAutomaton"}


def asked(text: str) -> list[int]:
    """The lines in which a program asks whether something is one of the kinds of automata."""
    tree = ast.parse(text)
    kinds = KINDS | set(_unions(tree))
    return sorted(line for line, names in _questions(tree) if names & kinds)


def _questions(tree: ast.Module) -> Iterator[tuple[int, set[str]]]:
    """Each `isinstance`, comparison with a class, and pattern of a class, with what it names."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("isinstance" | "issubclass"), args=[_, classes]):
                yield node.lineno, _names(classes)
            case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()]):
                yield node.lineno, _names(node)
            case ast.MatchClass(cls=cls):
                yield cls.lineno, _names(cls)


def _unions(tree: ast.Module) -> Iterator[str]:
    """Names for several kinds at once, as in ``Automaton = WrittenAutomaton | Network``."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=value) if _names(value) & KINDS:
                yield name


def _names(node: ast.AST) -> set[str]:
    found = (part for part in ast.walk(node) if isinstance(part, ast.Name | ast.Attribute))
    return {part.id if isinstance(part, ast.Name) else part.attr for part in found}


def test_only_one_file_asks_for_the_kind_of_an_automaton() -> None:
    """Elsewhere `parts_of` is asked, or the interface."""
    found = {path: lines for path in PACKAGE.rglob("*.py") if (lines := asked(path.read_text()))}
    assert found.keys() == {DISPATCH}, found


@pytest.mark.parametrize(
    "question",
    [
        "isinstance(x, Network)",
        "isinstance(x, int | network.Network)",
        "isinstance(x, (int, CoupledAutomaton))",
        "type(x) is WrittenAutomaton",
        "match x:\n    case RigidBodyAutomaton(world=world):\n        pass",
        "Kinds = WrittenAutomaton | Network\nisinstance(x, Kinds)",
    ],
)
def test_questions_of_every_form_are_found(question: str) -> None:
    assert asked(question)


@pytest.mark.parametrize("other", ["isinstance(x, World)", "Network(x)", "x: Network = y"])
def test_other_mentions_are_none(other: str) -> None:
    assert not asked(other)


def test_only_the_list_of_shapes_imports_one() -> None:
    """All others ask what a shape answers: `dyverse.bodies.shape.interface`. A hook is a point."""
    modules = {shape.__module__ for shape in SHAPES.values()}
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if path.parent.name != "shape" and modules & set(_imported(ast.parse(path.read_text())))
    }
    assert found == {"bodies/shapes.py", "bodies/hooks.py"}


def _imported(tree: ast.Module) -> Iterator[str]:
    """The modules from which a program takes names."""
    return (node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
