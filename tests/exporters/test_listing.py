from __future__ import annotations

from itertools import islice

from dyverse.bodies.read import parse_world
from dyverse.bodies.scene import scene
from dyverse.bodies.world import World
from dyverse.exporters.listing import listing, number_text
from dyverse.generation.skeleton.counts import GraphName
from dyverse.generation.skeleton.rules import RuleSet
from dyverse.generation.skeleton.skeleton import Skeleton
from dyverse.generation.skeleton.solids import skeleton_of
from dyverse.text.examples import balls_text


def balls(
    number: int, *, rules: RuleSet = "complete", graph: GraphName = "complete"
) -> tuple[Skeleton, World]:
    world = parse_world(balls_text(number))
    return skeleton_of(world, scene(world), rules=rules, graph=graph), world


def test_small_automata_are_listed_in_full() -> None:
    skeleton, world = balls(2, rules="paper")
    lines = list(listing(skeleton, world))
    assert all(f"  {location}" in lines for location in skeleton.locations())
    arrows = {f"  {e.source} -> {e.target}  ({e.rule})" for e in skeleton.edges()}
    assert arrows <= set(lines)
    assert sum(line.startswith("  ") and " -> " in line for line in lines) == 11 + 9 + 10
    assert "    when gap[ball1,ball2] <= 0 and normal_speed[ball1,ball2] <= 0" in lines
    assert "      then lambda_N[ball1,ball2] := phi_N[ball1,ball2]" in lines


def test_the_flow_of_a_location_names_the_mode_of_every_contact() -> None:
    lines = list(listing(*balls(3)))
    place = lines.index("  {ball1-ball2: stick, ball2-ball3: slip}")
    assert lines[place + 2] == "    F: stick[ball1,ball2], open[ball1,ball3], slip[ball2,ball3]"


def test_large_automata_get_a_summary() -> None:
    lines = list(listing(*balls(20, graph="feasible")))
    assert len(lines) < 330  # a hundred definitions, and ten lines for each body
    assert max(map(len, lines)) < 600
    assert any("edges" in line and "e160" in line for line in lines)
    assert any("and 186 more" in line for line in lines)


def test_the_limit_can_be_chosen() -> None:
    skeleton, world = balls(2, rules="paper")
    short, long = (list(listing(skeleton, world, limit=limit)) for limit in (10, 11))
    assert len(short) < len(long)


def test_a_full_listing_is_streamed() -> None:
    lines = listing(*balls(4), limit=10**9)
    assert len(list(islice(lines, 1000))) == 1000


def test_counts_are_readable_at_any_length() -> None:
    assert number_text(231_284) == "231,284"
    assert number_text(4**190) == "2.462e114"
