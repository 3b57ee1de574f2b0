"""What pages do to a run: play it, go elsewhere in it, change it."""

from __future__ import annotations

from dyverse.animation.asked import (
    Refused,
    Request,
    count_in,
    number_in,
    numbers_in,
    text_in,
)
from dyverse.animation.show import Show
from dyverse.automaton.interface import Edge

STEPS = 1000  # at most, in one request


def play_by(show: Show, request: Request) -> None:
    """Do what a page asks of a run."""
    match request.get("do"):
        case "play":
            show.play()
        case "pause":
            show.pause()
        case "restart":
            show.restart()
            if request.get("play"):
                show.play()
        case "speed":
            show.set_speed(number_in(request, "factor"))
        case "seek":
            show.seek(number_in(request, "time"))
        case "ticks":
            show.step(count_in(request, "n", STEPS))
        case "events":
            show.step_events(count_in(request, "n", STEPS))
        case "loop":
            ends = (
                (number_in(request, "from"), number_in(request, "to"))
                if "from" in request
                else None
            )
            show.loop = ends
        case "set":
            _set(show, request)
        case "first":
            show.back_to_first()
        case "signal":
            if not show.signal(text_in(request, "channel")):
                raise Refused(f"nobody hears {request['channel']!r} here")
        case "take":
            show.take(_edge(show, text_in(request, "component"), request.get("edge")))
        case "wait":
            show.wait()
        case "choice":
            show.choose(text_in(request, "how"))
        case "drag":
            _drag(show, text_in(request, "body"), numbers_in(request, "position", 3))
        case other:
            raise Refused(f"nothing is known of {other!r}")


def _set(show: Show, request: Request) -> None:
    """Numbers by name, at the time that is shown or at another."""
    values = request.get("values", {str(request.get("name")): request.get("value")})
    if not isinstance(values, dict) or not values:
        raise Refused("'values' must have numbers by name")
    numbers = {str(name): number_in(values, name) for name in values}
    if "at" in request:
        show.seek(number_in(request, "at"))
    show.set(numbers)


def _drag(show: Show, body: str, position: list[float]) -> None:
    rigid = show.parts.rigid
    if rigid is None or f"{body}.x" not in rigid.variables:
        raise Refused(f"there is no body {body!r} that moves")
    show.pause()
    show.set({f"{body}.{axis}": x for axis, x in zip("xyz", position, strict=True)})


def _edge(show: Show, component: str, number: object) -> Edge:
    """The jump that takes an edge of a component; of several, the first."""
    for edge in show.session.enabled():
        if (component, number) in tuple(show.parts.taken(edge)):
            return edge
    raise Refused(f"edge {number} of {component!r} is not enabled now")
