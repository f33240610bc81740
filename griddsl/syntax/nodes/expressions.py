"""Expressions and what stands in them: kinds, cells, domains, the triggers that are counted."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import Any, TypeAlias

from griddsl.source import Span
from griddsl.syntax.nodes.node import Node, place


class Number(Node):
    """``3``, ``0.25`` or ``20%``; ``text`` is how it was written."""

    value: Fraction
    text: str = field(compare=False)
    span: Span = place()


class Text(Node):
    """A quoted text."""

    value: str
    span: Span = place()


class Truth(Node):
    """``true`` or ``false``."""

    value: bool
    span: Span = place()


class Name(Node):
    """A word: a variable, a parameter, a kind, a chosen name or a value of a domain."""

    name: str
    span: Span = place()


class Attribute(Node):
    """``owner.name``."""

    owner: Expression
    name: str
    span: Span = place()


class Pattern(Node):
    """A kind with attributes: ``key(color=yellow)``."""

    name: str
    arguments: tuple[tuple[str, Expression], ...]
    span: Span = place()


class Call(Node):
    """``min(a, b)``, ``count(K where C)``, ``sum(E for K where C)``, ``path_distance(a, b avoiding K)``."""

    name: str
    arguments: tuple[Expression, ...]
    each: Expression | None
    where: Expression | None
    avoiding: Expression | None
    span: Span = place()


class Negate(Node):
    """``-value``."""

    value: Expression
    span: Span = place()


class Arithmetic(Node):
    """``left operator right`` with ``+ - * / div mod``."""

    operator: str
    left: Expression
    right: Expression
    span: Span = place()


class Compare(Node):
    """``left operator right`` with ``== != < <= > >=``."""

    operator: str
    left: Expression
    right: Expression
    span: Span = place()


class Not(Node):
    """``not value``."""

    value: Expression
    span: Span = place()


class Logic(Node):
    """Several conditions joined by ``and``, by ``xor`` or by ``or``."""

    operator: str
    values: tuple[Expression, ...]
    span: Span = place()


class IfElse(Node):
    """``then if test else otherwise``."""

    test: Expression
    then: Expression
    otherwise: Expression
    span: Span = place()


class Is(Node):
    """``left is right`` or ``left is not right``, for words."""

    left: Expression
    right: Expression
    negated: bool
    span: Span = place()


class Relation(Node):
    """``left name right``: ``on``, ``at``, ``has``, ``sees``, ``within``; ``ahead`` and ``left`` have no right side."""

    name: str
    left: Expression
    right: Expression | None
    distance: Expression | None
    span: Span = place()


class Quantified(Node):
    """``all K``, ``any K`` or ``no K``, as the left side of a relation."""

    quantifier: str
    kind: Expression
    span: Span = place()


class Can(Node):
    """``[left] can ACTION``: it would be legal and would do something now; of the subject, if none is named."""

    left: Expression | None
    action: str
    span: Span = place()


class Position(Node):
    """``(x, y)``: a cell."""

    x: Expression
    y: Expression
    span: Span = place()


class Random(Node):
    """``random`` where a value of a domain stands: any of them; or ``random a | b``, one of these."""

    domain: Domain | None
    span: Span = place()


class Other(Node):
    """``other K``: the only other thing of that kind."""

    kind: Expression
    span: Span = place()


class Superlative(Node):
    """``the K with least E [where C]``, or ``most``, of things or cells, the first of several; ``the K where C``."""

    over: KindName | OneOf
    most: bool
    value: Expression | None
    where: Expression | None
    span: Span = place()


class There(Node):
    """``the K at CELL``: the thing of these kinds in a cell, the first where several are; none where none is there."""

    over: Expression | OneOf
    at: Expression
    span: Span = place()


class Best(Node):
    """``min(E for K [where C])``, or ``max``: that number itself, not what it is asked of; 0 where there is none."""

    of: Superlative
    span: Span = place()


class Extreme(Node):
    """The least, or the most, of the numbers of which each condition holds; 0 of none. No clause is written so."""

    most: bool
    parts: tuple[tuple[Expression | None, Expression], ...]
    span: Span = place()


class Ranging(Node):
    """``name in domain``: a name that goes through all values of a domain."""

    name: str
    domain: Domain
    span: Span = place()


class Held(Node):
    """``coin in chest``: the things of a kind that an agent or an object holds; no clause is written so."""

    kind: KindName
    holder: Expression
    span: Span = place()

    @property
    def name(self) -> str:
        """The kind, as which each of them is called."""
        return self.kind.name


class Some(Node):
    """``all``, ``any`` or ``no`` of a kind, or of the values of a domain, ``where`` a condition holds."""

    quantifier: str
    over: Expression | Ranging | Held
    where: Expression
    span: Span = place()


class ByChance(Node):
    """``if C with chance P``, ``each K [where C] with chance P``: the chance is drawn where the condition holds."""

    test: Expression | None
    chance: Expression
    span: Span = place()


class Tally(Node):
    """``count(name in domain where C)``, or ``sum(E for name in domain [where C])``, ``min``, ``max``.

    ``how`` is the name of the function, ``value`` the E of all but a count.
    """

    how: str
    value: Expression | None
    over: Ranging | Held
    where: Expression | None
    span: Span = place()


class OneOf(Node):
    """Things of several kinds of objects, by the word that they are called; no clause is written so."""

    kinds: tuple[KindName, ...]
    called: str
    span: Span = place()


class Given(Node):
    """An expression in which names stand for others that are read outside of it; no clause is written so."""

    names: tuple[tuple[str, Expression], ...]
    value: Expression
    span: Span = place()


class Area(Node):
    """``column c``, ``row r``, ``border``, a region's name (``form`` is then ``region``) or a ``rectangle``."""

    form: str
    value: Any
    span: Span = place()


class RandomCell(Node):
    """``random TILE|free [in AREA] [where C] [reachable from K]``."""

    kind: Expression
    area: Area | None
    where: Expression | None
    reachable_from: Expression | None
    span: Span = place()


class EveryCell(Node):
    """``every TILE [where C] [with chance P]``."""

    kind: Expression
    where: Expression | None
    chance: Expression | None
    span: Span = place()


class RangeDomain(Node):
    """``low..high``, both included."""

    low: Expression
    high: Expression
    span: Span = place()


class ChoiceDomain(Node):
    """``a | b | c``, each with a weight or none: ``good 0.9 | bad 1/10``."""

    values: tuple[Expression, ...]
    weights: tuple[Expression | None, ...]
    span: Span = place()


class Rectangle(Node):
    """``(x0..x1, y0..y1)``: an item of a region."""

    left: Expression
    right: Expression
    top: Expression
    bottom: Expression
    span: Span = place()


class Trigger(Node):
    """What makes a rule fire: ``event`` is ``step``, ``every``, ``each``, ``when``, ``act``, ``do`` or an event's name.

    ``subject`` is None for the agent; ``object`` is the kind, the action's name, the number of steps or the condition.
    """

    event: str
    subject: KindName | None
    object: Expression | None
    span: Span = place()

    @property
    def named(self) -> KindName:
        """What the event happens to, or with, where it is a kind or an action by its name."""
        assert isinstance(self.object, Name | Pattern)
        return self.object


class TotalReward(Node):
    """``total reward``: the sum of the rewards of the episode so far; ``word`` is ``total``, if it is rightly said."""

    word: str
    span: Span = place()


class CountOf(Node):
    """``count of TRIGGER [if C]``: how often that came about; ``words`` are ``count of``, if it is rightly said."""

    words: str
    trigger: Trigger
    condition: Expression | None
    span: Span = place()


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
    | OneOf
    | Some
    | ByChance
    | Tally
    | Rectangle
    | Superlative
    | There
    | Best
    | Extreme
    | TotalReward
    | CountOf
)
Domain: TypeAlias = RangeDomain | ChoiceDomain
Destination: TypeAlias = Expression | RandomCell
KindName: TypeAlias = Name | Pattern
ThingName: TypeAlias = Name | Pattern | Other
CellChoice: TypeAlias = RandomCell | EveryCell
