"""Steps of batches and of games, written for one program: to look up what it observes would cost more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from griddsl.backends.batch import Batch, Port
from griddsl.backends.native_joint import NativeJointBatch
from griddsl.backends.single import made, put_together
from griddsl.envs.infos import ending
from griddsl.program.program import Player
from griddsl.program.runtime import SetupFailure


def batch_step(
    batch: Batch, count: int, ports: Sequence[Port], mode: int, **names: Any
) -> Callable[[Any], Any]:
    """Return the step of a batch whose actions are whole numbers and whose observation is a bare array.

    ``names`` are what it calls: ``numbers(actions)`` for actions that are not an array as the batch takes it,
    ``failed(failure)``, and ``finish(observation, reward, ended, cut, over)`` where so many episodes ended; and
    ``silence``, a dict that says that none has.
    """
    (port,) = ports
    names |= {"size": count if port.is_value else (count, port.size), "dtype": np.dtype(port.dtype)}
    shaped = "leaf" if len(port.shape) < 2 else f"leaf.reshape({(count, *port.shape)})"
    lines = [
        "is_plain = actions.__class__ is ndarray and actions.dtype is whole and actions.shape == shape",
        "given = actions if is_plain and actions.flags.c_contiguous else numbers(actions)",
        "leaf, reward = empty(size, dtype), empty(count)",
        "ended, cut = empty(count, flag), empty(count, flag)",
        "try:",
        f"    over = run(given, {mode}, [leaf], reward, ended, cut)",
        "except SetupFailure as failure:",
        "    raise failed(failure) from None",
        "if over:",
        f"    return finish({shaped}, reward, ended, cut, over)",
        f"return {shaped}, reward, ended, cut, silence.copy()",
    ]
    return made(
        lines,
        "actions",
        run=batch.step,
        count=count,
        shape=(count,),
        empty=np.empty,
        ndarray=np.ndarray,
        whole=np.dtype(np.int64),
        flag=np.dtype(np.bool_),
        SetupFailure=SetupFailure,
        **names,
    )


def joint_step(
    players: Mapping[str, Player],
    native: NativeJointBatch,
    views: Mapping[str, Mapping[str, np.ndarray[Any, Any]]],
    counts: Mapping[str, int],
    **names: Any,
) -> Callable[[Any], Any]:
    """Return the joint step of a native game, for actions of all agents that are plain numbers.

    ``views`` are what native code writes for each agent, by the function that computes it, and ``counts`` how many
    actions it has. ``names`` are what the step calls: ``slow(actions)`` for all else, ``finish()`` where an agent's
    part ended; and ``game``, whose state it steps.
    """
    rows, given = range(len(players)), ", ".join(f"a{row}" for row in range(len(players)))
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
        f"    {given}, = {', '.join(f'actions[{name!r}]' for name in players)},",
        f"    fits = len(actions) == len(game.agents) == {len(players)} and not game._is_behind and {fits}",
        "except (KeyError, TypeError):",
        "    fits = False",
        "if not fits:",
        "    return slow(actions)",
        *(f"chosen[{row * native.joint.width}] = a{row}" for row in rows),
        "ends = kernel(addresses, 1, -1, 0, 1, 0)",
        "game._is_ahead = game._is_shown = True",
        "if ends:",
        "    return finish()",
        f"{', '.join(f'r{row}' for row in rows)}, = rewards.tolist()",
        f"return {{{', '.join(shown)}}}, {each('r{}')}, {each('False')}, {each('False')}, {silence}",
    ]
    return made(
        lines,
        "actions",
        chosen=native.actions.reshape(-1),
        kernel=native.kernel,
        addresses=native.addresses,
        rewards=native.rewards[0],
        whole=frozenset([int, np.int64]),
        nothing_ends=(ending("") | {"result": ""}).copy,
        **names,
    )
