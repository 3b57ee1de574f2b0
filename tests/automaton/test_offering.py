"""What something offers beside what it must is found out once for each class."""

from typing import Protocol, runtime_checkable

from dyverse.automaton.offering import offers


@runtime_checkable
class Floored(Protocol):
    @property
    def floors(self) -> int:
        """Some number."""


class Tiled:
    asked = 0

    @property
    def floors(self) -> int:
        Tiled.asked += 1
        return 3


class Bare:
    pass


def test_what_has_all_of_a_protocol_offers_it() -> None:
    assert offers(Tiled(), Floored)
    assert not offers(Bare(), Floored)


def test_properties_are_worked_out_for_the_first_of_a_class_at_most() -> None:
    offers(Tiled(), Floored)
    before = Tiled.asked
    assert all(offers(Tiled(), Floored) for _ in range(10))
    assert Tiled.asked == before
