"""A scene as the C runtime takes it: structure, numbers, start, and the library with its code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.bodies.contact_list import ContactList
from dyverse.bodies.pairs import ends
from dyverse.bodies.placed import Scene
from dyverse.bodies.scene import scene
from dyverse.bodies.world import ORIENTED, World
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.contact.pair.kinematics import Resistance
from dyverse.expr.term import Term
from dyverse.expr.value import value
from dyverse.mechanics.dynamics import is_smooth
from dyverse.mechanics.system import System, system_of
from dyverse.native.code.codegen import ModelCode, model_code
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
        columns = map(scene.contacts.column, _sorted_numbers(scene, value))
        parts = [np.array(_body_numbers(scene)), *(column.ravel() for column in columns)]
        return np.concatenate(parts, dtype=np.float64)


def number_list(scene: Scene, read: Reading = value) -> list[float]:
    """What `NativeModel.numbers` holds; of a symbolic scene, read so, the expressions."""
    own = scene.contacts.sort.tolist()
    tables = _sorted_numbers(scene, read)
    return [*_body_numbers(scene), *(x for table in tables for one in own for x in table[one])]


def _body_numbers(scene: Scene) -> list[float]:
    """Settings, and what is known of each body."""
    return [*scene.settings.values(), *_masses(scene), *_places(scene)]


def _sorted_numbers(scene: Scene, read: Reading) -> Iterator[list[tuple[float, ...]]]:
    """What is known of contacts, kind after kind, for each sort of them."""
    sorts, most = scene.contacts.sorts, _most_numbers(scene.contacts)
    rest = {**scene.values, "slip_speed": 0.0}  # where μ depends on this it is not used
    numbers = [sort.met.numbers for sort in sorts]
    yield [(*own, *(0.0,) * (most - len(own))) for own in numbers]
    yield [(sort.restitution,) for sort in sorts]
    yield [(sort.tangential_restitution,) for sort in sorts]
    yield [(read(sort.friction, rest),) for sort in sorts]


def still_places(scene: Scene) -> set[int]:
    """Which of the numbers say where fixed bodies are, how large all are, and how joints sit."""
    fitted = {name for joint in scene.joints for name in joint.settings}
    first = len(scene.settings) + len(list(_masses(scene)))
    shapes = _most_numbers(scene.contacts) * len(scene.contacts)
    found = {i for i, name in enumerate(scene.settings) if name in fitted}
    return found | set(range(first, first + len(list(_places(scene))) + shapes))


def _masses(scene: Scene) -> Iterator[float]:
    """The diagonal of M⁻¹, and what is beside it."""
    yield from (m for body in scene.moving for m in body.inverse_mass)
    for body in scene.moving:
        if body.motion == ORIENTED:
            (_, xy, xz), (_, _, yz), _ = body.inverse_inertia
            yield from (xy, xz, yz)


def _places(scene: Scene) -> Iterator[float]:
    """Where bodies are and how they lie, and how far they reach."""
    yield from (number for body in scene.bodies for number in body.position)
    if any(body.motion == ORIENTED for body in scene.bodies):
        for body in scene.bodies:
            yield from body.orientation
            far = FARTHEST if body.shape.never_moves else body.shape.reach
            yield far if body.motion == ORIENTED else 0.0


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


WITHOUT_COLLISION = 8  # as in dyverse.h
RESISTS = {None: 0, Resistance.ROLLING: 1, Resistance.SPINNING: 2}  # the same


def _structure(system: System, code: ModelCode) -> Structure:
    layout, contacts, law = system.layout, system.contacts, IMPACT_LAWS[system.world.impact]
    if law.native is None:
        raise NativeError(f"impact {law.name} is not there in C")
    laws = {law: i for i, law in enumerate(code.laws)}
    kinds = {kind: i for i, kind in enumerate(code.kinds)}
    sorts = contacts.sorts
    place = dict.fromkeys(range(len(layout.bodies)), -1)
    place |= {body: row for row, body in enumerate(layout.moving)}
    return Structure(
        place=list(place.values()),
        oriented=[body.motion == ORIENTED for body in system.world.bodies],
        driven=[body.is_driven + bool(body.courses) for body in system.world.bodies],
        ends=ends(contacts).ravel(),
        kind=contacts.column(kinds[sort.met.pair] for sort in sorts),
        law=contacts.column(laws.get(sort.law.friction, -1) for sort in sorts),
        smooth=contacts.column(is_smooth(sort.law.friction) for sort in sorts),
        flat=_flat(system),
        linked=linked(system),
        resists=contacts.column(RESISTS[sort.met.pair.resistance] for sort in sorts),
        single=contacts.column(sort.met.pair.is_single for sort in sorts),
        joints=joint_tables(system, code),
        settings=len(code.settings),
        properties=len(code.properties),
        impact=law.native + WITHOUT_COLLISION * system.world.without_collision,
        shape=_most_numbers(contacts),
    )


def _flat(system: System) -> NDArray[np.bool_]:
    """Of each contact whether nothing ever changes but where a ball is, which no joint holds.

    The spin of a ball with an orientation is in its own axes, which turn.
    """
    contacts, held, bodies = system.contacts, held_bodies(system), system.world.bodies
    fixed = np.array([body.fixed for body in bodies], dtype=bool)[contacts.bodies]
    plain = [body.name not in held and body.motion != ORIENTED for body in bodies]
    free = np.array(plain, dtype=bool)[contacts.bodies]
    flat = contacts.column(
        sort.met.pair.flat and sort.when is None for sort in contacts.sorts
    ).astype(bool)
    return flat & fixed.any(axis=1) & free.all(axis=1)


def _most_numbers(contacts: ContactList[Any, Any, Any]) -> int:
    """How many numbers the shapes of a contact have, at most."""
    return max((sum(sort.met.pair.sizes) for sort in contacts.sorts), default=0)
