"""Pictures of processes and of what is best in them, as files and notebooks show them."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from griddsl.exact.process import Process
from griddsl.exact.slices import Flags, like_the_start, on_the_map, shown_state
from griddsl.render.painter import Painter
from griddsl.render.scene import Scene
from griddsl.render.svg import to_svg

MOST_DRAWN = 200_000  # states: a map of more would keep a notebook's cell waiting


def scene_of(mdp: Process, number: int) -> Scene:
    """Return a state as it looks."""
    integers = mdp.states[number][0]
    whole = [*integers, *mdp.program.initial()[0][len(integers) :]]
    return Painter(mdp.program).scene(whole)


def scene_of_best(
    mdp: Process, values: NDArray[np.float64], soonest: NDArray[np.bool_], members: Flags
) -> Scene:
    """Return the map with the value and the best moves of each cell; `on_the_map` says of what."""
    heat, arrows = on_the_map(mdp, values, soonest, members)
    return replace(scene_of(mdp, shown_state(mdp, members)), values=heat, policy=arrows)


def process_html(mdp: Process) -> str:
    """Return a table of what a process is, with its likeliest first state."""
    return _table(mdp.facts()) + to_svg(scene_of(mdp, int(mdp.initial.argmax())))


def solution_html(
    mdp: Process, facts: Mapping[str, str], values: NDArray[np.float64], soonest: NDArray[np.bool_]
) -> str:
    """Return a table of facts, with values and best moves on the map, from the states that are like the first one.

    There is no map of several agents, where every such state is an end, and where there are too many states.
    """
    if len(mdp.agents) > 1 or mdp.n_states > MOST_DRAWN:
        return _table(facts)
    members = like_the_start(mdp)
    if not (members & ~mdp.terminal).any():
        return _table(facts)
    return _table(facts) + to_svg(scene_of_best(mdp, values, soonest, members))


def _table(facts: Mapping[str, str]) -> str:
    cell = 'style="text-align:left;padding:1px 12px 1px 0"'
    rows = (
        f"<tr><th {cell}>{html.escape(name)}</th><td {cell}>{html.escape(text)}</td></tr>"
        for name, text in facts.items()
    )
    return f"<table>{''.join(rows)}</table>"
