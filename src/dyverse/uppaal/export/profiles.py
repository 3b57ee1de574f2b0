"""Networks as files for checkers: three profiles, each a text.

- ``stub``: timed automata for UPPAAL's symbolic checker, hybrid objects by their signals;
- ``smc``: hybrid automata for UPPAAL's statistical checker;
- ``tck``: timed automata for TChecker, hybrid objects by their signals.
"""

from __future__ import annotations

from collections.abc import Iterable

from dyverse.automaton.network.network import Network
from dyverse.automaton.signal_bounds import Bounds
from dyverse.uppaal.export.smc import DEFAULTS, Options, statistical
from dyverse.uppaal.export.stub import stubbed
from dyverse.uppaal.export.tck import tchecker
from dyverse.uppaal.export.writing import document_of
from dyverse.uppaal.files.to_xml import xml_text
from dyverse.uppaal.language.syntax import Declaration, Remark

__all__ = ["tchecker", "uppaal_smc", "uppaal_stub"]


def uppaal_stub(
    network: Network,
    bounds: Iterable[Bounds] = (),
    *,
    unit: float = 1.0,
    offered: Iterable[str] = (),
) -> str:
    """The network as timed automata; ``bounds`` are the times between the signals of objects.

    Times are counted in ``unit`` seconds.
    """
    found = stubbed(network, bounds, unit=unit, offered=offered)
    remarks: list[Declaration] = [Remark(f"// Times are counted in units of {unit:.9g} s.")]
    remarks += [Remark(f"// {name} stands for a hybrid object.") for name in found.hybrid]
    remarks += [Remark(f"// {bound}") for bound in found.bounds]
    return xml_text(document_of(found.network, remarks=tuple(remarks)))


def uppaal_smc(network: Network, options: Options = DEFAULTS) -> str:
    """The network with its rates, for the statistical checker."""
    return xml_text(document_of(statistical(network, options), hybrid=True))
