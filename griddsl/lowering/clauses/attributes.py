"""Attributes: what a thing is beside its kind, read, set, and compared with what a clause asks for."""

from __future__ import annotations

import re
from collections.abc import Collection

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_as
from griddsl.lowering.clauses.whereabouts import IS_SELF, cell_of, column, if_there, is_still, row, the_agent
from griddsl.lowering.state.writer import OF_ITS_KIND, Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import of_some_agents
from griddsl.lowering.world.values import CELL, DIRECTION, NUMBER, TRUTH, Ref, Value, Words
from griddsl.lowering.world.world import domain_range, domain_type
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n

HANDS = ("carrying", "carried", "inventory", "holding", "hands", "held", "item", "items")


GONE = frozenset(
    {"collected", "taken", "gone", "removed", "eaten", "destroyed", "dead", "alive", "exists", "picked"}
)


PLACES = ("position", "pos", "location", "loc", "xy", "coordinates", "coords", "place", "tile")


def _is_at_hand(value: ir.Expr) -> bool:
    """Whether to ask twice for a value costs less than to keep it: then a condition around it needs no statement."""
    return isinstance(value, ir.Load) and isinstance(value.index, ir.Const | ir.Local)


def attribute(ctx: Context, ref: Ref, name: str, span: Span) -> Value | None:
    """Return ``thing.name``: a position, a facing, or a declared attribute."""
    if name in {"x", "y", "cell"}:
        cell = cell_of(ctx, ref)
        if name == "cell":
            return Value(CELL, cell)
        if cell.low < 0 and not _is_at_hand(cell):
            cell = ctx.let("cell", cell)
        return Value(NUMBER, column(ctx, cell) if name == "x" else row(ctx, cell))
    if ref.category == "agent" and name == "facing":
        if not ctx.writer.facts.has_facing:
            ctx.error(
                "no-facing",
                span,
                help="the actions `turn_left`, `turn_right` and `forward` bring one, or `agent: facing`",
            )
        return Value(DIRECTION, if_there(ref, ir.load(ctx.writer.facing, ref.index), 0))
    if name == "action" and ref.category == "agent":
        words = Words(tuple(ctx.world.action_names))
        return Value(words, if_there(ref, ir.load(ctx.writer.action_slot, ref.index), 0))
    if name == "turn" and ref.category == "agent" and ctx.writer.facts.has_turns:
        return Value(TRUTH, ir.eq(ir.load(ctx.writer.turn), ref.index))
    if name == "away" and ref.category == "agent" and ctx.writer.facts.tells_away:
        left = ir.sub(ir.load(ctx.writer.out, ref.index), ir.const(1))
        return Value(NUMBER, if_there(ref, ir.greatest((left, ir.const(0))), 0))
    found = ref.kind.attributes.get(name)
    if ref.any_of and not _is_of_all(ctx, ref, name, span):
        return None
    if found is None:
        help = _attribute_meant(ctx, ref, name, span)
        ctx.error("unknown-attribute", span.word(name), kind=ref.kind.name, name=name, help=help)
        return None
    for kind in ref.others:
        other = kind.attributes.get(name)
        if other is not None and domain_type(other.domain) != domain_type(found.domain):
            found_here = f"`{name}`, of one domain in `{kind.name}` and another in `{ref.kind.name}`,"
            expected = "one domain for both"
            ctx.error(
                "type", span, found=found_here, expected=expected, help=f"declare `{name}` alike in both"
            )
            return None
    return Value(domain_type(found.domain), attribute_expr(ctx, ref, name))


_MEANT = {
    **dict.fromkeys(("column", "col"), "x"),
    "row": "y",
    **dict.fromkeys(("direction", "dir"), "facing"),
    **dict.fromkeys(
        ("acts", "acting", "active", "is_turn", "my_turn", "has_turn", "to_move", "to_play"), "turn"
    ),
}


def _attribute_meant(ctx: Context, ref: Ref, name: str, span: Span) -> str | None:
    """Return what is said of an attribute that a thing has not: another name, or how else that is asked."""
    known = [*ref.kind.attributes, "x", "y", *(["facing"] if ref.category == "agent" else [])]
    known += ["turn"] if ref.category == "agent" and ctx.writer.facts.has_turns else []
    known += ["away"] if ref.category == "agent" and ctx.writer.facts.tells_away else []
    meant = _MEANT.get(name)
    declared = ref.category if ref.kind.name == ref.category else f"{ref.category} {ref.kind.name}"
    own = [each for each in ref.kind.attributes if each != "facing"]
    help: str | None = f"declare it, as in `{declared}: {name} in 0..9`"
    if own:
        others = listing(own, "and", 6)
        help = f"`{ref.kind.name}` has {others}; another is declared as in `{declared}: {name} in 0..9`"
    if meant in known:
        help = Help(f"did you mean `{meant}`?", (str(meant),), name)
    elif name in {"left", "right"} and ref.category == "agent" and ctx.writer.facts.has_facing:
        owner = span.text.rpartition(".")[0]
        help = write(f"{name}_of({owner}.facing)", place=span) if owner else help
    elif name in {"out", "is_out"} and ref.category == "agent" and ctx.world.several:
        help = f"who is out is found nowhere: `no {ref.kind.name} left`, `count({ref.kind.name})`; {help}"
    elif name == "away" and ref.category == "agent" and ctx.world.several:
        help = f"how long it is away is known where a rule says `out for 5 steps`; {help}"
    elif name == "turn" and ref.category == "agent" and ctx.world.several:
        help = "whose turn it is can be asked under `turns: alternate`, where more than one learns"
    elif name in PLACES:
        help = f"`{ref.kind.name} at (1, 2)` asks where it is; `.x` and `.y` are its column and row"
        if ctx.stage == "observe" and span.text.endswith(name) and not _is_in_braces(span):
            help = write(f"position of {ref.kind.name}", place=span)
    elif name in ctx.writer.variables:
        help = write(name, ": it is a variable of the game", place=span)
    elif name in GONE and ref.category == "object":
        help = f"`no {ref.kind.name} left` asks whether all are gone; {help}"
    elif name in HANDS and ref.category == "agent":
        compared = _COMPARED.match(span.source.text, span.end)
        help = f"what it holds is asked by `{ref.kind.name} has key`, of any object"
        if compared is not None and compared[2] in ctx.world.kinds:
            negated = "not " if compared[1] not in {"==", "is"} else ""
            whole = Span(span.source, span.start, compared.end(), span.through)
            help = write(f"{negated}{span.text.removesuffix(f'.{name}')} has {compared[2]}", place=whole)
    else:
        help = word_asked(ref.kind, name, span) or did_you_mean(name, known) or help
    if name in {"name", "kind", "type"} and ref.category == "agent" and ctx.world.several:
        help = f"`self is {ctx.world.agents[0].name}` asks who it is"
    if ref.category == "agent":
        help = of_some_agents(ctx.world.spec, name, span) or help
    return help


def _is_in_braces(span: Span) -> bool:
    return span.source.text[: span.start].rstrip().endswith("{")


_COMPARED = re.compile(r"[ ]*(==|!=|is[ ]+not\b|is\b)[ ]*\"?(\w+)\"?")
_TRUTH = re.compile(r"[ ]*(==|!=|is[ ]+not\b|is\b)[ ]*(true|false|[01])\b(?![ ]*[-+*/.])", re.IGNORECASE)


def holder_of(kind: Kind, word: str) -> str | None:
    """Return the attribute of a kind that alone can be a word; None where none is, or several are."""
    holders = [name for name, each in kind.attributes.items() if word in each.domain.words]
    return holders[0] if len(holders) == 1 else None


def word_asked(kind: Kind, word: str, span: Span) -> Help | None:
    """`door.open`, `door.open == true`: what an attribute can be is asked with `is`, and asked is whether it is."""
    if holder_of(kind, word) is None or not re.fullmatch(rf"[\w.]+\.{word}", span.text):
        return None
    behind = _TRUTH.match(span.source.text, span.end)
    negated = behind is not None and (behind[1] in {"==", "is"}) != (behind[2].lower() in {"true", "1"})
    whole = span if behind is None else Span(span.source, span.start, behind.end(), span.through)
    owner = span.text.removesuffix(f".{word}")
    return write(f"{owner} is {'not ' if negated else ''}{word}", place=whole)


def _is_of_all(ctx: Context, ref: Ref, name: str, span: Span) -> bool:
    """Whether each kind has an attribute of which the things of all are asked; else it is reported."""
    kinds = (ref.kind, *ref.others)
    lacking = next((kind.name for kind in kinds if name not in kind.attributes), None)
    if lacking is None or not any(name in kind.attributes for kind in kinds):
        return True
    help = f"`object({name}=...)` means those that have it; or declare it, as in `object {lacking}: {name} in ...`"
    ctx.error("unknown-attribute", span.word(name), kind=lacking, name=name, help=help)
    return False


def attribute_expr(ctx: Context, ref: Ref, name: str) -> ir.Expr:
    """Return the code or number of a declared attribute of a thing."""
    domain = ref.kind.attributes[name].domain
    if ref.category == "tile":
        loaded = ctx.writer.tile_attribute(name, ref.kind, ref.index)
        value: ir.Expr = if_there(ref, loaded, domain_range(domain)[0])
    elif ref.category == "object":
        loaded = ir.load(ctx.writer.object_slot(name), ref.index)
        low, high = domain_range(domain)
        value = if_there(ref, ir.claim(loaded, low, high, OF_ITS_KIND), low)
    else:
        loaded = ir.load(ctx.writer.agent_attribute_slot(name), ref.index)
        kinds = ctx.world.agents if ref.kind.name == "agent" else [ref.kind]
        ends = [domain_range(kind.attributes[name].domain) for kind in kinds if name in kind.attributes]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        value = ir.claim(loaded, low, high, OF_ITS_KIND) if name != "facing" else loaded
        value = if_there(ref, value, domain_range(domain)[0])
    if ref.may_be_gone:
        value = ir.select(is_still(ctx, ref, name), value, ir.const(domain_range(domain)[0]))
    return ir.eq(value, 1) if domain.form == "bool" else value


def set_attribute(ctx: Context, ref: Ref, name: str, value: ir.Expr) -> None:
    """Emit the assignment of an attribute."""
    writer = ctx.writer
    if ref.category == "tile":
        ctx.emit(ir.Store(writer.tile_attribute_slot(name), ref.index, value))
    elif ref.category == "object":
        ctx.emit(ir.Store(writer.object_slot(name), ref.index, value))
    else:
        ctx.emit(ir.Store(writer.agent_attribute_slot(name), ref.index, value))


def forgotten_attributes(
    writer: Writer, category: str, index: ir.Expr, kept: Collection[str] = ()
) -> ir.Block:
    """Return what leaves no attribute behind of an object that is gone or of ground that is covered.

    All but those ``kept`` are 0, as where none ever was: what nobody can ask tells no states apart.
    """
    slot_of = writer.object_slot if category == "object" else writer.tile_attribute_slot
    kinds = [kind for kind in writer.world.kind_list if kind.category == category]
    names = dict.fromkeys(name for kind in kinds for name in kind.attributes)
    return [ir.Store(slot_of(name), index, ir.const(0)) for name in names if name not in kept]


# Of what draws where it is only asked what there is.
IN_CONDITIONS = "where something is asked for: it would be drawn anew each time"
CHOSEN_ONCE = "`choose NAME in red | blue` draws it once, in setup or before the condition of a rule's block"


def give_attribute(ctx: Context, ref: Ref, name: str, value: ir.Expr, node: n.Expression) -> None:
    """Emit the first value of an attribute, clamped into its range; report a fraction, and what never lies in it."""
    domain, said = ref.kind.attributes[name].domain, f"{ref.kind.name}.{name}"
    low, high = domain_range(domain)
    number = ir.as_number(value)
    if value.type == "real":
        ctx.error("fraction", node.span, name=said, help="use `div`, or whole numbers")
    elif not report_out_of_range(ctx, number, said, low, high, node.span, f"write one from {low} to {high}"):
        set_attribute(ctx, ref, name, ir.clamp(number, low, high))


def report_out_of_range(
    ctx: Context, value: ir.Expr, name: str, low: float, high: float, span: Span, help: str
) -> bool:
    """Report a number that never lies in the range of what it is given to; return whether it is so."""
    if value.low <= high and value.high >= low:
        return False
    shown = f"{value.low:g}" if value.low == value.high else f"{value.low:g}..{value.high:g}"
    ctx.error("never-in-range", span, name=name, domain=f"{low}..{high}", value=shown, help=help)
    return True


def matches(ctx: Context, ref: Ref, attributes: dict[str, n.Expression]) -> ir.Expr:
    """Return whether a thing has the attributes that a pattern asks for."""
    tests = []
    for name, node in attributes.items():
        if name == "carries":
            tests.append(_carries(ctx, ref, node))
            continue
        if isinstance(node, n.Random):
            ctx.error("wrong-place", node.span, what="`random`", where=IN_CONDITIONS, help=CHOSEN_ONCE)
            continue
        if name == IS_SELF:
            same = ir.eq(ref.index, the_agent(ctx, node.span).index)
            tests.append(same if node == n.Truth(True, node.span) else ir.invert(same))
            continue
        place = node.span if name in ref.kind.attributes else _named_before(node.span, name)
        have = attribute(ctx, ref, name, place)
        if have is None:
            continue
        want = evaluate_as(ctx, node, have.type)
        if want is not None:
            tests.append(ir.eq(ir.as_number(have.expr), ir.as_number(want)))
    return ir.both(*tests)


def _named_before(value: Span, name: str) -> Span:
    """Return the place of the name to which a pattern gives a value; that of the value where it stands elsewhere."""
    found = re.search(rf"\b{name}\s*=\s*\Z", value.source.text[max(0, value.start - 80) : value.start])
    if found is None:
        return value
    start = value.start - len(found.group())
    return Span(value.source, start, value.end, value.through)


def _carries(ctx: Context, ref: Ref, node: n.Expression) -> ir.Expr:
    """Return whether a thing carries one of the kind that a pattern asks for."""
    inner = ctx.inner(scope={**ctx.scope, ref.kind.name: ref})
    test = condition(inner, n.Relation("has", n.Name(ref.kind.name, node.span), node, None, node.span))
    ctx.block.extend(inner.block)
    return test
