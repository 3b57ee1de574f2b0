"""The words of UPPAAL: those that cannot be names, and the functions that are built in."""

from __future__ import annotations

_KEYWORDS = """
after_update and assert assign before_update bool branchpoint break broadcast case chan clock commit
const continue default do double dynamic else exists exit false for forall foreach gantt guard
hybrid if import imply init int IO location meta not numOf or priority probability process progress
query return scalar select spawn state string struct sum switch sync system trans true typedef
urgent void while xor
"""
_OF_ONE = """
abs fabs exp exp2 expm1 ln log log10 log2 log1p sqrt cbrt sin cos tan asin acos atan sinh cosh tanh
asinh acosh atanh erf erfc tgamma lgamma ceil floor trunc round fint ilogb logb fpclassify isfinite
isinf isnan isnormal signbit isunordered random random_poisson
"""
_OF_TWO = """
fmod fmax fmin fdim pow hypot atan2 ldexp nextafter copysign random_arcsine random_beta random_gamma
random_normal random_weibull
"""
KEYWORDS = frozenset(_KEYWORDS.split())
BUILT_IN: dict[str, int] = {  # name -> number of arguments
    **dict.fromkeys(_OF_ONE.split(), 1),
    **dict.fromkeys(_OF_TWO.split(), 2),
    "fma": 3,
    "random_tri": 3,
}
RESERVED = KEYWORDS | frozenset(BUILT_IN)
NOT_SUPPORTED = {  # words that begin something that is not read, and what it is
    "gantt": "a Gantt chart",
    "progress": "a progress measure",
    "dynamic": "a dynamic template",
    "spawn": "a dynamic process",
    "exit": "the end of a dynamic process",
    "numOf": "the count of dynamic processes",
    "foreach": "a loop over dynamic processes",
    "import": "an external library",
    "string": "a text",
    "IO": "an input/output declaration",
    "query": "a query inside XTA",
    "switch": "a switch",
    "case": "a switch",
}
