"""A robot's file as a world, and what of it the world does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dyverse.bodies import build
from dyverse.bodies.describe import world_text
from dyverse.bodies.gather import Part
from dyverse.bodies.world import World
from dyverse.errors import ModelError
from dyverse.expr.term import CONSTANTS
from dyverse.robots.joining import Joints
from dyverse.robots.links import Links
from dyverse.robots.meshes import find_meshes
from dyverse.robots.pose import place, posed
from dyverse.robots.source import Dropped, Source, open_source
from dyverse.robots.touching import contacts
from dyverse.text.fresh_names import Names
from dyverse.text.instances import TIME
from dyverse.text.syntax.statements import RESERVED

TAKEN = frozenset((*RESERVED, *CONSTANTS, TIME, "slip_speed", "energy"))
LOOKS = "is there to be looked at; so are others of its kind"
RULE = "is a rule between joints"
BOUND = "bounds a motor; an input is what it is set to"
SENSES = "measures; signals are told anyway"
OTHERS = {  # elements of URDF and MJCF that are not read, and why
    **dict.fromkeys(("visual", "material", "light", "camera", "site", "texture", "skin"), LOOKS),
    **dict.fromkeys(("mimic", "equality", "tendon"), RULE),
    **dict.fromkeys(("sensor",), SENSES),
    **dict.fromkeys(("transmission", "gazebo", "plugin"), "is for another program"),
    **dict.fromkeys(("safety_controller", "calibration"), "is for a controller"),
    **dict.fromkeys(("keyframe",), "is another start; --set gives one"),
    **dict.fromkeys(("pair",), "is a law of contact of its own"),
    **dict.fromkeys(("composite", "flexcomp", "flex", "deformable"), "bends"),
}


@dataclass(frozen=True, slots=True)
class Robot:
    """A world, and what of the file it does not have."""

    title: str
    world: World
    dropped: tuple[Dropped, ...]

    @property
    def read(self) -> dict[str, list[str]]:
        """What there is, by kind."""
        return {
            "body": [body.name for body in self.world.bodies],
            "joint": [joint.name for joint in self.world.joints],
            "input": [item.name for item in self.world.inputs],
        }

    @property
    def text(self) -> str:
        """The world as model text."""
        return f"# {self.title}\n{world_text(self.world)}"


def robot(path: str, start: Mapping[str, float] | None = None, *, is_free: bool = False) -> Robot:
    """The robot in a URDF or MJCF file, its joints beginning where ``start`` says (rad, m).

    The base of URDF stands still, unless it ``is_free`` or there is no joint.
    """
    source = open_source(path)
    if source.is_urdf and (is_free or not source.spec.joints):
        source.release()
    find_meshes(source, Path(path).resolve().parent)
    pose = posed(source, start or {}, path)
    names = Names(TAKEN)
    links = Links(source, pose, names.new)
    joining = Joints(source, pose, links, names.new).read()
    rules = contacts(source, pose, links)
    parts: list[Part] = [*links.bodies, *joining.inputs, *joining.joints, *joining.drives, *rules]
    try:
        whole = build.world(*parts, gravity=place(pose.model.opt.gravity))
    except ModelError as error:
        raise ModelError(error.problems, file=path) from None
    source.dropped += [*_not_read(source), *_bounds(source)]
    title = " ".join(source.spec.modelname.split()) or "robot"
    return Robot(title, whole, tuple(sorted(source.dropped, key=lambda item: item.line)))


def _bounds(source: Source) -> Iterator[Dropped]:
    """What motors of a URDF file can do at most."""
    for element in source.elements if source.is_urdf else ():
        given = [word for word in ("effort", "velocity") if word in element.attributes]
        if element.tag == "limit" and given:
            yield Dropped(f"{' and '.join(given)} of {element.owner}", BOUND, element.line)


def _not_read(source: Source) -> Iterator[Dropped]:
    """Elements of the file that nothing here looks at; of those to be looked at, the first."""
    seen: set[str] = set()
    for element in source.elements:
        why = OTHERS.get(element.tag)
        if why is None:
            continue
        if why == LOOKS and element.tag in seen:
            continue
        seen.add(element.tag)
        name = element.attributes.get("name") or element.owner
        yield Dropped(f"{element.tag} {name}".strip(), why, element.line)
