from __future__ import annotations

from itertools import combinations, islice

from dyverse.contact.graph import CompleteGraph, FeasibleGraph
from dyverse.exporters.listing import listing, number_text
from dyverse.generation.skeleton import Skeleton

ONE = ("ball1-ball2",)
MANY = tuple(f"ball{a}-ball{b}" for a, b in combinations(range(1, 21), 2))


def test_small_automata_are_listed_in_full() -> None:
    skeleton = Skeleton(ONE, CompleteGraph(ONE), "paper")
    lines = list(listing(skeleton))
    assert all(f"  {location}" in lines for location in skeleton.locations())
    arrows = {f"  {e.source} -> {e.target}  ({e.rule})" for e in skeleton.edges()}
    assert arrows <= set(lines)
    assert sum(line.startswith("  ") and " -> " in line for line in lines) == 11 + 9 + 10
    assert "    when gap[ball1,ball2] <= 0 and normal_speed[ball1,ball2] <= 0" in lines
    assert "      then lambda_N[ball1,ball2] := phi_N[ball1,ball2]" in lines


def test_large_automata_get_a_summary() -> None:
    skeleton = Skeleton(MANY, FeasibleGraph(MANY))
    lines = list(listing(skeleton))
    assert len(lines) < 60
    assert max(map(len, lines)) < 600
    assert any("edges" in line and "e160" in line for line in lines)
    assert any("and 186 more" in line for line in lines)


def test_the_limit_can_be_chosen() -> None:
    skeleton = Skeleton(ONE, CompleteGraph(ONE), "paper")
    assert len(list(listing(skeleton, limit=10))) < len(list(listing(skeleton, limit=11)))


def test_a_full_listing_is_streamed() -> None:
    four = tuple(f"ball{a}-ball{b}" for a, b in combinations(range(1, 5), 2))
    lines = listing(Skeleton(four, CompleteGraph(four)), limit=10**9)
    assert len(list(islice(lines, 100))) == 100


def test_counts_are_readable_at_any_length() -> None:
    assert number_text(231_284) == "231,284"
    assert number_text(4**190) == "2.462e114"
