"""Exchanged: of two things that one block moves, one is to go where the other stands, which has not gone by then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from griddsl.compass import STEP_OF
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import block_of, traits
from griddsl.lowering.world.kinds import Kind
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED
from griddsl.syntax.printer import to_text


@dataclass(frozen=True)
class _Thing:
    """What a name means: its kind, all names that it has, and all that its cell is called."""

    kind: Kind
    names: frozenset[str]
    cells: frozenset[str]

    @property
    def places(self) -> frozenset[str]:
        """All that the place is called where it stands."""
        own = {word for name in self.names for word in (name, f"({name}.x, {name}.y)")}
        return self.cells | own


@dataclass(frozen=True)
class _Sent:
    """A move of an object."""

    move: n.Move
    thing: _Thing


@dataclass(frozen=True)
class _Scope:
    """The things that names mean, and the cells that `let` gives names to, as they are written."""

    things: dict[str, _Thing]
    cells: dict[str, str]

    def copy(self) -> _Scope:
        return _Scope(dict(self.things), dict(self.cells))


def exchanged(writer: Writer) -> None:
    """Warn of `move a to b, move b to a`, of which neither goes, and of `move b to c, move a to b` among one kind.

    All that a block moves goes behind it, in the order in which things came to be, each if its cell is free by then;
    of a way it is asked at once whether its cell is free: of `move box (way), move hero (way)` the hero goes nowhere.
    """
    for rule in writer.world.spec.rules:
        if rule.span.source is writer.world.spec.source:
            block = _Block(writer, rule)
            block.follow(rule.effects, block.found(_Scope({}, {}), rule.condition), [])


class _Block:
    def __init__(self, writer: Writer, rule: Rule) -> None:
        self.writer, self.rule = writer, rule
        self.one_by_one = rule.trigger.event in TIMED

    def follow(self, effects: Sequence[n.Effect], around: _Scope, before: Sequence[_Sent]) -> list[_Sent]:
        """Report what is in the way in a list of effects, behind others that run as well; return what it sends."""
        scope, sent = around.copy(), list(before)
        for effect in effects:
            match effect:
                case n.Let(name=name, value=value):
                    self._name(scope, name, value)
                case n.Choose(names=chosen, domain=domain):
                    for name in chosen:
                        kind = domain.values[0] if isinstance(domain, n.ChoiceDomain) else None
                        thing = self._thing(_Scope({}, {}), kind)
                        scope.things.pop(name, None)
                        if thing is not None:
                            scope.things[name] = _Thing(thing.kind, frozenset({name}), frozenset())
                case n.Move():
                    thing = self._thing(scope, effect.subject)
                    if thing is not None:
                        self._send(_Sent(effect, thing), sent)
                case n.If(branches=branches):
                    # Of branches one alone runs.
                    sent += [
                        each
                        for condition, body in branches
                        for each in self.follow(body, self.found(scope, condition), sent)[len(sent) :]
                    ]
                case n.Repeat(body=body) if not self.one_by_one:
                    sent = self.follow(body, scope, sent)
                case _ if traits(effect).repeats:
                    self.follow(block_of(effect), scope, [])
        return sent

    def found(self, around: _Scope, condition: n.Expression | None) -> _Scope:
        """Return the names with those of what a condition finds at a cell."""
        scope = around.copy()
        for part in _conjuncts(condition):
            if not isinstance(part, n.Relation) or part.name != "at" or part.right is None:
                continue
            if isinstance(part.left, n.Name | n.Pattern) and part.left.name not in around.things:
                thing = self._thing(_Scope({}, {}), part.left)
                if thing is not None:
                    cells = _written(scope, part.right)
                    scope.things[part.left.name] = _Thing(thing.kind, thing.names, cells)
        return scope

    def _name(self, scope: _Scope, name: str, value: n.Expression) -> None:
        """Give a name to a thing or a cell."""
        scope.cells.pop(name, None)
        thing = self._thing(scope, value)
        scope.things.pop(name, None)
        if isinstance(value, n.Position):
            scope.cells[name] = to_text(value)
        elif isinstance(value, n.Superlative) and thing is not None:
            scope.things[name] = _Thing(thing.kind, frozenset({name}), thing.cells)
        elif isinstance(value, n.Name | n.Pattern) and thing is not None:
            both = _Thing(thing.kind, thing.names | {name}, thing.cells)
            scope.things.update({name: both, value.name: both})

    def _thing(self, scope: _Scope, said: n.Expression | None) -> _Thing | None:
        """Return the object that an expression means; None where it is another, or not known."""
        if isinstance(said, n.Superlative):
            thing = self._thing(_Scope({}, {}), said.over)
            there = [
                cell
                for part in _conjuncts(said.where)
                if isinstance(part, n.Relation) and part.name == "at" and part.right is not None
                if thing is not None and to_text(part.left) == thing.kind.name
                for cell in _written(scope, part.right)
            ]
            return thing and _Thing(thing.kind, frozenset(), frozenset(there))
        if not isinstance(said, n.Name | n.Pattern):
            return None
        if isinstance(said, n.Name) and said.name in scope.things:
            return scope.things[said.name]
        kind = self.writer.world.kinds.get(said.name)
        if kind is None or kind.category != "object":
            return None
        return _Thing(kind, frozenset({said.name}), frozenset())

    def _send(self, this: _Sent, sent: list[_Sent]) -> None:
        for other in sent:
            if this.thing.names & other.thing.names:
                continue
            ways = _goes_to(this, other), _goes_to(other, this)
            if all(ways) and this.move.direction is other.move.direction is None:
                self._neither(other, this)
            elif ways[0] and _may_come_first(self.writer, this, other):
                self._waits(this, other)
            elif ways[1] and _may_come_first(self.writer, other, this):
                self._waits(other, this)
        sent.append(this)

    def _neither(self, one: _Sent, other: _Sent) -> None:
        names = [to_text(each.move.subject) for each in (one, other)]
        kinds = [each.thing.kind for each in (one, other)]
        if kinds[0] is not kinds[1]:
            said = f"let each become the other: `let one = {names[0]}`, `let two = {names[1]}`"
            help = f"{said}, `one becomes {kinds[1].name}`, `two becomes {kinds[0].name}`"
        elif kinds[0].attributes:
            word = next(iter(kinds[0].attributes))
            said = f"let each have what the other has: `let before = {names[0]}.{word}`"
            help = f"{said}, `{names[0]}.{word} = {names[1]}.{word}`, `{names[1]}.{word} = before`"
        else:
            help = "things that are alike in all need not change places"
        when = "behind its last line, and neither finds its cell free"
        self.writer.report.add("not-gone-yet", one.move.span, name=names[1], when=when, help=help)

    def _waits(self, late: _Sent, early: _Sent) -> None:
        name, first = to_text(early.move.subject), f"`repeat 1: {to_text(early.move)}`"
        if self.one_by_one:
            help = f"below a `repeat 1:` of its own it goes before the next one: {first} before `{to_text(late.move)}`"
        else:
            help = f"move both in the block of `each step:`, where what is below a `repeat 1:` goes at once: {first}"
            help += "; a variable keeps what an action takes" if self.rule.trigger.event == "do" else ""
        when = "behind its last line"
        when += "" if late.move.direction is not None else ", and what came to be first before the others"
        self.writer.report.add("not-gone-yet", late.move.span, name=name, when=when, help=help)


def _goes_to(one: _Sent, other: _Sent) -> bool:
    """Whether one is to go where the other stands, and has no room beside it."""
    kinds = one.thing.kind, other.thing.kind
    is_solid = kinds[1].solid is not None and kinds[1].solid.condition is None
    if kinds[0].layer != kinds[1].layer and not is_solid:
        return False
    if one.move.destination is not None:
        return to_text(one.move.destination) in other.thing.places - one.thing.places
    way = one.move.direction
    ahead = {_beside(name, way, 1) for name in one.thing.names}
    behind = {_beside(name, way, -1) for name in other.thing.names}
    return bool(ahead & other.thing.cells or behind & one.thing.cells)


def _beside(name: str, way: n.Expression | None, amount: int) -> str:
    """Return how the next cell of a thing one way is written, or the other way."""
    known = STEP_OF.get(to_text(way))
    sign = "+" if amount > 0 else "-"
    if known is None:
        return f"({name}.x {sign} dx({to_text(way)}), {name}.y {sign} dy({to_text(way)}))"
    x, y = (f" {'+' if step * amount > 0 else '-'} 1" if step else "" for step in known)
    return f"({name}.x{x}, {name}.y{y})"


def _written(scope: _Scope, cell: n.Expression) -> frozenset[str]:
    """Return how a cell is written where it is asked for, and where it was given a name."""
    text = to_text(cell)
    return frozenset({text, scope.cells.get(text, text)})


def _may_come_first(writer: Writer, late: _Sent, early: _Sent) -> bool:
    """Whether the one that finds the other in its way can be the elder of the two, as far as maps tell."""
    kinds = late.thing.kind, early.thing.kind
    if kinds[0] is kinds[1] or late.move.direction is not None:
        return True  # of a way it is asked at once
    for level in writer.world.levels:
        cells = [
            [each.cell for each in level.objects if each.kind is kind and each.cell >= 0] for kind in kinds
        ]
        if all(cells) and min(cells[0]) < max(cells[1]):
            return True
    return False


def _conjuncts(condition: n.Expression | None) -> Iterator[n.Expression]:
    if isinstance(condition, n.Logic) and condition.operator == "and":
        for value in condition.values:
            yield from _conjuncts(value)
    elif isinstance(condition, n.ByChance):
        yield from _conjuncts(condition.test)
    elif condition is not None:
        yield condition
