"""What of a mechanism can change while an exported model runs."""

from __future__ import annotations

from dyverse.exporters.c.quantities import Role
from tests.exporters.c.building import in_c

ROD = """parameter k = 2
parameter l = 1
gravity (0, -9.81, 0)
body frame { point  fixed }
body bob { sphere radius 0.1  mass 1  position (0, -1, 0) }
joint hinge { prismatic frame bob  axis (0, 1, 0)  length l }
force hinge -k*hinge.length
contact all off
"""


def test_what_a_joint_is_fitted_by_cannot_change_in_a_run() -> None:
    _, found = in_c(ROD)
    assert {item.name: item.kind for item in found.settings} == {"k": Role.TUNABLE, "l": Role.FIXED}
