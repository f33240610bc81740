"""Outlined: no function is long, for compilers that take more than in proportion to the length of one.

What a long function holds, loops and branches, becomes functions of its own: they take the locals that it reads, and
give back the one, if any, that is read after it. What is the same but for the names of locals is one function: a setup
repeats its definitions wherever they are carried out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from griddsl.program import ir
from griddsl.program.passes.independent import unset_reads
from griddsl.program.printer import Dialect, print_function
from griddsl.source import Span

MOST = 1_000  # statements of a function that is left as it is
LEAST = 40  # statements of a part that is taken out of a longer one

_IN_FULL = Dialect(
    unsigned=True, checked=True
)  # its text tells functions apart by all that a compiler is told


def outlined(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return functions that do the same, of which none is long; new ones stand before those that call them."""
    made: dict[str, ir.Function] = {}
    alike: dict[str, str] = {}
    for name, function in functions.items():
        if _size(function.body) <= MOST or function.writes_out:
            made[name] = function
            continue
        outlining = _Outlining(function, ir.Names({*functions, *made}), made, alike)
        made[name] = replace(function, body=outlining.block(function.body))
    return made


def _size(block: ir.Block) -> int:
    return sum(1 for _ in ir.statements(block))


@dataclass(slots=True)
class _Outlining:
    """Takes parts out of one function; ``alike`` are the names of the parts by what they do."""

    function: ir.Function
    names: ir.Names
    made: dict[str, ir.Function]
    alike: dict[str, str]
    reads: Counter[str] = field(init=False)
    locals: dict[str, ir.Local] = field(init=False)

    def __post_init__(self) -> None:
        self.reads, self.locals = ir.times_read(self.function.body), {}
        for part in ir.locals_in(self.function.body):
            known = self.locals.get(part.name, part)
            self.locals[part.name] = ir.hull(part.name, (known, part))

    def block(self, block: ir.Block) -> ir.Block:
        """Return a block whose long parts are calls."""
        return [self._statement(statement) for statement in block]

    def _statement(self, statement: ir.Stmt) -> ir.Stmt:
        inner = ir.with_blocks(statement, self.block)
        if inner is statement or _size([inner]) < LEAST or not _stands_alone([inner]):
            return inner
        within = ir.times_read([statement])
        sets = dict.fromkeys(name for each in ir.statements([statement]) for name in ir.assigned(each))
        before = unset_reads([statement], ())
        after = [name for name in sets if self.reads[name] > within[name] or name in before]
        if len(after) > 1:
            return inner
        body: ir.Block = [inner]
        results = [self._local(each) for each in after]
        if results:
            body.append(ir.Return(tuple(results)))
        given = sorted(unset_reads(body, ()))
        name = self._part(body, given, results)
        values = tuple(self._local(each) for each in given)
        if not results:
            return ir.Do(ir.call(name, *values))
        (result,) = results
        return ir.Bind(
            result.name, ir.call(name, *values, type=result.type, low=result.low, high=result.high)
        )

    def _local(self, name: str) -> ir.Local:
        return self.locals.get(name, ir.Local(name))

    def _part(self, body: ir.Block, given: list[str], results: list[ir.Local]) -> str:
        """Return the name of the function that a body is, one that there is already or a new one."""
        names: dict[str, str] = {}
        taken = ir.Names()
        own = _renamed(body, names, taken)
        parameters = tuple(replace(self._local(each), name=names[each]) for each in given)
        given_back = tuple(replace(each, name="") for each in results)
        part = ir.Function("part", parameters, own, results=given_back)
        text = "\n".join(print_function(part, set(), _IN_FULL))
        if text not in self.alike:
            name = self.names.fresh(f"{self.function.name}_part")
            self.alike[text] = name
            self.made[name] = replace(part, name=name)
        return self.alike[text]


def _stands_alone(block: ir.Block, in_loop: bool = False) -> bool:
    """Whether nothing in a block leaves the function or a loop around it, and nothing is written to ``out``."""
    for statement in block:
        match statement:
            case ir.Return() | ir.Hit() | ir.Out() | ir.Blank():
                return False
            case ir.Break() if not in_loop:
                return False
            case ir.If(_, then, otherwise):
                if not (_stands_alone(then, in_loop) and _stands_alone(otherwise, in_loop)):
                    return False
            case ir.For(body=body) | ir.ForEach(body=body) | ir.Reduce(body=body) | ir.While(body=body):
                if not _stands_alone(body, True):
                    return False
    return True


def _renamed(part: Any, names: dict[str, str], taken: ir.Names) -> Any:
    """Return a part of a function whose locals have names in the order in which they appear; comments are left out."""
    if isinstance(part, list | tuple):
        kept = (each for each in part if not isinstance(each, ir.Note))
        return type(part)(_renamed(each, names, taken) for each in kept)
    if isinstance(part, ir.Slot | ir.Table | Span) or not is_dataclass(part) or isinstance(part, type):
        return part
    found = {each.name: _renamed(getattr(part, each.name), names, taken) for each in fields(part)}
    if isinstance(part, ir.NAMED):
        if part.name not in names:
            names[part.name] = taken.fresh(re.sub(r"_\d+\Z", "", part.name))
        found["name"] = names[part.name]
    return replace(part, **found)
