"""The names in a computation node's guards and resets, as expressions of the state.

The same names as in `dyverse.generation.node.walking`, which has numbers for them.
"""

from __future__ import annotations

import casadi as ca

from dyverse.expr.symbolic import SX
from dyverse.falsification.paper.encoding import Encoding, Point
from dyverse.falsification.paper.sweep import Names
from dyverse.falsification.satisfy.cnf import MX, Cnf, Definition, real
from dyverse.generation.skeleton.location import Modes
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.skeleton.places import DIRECTIONS, ForceNode
from dyverse.generation.symbolic.bodies import SymbolicBodies

Table = dict[str, SX]


def node_names(
    encoding: Encoding, node: ForceNode, formula: Cnf, point: Point
) -> tuple[Cnf, Names]:
    """All names that the node's jumps use, defined at ``point`` by one literal."""
    assert isinstance(encoding.symbols, SymbolicBodies)
    table = _node_table(encoding.symbols, node)
    function = encoding.function(ca.vertcat(*table.values()))
    numbers = real(f"numbers of {node.name}", size=len(table))
    defined = Definition(numbers, function(*encoding.at(point)), "A, B, C, γ = …(x)")
    names = {name: numbers.symbol[i] for i, name in enumerate(table)}
    return formula.also([(defined,)], [numbers]), names


def _node_table(bodies: SymbolicBodies, node: ForceNode) -> Table:
    rows = {name: bodies.rows(bodies.contacts.index[name]) for name in node.contacts}
    W = ca.horzcat(*(row.W for row in rows.values()))
    MW = bodies.inverse_mass @ W
    speeds = bodies.layout.speeds
    table = {speed: bodies.speeds[i] for i, speed in enumerate(speeds)}
    table |= {f"minv_h[{speed}]": bodies.free_acceleration[i] for i, speed in enumerate(speeds)}
    for k, (name, row) in enumerate(rows.items()):
        free = row.W.T @ bodies.free_acceleration + row.bias
        own = {
            "restitution": ca.SX(row.restitution),
            "tangential_restitution": ca.SX(row.tangential_restitution),
            "friction": bodies.friction(bodies.contacts.index[name], row.slip_speed),
            "normal_speed": row.speed[0],
            "slip_1": row.speed[1],
            "slip_2": row.speed[2],
            "slip_speed": row.slip_speed,
            "free_normal": free[0],
            "free_slip_1": free[1],
            "free_slip_2": free[2],
        }
        table |= {signal_name(quantity, name): value for quantity, value in own.items()}
        for d, direction in enumerate(DIRECTIONS):
            column = f"{direction}[{{}},{name.replace('-', ',', 1)}]"
            for i, speed in enumerate(speeds):
                table["minv_W_" + column.format(speed)] = MW[i, 3 * k + d]
    G = bodies.delassus([bodies.contacts.index[name] for name in rows], W)
    return table | _delassus(node.contacts, G)


def _delassus(names: tuple[str, ...], G: SX) -> Table:
    """A, B and C of [navarro2018] Appendix A, entry by entry."""
    blocks = {"A": (0, 0), "B1": (0, 1), "B2": (0, 2)}
    blocks |= {f"C{i}{k}": (i, k) for i in (1, 2) for k in (1, 2)}
    return {
        f"{block}[{row},{column}]": G[3 * i + a, 3 * j + b]
        for block, (a, b) in blocks.items()
        for i, row in enumerate(names)
        for j, column in enumerate(names)
    }


def exit_names(encoding: Encoding, node: ForceNode, known: Names, point: Point) -> Names:
    """``known``, and the accelerations of the contacts under the forces that the node found."""
    bodies = encoding.symbols
    assert isinstance(bodies, SymbolicBodies)
    acceleration = ca.vertcat(*_accelerations(bodies, known))
    found = dict(known)
    for name in node.contacts:
        row = bodies.rows(bodies.contacts.index[name])
        kinematics = encoding.function(ca.horzcat(row.W.T, row.bias))(*encoding.at(point))
        second = kinematics[:, :-1] @ acceleration + kinematics[:, -1]
        found[signal_name("normal_acceleration", name)] = second[0]
        found[signal_name("slip_acceleration", name)] = ca.sqrt(ca.sumsqr(second[1:]) + 1e-40)
    return found


def _accelerations(bodies: SymbolicBodies, known: Names) -> list[MX]:
    """q̈: of bodies in the node as it found it, of all others free."""
    speeds = bodies.layout.speeds
    return [known.get(f"acceleration[{s}]", known[f"minv_h[{s}]"]) for s in speeds]


def headings(encoding: Encoding, target: Modes, known: Names, point: Point) -> MX:
    """What the flow of ``target`` remembers: where contacts that begin to slip are heading.

    That is against the friction that the contact node has put on the rim of its disc.
    """
    bodies = encoding.symbols
    assert isinstance(bodies, SymbolicBodies)
    memory = [ca.MX.zeros(3) for _ in bodies.contacts.names]
    for name in target.having("trans"):
        contact = bodies.contacts.index[name]
        frame = encoding.function(bodies.rows(contact).frame[:, 1:])(*encoding.at(point))
        force = ca.vertcat(*(known[signal_name(f"lambda_T{i}", name)] for i in (1, 2)))
        memory[contact] = frame @ (-force / ca.sqrt(ca.sumsqr(force) + 1e-40))
    return ca.vertcat(*memory)
