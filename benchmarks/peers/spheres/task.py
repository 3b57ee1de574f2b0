"""The interception game with spin: two impacts, between which ball 2 is steered by springs."""

from __future__ import annotations

UNTIL = 2.0
RELATIVE, ABSOLUTE = 1e-10, 1e-12
TEXT = """
parameter K = 2
gravity (0, -9.81, 0)
body ball1 {
  sphere radius 0.5  mass 1  position (0, 3, 0)  velocity (1, 1, 0)  spin (0, 3, 20)
}
body ball2 { sphere radius 0.5  mass 1  position (1.5, 0, 0) }
input u1 = -K*(ball2.x - ball1.x), u2 = -100*ball2.y, u3 = -100*(ball2.z - ball1.z)
force ball2 (u1, u2, u3)
contact ball1 ball2 { restitution 0.8  friction 0.3 }
"""
