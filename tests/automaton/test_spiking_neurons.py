"""The example with a computation node of the user's own."""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest

from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.simulation.simulate import simulate

EXAMPLE = Path(__file__).parents[2] / "examples" / "spiking-neurons" / "run.py"
TAU = 0.02


@pytest.fixture(scope="module")
def example() -> dict[str, object]:
    return runpy.run_path(str(EXAMPLE))


def test_a_neuron_alone_fires_at_its_closed_form(example: dict[str, object]) -> None:
    """T = τ ln((I R - V_reset)/(I R - V_th)) with I R = 1.5, V_reset = 0, V_th = 1."""
    alone = example["neurons"](drive=(1.5,), weights=((0,),))  # type: ignore[operator]
    period = TAU * math.log(1.5 / 0.5)
    times = simulate(alone, until=0.2).times("spike 1")
    assert times == pytest.approx([period * n for n in range(1, 10)], rel=1e-9)


def test_the_currents_after_a_spike_agree_with_each_other(example: dict[str, object]) -> None:
    run = simulate(example["neurons"](), until=0.1)  # type: ignore[operator]
    weights = np.array(example["WEIGHTS"])
    for visit in run.visits:
        voltage, current = visit.before.values[:4], visit.after.values[4:]
        sigma = 1 / (1 + np.exp(-8 * (voltage + current - 0.7)))
        assert current == pytest.approx(weights @ sigma, abs=1e-11)
        assert visit.residual <= 1e-12
    assert len(run.visits) == len(run.events)


def test_the_node_in_the_readme_works() -> None:
    text = EXAMPLE.with_name("README.md").read_text()
    names: dict[str, WrittenAutomaton] = {}
    exec(text.partition("```python\n")[2].partition("```")[0], names)
    assert simulate(names["clock"], until=2.0).final["x"] == pytest.approx(math.sqrt(2))


def test_the_example_draws_its_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "picture.png"
    monkeypatch.setattr("sys.argv", ["run.py", "--plot", str(picture)])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert "spike 4" in capsys.readouterr().out
    assert picture.stat().st_size > 10_000
