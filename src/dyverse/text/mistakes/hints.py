"""What someone perhaps meant who wrote something else: habits from other languages and from paper.

In comes the place where the parser stopped, out goes what to write instead, or nothing. The rules
are tried in order; each knows one habit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dyverse.errors import did_you_mean
from dyverse.text.syntax.statements import ENTRIES, HULL_ENTRIES, RESERVED
from dyverse.text.units import UNITS as KNOWN_UNITS

OPERAND = "NUMBER"  # is expected where a number, a name or a bracket can begin
NUMBER_BEHIND = re.compile(r"[\d.]+$")
COMPARED = re.compile(r"[<>!=](?:(?!\b(?:and|or)\b)[^()])*$")  # a condition ends here
LAST_WORD = re.compile(r"([A-Za-z]+)\s*(?:\[[^\]]*(?:\]\s*)?)?$")
IN_INTERVAL = re.compile(r"\[[^\[\]]*$")
QUANTIFIERS = ("always", "eventually", "historically", "once")
INTERVAL = "as an operator it has an interval: until[0, 2]"


def _table(text: str) -> dict[str, str]:
    """Pairs of words, with commas between the pairs."""
    return dict(pair.split() for pair in text.split(","))


LOOK_ALIKE = _table("""
    ≥ >=, ≤ <=, ≠ !=, − -, – -, — -, × *, · *, ⋅ *, ÷ /, ² ^2, ³ ^3, ½ 0.5, √ sqrt(…), π pi, ∧ and,
    ∨ or, ¬ not, ~ not, & and, → ->, ‖ ||, ’ ', ′ '
""")
UNITS = _table("""
    meter m, metre m, meters m, metres m, kilometers km, centimeters cm,
    millimeters mm, sec s,
    second s, seconds s, minute min, minutes min, hour h, hours h, gram g, grams g, kilogram kg,
    kilograms kg, newton N, newtons N, Nm N*m, ° deg, degree deg,
    degrees deg, radian rad, radians rad, kph km/h, kmh km/h, hz Hz, RPM rpm
""")  # what others call them
NO_SHAPES = (
    *("circle", "rectangle", "rod", "cone"),
    *("polygon", "triangle", "particle"),
)
PLANES = ("ground", "floor", "wall", "halfspace", "half_space", "line", "table")
SHAPES = (
    "there are sphere, plane, point, box, capsule, cylinder, disc, ellipsoid "
    "and polyhedron: 'sphere radius 0.5'"
)
MEANT = _table("""
    pos position, location position, at position, place position, vel velocity, speed velocity,
    v velocity, omega spin, angular_velocity spin, weight mass, m mass, orientation rotation,
    angle rotation, static fixed, ball sphere, cube box, cuboid box, block box, brick box,
    mesh hull, convex hull, disk disc, coin disc, wheel disc, can cylinder, tube cylinder,
    moment inertia, r radius, bounciness restitution,
    elasticity restitution, bounce restitution, cor restitution, e restitution, mu friction,
    k stiffness, c damping, d damping, rest length, rest_length length, l length, state location,
    mode location, transition edge, jump edge, var real, float real, double real, variable real,
    integer int, boolean bool, start initial, init initial, inv invariant, guard when, if when,
    then do, reset do, update do, assign do, for until, within until, finally eventually,
    globally always, g always, must always, f eventually, sometimes eventually, previously once
""")  # a word that is none of the language, and the one that was perhaps meant
NUMBERS = "a number has digits, one point and an exponent, such as 1000, 0.5 or 1e-3"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the parser stopped: what it found and what it expected, and the text on both sides.

    ``said`` is the statement up to there, ``rest`` the line from there on.
    """

    found: str
    expected: frozenset[str]
    said: str
    rest: str

    @property
    def statement(self) -> str:
        """The word that the statement begins with."""
        return next(iter(self.said.split(maxsplit=1)), "")

    @property
    def behind(self) -> str:
        """What stands before it on the same line."""
        return self.said.rpartition("\n")[2]

    def can_be(self, word: str) -> bool:
        """Whether a word of the language could stand here."""
        return bool({word.upper(), f"_{word.upper()}"} & self.expected)


Rule = Callable[[Place], str]


def hint(place: Place) -> str:
    """What to write instead, or nothing."""
    return next(filter(None, (rule(place) for rule in RULES)), "")


def taken_for_name(place: Place) -> tuple[str, str] | None:
    """A word of others for ``always``, which the parser took for a name, and what to write."""
    said = LAST_WORD.search(place.behind)
    if place.statement != "property" or said is None:
        return None
    if said[1].lower() == "never":
        return said[0], "write 'always not (…)'"
    meant = MEANT.get(said[1].lower(), "")
    if meant in ("always", "eventually", "once"):
        return said[0], f"write {meant!r}"
    if did_you_mean(said[1], QUANTIFIERS) and said[1] not in QUANTIFIERS:
        return said[0], did_you_mean(said[1], QUANTIFIERS).removeprefix("; ")
    return None


def _comment(place: Place) -> str:
    marks = ("/*", "*/", "<!--", "%%") + (("--",) if "$END" in place.expected else ())
    if place.rest.startswith(marks):
        return "a comment begins with '#' or '//' and ends with its line"
    return ""


def _decimal(place: Place) -> str:
    """``0,5`` for ``0.5``, also as an end of a range."""
    whole = re.search(r"([\d.]+),?$", place.behind)
    part = re.match(r",?(\d+)", place.rest)
    comma = place.found == "," and not place.rest[1:2].isspace()
    comma = comma or (place.behind.endswith(",") and place.expected == {"NAME"})
    if place.found == "," and (ends := re.search(r"\[\s*(\d+),(\d+)$", place.behind)):
        return f"a range has two ends, [LOW, HIGH]; write a decimal point: {ends[1]}.{ends[2]}"
    if not (comma and whole and part):
        return ""
    return NUMBERS if "." in whole[1] else f"write a decimal point: {whole[1]}.{part[1]}"


def _separator(place: Place) -> str:
    if place.found == ";" and place.statement == "property" and IN_INTERVAL.search(place.behind):
        return "write ',' between the ends of an interval"
    if place.found == ";" and re.search(r"\bdo\b[^{}]*$", place.said):
        return "write ',' between assignments"
    if place.found == ";":
        return "leave out ';': statements and entries follow each other without it"
    if place.found != ",":
        return ""
    if place.statement == "system":
        return "write '||' between automata"
    if place.statement == "channel":
        return "give each channel a statement of its own"
    return "leave out ',': entries follow each other without it" * ("RBRACE" in place.expected)


def _operator(place: Place) -> str:
    """Signs of other languages."""
    found = place.found
    if found == "*" and place.behind.endswith("*"):
        return "write '^' for a power: x^2"
    if found == "||" and "_OR" in place.expected:
        return "write 'or'"
    if found == "|" and "PARALLEL" in place.expected:
        return "write '||'"
    if found == "|" and OPERAND in place.expected:
        return "write abs(…)"
    if found == "!" and OPERAND in place.expected:
        return "write 'not'"
    if found == ">" and place.behind.endswith("<"):
        return "write '!='"
    if found == ">" and place.behind.endswith("-"):
        return _implies(place)
    if found == "%":
        return "a remainder is a - b*floor(a/b)"
    if not found.isprintable():
        return "take out this character, which cannot be seen"
    return f"write '{LOOK_ALIKE[found]}'" if found in LOOK_ALIKE else ""


def _implies(place: Place) -> str:
    return "write 'implies'" if place.statement == "property" else "write 'not a or b'"


def _equals(place: Place) -> str:
    if place.rest.startswith(("=>", "=<")):
        compared = place.rest[1] == ">" and COMPARED.search(place.behind)
        return _implies(place) if compared else f"write '{place.rest[1]}='"
    if place.found == "=" and "COMPARISON" in place.expected:
        return _value_or_equation(place)
    if place.found == "=" and OPERAND in place.expected:
        return "leave out '='"
    if place.found == ":=" and "EQUAL" in place.expected:
        return "write '='"
    return "leave out ':'" if place.found == ":" and "LBRACE" in place.expected else ""


def _value_or_equation(place: Place) -> str:
    """``position x = 1`` and ``surface x = 0`` give no condition."""
    if re.search(r"\bsurface\b[^{}]*$", place.said):
        return "write what is zero on the surface: surface x - 1"
    if place.statement in ("body", "spring", "damper", "contact"):
        return "write a number, or a vector such as (0, 1, 0)"
    return "compare with '=='"


def _branch(place: Place) -> str:
    if "_DO" in place.expected or "_WHEN" in place.expected:
        return ""
    if place.found in ("?", "if", "elif", "elsif", "elseif"):
        return "write 'if a > 1 then b else c'"
    return ""


def _bracket(place: Place) -> str:
    if place.found == ")" and place.behind.rstrip().endswith(","):
        return "leave out ',' before it"
    if place.found in ("[", "{", "<") and OPERAND in place.expected:
        return "a vector has round brackets: (0, 1, 0)"
    if "LSQB" in place.expected and re.search(r"\bin\s*$", place.behind):
        return "a range has square brackets: [0, 1]"
    if place.found == "}" and "$END" in place.expected:
        return "there is no '{' that it closes"
    if place.found == ")" and place.statement == "property" and IN_INTERVAL.search(place.behind):
        return "write ']': both ends of an interval belong to it"
    if place.found == ")" and place.said.count("(") <= place.said.count(")"):
        return "there is no '(' that it closes"
    return ""


def _unit(place: Place) -> str:
    """``5 metres``, ``(1 + 2) cm``."""
    number = NUMBER_BEHIND.search(place.behind.rstrip())
    if number and place.found in UNITS and OPERAND not in place.expected:
        return f"write {number[0]} {UNITS[place.found]}"
    if place.found in KNOWN_UNITS and place.behind.rstrip().endswith(")"):
        return f"a unit stands behind a number; write '*1 {place.found}'"
    return ""


def _product(place: Place) -> str:
    """``2 x``, numbers of other languages, and ``position 0 1 0``."""
    before, rest = place.behind.rstrip(), place.rest
    touches = before == place.behind
    if not re.search(r"[\d)]$", before):
        return ""
    if touches and re.match(r"_\d|[eE](?!\w)|[xX][0-9a-fA-F]|\.", rest):
        return NUMBERS
    if before[-1].isdigit() and re.match(r"[\d.]", rest):
        if "COMMA" in place.expected and "$END" not in place.expected:
            return "write ',' between the numbers"
        return "two numbers stand beside each other; a vector is written (0, 1, 0)"
    factor = re.match(r"\(|[A-Za-z_]\w*\s*(?:$|[-+*/^),#])", rest)
    beside = touches or before[-1].isdigit()
    return "write '*' to multiply" if factor and beside and "RBRACE" not in place.expected else ""


def _name(place: Place) -> str:
    """Names that cannot be."""
    if place.statement == "property" and {"NAME", "COLON"} & place.expected:
        return "a property has a name: property up: always ball.y > 0"
    foreign = place.found == "-" or (place.found.isalpha() and not place.found.isascii())
    if foreign and re.search(r"\w$", place.behind) and _behind_name(place):
        return "a name has letters a to z, digits and '_'"
    if "NAME" not in place.expected or "REFERENCE" in place.expected:
        return ""
    if place.statement == "impact":
        return "name the law: impact newton, impact poisson, or impact sequence"
    if place.statement == "contact" and place.found in ("-", ","):
        return "name two bodies: contact ball floor"
    if place.statement in ("force", "torque") and place.found == "(":
        return f"name the body first: {place.statement} ball (0, 1, 0)"
    if place.found.startswith(("'", '"', "“", "„")):
        return "a name has no quotes"
    if place.found in RESERVED:
        return f"{place.found!r} is a word of the language and cannot be a name"
    return "a name begins with a letter" if re.match(r"\d", place.found) else ""


def _behind_name(place: Place) -> bool:
    """Whether a name that is being introduced has just ended."""
    return bool({"LBRACE", "EQUAL"} & place.expected) and place.statement != "contact"


def _point(place: Place) -> str:
    """``ball.velocity.x``."""
    if place.found.startswith(".") and re.search(r"[A-Za-z_]\w*\.\w+$", place.behind):
        return "a quantity has one point: ball.x, ball.vx, ball.wx or ball.rx"
    if place.found.isdecimal() and re.search(r"\w\[\s*$", place.behind):
        return "a quantity is written ball.x, a signal gap[ball, floor]"
    return ""


def _word(place: Place) -> str:
    """Words of others for what the language has, and for what it has not."""
    word = place.found.lower()
    if place.can_be("sphere") and word in NO_SHAPES:
        return f"there is no such shape; {SHAPES}"
    if place.can_be("sphere") and word in PLANES:
        return "write 'plane normal (0, 1, 0)'"
    if place.can_be("sync") and (signal := re.match(r"\w+\s*[!?]", place.rest)):
        return f"write 'sync {signal[0]}'"
    if word == "diameter" and place.can_be("radius"):
        return "write 'radius', which is half of it"
    if word in HULL_ENTRIES and place.can_be("sphere"):
        return 'it stands on the line of a mesh: hull "part.stl" scale 0.001'
    if word in ("radius", "normal") and place.can_be("sphere"):
        return f"write {'sphere radius 0.5' if word == 'radius' else 'plane normal (0, 1, 0)'!r}"
    if place.can_be("normal"):
        return "write 'plane normal (0, 1, 0)'"
    if place.statement == "damper" and word in ("stiffness", "length"):
        return "a damper has none; write 'spring'"
    meant = MEANT.get(word, "")
    return f"write {meant!r}" if meant and place.can_be(meant) else ""


def _form(place: Place) -> str:
    """How a whole statement looks."""
    if "LBRACE" in place.expected and place.found in ENTRIES:
        return f"put the entries in braces: {{ {place.found} … }}"
    if place.expected == {"LBRACE"} and place.found in ("(", "["):
        return "put the entries in braces: { … }"
    if "ASSIGN" in place.expected and place.found in ("+", "-", "++", "+="):
        return "write 'x := x + 1'"
    if place.statement == "function" and place.found == "=":
        return "a function has arguments: function f(x) = x^2; a constant is a parameter"
    if place.statement in ("spring", "damper") and place.found == "{":
        ends = f"{place.statement} ball floor {{ … }}"
        return f"it has two ends: {ends}, or a point (0, 0, 0) for one of them"
    if place.statement == "parameter" and place.found == "in":
        return "a parameter has a value: parameter e = 0.5 in [0, 1]"
    if place.statement == "input" and place.found == "(" and "EQUAL" in place.expected:
        return "an input has no arguments; write 'function u(x) = …'"
    if place.found in ("-", " ") and re.search(r"\w\[\s*\w+\s*$", place.behind):
        return "a signal is written gap[ball, floor]"
    return ""


def _requirement(place: Place) -> str:
    """Operators of properties without what belongs to them."""
    if place.statement != "property" or OPERAND in place.expected:
        return ""
    if place.found == "until" and "RPAR" in place.expected:
        return INTERVAL
    return "a condition follows behind it" if place.found in ("implies", "since") else ""


def _pieces(place: Place) -> str:
    """How an input changes in time, without a range or in another order."""
    words = ("pieces", "linear", "switching")
    if place.statement == "input" and place.behind.strip() and did_you_mean(place.found, words):
        return "a range comes first, then the pieces: input u in [0, 1] pieces 3 linear switching"
    return ""


RULES: tuple[Rule, ...] = (
    *(_requirement, _pieces),
    *(_comment, _decimal, _separator, _equals, _branch, _operator, _bracket, _unit),
    *(_word, _point, _product, _form, _name),
)
