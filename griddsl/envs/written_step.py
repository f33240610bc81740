"""Steps on the faster backends, written for one program: to look up what it observes would cost more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from griddsl.backends.batch import Batch, Port, leaf_ports
from griddsl.backends.native import NativeSingle
from griddsl.backends.native_joint import NativeJointBatch
from griddsl.backends.table_single import TableSingle
from griddsl.envs.infos import ending, nothing_ends
from griddsl.program.program import Player, Program
from griddsl.program.runtime import LOW, SetupFailure, accepted
from griddsl.program.spaces import Observation

Step = Callable[[Any], tuple[Any, float, bool, bool, dict[str, Any]]]


def native_step(program: Program, single: NativeSingle, known: int, **names: Any) -> Step:
    """Return the step of a native environment; ``known`` is how many actions a plain ``int`` says, 0 for none.

    ``names`` are what it calls: ``numbers(action)``, ``inform(over)``, ``observe()``, ``read0()`` and so on for
    the entries of the observation that no function computes; and ``quiet``, whether only an end gives an info.
    """
    ports = [port for _, port in leaf_ports(program)]
    shown = _observation(program, [f"e{k}" for k in range(len(ports))])
    arrays = [k for k, port in enumerate(ports) if not port.is_value]
    values = [f"e{k}" for k, port in enumerate(ports) if port.is_value]
    result, given = ", ".join(["reward, terminated, truncated", *values]), "".join(f", e{k}" for k in arrays)
    lines = [f"e{k} = empty(shape{k}, dtype{k})" for k in arrays]
    lines += [
        f"if action.__class__ is int and 0 <= action < {known}:",
        f"    {result} = kernel(vector, action{given})",
        "else:",
        f"    {result} = kernel(vector, *numbers(action){given})",
    ]
    if "observe()" in shown:
        lines.append(f"found[:] = [{', '.join(f'e{k}' for k in range(len(ports)))}]")
    lines += [
        "if quiet and not (terminated or truncated):",
        f"    return {shown}, reward, terminated, truncated, nothing_ends()",
        "info = inform(terminated or truncated)",
        f"return {shown}, reward, terminated, truncated, info",
    ]
    names |= {f"shape{k}": ports[k].shape for k in arrays}
    names |= {f"dtype{k}": np.dtype(ports[k].dtype) for k in arrays}
    names["nothing_ends"] = nothing_ends
    return _made(lines, kernel=single.step, vector=single.vector, found=single.found, empty=np.empty, **names)


def table_step(program: Program, single: TableSingle, **names: Any) -> Step:
    """Return the step of an environment that walks a table.

    ``names`` are what it calls: ``number(action)``, the place of an action among all, ``inform(state, ending)``,
    ``observe()`` and ``read0()`` and so on.
    """
    table, ports = single.table, [port for _, port in leaf_ports(program)]
    copied = ["" if port.is_value else ".copy()" for port in ports]
    shown = _observation(program, [f"column{k}[at]{copy}" for k, copy in enumerate(copied)])
    told = [f"{entry.name!r}: infos[at][{k}]" for k, entry in enumerate(program.info)]
    told += ["'action_mask': masks[at].copy()"] if program.has_mask else []
    is_plain = all(entry.form not in {"words", "bool", "real"} for entry in program.info)
    told += ["'outcome': '', 'is_success': False"]
    info = "{" + ", ".join(told) + "}" if is_plain else "inform(at, None)"
    info = info if len(told) > 1 else "nothing_ends()"
    count = len(table.actions)
    is_counted = program.limit is not None or "STEP" in program.layout.offsets
    counts = ["single.steps = steps = single.steps + 1"] if is_counted else []
    late = f"steps >= {single.limit}" if program.limit is not None else "False"
    lines = [
        f"if action.__class__ is not int or not 0 <= action < {count}:",
        "    action = number(action)",
        f"entry = trees[single.at * {count} + action]",
        "if entry is None:",
        "    entry = expanded(action)",
        "while entry.__class__ is list:",  # `draw`, written out
        "    size = len(entry)",
        "    try:",
        "        m = (next(stream.words) >> 32) * size",
        "    except StopIteration:",
        "        m = (stream.refill() >> 32) * size",
        f"    entry = entry[m >> 32 if m & {LOW} >= size else accepted(stream, m, size)]",
        "at, reward, terminated, truncated, outcome = entry",
        "single.at = at",
        *counts,
        f"if terminated or truncated or {late}:",
        f"    truncated = truncated or {late}",
        f"    return {shown}, reward, terminated, truncated, inform(at, (outcome, truncated))",
        f"return {shown}, reward, False, False, {info}",
    ]
    names |= {f"column{k}": column for k, column in enumerate(table.columns)}
    return _made(
        lines,
        single=single,
        trees=table.trees,
        expanded=single.expanded,
        stream=single.stream,
        accepted=accepted,
        masks=table.mask_arrays,
        infos=table.infos,
        nothing_ends=nothing_ends,
        **names,
    )


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
    return _made(
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
        shown.append(f"{name!r}: {_put_together(player.observation, entries)}")

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
    return _made(
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


def _made(lines: list[str], argument: str = "action", **names: Any) -> Callable[[Any], Any]:
    text = "".join(f"    {line}\n" for line in lines)
    doc = '    """Carry out one step, in the order that ``griddsl explain`` prints."""\n'
    exec(f"def step({argument}):\n{doc}{text}", names)
    step: Callable[[Any], Any] = names["step"]
    return step


def _observation(program: Program, computed: list[str]) -> str:
    """Return what makes the observation, of what makes each entry that a function computes."""
    observation = program.observation
    if program.goal or observation.form == "flat":
        return "observe()"
    functions = [port.function for _, port in leaf_ports(program)]
    others = iter(f"read{k}()" for k in range(len(observation.leaves)))
    entries = [
        computed[functions.index(leaf.function)] if leaf.function else next(others)
        for leaf in observation.leaves
    ]
    return _put_together(observation, entries)


def _put_together(observation: Observation, entries: list[str]) -> str:
    """Return what makes an observation of its entries."""
    if observation.form == "bare":
        return entries[0]
    if observation.form == "tuple":
        return f"({', '.join(entries)},)"
    pairs = zip((leaf.name for leaf in observation.leaves), entries, strict=True)
    return "{" + ", ".join(f"{name!r}: {entry}" for name, entry in pairs) + "}"
