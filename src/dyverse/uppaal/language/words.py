"""The words of UPPAAL, and those that cannot be names.

The words of its queries cannot be names of templates and locations either, and no query could ask
for a variable of such a name; what it declares by itself cannot be declared again.
"""

from __future__ import annotations

_KEYWORDS = """
after_update and assert assign before_update bool branchpoint broadcast chan clock commit const
default do double dynamic else exists exit false for forall gantt guard hybrid if import imply init
int IO location meta not or priority probability process progress query return scalar select spawn
state string struct sum sync system trans true typedef urgent void while xor
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
_OF_QUERIES = """
control control_t deadlock bounds foreach imitate inf loadStrategy maxE maxPr minE minPr numOf Pmax
Pr sat saveStrategy simulate simulation strategy sup under X
"""
_PREDEFINED = """
INT8_MIN INT8_MAX UINT8_MAX INT16_MIN INT16_MAX UINT16_MAX INT32_MIN INT32_MAX int8_t uint8_t
int16_t uint16_t int32_t FLT_MIN FLT_MAX DBL_MIN DBL_MAX M_PI M_PI_2 M_PI_4 M_E M_LOG2E M_LOG10E
M_LN2 M_LN10 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
"""
KEYWORDS = frozenset(_KEYWORDS.split())
BUILT_IN: dict[str, int] = {  # name -> number of arguments
    **dict.fromkeys(_OF_ONE.split(), 1),
    **dict.fromkeys(_OF_TWO.split(), 2),
    "fma": 3,
    "random_tri": 3,
}
RESERVED = KEYWORDS | frozenset(BUILT_IN)
TAKEN = RESERVED | frozenset(_OF_QUERIES.split()) | frozenset(_PREDEFINED.split())  # when writing
NOT_SUPPORTED = {  # words that begin something that is not read, and what it is
    "dynamic": "a dynamic template",
    "spawn": "a dynamic process",
    "exit": "the end of a dynamic process",
    "import": "an external library",
    "string": "a text",
    "IO": "an input/output declaration",
    "query": "a query inside XTA",
}
