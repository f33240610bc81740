"""Comparing: ``==``, ``<`` and the others, between numbers, truths, texts and cells."""

from __future__ import annotations

from griddsl.diagnostics import write
from griddsl.lowering.clauses.attributes import PLACES, holder_of
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import (
    converted,
    decides,
    evaluate,
)
from griddsl.lowering.clauses.unknown.names import is_unknown, report_unknown
from griddsl.lowering.world.values import (
    CELL,
    NUMBER,
    Cells,
    Numbers,
    Ref,
    Truths,
)
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


@decides(n.Compare)
def _compare(ctx: Context, node: n.Compare, _: bool) -> ir.Expr:
    if node.operator in {"==", "!="} and asks_for_place(
        ctx, node.left, node.right, node.operator == "!=", node
    ):
        return ir.FALSE
    if _names_no_number(ctx, node):
        return ir.FALSE
    left = evaluate(ctx, node.left)
    if left is None:
        evaluate(ctx, node.right)
        return ir.FALSE
    if isinstance(left.type, Cells) and _asks_what_is_there(ctx, node):
        return ir.FALSE
    right = evaluate(ctx, node.right, left.type)
    if right is None:
        return ir.FALSE
    if isinstance(left.type, Truths) and isinstance(right.type, Truths) and _compares_truths(node):
        same = ir.eq(ir.as_number(left.expr), ir.as_number(right.expr))
        return same if node.operator == "==" else ir.invert(same)
    if not (isinstance(left.type, Numbers) and isinstance(right.type, Numbers)):
        numbers = isinstance(left.type, Numbers) or isinstance(right.type, Numbers)
        if not numbers and node.operator in {"==", "!="}:
            sign = "is" if node.operator == "==" else "is not"

            named = isinstance(node.right, n.Text) and node.right.value.isidentifier()
            other = getattr(node.right, "value", "") if named else to_text(node.right)
            help: str = write(f"{to_text(node.left)} {sign} {other}")
            if isinstance(left.type, Truths):
                help = _truth_meant(node) or help
            ctx.error("words-with-equals", node.span, help=help)
        else:
            wrong, found = (node.left, left) if not isinstance(left.type, Numbers) else (node.right, right)
            converted(ctx, found, NUMBER, wrong.span)
        return ir.FALSE
    test = ir.compare(node.operator, left.expr, right.expr)
    low, high = left.expr.low, left.expr.high
    if not isinstance(left.expr, ir.Const) and max(abs(low), abs(high)) < ir.UNBOUNDED:
        help = f"`{to_text(node.left)}` lies in {low:g}..{high:g}"
        ctx.writer.notes.settle(node, test, help)
    return test


def _asks_what_is_there(ctx: Context, node: n.Compare) -> bool:
    """Report `there == wall`, a cell that is compared with what may be in it."""
    name = getattr(node.right, "name", "")
    kind = ctx.world.kinds.get(name) if isinstance(node.right, n.KindName) and name not in ctx.scope else None
    if kind is None or node.operator not in {"==", "!="}:
        return False
    asked = f"{'not ' if node.operator == '!=' else ''}{to_text(node.right)} at {to_text(node.left)}"
    help = write(asked)
    ctx.error("type", node.span, found="a comparison of a cell with a kind", expected="`at`", help=help)
    return True


def _compares_truths(node: n.Compare) -> bool:
    """Whether two conditions are compared; `lit == true` says no more than `lit`."""
    constant = isinstance(node.left, n.Truth) or isinstance(node.right, n.Truth)
    return node.operator in {"==", "!="} and not constant


def _truth_meant(node: n.Compare) -> str | None:
    """`lit == true`: a condition needs no comparison."""

    if not isinstance(node.right, n.Truth):
        return None
    if not isinstance(node.left, n.Name | n.Attribute):
        return "a condition needs no comparison: it stands alone, or behind `not`"
    holds = node.right.value == (node.operator == "==")
    asked = to_text(node.left) if holds else f"not {to_text(node.left)}"
    return write(asked, f": leave `{node.operator} {to_text(node.right)}` out")


def _names_no_number(ctx: Context, node: n.Compare) -> bool:
    """Report a side of a comparison that names nothing, beside one that is a number, and Python's `== True`."""
    named = node.right.name if isinstance(node.right, n.Name) else ""
    if named in {"True", "False"} and is_unknown(ctx, named):
        truth = n.Truth(named == "True", node.right.span)
        help = _truth_meant(n.Compare(node.operator, node.left, truth, node.span))
        if help is not None:
            ctx.error("words-with-equals", node.span, help=help)
            return True
    kind = ctx.world.kinds.get(getattr(node.left, "name", ""))
    is_named = named and node.operator in {"==", "!="} and named not in {*ctx.scope, *ctx.writer.variables}
    param = ctx.world.param_domains.get(getattr(node.left, "name", ""))
    is_word = param is not None and named in param.words
    if is_named and (is_word or (kind is not None and holder_of(kind, named) is not None)):
        negated = "not " if node.operator == "!=" else ""
        help = write(f"{to_text(node.left)} is {negated}{named}")
        ctx.error("words-with-equals", node.span, help=help)
        return True
    sides = ((node.left, node.right), (node.right, node.left))
    for side, other in sides:
        needs_number = node.operator not in {"==", "!="} or isinstance(other, n.Number | n.Arithmetic)
        if needs_number and isinstance(side, n.Name) and is_unknown(ctx, side.name):
            report_unknown(ctx, side.name, side.span, NUMBER)
            return True
    return False


def asks_for_place(
    ctx: Context, left: n.Expression, right: n.Expression, negated: bool, node: n.Expression
) -> bool:
    """Report `agent.position == (3, 2)`, `(agent.x, agent.y) is (3, 2)` and `agent == goal`: a place is asked for."""

    owner = _placed_thing(ctx, left)
    where = _placed_thing(ctx, right) or right
    if owner is None and isinstance(left, n.Position):
        owner, where = _placed_thing(ctx, right), left
    if owner is None or not isinstance(where, n.Position | n.KindName):
        return False
    name = getattr(where, "name", "")
    stored = ctx.writer.variables.get(name)
    is_cell = isinstance(where, n.Position) or (stored is not None and stored.type == CELL)
    if not is_cell and name not in ctx.world.kinds and name not in ctx.scope:
        return False
    kind = ctx.world.kinds.get(name) if name not in ctx.scope else None
    if (
        kind is not None
        and kind in ctx.world.agents
        and to_text(owner) in {"agent", "self"}
        and ctx.world.several
    ):
        help = write(f"self is {'not ' if negated else ''}{name}", place=node.span)
        ctx.error("words-with-equals", node.span, help=help)
        return True
    tile = kind is not None and kind.category != "agent"
    asked = f"{to_text(owner)} {'on' if tile else 'at'} {to_text(where)}"
    help = write(f"not {asked}" if negated else asked)
    ctx.error("type", node.span, found="a comparison of places", expected="`on` or `at`", help=help)
    return True


def _placed_thing(ctx: Context, node: n.Expression) -> n.Expression | None:
    """Return the thing whose place a node seems to ask for; None for other nodes."""
    if isinstance(node, n.Attribute) and node.name in PLACES:
        owner = getattr(node.owner, "name", "")
        bound = ctx.scope.get(owner) or (ctx.self_ref if owner == "self" else None)
        owner = "agent" if owner == "self" and not ctx.world.several else owner
        kind = bound.kind if isinstance(bound, Ref) else ctx.world.kinds.get(owner)
        return node.owner if kind is not None and node.name not in kind.attributes else None
    if isinstance(node, n.Position) and isinstance(node.x, n.Attribute) and isinstance(node.y, n.Attribute):
        same = getattr(node.x.owner, "name", "x") == getattr(node.y.owner, "name", "y")
        return node.x.owner if same and (node.x.name, node.y.name) == ("x", "y") else None
    if isinstance(node, n.Name) and node.name not in ctx.scope:
        kind = ctx.world.kinds.get(node.name)
        return node if kind is not None and kind.category == "agent" else None
    return None
