"""Shown: what an observation shows is a value; a kind, a region or a word alone is none, and is told what to write."""

from __future__ import annotations

from griddsl.diagnostics import listing, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import evaluate
from griddsl.lowering.clauses.unknown.fitting import NUMBERS_OF_THE_GAME
from griddsl.lowering.facts.abundance import abundance
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import DIRECTION, Numbers, Truths, Words
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import POSITION_FORMS
from griddsl.syntax.printer import to_text

_NO_WORDS = {*NUMBERS_OF_THE_GAME, "start", "self", "other"}


def shows_nothing(ctx: Context, item: n.ObserveItem | None, node: n.Expression | None) -> bool:
    """Report a kind, a region or a word of a domain where a value is observed: it would always be the same.

    ``item`` is the entry that the name is by itself; None for a part of one.
    """
    if not isinstance(node, n.Name) or _has_value(ctx, node.name):
        return False
    name, world = node.name, ctx.world
    kind = world.kinds.get(name)
    if kind is not None:
        what, help = f"the kind `{name}`", _of_kind(ctx, kind, item)
    elif name in world.regions:
        what, help = f"the region `{name}`", _of_region(ctx, name)
    elif is_bare_word(ctx, node):
        what, help = f"the word `{name}`", _of_word(ctx, name)
    else:
        return False
    ctx.error("type", node.span, found=what, expected="a value to observe", help=help)
    return True


def is_cell(ctx: Context, node: n.Position) -> bool:
    """Whether a pair that is observed is a cell; `(mood, energy)` is reported as the two entries that it would be."""
    for part in (node.x, node.y):
        value = evaluate(ctx.inner(scope=ctx.scope), part)
        if value is None:
            return False
        if isinstance(value.type, Words | Truths):
            apart = f"{to_text(node.x)}, {to_text(node.y)}"
            help = f"they are two entries, each with a name, or `observe tuple: {apart}`"
            ctx.error("type", part.span, found=str(value.type), expected="a number of a cell", help=help)
            return False
        if isinstance(value.type, Numbers) and value.expr.low < -1:  # -1 is the place of what is nowhere
            help = (
                f"how far away it is are two numbers: `right = {to_text(node.x)}, down = {to_text(node.y)}`"
            )
            found = f"a number from {value.expr.low:g} to {value.expr.high:g}"
            ctx.error("type", part.span, found=found, expected="one of a cell", help=help)
            return False
    return True


def is_bare_word(ctx: Context, node: n.Expression | None) -> bool:
    """Whether a name is but a word of some domain, or a direction: what it means, what stands beside it says."""
    if not isinstance(node, n.Name) or node.name in _NO_WORDS or _has_value(ctx, node.name):
        return False
    if node.name in ctx.world.kinds or node.name in ctx.world.regions:
        return False
    return node.name in DIRECTION.words or bool(_owners(ctx, node.name))


def _has_value(ctx: Context, name: str) -> bool:
    return name in ctx.writer.variables or name in ctx.world.params or name in ctx.scope


def _owners(ctx: Context, word: str) -> list[str]:
    """Return the attributes and variables that have a word in their domain, as a condition asks for it."""
    found = []
    for kind in ctx.world.kinds.values():
        for name, attribute in kind.attributes.items():
            if word in attribute.domain.words:
                is_one = kind.category == "agent" or abundance(ctx.writer.facts, kind) == 1
                asked = f"{kind.name}.{name} is {word}"
                found.append(asked if is_one else f"any {kind.name} where {asked}")
    stored = ctx.writer.variables.values()  # chosen names too, which have no domain of their own
    named = [each.name for each in stored if isinstance(each.type, Words) and word in each.type.words]
    return [*found, *(f"{name} is {word}" for name in named)]


def _me(ctx: Context) -> str:
    return "self" if ctx.world.several else "agent"


def _of_kind(ctx: Context, kind: Kind, item: n.ObserveItem | None) -> str:
    """Return what can be observed of a kind: where it is, how many there are, and in which cells."""
    form = item.form.name if item is not None and item.form is not None else None
    planes = f"`grid as planes ({kind.name})`"
    if kind.category == "agent":
        if ctx.world.several:
            return f"say what of it: `position of self` where one is, {planes} where each is"
        return f"say what of it: `cell` or `position of {kind.name}` where it is, {planes} a plane of it"
    is_one = abundance(ctx.writer.facts, kind) == 1
    if form in POSITION_FORMS and is_one and item is not None:
        return write(f"position of {kind.name} as {form}", place=item.span.word(kind.name).to(item.span))
    ways = [f"`count({kind.name})` how many there are", f"{planes} where they are"]
    if is_one:
        ways.insert(0, f"`position of {kind.name}` where it is")
    return f"say what of it: {', '.join(ways)}"


def _of_region(ctx: Context, name: str) -> str:
    me = _me(ctx)
    return f"it is cells: `{me} on {name}` asks whether one is there, `grid as planes (here on {name})` shows them"


def _of_word(ctx: Context, word: str) -> str:
    """Return which condition asks for a word."""
    asked = _owners(ctx, word)
    if word in DIRECTION.words and ctx.writer.facts.has_facing:
        asked.insert(0, f"{_me(ctx)}.facing is {word}")
    asked = list(dict.fromkeys(asked))
    return f"a word alone never changes{f': observe {listing(asked, most=3)}' if asked else ''}"
