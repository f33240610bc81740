"""Joint steps of games, written for one program: to look up what it observes would cost more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from griddsl.backends.batch import DISABLED
from griddsl.backends.interface import Array
from griddsl.backends.native.batch import NativeBatch
from griddsl.backends.single import made, put_together
from griddsl.envs.infos import ending
from griddsl.program.program import Player


def joint_step(
    players: Mapping[str, Player],
    native: NativeBatch,
    given: Sequence[Array],
    views: Mapping[str, Mapping[str, np.ndarray[Any, Any]]],
    counts: Mapping[str, int],
    **names: Any,
) -> Callable[[Any], Any]:
    """Return the joint step of a native game, for actions of all agents that are plain numbers.

    ``given`` are the arrays that a step of ``native`` is given: actions, rewards, both flags, and what is observed;
    ``views`` what native code writes for each agent, by the function that computes it, and ``counts`` how many
    actions it has. ``names`` are what the step calls: ``slow(actions)`` for all else, ``finish()`` where an agent's
    part ended; and ``game``, whose state it steps.
    """
    rows, names_given = range(len(players)), ", ".join(f"a{row}" for row in range(len(players)))
    fits = " and ".join(
        f"a{row}.__class__ in whole and 0 <= a{row} < {counts[name]}" for row, name in enumerate(players)
    )
    shown = []
    for row, (name, player) in enumerate(players.items()):
        entries = []
        for k, leaf in enumerate(player.observation.leaves):
            if leaf.function:
                names[f"view{row}_{k}"] = views[name][leaf.function]
                entries.append(f"view{row}_{k}[()]" if leaf.form == "value" else f"view{row}_{k}.copy()")
            else:
                names[f"read{row}_{k}"] = names["reader"](player, leaf)
                entries.append(f"read{row}_{k}()")
        shown.append(f"{name!r}: {put_together(player.observation, entries)}")

    def each(value: str) -> str:
        return "{" + ", ".join(f"{name!r}: {value.format(row)}" for row, name in enumerate(players)) + "}"

    silence = "{" + ", ".join(f"{name!r}: nothing_ends()" for name in players) + "}"
    lines = [
        "try:",
        f"    {names_given}, = {', '.join(f'actions[{name!r}]' for name in players)},",
        f"    fits = len(actions) == len(game.agents) == {len(players)} and not game._is_behind and {fits}",
        "except (KeyError, TypeError):",
        "    fits = False",
        "if not fits:",
        "    return slow(actions)",
        *(f"chosen[{row * native.interface.width}] = a{row}" for row in rows),
        f"ends = kernel(addresses, 1, {DISABLED}, -1, 0, 1, 0, *given)",
        "game._is_ahead = game._is_shown = True",
        "if ends:",
        "    return finish()",
        f"{', '.join(f'r{row}' for row in rows)}, = rewards.tolist()",
        f"return {{{', '.join(shown)}}}, {each('r{}')}, {each('False')}, {each('False')}, {silence}",
    ]
    return made(
        lines,
        "actions",
        chosen=given[0].reshape(-1),
        given=tuple(given),
        kernel=native.kernel,
        addresses=native.addresses,
        rewards=given[1],
        whole=frozenset([int, np.int64]),
        nothing_ends=(ending("") | {"result": ""}).copy,
        **names,
    )
