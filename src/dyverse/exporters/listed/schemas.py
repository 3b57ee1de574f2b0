"""What holds for every body, contact or node, as lines of a listing.

Greek letters stand for names: α, β, γ, δ for bodies (in `ENDS` and what pairs of shapes list, A is
the first body of the pair and B the second), σ for a speed of a body, ν for a node; no name
of a model has one. A definition reads ``left = right``; a vector stands in brackets, and ``'`` is
the rate of a quantity along F.  [navarro2018] Eqs. (2) to (15), Appendix A

The same equations on numbers are in `dyverse.contact.pair.kinematics`,
`dyverse.generation.balance.balance` and `dyverse.contact.law.problem`; a test evaluates these lines
and compares.
"""

from __future__ import annotations

MOTION = """\
(α.x', α.y', α.z') = (α.vx, α.vy, α.vz)
(α.rx', α.ry', α.rz') = (α.wx, α.wy, α.wz)
(α.vx', α.vy', α.vz') = (acceleration[α.vx], acceleration[α.vy], acceleration[α.vz])
(α.wx', α.wy', α.wz') = (acceleration[α.wx], acceleration[α.wy], acceleration[α.wz])""".splitlines()

TURNING = [
    MOTION[0],
    "(α.qw', α.qx', α.qy', α.qz') = (-α.qx * α.sx - α.qy * α.sy - α.qz * α.sz,"
    " α.qw * α.sx + α.qy * α.sz - α.qz * α.sy, α.qw * α.sy - α.qx * α.sz + α.qz * α.sx,"
    " α.qw * α.sz + α.qx * α.sy - α.qy * α.sx) / 2",
    MOTION[2],
    MOTION[3].replace("α.w", "α.s"),
]  # of a body with an orientation

FREE_FLIGHT = "acceleration[σ] = minv_h[σ]"

ACCELERATION = (
    f"{FREE_FLIGHT} + sum(minv_W_N[σ,α,β] * lambda_N[α,β]"
    " + minv_W_T1[σ,α,β] * lambda_T1[α,β] + minv_W_T2[σ,α,β] * lambda_T2[α,β])"
)

MODES = {
    "open": ("lambda_N[α,β] = 0", "lambda_T1[α,β] = 0", "lambda_T2[α,β] = 0"),
    "stick": (
        "normal_acceleration[α,β] = 0",
        "slip_acceleration_1[α,β] = 0",
        "slip_acceleration_2[α,β] = 0",
    ),
    "trans": (
        "normal_acceleration[α,β] = 0",
        "lambda_T1[α,β] = -friction_limit[α,β] * slip_acceleration_1[α,β] / slip_acceleration[α,β]",
        "lambda_T2[α,β] = -friction_limit[α,β] * slip_acceleration_2[α,β] / slip_acceleration[α,β]",
    ),
    "slip": (
        "normal_acceleration[α,β] = 0",
        "lambda_T1[α,β] = -friction_limit[α,β] * slip_1[α,β] / slip_speed[α,β]",
        "lambda_T2[α,β] = -friction_limit[α,β] * slip_2[α,β] / slip_speed[α,β]",
    ),
}

OF_BODIES = """\
position[α] = (α.x, α.y, α.z)
velocity[α] = (α.vx, α.vy, α.vz)
spin[α] = (α.wx, α.wy, α.wz)
(minv_h[α.vx], minv_h[α.vy], minv_h[α.vz]) = force[α] / mass[α]
(minv_h[α.wx], minv_h[α.wy], minv_h[α.wz]) = torque[α] / inertia[α]""".splitlines()

OF_TURNED_BODIES = """\
position[α] = (α.x, α.y, α.z)
velocity[α] = (α.vx, α.vy, α.vz)
axis_x[α] = (1 - 2 * (α.qy^2 + α.qz^2), 2 * (α.qx * α.qy + α.qw * α.qz), \
2 * (α.qx * α.qz - α.qw * α.qy))
axis_y[α] = (2 * (α.qx * α.qy - α.qw * α.qz), 1 - 2 * (α.qx^2 + α.qz^2), \
2 * (α.qy * α.qz + α.qw * α.qx))
axis_z[α] = (2 * (α.qx * α.qz + α.qw * α.qy), 2 * (α.qy * α.qz - α.qw * α.qx), \
1 - 2 * (α.qx^2 + α.qy^2))
spin[α] = α.sx * axis_x[α] + α.sy * axis_y[α] + α.sz * axis_z[α]
(α.wx, α.wy, α.wz) = spin[α]
own_spin[α] = (α.sx, α.sy, α.sz)
own_torque[α] = (dot(axis_x[α], torque[α]), dot(axis_y[α], torque[α]), dot(axis_z[α], torque[α]))
momentum[α] = times(inertia[α], own_spin[α])
(minv_h[α.vx], minv_h[α.vy], minv_h[α.vz]) = force[α] / mass[α]
(minv_h[α.sx], minv_h[α.sy], minv_h[α.sz]) \
= solve(inertia[α], own_torque[α] - cross(own_spin[α], momentum[α]))""".splitlines()

ENDS = (
    "side[A,α,β] = -1",
    "side[B,α,β] = 1",
    "arm[B,α,β] = position[A] - position[B] + arm[A,α,β] + gap[α,β] * normal[α,β]",
)  # of the first and the second body of a pair

OF_POINTS = (
    "velocity[α] = velocity[γ] + cross(spin[γ], position[α] - position[γ])",
    "spin[α] = spin[γ]",
)

OF_TIES = (  # ropes, stops and limits
    "normal_speed[α,β] = gap[α,β]'",
    "normal_acceleration[α,β] = normal_speed[α,β]'",
    "normal_force[α,β] = lambda_N[α,β]",
    "slip_1[α,β] = 0",
    "slip_2[α,β] = 0",
    "slip_speed[α,β] = 0",
    "slip_acceleration_1[α,β] = 0",
    "slip_acceleration_2[α,β] = 0",
    "slip_acceleration[α,β] = 0",
    "friction_force[α,β] = 0",
    "friction_limit[α,β] = 0",
)

OF_CONTACTS = """\
axis[α,β] = if(abs(dot(normal[α,β], (0, 0, 1))) < 0.9, (0, 0, 1), (1, 0, 0))
tangent_1[α,β] = unit(cross(normal[α,β], axis[α,β]))
tangent_2[α,β] = cross(normal[α,β], tangent_1[α,β])
normal_speed[α,β] = dot(normal[α,β], drift[α,β])
slip_1[α,β] = dot(tangent_1[α,β], drift[α,β])
slip_2[α,β] = dot(tangent_2[α,β], drift[α,β])
slip_speed[α,β] = sqrt(slip_1[α,β]^2 + slip_2[α,β]^2)
normal_acceleration[α,β] = normal_speed[α,β]'
slip_acceleration_1[α,β] = slip_1[α,β]'
slip_acceleration_2[α,β] = slip_2[α,β]'
slip_acceleration[α,β] = sqrt(slip_acceleration_1[α,β]^2 + slip_acceleration_2[α,β]^2)
normal_force[α,β] = lambda_N[α,β]
friction_force[α,β] = sqrt(lambda_T1[α,β]^2 + lambda_T2[α,β]^2)
friction_limit[α,β] = friction[α,β] * lambda_N[α,β]""".splitlines()

DRIFT = "drift[α,β] = sum(side[γ,α,β] * (velocity[γ] + cross(spin[γ], arm[γ,α,β])))"


def _ways(*lines: str) -> list[str]:
    """The lines for the normal and both tangents of a contact."""
    ways = (("N", "normal"), ("T1", "tangent_1"), ("T2", "tangent_2"))
    return [line.replace("_D", f"_{d}").replace("way", way) for d, way in ways for line in lines]


OF_ENDS = _ways(
    "(W_D[γ.vx,α,β], W_D[γ.vy,α,β], W_D[γ.vz,α,β]) = side[γ,α,β] * way[α,β]",
    "(W_D[γ.wx,α,β], W_D[γ.wy,α,β], W_D[γ.wz,α,β]) = side[γ,α,β] * cross(arm[γ,α,β], way[α,β])",
    "(minv_W_D[γ.vx,α,β], minv_W_D[γ.vy,α,β], minv_W_D[γ.vz,α,β])"
    " = side[γ,α,β] * way[α,β] / mass[γ]",
    "(minv_W_D[γ.wx,α,β], minv_W_D[γ.wy,α,β], minv_W_D[γ.wz,α,β])"
    " = side[γ,α,β] * cross(arm[γ,α,β], way[α,β]) / inertia[γ]",
)

OF_TURNED_ENDS = _ways(
    "(W_D[γ.vx,α,β], W_D[γ.vy,α,β], W_D[γ.vz,α,β]) = side[γ,α,β] * way[α,β]",
    "turn_D[γ,α,β] = side[γ,α,β] * cross(arm[γ,α,β], way[α,β])",
    "own_turn_D[γ,α,β] = (dot(axis_x[γ], turn_D[γ,α,β]), dot(axis_y[γ], turn_D[γ,α,β]),"
    " dot(axis_z[γ], turn_D[γ,α,β]))",
    "(W_D[γ.sx,α,β], W_D[γ.sy,α,β], W_D[γ.sz,α,β]) = own_turn_D[γ,α,β]",
    "(minv_W_D[γ.vx,α,β], minv_W_D[γ.vy,α,β], minv_W_D[γ.vz,α,β])"
    " = side[γ,α,β] * way[α,β] / mass[γ]",
    "(minv_W_D[γ.sx,α,β], minv_W_D[γ.sy,α,β], minv_W_D[γ.sz,α,β])"
    " = solve(inertia[γ], own_turn_D[γ,α,β])",
)

OF_TWO_CONTACTS = [
    f"{block}[α-β,γ-δ] = sum(W_{row}[σ,α,β] * minv_W_{column}[σ,γ,δ])"
    for block, row, column in (
        ("A", "N", "N"),
        ("B1", "N", "T1"),
        ("B2", "N", "T2"),
        ("C11", "T1", "T1"),
        ("C12", "T1", "T2"),
        ("C21", "T2", "T1"),
        ("C22", "T2", "T2"),
    )
]

FREE = [
    "free_normal[α,β] = normal_acceleration[α,β]",
    "free_slip_1[α,β] = slip_acceleration_1[α,β]",
    "free_slip_2[α,β] = slip_acceleration_2[α,β]",
]

IMPACT_DRIVES = """\
drive_N[α,β] = (1 + restitution[α,β]) * normal_speed[α,β]
drive_T1[α,β] = (1 + tangential_restitution[α,β]) * slip_1[α,β]
drive_T2[α,β] = (1 + tangential_restitution[α,β]) * slip_2[α,β]""".splitlines()

CONTACT_DRIVES = """\
drive_N[α,β] = free_normal[α,β]
drive_T1[α,β] = free_slip_1[α,β]
drive_T2[α,β] = free_slip_2[α,β]""".splitlines()

RESPONSES = [
    "xi_N[α,β] = drive_N[α,β] + sum(A[α-β,γ-δ] * lambda_N[γ,δ]"
    " + B1[α-β,γ-δ] * lambda_T1[γ,δ] + B2[α-β,γ-δ] * lambda_T2[γ,δ])",
    *(
        f"xi_T{i}[α,β] = drive_T{i}[α,β] + sum(B{i}[γ-δ,α-β] * lambda_N[γ,δ]"
        f" + C{i}1[α-β,γ-δ] * lambda_T1[γ,δ] + C{i}2[α-β,γ-δ] * lambda_T2[γ,δ])"
        for i in (1, 2)
    ),
]

OF_NODES = """\
scale_T[α,β] = (C11[α-β,α-β] + C22[α-β,α-β]) / 2 \
+ sqrt((C11[α-β,α-β] - C22[α-β,α-β])^2 / 4 + C12[α-β,α-β]^2)
reach[α,β] = friction[α,β] * max(0, lambda_N[α,β])
aim_1[α,β] = lambda_T1[α,β] - xi_T1[α,β] / scale_T[α,β]
aim_2[α,β] = lambda_T2[α,β] - xi_T2[α,β] / scale_T[α,β]
aim[α,β] = sqrt(aim_1[α,β]^2 + aim_2[α,β]^2)
shrink[α,β] = if(aim[α,β] > reach[α,β], reach[α,β] / aim[α,β], 1)
miss_N[α,β] = abs(min(A[α-β,α-β] * lambda_N[α,β], xi_N[α,β]))
miss_T[α,β] = scale_T[α,β] * sqrt((lambda_T1[α,β] - shrink[α,β] * aim_1[α,β])^2 \
+ (lambda_T2[α,β] - shrink[α,β] * aim_2[α,β])^2)""".splitlines()

RESIDUAL = "residual[ν] = most(max(miss_N[α,β], miss_T[α,β])) / most(abs(drive_N[α,β]))"

SLIDING = (
    "miss_T[α,β] = scale_T[α,β] * sqrt("
    "(lambda_T1[α,β] + reach[α,β] * slip_1[α,β] / slip_speed[α,β])^2"
    " + (lambda_T2[α,β] + reach[α,β] * slip_2[α,β] / slip_speed[α,β])^2)"
)
