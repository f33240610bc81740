"""Drawing: ``random`` and ``random a | b`` as what an attribute or a variable becomes."""

from __future__ import annotations

from griddsl.diagnostics import write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import converted, evaluate_as
from griddsl.lowering.effects.drawn.choosing import draw_value
from griddsl.lowering.world.domains import Domain
from griddsl.lowering.world.values import NUMBER
from griddsl.lowering.world.world import domain_range, domain_type
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text


def _misplaced(part: n.Domain, domain: Domain) -> Span:
    """Return where a part of a domain has a word that the domain has not; else where it stands."""
    words = [each for each in getattr(part, "values", ()) if isinstance(each, n.Name)]
    return next((word.span for word in words if word.name not in domain.words), part.span)


def _draws_nothing(ctx: Context, part: n.Domain) -> bool:
    """Report ``random(1, 6)`` and ``random 6``, where a range was meant."""
    values = part.values if isinstance(part, n.ChoiceDomain) else ()
    if len(values) != 1:
        return False
    (value,) = values
    help: str
    if isinstance(value, n.Position):
        between = " | " if isinstance(value.x, n.Name) and value.x.name not in ctx.writer.variables else ".."
        help = write(f"random {to_text(value.x)}{between}{to_text(value.y)}", place=_with_random(part.span))
        ctx.error("type", value.span, found=f"the cell `{to_text(value)}`", expected="a domain", help=help)
        return True
    if isinstance(value, n.Number):
        help = f"a range has two ends, which both count: `random 1..{to_text(value)}`"
        ctx.error("bad-domain", part.span, reason="there is one value to draw from", help=help)
        return True
    if isinstance(value, n.Name) and value.name in {"distinct", "different", "unique"}:
        help = "several that differ are chosen together: `choose one, two distinct in red | green | blue`"
        ctx.error("wrong-place", part.span, what=f"`{value.name}`", where="behind `random`", help=help)
        return True
    return False


def _with_random(span: Span) -> Span:
    """Return the place of a domain together with the `random` before it."""
    before = span.source.text[: span.start].rstrip()
    start = len(before) - len("random") if before.endswith("random") else span.start
    return Span(span.source, start, span.end)


def _one_of_words(ctx: Context, node: n.Expression, domain: Domain) -> bool:
    """Report `mood = calm or cross`: one of several words is drawn."""
    if not isinstance(node, n.Logic) or node.operator != "or":
        return False
    words = [each.name for each in node.values if isinstance(each, n.Name)]
    if len(words) < len(node.values) or not set(words) <= set(domain.words):
        return False
    help = write(f"random {' | '.join(words)}", ": one of them is drawn", place=node.span)
    ctx.error("type", node.span, found="a condition", expected="a word", help=help)
    return True


def _report_draws_beyond(ctx: Context, drawn: ir.Expr, of: n.Domain, domain: Domain) -> None:
    """Warn of `random 1..20` for what lies in 0..9: whatever is beyond becomes 9, which comes far more often."""
    low, high = domain_range(domain)
    if not isinstance(of, n.RangeDomain) or (low <= drawn.low and drawn.high <= high):
        return
    ends = max(low, int(drawn.low)), min(high, int(drawn.high))
    if ends[0] <= ends[1]:
        whole = f"{drawn.low:g}..{drawn.high:g}"
        help = write(f"{ends[0]}..{ends[1]}", place=of.span)
        ctx.writer.report.add("drawn-beyond", of.span, drawn=whole, domain=f"{low}..{high}", help=help)


def value_in(ctx: Context, node: n.Expression, domain: Domain) -> ir.Expr | None:
    """Return what something with a domain is set to; ``random`` draws one of its values, or of those that follow."""
    type = domain_type(domain)
    if not isinstance(node, n.Random):
        return None if _one_of_words(ctx, node, domain) else evaluate_as(ctx, node, type)
    if node.domain is not None:
        if _draws_nothing(ctx, node.domain):
            return None
        drawn = draw_value(ctx, node.domain)
        if drawn is not None and type == NUMBER == drawn.type:
            _report_draws_beyond(ctx, drawn.expr, node.domain, domain)
        return None if drawn is None else converted(ctx, drawn, type, _misplaced(node.domain, domain))
    if type != NUMBER:
        return evaluate_as(ctx, node, type)
    low, high = domain_range(domain)
    count = high - low + 1
    drawn_number = ctx.let("drawn", ir.drawn(ir.const(count), count - 1))
    return ir.add(drawn_number, ir.const(low))
