"""What can be wrong with the automata of a model text: all of it, each with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from dyverse.automaton.reading.entries import (
    automaton_entries,
    formals_of,
    once,
    own_names,
    surface_entries,
)
from dyverse.automaton.reading.fmu import foreign_entries
from dyverse.automaton.reading.names import (
    Names,
    Problems,
    Signal,
    no_signal,
    term_problems,
    twice,
)
from dyverse.errors import Problem, did_you_mean
from dyverse.expr.printing import term_text
from dyverse.text.instances import (
    AnyAutomaton,
    Running,
    automata,
    declared,
    given_channels,
    is_channel,
    readable,
    running,
    systems,
    with_channels,
)
from dyverse.text.syntax.automata import (
    AutomatonStatement,
    ChannelStatement,
    DiscontinuousStatement,
    EdgePart,
    Instance,
    Kind,
    Sync,
)
from dyverse.text.syntax.elements import Name, Offering
from dyverse.text.syntax.statements import ContactStatement, Model, ParameterStatement


def automaton_problems(
    model: Model,
    outside: Mapping[str, Kind],
    inputs: Collection[str] = (),
    signal: Signal = no_signal,
) -> Problems:
    """Everything wrong with the automata of ``model``; ``outside`` are variables of bodies."""
    constants = {s.name.text for s in model.statements if isinstance(s, ParameterStatement)}
    others: dict[str, Kind] = {**outside, **readable(model)}
    names = Names(frozenset(constants), {}, others, frozenset(inputs), signal)
    yield from _systems(model, names)
    for statement in automata(model):
        formals = formals_of(statement)
        own = dict(declared(statement))
        known = replace(names, constants=frozenset((*constants, *formals)), own=own)
        yield from own_names(statement, constants, inputs)
        yield from twice("channel", getattr(statement, "channels", ()))
        if isinstance(statement, AutomatonStatement) and statement.fmu:
            yield from foreign_entries(statement, known)
        elif isinstance(statement, AutomatonStatement):
            yield from automaton_entries(statement, known)
        else:
            yield from surface_entries(statement, known)
    yield from _channels(model)


def _systems(model: Model, names: Names) -> Problems:
    found, known = systems(model), {item.name.text: item for item in automata(model)}
    for extra in found[1:]:
        yield Problem("'system' is given twice; keep one", extra.instances[0].name.span)
    if len(known) > 1 and not found:
        text = " || ".join(known)
        last = list(known.values())[-1].name.span
        yield Problem(f"several automata; say how they run together: 'system {text}'", last)
    if not found and len(known) == 1:
        (only,) = known.values()
        yield from _arguments(Instance(only.name), only, names)
    for instance in found[0].instances if found else ():
        yield from _instance(instance, known, names)
    yield from twice("instance", (i.name for i in (found[0].instances if found else ())))
    yield from _mixed(found[0].instances if found else (), known)


def _mixed(instances: Iterable[Instance], known: Mapping[str, AnyAutomaton]) -> Problems:
    """Discontinuous systems that run together with something else."""
    there = [i for i in instances if i.automaton.text in known]
    surfaces = [i for i in there if isinstance(known[i.automaton.text], DiscontinuousStatement)]
    if surfaces and len(surfaces) < len(there):
        name = surfaces[0].automaton
        message = (
            f"{name.text!r} is a discontinuous system, which runs with others of its kind only"
        )
        yield Problem(message, name.span)


def _instance(instance: Instance, known: Mapping[str, AnyAutomaton], names: Names) -> Problems:
    name = instance.automaton
    if name.text not in known:
        hint = did_you_mean(name.text, known)
        yield Problem(f"unknown automaton {name.text!r}{hint}", name.span)
    elif isinstance(known[name.text], DiscontinuousStatement) and instance.arguments:
        yield Problem(f"{name.text!r} is a discontinuous system and takes no arguments", name.span)
    else:
        yield from _arguments(instance, known[name.text], names)


def _arguments(instance: Instance, statement: AnyAutomaton, names: Names) -> Problems:
    formals, place = formals_of(statement), instance.automaton.span
    if isinstance(statement, DiscontinuousStatement):
        return
    yield from _given_channels(instance, statement)
    unnamed = [argument for argument in instance.arguments if argument.name is None]
    most = len(statement.channels) + len(formals)
    if len(unnamed) > most:
        number = "1 argument" if most == 1 else f"{most} arguments"
        message = f"{instance.automaton.text!r} takes {number}, not {len(unnamed)}"
        yield Problem(message, place)
    instance = replace(instance, arguments=with_channels(statement, instance)[1])
    for argument in instance.arguments:
        yield from term_problems(argument.value, names)
        if argument.name and argument.name.text not in formals:
            hint = did_you_mean(argument.name.text, formals)
            yield Problem(f"unknown parameter {argument.name.text!r}{hint}", argument.name.span)
    given = dict(Running(instance.name, statement, instance.arguments).given())
    for formal in formals:
        if formal not in given:
            yield Problem(f"{instance.automaton.text!r} needs a value for {formal!r}", place)


def _given_channels(instance: Instance, statement: AutomatonStatement) -> Problems:
    """Parameters that are channels, and what an instance gives for them."""
    given = given_channels(statement, instance)
    for channel in statement.channels:
        if channel.text not in given:
            message = f"{instance.automaton.text!r} needs a channel for {channel.text!r}"
            yield Problem(message, instance.automaton.span)
    for name, term in given.items():
        if not is_channel(term):
            message = f"{name!r} is a channel; give it the name of one, found {term_text(term)!r}"
            yield Problem(message, term.span)


def _channels(model: Model) -> Problems:
    """Channels that are declared twice, and edges that can never be taken for want of a partner."""
    statements = [s for s in model.statements if isinstance(s, ChannelStatement)]
    yield from twice("channel", (s.name for s in statements))
    for statement in statements:
        yield from once(statement.entries, statement.name.span)
    syncs = [sync for item in running(model) for sync in _syncs(item.statement)]
    offers = [offering.channel for offering in _offers(model)]
    broadcast = {s.name.text for s in statements if "broadcast" in (e.keyword for e in s.entries)}
    sent = {sync.channel.text for sync in syncs if sync.sends}
    yield from _held_back(offers, (sent | {s.name.text for s in statements}) - broadcast)
    sent |= {channel.text for channel in offers}
    received = {sync.channel.text for sync in syncs if not sync.sends} | broadcast
    for sync in dict.fromkeys(syncs):
        partners, verb = (received, "receives") if sync.sends else (sent, "sends")
        if sync.channel.text not in partners:
            hint = did_you_mean(sync.channel.text, sorted(partners))
            yield Problem(f"nobody {verb} {sync.channel.text!r}{hint}", sync.channel.span)


def _syncs(statement: AnyAutomaton) -> Iterator[Sync]:
    """Those on channels that are known."""
    missing = getattr(statement, "channels", ())
    for edge in statement.entries:
        if isinstance(edge, EdgePart):
            found = (entry for entry in edge.entries if isinstance(entry, Sync))
            yield from (sync for sync in found if sync.channel not in missing)


def _offers(model: Model) -> Iterator[Offering]:
    """What contacts offer."""
    for statement in model.statements:
        if isinstance(statement, ContactStatement):
            yield from statement.offers


def _held_back(offers: list[Name], handshakes: set[str]) -> Problems:
    """Contacts wait for nobody, so what they offer cannot be a handshake."""
    for channel in offers:
        if channel.text in handshakes:
            hint = f"write 'channel {channel.text} {{ broadcast }}'"
            message = f"a contact offers {channel.text!r} to all who listen; {hint}"
            yield Problem(message, channel.span)
