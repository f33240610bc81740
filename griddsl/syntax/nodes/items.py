"""Items: the heads of rules, and what the statements that declare something consist of."""

from __future__ import annotations

from typing import TypeAlias

from griddsl.source import Span
from griddsl.syntax.nodes.expressions import Domain, Expression, KindName, Number, Ranging, Trigger
from griddsl.syntax.nodes.node import Node, place


class RuleHead(Node):
    """A trigger with its condition and chance."""

    trigger: Trigger
    condition: Expression | None
    chance: Expression | None
    span: Span = place()


class Guarded(Node):
    """``solid``, ``opaque if C`` or ``pushable 2 unless C``; ``word`` is ``always``, ``unless`` or ``if``.

    ``most`` is how many go in a row where that stands behind ``pushable``.
    """

    name: str
    word: str
    condition: Expression | None
    most: Expression | None
    span: Span = place()


class Property(Node):
    """A property with arguments: ``slide``, ``drift north 0 | 1``, ``pushable 2``, ``layer air``."""

    name: str
    word: str | None
    values: tuple[Expression, ...]
    span: Span = place()


class AttributeItem(Node):
    """``name [default] in domain``: an attribute of a kind, or (with no name of its own) a variable."""

    name: str
    default: Expression | None
    domain: Domain | None
    span: Span = place()


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
    span: Span = place()


class LegendItem(Node):
    """``glyph = kind [on tile]``."""

    glyph: str
    kind: KindName
    tile: KindName | None
    span: Span = place()


class ActionItem(Node):
    """``name(arguments) [key] = primitive``; ``primitive`` is None for a name that is known or that rules decide."""

    name: str
    arguments: tuple[Taken, ...]
    keys: tuple[str, ...]
    primitive: Primitive | None
    span: Span = place()


class Taken(Node):
    """``name in domain [where C]``: an argument of an action."""

    over: Ranging
    where: Expression | None
    span: Span = place()


class Primitive(Node):
    """``move direction cells [through K with chance P]``, or another action's name (``cells`` is None)."""

    name: str
    cells: Expression | None
    through: Expression | None
    chance: Expression | None
    span: Span = place()


class Joystick(Node):
    """``joystick 4`` or ``joystick 8``."""

    directions: Expression
    span: Span = place()


class SlipItem(Node):
    """``chance direction``, the direction relative to the intended one."""

    chance: Expression
    direction: str
    span: Span = place()


class AgentsItem(Node):
    """``name`` or ``name * count``."""

    name: str
    count: Expression | None
    span: Span = place()


class LookItem(Node):
    """``color "#222222"``, ``shape key`` or ``sprite "box.png"``."""

    name: str
    value: str
    span: Span = place()


class NamedValue(Node):
    """``name = value``: an item of ``info``."""

    name: str
    value: Expression
    span: Span = place()


class RewardChange(Node):
    """``clip low..high`` or ``scale factor``: what becomes of the reward of every step."""

    name: str
    values: tuple[Expression, ...]
    span: Span = place()


class Code(Node):
    """``kind number``: an entry of ``grid as codes``."""

    kind: Expression
    number: Expression
    span: Span = place()


class CellsFor(Node):
    """``cell for kind where condition | ...``: an entry of ``grid as planes``, the cells that things speak of."""

    cell: Expression
    over: Expression
    where: Expression | None
    others: CellsFor | None
    span: Span = place()


FormEntry: TypeAlias = Expression | Code | CellsFor


class Form(Node):
    """``as name`` or ``as name(entries)``."""

    name: str
    entries: tuple[FormEntry, ...]
    span: Span = place()


class ViewShape(Node):
    """``7x7 [ahead | centered [north up]]`` or ``ahead A behind B aside S``; with ``cone N``, ``occluded``."""

    width: int
    height: int
    anchor: str
    reach: tuple[Expression, Expression, Expression] | None
    cone: Number | None
    occluded: bool
    span: Span = place()

    @property
    def keeps_north_up(self) -> bool:
        """Whether the view does not turn with the agent's facing."""
        return self.anchor == "centered north up"


class Rays(Node):
    """``rays N [within R] [of K]`` or ``of (K, K2)``; ``hits`` are the kinds, and the words ``self`` and ``other``."""

    count: Expression
    reach: Expression | None
    hits: tuple[Expression, ...]
    span: Span = place()


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
    span: Span = place()


class SeenAs(Node):
    """``K seen as K2 [if C]``."""

    kind: Expression
    appearance: Expression
    condition: Expression | None
    span: Span = place()


Item: TypeAlias = Guarded | Property | AttributeItem | Mover
