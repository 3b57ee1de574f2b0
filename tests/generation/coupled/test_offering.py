"""Contacts that offer actions: automata hear exactly what the run tells as events."""

from dataclasses import replace

import pytest

from dyverse.automaton.run import Run, Stop
from dyverse.bodies.describe import world_text
from dyverse.bodies.pairs import touching_pairs
from dyverse.bodies.read import parse_world
from dyverse.bodies.scene import scene
from dyverse.bodies.world import OCCASIONS, ContactRule, Law, Offer, World
from dyverse.generation.automaton import generate
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.jumps import Joint, Underway
from dyverse.generation.coupled.offering import channels_of, offers_of, signals
from dyverse.generation.model import parse_model
from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate

FLOOR = "body floor { plane normal (0, 1, 0) }\n"
SCENES = {  # text, horizon, kinds of events that happen
    "thrown": (
        "gravity (0, -10, 0) body ball { sphere radius 0.1 mass 1 position (0, 1, 0) "
        "velocity (2, 0, 0) }" + FLOOR + "contact all { restitution 0.4 friction 0.02 }",
        3.0,
        {"impact", "stick"},
    ),
    "pushed": (
        "gravity (0, -10, 0) body box { sphere radius 0.1 mass 1 inertia 1e6 "
        "position (0, 0.1, 0) } force box (8*sin(3*t), 0, 0)" + FLOOR + "contact all "
        "{ restitution 0 friction 0.5 }",
        1.8,
        {"touch", "stick", "slip"},
    ),
    "lifted": (
        "gravity (0, -10, 0) body ball { sphere radius 0.1 mass 1 position (0, 0.1, 0) } "
        "force ball (0, 12*sin(4*t), 0)" + FLOOR + "contact all { restitution 0 friction 0.2 }",
        4.0,
        {"touch", "release", "impact"},
    ),
    "rolled": (
        "gravity (0, -10, 0) body a { sphere radius 0.1 mass 1 position (-1, 0.1, 0) "
        "velocity (2, 0, 0) spin (0, 0, -20) } body b { sphere radius 0.1 mass 2 "
        "position (0, 0.1, 0) }" + FLOOR + "contact all { restitution 0.5 friction 0.2 }",
        2.0,
        {"touch", "impact", "release", "slip", "stick"},
    ),
    "row": (
        "body a { sphere radius 0.5 mass 1 position (-2, 0, 0) velocity (1, 0, 0) } "
        "body b { sphere radius 0.5 mass 1 } body c { sphere radius 0.5 mass 1 "
        "position (1, 0, 0) }",
        3.0,
        {"touch", "impact"},
    ),
}


def listening(text: str) -> tuple[World, str]:
    """A world in which every contact offers everything, and a model with an ear for all of it."""
    world = parse_world(text)
    law = world.contacts[0].law if world.contacts else Law()
    rules = tuple(
        ContactRule(
            pair=(a, b), law=law, offers=tuple(Offer(f"{a}_{b}_{on}", on) for on in OCCASIONS)
        )
        for a, b in ((pair.a.name, pair.b.name) for pair in touching_pairs(world))
    )
    world = replace(world, contacts=rules)
    channels = channels_of(offers_of(scene(world)))
    edges = "".join(f"edge l -> l {{ sync {name}? }}\n" for name in channels)
    return world, f"{world_text(world)}automaton ear {{ location l initial l {edges} }} system ear"


def told(run: Run, kind: str, contact: str) -> list[float]:
    """When the run says that something of that kind happened to a contact."""
    kinds = ("impact", "accumulation") if kind == "impact" else (kind,)
    return [e.time for e in run.events if e.kind in kinds and contact in e.contacts]


@pytest.mark.parametrize(
    "options",
    [Options(), Options(solver="cvode"), Options(tick=0.25)],
    ids=["reference", "cvode", "tick"],
)
@pytest.mark.parametrize("name", SCENES)
def test_what_is_heard_is_what_happened(name: str, options: Options) -> None:
    """As this run tells it, and as the native engine does without anyone who listens."""
    if options.solver == "cvode":
        pytest.importorskip("sksundae")
    text, until, kinds = SCENES[name]
    world, model = listening(text)
    run = simulate(parse_model(model).automaton(), until=until, options=options)
    alone = simulate(generate(world), until=until, options=Options(solver="native"))
    assert run.stop == Stop.HORIZON
    seen = set()
    for rule in world.contacts:
        assert rule.pair is not None
        for offer in rule.offers:
            contact, heard = "-".join(rule.pair), run.times(offer.channel)
            assert heard == told(run, offer.on, contact)
            assert heard == pytest.approx(told(alone, offer.on, contact), abs=1e-6)
            seen |= {offer.on} if heard else set()
    assert seen == kinds


PUSHED = """
gravity (0, -10, 0)
body box { sphere radius 0.1  mass 1  inertia 1e6  position (0, 0.1, 0)  velocity (VX, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact box floor { restitution 0  friction 0.5  OFFERS }
force box (hand.push, hand.lift, 0)
automaton hand { real push, lift  int n  clock c  location l location m initial l EDGES }
system hand
"""


def pushed(offers: str, edges: str, *, speed: float = 0.0, until: float = 1.0) -> Run:
    text = PUSHED.replace("OFFERS", offers).replace("EDGES", edges).replace("VX", str(speed))
    return simulate(parse_model(text).automaton(), until=until)


def test_an_answer_may_change_the_mode_again_in_the_same_instant() -> None:
    """From 1 m/s at -5 m/s² it stops at 0.2 s; the answer, 8 N, drives it on with 3 m/s²."""
    run = pushed(
        "offers stops on stick  offers goes on slip",
        "edge l -> m { sync stops?  do push := 8 }  edge m -> m { sync goes?  do n := n + 1 }",
        speed=1.0,
    )
    kinds = [(event.kind, event.time) for event in run.events if event.time > 0]
    assert [kind for kind, _ in kinds] == ["stick", "stops", "slip", "goes"]
    assert len({time for _, time in kinds}) == 1
    assert kinds[0][1] == pytest.approx(0.2, abs=1e-7)
    assert run.final["box.vx"] == pytest.approx(3 * 0.8, abs=1e-6)
    assert run.final["hand.n"] == 1


def test_answers_without_end_are_a_livelock() -> None:
    """What touches is lifted, what is lifted is let go."""
    edges = "edge l -> l { sync down?  do lift := 20 }  edge l -> l { sync up?  do lift := 0 }"
    run = pushed("offers down on touch  offers up on release", edges)
    assert run.stop == Stop.LIVELOCK
    assert run.end.time == 0.0


def test_an_input_driven_by_an_edge_changes_at_once() -> None:
    """At 0.5 s 8 N act on it: 3 m/s²; at 0.75 s none: it slows down with 5 m/s², to 0.9 s."""
    edges = """
    edge l -> m { when c >= 0.5  do push := 8 }
    edge m -> l { when c >= 0.75  do push := 0, c := -9 }
    """
    run = pushed("offers goes on slip  offers stops on stick", edges)
    assert run.times("slip") == pytest.approx([0.5], abs=1e-9)
    assert run.times("stick") == pytest.approx([0.9], abs=1e-6)
    way = 0.75**2 / 2 * (1 / 3 + 1 / 5)
    assert run.final["box.x"] == pytest.approx(way, abs=1e-7)


def test_a_signal_that_nobody_hears_is_lost() -> None:
    edges = "edge l -> m { when c >= 0.5 }  edge m -> m { sync down?  do n := n + 1 }"
    run = pushed("offers down on touch", edges)
    assert run.times("touch") == [0.0]
    assert run.final["hand.n"] == 0


def test_one_kind_may_go_to_two_channels_and_two_kinds_to_one() -> None:
    edges = """
    edge l -> l { sync a?  do n := n + 1 }  edge l -> l { sync b?  do n := n + 10 }
    edge l -> l { when c >= 0.5 and push < 1  do push := 8 }
    """
    run = pushed("offers a on touch  offers b on touch  offers a on slip", edges)
    assert run.final["hand.n"] == 12
    heard = [event.kind for event in run.events if event.kind in "ab"]
    assert heard == ["a", "b", "a"]


def test_signals_come_by_kind_then_by_contact_each_channel_once() -> None:
    offers = {
        "a-b": (Offer("slid", "slip"), Offer("hit")),
        "a-c": (Offer("hit"), Offer("crash"), Offer("fell", "release")),
        "b-c": (Offer("met", "touch"), Offer("slid", "release")),
    }
    left = Modes((("a-b", "stick"), ("a-c", "slip"), ("b-d", "slip")))
    reached = Modes((("a-b", "trans"), ("b-c", "slip")))
    passage = Underway(left, ("a-c", "a-b"))
    assert signals(offers, passage, reached) == ("hit", "crash", "met", "fell", "slid")
    assert signals(offers, Underway(left, ("b-c",)), reached) == ("fell", "slid")
    assert signals(offers, Underway(FREE_FLIGHT), FREE_FLIGHT) == ()


def test_simultaneous_impacts_are_all_heard_a_shared_channel_once() -> None:
    text = """
    body a { sphere radius 0.5 mass 1 position (-2, 0, 0) velocity (1, 0, 0) }
    body b { sphere radius 0.5 mass 1 }
    body c { sphere radius 0.5 mass 1 position (1, 0, 0) }
    contact a b { offers left  offers any }
    contact b c { offers right  offers any }
    automaton ear { int n  location l initial l
      edge l -> l { sync left? }  edge l -> l { sync right? }
      edge l -> l { sync any?  do n := n + 1 } }
    system ear
    """
    run = simulate(parse_model(text).automaton(), until=1.5)
    (impact,) = [event for event in run.events if event.kind == "impact"]
    assert impact.contacts == ("a-b", "b-c")
    for channel in ("left", "right", "any"):
        assert run.times(channel) == pytest.approx([1.0], abs=1e-9)
    assert run.final["ear.n"] == 1


def test_time_passes_in_locations_without_signals() -> None:
    _, model = listening(SCENES["rolled"][0])
    automaton = parse_model(model).automaton()
    assert isinstance(automaton, CoupledAutomaton)
    assert set(automaton.offers) == {"a-b", "a-floor", "b-floor"}
    run = simulate(automaton, until=2.0)
    places = [arc.location for arc in run.arcs]
    assert all(isinstance(p, Joint) and not p.offered and p.underway is None for p in places)


def test_forces_at_rest_are_no_impacts() -> None:
    """A ball that comes to rest is hit until its bounces have accumulated, and no more."""
    text = """
    gravity (0, -10, 0)
    body ball { sphere radius 0.5  mass 2  position (0, 1.75, 0) }
    body floor { plane normal (0, 1, 0) }
    contact ball floor { restitution 0.5  friction 0.2  offers hit }
    force ball (20*sin(3*t), 0, 0)
    automaton ear { int n  location l initial l  edge l -> l { sync hit?  do n := n + 1 } }
    system ear
    """
    run = simulate(parse_model(text).automaton(), until=6.0)
    assert run.times("hit") == told(run, "impact", "ball-floor")
    assert run.times("hit")[-1] == pytest.approx(0.5 * (1 + 0.5) / (1 - 0.5), abs=1e-4)
    assert {"slip", "stick"} <= {event.kind for event in run.events}
