"""Random questions about one point, many of them exactly at the bound of what they claim."""

from __future__ import annotations

from random import Random

HALVES = (0.25, 0.5, 1.0, 1.5, 2.0)

AUTOMATON = """
parameter p = {p} in [0, 5]
automaton a {{
  int n = {n} in [-50, 50]
  bool odd = false
  real x = {x}
  clock c
  location up {{ x' = {up}  invariant c <= p }}
  location mid {{ {kind} }}
  location down {{ x' = {down}  invariant c <= {d} }}
  initial {first}
  edge up -> mid {{ when c >= p  do n := n + {add}, odd := not odd, c := 0 }}
  edge mid -> down {{ do x := {jump} }}
  edge down -> up {{ when c >= {d}  do c := 0, n := n - {sub} }}
}}
system a
"""
ATOMS = (
    *("a.n < {k}", "a.n <= {k}", "a.n == {k}", "not (a.n == {k})", "a.n != {k}", "a.odd"),
    *("not a.odd", "not a.mid", "a.up", "a.mid or a.n < {k}", "a.x < {v}", "a.x <= {v}"),
    *("a.x == {v}", "a.x != {v}", "a.c <= {v}", "a.c < {v}", "t < {v}", "t <= {v}"),
    *("abs(a.x) <= {v}", "1/a.x > 0", "a.n < {k} or a.x < {v}"),
)
BODIES = """
parameter p = {p} in [0, 5]
gravity (0, -10, 0)
body ball {{ sphere radius 0.5  mass 1  position (0, 0.5 + p, 0)  velocity ({vx}, 0, 0) }}
body floor {{ plane normal (0, 1, 0) }}
{wall}contact all {{ restitution {e}  friction {mu}{offers} }}
"""
WALL = "body wall {{ plane normal (-1, 0, 0)  position (2, 0, 0) }}\n"
OF_BODIES = (
    *("gap[ball,floor] >= 0", "gap[ball,floor] > 0", "gap[ball,floor] <= {v}", "ball.y >= 0.5"),
    *("ball.y <= 0.5 + p", "ball.y < 0.5 + p", "ball.vy <= {v}", "ball.vy >= -{v}"),
    *("ball.x <= {v}", "ball.x < {v}", "closed[ball,floor]", "not closed[ball,floor]"),
    *("sticking[ball,floor] or t < {v}", "normal_force[ball,floor] <= 10", "ball.z == 0"),
    *("ball.z != 0", "slip_speed[ball,floor] <= {v}", "energy <= 10*(0.5 + p) + 0.5", "t < {v}"),
    "not (ball.y < 0.6 and ball.vy > 0)",
)
LISTENER = """
automaton a {{
  int n = 0 in [0, 500]
  location go
  location told {{ committed }}
  initial go
  edge go -> told {{ sync hit?  do n := n + 1 }}
  edge told -> go
}}
system a
"""
OF_LISTENER = (
    *("a.n < {k}", "a.n <= {k}", "not (a.n == {k})", "not a.told", "a.go"),
    "ball.vy <= 0 or a.go",
)


def random_model(seed: int, kind: str, *, nested: bool = False) -> str:
    """A model text with one property, with operators in operators if ``nested``.

    Its parameter p has a range.
    """
    draw = Random(f"{kind} {seed}")
    text, atoms = _MODELS[kind](draw)
    claim = _nested(draw, atoms) if nested else _claim(draw, atoms)
    return text + f"property claim: {claim}\n"


def _automata(draw: Random) -> tuple[str, tuple[str, ...]]:
    text = AUTOMATON.format(
        p=draw.choice(HALVES),
        n=draw.choice((0, 0, 1)),
        x=draw.choice((0, 1, -1)),
        up=draw.choice((0, 1, -1, "1 - x")),
        down=draw.choice((0, -1, 2)),
        d=draw.choice(HALVES),
        kind=draw.choice(("committed", "urgent", "invariant c <= 0")),
        first=draw.choice(("up", "up", "mid")),
        add=draw.choice((1, 1, 2)),
        sub=draw.choice((0, 0, 1)),
        jump=draw.choice(("x", "0", "x + 1", "n")),
    )
    return text, ATOMS


def _bodies(draw: Random, offers: str = "") -> tuple[str, tuple[str, ...]]:
    text = BODIES.format(
        p=draw.choice((0, 0.2, 0.45, 1.25)),
        vx=draw.choice((0, 0, 1, 2)),
        wall=draw.choice(("", "", WALL.format())),
        e=draw.choice((0, 0.5, 0.8, 1)),
        mu=draw.choice((0, 0.3)),
        offers=offers,
    )
    return text, OF_BODIES


def _coupled(draw: Random) -> tuple[str, tuple[str, ...]]:
    text, atoms = _bodies(draw, offers="  offers hit")
    return text + LISTENER.format(), (*atoms, *OF_LISTENER, *OF_LISTENER)


_MODELS = {"automata": _automata, "bodies": _bodies, "coupled": _coupled}


def _claim(draw: Random, atoms: tuple[str, ...]) -> str:
    until = draw.choice((0.5, 1, 1.5, 2))
    formula = _formula(draw, atoms)
    match draw.choice(("always", "always", "always", "eventually", "before")):
        case "always":
            return f"always {formula} until {until}"
        case "eventually":
            return f"eventually {formula} until {until}"
        case _:
            return f"always {formula} before {_formula(draw, atoms)} until {until}"


def _nested(draw: Random, atoms: tuple[str, ...]) -> str:
    """Operators in operators, ahead and behind, with windows."""
    until, formula = draw.choice((0.5, 1, 1.5, 2)), _formula(draw, atoms)
    low = draw.choice((0, 0, 0.25, 0.5))
    window = f"[{low}, {low + draw.choice((0, 0.25, 0.5, 1))}]"
    other = f"({_formula(draw, atoms)})"
    shapes = (
        f"always (({formula}) implies eventually{window} {other})",
        f"eventually always{window} ({formula})",
        f"always{window} (({formula}) until{window} {other})",
        f"always (once{window} ({formula}) or historically{window} {other})",
        f"eventually (({formula}) since{window} {other})",
        f"not always{window} ({formula})",
    )
    return f"{draw.choice(shapes)} until {until}"


def _formula(draw: Random, atoms: tuple[str, ...]) -> str:
    chosen = [
        atom.format(k=draw.choice((0, 1, 2, 3)), v=draw.choice((0, 0.5, 1, 1.5, 2, 5)))
        for atom in draw.choices(atoms, k=draw.choice((1, 1, 2, 3)))
    ]
    joined = f" {draw.choice(('and', 'or'))} ".join(f"({atom})" for atom in chosen)
    return f"not ({joined})" if draw.random() < 0.15 else joined
