"""Formats: a process written for other tools: numpy's ``.npz``, PRISM's explicit files, Cassandra's ``.pomdp``."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from griddsl.exact.draws import ExactError
from griddsl.files import writing

if TYPE_CHECKING:
    from griddsl.exact.process import Process

ENDINGS = (".npz", ".pomdp", ".tra")


def write(mdp: Process, path: str | os.PathLike[str], *, discount: float = 0.95) -> list[str]:
    """Write a process to a file, by its ending, and return the names of all files written."""
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise ExactError(f"`{target.name}` does not end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    if target.suffix == ".npz":
        write_npz(mdp, target)
    elif target.suffix == ".pomdp":
        writing.write(target, "\n".join(pomdp_lines(mdp, discount)) + "\n")
    else:
        files = prism_files(mdp)
        writing.write_together(
            {target.with_suffix(suffix): "\n".join(lines) + "\n" for suffix, lines in files.items()}
        )
        return [str(target.with_suffix(suffix)) for suffix in files]
    return [str(target)]


def write_npz(mdp: Process, path: str | os.PathLike[str]) -> None:
    """Write the arrays: transitions in coordinates (state, action, target, chance, reward), and one entry a state."""
    found = mdp.enumeration
    saved = mdp.program.layout.saved
    arrays: dict[str, Any] = {
        "state": np.asarray(found.source),
        "action": np.asarray(found.action),
        "target": np.asarray(found.target),
        "chance": mdp.chance,
        "reward": np.asarray(found.reward),
        "initial": mdp.initial,
        "terminal": mdp.terminal,
        "success": mdp.success,
        "legal": mdp.legal,
        "states": np.array([key[:saved] for key in found.states], dtype=np.int64),
        "reals": np.array([key[saved:] for key in found.states], dtype=np.float64),
        "actions": np.array(mdp.action_names),
    }
    if len(mdp.agents) > 1:
        arrays["rewards"] = np.array([np.asarray(column) for column in found.rewards])
        arrays["agents"] = np.array(mdp.agents)
    if found.slope is not None:
        arrays["reward_of_step"] = np.asarray(found.slope)
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    target = Path(path)
    named = target if target.suffix == ".npz" else target.with_name(f"{target.name}.npz")
    writing.write(named, content.getvalue())


# PRISM


def prism_files(mdp: Process) -> dict[str, list[str]]:
    """Return the lines of ``.tra``, ``.sta``, ``.lab`` and ``.trew``, by suffix.

    PRISM has one first state: where a process starts in several, one more state leads to them, numbered last.
    """
    mdp.need_stationary_rewards()
    mdp.need_one_reward()
    starts = np.flatnonzero(mdp.initial)
    has_draw = len(starts) > 1
    states = mdp.n_states + has_draw
    moves: list[str] = []
    paid: list[str] = []
    choices = 0
    joined = _joined(mdp)
    for state in range(mdp.n_states):
        if mdp.terminal[state]:
            moves.append(f"{state} 0 {state} 1 end")
            choices += 1
            continue
        choices += mdp.n_actions
        for action in range(mdp.n_actions):
            for target, (chance, reward) in joined[state * mdp.n_actions + action].items():
                moves.append(f"{state} {action} {target} {chance!r} {mdp.action_names[action]}")
                if reward:
                    paid.append(f"{state} {action} {target} {reward!r}")
    if has_draw:
        moves.extend(f"{states - 1} 0 {start} {float(mdp.initial[start])!r} start" for start in starts)
        choices += 1
    names, rows = _variables(mdp)
    labels = {"init": [states - 1 if has_draw else int(starts[0])], "deadlock": []}
    labels["end"] = np.flatnonzero(mdp.terminal).tolist()
    labels["success"] = np.flatnonzero(mdp.success).tolist()
    marked: dict[int, list[int]] = {}
    for number, members in enumerate(labels.values()):
        for state in members:
            marked.setdefault(state, []).append(number)
    return {
        ".tra": [f"{states} {choices} {len(moves)}", *moves],
        ".sta": [
            f"({','.join(names)})",
            *rows,
            *([f"{states - 1}:({','.join(['-2'] * len(names))})"] * has_draw),
        ],
        ".lab": [
            " ".join(f'{number}="{name}"' for number, name in enumerate(labels)),
            *(f"{state}: {' '.join(map(str, numbers))}" for state, numbers in sorted(marked.items())),
        ],
        ".trew": [f"{states} {choices} {len(paid)}", *paid],
    }


def _variables(mdp: Process) -> tuple[list[str], list[str]]:
    """Return the names of the entries of a state, and the rows of ``.sta``; the last entry is how it ended."""
    names = ["_"] * mdp.program.layout.saved
    for slot in mdp.program.slots:
        if slot.saved and slot.type != "real":
            at = mdp.program.layout.offsets[slot.key]
            for k in range(slot.length):
                names[at + k] = slot.name.lower() + (f"_{k}" if slot.length > 1 else "")
    ends = mdp.outcomes_of_states.tolist()
    saved = mdp.program.layout.saved
    rows = [
        f"{number}:({','.join(str(int(value)) for value in key[:saved])},{ends[number]})"
        for number, key in enumerate(mdp.enumeration.states)
    ]
    return [*names, "ended"], rows


def _joined(mdp: Process) -> dict[int, dict[int, tuple[float, float]]]:
    """Return, for each row, the chance of each target and the mean reward on the way there."""
    found: dict[int, dict[int, tuple[float, float]]] = {}
    rewards = mdp.enumeration.reward
    for row, target, chance, reward in zip(
        mdp.row.tolist(), mdp.target.tolist(), mdp.chance.tolist(), rewards, strict=True
    ):
        targets = found.setdefault(row, {})
        before, paid = targets.get(target, (0.0, 0.0))
        whole = before + chance
        targets[target] = (whole, (paid * before + reward * chance) / whole)
    return found


# Cassandra's format


def pomdp_lines(mdp: Process, discount: float) -> Iterator[str]:
    """Yield the lines of a ``.pomdp`` file, as Cassandra's solver and those after it read it."""
    mdp.need_stationary_rewards()
    observing = mdp.observing
    yield f"# {mdp.program.id}, written by griddsl"
    yield f"discount: {discount:g}"
    yield "values: reward"
    yield f"states: {mdp.n_states}"
    yield f"actions: {' '.join(_word(name) for name in mdp.action_names)}"
    yield f"observations: {len(observing.observations)}"
    yield f"start: {' '.join(repr(float(chance)) for chance in mdp.initial)}"
    joined = _joined(mdp)
    for action in range(mdp.n_actions):
        for state in range(mdp.n_states):
            if mdp.terminal[state]:
                yield f"T: {action} : {state} : {state} 1"
                continue
            for target, (chance, _) in joined[state * mdp.n_actions + action].items():
                yield f"T: {action} : {state} : {target} {chance!r}"
    for state, row in enumerate(observing.seen):
        for observation, share in row:
            yield f"O: * : {state} : {observation} {float(share)!r}"
    for row_number, targets in joined.items():
        state, action = divmod(row_number, mdp.n_actions)
        for target, (_, reward) in targets.items():
            if reward:
                yield f"R: {action} : {state} : {target} : * {reward!r}"


def _word(name: str) -> str:
    """Return an action's name as the format allows it: a letter, then letters, digits, ``_`` and ``-``."""
    word = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    return word if word[:1].isalpha() else f"a{word}"
