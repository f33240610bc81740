"""Readers of the files that processes are written to, from the published descriptions of their formats.

They share nothing with what writes the files. The `.pomdp` format is described with Cassandra's solver
(pomdp.org/code/pomdp-file-spec.html), PRISM's explicit files in the appendix of its manual (prismmodelchecker.org).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass
class Pomdp:
    """``transitions`` is (actions, states, states), ``sights`` (actions, states, observations), ``rewards`` (actions, states)."""

    discount: float
    start: Floats
    transitions: Floats
    sights: Floats
    rewards: Floats


def read_pomdp(path: Path) -> Pomdp:
    """Read a file in Cassandra's format, as far as single entries and wildcards go."""
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    statements = re.findall(r"(\w+)\s*:([^\n]*)", text)
    head = {key: value.split() for key, value in statements if key not in {"T", "O", "R"}}
    assert head["values"] == ["reward"]
    names = {key: _names(head[key]) for key in ("states", "actions", "observations")}
    states, actions, observations = (
        len(set(names[key].values())) for key in ("states", "actions", "observations")
    )
    transitions = np.zeros((actions, states, states))
    sights = np.zeros((actions, states, observations))
    entries = [
        (key, re.split(r"[\s:]+", value.strip())) for key, value in statements if key in {"T", "O", "R"}
    ]
    # What is paid for none of the observations alone is held once for all: else there are billions of numbers.
    told = any(key == "R" and parts[3] != "*" for key, parts in entries)
    paid = np.zeros((actions, states, states, observations if told else 1))
    for key, (*parts, number) in entries:
        kinds = {"T": "actions states states", "O": "actions states observations"}.get(
            key, "actions states states observations"
        )
        place = tuple(
            slice(None) if part == "*" else names[kind][part]
            for kind, part in zip(kinds.split(), parts, strict=True)
        )
        {"T": transitions, "O": sights, "R": paid}[key][place] = float(number)
    seen = sights if told else sights.sum(axis=2, keepdims=True)
    rewards = np.einsum("asn,ano,asno->as", transitions, seen, paid)
    start = np.array(head["start"], dtype=np.float64)
    return Pomdp(float(head["discount"][0]), start, transitions, sights, rewards)


def _names(words: list[str]) -> dict[str, int]:
    """Return the numbers of names, or of the numbers below a count; a name is a letter, then letters, digits, _ and -."""
    if len(words) == 1 and words[0].isdigit():
        return {str(number): number for number in range(int(words[0]))}
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", word) for word in words)
    return {word: number for number, word in enumerate(words)} | {
        str(number): number for number in range(len(words))
    }


@dataclass
class Explicit:
    """A process of PRISM's: the rows of each choice, rewards of transitions, labels, and the variables of the states."""

    states: int
    choices: dict[tuple[int, int], dict[int, float]]
    rewards: dict[tuple[int, int, int], float]
    labels: dict[str, set[int]]
    variables: list[tuple[int, ...]]


def read_prism(path: Path) -> Explicit:
    """Read ``.tra``, ``.trew``, ``.lab`` and ``.sta``, and check what their heads count."""
    head, *rows = path.read_text().splitlines()
    states, count, moves = map(int, head.split())
    choices: dict[tuple[int, int], dict[int, float]] = {}
    for row in rows:
        state, choice, target, chance, *_ = row.split()
        targets = choices.setdefault((int(state), int(choice)), {})
        assert int(target) not in targets
        targets[int(target)] = float(chance)
    assert (count, moves) == (len(choices), len(rows))
    head, *rows = path.with_suffix(".trew").read_text().splitlines()
    assert head.split() == [str(states), str(count), str(len(rows))]
    rewards = {
        (int(state), int(choice), int(target)): float(value)
        for state, choice, target, value in map(str.split, rows)
    }
    head, *rows = path.with_suffix(".lab").read_text().splitlines()
    names = dict(re.findall(r'(\d+)="(\w+)"', head))
    labels: dict[str, set[int]] = {name: set() for name in names.values()}
    for row in rows:
        state, _, numbers = row.partition(":")
        for number in numbers.split():
            labels[names[number]].add(int(state))
    head, *rows = path.with_suffix(".sta").read_text().splitlines()
    assert head.startswith("(") and len(rows) == states
    variables = []
    for at, row in enumerate(rows):
        state, _, values = row.partition(":")
        assert int(state) == at
        variables.append(tuple(map(int, values.strip("()").split(","))))
        assert len(variables[-1]) == len(head.split(","))
    return Explicit(states, choices, rewards, labels, variables)
