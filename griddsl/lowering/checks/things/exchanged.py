"""Exchanged: of two things that one block moves, one is to go where the other stands, which has not gone by then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from griddsl.lowering.facts.sent import AFTER_ALL_MOVES
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


@dataclass(frozen=True)
class _Thing:
    """What a name means: its kind, and all that its cell is called."""

    kind: Kind
    called: frozenset[str]


@dataclass(frozen=True)
class _Sent:
    """A move of an object, and what the place is called where it is to go; None for a way."""

    move: n.Move
    thing: _Thing
    to: str | None


def exchanged(writer: Writer) -> None:
    """Warn of `move a to b, move b to a`, of which neither goes, and of `move b to c, move a to b` among one kind.

    All that a block moves goes behind it, in the order in which things came to be, each if its cell is free by then.
    """
    for rule in writer.world.spec.rules:
        if rule.span.source is writer.world.spec.source:
            _Block(writer, rule).follow(rule.effects, _found(writer, {}, rule.condition), [])


class _Block:
    def __init__(self, writer: Writer, rule: Rule) -> None:
        self.writer, self.rule = writer, rule
        self.one_by_one = rule.trigger.event in AFTER_ALL_MOVES

    def follow(
        self, effects: Sequence[Any], names: dict[str, _Thing], before: Sequence[_Sent]
    ) -> list[_Sent]:
        """Report what is in the way in a list of effects, behind others that run as well; return what it sends."""
        names, sent = dict(names), list(before)
        for effect in effects:
            match effect:
                case n.Let(name=name, value=value):
                    names.pop(name, None)
                    names |= _meant(self.writer, names, name, value)
                case n.Choose(names=chosen, domain=domain):
                    kind = domain.values[0] if isinstance(domain, n.ChoiceDomain) else None
                    for name in chosen:
                        names.pop(name, None)
                        names |= _meant(self.writer, {}, name, kind)
                case n.Move():
                    self._send(effect, names, sent)
                case n.If(branches=branches):
                    # Of branches one alone runs.
                    sent += [
                        each
                        for condition, body in branches
                        for each in self.follow(body, _found(self.writer, names, condition), sent)[
                            len(sent) :
                        ]
                    ]
                case n.Each(body=body) | n.Repeat(body=body):
                    self.follow(body, names, [])
        return sent

    def _send(self, move: n.Move, names: dict[str, _Thing], sent: list[_Sent]) -> None:
        thing = _thing(self.writer, names, move.subject)
        if thing is None:
            return
        to = to_text(move.destination) if move.destination is not None else None
        this = _Sent(move, thing, to)
        for other in sent:
            if to_text(other.move.subject) == to_text(move.subject):
                continue
            goes_after = _goes_to(this, other), _goes_to(other, this)
            if all(goes_after):
                self._neither(other, this)
            elif goes_after[0] and _may_come_first(self.writer, this, other):
                self._waits(this, other)
            elif goes_after[1] and _may_come_first(self.writer, other, this):
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
        when = "behind its last line, and what came to be first before the others"
        self.writer.report.add("not-gone-yet", late.move.span, name=name, when=when, help=help)


def _goes_to(one: _Sent, other: _Sent) -> bool:
    """Whether one is to go where the other stands, and has no room beside it."""
    kinds = one.thing.kind, other.thing.kind
    is_solid = kinds[1].solid is not None and kinds[1].solid.condition is None
    return one.to in other.thing.called - one.thing.called and (kinds[0].layer == kinds[1].layer or is_solid)


def _may_come_first(writer: Writer, late: _Sent, early: _Sent) -> bool:
    """Whether the one that finds the other in its way can be the elder of the two, as far as maps tell."""
    kinds = late.thing.kind, early.thing.kind
    if kinds[0] is kinds[1]:
        return True
    for level in writer.world.levels:
        cells = [
            [each.cell for each in level.objects if each.kind is kind and each.cell >= 0] for kind in kinds
        ]
        if all(cells) and min(cells[0]) < max(cells[1]):
            return True
    return False


def _thing(writer: Writer, names: dict[str, _Thing], said: Any) -> _Thing | None:
    """Return the object that an expression means; None where it is another, or not known."""
    if isinstance(said, n.Name) and said.name in names:
        return names[said.name]
    if not isinstance(said, n.Name | n.Pattern):
        return None
    kind = writer.world.kinds.get(said.name)
    if kind is None or kind.category != "object":
        return None
    return _Thing(kind, frozenset(_places(said.name)))


def _places(name: str) -> Iterator[str]:
    yield name
    yield f"({name}.x, {name}.y)"


def _meant(writer: Writer, names: dict[str, _Thing], name: str, value: Any) -> dict[str, _Thing]:
    """Return what a name means that is given to a thing."""
    if isinstance(value, n.Superlative):
        over = value.over
        thing = _thing(writer, {}, over) if isinstance(over, n.Name | n.Pattern) else None
        if thing is None:
            return {}
        cells = {
            to_text(part.right)
            for part in _conjuncts(value.where)
            if isinstance(part, n.Relation)
            and part.name == "at"
            and isinstance(part.left, n.Name)
            and part.left.name == thing.kind.name
        }
        return {name: _Thing(thing.kind, frozenset({*_places(name), *cells}))}
    thing = _thing(writer, names, value)
    if thing is None:
        return {}
    both = _Thing(thing.kind, thing.called | set(_places(name)))
    return {name: both, value.name: both}


def _found(writer: Writer, names: dict[str, _Thing], condition: Any) -> dict[str, _Thing]:
    """Return the names with those of what a condition finds at a cell."""
    found = dict(names)
    for part in _conjuncts(condition):
        if isinstance(part, n.Relation) and part.name == "at" and isinstance(part.left, n.Name | n.Pattern):
            thing = _thing(writer, {}, part.left)
            if thing is not None and part.left.name not in names:
                found[part.left.name] = _Thing(thing.kind, thing.called | {to_text(part.right)})
    return found


def _conjuncts(condition: Any) -> Iterator[Any]:
    if isinstance(condition, n.Logic) and condition.operator == "and":
        for value in condition.values:
            yield from _conjuncts(value)
    elif isinstance(condition, n.ByChance):
        yield from _conjuncts(condition.test)
    elif condition is not None:
        yield condition
