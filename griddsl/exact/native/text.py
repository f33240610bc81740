"""The text of the native search: kernels around a program's step, to be compiled with it.

A state is a row of words of 64 bits: its integers, packed, and how the episode ended there. ``table`` finds a row by
its hash: the upper half of an entry is of the hash, the lower half the number of the state plus one, and 0 is empty.
"""

from __future__ import annotations

from textwrap import indent
from typing import Any

import numpy as np

from griddsl.exact.explorer import MOST_OUTCOMES, MOST_RUNS
from griddsl.exact.states.step_need import StepNeed
from griddsl.exact.steps import BEFORE, RUNNING, TRUNCATED
from griddsl.program import keys
from griddsl.program.program import Program

FIRED, RETURNED = "FIRED", "RETURNED"  # slots of a rewritten program, beside the slopes of rewards
SLOPE_OF = "SLOPE_OF_"

_TEXT = '''
from griddsl.backends.native.library import kept_by_numba as kernel
from griddsl.exact.native import draws as script
from griddsl.exact.native.draws import chance, draw, odds, weighted

@native
def state_take(here, narrow, reals, s, f):
    """Put a state into the vectors."""
    for k in range({saved}):
        s[k] = narrow[here * {packed} + k]
{take_reals}


@native
def state_put(count, end, words, narrow, reals, s, f):
    """Write the vectors into a row, with as much of the step as matters."""
{settle}
    for k in range({saved}):
        narrow[count * {packed} + k] = s[k]
    words[count * {row} + {row} - 1] = np.uint64(end)
{put_reals}


@native
def state_find(words, reals, table, count):
    """Return the number of the state in the row after the last, ``count`` where it is new; and its place and mark."""
    h = np.uint64(0)
    for k in range({row}):
        h = script.mixed(h, words[count * {row} + k])
{hash_reals}
    mask = np.uint64(len(table) - 1)
    mark = (h >> np.uint64(32)) << np.uint64(32)
    at = h & mask
    while True:
        entry = table[at]
        if entry == 0:
            return np.int64(count), at, mark
        if entry & np.uint64(0xFFFFFFFF00000000) == mark:
            number = np.int64(entry & np.uint64(0xFFFFFFFF)) - 1
            same = True
            for k in range({row}):
                same &= words[number * {row} + k] == words[count * {row} + k]
{same_reals}
            if same:
                return number, at, mark
        at = (at + np.uint64(1)) & mask


@kernel
def states_enrol(counts, ends, words, narrow, reals, table):
    """Enter the states that are there already."""
    for count in range(counts[script.STATES]):
        words[count * {row} + {row} - 1] = np.uint64(ends[count])
        _, at, mark = state_find(words, reals, table, count)
        table[at] = mark | np.uint64(count + 1)


@kernel
def nodes_enrol(nodes, count, after, names):
    """Write the nodes of chances that there are already into larger room."""
    for number in range(1, count):
        script.node_of(
            after, names, number, nodes[4 * number], nodes[4 * number + 1], nodes[4 * number + 2], nodes[4 * number + 3]
        )


@kernel
def states_search(
    counts, until, actions, ends, words, narrow, reals, table, head,
    source, action, target, before, chance_of, rewards, slopes, nodes, names, s, f, r,
):
    """Carry out all actions in the states that wait, with all outcomes of draws; return why it stopped."""
    count, done = counts[script.STATES], counts[script.DONE]
    made, known = counts[script.TRANSITIONS], counts[script.NODES]
    number_of_actions = len(actions) // {groups}
    room, room_for_nodes, most = len(source), len(nodes) // 4, len(ends) - 1
    status = script.PAUSED
    while status == script.PAUSED and done < min(count, counts[script.LAST]) and made < until:
        here, started = done, made
        index = 0
        while ends[here] == {running} and index < number_of_actions and status == script.PAUSED:
            first, runs = made, 0
            r[script.LENGTH] = 0
            while True:
                script.begin(r)
                state_take(here, narrow, reals, s, f)
{before}
                reward, ended, cut = step(s, f, r, {call})
                if r[script.TOO_LONG] != 0:
                    status = script.LONG
                    break
                if made == room:
                    status = script.MORE_TRANSITIONS
                    break
                end = np.int64({running})
                if ended:
                    end = np.int64({outcome})
                elif {truncated}:
                    end = np.int64({cut_off})
                state_put(count, end, words, narrow, reals, s, f)
                after, at, mark = state_find(words, reals, table, count)
                if after == count:
                    if count == most:
                        status = script.FULL
                        break
                    table[at] = mark | np.uint64(count + 1)
                    ends[count] = end
                    count += 1
                node, same = np.int64(0), np.int64(-1)
                earlier = same
                if runs > 0 or r[script.POSITION] > 0:
                    if known + r[script.FACTORS] + 1 >= room_for_nodes:
                        status = script.MORE_NODES
                        break
                    node, known = script.chance_of_run(r, nodes, names, known)
                    # The last transition of this state and action to the same state, or a number that means nothing.
                    earlier = np.int64(head[after])
                    if earlier >= made or earlier < first or target[earlier] != after:
                        earlier = np.int64(-1)
                    same = earlier
                    while same >= 0 and (rewards[same] != reward or slopes[same] != {slope}):
                        same = np.int64(before[same])
                    head[after] = made if same < 0 else head[after]
                if same >= 0:
                    total = script.sum_of(nodes, names, known, np.int64(chance_of[same]), node)
                    if total == known:
                        known += 1
                    chance_of[same] = total
                else:
                    source[made], action[made], target[made] = here, index, after
                    before[made], chance_of[made] = earlier, node
                    rewards[made], slopes[made] = reward, {slope}
                    made += 1
                runs += 1
                if made - first > {most_outcomes}:
                    status = script.WIDE
                    break
                if runs > {most_runs}:
                    status = script.MANY
                    break
                if not script.advance(r):
                    break
            index += 1
        if status == script.PAUSED:
            done += 1
        else:
            made = started
    counts[script.STATES], counts[script.DONE] = count, done
    counts[script.TRANSITIONS], counts[script.NODES] = made, known
    return status
'''
_LEGAL = '''

@kernel
def states_legal(first, last, actions, narrow, reals, s, f, r, out, legal):
    """Write which actions are allowed in the states from first to last."""
    number_of_actions = len(actions) // {groups}
    for here in range(first, last):
        state_take(here, narrow, reals, s, f)
        for k in range({parts}):
            out[k] = 0
        mask(s, f, r, out)
        for index in range(number_of_actions):
            legal[here * number_of_actions + index] = {allowed}
'''


def state_type(program: Program, step_need: StepNeed) -> np.dtype[Any]:
    """Return the narrowest integer for what is kept of a state."""
    ends = [0]
    for slot in program.slots:
        if slot.saved and slot.type != "real" and slot.key != keys.STEP:
            ends += [slot.low, slot.high]
    if step_need.kind != "none" and keys.STEP in program.layout.offsets:
        ends.append({"phase": step_need.period, "reward": 0, "whole": 2**31 - 1}[step_need.kind])
    ends += program.initial()[0][: program.layout.saved]
    return next(
        dtype
        for dtype in map(np.dtype, ("int8", "int16", "int32", "int64"))
        if np.iinfo(dtype).min <= min(ends) and max(ends) <= np.iinfo(dtype).max
    )


def row_of(program: Program, step_need: StepNeed) -> int:
    """Return the words of 64 bits that a state takes, its end included."""
    return -(-program.layout.saved * state_type(program, step_need).itemsize // 8) + 1


def kernels(
    program: Program,
    step_need: StepNeed,
    idle: list[tuple[int, int]],
) -> str:
    """Return the kernels of a rewritten program."""
    offsets, reals, groups = program.layout.offsets, program.layout.saved_reals, len(program.groups)
    row = row_of(program, step_need)
    step_at = offsets.get(keys.STEP, -1)
    counts = [len(group.actions) for group in program.groups]
    firsts = np.cumsum([0, *counts]).tolist()
    settle = [f"s[{at}] = {value}" for at, value in idle]
    if step_at >= 0 and step_need.kind != "whole":
        settle.insert(
            0, f"s[{step_at}] = {f's[{step_at}] % {step_need.period}' if step_need.kind == 'phase' else 0}"
        )
    cuts = ["cut"] if step_need.kind == "whole" else []
    cuts += [f"s[{offsets[keys.TRUNCATED]}] != 0"] if keys.TRUNCATED in offsets else []
    is_affine = step_need.kind == "reward"
    text = _TEXT + (_LEGAL if program.has_mask else "")
    return text.format(
        saved=program.layout.saved,
        packed=row * 8 // state_type(program, step_need).itemsize,
        row=row,
        groups=groups,
        parts=sum(counts),
        running=RUNNING,
        cut_off=TRUNCATED,
        most_outcomes=MOST_OUTCOMES,
        most_runs=MOST_RUNS,
        settle=_lines(settle, 1),
        before=_lines([f"s[{step_at}] = {BEFORE}"] if is_affine else [], 4),
        call=", ".join(f"actions[index * {groups} + {g}]" for g in range(groups)),
        outcome=f"s[{offsets[keys.OUTCOME]}]" if keys.OUTCOME in offsets else "0",
        truncated=" or ".join(cuts) or "False",
        slope=f"f[{offsets[SLOPE_OF + RETURNED]}]" if is_affine else "0.0",
        allowed=" and ".join(
            f"out[{firsts[g]} + actions[index * {groups} + {g}]] != 0" for g in range(groups)
        ),
        # Zero and minus zero are one number, so only zero is kept.
        take_reals=_each_real(reals, f"f[k] = reals[here * {reals} + k]", 1),
        put_reals=_each_real(reals, f"reals[count * {reals} + k] = f[k] + 0.0", 1),
        hash_reals=_each_real(
            reals, f"h = script.mixed(h, np.float64(reals[count * {reals} + k]).view(np.uint64))", 1
        ),
        same_reals=_each_real(reals, f"same &= reals[number * {reals} + k] == reals[count * {reals} + k]", 3),
    )


def _each_real(count: int, statement: str, depth: int) -> str:
    return _lines([f"for k in range({count}):", f"    {statement}"] if count else [], depth)


def _lines(lines: list[str], depth: int) -> str:
    return indent("\n".join(lines), "    " * depth)
