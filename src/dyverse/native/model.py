"""A scene as the C runtime takes it: structure, numbers, start, and the library with its code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.pairs import TouchingPair
from dyverse.bodies.scene import ContactPair, Scene, scene
from dyverse.bodies.world import ORIENTED, World
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.expr.term import Term
from dyverse.expr.value import value
from dyverse.mechanics.dynamics import is_smooth
from dyverse.mechanics.system import System, system_of
from dyverse.native.codegen import ModelCode, model_code
from dyverse.native.compile import FLAGS
from dyverse.native.errors import NativeError
from dyverse.native.header import C
from dyverse.native.joints import held_bodies, joint_tables, linked
from dyverse.native.library import Structure, library

Reading = Callable[[Term, Mapping[str, float]], float]
FARTHEST = 1e9  # m: how far a half-space that turns reaches, as a bound on what it sweeps


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
        *_masses(scene),
        *_places(scene),
        *(contact.restitution for contact in scene.contacts),
        *(contact.tangential_restitution for contact in scene.contacts),
        *(_constant_friction(scene, contact, read) for contact in scene.contacts),
    ]


def place_range(scene: Scene) -> range:
    """Which of the numbers say where fixed bodies are and how large all are."""
    first = len(scene.settings) + len(list(_masses(scene)))
    return range(first, first + len(list(_places(scene))))


def _masses(scene: Scene) -> Iterator[float]:
    """The diagonal of M⁻¹, and what is beside it."""
    yield from (m for body in scene.moving for m in body.inverse_mass)
    for body in scene.moving:
        if body.motion == ORIENTED:
            (_, xy, xz), (_, _, yz), _ = body.inverse_inertia
            yield from (xy, xz, yz)


def _places(scene: Scene) -> Iterator[float]:
    """Where bodies are and how they lie, how far they reach, and the shapes of all contacts."""
    yield from (number for body in scene.bodies for number in body.position)
    if any(body.motion == ORIENTED for body in scene.bodies):
        for body in scene.bodies:
            yield from body.orientation
            far = FARTHEST if body.shape.never_moves else body.shape.reach
            yield far if body.motion == ORIENTED else 0.0
    yield from _shapes(scene.contacts)


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
    return _made(system_of(world, tuple(numbers.settings)))


@lru_cache(maxsize=64)
def _made(system: System) -> tuple[ModelCode, Structure]:
    code = model_code(system)
    return code, _structure(system, code)


def _structure(system: System, code: ModelCode) -> Structure:
    layout, contacts, law = system.layout, system.contacts, IMPACT_LAWS[system.world.impact]
    if law.native is None:
        raise NativeError(f"impact {law.name} is not there in C")
    index = {name: i for i, name in enumerate(layout.bodies)}
    laws = {law: i for i, law in enumerate(code.laws)}
    kinds = {kind: i for i, kind in enumerate(code.kinds)}
    named = (contact.ends for contact in contacts)
    place = dict.fromkeys(range(len(layout.bodies)), -1)
    place |= {body: row for row, body in enumerate(layout.moving)}
    held = held_bodies(system)
    return Structure(
        place=list(place.values()),
        oriented=[body.motion == ORIENTED for body in system.world.bodies],
        driven=[body.is_driven for body in system.world.bodies],
        ends=(index[name] for ends in named for name in ends),
        kind=(kinds[contact.pair] for contact in contacts),
        law=(laws.get(contact.law.friction, -1) for contact in contacts),
        smooth=(is_smooth(contact.law.friction) for contact in contacts),
        flat=(_is_flat(contact, held) for contact in contacts),
        linked=linked(system),
        joints=joint_tables(system, code),
        settings=len(code.settings),
        properties=len(code.properties),
        impact=law.native,
        shape=_most_numbers(contacts),
    )


def _is_flat(contact: TouchingPair, held: set[str]) -> bool:
    """Whether nothing of it changes but where a ball is, which no joint holds."""
    free = held.isdisjoint((contact.a.name, contact.b.name))
    return contact.pair.flat and (contact.a.fixed or contact.b.fixed) and free


def _shapes(contacts: tuple[ContactPair, ...]) -> Iterator[float]:
    """The numbers of both shapes of each contact, filled up to the longest."""
    most = _most_numbers(contacts)
    for contact in contacts:
        yield from contact.numbers
        yield from (0.0,) * (most - len(contact.numbers))


def _most_numbers(contacts: Iterable[ContactPair | TouchingPair]) -> int:
    return max((sum(contact.pair.sizes) for contact in contacts), default=0)


def _constant_friction(scene: Scene, contact: ContactPair, read: Reading) -> float:
    """μ at rest; where it depends on the slip speed it is not used."""
    return read(contact.friction, {**scene.values, "slip_speed": 0.0})
