"""Frames and curves as bytes, taken apart again as the page does it."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from dyverse.animation.describing.frames import GHOST, curves_bytes, frame_bytes
from dyverse.animation.recording.history import Curve


def test_a_frame_has_its_time_its_bodies_and_its_signals() -> None:
    poses = np.arange(14.0).reshape(2, 7)
    data = frame_bytes(2**32 + 5, 1.25, poses, np.array([0.5, np.nan]), past=True)
    assert struct.unpack_from("<BBHId", data) == (1, 1, 2, 5, 1.25)
    numbers = np.frombuffer(data, "<f4", offset=16)
    assert numbers[:14].tolist() == list(range(14))
    assert numbers[14] == 0.5
    assert np.isnan(numbers[15])


def test_curves_have_pairs_of_least_and_most() -> None:
    times = np.array([0.1, 0.2, 0.3])
    curves = [Curve(times, times - 1, times + 1), Curve(times, -times, times)]
    data = curves_bytes(17, curves, flags=GHOST)
    assert struct.unpack_from("<BBHII", data) == (2, 1, 2, 17, 3)
    assert np.frombuffer(data[12 : 12 + 24], "<f8").tolist() == times.tolist()
    pairs = np.frombuffer(data[36:], "<f4").reshape(2, 3, 2)
    assert pairs[0, 1].tolist() == pytest.approx([-0.8, 1.2])
    assert pairs[1, 2].tolist() == pytest.approx([-0.3, 0.3])


def test_no_signals_are_no_rows() -> None:
    assert curves_bytes(3, []) == struct.pack("<BBHII", 2, 0, 0, 3, 0)
