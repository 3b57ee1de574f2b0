"""Numbers for the page, as bytes: frames of one time, and curves of some signals. Little endian.

A frame: u8 kind 1, u8 flags, u16 number of signals, u32 sequence, f64 time (s); then as f32 for
each moving body x y z (m) and qw qx qy qz, and the values of the signals. A curve: u8 kind 2,
u8 flags, u16 number of signals, u32 id of the request, u32 rows; then f64 times (s), and for each
signal rows of f32 least and most.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from dyverse.animation.recording.history import Curve
from dyverse.automaton.interface import Array

FRAME, CURVES = 1, 2
PAST = 1  # of a frame: the page looks back
GHOST, PARTIAL = 1, 2  # of curves: those of the run before, and some of it is still to come


def frame_bytes(
    sequence: int, time: float, poses: Array, values: Array, *, past: bool = False
) -> bytes:
    """One instant: poses of the moving bodies (bodies, 7), and some signals."""
    head = struct.pack("<BBHId", FRAME, PAST * past, values.size, sequence & 0xFFFFFFFF, time)
    return head + poses.astype("<f4").tobytes() + values.astype("<f4").tobytes()


def curves_bytes(request: int, curves: Sequence[Curve], *, flags: int = 0) -> bytes:
    """Some signals over one span of time; all curves have the same times."""
    times = curves[0].times if curves else np.empty(0)
    head = struct.pack("<BBHII", CURVES, flags, len(curves), request & 0xFFFFFFFF, len(times))
    pairs = (np.column_stack([curve.low, curve.high]).astype("<f4") for curve in curves)
    return head + times.astype("<f8").tobytes() + b"".join(pair.tobytes() for pair in pairs)
