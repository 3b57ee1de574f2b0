"""``modelDescription.xml`` of version 2.0: what a tool has to know of a model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as Tree

from dyverse.exporters.c.model import Exported
from dyverse.exporters.fmu.units import add_units
from dyverse.exporters.fmu.variables import Variable, variables_of

UNITS = (
    "unit.c",
    "runtime/fmi/references.c",
    "runtime/fmi/instance.c",
    "runtime/fmi/fmi2.c",
)  # what is to be compiled
PLATFORMS = {"linux": "linux64", "darwin": "darwin64", "win32": "win64"}


def description(model: Exported, *, tool: str, says: str = "") -> str:
    """The text of the file."""
    variables = variables_of(model)
    root = Tree.Element(
        "fmiModelDescription",
        fmiVersion="2.0",
        modelName=model.name,
        guid=model.identity,
        description=says,
        generationTool=tool,
        variableNamingConvention="flat",
        numberOfEventIndicators=str(model.indicators),
    )
    _add_interfaces(root, model.name)
    add_units(root, (variable.unit for variable in variables))
    _add_types(root, variables)
    add_log_categories(root)
    add_experiment(root, model.horizon)
    place = Tree.SubElement(root, "ModelVariables")
    for variable in variables:
        _add_variable(place, variable)
    _add_structure(root, variables)
    return xml(root)


def xml(root: Tree.Element) -> str:
    """The text of a whole file."""
    Tree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Tree.tostring(root, encoding="unicode")


def add_log_categories(root: Tree.Element) -> None:
    """What is logged."""
    categories = Tree.SubElement(root, "LogCategories")
    for name in ("logStatusError", "logStatusDiscard"):
        Tree.SubElement(categories, "Category", name=name)


def add_experiment(root: Tree.Element, horizon: float) -> None:
    """How long a run is meant to last (s)."""
    Tree.SubElement(
        root,
        "DefaultExperiment",
        startTime="0",
        stopTime=repr(horizon),
        tolerance="1e-09",
        stepSize=repr(horizon / 500),
    )


def _add_interfaces(root: Tree.Element, identifier: str) -> None:
    both = {"canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true"}
    both["providesDirectionalDerivative"] = "true"
    steps = {"canHandleVariableCommunicationStepSize": "true"}
    for kind, flags in (("ModelExchange", both), ("CoSimulation", steps | both)):
        place = Tree.SubElement(root, kind, {"modelIdentifier": identifier, **flags})
        files = Tree.SubElement(place, "SourceFiles")
        for name in UNITS:
            Tree.SubElement(files, "File", name=name)


def _type_name(variable: Variable) -> str:
    return f"type of {variable.name}"


def _add_types(root: Tree.Element, variables: Iterable[Variable]) -> None:
    chosen = [variable for variable in variables if variable.labels]
    if not chosen:
        return
    place = Tree.SubElement(root, "TypeDefinitions")
    for variable in chosen:
        simple = Tree.SubElement(place, "SimpleType", name=_type_name(variable))
        kind = Tree.SubElement(simple, "Enumeration")
        for number, label in enumerate(variable.labels):
            Tree.SubElement(kind, "Item", name=label, value=str(number))


def _add_variable(place: Tree.Element, variable: Variable) -> None:
    own = {
        "name": variable.name,
        "valueReference": str(variable.reference),
        "causality": variable.causality,
        "variability": variable.variability,
    }
    if variable.says:
        own["description"] = variable.says
    if variable.initial:
        own["initial"] = variable.initial
    scalar = Tree.SubElement(place, "ScalarVariable", own)
    Tree.SubElement(scalar, variable.type.capitalize(), _attributes(variable))


def _attributes(variable: Variable) -> dict[str, str]:
    if variable.type == "enumeration":
        return {"declaredType": _type_name(variable)}
    found = number_attributes(variable)
    if variable.derivative_of is not None:
        found["derivative"] = str(variable.derivative_of + 1)
    return found


def number_attributes(variable: Variable) -> dict[str, str]:
    """Unit, range and start, as far as there are some."""
    found = {"unit": variable.unit} if variable.unit else {}
    numbers = {
        "min": variable.low,
        "max": variable.high,
        "nominal": variable.nominal,
        "start": variable.start,
    }
    for name, number in numbers.items():
        if number is not None and math.isfinite(number):
            found[name] = str(int(number)) if variable.type == "integer" else repr(number)
    return found


def _add_structure(root: Tree.Element, variables: Sequence[Variable]) -> None:
    """Outputs, derivatives, and what is computed at the start; variables are counted from 1."""
    place = Tree.SubElement(root, "ModelStructure")
    outputs = [v for v in variables if v.causality == "output"]
    rates = [v for v in variables if v.derivative_of is not None]
    found = [v for v in variables if v.initial == "calculated"]
    for name, part in (("Outputs", outputs), ("Derivatives", rates)):
        if part:
            group = Tree.SubElement(place, name)
            for variable in part:
                Tree.SubElement(group, "Unknown", index=str(variable.reference + 1))
    if found:
        group = Tree.SubElement(place, "InitialUnknowns")
        for variable in found:
            unknown = Tree.SubElement(group, "Unknown", index=str(variable.reference + 1))
            if variable.depends is not None:
                unknown.set("dependencies", " ".join(str(d + 1) for d in variable.depends))
