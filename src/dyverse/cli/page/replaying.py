"""The work of ``dyverse animate --html``: a run of a model in one file."""

from __future__ import annotations

from dyverse.animation.replays.replay import run_html
from dyverse.animation.serving.built import replay_page
from dyverse.cli.arguments.outputs import check_outputs
from dyverse.cli.arguments.source import source_of
from dyverse.cli.page.ordering import Order
from dyverse.cli.page.playing import playable
from dyverse.cli.terminal.reported import print_json, say
from dyverse.errors import ModelError, Problem
from dyverse.exporters.atomic import write_lines
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.simulation.simulate import Options, simulate


def write_replay(model: str | None, html: str, order: Order, *, as_json: bool) -> None:
    """One file with the page and a run of the model in it."""
    if model is None:
        raise ModelError([Problem("needs a model to write a replay of")], file="--html")
    check_outputs(model, {"--html": html})
    replay_page()  # refused at once, if it is not there
    play, until = playable(source_of(model), order)
    follow = FollowOptions(accuracy=Accuracy(longest_step=play.longest_step))
    options = Options(solver=order.solver, tick=order.tick, follow=follow)
    run = simulate(play.model.automaton(play.settings), until=until, options=options)
    write_lines(html, [run_html(run, play)])
    if as_json:
        print_json({"html": html, "time": run.end.time, "stop": str(run.stop)})
    else:
        say(f"wrote {html}")
