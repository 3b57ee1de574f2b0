"""What a time-stepping engine makes of the ball: impacts as the turns of its heights."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.peers.bounce.task import exact, horizon
from benchmarks.peers.measure import Answer

RADIUS = 0.1
SHOWN = 3  # impacts whose times are compared


def judged(step: float, advance: Callable[[], tuple[float, float]]) -> Answer:
    """Step to the horizon; ``advance`` gives the height of the lowest point and its rate.

    An impact is a step after which the ball rises and before which it fell. Its time is that of the
    middle of the time spent below the floor, which no such engine knows better than its step.
    """
    heights, speeds = [], []
    for _ in range(int(horizon() / step)):
        height, speed = advance()
        heights.append(height)
        speeds.append(speed)
    turns = [
        i for i in range(1, len(speeds)) if speeds[i - 1] < 0 <= speeds[i] and heights[i] < 0.5
    ]
    errors = [abs((i + 0.5) * step - t) for i, t in zip(turns, exact(), strict=False)]
    rebound = max(heights[turns[0] : turns[1]]) if len(turns) > 1 else max(heights[turns[0] :])
    return {
        "step": step,
        "impacts": len(turns),
        "errors": errors[:SHOWN],
        "penetration": max(0.0, -min(heights)),
        "rebound": rebound,  # exact: 6.4 m
    }
