"""Two roads to the same number: an expression interpreted, and its terms and formulas."""

from hypothesis import assume, given
from hypothesis import strategies as st

from dyverse.automaton.network.component import Fault
from dyverse.expr.value import holds, value
from dyverse.uppaal.language.expression import Expression
from dyverse.uppaal.language.parse import parsed
from dyverse.uppaal.language.source import plain
from dyverse.uppaal.loading.to_terms import NotSymbolic, Symbolic
from dyverse.uppaal.loading.updates import terms_of
from dyverse.uppaal.meaning.declare import declare
from dyverse.uppaal.meaning.interpret import Machine
from dyverse.uppaal.meaning.scope import Scope
from dyverse.uppaal.meaning.variables import Memory

DECLARED = """
int n, m; bool b; clock x, y; int a[3]; const int c[3] = { 4, -5, 6 }; clock z[2];
int twice(int k) { return 2 * k; }
"""
NUMBERS = ["n", "m", "a[1]", "2", "c[0]", "twice(n)", "a[n]", "c[m]", "-n", "(b ? n : m)"]
TIMES = ["x", "y", "x - y", "z[0]", "z[b ? 1 : 0]", "2 * x"]


def scope() -> Scope:
    found = Scope()
    declare(parsed(plain(DECLARED), "global_part").tree, found, Machine(Memory({})))
    return found


SCOPE = scope()


def _sums(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from(["+", "-", "*", "<?", ">?"])
    return st.builds(lambda a, s, b: f"({a} {s} {b})", inner, signs, inner)


numbers = st.recursive(st.sampled_from(NUMBERS), _sums, max_leaves=4)
relations = st.sampled_from(["<", "<=", "==", ">=", ">", "!="])
atoms = st.one_of(
    st.builds(lambda a, s, b: f"{a} {s} {b}", numbers, relations, numbers),
    st.builds(lambda a, s, b: f"{a} {s} {b}", st.sampled_from(TIMES), relations, numbers),
    st.sampled_from(["b", "!b", "forall (i : int[0, 2]) a[i] > n", "exists (i : bool_t) z[i] > m"]),
)


def _formulas(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from(["&&", "||", "imply", "xor"])
    return st.one_of(
        st.builds(lambda a, s, b: f"({a}) {s} ({b})", inner, signs, inner),
        st.builds(lambda a: f"!({a})", inner),
    )


conditions = st.recursive(atoms, _formulas, max_leaves=4).map(
    lambda text: text.replace("bool_t", "int[0, 1]")
)
small = st.integers(-3, 3)


@st.composite
def states(draw: st.DrawFn) -> dict[str, float]:
    names = ("n", "m", "a[0]", "a[1]", "a[2]", "x", "y", "z[0]", "z[1]")
    found = {name: float(draw(small)) for name in names}
    return found | {"b": float(draw(st.booleans()))}


def tree(text: str) -> Expression:
    found = parsed(plain(text), "guard_part")
    assert found.problem is None, (text, found.problem)
    parsed_tree: Expression = found.tree
    return parsed_tree


@given(conditions, states())
def test_a_condition_as_a_formula_holds_where_it_is_true(
    text: str, known: dict[str, float]
) -> None:
    expression = tree(text)
    try:
        formula = Symbolic(SCOPE).formula(expression)
        truth = bool(Machine(Memory(known)).number(expression, SCOPE))
    except (NotSymbolic, Fault):
        assume(False)
    assert holds(formula, known) == truth, text


@given(numbers, states())
def test_exactly_one_case_of_a_number_holds_and_gives_it(
    text: str, known: dict[str, float]
) -> None:
    expression = tree(text)
    try:
        cases = Symbolic(SCOPE).cases(expression)
        number = Machine(Memory(known)).number(expression, SCOPE)
    except (NotSymbolic, Fault):
        assume(False)
    true = [case for case in cases if holds(case.where, known)]
    assert [value(case.term, known) for case in true] == [number], text


targets = st.sampled_from(["n", "m", "a[0]", "x", "y"])
values = st.sampled_from(["n + 1", "m - n", "2 * m", "x + y", "x", "a[0]", "3"])


@given(st.lists(st.tuples(targets, values), max_size=4), states())
def test_assignments_in_sequence_are_the_terms_that_happen_at_once(
    pairs: list[tuple[str, str]], known: dict[str, float]
) -> None:
    updates = tuple(tree(f"{target} = {text}") for target, text in pairs)
    terms = terms_of(updates, SCOPE)
    assume(terms is not None)
    assert terms is not None
    memory = Memory(known)
    try:
        for update in updates:
            Machine(memory).value(update, SCOPE)
    except Fault:
        assume(False)
    assert {name: value(term, known) for name, term in terms.items()} == memory.changes
