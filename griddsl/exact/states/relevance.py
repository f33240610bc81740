"""Relevance: which variables and chosen names can still change what happens, or what is seen, after the setup.

A name that setup chose and nothing reads later would multiply the states for nothing; so would a variable that only
decides about itself. What depends on what is followed through the program's functions, statement by statement,
without regard to their order: too much may be found relevant, never too little.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias, assert_never

from griddsl.program import ir, keys
from griddsl.program.program import Program, is_counter

Node: TypeAlias = tuple[ir.Key, ...]
ROOT: Node = ("root",)
MEMORY = (keys.LOWEST, keys.PREVIOUS, keys.KEPT)
# What a step says beside what it returns: of several agents all there is.
FLAGS = (
    keys.OUTCOME,
    keys.ENDED,
    keys.TRUNCATED,
    keys.REWARD,
    keys.TERMINATED,
    keys.CUT_SHORT,
    keys.OUT,
    keys.TURN,
)


def idle_slots(program: Program, rules: bool = False) -> list[ir.Slot]:
    """Return the saved slots of variables, chosen names and memories on which nothing depends after the setup.

    With ``rules`` it counts which rules fire, whatever these do.
    """
    named = {info.slot for info in program.names}
    saved = [slot for slot in program.slots if slot.saved and slot.key != keys.TOTAL]
    asked = [slot for slot in saved if slot.type != "real" and (slot.key in named or _is_memory(slot.key))]
    flow = _Flow(program, rules)
    # All other numbers tell states apart, so what they are set to matters, even where nobody asks for them.
    flow.sources[ROOT] |= {("slot", slot.key) for slot in saved if slot not in asked}
    relevant = flow.relevant()
    return [slot for slot in asked if ("slot", slot.key) not in relevant]


def _is_memory(key: ir.Key) -> bool:
    """Whether a slot keeps what was done or drawn, what a value was, or its lowest: for others, which may be idle."""
    return key in {keys.ACTION, "DRAWN"} or is_counter(key) or (isinstance(key, tuple) and key[0] in MEMORY)


class _Flow:
    """What depends on what: ``sources[node]`` are the nodes that can change it."""

    def __init__(self, program: Program, rules: bool) -> None:
        self.program, self.rules = program, rules
        self.sources: dict[Node, set[Node]] = defaultdict(set)
        self.scratch = {("slot", slot.key) for slot in program.slots if not slot.saved}
        leaves = [leaf for player in program.players for leaf in player.observation.leaves]
        leaves += program.goal.values()
        masks = [player.mask for player in program.players if player.mask]
        asked = ["step", *masks, *(leaf.function for leaf in leaves if leaf.function)]
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
                function = program.plain.functions[name]
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
            case ir.Let(name, value) | ir.Bind(name, value):
                self.sources["local", function.name, name] |= nodes(value) | control
            case ir.Store(slot, index, value):
                self.sources["slot", slot.key] |= nodes(index, value) | control
            case ir.Fill(slot, value) | ir.Copy(slot, _, value):
                self.sources["slot", slot.key] |= nodes(value) | control
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
            case ir.Fired() if self.rules:
                self.sources[ROOT] |= control
            case ir.Blank(count, value):
                self.sources[ROOT] |= nodes(count, value) | control
            case ir.Generate(_, slot, values):
                self.sources["slot", slot.key] |= nodes(*values) | control
            case ir.Fail() | ir.Restart() | ir.Keep() | ir.Restore():
                self.sources[ROOT] |= control
            case ir.Note() | ir.Fired():
                pass
            case ir.ForEach() | ir.Reduce() | ir.Hit():
                raise AssertionError(f"{type(statement).__name__} is no plain statement")
            case _:
                assert_never(statement)

    def _nodes(self, function: ir.Function, values: Iterable[ir.Expr], control: set[Node]) -> set[Node]:
        """Return what expressions read, and note what their calls pass on."""
        found: set[Node] = set()
        for value in values:
            for part in ir.parts(value):
                if isinstance(part, ir.Load):
                    found.add(("slot", part.slot.key))
                elif isinstance(part, ir.Local):
                    found.add(("local", function.name, part.name))
                elif isinstance(part, ir.Call):
                    self._call(function, part, control, found)
                elif isinstance(part, ir.Ask):  # it may read anything
                    self.sources[ROOT] |= self.scratch | control | self._nodes(function, part.values, control)
        return found

    def _call(self, function: ir.Function, call: ir.Call, control: set[Node], found: set[Node]) -> None:
        given = [self._nodes(function, [value], control) for value in call.values]
        called = self.program.functions[call.function]
        self.pending.append(called.name)
        self.sources["entered", called.name] |= control
        for parameter, nodes in zip(called.parameters, given, strict=True):
            self.sources["local", called.name, parameter.name] |= nodes
        found.add(("returned", called.name))
