"""Steps of a `GridEnv` on the faster backends, written for one program: to look up what it observes would cost more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from griddsl.backends.batch import leaf_ports
from griddsl.backends.native import NativeSingle
from griddsl.backends.table_single import TableSingle
from griddsl.program.program import Program

Step = Callable[[Any], tuple[Any, float, bool, bool, dict[str, Any]]]


def native_step(program: Program, single: NativeSingle, known: int, **names: Any) -> Step:
    """Return the step of a native environment; ``known`` is how many actions a plain ``int`` says, 0 for none.

    ``names`` are what it calls: ``numbers(action)``, ``inform(ended, cut)``, ``observe()``, ``read0()`` and so on for
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
        f"    return {shown}, reward, terminated, truncated, {{}}",
        "info = inform(terminated or truncated, truncated)",
        f"return {shown}, reward, terminated, truncated, info",
    ]
    names |= {f"shape{k}": ports[k].shape for k in arrays}
    names |= {f"dtype{k}": np.dtype(ports[k].dtype) for k in arrays}
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
    info = "{" + ", ".join(told) + "}" if is_plain else "inform(at, None)"
    count = len(table.actions)
    lines = [
        f"if action.__class__ is not int or not 0 <= action < {count}:",
        "    action = number(action)",
        f"entry = trees[single.at * {count} + action]",
        "if entry.__class__ is not tuple:",
        "    entry = leaf(entry, action)",
        "at, reward, terminated, truncated, outcome = entry",
        "single.at = at",
        "single.steps = steps = single.steps + 1",
        f"if steps >= {single.limit}:",
        "    truncated = True",
        "if terminated or truncated:",
        f"    return {shown}, reward, terminated, truncated, inform(at, (outcome, truncated))",
        f"return {shown}, reward, False, False, {info}",
    ]
    names |= {f"column{k}": column for k, column in enumerate(table.columns)}
    return _made(
        lines,
        single=single,
        trees=table.trees,
        leaf=single.leaf,
        masks=table.mask_arrays,
        infos=table.infos,
        **names,
    )


def _made(lines: list[str], **names: Any) -> Step:
    text = "".join(f"    {line}\n" for line in lines)
    doc = '    """Carry out one step, in the order that ``griddsl explain`` prints."""\n'
    exec(f"def step(action):\n{doc}{text}", names)
    step: Step = names["step"]
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
    if observation.form == "bare":
        return entries[0]
    if observation.form == "tuple":
        return f"({', '.join(entries)},)"
    pairs = zip((leaf.name for leaf in observation.leaves), entries, strict=True)
    return "{" + ", ".join(f"{name!r}: {entry}" for name, entry in pairs) + "}"
