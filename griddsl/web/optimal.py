"""What is optimal, for a page: the value, the best actions and the expected steps of each state, in columns."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from griddsl.diagnostics import Refused
from griddsl.exact.draws import TooManyStatesError
from griddsl.exact.mdp import mdp_of
from griddsl.exact.solve.measures import lengths
from griddsl.exact.steps import RUNNING
from griddsl.program import keys
from griddsl.program.program import Program

MOST_STATES = 60_000  # of which each takes 21 bytes of a page
MOST_ACTIONS = 31  # which are bits of a number
MOST_SALTS = 1000


def optimal_of(program: Program) -> tuple[dict[str, Any], list[str]]:
    """Return the table that `player/optimal.js` reads, and the names of the actions.

    Raises `ValueError` where several agents play, or there are too many states or actions, `ExactError` where there is
    no optimum, and `ImportError` where scipy is missing.
    """
    if len(program.players) > 1:
        raise Refused(
            f"the best moves that a page shows are of one agent; {program.id} has {len(program.players)}"
        )
    try:
        mdp = mdp_of(program, max_states=MOST_STATES)
    except TooManyStatesError as error:
        raise Refused(
            f"{error}; a page holds at most {MOST_STATES:,}: leave --exact out, or give a seed's level"
        ) from None
    if mdp.n_actions > MOST_ACTIONS:
        raise Refused(
            f"a page shows the best of at most {MOST_ACTIONS} actions; {program.id} has {mdp.n_actions}"
        )
    solution = mdp.solve()
    enumeration = mdp.enumeration
    running = np.flatnonzero(np.array(enumeration.outcome) == RUNNING)
    states = np.array([enumeration.states[number] for number in running.tolist()], dtype=np.float64).reshape(
        len(running), -1
    )
    salt, hashes = _keys(states)
    order = np.argsort(hashes)
    numbers = running[order]
    bits = (solution.soonest[numbers] << np.arange(mdp.n_actions)).sum(axis=1)
    at = program.layout.offsets.get(keys.STEP, -1)
    need = enumeration.step_need
    step = None if at < 0 or need.kind == "whole" else [at, need.period if need.kind == "phase" else 0]
    table = {
        "salt": salt,
        "step": step,
        "idle": [list(pair) for pair in enumeration.idle],
        "keys": _text(hashes[order].astype("<u4")),
        "values": _text(solution.values[numbers].astype("<f4")),
        "lengths": _text(lengths(mdp, solution.policy)[numbers].astype("<f4")),
        "best": _text(bits.astype("<u4")),
    }
    return table, list(mdp.action_names)


def _keys(states: NDArray[np.float64]) -> tuple[int, NDArray[np.uint32]]:
    """Return a salt that gives each state a number of its own, and these numbers."""
    words = np.ascontiguousarray(states + 0.0).astype("<f8").view("<u4")
    for salt in range(MOST_SALTS):
        hashes = murmur(words, salt)
        if len(np.unique(hashes)) == len(hashes):
            return salt, hashes
    raise Refused(f"{len(states):,} states are too many for a page")


def murmur(words: NDArray[np.uint32], salt: int) -> NDArray[np.uint32]:
    """Return MurmurHash3 of each row of words, (rows,), mixed as `player/optimal.js` does."""
    with np.errstate(over="ignore"):
        hashes = np.full(len(words), salt, np.uint32)
        for column in words.T:
            hashes ^= _turned(column * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
            hashes = _turned(hashes, 13) * np.uint32(5) + np.uint32(0xE6546B64)
        hashes = (hashes ^ (hashes >> np.uint32(16))) * np.uint32(0x85EBCA6B)
        hashes = (hashes ^ (hashes >> np.uint32(13))) * np.uint32(0xC2B2AE35)
        return np.asarray(hashes ^ (hashes >> np.uint32(16)), dtype=np.uint32)


def _turned(values: NDArray[np.uint32], by: int) -> NDArray[np.uint32]:
    return np.asarray((values << np.uint32(by)) | (values >> np.uint32(32 - by)), dtype=np.uint32)


def _text(column: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(column).tobytes()).decode()
