"""Words that begin no statement: what was perhaps meant."""

from __future__ import annotations

import re

from dyverse.errors import did_you_mean
from dyverse.text.mistakes.hints import NO_SHAPES, PLANES, SHAPES
from dyverse.text.syntax.automata import (
    AUTOMATON_ENTRIES,
    CHANNEL_ENTRIES,
    DISCONTINUOUS_ENTRIES,
    EDGE_ENTRIES,
    LOCATION_ENTRIES,
)
from dyverse.text.syntax.drawings import DRAWING_ENTRIES, DRAWINGS
from dyverse.text.syntax.statements import (
    BODY_ENTRIES,
    CONTACT_ENTRIES,
    HULL,
    JOINT_ENTRIES,
    PART,
    PART_ENTRIES,
    ROPE,
    SPRING_ENTRIES,
    STATEMENTS,
)

BLOCKS = {  # entries, and a block that they belong into
    (
        "sphere",
        "plane",
        "radius",
        "normal",
        HULL,
        *BODY_ENTRIES,
        PART,
        *PART_ENTRIES,
    ): "body ball { sphere radius 0.5  mass 1 }",
    CONTACT_ENTRIES: "contact all { restitution 0.8  friction 0.3 }",
    JOINT_ENTRIES: "joint hinge { revolute frame arm  at (0, 1, 0)  axis (0, 0, 1) }",
    SPRING_ENTRIES: "spring ball (0, 0, 0) { stiffness 10 }",
    AUTOMATON_ENTRIES: "automaton a { real x  location on  initial on }",
    LOCATION_ENTRIES: "location on { x' = 1  invariant x < 2 }",
    EDGE_ENTRIES: "edge on -> off { when x > 1 }",
    CHANNEL_ENTRIES: "channel hit { broadcast }",
    DISCONTINUOUS_ENTRIES: "discontinuous d { real x  surface x }",
    DRAWINGS: "scene { circle { at (x, y, 0)  radius 0.1 } }",
    DRAWING_ENTRIES: "scene { circle { at (x, y, 0)  radius 0.1 } }",
}
MEANT = {
    **dict.fromkeys(("let", "const", "constant", "define", "set", "double", "float"), "parameter"),
    **dict.fromkeys(("object", "bodies", "rigid", "ball", "particle", "link"), "body"),
    **dict.fromkeys(("def", "func", "fun", "lambda"), "function"),
    **dict.fromkeys(("until", "time", "duration", "end", "stop", "simulate"), "horizon"),
    **dict.fromkeys(("assert", "assume", "require", "check", "prove", "verify"), "property"),
    **dict.fromkeys(("always", "eventually", "never", "safety", "invariant"), "property"),
    **dict.fromkeys(("component", "module", "process", "template", "machine"), "automaton"),
    **dict.fromkeys(("chan", "event", "signal"), "channel"),
    **dict.fromkeys(("run", "compose", "network"), "system"),
    **dict.fromkeys(("elastic",), "spring"),
    **dict.fromkeys(("string", "cable"), "rope"),
    **dict.fromkeys(("hinge", "constraint", "revolute", "prismatic", "spherical", "weld"), "joint"),
    **dict.fromkeys(("load", "push", "thrust"), "force"),
    **dict.fromkeys(("collision", "collide", "pair"), "contact"),
    **dict.fromkeys(("control", "port", "signal"), "input"),
    **dict.fromkeys(("draw", "picture", "view", "display", "animation"), "scene"),
}


def meant_statement(found: str, rest: str) -> str:
    """What to write instead of ``found``, which begins ``rest`` and no statement."""
    word = found.lower()
    if re.match(r"\w+\s*=(?!=)", rest) and word not in MEANT:
        return f"; write 'parameter {found} = …' for a constant, 'input {found} = …' for a formula"
    if word == ROPE:
        return "; write 'rope line { ball (0, 3, 0)  length 1 }'"
    if word in PLANES:
        return f"; write 'body {word} {{ plane normal (0, 1, 0) }}'"
    if word in NO_SHAPES:
        return f"; a body has a shape, and {SHAPES}"
    if word in ("import", "use", "from"):
        return "; write 'include \"parts.drbt\"'"
    if near := did_you_mean(found, STATEMENTS):
        return near
    if word in MEANT:
        return f"; write {MEANT[word]!r}"
    for entries, block in BLOCKS.items():
        if word in entries:
            return f"; it belongs into a block: {block}"
    return f"; there are {', '.join(STATEMENTS)}"
