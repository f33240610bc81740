"""Where a local is spoken of for the last time: after that nothing need be known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from griddsl.program import ir

Ends: TypeAlias = Mapping[
    int, Mapping[int, tuple[str, ...]]
]  # of a block, by identity: of a statement, by its place


def ends_of(function: ir.Function) -> Ends:
    """Return of each block after which of its statements which locals are spoken of no more.

    A local ends in the innermost block that all of what speaks of it lies in. Where that is a loop's, no other round
    finds it set: what outlives a round is set before the loop.
    """
    whole: Counter[str] = Counter()
    for statement in ir.statements(function.body):
        whole.update(_spoken_of(statement))
    found = _Ends(whole)
    found.block(function.body)
    return found.ends


@dataclass(slots=True)
class _Ends:
    whole: Counter[str]
    ends: dict[int, dict[int, tuple[str, ...]]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)

    def block(self, block: ir.Block) -> Counter[str]:
        """Note what ends in a block, and return how often it speaks of each local."""
        here: Counter[str] = Counter()
        last: dict[str, int] = {}
        for place, statement in enumerate(block):
            own = _spoken_of(statement)
            for inner in ir.blocks_of(statement):
                own.update(self.block(inner))
            here.update(own)
            last.update(dict.fromkeys(own, place))
        gone: dict[int, tuple[str, ...]] = {}
        for name, count in here.items():
            if count == self.whole[name] and name not in self.ended:
                self.ended.add(name)
                gone[last[name]] = (*gone.get(last[name], ()), name)
        self.ends[id(block)] = gone
        return here


def _spoken_of(statement: ir.Stmt) -> Counter[str]:
    """Return how often a statement speaks of each local, without the blocks in it."""
    found = Counter(ir.sets(statement))
    if isinstance(statement, ir.Restore):
        found[statement.name] += 1
    for value in ir.values_of(statement):
        found.update(part.name for part in ir.parts(value) if isinstance(part, ir.Local))
    return found
