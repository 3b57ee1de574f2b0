"""``modelDescription.xml`` and ``buildDescription.xml`` of version 3.0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as Tree

from dyverse.exporters.c.model import Exported
from dyverse.exporters.c.quantities import free_name
from dyverse.exporters.fmu.fmi2 import add_experiment, add_log_categories, number_attributes, xml
from dyverse.exporters.fmu.units import add_units
from dyverse.exporters.fmu.variables import Variable, variables_of

UNITS = (
    "unit.c",
    "runtime/fmi/references.c",
    "runtime/fmi/instance.c",
    "runtime/fmi/fmi3.c",
)  # what is to be compiled
SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
BOTH = (
    "canGetAndSetFMUState",
    "canSerializeFMUState",
    "providesDirectionalDerivatives",
)
TOLD = "needsCompletedIntegratorStep"  # for what drifts off contacts and joints
STEPS = (
    "canHandleVariableCommunicationStepSize",
    "canReturnEarlyAfterIntermediateUpdate",
    "hasEventMode",
    "providesIntermediateUpdate",
)
TYPES = {"real": "Float64", "integer": "Int64", "enumeration": "Enumeration"}


def description(model: Exported, *, tool: str, says: str = "") -> str:
    """The text of ``modelDescription.xml``."""
    variables = variables_of(model)
    root = Tree.Element(
        "fmiModelDescription",
        fmiVersion="3.0",
        modelName=model.name,
        instantiationToken=model.identity,
        description=says,
        generationTool=tool,
        variableNamingConvention="flat",
    )
    for kind, flags in (("ModelExchange", (*BOTH, TOLD)), ("CoSimulation", (*BOTH, *STEPS))):
        own = {"modelIdentifier": model.name, **dict.fromkeys(flags, "true")}
        Tree.SubElement(root, kind, own)
    add_units(root, (variable.unit for variable in variables))
    _add_types(root, variables)
    add_log_categories(root)
    add_experiment(root, model.horizon)
    time = len(variables)
    place = Tree.SubElement(root, "ModelVariables")
    for variable in variables:
        _add_variable(place, variable)
    independent = {"causality": "independent", "variability": "continuous"}
    name = free_name("time", {variable.name for variable in variables})
    _add_float(place, name, time, independent)
    indicators = range(time + 1, time + 1 + model.indicators)
    for number, reference in enumerate(indicators):
        local = {"causality": "local", "variability": "continuous", "initial": "calculated"}
        _add_float(place, f"indicator[{number}]", reference, local)
    _add_structure(root, variables, indicators)
    return xml(root)


def build_description(model: Exported) -> str:
    """The text of ``sources/buildDescription.xml``: what is to be compiled."""
    root = Tree.Element("fmiBuildDescription", fmiVersion="3.0")
    place = Tree.SubElement(root, "BuildConfiguration", modelIdentifier=model.name)
    files = Tree.SubElement(place, "SourceFileSet", language="C99")
    for name in UNITS:
        Tree.SubElement(files, "SourceFile", name=name)
    return xml(root)


def _type_name(variable: Variable) -> str:
    return f"type of {variable.name}"


def _add_types(root: Tree.Element, variables: Iterable[Variable]) -> None:
    chosen = [variable for variable in variables if variable.labels]
    if not chosen:
        return
    place = Tree.SubElement(root, "TypeDefinitions")
    for variable in chosen:
        kind = Tree.SubElement(place, "EnumerationType", name=_type_name(variable))
        for number, label in enumerate(variable.labels):
            Tree.SubElement(kind, "Item", name=label, value=str(number))


def _add_float(
    place: Tree.Element, name: str, reference: int, attributes: dict[str, str]
) -> Tree.Element:
    own = {"name": name, "valueReference": str(reference), **attributes}
    return Tree.SubElement(place, "Float64", own)


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
    if variable.type == "enumeration":
        own["declaredType"] = _type_name(variable)
    else:
        own |= number_attributes(variable)
    if variable.derivative_of is not None:
        own["derivative"] = str(variable.derivative_of)
    Tree.SubElement(place, TYPES[variable.type], own)


def _add_structure(
    root: Tree.Element, variables: Sequence[Variable], indicators: Iterable[int]
) -> None:
    place = Tree.SubElement(root, "ModelStructure")
    for variable in variables:
        if variable.causality == "output":
            Tree.SubElement(place, "Output", valueReference=str(variable.reference))
    for variable in variables:
        if variable.derivative_of is not None:
            rate = str(variable.reference)
            Tree.SubElement(place, "ContinuousStateDerivative", valueReference=rate)
    for variable in variables:
        if variable.initial == "calculated":
            unknown = Tree.SubElement(place, "InitialUnknown")
            unknown.set("valueReference", str(variable.reference))
            if variable.depends is not None:
                unknown.set("dependencies", " ".join(map(str, variable.depends)))
    for reference in indicators:
        Tree.SubElement(place, "EventIndicator", valueReference=str(reference))
