"""Found: what a condition finds is named from then on, and surely unmeant where it is asked for in another cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from griddsl.diagnostics import write
from griddsl.lowering.checks.things.misread import found_in, looked_at, things
from griddsl.lowering.facts.abundance import may_be_several
from griddsl.lowering.facts.joined import Given, joined_with
from griddsl.lowering.facts.reckoned import is_off
from griddsl.lowering.facts.taken import found_by_action, found_by_rule
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in
from griddsl.source import Span
from griddsl.spec.clauses import clauses_of
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


@dataclass(frozen=True)
class _Asked:
    """A kind that is asked for in a cell, by its bare name, and what the calls around are given.

    ``cells`` are the names of the cells that loops around it go through.
    """

    name: str
    node: n.Relation
    given: Given
    cells: frozenset[str]


def in_two_cells(writer: Writer) -> None:
    """`if floor at (1, 1) and not floor at (2, 1)`: the first finds one, and the second asks for that very one."""
    spec, found = writer.world.spec, _Found(writer)
    for node in clauses_of(spec):
        if isinstance(node, n.Logic):
            found.look(node)
    for effect, _ in effects_in(spec.blocks):
        for test, body in effect.branches if isinstance(effect, n.If) else ():
            found.look(test, body)
    for rule in spec.rules:
        tests = [rule.condition, rule.trigger.object if rule.trigger.event == "when" else None]
        found.look(tuple(tests), rule.effects)


def named_by_no_action(writer: Writer) -> None:
    """`lift(spot in cells where block at spot)` finds a block and names none: in the rule it is the first there is."""
    spec = writer.world.spec
    for rule in spec.rules:
        action = getattr(rule.trigger.object, "name", None)
        if rule.trigger.event != "do" or action is None or rule.span.source is not spec.source:
            continue
        said = (rule.condition, rule.effects)
        told: set[str] = set()
        for name, test in found_by_action(writer.world, action):
            kind = writer.world.kinds[name]
            if name in told | found_in(said) or not may_be_several(writer.facts, kind):
                continue
            thing = next(things(said, name), None)
            if thing is not None:
                told.add(name)
                help = found_by_rule(rule, test)
                writer.report.add("action-names-none", thing.span, name=name, action=action, help=help)


def _before_moves(body: object) -> Iterator[object]:
    """Yield what a block asks before anything moves: what was found may be elsewhere behind that."""
    for effect in body if isinstance(body, tuple) else (body,):
        if any(can.moves for _, can in effects_in((effect,))):
            if isinstance(effect, n.If):
                yield effect.branches[0][0]
            return
        yield effect


class _Found:
    """What conditions find in cells, and the warnings about it, each given once."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.said: set[tuple[int, int]] = set()

    def look(self, test: object, body: object = ()) -> None:
        """Warn of what a condition, and the block that is carried out where it holds, ask of what it found."""
        cells: dict[str, str] = {}  # where a kind was found: in a cell, or under who stands on it
        under: dict[str, str] = {}
        for part, given in joined_with(test, {}):
            for asked in self._asked(part, given):
                if _is_elsewhere(asked, cells, under):
                    self._warn(asked.node.left, is_part=asked.node is part)
            match part:
                case n.Relation(name="at", left=n.Name(name) | n.Pattern(name)):
                    cells.setdefault(name, _cell(part.right, given))
                case n.Relation(name="on", left=n.Name(who), right=n.Name(name) | n.Pattern(name)):
                    self._asked_under(part, under)
                    under.setdefault(name, who)
                case n.Not(n.Relation(name="on") as asked_not):
                    self._asked_under(asked_not, under)
        for asked in self._asked(tuple(_before_moves(body)), {}) if cells or under else ():
            if _is_elsewhere(asked, cells, under):
                self._warn(asked.node.left, is_part=False)

    def _asked_under(self, asked: n.Relation, under: Mapping[str, str]) -> None:
        """Warn where a tile is asked for under one that was found under another: `ann on plate and bob on plate`."""
        match asked.left, asked.right:
            case n.Name(who), (n.Name(name) | n.Pattern(name)) as tile:
                if under.get(name, who) != who and name in self.writer.world.kinds:
                    self._warn(tile, is_part=False)

    def _asked(self, value: object, given: Given, cells: frozenset[str] = frozenset()) -> Iterator[_Asked]:
        """Yield where things are asked for in cells, by the bare name of a kind that means none that is looked at."""
        for part in value if isinstance(value, tuple) else ():
            yield from self._asked(part, given, cells)
        if not isinstance(value, n.Node):
            return
        if isinstance(value, n.Given):
            given = {**given, **dict(value.names)}
        match value:
            case n.Relation(name="at", left=n.Name(name)) if name in self.writer.world.kinds:
                yield _Asked(name, value, given, cells)
        one = looked_at(value)
        cells = cells | _cells_gone_through(value, one)
        for each in fields(value):
            inside = self._asked(getattr(value, each.name), given, cells)
            yield from (found for found in inside if found.name != one)

    def _warn(self, asked: n.Expression, is_part: bool) -> None:
        """Warn once; of a kind of which there is one only what stands as a part by itself can never hold."""
        name, place = to_text(asked), asked.span
        kind = self.writer.world.kinds[asked.name if isinstance(asked, n.Pattern) else name]
        if place.source is not self.writer.world.spec.source or (place.start, place.end) in self.said:
            return
        if not is_part and (kind.category == "agent" or not may_be_several(self.writer.facts, kind)):
            return
        self.said.add((place.start, place.end))
        help = _loop_there(name, place) or write(f"any {name}", ", which asks for one by itself", place)
        self.writer.report.add("in-two-cells", place, name=name, help=help)


def _loop_there(name: str, place: Span) -> str | None:
    """Return the loop over what `if peg at CELL: remove peg` speaks of where a rule has found another peg already."""
    text = place.source.text
    line = text[text.rfind("\n", 0, place.start) + 1 :].partition("\n")[0]
    said = re.match(rf"\s*if ({name} at [^:]+):([^\n]*\b{name}\b)?", line)
    if said is None or not said[2] or " and " in said[1] or " or " in said[1]:
        return None
    head = Span(place.source, place.start - len("if "), place.start + len(said[1]), place.through)
    return write(f"each {name} where {said[1]}", ", which speaks of the one there", head)


def _cells_gone_through(node: n.Node, one: str | None) -> frozenset[str]:
    """Return the names of the cells that a loop goes through: `here`, or its own."""
    if one == "cell":
        return frozenset({"here"})
    ranges = [
        part for part in (getattr(node, each.name) for each in fields(node)) if isinstance(part, n.Ranging)
    ]
    return frozenset(
        each.name
        for each in ranges
        if isinstance(each.domain, n.ChoiceDomain) and getattr(each.domain.values[0], "name", "") == "cells"
    )


def _is_elsewhere(asked: _Asked, cells: Mapping[str, str], under: Mapping[str, str]) -> bool:
    """Whether a kind is asked for in another cell than the one where it was found."""
    cell, who = _cell(asked.node.right, asked.given), under.get(asked.name)
    if who is not None and isinstance(asked.node.right, n.Position):
        return is_off(asked.node.right, who, asked.given)
    if who is not None and isinstance(asked.node.right, n.Name) and asked.node.right.name in asked.cells:
        return True
    return cells.get(asked.name, cell) != cell


def _cell(node: n.Expression | None, given: Given) -> str:
    """Return a cell as it is written where it is called."""
    match node:
        case n.Name(name) if name in given:
            return _cell(given[name], {})
        case n.Position(x, y):
            return f"({_cell(x, given)}, {_cell(y, given)})"
        case n.Arithmetic(operator, left, right):
            return f"({_cell(left, given)} {operator} {_cell(right, given)})"
    return to_text(node)
