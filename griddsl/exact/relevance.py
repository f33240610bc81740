"""Relevance: which variables and chosen names can still change what happens, or what is seen, after the setup.

A name that setup chose and nothing reads later would multiply the states for nothing; so would a variable that only
decides about itself. What depends on what is followed through the program's functions, statement by statement,
without regard to their order: too much may be found relevant, never too little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias

from griddsl.program import ir
from griddsl.program.program import Program

Node: TypeAlias = tuple[str, ...]
ROOT: Node = ("root",)
DRAWS = frozenset({"draw", "odds", "chance", "weighted"})
PURE = frozenset({"exp", "sqrt", "min", "max", "abs"})
FLAGS = ("OUTCOME", "ENDED", "TRUNCATED")


def idle_slots(program: Program) -> list[ir.Slot]:
    """Return the saved slots of variables and chosen names that nothing depends on once an episode has begun."""
    relevant = _Flow(program).relevant()
    named = {info.slot for info in program.names}
    return [
        slot
        for slot in program.slots
        if slot.saved and slot.type != "real" and slot.name in named and ("slot", slot.name) not in relevant
    ]


class _Flow:
    """What depends on what: ``sources[node]`` are the nodes that can change it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sources: dict[Node, set[Node]] = defaultdict(set)
        self.scratch = {("slot", slot.name) for slot in program.slots if not slot.saved}
        leaves = [*program.observation.leaves, *program.goal.values()]
        asked = ["step", "mask", *(leaf.function for leaf in leaves if leaf.function)]
        self.sources[ROOT] |= {("slot", name) for name in FLAGS}
        self.sources[ROOT] |= {("returned", name) for name in asked}
        mission = program.mission or ""
        self.sources[ROOT] |= {
            ("slot", info.slot) for info in program.names if "{" + info.name + "}" in mission
        }
        seen: set[str] = set()
        self.pending = asked
        while self.pending:
            name = self.pending.pop()
            if name not in seen and name in program.functions:
                seen.add(name)
                function = program.functions[name]
                self._block(function, function.body, {("entered", name), ("left", name)})

    def relevant(self) -> set[Node]:
        """Return everything that the root depends on, at whatever distance."""
        found: set[Node] = set()
        pending = [ROOT]
        while pending:
            node = pending.pop()
            if node not in found:
                found.add(node)
                pending.extend(self.sources[node])
        return found

    def _block(self, function: ir.Function, block: ir.Block, control: set[Node]) -> None:
        for statement in block:
            self._statement(function, statement, control)

    def _statement(self, function: ir.Function, statement: ir.Stmt, control: set[Node]) -> None:
        def nodes(*values: ir.Expr) -> set[Node]:
            return self._nodes(function, values, control)

        match statement:
            case ir.Let(name, value):
                self.sources["local", function.name, name] |= nodes(value) | control
            case ir.Store(slot, index, value):
                self.sources["slot", slot.name] |= nodes(index, value) | control
            case ir.Fill(slot, value) | ir.Copy(slot, _, value):
                self.sources["slot", slot.name] |= nodes(value) | control
            case ir.Out(index, value):
                self.sources[ROOT] |= nodes(index, value) | control
            case ir.If(test, then, otherwise):
                inner = control | nodes(test)
                self._block(function, then, inner)
                self._block(function, otherwise, inner)
            case ir.For(name, low, high, body):
                inner = control | nodes(low, high)
                self.sources["local", function.name, name] |= inner
                self._block(function, body, inner)
            case ir.While(test, body):
                self._block(function, body, control | nodes(test))
            case ir.Do(call):
                nodes(call)
            case ir.Return(values):
                self.sources["returned", function.name] |= nodes(*values) | control
                self.sources["left", function.name] |= control
            case ir.Break():
                self.sources["left", function.name] |= control
            case ir.Fail() | ir.Restart():
                self.sources[ROOT] |= control

    def _nodes(self, function: ir.Function, values: Iterable[ir.Expr], control: set[Node]) -> set[Node]:
        """Return what expressions read, and note what their calls pass on."""
        found: set[Node] = set()
        for value in values:
            for part in ir.parts(value):
                if isinstance(part, ir.Load):
                    found.add(("slot", part.slot.name))
                elif isinstance(part, ir.Local):
                    found.add(("local", function.name, part.name))
                elif isinstance(part, ir.Call):
                    self._call(function, part, control, found)
        return found

    def _call(self, function: ir.Function, call: ir.Call, control: set[Node], found: set[Node]) -> None:
        given = [self._nodes(function, [value], control) for value in call.values]
        called = self.program.functions.get(call.function)
        if called is not None:
            self.pending.append(called.name)
            self.sources["entered", called.name] |= control
            for parameter, nodes in zip(called.parameters, given, strict=False):
                self.sources["local", called.name, parameter] |= nodes
            found.add(("returned", called.name))
        elif call.function not in DRAWS | PURE:
            # A loop of the runtime, which may read and write any scratch.
            self.sources[ROOT] |= self.scratch | control | set().union(*given, set())
