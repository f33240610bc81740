"""Tables as arrays, for steps of many at once."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from griddsl.backends.interface import Array
from griddsl.backends.table.enumeration import Table, Tree

SIZE = 0x1FFF
IN_STEPS, AT_RESETS, NEVER = 0, 1, 2  # where a table draws


class Flat:
    """Trees as arrays of nodes; those of a state and an action come first, state after state.

    A node is one word. A leaf is ``next << 16 | outcome << 2 | cut << 1 | ended``, its outcome one more than the
    program's number, and its reward in ``gain``; where several play, ``gain``, ``ended`` and ``cut`` have a row of
    the players for each node. Where something is drawn it is ``~(first << 13 | size)``: its
    branches are the nodes ``branches[first : first + size]``.
    """

    def __init__(self, table: Table) -> None:
        players, is_joint = len(table.program.players), table.is_joint
        nothing: Any = (0.0,) * players if is_joint else 0.0
        words, gain, branches = [0] * len(table.trees), [nothing] * len(table.trees), [0]
        flags: dict[int, tuple[Any, Any]] = {}
        known: dict[Any, int] = {}

        def write(tree: Tree, at: int) -> None:
            if tree.__class__ is tuple:
                state, gain[at], ended, cut, outcome = tree
                if is_joint:
                    flags[at] = ended, cut
                    ended = cut = False
                words[at] = state << 16 | outcome + 1 << 2 | cut << 1 | ended
            else:
                inner = [node(part) for part in tree]
                words[at] = ~(len(branches) << 13 | len(inner))
                branches.extend(inner)

        def node(tree: Any) -> int:
            name = tree if tree.__class__ is tuple else id(tree)
            if name not in known:
                known[name] = len(words)
                words.append(0)
                gain.append(nothing)
                write(tree, known[name])
            return known[name]

        for at, tree in enumerate(table.trees):
            if tree is not None:
                write(tree, at)
        self.resets = {level: node(tree) for level, tree in table.resets.items()}
        self.words: Array = np.array(words, np.int64)
        self.gain: Array = np.array(gain, np.float64)
        self.branches: Array = np.array(branches, np.int32)
        self.is_sure = min(words[: len(table.trees)]) >= 0
        self.draws = NEVER if min(words) >= 0 else AT_RESETS if self.is_sure else IN_STEPS
        count = len(table.states)
        self.shown = [
            np.array(column, writer.dtype).reshape(count, *writer.made(1).shape[1:])
            for writer, column in zip(table.writers, table.columns, strict=True)
        ]
        # The same in columns, for steps by numpy: the branches of a node are `onward` from where its way leads, as
        # many as it has a `SIZE`; a leaf has none, and leads to itself, whatever is drawn beside it.
        is_leaf = self.words >= 0
        sizes = np.unique(np.where(is_leaf, 0, ~self.words & SIZE))
        self.alike = int(sizes[-1]) if len(sizes[sizes > 0]) == 1 else 0  # the only size there is
        itself = len(branches) + np.arange(len(words)) * max(1, self.alike)
        self.ways: Array = np.where(is_leaf, itself << 13, ~self.words)
        leaves = np.arange(len(words)).repeat(max(1, self.alike))
        self.onward: Array = np.concatenate([np.array(branches, np.intp), leaves])
        self.is_deep = bool((self.words[self.branches[1:]] < 0).any())
        self.next: Array = np.where(is_leaf, self.words >> 16, 0)
        self.outcome: Array = np.where(is_leaf, self.words >> 2 & 0x3FFF, 0).astype(np.int16)
        self.ended: Array = is_leaf & (self.words & 1 != 0)
        self.cuts = bool((is_leaf & (self.words & 2 != 0)).any())
        self.cut: Array = is_leaf & (self.words & 2 != 0)
        self.waits: Array = np.array(table.waits, np.bool_)
        if is_joint:
            self.ended, self.cut = np.zeros((2, len(words), players), np.bool_)
            for at, (ended, cut) in flags.items():
                self.ended[at], self.cut[at] = ended, cut


_flats: WeakKeyDictionary[Table, tuple[int, Flat]] = WeakKeyDictionary()


def flattened(table: Table) -> Flat:
    """Return a table as arrays, made once for all batches until it grows."""
    version, flat = _flats.get(table, (-1, None))
    if flat is None or version != table.version:
        flat = Flat(table)
        _flats[table] = table.version, flat
    return flat
