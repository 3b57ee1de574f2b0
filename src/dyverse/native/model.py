"""A scene as the C runtime takes it: structure, numbers, start, and the library with its code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.scene import ContactPair, Scene, scene
from dyverse.bodies.world import IMPACT_LAWS, World
from dyverse.expr.term import Number, Term
from dyverse.expr.value import value
from dyverse.mechanics.system import system_of
from dyverse.native.codegen import (
    SHAPE,
    ModelCode,
    model_code,
)
from dyverse.native.compile import FLAGS
from dyverse.native.header import C
from dyverse.native.library import Structure, library

Reading = Callable[[Term, Mapping[str, float]], float]


@dataclass(frozen=True, slots=True, eq=False)
class NativeModel:
    """A world's code, compiled, and its structure; any numbers of that world may be put in."""

    code: ModelCode
    library: C
    structure: Structure

    def numbers(self, scene: Scene) -> Array:
        """Everything that `dv_set_numbers` wants, from a scene of the same structure."""
        return np.array(number_list(scene), dtype=np.float64)


def number_list(scene: Scene, read: Reading = value) -> list[float]:
    """What `NativeModel.numbers` holds; of a symbolic scene, read so, the expressions."""
    return [
        *scene.settings.values(),
        *(m for body in scene.moving for m in body.inverse_mass),
        *(number for body in scene.bodies for number in body.position),
        *(number for contact in scene.contacts for number in _shapes(scene, contact)),
        *(contact.restitution for contact in scene.contacts),
        *(contact.tangential_restitution for contact in scene.contacts),
        *(_constant_friction(scene, contact, read) for contact in scene.contacts),
    ]


def native_model(
    world: World, numbers: Scene | None = None, flags: tuple[str, ...] = FLAGS
) -> NativeModel:
    """Generate, compile (or find) and load the engine of ``world``."""
    return _loaded(world, numbers or scene(world), flags)


def _loaded(world: World, numbers: Scene, flags: tuple[str, ...]) -> NativeModel:
    code, structure = uncompiled(world, numbers)
    return NativeModel(code, library(code.source, flags), structure)


def uncompiled(world: World, numbers: Scene) -> tuple[ModelCode, Structure]:
    """The code of ``world`` as text, and its structure."""
    return _made(world, _Anonymous(numbers))


@dataclass(frozen=True, slots=True)
class _Anonymous:
    """A scene that compares by its structure alone: its numbers do not enter the code."""

    scene: Scene

    def __hash__(self) -> int:
        return 0  # the world is hashed beside it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Anonymous) and _shape_of(self.scene) == _shape_of(other.scene)


def _shape_of(scene: Scene) -> tuple[object, ...]:
    bodies = tuple((body.name, type(body.shape), body.fixed) for body in scene.bodies)
    return bodies, tuple((c.a, c.b, c.friction) for c in scene.contacts), tuple(scene.values)


@lru_cache(maxsize=64)
def _made(world: World, anonymous: _Anonymous) -> tuple[ModelCode, Structure]:
    found = anonymous.scene
    code = model_code(system_of(world, tuple(found.settings)), found)
    return code, _structure(anonymous.scene, code, IMPACT_LAWS.index(world.impact))


def _structure(scene: Scene, code: ModelCode, impact: int) -> Structure:
    index = {body.name: i for i, body in enumerate(scene.bodies)}
    moving = [body.name for body in scene.bodies if not body.fixed]
    laws = {law: i for i, law in enumerate(code.laws)}
    kinds = {kind: i for i, kind in enumerate(code.kinds)}
    return Structure(
        place=[-1 if body.fixed else moving.index(body.name) for body in scene.bodies],
        ends=[(index[a], index[b]) for a, b in (contact.ends for contact in scene.contacts)],
        kind=[kinds[contact.pair] for contact in scene.contacts],
        law=[laws.get(contact.friction, -1) for contact in scene.contacts],
        smooth=[_is_smooth(contact) for contact in scene.contacts],
        flat=[contact.pair.flat for contact in scene.contacts],
        settings=len(code.settings),
        properties=len(code.properties),
        impact=impact,
    )


def _is_smooth(contact: ContactPair) -> bool:
    """Whether μ is the number zero: such a contact has nothing to stick with."""
    return isinstance(contact.friction, Number) and contact.friction.value == 0


def _shapes(scene: Scene, contact: ContactPair) -> list[float]:
    numbers = [number for end in contact.ends for number in scene.body(end).shape.numbers]
    return numbers + [0.0] * (SHAPE - len(numbers))


def _constant_friction(scene: Scene, contact: ContactPair, read: Reading) -> float:
    """μ at rest; where it depends on the slip speed it is not used."""
    return read(contact.friction, {**scene.values, "slip_speed": 0.0})
