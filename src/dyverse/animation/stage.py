"""The stage: hears what pages ask, plays the model, and tells everyone.

It knows nothing of sockets and processes: whoever holds it hands over requests, lets it `beat`, and
sends what it says. All pages that have come see the same run at the same time; each says which
signals its frames are to carry.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter

from dyverse.animation.asked import (
    Refused,
    Request,
    count_in,
    names_in,
    number_in,
    text_in,
)
from dyverse.animation.describing import telling
from dyverse.animation.describing.around import around
from dyverse.animation.describing.described import model_message
from dyverse.animation.describing.frames import GHOST, PARTIAL, curves_bytes, frame_bytes
from dyverse.animation.hands import play_by
from dyverse.animation.mistakes import explained, problems
from dyverse.animation.playable import Playable
from dyverse.animation.recording.record import Cut
from dyverse.animation.replays.sharing import Files, checked, command, found, shared
from dyverse.animation.said import Json, Said, spoken
from dyverse.animation.serving.packing import packed
from dyverse.animation.serving.searching import WITNESSES, Cancelled, Wanted, Witness
from dyverse.animation.show import Show
from dyverse.simulation.simulate import Options

FRAMES = 60.0  # a second
STATUSES = 5.0  # a second, while nothing else happens
CONTACTS = 30.0  # a second, for those who draw forces
FOUND, PIXELS = 1000, 8192  # at most, in one request
CALM = 20  # times as long as it took, until one looks ahead again while a run is played
QUIET = 3  # the same while it stands: who scrubs does not wait for what is known only at rest
IDLE = 0.05  # s: how long to listen while nothing moves
Opened = Callable[[Request], Playable]


@dataclass(slots=True)
class Guest:
    """A page that has come."""

    signals: tuple[str, ...] = ()
    contacts: bool = False  # whether it draws forces
    sequence: int = 0


@dataclass(slots=True)
class Stage:
    """What is played, and who is there."""

    opened: Opened
    options: Options
    speed: float = 1.0
    clock: Callable[[], float] = perf_counter
    show: Show | None = None
    said: list[Said] = field(default_factory=list)
    guests: dict[int, Guest] = field(default_factory=dict)
    fresh: Playable | None = None  # what has been opened, until somebody has seen it
    searches: frozenset[str] = frozenset()  # what pages may ask for that others do
    foresees: bool = True  # whether there is what it takes to look ahead
    wanted: list[Wanted | Cancelled] = field(default_factory=list)  # of these others
    witnesses: dict[int, Witness] = field(default_factory=dict)  # that they have found
    _models: int = 0
    _next_frame: float = 0.0
    _next_status: float = 0.0
    _next_contacts: float = 0.0
    _files: Files = field(default_factory=Files)
    _known: object = None  # when it was last told what is enabled
    _owed: bool = False  # whether that is to be told again
    _next_enabled: float = 0.0
    _looked: float = 0.0  # how long it took to look ahead (s)
    _notes: list[str] = field(default_factory=list)
    _stale: bool = True  # whether the last frame is not that of what is shown

    # who is there

    def join(self, guest: int) -> None:
        """A page has come: it is told everything."""
        self.guests[guest] = Guest()
        for text in self._notes:
            self._say({"say": "note", "text": text}, guest)
        if self.show is None:
            self._say({"say": "status", "state": "empty"}, guest)
            return
        self._say(self._model(), guest)
        for message in telling.all_so_far(self.show):
            self._say(message, guest)
        self._send_frame(guest)

    def leave(self, guest: int) -> None:
        """A page has gone."""
        self.guests.pop(guest, None)

    def hear(self, guest: int, request: Request) -> None:
        """Do what a page asks, and answer."""
        number = request.get("id")
        try:
            answer = self._do(guest, request)
        except Exception as error:  # nothing that a page asks may end the stage
            told = problems(explained(error))
            self._say({"re": number, "ok": False, "problems": told}, guest)
        else:
            if answer is not None:
                self._say({"re": number, "ok": True, **answer}, guest)
        self._tell_news()
        self._tell_status()

    # time

    def beat(self) -> float:
        """Go on; how long nothing is to be done (s)."""
        now = self.clock()
        if self.show is not None:
            self._tell_enabled()
            try:
                changed = self.show.beat()
            except Exception as error:
                self._failed(explained(error))
                changed = True
            self._stale = self._stale or changed
            self._tell_news()
            if self._stale and now >= self._next_frame:
                self._send_frames(now)
            if changed and (now >= self._next_status or not self.show.playing):
                self._tell_status()
        return self._leisure()

    def _leisure(self) -> float:
        if self._is_due():
            return 0.0
        if self.show is None or not (self.show.playing or self._stale):
            return 0.0 if self.show is not None and self.show.is_judging else IDLE
        return max(0.0, self._next_frame - self.clock())

    def _failed(self, error: Exception) -> None:
        """An error pauses the run; page and server go on."""
        assert self.show is not None
        self.show.failure, self.show.playing = str(error), False
        self._tell_status()

    # what is asked

    def _do(self, guest: int, request: Request) -> dict[str, Json] | None:
        match request.get("do"):
            case "open":
                self.fresh = self._requested(request)
                self.open(self.fresh)
            case str(do) if do in self.searches:
                self._want(guest, request)
                return None  # the search answers
            case "cancel":
                self.wanted.append(Cancelled(guest, request.get("id")))
            case "subscribe":
                self.guests[guest].signals = names_in(request, "signals")
                self._stale = True
            case "show":
                self.guests[guest].contacts = bool(request.get("contacts"))
                self._stale = True
            case "share":
                return shared(self._shown(), request, self._model())
            case "save":
                self._files.save(self._shown().play_of, text_in(request, "text"))
            case "command":
                return {"text": command(self._shown(), self.options.tick)}
            case "check":
                text = text_in(request, "text")
                return checked(lambda: self._read({"text": text}))
            case "around":
                show, place = self._shown(), request.get("location")
                here = None if place is None else text_in(request, "location")
                name = text_in(request, "component")
                return around(show.parts, name, here, show.session.state.location)
            case "find":
                return {
                    "signals": found(
                        self._shown(), text_in(request, "text"), count_in(request, "limit", FOUND)
                    )
                }
            case "history":
                self._history(guest, request)
                return None
            case _:
                play_by(self._shown(), request)
                self._stale = True
        return {}

    def _requested(self, request: Request) -> Playable:
        """The model that is to be opened; the run that a search has found is one too."""
        if "witness" not in request:
            return self._read(request)
        found = self.witnesses.get(int(number_in(request, "witness")))
        if found is None:
            raise Refused("that run is not known any more")
        return replace(found.play.unpacked(), settings=found.settings)

    def _read(self, request: Request) -> Playable:
        """What a page has; its text is that of the model that is open, if it has no other name."""
        if self.show is None or "text" not in request:
            return self.opened(request)
        now = self.show.play_of
        found = self.opened({"name": now.name, **request})
        return replace(found, path=now.path if found.name == now.name else None)

    def _want(self, guest: int, request: Request) -> None:
        """Let others search, from the numbers of the run that is shown."""
        show = self._shown()
        play = replace(show.play_of, settings=dict(show.session.settings))
        self.wanted.append(Wanted(guest, packed(play), request))

    def keep(self, number: int, found: Witness) -> None:
        """A run that was found, to be opened by its number."""
        self.witnesses[number] = found
        for old in [*self.witnesses][:-WITNESSES]:
            del self.witnesses[old]

    def begin(self, play: Playable) -> None:
        """Open what is played at first; what is wrong with it is told to those who come."""
        try:
            self.open(play)
        except Exception as error:
            self._notes.append(str(explained(error)))
            self.note(self._notes[-1])

    def note(self, text: str) -> None:
        """Something that all should hear."""
        self._say({"say": "note", "text": text})

    def open(self, play: Playable) -> None:
        """Play another model."""
        accuracy = replace(self.options.follow.accuracy, longest_step=play.longest_step)
        follow = replace(self.options.follow, accuracy=accuracy)
        options = replace(self.options, follow=follow)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            show = Show(play, options, speed=self.speed, clock=self.clock)
        told = dict.fromkeys(str(item.message) for item in warned)
        show.play_of = replace(play, notes=(*play.notes, *told))
        self.show, self._models = show, self._models + 1
        self._files.opened(play)
        show.news.clear()
        self._say(telling.cut(Cut(-1.0)))
        self._say(self._model())
        for message in telling.all_so_far(show):
            self._say(message)
        self._stale = True

    def _shown(self) -> Show:
        if self.show is None:
            raise Refused("no model is open")
        return self.show

    def _history(self, guest: int, request: Request) -> None:
        show, ghost = self._shown(), bool(request.get("ghost"))
        found, complete = show.curves(
            names_in(request, "signals"),
            number_in(request, "from"),
            number_in(request, "to"),
            max(2, count_in(request, "pixels", PIXELS)),
            ghost=ghost,
        )
        flags = GHOST * ghost | PARTIAL * (not complete)
        data = curves_bytes(count_in(request, "id", 2**31), found, flags=flags)
        self.said.append(Said((guest,), data))

    # what is said

    def _model(self) -> dict[str, Json]:
        show = self._shown()
        told = model_message(
            show.play_of, show.session.automaton, show.parts, show.names, show.session.settings
        )
        horizon = show.play_of.model.until(show.session.settings, float("inf"))
        more: dict[str, Json] = {
            "say": "model",
            "id": self._models,
            "solver": self.options.solver,
            "tick": show.tick,
            "horizon": horizon,
        }
        return more | told

    def _tell_news(self) -> None:
        if self.show is None:
            return
        news, self.show.news = self.show.news, []
        for item in news:
            for message in telling.news(item, self.show.parts):
                self._say(message)

    def _tell_status(self) -> None:
        if self.show is not None:
            self._say(telling.status(self.show))
        self._next_status = self.clock() + 1 / STATUSES

    def _send_frames(self, now: float) -> None:
        for guest in self.guests:
            self._send_frame(guest)
        self._next_frame = max(self._next_frame + 1 / FRAMES, now)
        self._stale = False
        self._tell_contacts(now)
        self._owed = True
        if not self._shown().playing:
            self._next_enabled = now + QUIET * self._looked

    def _tell_contacts(self, now: float) -> None:
        """To those who draw forces, now and then while it is played."""
        curious = [number for number, guest in self.guests.items() if guest.contacts]
        if not curious or (now < self._next_contacts and self._shown().playing):
            return
        message = telling.contacts(self._shown())
        for number in curious:
            self._say(message, number)
        self._next_contacts = now + 1 / CONTACTS

    def _tell_enabled(self) -> None:
        """What can be taken and what comes next, when that may have changed.

        To look ahead takes a while: what is shown has been sent before.
        """
        if not self._is_due():
            return
        show, now, self._owed = self._shown(), self.clock(), False
        known = (show.session.state.location, len(show.record.events), show.playing, show.is_past)
        if show.playing and known == self._known:
            return
        self._known = known
        self._say(telling.enabled(show))
        self._looked = self.clock() - now
        self._next_enabled = now + CALM * self._looked

    def _is_due(self) -> bool:
        """Whether it is time to look ahead: to show what is asked for comes first."""
        wanted = self.show is not None and self.foresees and self._owed
        return wanted and self.clock() >= self._next_enabled

    def _send_frame(self, number: int) -> None:
        show, guest = self._shown(), self.guests[number]
        guest.sequence += 1
        data = frame_bytes(
            guest.sequence, show.time, show.poses(), show.values(guest.signals), past=show.is_past
        )
        self.said.append(Said((number,), data, frame=True))

    def _say(self, message: Mapping[str, Json], to: int | None = None) -> None:
        """Tell one page, or all that are there now."""
        guests = tuple(self.guests) if to is None else (to,)
        if guests:
            self.said.append(Said(guests, spoken(message)))
