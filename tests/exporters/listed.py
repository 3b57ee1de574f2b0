"""A listing read back: what its lines define, which names they use, what the names are worth."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

GREEK = "αβγδσν"
NAME = re.compile(rf"(?<![\w.])[A-Za-z_{GREEK}][\w.]*(?:\[[^\[\]]*\])?'?")
CALLS = {
    "sum",
    "most",
    "greatest",
    "closest",
    "hull",
    "within",
    "dot",
    "cross",
    "norm",
    "unit",
    "if",
    "times",
    "solve",
    "turned",
}
CALLS |= {"abs", "acos", "atan2", "max", "min", "sqrt", "sin", "cos", "tan", "sign", "exp", "floor"}
CALLS |= {"log", "tanh"}
WORDS = {"and", "or", "not", "then", "else", "true", "false", "in", "pi", "t"}
COORDINATES = ("x", "y", "z", "rx", "ry", "rz", "qw", "qx", "qy", "qz")
SPEEDS = ("vx", "vy", "vz", "wx", "wy", "wz", "sx", "sy", "sz")
QUANTITIES = COORDINATES + SPEEDS
CONDITION = re.compile(r"\s+(?:Dom:|F:|when|then) (.*)")
DECLARED = re.compile(r"  (?:(?:real|clock|int|bool) )?(\S+) = ")
USED = re.compile(r"    (?:Dom:|when|then|\S+' =) (.*)")
STEP = 1e-6  # s, for rates by differences


@dataclass(frozen=True)
class Definition:
    """``left = right`` under the title that says for whom."""

    title: str
    left: str
    right: str

    @property
    def defined(self) -> list[str]:
        return NAME.findall(self.left)


@dataclass(frozen=True)
class Listing:
    lines: tuple[str, ...]
    definitions: tuple[Definition, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "definitions", tuple(self._definitions()))

    def section(self, title: str) -> list[str]:
        """The lines under a heading."""
        heads = [i for i, line in enumerate(self.lines) if re.fullmatch(rf"{title}( \(.*)?", line)]
        if not heads:
            return []
        rest = self.lines[heads[0] + 1 :]
        return list(rest[: rest.index("")] if "" in rest else rest)

    def names(self, title: str) -> list[str]:
        return [name.strip() for line in self.section(title) for name in line.split(", ")]

    def _definitions(self) -> Iterator[Definition]:
        for heading in ("Init", "Parameters", "Inputs", "Flow F", "Definitions"):
            title = ""
            for line in self.section(heading):
                shallow = not line.startswith("    ")
                if " = " in line and not line.startswith("  t = 0"):
                    left, _, right = line.strip().partition(" = ")
                    yield Definition("" if shallow else title, left, right)
                elif shallow:
                    title = line.strip()

    def used(self) -> set[str]:
        """Every name in an equation, a condition or an assignment."""
        equations = [f"{d.left} {re.sub(', unless set', '', d.right)}" for d in self.definitions]
        shown = (re.sub(r", … and \d+ more", "", line) for line in self.lines)
        conditions = [found[1] for line in shown if (found := CONDITION.match(line))]
        return {
            name.rstrip("'") for text in (*equations, *conditions) for name in NAME.findall(text)
        }

    def declared(self) -> Callable[[str], bool]:
        """Whether a name is a variable, or defined by a line."""
        bodies = [*self.names("Moving bodies"), "α", "γ"]
        bodies += [d.left[1:].partition(".")[0] for d in self.definitions if d.left.startswith("(")]
        known = {f"{body}.{c}" for body in bodies for c in QUANTITIES} | CALLS | WORDS
        schemas = [name.rstrip("'") for d in self.definitions for name in d.defined]
        schemas += [f"{f}[α,β]" for f in ("lambda_N", "lambda_T1", "lambda_T2")]
        for line in self.lines:
            if re.match(r" +[\w.]+(\[[^]]*\])?(, [\w.]+(\[[^]]*\])?)*(, for|: )", line):
                schemas += NAME.findall(re.split(", for|:", line)[0])
        forms = list(map(_pattern, schemas))

        def is_declared(name: str) -> bool:
            if name in known or any(form.fullmatch(name) for form in forms):
                return True
            return any(map(_pattern(name).fullmatch, schemas))  # mass[α] of mass[ball]

        return is_declared


def undefined(lines: Iterable[str]) -> list[str]:
    """The names that a listing of automata, bodies or both uses and does not define."""
    whole = list(lines)
    heads = [i for i, line in enumerate(whole) if line.startswith("Multi-rigid-body")]
    split = heads[0] if heads else len(whole)
    automata, bodies = whole[:split], Listing(tuple(whole[split:]))
    declared = [found[1] for line in automata if (found := DECLARED.match(line))]
    used = {
        name for line in automata if (found := USED.match(line)) for name in NAME.findall(found[1])
    }
    is_declared = bodies.declared()
    everything = used | bodies.used()
    return sorted(name for name in everything - set(declared) if not is_declared(name))


@cache
def _pattern(schema: str) -> re.Pattern[str]:
    """A schema as a pattern: a Greek letter stands for a name, σ for a speed, ν for a node."""
    seen: dict[str, str] = {}

    def letter(found: re.Match[str]) -> str:
        if found[0] in seen:
            return f"(?P={seen[found[0]]})"
        seen[found[0]] = f"g{GREEK.index(found[0])}"
        inside = {"σ": rf"[\w.{GREEK}]+", "ν": r"\w+\{.*\}|ν"}.get(
            found[0], rf"[\w{GREEK}]+(?:\.[a-z_]{{3,}}\d*)?"
        )
        return f"(?P<{seen[found[0]]}>{inside})"

    return re.compile(re.sub(f"[{GREEK}]", letter, re.escape(schema)))


Numbers = dict[str, float]
Worth = float | np.ndarray


@dataclass(frozen=True)
class Meaning:
    """What names are worth at a state: the listing's lines, and nothing else, give the numbers.

    ``given`` are numbers of variables; ``node`` is the kind of the computation node, if in one.
    """

    listing: Listing
    given: Numbers
    contacts: tuple[str, ...]  # closed, or of the node
    node: str = ""
    known: dict[str, Worth] = field(default_factory=dict)

    def __call__(self, name: str) -> Worth:
        if name not in self.known:
            self.known[name] = self._rate(name[:-1]) if name.endswith("'") else self._found(name)
        return self.known[name]

    def _found(self, name: str) -> Worth:
        if name in self.given:
            return self.given[name]
        for definition in reversed(self.listing.definitions):
            for place, left in enumerate(definition.defined):
                found = _pattern(left).fullmatch(name)
                if found and self._applies(definition, letters := _letters(left, found)):
                    worth = self._without_forces(definition).worth(definition.right, letters)
                    return worth[place] if definition.left.startswith("(") else worth  # type: ignore[index]
        if name.startswith(("lambda_", "W_", "minv_W_")) or name.partition(".")[2] in QUANTITIES:
            return 0.0  # as the listing says of what it does not list
        raise KeyError(name)

    def _applies(self, definition: Definition, letters: dict[str, str]) -> bool:
        title = definition.title
        if title.startswith(("open[", "stick[", "trans[", "slip[")):
            return False  # equations, not definitions
        if "impact node" in title or "contact node" in title:
            slips = "slip_speed" not in title or self(_put("slip_speed[α,β]", letters)) > 0
            return self.node in title.split() and bool(slips)
        if title.startswith("for α-β in"):
            return f"{letters['α']}-{letters['β']}" in title[11:].split(", ")
        kinds = {"half-space": "outward", "sphere": "radius", "spheres": "radius"}
        if found := re.search(r"of (?:a|two) (half-space|spheres?)(?: and a (\S+))?$", title):
            first, last = found[1], found[2] or found[1]
            return self._is(kinds[first], letters["α"]) and self._is(kinds[last], letters["β"])
        if "an orientation" in title:
            body = letters.get("γ") or letters.get("α") or letters["σ"].partition(".")[0]
            if (f"{body}.qw" in self.given) != ("with an" in title):
                return False
        ends = (letters.get("α"), letters.get("β"))
        return "of it" not in title or letters.get("γ", ends[0]) in ends

    def _is(self, quantity: str, body: str) -> bool:
        return any(f"{quantity}[{body}]" in d.defined for d in self.listing.definitions)

    def _without_forces(self, definition: Definition) -> Meaning:
        if not definition.title.endswith("with every lambda at 0"):
            return self
        free = {name: x for name, x in self.given.items() if not name.startswith("lambda_")}
        return replace(self, given=free, known={})

    def _rate(self, name: str) -> float:
        """The rate of a quantity along F, by a central difference."""
        speeds = [n for n in self.given if n.rpartition(".")[2] in SPEEDS]
        pushed = {n: float(self(f"acceleration[{n}]")) for n in speeds}
        moves = {n: float(self._found(f"{n}'")) for n in self.given if _is_coordinate(n)}

        def later(time: float) -> float:
            changed = {n: self.given[n] + time * x for n, x in (pushed | moves).items()}
            return float(replace(self, given=self.given | changed, known={})(name))

        return (later(STEP) - later(-STEP)) / (2 * STEP)

    def worth(self, right: str, letters: dict[str, str]) -> Worth:
        """The value of an expression, with names in the place of Greek letters."""
        tree = ast.parse(_python(right), mode="eval")
        return self._value(tree.body, letters)

    def _value(self, tree: ast.expr, letters: dict[str, str]) -> Worth:
        match tree:
            case ast.Constant(value=float() | int() as number):
                return float(number)
            case ast.Constant(value=str() as name):
                return self(_put(name, letters))
            case ast.Tuple(elts=parts):
                return np.array([self._value(part, letters) for part in parts])
            case ast.UnaryOp(operand=operand):
                return -self._value(operand, letters)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self._value(left, letters), self._value(right, letters)
                return OPERATORS[type(op)](a, b)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                a, b = self._value(left, letters), self._value(right, letters)
                return float(a < b if isinstance(op, ast.Lt) else a > b)
            case ast.Call(func=ast.Name(id="sum" | "most" as name), args=[part]):
                values = [self._value(part, letters | more) for more in self._all(part, letters)]
                return max(values) if name == "most" else sum(values, 0.0)
            case ast.Call(func=ast.Name(id=name), args=parts):
                return FUNCTIONS[name](*(self._value(part, letters) for part in parts))
            case _:
                raise TypeError(ast.dump(tree))

    def _all(self, part: ast.expr, letters: dict[str, str]) -> Iterator[dict[str, str]]:
        """Everything that the letters without a meaning may stand for."""
        free = [g for g in GREEK if g in ast.unparse(part) and g not in letters]
        pairs = [contact.split("-") for contact in self.contacts]
        if free == ["σ"]:
            speeds = [n for n in self.given if n.rpartition(".")[2] in SPEEDS]
            yield from ({"σ": speed} for speed in speeds)
        elif free == ["γ"]:
            yield from ({"γ": letters[end]} for end in "αβ")
        else:
            yield from (dict(zip(free, pair, strict=True)) for pair in pairs)


def _is_coordinate(name: str) -> bool:
    return name.rpartition(".")[2] in COORDINATES and "." in name


def _letters(schema: str, found: re.Match[str]) -> dict[str, str]:
    return {g: found[f"g{GREEK.index(g)}"] for g in GREEK if g in schema}


def _put(name: str, letters: dict[str, str]) -> str:
    return re.sub(f"[{GREEK}]", lambda found: letters[found[0]], name)


def _python(text: str) -> str:
    """The notation of listings as an expression of Python, names as strings."""

    def quoted(found: re.Match[str]) -> str:
        if found[0] == "if":
            return "if_"
        return found[0] if found[0] in CALLS else repr(found[0])

    return NAME.sub(quoted, re.sub(r" in \[.*|, unless set", "", text)).replace("^", "**")


def _unit(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector / np.linalg.norm(vector))


OPERATORS = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
FUNCTIONS: dict[str, Callable[..., Worth]] = {
    "if_": lambda c, a, b: a if c else b,
    "dot": np.dot,
    "cross": np.cross,
    "times": np.matmul,
    "solve": np.linalg.solve,
    "norm": np.linalg.norm,
    "unit": _unit,
    "abs": abs,
    "max": max,
    "min": min,
    "acos": np.arccos,
    "atan2": np.arctan2,
    "sqrt": np.sqrt,
}
