"""A run in a notebook or a report: its replay, in a frame of its own."""

from __future__ import annotations

from html import escape

from dyverse.animation.playable import Playable
from dyverse.animation.replays.replay import run_html
from dyverse.animation.serving.built import MissingPageError
from dyverse.automaton.run import Run

HEIGHT = 640  # pixels


def framed(run: Run, play: Playable | None = None) -> str | None:
    """HTML for a notebook or a report, or nothing where the page has not been built.

    The frame may run the page's scripts and nothing else: it has no address of its own.
    """
    try:
        page = run_html(run, play)
    except MissingPageError:
        return None
    style = f"width: 100%; height: {HEIGHT}px; border: 0"
    allowed = "allow-scripts allow-downloads"
    kept = f'sandbox="{allowed}" loading="lazy" title="replay" style="{style}"'
    return f'<iframe srcdoc="{escape(page)}" {kept}></iframe>'
