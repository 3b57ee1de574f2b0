"""``terminalsAndIcons.xml`` of FMI 3.0: one terminal for each body and automaton.

What moves together is connected together: the terminal ``ball`` has the members ``x``, ``vx`` and
so on, and matches any other with members of these names.
"""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree as Tree

from dyverse.exporters.c.model import Exported
from dyverse.exporters.fmu.fmi2 import xml

PATH = "terminalsAndIcons/terminalsAndIcons.xml"


def terminals(model: Exported) -> str | None:
    """The text of the file; none if nothing in the model has a name for several variables."""
    named = sorted((s.name.partition(".") for s in model.states if "." in s.name), key=_owner)
    if not named:
        return None
    root = Tree.Element("fmiTerminalsAndIcons", fmiVersion="3.0")
    place = Tree.SubElement(root, "Terminals")
    for owner, members in groupby(named, key=_owner):
        says = f"the state of {owner}"
        own = Tree.SubElement(place, "Terminal", name=owner, matchingRule="bus", description=says)
        for _, _, member in members:
            name = f"{owner}.{member}"
            kinds = {"variableName": name, "memberName": member, "variableKind": "signal"}
            Tree.SubElement(own, "TerminalMemberVariable", kinds)
    return xml(root)


def _owner(parts: tuple[str, str, str]) -> str:
    return parts[0]
