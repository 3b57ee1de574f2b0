"""Write model.drbt: sixteen balls, a table, four cushions, and the law of each ball with these."""

from collections.abc import Iterator
from pathlib import Path

HEAD = """\
# A billiard break: the cue ball hits a rack of fifteen on a table with four cushions
# Written by write_model.py. x along the table, y up, z across; a nine-foot table without pockets.
parameter r = 0.028575       # radius of a ball, m (2 1/4 inches across)
parameter m = 0.17           # kg
parameter v = 10 in [1, 12]  # speed of the cue ball, m/s
parameter aim = 0.015        # how far it starts beside the middle line, m
parameter space = 1e-4       # between neighbours in the rack, m
parameter d = 2*r + space    # from centre to centre in a row of the rack, m
parameter h = d*sqrt(3)/2    # from row to row, m
parameter L = 1.27           # half the length of the table, m
parameter W = 0.635          # half its width, m
gravity (0, -9.81, 0)
"""
TABLE = """
body table { plane normal (0, 1, 0) }
body east { plane normal (-1, 0, 0)  position (L, 0, 0) }
body west { plane normal (1, 0, 0)  position (-L, 0, 0) }
body north { plane normal (0, 0, -1)  position (0, 0, W) }
body south { plane normal (0, 0, 1)  position (0, 0, -W) }

# Ball against ball; the table and the cushions have laws of their own below.
contact all { restitution 0.95  friction 0.06 }"""
LAWS = {"table": "restitution 0  friction 0.2"}
LAWS |= dict.fromkeys(("east", "west", "north", "south"), "restitution 0.8  friction 0.2")


def rack() -> Iterator[tuple[str, str]]:
    """Where the balls lie, x and z: the first on the foot spot, five in the last row."""
    for row in range(5):
        for place in range(-row, row + 1, 2):
            x, z = f"L/2 + {row}*h", f"{place / 2:g}*d"
            yield x.replace(" + 0*h", ""), z.replace("0*d", "0")


def model() -> Iterator[str]:
    yield HEAD
    ball = "sphere radius r  mass m"
    yield f"body cue {{ {ball}  position (-L/2, r, aim)  velocity (v, 0, 0) }}"
    for number, (x, z) in enumerate(rack(), start=1):
        yield f"body b{number} {{ {ball}  position ({x}, r, {z}) }}"
    yield TABLE
    for name in ("cue", *(f"b{number}" for number in range(1, 16))):
        yield ""
        yield from (f"contact {name} {other} {{ {law} }}" for other, law in LAWS.items())
    yield "\nhorizon 1"


if __name__ == "__main__":
    text = "\n".join(model()) + "\n"
    Path(__file__).with_name("model.drbt").write_text(text, encoding="utf-8")
