"""Effects: what a rule, a setup or an event does, one statement a node."""

from __future__ import annotations

from typing import TypeAlias

from griddsl.source import Span
from griddsl.syntax.nodes.expressions import (
    Area,
    Attribute,
    Call,
    Destination,
    Domain,
    EveryCell,
    Expression,
    Name,
    RandomCell,
    Ranging,
)
from griddsl.syntax.nodes.node import Node, place


class Reward(Node):
    """``[hidden] reward [=] value [to agent]``."""

    value: Expression
    assigns: bool
    hidden: bool
    to: str | None
    span: Span = place()


class End(Node):
    """``end [outcome]``."""

    outcome: str | None
    span: Span = place()


class Truncate(Node):
    """``truncate``."""

    span: Span = place()


class Out(Node):
    """``[who] out [for steps [, back at back]]``: an agent leaves the episode, or is away for some steps.

    It comes back where it started, or at ``back``. Without ``who`` it is the one that the rule is about.
    """

    who: Expression | None
    steps: Expression | None
    back: Destination | None
    span: Span = place()


class Cancel(Node):
    """``cancel``: the action is not carried out."""

    span: Span = place()


class Again(Node):
    """``again``: the agent that acts has the next turn, too."""

    span: Span = place()


class Go(Node):
    """``go to destination``."""

    destination: Destination
    span: Span = place()


class Move(Node):
    """``move K direction`` or ``move K to destination``; K may be ``(the K with least E)``."""

    subject: Expression
    direction: Expression | None
    destination: Destination | None
    span: Span = place()


# The functions that turn a direction, and the sides to which `turn` turns who faces that way.
SIDES = {"left_of": "left", "right_of": "right", "opposite": "around"}


class Turn(Node):
    """``turn to direction``; ``turn left`` is ``turn to left_of(self.facing)``."""

    direction: Expression
    span: Span = place()

    @classmethod
    def aside(cls, side: str, span: Span) -> Turn:
        """Return ``turn left``, ``turn right`` or ``turn around``."""
        function = next(name for name, of in SIDES.items() if of == side)
        facing = Attribute(Name("self", span), "facing", span)
        return cls(Call(function, (facing,), None, None, None, span), span)

    @property
    def side(self) -> str | None:
        """The side to which it turns, seen from the way that it faces: ``left``, ``right`` or ``around``."""
        match self.direction:
            case Call(name, (Attribute(Name("self"), "facing"),)):
                return SIDES.get(name)
            case _:
                return None


class Handle(Node):
    """``pickup K``, ``drop K`` or ``remove K``."""

    verb: str
    kind: Expression
    span: Span = place()


class Place(Node):
    """``place [count] K [as name] at CELL [if free]`` or ``place K in AREA [where C] [if free]``."""

    count: Expression | None
    kind: Expression
    alias: str | None
    at: Expression | RandomCell | EveryCell | None
    area: Area | None
    where: Expression | None
    if_free: bool
    span: Span = place()


class Becomes(Node):
    """``target becomes value``."""

    target: Expression
    value: Expression
    span: Span = place()


class Assign(Node):
    """``target = value``, ``target += value``, ``target -= value``."""

    target: Expression
    operator: str
    value: Expression
    span: Span = place()


class Choose(Node):
    """``choose a, b [distinct] in domain [where C]``: the names of one group are drawn together."""

    names: tuple[str, ...]
    distinct: bool
    domain: Domain | RandomCell
    where: Expression | None
    span: Span = place()


class Info(Node):
    """``info name = value``, as an effect."""

    name: str
    value: Expression
    span: Span = place()


class Let(Node):
    """``let name = value``: a name for a value, to the end of its block."""

    name: str
    value: Expression
    span: Span = place()


class CarryOut(Node):
    """``name(arguments)`` as an effect: the block that a definition gives a name to."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = place()


class If(Node):
    """``if``, ``else if`` and ``else`` blocks; the branch whose test is None is the ``else``."""

    branches: tuple[tuple[Expression | None, tuple[Effect, ...]], ...]
    span: Span = place()


class Retry(Node):
    """``retry count until test``: the block is redrawn until the test holds."""

    count: Expression
    until: Expression
    body: tuple[Effect, ...]
    span: Span = place()


class Repeat(Node):
    """``repeat count [until test]``: the block is carried out again, on what it left, until the test holds."""

    count: Expression
    until: Expression | None
    body: tuple[Effect, ...]
    span: Span = place()


class Each(Node):
    """``each K [where C] [by E [down]]`` or ``each name in domain [where C]``: a block that is carried out for each."""

    over: Expression | Ranging
    where: Expression | None
    by: Expression | None
    down: bool
    body: tuple[Effect, ...]
    span: Span = place()


Effect: TypeAlias = (
    Reward
    | End
    | Truncate
    | Out
    | Cancel
    | Again
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
Rounds: TypeAlias = Retry | Repeat | Each  # each carries out one block, in rounds
