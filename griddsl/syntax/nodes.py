"""The nodes of the language: what expressions, effects, triggers and items are, as frozen data.

The last field of a node is its span, which does not count when nodes are compared: two spellings of one thing
are equal wherever they stand.
"""

# ruff: noqa: RUF009 - `_span()` gives a dataclass field, not a shared default

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from griddsl.source import Span


class Node:
    """What all nodes have in common: how they are compared and shown.

    They are made without slots and with these for all of them, because what `dataclass` writes for sixty classes is a
    good part of the time that a command takes to start.
    """

    def _compared(self) -> tuple[Any, ...]:
        return tuple(getattr(self, each.name) for each in fields(self) if each.compare)  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((type(self), self._compared()))

    def __repr__(self) -> str:
        mine = [each for each in fields(self) if each.repr]  # type: ignore[arg-type]  # every node is a dataclass
        shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in mine)
        return f"{type(self).__name__}({shown})"


def _span() -> Span:
    return field(compare=False, repr=False)  # type: ignore[no-any-return]


# Expressions


@dataclass(frozen=True, repr=False, eq=False)
class Number(Node):
    """``3``, ``0.25`` or ``20%``; ``text`` is how it was written."""

    value: Fraction
    text: str = field(compare=False)
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Text(Node):
    """A quoted text."""

    value: str
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Truth(Node):
    """``true`` or ``false``."""

    value: bool
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Name(Node):
    """A word: a variable, a parameter, a kind, a chosen name or a value of a domain."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Attribute(Node):
    """``owner.name``."""

    owner: Expression
    name: str
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Pattern(Node):
    """A kind with attributes: ``key(color=yellow)``."""

    name: str
    arguments: tuple[tuple[str, Expression], ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Call(Node):
    """``min(a, b)``, ``count(K where C)``, ``sum(E for K where C)``, ``path_distance(a, b avoiding K)``."""

    name: str
    arguments: tuple[Expression, ...]
    each: Expression | None
    where: Expression | None
    avoiding: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Negate(Node):
    """``-value``."""

    value: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Arithmetic(Node):
    """``left operator right`` with ``+ - * / div mod``."""

    operator: str
    left: Expression
    right: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Compare(Node):
    """``left operator right`` with ``== != < <= > >=``."""

    operator: str
    left: Expression
    right: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Not(Node):
    """``not value``."""

    value: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Logic(Node):
    """Several conditions joined by ``and``, by ``xor`` or by ``or``."""

    operator: str
    values: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class IfElse(Node):
    """``then if test else otherwise``."""

    test: Expression
    then: Expression
    otherwise: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Is(Node):
    """``left is right`` or ``left is not right``, for words."""

    left: Expression
    right: Expression
    negated: bool
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Relation(Node):
    """``left name right``: ``on``, ``at``, ``has``, ``sees``, ``within``; ``ahead`` and ``left`` have no right side."""

    name: str
    left: Expression
    right: Expression | None
    distance: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Quantified(Node):
    """``all K``, ``any K`` or ``no K``, as the left side of a relation."""

    quantifier: str
    kind: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Can(Node):
    """``can ACTION``: whether the action would be legal and would do something now."""

    action: str
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Position(Node):
    """``(x, y)``: a cell."""

    x: Expression
    y: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Random(Node):
    """``random`` where a value of a domain stands: any of them; or ``random a | b``, one of these."""

    domain: Domain | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Other(Node):
    """``other K``: the only other thing of that kind."""

    kind: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Superlative(Node):
    """``the K with least E [where C]``, or with ``most``: of things or of cells, the first where several are."""

    over: KindName
    most: bool
    value: Expression
    where: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Ranging(Node):
    """``name in domain``: a name that goes through all values of a domain."""

    name: str
    domain: Domain
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Some(Node):
    """``all``, ``any`` or ``no`` of a kind, or of the values of a domain, ``where`` a condition holds."""

    quantifier: str
    over: Expression | Ranging
    where: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Tally(Node):
    """``count(name in domain where C)`` or ``sum(E for name in domain [where C])``; ``value`` is the E of a sum."""

    value: Expression | None
    over: Ranging
    where: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Given(Node):
    """An expression in which names stand for others that are read outside of it; no clause is written so."""

    names: tuple[tuple[str, Expression], ...]
    value: Expression
    span: Span = _span()


# Cells and domains


@dataclass(frozen=True, repr=False, eq=False)
class Area(Node):
    """``column c``, ``row r``, ``border``, a region's name (``form`` is then ``region``) or a ``rectangle``."""

    form: str
    value: Any
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class RandomCell(Node):
    """``random TILE|free [in AREA] [where C] [reachable from K]``."""

    kind: Expression
    area: Area | None
    where: Expression | None
    reachable_from: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class EveryCell(Node):
    """``every TILE [where C] [with chance P]``."""

    kind: Expression
    where: Expression | None
    chance: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class RangeDomain(Node):
    """``low..high``, both included."""

    low: Expression
    high: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class ChoiceDomain(Node):
    """``a | b | c``, each with a weight or none: ``good 0.9 | bad 1/10``."""

    values: tuple[Expression, ...]
    weights: tuple[Expression | None, ...]
    span: Span = _span()


# Effects


@dataclass(frozen=True, repr=False, eq=False)
class Reward(Node):
    """``[hidden] reward [=] value [to agent]``."""

    value: Expression
    assigns: bool
    hidden: bool
    to: str | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class End(Node):
    """``end [outcome]``."""

    outcome: str | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Truncate(Node):
    """``truncate``."""

    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Out(Node):
    """``out``: the agent leaves the episode."""

    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Cancel(Node):
    """``cancel``: the action is not carried out."""

    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Go(Node):
    """``go to destination``."""

    destination: Destination
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Move(Node):
    """``move K direction`` or ``move K to destination``."""

    subject: Expression
    direction: Expression | None
    destination: Destination | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Turn(Node):
    """``turn to direction``."""

    direction: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Handle(Node):
    """``pickup K``, ``drop K`` or ``remove K``."""

    verb: str
    kind: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Place(Node):
    """``place [count] K [as name] at CELL [if free]`` or ``place K in AREA [where C] [if free]``."""

    count: Expression | None
    kind: Expression
    alias: str | None
    at: Expression | RandomCell | EveryCell | None
    area: Area | None
    where: Expression | None
    if_free: bool
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Becomes(Node):
    """``target becomes value``."""

    target: Expression
    value: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Assign(Node):
    """``target = value``, ``target += value``, ``target -= value``."""

    target: Expression
    operator: str
    value: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Choose(Node):
    """``choose a, b [distinct] in domain [where C]``: the names of one group are drawn together."""

    names: tuple[str, ...]
    distinct: bool
    domain: Domain | RandomCell
    where: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Info(Node):
    """``info name = value``, as an effect."""

    name: str
    value: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Let(Node):
    """``let name = value``: a name for a value, to the end of its block."""

    name: str
    value: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class CarryOut(Node):
    """``name(arguments)`` as an effect: the block that a definition gives a name to."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class If(Node):
    """``if``, ``else if`` and ``else`` blocks; the branch whose test is None is the ``else``."""

    branches: tuple[tuple[Expression | None, tuple[Effect, ...]], ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Retry(Node):
    """``retry count until test``: the block is redrawn until the test holds."""

    count: Expression
    until: Expression
    body: tuple[Effect, ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Repeat(Node):
    """``repeat count [until test]``: the block is carried out again, on what it left, until the test holds."""

    count: Expression
    until: Expression | None
    body: tuple[Effect, ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Each(Node):
    """``each K [where C] [by E [down]]`` or ``each name in domain [where C]``: a block that is carried out for each."""

    over: Expression | Ranging
    where: Expression | None
    by: Expression | None
    down: bool
    body: tuple[Effect, ...]
    span: Span = _span()


# Triggers


@dataclass(frozen=True, repr=False, eq=False)
class Trigger(Node):
    """What makes a rule fire.

    ``event`` is ``step``, ``every``, ``each``, ``when``, ``act``, ``do``, ``fail`` or an event's name
    (``enter``, ``leave``, ``bump``, ``push``, ``pickup``, ``drop``, ``toggle``, ``meet``); ``subject`` is
    None for the agent; ``object`` is the kind, the action's name, the number of steps or the condition.
    """

    event: str
    subject: KindName | None
    object: Expression | None
    span: Span = _span()

    @property
    def named(self) -> KindName:
        """What the event happens to, or with, where it is a kind or an action by its name."""
        assert isinstance(self.object, Name | Pattern)
        return self.object


@dataclass(frozen=True, repr=False, eq=False)
class RuleHead(Node):
    """A trigger with its condition and chance."""

    trigger: Trigger
    condition: Expression | None
    chance: Expression | None
    span: Span = _span()


# Items of declarations


@dataclass(frozen=True, repr=False, eq=False)
class Guarded(Node):
    """``solid``, ``solid unless C`` or ``opaque if C``; ``word`` is ``always``, ``unless`` or ``if``."""

    name: str
    word: str
    condition: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Property(Node):
    """A property with arguments: ``slide``, ``drift north 0 | 1``, ``pushable 2``, ``layer air``."""

    name: str
    word: str | None
    values: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class AttributeItem(Node):
    """``name [default] in domain``: an attribute of a kind, or (with no name of its own) a variable."""

    name: str
    default: Expression | None
    domain: Domain | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Mover(Node):
    """``moves policy [kind [by metric]] [avoiding kind] [every N steps] [with chance P]``, ``moves A if test else B``.

    ``cells`` is how many cells ``forward`` and ``patrol`` go in a step; None for one.
    """

    policy: str
    target: Expression | None
    neighbours: int
    every: Expression | None
    chance: Expression | None
    test: Expression | None
    otherwise: Mover | None
    avoiding: Expression | None
    by: str | None
    cells: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class LegendItem(Node):
    """``glyph = kind [on tile]``."""

    glyph: str
    kind: KindName
    tile: KindName | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class ActionItem(Node):
    """``name(arguments) [key] = primitive``; ``primitive`` is None for a name that is known or that rules decide."""

    name: str
    arguments: tuple[Taken, ...]
    keys: tuple[str, ...]
    primitive: Primitive | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Taken(Node):
    """``name in domain [where C]``: an argument of an action."""

    over: Ranging
    where: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Primitive(Node):
    """``move direction cells [through K with chance P]``, or another action's name (``cells`` is None)."""

    name: str
    cells: Expression | None
    through: Expression | None
    chance: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Joystick(Node):
    """``joystick 4`` or ``joystick 8``."""

    directions: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class SlipItem(Node):
    """``chance direction``, the direction relative to the intended one."""

    chance: Expression
    direction: str
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Rectangle(Node):
    """``(x0..x1, y0..y1)``: an item of a region."""

    left: Expression
    right: Expression
    top: Expression
    bottom: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class AgentsItem(Node):
    """``name`` or ``name * count``."""

    name: str
    count: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class LookItem(Node):
    """``color "#222222"``, ``shape key`` or ``sprite "box.png"``."""

    name: str
    value: str
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class NamedValue(Node):
    """``name = value``: an item of ``info``."""

    name: str
    value: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class TotalReward(Node):
    """``total reward``: the sum of the rewards of the episode so far; ``word`` is ``total``, if it is rightly said."""

    word: str
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class CountOf(Node):
    """``count of TRIGGER [if C]``: how often that came about; ``words`` are ``count of``, if it is rightly said."""

    words: str
    trigger: Trigger
    condition: Expression | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class RewardChange(Node):
    """``clip low..high`` or ``scale factor``: what becomes of the reward of every step."""

    name: str
    values: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Code(Node):
    """``kind number``: an entry of ``grid as codes``."""

    kind: Expression
    number: Expression
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class CellsFor(Node):
    """``cell for kind where condition | ...``: an entry of ``grid as planes``, the cells that things speak of."""

    cell: Expression
    over: Expression
    where: Expression | None
    others: CellsFor | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Form(Node):
    """``as name`` or ``as name(entries)``."""

    name: str
    entries: tuple[Expression | Code | CellsFor, ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class ViewShape(Node):
    """``7x7 [ahead | centered]`` or ``ahead A behind B aside S``, in cells; with ``cone N`` and ``occluded``."""

    width: int
    height: int
    anchor: str
    reach: tuple[Expression, Expression, Expression] | None
    cone: Number | None
    occluded: bool
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class Rays(Node):
    """``rays N [within R] [of K]`` or ``of (K, K2)``; ``hits`` are the kinds, and the words ``self`` and ``other``."""

    count: Expression
    reach: Expression | None
    hits: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class ObserveItem(Node):
    """``[name =] what [as form] [with chance P else noise]``.

    ``what`` is ``grid``, ``view``, ``pixels``, ``rays``, ``position`` or ``value`` (any expression, and the words
    ``cell``, ``facing``, ``carrying``, ``text``, ``mission`` and ``mask``).
    """

    name: str | None
    what: str
    value: Expression | None
    view: ViewShape | None
    rays: Rays | None
    form: Form | None
    chance: Expression | None
    noise: ObserveItem | None
    span: Span = _span()


@dataclass(frozen=True, repr=False, eq=False)
class SeenAs(Node):
    """``K seen as K2 [if C]``."""

    kind: Expression
    appearance: Expression
    condition: Expression | None
    span: Span = _span()


Expression: TypeAlias = (
    Number
    | Text
    | Truth
    | Name
    | Attribute
    | Pattern
    | Call
    | Negate
    | Arithmetic
    | Compare
    | Not
    | Logic
    | IfElse
    | Is
    | Relation
    | Quantified
    | Can
    | Position
    | Random
    | Other
    | Given
    | Some
    | Tally
    | Rectangle
    | Superlative
    | TotalReward
    | CountOf
)
Domain: TypeAlias = RangeDomain | ChoiceDomain
Destination: TypeAlias = Expression | RandomCell
Effect: TypeAlias = (
    Reward
    | End
    | Truncate
    | Out
    | Cancel
    | Go
    | Move
    | Turn
    | Handle
    | Place
    | Becomes
    | Assign
    | Choose
    | Info
    | Let
    | CarryOut
    | If
    | Retry
    | Repeat
    | Each
)
KindName: TypeAlias = Name | Pattern
ThingName: TypeAlias = Name | Pattern | Other
CellChoice: TypeAlias = RandomCell | EveryCell
Item: TypeAlias = Guarded | Property | AttributeItem | Mover


def walk(value: Any) -> Iterator[Any]:
    """Yield every node in a tree of nodes, tuples and lists, outermost first."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, (tuple, list)):
            pending.extend(reversed(node))
        elif (names := PARTS[type(node)]) is not None:
            yield node
            pending.extend([getattr(node, name) for name in names])


class _Parts(dict[type, tuple[str, ...] | None]):
    """What nodes of each class consist of beside their place, the last first; None for what is no node."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        self[kind] = None
        if is_dataclass(kind) and kind.__module__ == __name__:
            self[kind] = tuple(field.name for field in reversed(fields(kind)) if field.name != "span")
        return self[kind]


PARTS = _Parts()
