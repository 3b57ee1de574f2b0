"""Plain forms: what is called the same is the same, and what is not may be."""

import casadi as ca
import pytest

from dyverse.enclosure.plain import are_same, forms

x, y, z = (ca.SX.sym(name) for name in "xyz")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ca.sqrt(x * x + y * y) - z, ca.sqrt(y * y + x * x) - z),
        (-(x / (y + z) * 2 + z), -z - 2 * (x / (z + y))),
        ((-x) * (y - z), x * (z - y)),
        ((x - y) ** 2, (y - x) ** 2),
        (x * y - y * x, ca.SX(0)),
    ],
)
def test_order_and_signs_do_not_matter(one: ca.SX, other: ca.SX) -> None:
    assert are_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [(x - y, y - x), (x / y, y / x), (ca.sin(x), ca.sin(-x)), (x + y, x - y), (x * 2, x * 3)],
)
def test_what_differs_has_another_form(one: ca.SX, other: ca.SX) -> None:
    assert not are_same(one, other)


def test_nothing_has_one_form() -> None:
    assert forms([x - x, ca.SX(0), (x - y) + (y - x)]) == [(0, 0)] * 3
