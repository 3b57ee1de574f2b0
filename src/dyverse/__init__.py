"""Build, simulate and falsify hybrid automata of rigid bodies with impacts and friction.

The public names are loaded on first use, so that the command line starts quickly.
"""

TYPE_CHECKING = False  # true to type checkers; typing takes as long to import as all of Python
if TYPE_CHECKING:
    from dyverse.automaton.run import Run as Run
    from dyverse.automaton.run import Stop as Stop
    from dyverse.bodies.describe import world_text as world_text
    from dyverse.bodies.read import load_world as load_world
    from dyverse.bodies.read import parse_world as parse_world
    from dyverse.bodies.world import World as World
    from dyverse.errors import DyverseError as DyverseError
    from dyverse.errors import ModelError as ModelError
    from dyverse.falsification.asking import ask as ask
    from dyverse.falsification.falsify import falsify as falsify
    from dyverse.falsification.question import Question as Question
    from dyverse.generation.automaton import RigidBodyAutomaton as RigidBodyAutomaton
    from dyverse.generation.automaton import generate as generate
    from dyverse.generation.model import Model as Model
    from dyverse.generation.model import load_model as load_model
    from dyverse.generation.model import parse_model as parse_model
    from dyverse.native.many import simulate_many as simulate_many
    from dyverse.session.session import Session as Session
    from dyverse.session.session import open_session as open_session
    from dyverse.simulation.sensitivity import sensitivities as sensitivities
    from dyverse.simulation.simulate import Options as Options
    from dyverse.simulation.simulate import simulate as simulate
    from dyverse.text.examples import example_text as example_text

__version__ = "0.1.0"

_HOME = {
    "DyverseError": "dyverse.errors",
    "Model": "dyverse.generation.model",
    "ModelError": "dyverse.errors",
    "Options": "dyverse.simulation.simulate",
    "Question": "dyverse.falsification.question",
    "RigidBodyAutomaton": "dyverse.generation.automaton",
    "Run": "dyverse.automaton.run",
    "Session": "dyverse.session.session",
    "Stop": "dyverse.automaton.run",
    "World": "dyverse.bodies.world",
    "ask": "dyverse.falsification.asking",
    "example_text": "dyverse.text.examples",
    "falsify": "dyverse.falsification.falsify",
    "generate": "dyverse.generation.automaton",
    "load_model": "dyverse.generation.model",
    "load_world": "dyverse.bodies.read",
    "open_session": "dyverse.session.session",
    "parse_model": "dyverse.generation.model",
    "parse_world": "dyverse.bodies.read",
    "sensitivities": "dyverse.simulation.sensitivity",
    "simulate": "dyverse.simulation.simulate",
    "simulate_many": "dyverse.native.many",
    "world_text": "dyverse.bodies.describe",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'dyverse' has no attribute {name!r}")
    from importlib import import_module  # not before Ctrl-C is heard

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
