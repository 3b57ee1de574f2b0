"""The units of our quantities and of their rates, as FMI writes them: powers of SI units."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as Tree

BASE: dict[str, dict[str, int]] = {
    "m": {"m": 1},
    "m/s": {"m": 1, "s": -1},
    "m/s2": {"m": 1, "s": -2},
    "rad": {"rad": 1},
    "rad/s": {"rad": 1, "s": -1},
    "rad/s2": {"rad": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "N": {"kg": 1, "m": 1, "s": -2},
}
RATES = {"m": "m/s", "m/s": "m/s2", "rad": "rad/s", "rad/s": "rad/s2"}


def add_units(parent: Tree.Element, used: Iterable[str]) -> None:
    """Define the units that are used; without any there is nothing to define."""
    names = sorted({unit for unit in used if unit})
    if not names:
        return
    place = Tree.SubElement(parent, "UnitDefinitions")
    for name in names:
        unit = Tree.SubElement(place, "Unit", name=name)
        Tree.SubElement(unit, "BaseUnit", {part: str(power) for part, power in BASE[name].items()})
