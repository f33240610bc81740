"""Nothing: what stands where a thing is needed, and is none; which thing was meant."""

from __future__ import annotations

import re
from dataclasses import replace

from griddsl.diagnostics import Help, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.world.naming import each_of
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.habits.mistake import CELL
from griddsl.syntax.printer import to_text

_PAIR = 2  # numbers that make a cell
_THE_ONE = re.compile(rf"\bthe\s+(?P<kind>\w+(?:\([^()]*\))?)\s+at\s+{CELL}\Z")


def no_thing(ctx: Context, node: n.Expression) -> None:
    """Report what stands where a thing is needed: of `any coin` no number can be asked, but of each behind `where`."""
    help: str | None = _one_there(ctx, node)
    drawn = re.match(r"\.\w+(?:\(\))?", node.span.source.text[node.span.end : node.span.end + 80])
    if isinstance(node, n.Random) and drawn is not None:
        whole = replace(node.span, end=node.span.end + drawn.end())
        help = write("random", ": it draws one of all values", whole)
    if isinstance(node, n.Attribute) and node.name == "action" and drawn is not None:
        name = drawn[0][1:]
        help = (
            f"what an action takes has its own name in the rules of that action: `on do throw if {name} ...`"
        )
    if isinstance(node, n.Position) and help is None:
        help = "of a pair `(x, y)` only `.x` and `.y` are asked; `the K at (x, y)` is a thing that is there"
    if (
        isinstance(node, n.Quantified)
        and isinstance(node.kind, n.KindName)
        and node.kind.name in ctx.world.kinds
    ):
        asked, name = f"{node.quantifier} {to_text(node.kind)}", node.kind.name
        help = each_of(node.quantifier, to_text(node.kind), name, node.span)
        ctx.error("type", node.span, found=f"`{asked}`", expected="a thing", help=help)
        return
    ctx.error("type", node.span, found="this", expected="a thing", help=help)


def _one_there(ctx: Context, node: n.Expression) -> Help | None:
    """Return how what is in a cell is asked for what it has: `(gem at c).hue`, `the gem at c.hue`, `gem[1, 0].hue`."""
    source, kinds = node.span.source, ctx.world.kinds
    if isinstance(node, n.Relation) and node.name == "at" and getattr(node.left, "name", "") in kinds:
        return write(f"the {node.span.text}", ": the one that is there", node.span)
    asked = re.match(r"\.\w+", source.text[node.span.end : node.span.end + 80])
    said = _THE_ONE.search(source.text[: node.span.end][-200:])
    if asked is not None and said is not None and said["kind"].partition("(")[0] in kinds:
        start = node.span.end - len(said[0])
        whole = Span(source, start, node.span.end + asked.end(), node.span.through)
        return write(f"({said[0]}){asked[0]}", place=whole)
    if isinstance(node, n.Call) and node.name in kinds and len(node.arguments) <= _PAIR:
        place = ", ".join(to_text(each) for each in node.arguments)
        cell = f"({place})" if len(node.arguments) == _PAIR else place
        return write(f"(the {node.name} at {cell})", place=node.span)
    return None


def every_other(span: Span) -> Help | None:
    """Return what to write where `other` is meant to count: `moves random every other step`."""
    text = span.source.text
    if not re.search(r"\bevery\s+\Z", text[max(0, span.start - 20) : span.start]):
        return None
    behind = re.match(r"\s+(?:step|turn|tick)s?\b", text[span.end :])
    if behind is None:
        return None
    return write("2 steps", place=Span(span.source, span.start, span.end + behind.end(), span.through))
