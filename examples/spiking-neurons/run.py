"""Spiking neurons whose synaptic currents a computation node of our own finds: see README.md."""

import argparse

from matplotlib.figure import Figure

from dyverse.automaton.written.writing import automaton, edge, location, node
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.simulation.simulate import simulate

TAU, DECAY = 0.02, 0.005  # s: of the membrane, of the synaptic currents
DRIVE = (1.4, 1.2, 1.1, 0.95)  # the last neuron fires only if the others make it
WEIGHTS = ((0, 0.1, -0.2, 0), (0.3, 0, 0, -0.1), (0.1, 0.2, 0, 0.1), (0.3, 0, 0.2, 0))
Numbers = tuple[float, ...]


def neurons(drive: Numbers = DRIVE, weights: tuple[Numbers, ...] = WEIGHTS) -> WrittenAutomaton:
    cells = range(1, len(drive) + 1)
    sigma = [f"/(1 + exp(-8*(V{j} + u{j} - 0.7)))" for j in cells]  # from guesses u of the currents
    found = [" + ".join(f"({w}){s}" for w, s in zip(row, sigma, strict=True)) for row in weights]
    miss = " + ".join(f"abs(u{i} - ({found[i - 1]}))" for i in cells)  # the residual
    synapses = node(
        "synapses",
        local=" ".join(f"u{i}" for i in cells),
        entrance={f"u{i}": f"I{i}" for i in cells},
        steps={f"current {i}": {f"u{i}": found[i - 1]} for i in cells},
        residual=miss,
        converged=f"{miss} <= 1e-12",
        exit={f"I{i}": f"u{i}" for i in cells},
    )
    rates = {f"V{i}": f"(I{i} + {drive[i - 1]} - V{i})/{TAU}" for i in cells}
    rates |= {f"I{i}": f"-I{i}/{DECAY}" for i in cells}
    edges = [edge("charge", "synapses", f"V{i} >= 1", action=f"spike {i}") for i in cells]
    edges += [edge("synapses", "charge", f"V{i} >= 1", {f"V{i}": 0}) for i in cells]
    return automaton(
        variables=" ".join(rates),
        locations=[location("charge", rates)],
        nodes=[synapses],
        edges=edges,
        initial=("charge", {}),
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="draw spikes and voltages")
    file, run = parser.parse_args().plot, simulate(neurons(), until=0.2)
    print(*(f"{e.time:.6f} s  {e.kind}  ({e.remark})" for e in run.events), sep="\n")
    if file:
        figure = Figure(figsize=(8, 5), layout="constrained")
        raster, voltage = figure.subplots(2, sharex=True, height_ratios=(1, 3))
        for i in (1, 2, 3, 4):
            raster.eventplot(run.times(f"spike {i}"), lineoffsets=i, color=f"C{i - 1}")
            voltage.plot(*run.signal(f"V{i}"), label=f"$V_{i}$")
        raster.set(ylabel="neuron", yticks=(1, 2, 3, 4), title="Spikes and membrane voltages")
        voltage.set(xlabel="time (s)", ylabel="voltage (threshold 1)")
        figure.savefig(file, dpi=120)
