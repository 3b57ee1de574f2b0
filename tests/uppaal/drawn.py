"""Random UPPAAL files: small systems that use what the language has, and end up somewhere.

Integers are kept in their ranges by ``%``; clock constraints have small constants, strict and weak.
"""

from __future__ import annotations

from random import Random

GLOBALS = """
const int K = 3;
typedef int[0, 1] id_t;
typedef struct { int[0, 3] p; bool q; } pair_t;
int[0, 3] n, m = 2;
bool b, c = true;
int[0, 3] a[3] = { 1, 2, 3 };
int[0, 3] z[3];
pair_t r, s = { 2, true };
clock x, y, v[2];
chan ch, arr[2];
urgent chan uc;
broadcast chan bc, barr[2];
urgent broadcast chan ub;
int f(int i) {
    int k; int t = 0;
    for (k = 0; k < i; k++) { if (a[k % 3] > 1) t += a[k % 3]; else t++; }
    return t % 4;
}
bool g(int i, int j) { while (i > j) { i -= 2; } return i == j; }
void h(int[0, 3] &o) { o = (o + 1) % 4; b = !b; }
int sized() { return n; }
int[0, 2] n0 = 1;
"""
NUMBERS = ("n", "m", "K", "a[n % 3]", "a[0]", "s.p", "r.p", "f(m)", "z[1]", "sized()", "id", "l")
CLOCKS = ("x", "y", "w", "v[0]", "v[1]")
SYNCS = ("ch", "arr[0]", "arr[1]", "arr[n % 2]", "arr[id]", "uc", "bc", "barr[m % 2]", "ub")
NO_CLOCKS = ("uc", "ub")  # no clocks in guards of urgent synchronisations


class Drawing:
    """One file, drawn from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def text(self) -> str:
        """The file."""
        count = self.random.choice((1, 2, 2, 3))
        names = [f"P{i}" for i in range(count)]
        processes = "".join(self._process(name) for name in names)
        instances = "".join(f"Q{i} = P{i}({i % 2});\n" for i in range(count))
        priority = "chan priority ch < default < bc;\n" if self.random.random() < 0.2 else ""
        separators = [self.random.choice((", ", ", ", ", ", " < ")) for _ in names]
        line = "".join(f"Q{i}{separator}" for i, separator in enumerate(separators))[:-2].strip(
            " <,"
        )
        return f"{GLOBALS}{priority}{processes}{instances}system {line};\n"

    def _process(self, name: str) -> str:
        places = [f"L{i}" for i in range(self.random.choice((2, 3, 3, 4)))]
        points = ["B"] if self.random.random() < 0.3 else []
        states = ", ".join(f"{place}{self._invariant()}" for place in places)
        flags = "".join(self._flag(place) for place in places[1:])
        arrows = [self._arrow(place, self.random.choice([*places, *points])) for place in places]
        arrows += [
            self._arrow(self.random.choice(places), self.random.choice([*places, *points]))
            for _ in range(self.random.randrange(2, 5))
        ]
        for point in points:
            arrows += [self._branch(point, self.random.choice(places)) for _ in range(2)]
        shadow = "int[0, 3] n = 1;" if self.random.random() < 0.3 else ""
        branching = f"branchpoint {', '.join(points)};\n" if points else ""
        return (
            f"process {name}(const id_t id) {{\n"
            f"clock w;\nint[0, 3] l = id;\nint own() {{ return n; }}\n{shadow}\n"
            f"state {states};\n{branching}{flags}init {places[0]};\n"
            f"trans {', '.join(arrows)};\n}}\n"
        )

    def _flag(self, place: str) -> str:
        word = self.random.choices(("", "commit", "urgent"), (8, 1, 1))[0]
        return f"{word} {place};\n" if word else ""

    def _invariant(self) -> str:
        if self.random.random() < 0.5:
            return ""
        relation = self.random.choice(("<=", "<=", "<"))
        parts = [f"{self.random.choice(CLOCKS)} {relation} {self._late()}"]
        if self.random.random() < 0.15:
            parts.append(self._condition())
        if self.random.random() < 0.15:
            parts.append("w' == 0")
        return f" {{ {' && '.join(parts)} }}"

    def _late(self) -> str:
        return self.random.choice(("4", "5", "6", "K + 2", "n + 3", "f(m) + 3", "(n + 9) / 2"))

    def _early(self) -> str:
        return self.random.choice(("1", "2", "3", "K", "n", "m + 1", "sized()", "(m + 3) / 2"))

    def _number(self) -> str:
        return self.random.choice((*NUMBERS, *map(str, range(4))))

    def _condition(self) -> str:
        left, right = self._number(), self._number()
        return self.random.choice(
            (
                f"{left} {self.random.choice(('<', '<=', '==', '!=', '>', '>='))} {right}",
                f"({left} > {right} or b)",
                f"(c imply {left} <= {right})",
                f"(b xor {left} == {right})",
                f"g({left}, {right})",
                f"(forall (i : int[0, 2]) a[i] >= {right})",
                f"(exists (i : id_t) a[i] == {left} && i < 2)",
                f"(sum (i : int[0, 2]) a[i] > {left})",
                f"{left} / 2 <= {right} % 3",
                f"({left} <? {right}) < 3",
                "r == s",
                "a == z",
                "own() != l",
                "not (b and c)",
                f"(b ? {left} : {right}) < 2",
                f"({left} & 1) == 1",
            )
        )

    def _clock_part(self) -> str:
        one, other = self.random.sample(CLOCKS, 2)
        if self.random.random() < 0.1:
            relation = self.random.choice(("<", "<=", ">=", ">"))
            return f"{one} - {other} {relation} {self._early()}"
        if self.random.random() < 0.3:
            return f"{one} {self.random.choice(('<', '<=', '=='))} {self._late()}"
        if self.random.random() < 0.1:
            return f"{self._early()} < {one}"
        return f"{one} {self.random.choice(('>=', '>'))} {self._early()}"

    def _arrow(self, source: str, target: str) -> str:
        sync = self.random.choice(SYNCS) if self.random.random() < 0.55 else ""
        select = "select i : int[0, 1]; " if self.random.random() < 0.2 else ""
        if select and sync.startswith("arr") and self.random.random() < 0.6:
            sync = "arr[i]"
        direction = self.random.choice("!?")
        hears_all = direction == "?" and sync.startswith("b")
        parts = []
        if sync not in NO_CLOCKS and not hears_all and self.random.random() < 0.85:
            parts += [self._clock_part() for _ in range(self.random.choice((1, 1, 2)))]
        if self.random.random() < 0.35:
            parts.append(self._condition())
        if select and self.random.random() < 0.5:
            parts.append("i == m % 2")
        guard = f"guard {self.random.choice((' && ', ' and ')).join(parts)}; " if parts else ""
        labels = f"{select}{guard}{f'sync {sync}{direction}; ' if sync else ''}"
        return f"{source} -> {target} {{ {labels}{self._assign(select)}}}"

    def _branch(self, source: str, target: str) -> str:
        weight = f"probability {self.random.randrange(1, 4)}; "
        return f"{source} -> {target} {{ {self._assign('')}{weight}}}"

    def _assign(self, select: str) -> str:
        updates = [self._update(select) for _ in range(self.random.choice((1, 1, 2, 2, 3)))]
        return f"assign {', '.join(updates)}; "

    def _update(self, select: str) -> str:
        number = f"({self._number()} + {'i' if select else '1'}) % 4"
        return self.random.choice(
            (
                *[f"{clock} = 0" for clock in CLOCKS],
                *("x = 0", "w = 0", "y = 0", "v[1] = 0", "x = 0", "w = 0"),
                "w = 1",
                "y = m",
                f"n = {number}",
                f"m = {number}",
                f"l = {number}",
                f"a[m % 3] = {number}",
                f"r.p = {number}",
                "r = s",
                "s.q = b and n > 1",
                "s = r",
                "z = a",
                "b = n < 2 or c",
                "c = b and not c",
                "h(m)",
                "h(l)",
                f"z[l % 3] = {number}",
                "n = b ? m : l",
            )
        )
