"""A run written by formula, as the messages of a replay file; and the file."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tests.animation.browser import STATIC

G = 9.81
RADIUS = 0.25
HORIZON = 4.0
TAG = '<script type="application/dyverse+gzip+base64" id="run"></script>'
SIGNALS = ("ball.y", "energy")


def falling(height: float = 1.0, e: float = 0.5) -> list[dict[str, object]]:
    """A ball dropped from ``height``: its impacts accumulate, then it rests until the horizon."""
    first = math.sqrt(2 * height / G)
    end = first * (1 + e) / (1 - e)
    times, speeds = [first], [e * G * first]
    while end - times[-1] > 1e-4:
        times.append(times[-1] + 2 * speeds[-1] / G)
        speeds.append(e * speeds[-1])
    rows = [(t, height - G * t * t / 2, -G * t) for t in np.linspace(0, first, 40)]
    for start, stop, v in zip(times, [*times[1:], end], speeds, strict=True):
        ts = np.linspace(start, stop, 20)
        rows += [(t, v * (t - start) - G * (t - start) ** 2 / 2, v - G * (t - start)) for t in ts]
    rows += [(end, 0.0, 0.0), (HORIZON, 0.0, 0.0)]
    impacts = [_event(t, "impact", "{}") for t in times]
    return [
        _model(height),
        {"say": "events", "events": [*impacts, _event(end, "accumulation", "{ball-floor: stick}")]},
        {
            "say": "lanes",
            "changes": [{"time": end, "lane": "ball-floor", "value": "stick"}],
            "shaded": [
                {"lane": "ball-floor", "from": first, "to": end, "why": "impacts accumulate"}
            ],
        },
        _status(),
        _frames(rows),
    ]


def _event(time: float, kind: str, to: str) -> dict[str, object]:
    return {"time": time, "kind": kind, "who": ["ball-floor"], "from": "{}", "to": to}


def _status() -> dict[str, object]:
    speed = {"target": 1, "achieved": None, "overruns": 0}
    why = f"the horizon of {HORIZON} s was reached"
    state = {"state": "ended", "time": 0, "live": HORIZON, "playing": False, "why": why}
    return {"say": "status", **state, "speed": speed}


def _model(height: float) -> dict[str, object]:
    ball = {"name": "ball", "shape": {"kind": "sphere", "radius": RADIUS}, "fixed": False}
    floor = {"name": "floor", "shape": {"kind": "plane", "normal": [0, 1, 0]}, "fixed": True}
    contact = {"name": "ball-floor", "a": "ball", "b": "floor"}
    nothing = (
        "springs",
        "scene",
        "inputs",
        "starts",
        "channels",
        "properties",
        "problems",
        "notes",
    )
    return {
        "say": "model",
        "id": 1,
        "name": "falling",
        "title": "<b>A ball</b> by formula",
        "text": "gravity (0, -9.81, 0)\n",
        "editable": True,
        "horizon": HORIZON,
        "plane": "xy",
        "gravity": [0, -G, 0],
        "tick": 0.02,
        "bodies": [
            ball | {"position": [0, height + RADIUS, 0]},
            floor | {"position": [0, 0, 0]},
        ],
        "components": [{"name": "bodies", "kind": "bodies", "contacts": [contact]}],
        "parameters": [{"name": "e", "value": 0.5, "limits": [0, 1]}],
        "signals": [{"name": "ball.y", "unit": "m"}, {"name": "energy", "unit": "J"}],
        **{name: [] for name in nothing},
    }


def _frames(rows: Iterable[tuple[float, float, float]]) -> dict[str, object]:
    times, gaps, speeds = (np.array(column) for column in zip(*rows, strict=True))
    bodies = np.zeros((len(times), 7))
    bodies[:, 1] = gaps + RADIUS
    bodies[:, 3] = 1.0
    values = np.column_stack([gaps + RADIUS, G * (gaps + RADIUS) + speeds**2 / 2])
    return {
        "say": "frames",
        "times": _packed(times.astype("<f8")),
        "bodies": _packed(bodies.astype("<f4")),
        "signals": list(SIGNALS),
        "values": _packed(values.astype("<f4")),
    }


def _packed(numbers: npt.NDArray[np.floating]) -> str:
    return base64.b64encode(numbers.tobytes()).decode()


def replay_file(folder: Path, messages: list[dict[str, object]]) -> Path:
    """The page in one file, with these messages in it."""
    template = (STATIC / "replay.html").read_text(encoding="utf-8")
    assert template.count(TAG) == 1
    packed = base64.b64encode(gzip.compress(json.dumps(messages).encode())).decode()
    file = folder / "falling.html"
    file.write_text(template.replace(TAG, f"{TAG[:-9]}{packed}</script>"), encoding="utf-8")
    return file
