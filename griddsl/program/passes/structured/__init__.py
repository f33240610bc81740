"""The structured form: what a backend wants that takes both branches, and selects.

There is no `Break` in it, and one `Return` a function. Loops that do nothing until they are left are searches, those of
one round conditions. Players who do the same in their turns do it by one function, and what is done several times in a
row for other names is a loop over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from griddsl.program import ir
from griddsl.program.passes.structured.flags import without_leaps
from griddsl.program.passes.structured.found import found_first
from griddsl.program.passes.structured.once import run_once
from griddsl.program.passes.structured.rolling import Rolled, rolled
from griddsl.program.passes.structured.turns import take_turns

__all__ = ["structured"]


def structured(functions: Mapping[str, ir.Function]) -> Rolled:
    """Return functions that do the same in the structured form, with the slots and tables that they need beside."""
    made = rolled(take_turns(run_once(without_leaps(found_first(functions)))))
    place = count()

    def numbered(block: ir.Block) -> ir.Block:
        return [
            replace(each, place=next(place)) if isinstance(each, ir.Keep) else ir.with_blocks(each, numbered)
            for each in block
        ]

    # Of copies that were kept in several turns one is left.
    for name, function in made.functions.items():
        made.functions[name] = replace(function, body=numbered(function.body))
    return made
