"""What is known at a place of a function: ranges of locals and of pure values, and what would follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from griddsl.program import ir
from griddsl.program.proof.ranges import EVERYTHING, Range, met
from griddsl.program.proof.written import EVERY_SLOT


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A pure value, whatever it was claimed to be: alike values are one and the same, which reads slots and locals."""

    name: str | None
    slots: frozenset[int]
    locals: frozenset[str]
    parts: int = 1


@dataclass(slots=True)
class Places:
    """The places of the values of a program, and which values are not pure."""

    found: dict[int, Place | None] = field(default_factory=dict)
    alike: dict[tuple[object, ...], Place] = field(default_factory=dict)
    kept: list[ir.Expr] = field(default_factory=list)  # identities stay those of these values

    def of(self, value: ir.Expr) -> Place | None:
        """Return what a value is; None where it draws, calls or asks."""
        number = id(value)
        if number in self.found:
            return self.found[number]
        self.kept.append(value)
        place = self.found[number] = self._made(value)
        return place

    def local(self, name: str) -> Place:
        """Return what a local is."""
        return self._alike(("local", name), name, frozenset(), frozenset((name,)))

    def _made(self, value: ir.Expr) -> Place | None:
        match value:
            case ir.Claim(inner):
                return self.of(inner)
            case ir.Local(name):
                return self.local(name)
            case ir.Const():
                return self._alike(("value", value.value), None, frozenset(), frozenset())
            case ir.Call() | ir.Draw() | ir.Ask():
                return None
        what: object = ()
        own: frozenset[int] = frozenset()
        match value:
            case ir.Load(slot):
                what, own = id(slot), frozenset((id(slot),))
            case ir.Lookup(table):
                what = id(table)
            case ir.Op(operator):
                what = operator
        parts: list[Place] = []
        for inner in ir.inner(value):
            part = self.of(inner)
            if part is None:
                return None
            parts.append(part)
        return self._alike(
            (type(value), what, *map(id, parts)),
            None,
            own.union(*(part.slots for part in parts)),
            frozenset().union(*(part.locals for part in parts)),
            1 + sum(part.parts for part in parts),
        )

    def _alike(
        self,
        key: tuple[object, ...],
        name: str | None,
        slots: frozenset[int],
        locals: frozenset[str],
        parts: int = 1,
    ) -> Place:
        place = self.alike.get(key)
        if place is None:
            place = self.alike[key] = Place(name, slots, locals, parts)
        return place


class Facts(dict[Place, Range]):
    """Ranges of pure values. They are never changed, so that what all of them read together is found once."""

    __slots__ = ("_reads",)

    @property
    def reads(self) -> tuple[frozenset[str], frozenset[int]]:
        """The locals and the slots that any of the values reads."""
        try:
            return self._reads
        except AttributeError:
            self._reads: tuple[frozenset[str], frozenset[int]] = (
                frozenset().union(*[place.locals for place in self]),
                frozenset().union(*[place.slots for place in self]),
            )
            return self._reads

    def without_locals(self, gone: frozenset[str]) -> Facts:
        """Return those that read none of some locals: itself where none does."""
        if gone.isdisjoint(self.reads[0]):
            return self
        return Facts({place: found for place, found in self.items() if gone.isdisjoint(place.locals)})

    def without_slots(self, gone: frozenset[int]) -> Facts:
        """Return those that read none of some slots: itself where none does."""
        if EVERY_SLOT in gone:
            if not self.reads[1]:
                return self
            return Facts({place: found for place, found in self.items() if not place.slots})
        if gone.isdisjoint(self.reads[1]):
            return self
        return Facts({place: found for place, found in self.items() if gone.isdisjoint(place.slots)})


NOTHING = Facts()

# Of a value: if ways are followed, what is known of the locals that it reads, and what of other values.
Knowledge: TypeAlias = tuple[bool, Mapping[str, object], Mapping[Place, Range]]


class Conditions(dict[str, Facts]):
    """What follows where locals are not zero, and which locals and slots all of it together reads at most.

    They are never changed. What they read is not found anew each time: it may be more than that, and is never less.
    """

    __slots__ = ("locals", "slots")

    def __init__(
        self,
        found: Mapping[str, Facts] = MappingProxyType({}),
        locals: frozenset[str] = frozenset(),
        slots: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(found)
        self.locals, self.slots = locals, slots

    def with_one(self, name: str, facts: Facts) -> Conditions:
        """Return these, and what follows where one more local is not zero."""
        return Conditions({**self, name: facts}, *reads_of(self, facts))

    def without(self, names: frozenset[str]) -> Conditions:
        """Return those of other locals: these themselves where all are."""
        if names.isdisjoint(self):
            return self
        return Conditions(but(self, names), self.locals, self.slots)

    def without_locals(self, gone: frozenset[str]) -> Conditions:
        """Return what is left where some locals are set anew: these themselves where nothing is lost."""
        left = self.without(gone)
        if gone.isdisjoint(left.locals):
            return left
        return left._changed({name: facts.without_locals(gone) for name, facts in left.items()})

    def without_slots(self, gone: frozenset[int]) -> Conditions:
        """Return what is left where some slots are written to: these themselves where nothing is lost."""
        if not self.slots or (EVERY_SLOT not in gone and gone.isdisjoint(self.slots)):
            return self
        return self._changed({name: facts.without_slots(gone) for name, facts in self.items()})

    def _changed(self, left: Mapping[str, Facts]) -> Conditions:
        return Conditions(left, *reads_of(*left.values()))


def reads_of(*of: Conditions | Facts) -> tuple[frozenset[str], frozenset[int]]:
    """Return which locals and slots are read at most."""
    reads = [(each.locals, each.slots) if isinstance(each, Conditions) else each.reads for each in of]
    return (
        frozenset().union(*(locals for locals, _ in reads)),
        frozenset().union(*(slots for _, slots in reads)),
    )


@dataclass(slots=True)
class Known:
    """What holds at a place of a function.

    Types and ranges of the locals that are set, what they stand for, what tests have found, and what follows where a
    local is not zero: ``flag = x > 0 and y == 2`` tells of ``x`` and ``y`` wherever ``flag`` is found to hold. The
    mappings are never changed, but replaced, so that copies may share them; ``read`` and ``proved`` remember the ranges
    of values, by identity, as long as nothing else is known.
    """

    types: Mapping[str, ir.Type] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    meant: Mapping[str, tuple[ir.Expr, Place]] = field(default_factory=dict)
    unless_zero: Conditions = field(default_factory=Conditions)
    facts: Facts = field(default_factory=Facts)
    is_dead: bool = False
    read: dict[int, Range] = field(default_factory=dict)
    proved: dict[int, Range] = field(default_factory=dict)

    def copy(self) -> Known:
        """Return the same, to learn more about."""
        return Known(
            self.types,
            self.ranges,
            self.meant,
            self.unless_zero,
            self.facts,
            self.is_dead,
            self.read,
            self.proved,
        )

    def about(self, place: Place, is_parted: bool) -> Knowledge:
        """Return all that is known of what a value reads, and of what that stands for; no more can tell of it."""
        names, slots, more = set(place.locals), place.slots, list(place.locals)
        while more:
            name = more.pop()
            reads = [self.meant[name][1]] if name in self.meant else []
            for read in (*reads, *self.unless_zero.get(name, NOTHING)):
                slots |= read.slots
                more.extend(read.locals - names)
                names |= read.locals
        locals = {
            name: (self.types[name], self.ranges[name], self.meant.get(name), self.unless_zero.get(name))
            for name in names
            if name in self.ranges
        }
        facts = {
            fact: found for fact, found in self.facts.items() if fact.locals <= names and fact.slots <= slots
        }
        return is_parted, locals, facts

    def become(self, other: Known) -> None:
        """Know what another one knows."""
        self.types, self.ranges, self.meant = other.types, other.ranges, other.meant
        self.unless_zero, self.facts, self.is_dead = other.unless_zero, other.facts, other.is_dead
        self.read, self.proved = other.read, other.proved

    def forget_what_is_proved(self) -> None:
        """Prove all values anew."""
        self.proved = {}

    def _changed(self) -> None:
        self.read, self.proved = {}, {}

    def set_local(self, name: str, type: ir.Type, found: Range) -> None:
        """Take in that a local is set to something in a range."""
        self.forget_locals((name,))
        self.types = {**self.types, name: type}
        self.set_range(name, found)

    def set_range(self, name: str, found: Range) -> None:
        """Take in the range of a local."""
        if self.ranges.get(name) != found:
            self.ranges = {**self.ranges, name: found}
            self._changed()

    def set_fact(self, place: Place, found: Range) -> None:
        """Take in the range of a pure value."""
        if self.facts.get(place) != found:
            self.facts = Facts({**self.facts, place: found})
            self._changed()

    def take_in(self, facts: Facts) -> None:
        """Take in more facts, of locals too."""
        for place, found in facts.items():
            if place.name is None:
                self.set_fact(place, met(self.facts.get(place, EVERYTHING), found) or found)
            elif place.name in self.ranges:
                own = self.ranges[place.name]
                self.set_range(place.name, met(own, found) or own)

    def drop(self, names: Iterable[str]) -> None:
        """Take in that locals are not set any more."""
        self.forget_locals(names)
        gone = frozenset(names)
        self.types = {name: type for name, type in self.types.items() if name not in gone}
        self.ranges = {name: found for name, found in self.ranges.items() if name not in gone}

    def forget_locals(self, names: Iterable[str]) -> None:
        """Forget what depends on locals that are set anew; their ranges stay."""
        gone = frozenset(names)
        self._changed()
        self.facts = self.facts.without_locals(gone)
        lost = [
            name
            for name, (_, place) in self.meant.items()
            if name in gone or not gone.isdisjoint(place.locals)
        ]
        if lost:
            self.meant = but(self.meant, lost)
        self.unless_zero = self.unless_zero.without_locals(gone)

    def forget_slots(self, slots: frozenset[int]) -> None:
        """Forget what depends on slots that are written to."""
        if not slots:
            return
        self._changed()
        self.facts = self.facts.without_slots(slots)
        is_every = EVERY_SLOT in slots
        lost = [
            name
            for name, (_, place) in self.meant.items()
            if place.slots and (is_every or not slots.isdisjoint(place.slots))
        ]
        if lost:
            self.meant = but(self.meant, lost)
        self.unless_zero = self.unless_zero.without_slots(slots)

    def beyond(self, other: Known, places: Places) -> Facts:
        """Return what is known here and less exactly there."""
        found = Facts()
        if self.facts is not other.facts:
            found.update(
                (place, range_) for place, range_ in self.facts.items() if other.facts.get(place) != range_
            )
        if self.ranges is other.ranges:
            return found
        for name, range_ in self.ranges.items():
            if other.ranges.get(name, range_) != range_:
                found[places.local(name)] = range_
        return found


Key = TypeVar("Key")
Held = TypeVar("Held")


def but(held: Mapping[Key, Held], gone: Iterable[Key]) -> dict[Key, Held]:
    """Return what is held under the other keys."""
    left = dict(held)
    for key in gone:
        left.pop(key, None)
    return left
