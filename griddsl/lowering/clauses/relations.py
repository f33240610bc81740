"""Conditions: comparisons, logic and relations; and the instances that a condition finds and names.

A kind found by an un-negated ``on``, ``at``, ``ahead``, ``has`` or ``within`` that is joined only by ``and`` is
bound: the rest of the condition and the effects mean that very instance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.asked import cell_asked
from griddsl.lowering.clauses.carrying import each_hand, hands_of
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.expressions import place_of
from griddsl.lowering.clauses.functions import distance
from griddsl.lowering.clauses.meaning import (
    condition,
    converted,
    decides,
    evaluate,
    evaluate_as,
    evaluate_number,
    joint_type,
    names_of,
    odd,
)
from griddsl.lowering.clauses.sightlines import in_sight
from griddsl.lowering.clauses.things import (
    PLACES,
    agent_ref,
    asks_for_any,
    attribute_expr,
    cell_of,
    find_kind,
    for_each,
    is_other,
    is_still,
    is_superlative,
    kind_code_of,
    matches,
    resolve_thing,
    the_agent,
)
from griddsl.lowering.clauses.unknown import is_unknown, no_kind, report_unknown
from griddsl.lowering.facts.abundance import abundance
from griddsl.lowering.state.neighbours import THIN_WALL
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import (
    CELL,
    NUMBER,
    Kinds,
    Numbers,
    Ref,
    Texts,
    Truths,
    Value,
    Words,
)
from griddsl.lowering.world.world import domain_type
from griddsl.program import ir
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

NEARNESS = frozenset({"within", "sees"})


@decides(n.Logic)
def _logic(ctx: Context, node: n.Logic, binds: bool) -> ir.Expr:
    if node.operator == "or":
        return ir.either(*(_apart(ctx, value) for value in node.values))
    if node.operator == "xor":
        return odd(*(_apart(ctx, value) for value in node.values))
    return _all_of(ctx, node.values, binds) if binds else _apart(ctx, node)


@decides(n.Not)
def _not(ctx: Context, node: n.Not, _: bool) -> ir.Expr:
    return ir.invert(_apart(ctx, node.value))


@decides(n.Quantified)
def _quantifier_alone(ctx: Context, node: n.Quantified, _: bool) -> ir.Expr:
    name = getattr(node.kind, "name", "K")
    help: str = f"write `{node.quantifier} {name} on K2`, or `no K left`"
    if node.quantifier == "no" and name in ctx.world.kinds:
        help = write(f"no {to_text(node.kind)} left", f", or where: `no {name} on K2`")
    elif node.quantifier == "any" and name in ctx.world.kinds:
        help = write(f"count({to_text(node.kind)}) > 0", f", or where: `any {name} on K2`")
    ctx.error(
        "syntax", node.span, found=f"`{node.quantifier}` alone", expected="a relation after it", help=help
    )
    return ir.FALSE


def _all_of(ctx: Context, values: tuple[Any, ...], binds: bool) -> ir.Expr:
    """Join conditions by ``and``; statements that a later one needs run only where the earlier ones hold."""
    held: ir.Expr = ir.TRUE
    for value in values:
        inner = ctx.inner(scope=ctx.scope)
        test = condition(inner, value, binds)
        if inner.block and held != ir.TRUE:
            held = nested_test(ctx, inner, held, test)
        else:
            ctx.block.extend(inner.block)
            held = ir.both(held, test)
    return held


def nested_test(ctx: Context, inner: Context, held: ir.Expr, test: ir.Expr) -> ir.Expr:
    """Emit the statements of a test under what has to hold before it; return whether both do."""
    name = ctx.names.fresh("holds")
    for statement in inner.block:
        if isinstance(statement, ir.Let):
            ctx.emit(ir.Let(statement.name, _zero_of(statement.value)))
    ctx.emit(ir.Let(name, ir.FALSE), *ir.when(held, [*inner.block, ir.Let(name, test)]))
    return ir.Local(name, "bool", 0, 1)


def _zero_of(value: ir.Expr) -> ir.Expr:
    if value.type == "bool":
        return ir.FALSE
    return ir.Const(0.0, "real") if value.type == "real" else ir.const(0)


def _apart(ctx: Context, node: Any) -> ir.Expr:
    """Lower a condition whose finds are not named outside of it."""
    inner = ctx.inner()
    test = condition(inner, node, binds=True)
    ctx.block.extend(inner.block)
    return test


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
    # What a definition asks of an argument may be true at its other calls.
    if test == ir.FALSE and not isinstance(left.expr, ir.Const) and not node.span.through:
        low, high = left.expr.low, left.expr.high
        if abs(low) < ir.UNBOUNDED and abs(high) < ir.UNBOUNDED and not _has_constant(ctx, node):
            ctx.error("never-true", node.span, help=f"`{to_text(node.left)}` lies in {low:g}..{high:g}")
    return test


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
    return write(to_text(node.left) if holds else f"not {to_text(node.left)}")


def _names_no_number(ctx: Context, node: n.Compare) -> bool:
    """Report a side of a comparison that names nothing, beside one that is a number, and Python's `== True`."""
    named = node.right.name if isinstance(node.right, n.Name) else ""
    if named in {"True", "False"} and is_unknown(ctx, named):
        truth = n.Truth(named == "True", node.right.span)
        help = _truth_meant(n.Compare(node.operator, node.left, truth, node.span))
        if help is not None:
            ctx.error("words-with-equals", node.span, help=help)
            return True
    sides = ((node.left, node.right), (node.right, node.left))
    for side, other in sides:
        needs_number = node.operator not in {"==", "!="} or isinstance(other, n.Number | n.Arithmetic)
        if needs_number and isinstance(side, n.Name) and is_unknown(ctx, side.name):
            report_unknown(ctx, side.name, side.span, NUMBER)
            return True
    return False


def asks_for_place(ctx: Context, left: Any, right: Any, negated: bool, node: Any) -> bool:
    """Report `agent.position == (3, 2)`, `(agent.x, agent.y) is (3, 2)` and `agent == goal`: a place is asked for."""

    owner = _placed_thing(ctx, left)
    where = _placed_thing(ctx, right) or right
    if owner is None and isinstance(left, n.Position):
        owner, where = _placed_thing(ctx, right), left
    if owner is None or not isinstance(where, n.Position | n.KindName):
        return False
    name = getattr(where, "name", "")
    if not isinstance(where, n.Position) and name not in ctx.world.kinds and name not in ctx.scope:
        return False
    tile = name in ctx.world.kinds and name not in ctx.scope and ctx.world.kinds[name].category != "agent"
    asked = f"{to_text(owner)} {'on' if tile else 'at'} {to_text(where)}"
    help = write(f"not {asked}" if negated else asked)
    ctx.error("type", node.span, found="a comparison of places", expected="`on` or `at`", help=help)
    return True


def _placed_thing(ctx: Context, node: Any) -> Any:
    """Return the thing whose place a node seems to ask for; None for other nodes."""
    if isinstance(node, n.Attribute) and node.name in PLACES:
        kind = ctx.world.kinds.get(getattr(node.owner, "name", ""))
        return node.owner if kind is not None and node.name not in kind.attributes else None
    if isinstance(node, n.Position) and isinstance(node.x, n.Attribute) and isinstance(node.y, n.Attribute):
        same = getattr(node.x.owner, "name", "x") == getattr(node.y.owner, "name", "y")
        return node.x.owner if same and (node.x.name, node.y.name) == ("x", "y") else None
    if isinstance(node, n.Name) and node.name not in ctx.scope:
        kind = ctx.world.kinds.get(node.name)
        return node if kind is not None and kind.category == "agent" else None
    return None


def _has_constant(ctx: Context, node: n.Compare) -> bool:
    """Whether a parameter decides the comparison: that is a choice, not a mistake."""
    from griddsl.syntax.nodes import walk

    return any(
        isinstance(part, n.Name) and part.name in ctx.world.params for part in walk((node.left, node.right))
    )


# is


@decides(n.Is)
def _is(ctx: Context, node: n.Is, _: bool) -> ir.Expr:
    if isinstance(node.left, n.Quantified):
        return quantified_over(ctx, node.left, lambda inner, ref: _thing_is(inner, ref, node), node)
    if _is_elsewhere(ctx, node):
        return ir.FALSE
    thing = _thing_named(ctx, node.left)
    if thing is not None:
        test = _thing_is(ctx, thing, node)
        if thing.index.low < 0:
            test = ir.both(ir.ge(thing.index, 0), test)
    else:
        test = _value_is(ctx, node)
    return ir.invert(test) if node.negated else test


def _is_elsewhere(ctx: Context, node: n.Is) -> bool:
    """Report `agent is goal` and `agent.position is goal`: what an agent stands on is asked by `on`."""
    left = ctx.world.kinds.get(getattr(node.left, "name", ""))
    right = ctx.world.kinds.get(getattr(node.right, "name", ""))
    if left is not None and left.category == "agent" and isinstance(node.left, n.Name):
        if (
            right is None
            or right.category == "agent"
            or any(right.name in attribute.domain.words for attribute in left.attributes.values())
        ):
            return False
    elif not isinstance(node.left, n.Attribute | n.Position):
        return False
    return asks_for_place(ctx, node.left, node.right, node.negated, node)


def _thing_named(ctx: Context, node: Any) -> Ref | None:
    """Return the thing that the left side of a relation names; None where it is a value."""
    if is_superlative(ctx, node):
        return resolve_thing(ctx, node)
    if not isinstance(node, n.ThingName):
        return None
    if isinstance(node, n.Name):
        bound = ctx.scope.get(node.name)
        if isinstance(bound, Ref):
            return resolve_thing(ctx, node)
        if bound is not None or node.name in ctx.writer.variables or node.name in ctx.world.params:
            return None
        if node.name not in ctx.world.kinds and node.name != "self" and not is_other(ctx, node):
            return None
    return resolve_thing(ctx, node)


def _thing_is(ctx: Context, ref: Ref, node: n.Is) -> ir.Expr:
    right = node.right
    named = ctx.scope.get(right.name) if isinstance(right, n.Name) else None
    if isinstance(right, n.Name) and isinstance(named, Ref) and right.name not in ctx.world.kinds:
        # A name that `as` gave: the very thing.
        same = named.category == ref.category
        return ir.both(ir.ge(ref.index, 0), ir.eq(ref.index, named.index)) if same else ir.FALSE
    if isinstance(right, n.Name) and right.name not in ctx.scope:
        holders = [name for name, a in ref.kind.attributes.items() if right.name in a.domain.words]
        if len(holders) > 1:
            ctx.error(
                "ambiguous",
                right.span,
                name=right.name,
                count=len(holders),
                help="say which: "
                + " or ".join(f"`{ref.kind.name}.{name} is {right.name}`" for name in holders),
            )
            return ir.FALSE
        for name, attribute in ref.kind.attributes.items():
            if right.name in attribute.domain.words:
                code = attribute.domain.words.index(right.name)
                return ir.both(is_still(ctx, ref), ir.eq(attribute_expr(ctx, ref, name), code))
            if attribute.domain.form == "bool" and right.name == name:
                return ir.both(is_still(ctx, ref), attribute_expr(ctx, ref, name))
        if right.name in ctx.world.kinds:
            other = find_kind(ctx, right.name)
            assert other is not None
            return ir.eq(kind_code_of(ctx, ref), other.code)
        if not _has_value(ctx, right.name):
            words = [word for a in ref.kind.attributes.values() for word in a.domain.words]
            meant = _negated(ref.kind, right) or did_you_mean(right.name, [*words, *ctx.world.kinds])
            of = f"what `{ref.kind.name}` can be"
            ctx.error("unknown-word", right.span, word=right.name, of=of, help=meant or _states(ref.kind))
            return ir.FALSE
    value = evaluate(ctx, right)
    if value is None:
        return ir.FALSE
    if isinstance(value.type, Kinds):
        codes = [ctx.world.kinds[name].code for name in value.type.kinds]
        kind_code = ir.lookup(ctx.writer.table(("KINDS", *codes), codes), value.expr)
        return ir.eq(kind_code_of(ctx, ref), kind_code)
    for name, attribute in ref.kind.attributes.items():
        type = domain_type(attribute.domain)
        if (
            isinstance(type, Words)
            and isinstance(value.type, Words)
            and set(value.type.words) <= set(type.words)
        ):
            code_ = converted(ctx, value, type, right.span)
            if code_ is None:
                return ir.FALSE
            return ir.both(is_still(ctx, ref), ir.eq(attribute_expr(ctx, ref, name), code_))
    numbers = [name for name, each in ref.kind.attributes.items() if each.domain.form == "int"]
    help = None
    if isinstance(value.type, Numbers) and len(numbers) == 1 and isinstance(node.left, n.Name):
        sign = "!=" if node.negated else "=="
        help = write(f"{node.left.name}.{numbers[0]} {sign} {to_text(right)}", place=node.span)
    expected = f"a word of `{ref.kind.name}` or a kind"
    ctx.error("type", right.span, found=str(value.type), expected=expected, help=help)
    return ir.FALSE


def _has_value(ctx: Context, name: str) -> bool:
    return name in ctx.writer.variables or name in ctx.world.params


def _of_its_domain(ctx: Context, node: Any, value: Value) -> Value:
    """Return a parameter's word as one of all that it could be; any other value as it is."""
    is_param = isinstance(node, n.Name) and node.name in ctx.world.params and node.name not in ctx.scope
    if not is_param or not isinstance(value.type, Words):
        return value
    words = ctx.world.param_domains[node.name].words
    return Value(Words(words), ir.const(words.index(value.type.words[0])))


def _value_is(ctx: Context, node: n.Is) -> ir.Expr:
    left = evaluate(ctx, node.left)
    if left is None:
        return ir.FALSE
    left = _of_its_domain(ctx, node.left, left)
    if isinstance(left.type, Numbers):
        from griddsl.syntax.printer import to_text

        sign = "!=" if node.negated else "=="
        help: str = write(f"{to_text(node.left)} {sign} {to_text(node.right)}")
        if isinstance(node.right, n.Name) and is_unknown(ctx, node.right.name):
            help = f"compare it with a number, as in `{to_text(node.left)} {sign} 0`"
        ctx.error("numbers-with-is", node.span, help=help)
        return ir.FALSE
    if isinstance(left.type, Words | Kinds | Texts):
        right = evaluate(ctx, node.right, left.type)
        if right is None:
            return ir.FALSE
        right = _of_its_domain(ctx, node.right, right)
        if type(right.type) is not type(left.type):
            converted(ctx, right, left.type, node.right.span)
            return ir.FALSE
        names = names_of(left.type)
        others = names_of(right.type)
        if not set(names) & set(others):
            ctx.error(
                "unknown-word",
                node.right.span,
                word=others[0],
                of=listing(names, "and"),
                help=did_you_mean(others[0], names),
            )
            return ir.FALSE
        joint = joint_type(left.type, tuple(dict.fromkeys((*names, *others))))
        first = converted(ctx, left, joint, node.span)
        second = converted(ctx, right, joint, node.span)
        return ir.FALSE if first is None or second is None else ir.eq(first, second)
    second = evaluate_as(ctx, node.right, left.type)
    if second is None:
        return ir.FALSE
    if isinstance(left.type, Truths):
        return (
            left.expr
            if second == ir.TRUE
            else ir.invert(left.expr)
            if second == ir.FALSE
            else ir.eq(ir.as_number(left.expr), ir.as_number(second))
        )
    return ir.eq(left.expr, second)


# Relations between things


@decides(n.Relation)
def _relation(ctx: Context, node: n.Relation, binds: bool) -> ir.Expr:
    if isinstance(node.left, n.Quantified):
        quantified = node.left
        return quantified_over(
            ctx, quantified, lambda inner, ref: _each_holds(ctx, inner, quantified, node, ref), node
        )
    match node.name:
        case "left":
            ctx.error(
                "syntax", node.span, found="`left` alone", expected="`no K left`", help="or `count(K) > 0`"
            )
            return ir.FALSE
        case "ahead":
            return _ahead(ctx, node, binds)
        case "at":
            return _at(ctx, node, binds)
    if node.name in NEARNESS and _finds_left(ctx, node):
        place = place_of(ctx, node.right)
        return ir.FALSE if place is None else _within_of_place(ctx, node, node.left, place, None, binds)
    left = _left_thing(ctx, node.left)
    return ir.FALSE if left is None else _holds(ctx, node, left, binds)


def _each_holds(
    ctx: Context, inner: Context, quantified: n.Quantified, node: n.Relation, ref: Ref
) -> ir.Expr:
    """Return whether a relation holds for one of ``all K``, ``any K``, ``no K``; near a K only the others count."""
    if node.name not in NEARNESS:
        return _holds(inner, node, ref, False)
    around = _name_of(quantified.kind)
    if getattr(node.right, "name", None) == around:
        # `any box within 1 of box`: the box that the clause is about, or else another one.
        scope = {name: value for name, value in inner.scope.items() if name != around}
        if around in ctx.scope:
            scope[around] = ctx.scope[around]
        inner = inner.inner(block=inner.block, scope=scope)
    near = _holds(inner, node, ref, False)
    return ir.either(near, _is_itself(inner, ref, node.right)) if quantified.quantifier == "all" else near


def _is_itself(ctx: Context, left: Ref, right: Any) -> ir.Expr:
    """Return whether a name or ``other K`` stands for this very agent or object."""
    if not isinstance(right, n.Name | n.Other) or left.category == "tile":
        return ir.FALSE
    if isinstance(right, n.Name) and not isinstance(ctx.scope.get(right.name), Ref) and right.name != "self":
        return ir.FALSE
    there = resolve_thing(ctx, right)
    return ir.eq(left.index, there.index) if there and there.category == left.category else ir.FALSE


def _finds_left(ctx: Context, node: n.Relation) -> bool:
    """Whether ``K within N of PLACE`` looks for a K: a kind that names no instance yet, near a place that is known."""
    left, right = node.left, node.right
    if not isinstance(left, n.KindName) or left.name == "self":
        return False
    if left.name in ctx.scope and not asks_for_any(ctx, left):
        return False
    kind = ctx.world.kinds.get(left.name)
    if kind is None or kind.category == "agent":
        return False
    other = ctx.world.kinds.get(getattr(right, "name", "")) if isinstance(right, n.KindName) else None
    bound = isinstance(right, n.Name) and right.name in ctx.scope
    return other is None or bound or other.category == "agent"


def _left_thing(ctx: Context, node: Any) -> Ref | None:
    if isinstance(node, n.ThingName):
        bound = ctx.scope.get(node.name) if isinstance(node, n.Name) else None
        if isinstance(bound, Value):
            if bound.type != CELL:
                ctx.error("type", node.span, found=str(bound.type), expected="a thing or a cell")
                return None
            return Ref(ctx.world.kinds["floor"], bound.expr if bound.asked is None else bound.asked)
        return resolve_thing(ctx, node)
    if is_superlative(ctx, node):
        return resolve_thing(ctx, node)
    cell = cell_asked(ctx, node)
    return None if cell is None else Ref(ctx.world.kinds["floor"], ctx.let("cell", cell))


def _holds(ctx: Context, node: n.Relation, left: Ref, binds: bool) -> ir.Expr:
    """Return whether the relation holds for this left thing."""
    match node.name:
        case "on":
            return _found_at(ctx, cell_of(ctx, left), node.right, binds)
        case "at":
            place = cell_asked(ctx, node.right)
            return ir.FALSE if place is None else _is_in(ctx, left, ctx.let("place", place))
        case "ahead":
            return ir.eq(ahead_cell(ctx, node), cell_of(ctx, left))
        case "left":
            return ir.TRUE
        case "has":
            return _has(ctx, left, node, binds)
        case "within" | "sees":
            return _within(ctx, left, node, binds)
    raise AssertionError(node.name)


def _negated(kind: Kind, right: n.Name) -> Help | None:
    """Return what says the contrary of a property: `lamp is not lit` for `lamp is unlit`."""
    for name, attribute in kind.attributes.items():
        if attribute.domain.form == "bool" and right.name in {
            f"{part}{name}" for part in ("un", "not_", "non", "dis")
        }:
            return Help(f"write `{kind.name} is not {name}`", (f"not {name}",), place=right.span)
    return None


def _states(kind: Kind) -> str | None:
    """Say what can be asked of a kind with `is`."""
    words = [
        word for each in kind.attributes.values() if each.domain.form == "words" for word in each.domain.words
    ]
    truths = [f"{quality} {name}" for name, each in kind.attributes.items() if each.domain.form == "bool"
              for quality in ("is", "is not")]  # fmt: skip
    shown = [f"{kind.name} {each}" for each in (*(f"is {word}" for word in words), *truths)]
    return f"it can be asked {listing(shown)}" if shown else f"nothing is declared that `{kind.name}` can be"


def _pattern_kind(ctx: Context, node: Any) -> tuple[Kind | None, dict[str, Any]]:
    """Return the kind that the right side of a relation names, and the attributes it asks for."""
    if isinstance(node, n.Quantified):
        node = node.kind
    if not isinstance(node, n.KindName):
        no_kind(ctx, node)
        return None, {}
    bound = ctx.scope.get(node.name)
    kind = bound.kind if isinstance(bound, Ref) else find_kind(ctx, node.name)
    if kind is None:
        report_unknown(ctx, node.name, node.span, is_kind=True)
        return None, {}
    return kind, dict(node.arguments) if isinstance(node, n.Pattern) else {}


def _name_of(node: Any) -> str:
    named: Any = node.kind if isinstance(node, n.Quantified) else node
    return str(named.name)


def _found_at(ctx: Context, cell: ir.Expr, node: Any, binds: bool) -> ir.Expr:
    """Return whether a thing of a kind stands at a cell; the thing is bound."""
    if isinstance(node, n.Name) and isinstance(ctx.scope.get(node.name), Ref):
        bound = ctx.scope[node.name]
        assert isinstance(bound, Ref)
        return _is_in(ctx, bound, cell)
    if isinstance(node, n.Name) and node.name in ctx.world.regions:
        return ir.both(ir.ge(cell, 0), in_region(ctx, node.name, cell))
    kind, attributes = _pattern_kind(ctx, node)
    if kind is None:
        return ir.FALSE
    cell = ctx.let("cell", cell)
    return found_in_cell(ctx, cell, kind, attributes, _name_of(node) if binds else None)


def in_region(ctx: Context, name: str, cell: ir.Expr) -> ir.Expr:
    """Return whether a cell lies in a region."""
    mask = ctx.writer.table(("REGION", name), ctx.world.regions[name].astype(int).tolist())
    return ir.eq(ir.lookup(mask, cell), 1)


def found_in_cell(
    ctx: Context, cell: ir.Expr, kind: Kind, attributes: dict[str, Any], bind: str | None
) -> ir.Expr:
    """Return whether a thing of this kind, with these attributes, is in the cell; bind it to a name."""
    writer = ctx.writer
    if kind.category == "tile":
        ref = Ref(kind, cell)
        test = ir.eq(writer.tile_at(cell), kind.code)
        if cell.low < 0:
            test = ir.both(ir.ge(cell, 0), test)
    elif kind.category == "object":
        at = ir.load(writer.layer_slot(kind.layer), cell)
        found = ctx.let(kind.name, ir.select(ir.ge(cell, 0), at, ir.const(-1)) if cell.low < 0 else at)
        ref = Ref(kind, found)
        test = ir.both(ir.ge(found, 0), ir.eq(ir.load(writer.object_slot("KIND"), found), kind.code))
    else:
        ref, test = _agent_in_cell(ctx, cell, kind)
        test = ir.both(ir.ge(cell, 0), test)
    if bind is not None:
        bind_found(ctx, bind, ref)
    if not attributes:
        return test
    inner = ctx.inner(scope=ctx.scope)
    more = matches(inner, ref, attributes)
    if inner.block:
        return nested_test(ctx, inner, test, more)
    return ir.both(test, more)


def bind_found(ctx: Context, name: str, ref: Ref, several: int = 0) -> None:
    """Let a name mean what a condition found; where it could mean several, its use is an error."""
    bound = ctx.scope.get(name)
    if isinstance(bound, Ref) and bound.index != ref.index:
        several = 2
    present = ref.index
    if isinstance(present, ir.Local) and present.low < 0:
        present = ir.Local(present.name, present.type, 0, present.high)
    ctx.bind(name, Ref(ref.kind, present, several if several > 1 else 0))


def _agent_in_cell(ctx: Context, cell: ir.Expr, kind: Kind) -> tuple[Ref, ir.Expr]:
    world, writer = ctx.world, ctx.writer
    if len(world.agents) == 1:
        return agent_ref(ctx, ir.const(0)), ir.eq(ir.load(writer.agent_cell, ir.const(0)), cell)
    found = ctx.variable(kind.name, ir.const(-1), -1, len(world.agents) - 1)

    def body(inner: Context, ref: Ref) -> None:
        inner.block.extend(ir.when(ir.eq(cell_of(inner, ref), cell), [ir.Hit(ref.index)]))

    for_each(ctx, kind, body, loop=ir.first_of(found))
    return Ref(kind, found), ir.ge(found, 0)


def ahead_cell(ctx: Context, node: n.Relation) -> ir.Expr:
    """Return the cell ahead of the subject, or -1 at the border."""
    world, writer = ctx.world, ctx.writer
    ref = the_agent(ctx, node.span)
    if not writer.facts.has_facing:
        ways = {action.direction or 0 for action in world.actions if action.verb == "move"}
        if len(ways) == 1:  # All moves go one way, so that way is ahead.
            return ctx.let("ahead", writer.next_cell(cell_of(ctx, ref), ir.const(ways.pop())))
        ctx.error(
            "no-facing",
            node.span,
            help="the actions `turn_left`, `turn_right` and `forward` bring one, or `agent: facing`",
        )
        return ir.const(-1)
    return ctx.let("ahead", writer.next_cell(cell_of(ctx, ref), ir.load(writer.facing, ref.index)))


def _ahead(ctx: Context, node: n.Relation, binds: bool) -> ir.Expr:
    cell = ahead_cell(ctx, node)
    if isinstance(node.left, n.Name) and node.left.name == "edge":
        return ir.eq(cell, -1) if _has_thin_walls(ctx) else ir.lt(cell, 0)
    found = _found_at(ctx, cell, node.left, binds)
    if isinstance(node.left, n.Name) and node.left.name == "wall" and _has_thin_walls(ctx):
        return ir.either(ir.eq(cell, THIN_WALL), found)
    return found


def _has_thin_walls(ctx: Context) -> bool:
    return any(level.barriers for level in ctx.world.levels)


def _at(ctx: Context, node: n.Relation, binds: bool) -> ir.Expr:
    """``K at CELL``: the thing of that kind in the cell; a bound thing or an agent is compared by its place."""
    place = cell_asked(ctx, node.right)
    if place is None:
        return ir.FALSE
    left = node.left
    if isinstance(left, n.KindName):
        is_bound = isinstance(ctx.scope.get(left.name), Ref) and not asks_for_any(ctx, left)
        if left.name != "self" and not is_bound and left.name in ctx.world.kinds:
            return _found_at(ctx, place, left, binds)
    ref = _left_thing(ctx, left)
    return ir.FALSE if ref is None else _is_in(ctx, ref, place)


def _is_in(ctx: Context, ref: Ref, cell: ir.Expr) -> ir.Expr:
    """Return whether a thing is in a cell; in none it is not, nor is one that is nowhere."""
    same = ir.eq(cell_of(ctx, ref), cell)
    return ir.both(ir.ge(cell, 0), same) if cell.low < 0 else same


def _has(ctx: Context, left: Ref, node: n.Relation, binds: bool) -> ir.Expr:
    """Return whether an agent, or an object that carries things, holds a thing; the thing is bound."""
    right = node.right
    bound = ctx.scope.get(right.name) if isinstance(right, n.Name) else None
    kind, attributes = _pattern_kind(ctx, right)
    if kind is None:
        return ir.FALSE
    if left.category == "tile" or kind.category != "object":
        ctx.error(
            "type",
            node.span,
            found=f"`{left.kind.name} has {kind.name}`",
            expected="an agent or an object that carries, and an object",
        )
        return ir.FALSE
    if left.category == "object" and left.kind.carries is None:
        help = f"say it: `object {left.kind.name}: carries 1`"
        ctx.error("carries-nothing", node.span, kind=left.kind.name, help=help)
        return ir.FALSE
    if isinstance(bound, Ref) and bound.category == "object":
        return held_by(ctx, left, bound.index)
    found, test = find_held(ctx, left, kind, attributes)
    if binds:
        bind_found(ctx, _name_of(right), found)
    return test


def held_by(ctx: Context, holder: Ref, thing: ir.Expr) -> ir.Expr:
    """Return whether this very object is held."""
    slot, most = hands_of(ctx, holder)
    if most == 1:
        return ir.both(ir.ge(holder.index, 0), ir.ge(thing, 0), ir.eq(ir.load(slot, holder.index), thing))
    held = ctx.variable("held", ir.FALSE, 0, 1)

    def body(inner: Context, slot: ir.Slot, place: ir.Expr) -> None:
        test = ir.both(ir.ge(thing, 0), ir.eq(ir.load(slot, place), thing))
        inner.block.extend(ir.when(test, [ir.Hit()]))

    each_hand(ctx, holder, body, ir.any_of(held))
    return ir.Local(held.name, "bool", 0, 1)


def find_held(ctx: Context, holder: Ref, kind: Kind, attributes: dict[str, Any]) -> tuple[Ref, ir.Expr]:
    """Return the first thing of a kind that a holder holds, and whether there is one."""
    writer = ctx.writer
    slot, most = hands_of(ctx, holder)
    if most == 1:
        load = ir.load(slot, holder.index)
        found = ctx.let(kind.name, ir.select(ir.ge(holder.index, 0), load, ir.const(-1)))
        ref = Ref(kind, found)
        test = ir.both(ir.ge(found, 0), ir.eq(ir.load(writer.object_slot("KIND"), found), kind.code))
        inner = ctx.inner(scope=ctx.scope)
        more = matches(inner, ref, attributes)
        return ref, nested_test(ctx, inner, test, more) if inner.block else ir.both(test, more)
    first = ctx.variable(kind.name, ir.const(-1), -1, writer.facts.capacity - 1)

    def body(inner: Context, slot: ir.Slot, place: ir.Expr) -> None:
        thing = inner.let("thing", ir.load(slot, place))
        test = ir.both(
            ir.ge(thing, 0),
            ir.eq(ir.load(writer.object_slot("KIND"), thing), kind.code),
        )
        deeper = inner.inner()
        more = matches(deeper, Ref(kind, thing), attributes)
        deeper.block.extend(ir.when(more, [ir.Hit(thing)]))
        inner.block.extend(ir.when(test, deeper.block))

    each_hand(ctx, holder, body, ir.first_of(first))
    return Ref(kind, first), ir.ge(first, 0)


def _within(ctx: Context, left: Ref, node: n.Relation, binds: bool) -> ir.Expr:
    here = ctx.let("here", cell_of(ctx, left))
    here_is = ir.ge(here, 0)
    right = node.right
    bound = ctx.scope.get(right.name) if isinstance(right, n.Name) else None
    is_kind = isinstance(right, n.KindName | n.Quantified) and _name_of(right) in ctx.world.kinds
    if bound is not None or not is_kind:
        place = place_of(ctx, right)
        if place is None:
            return ir.FALSE
        place = ctx.let("place", place)
        inner = ctx.inner(scope=ctx.scope)
        near = _near(inner, node, here, place)
        there = ir.both(ir.invert(_is_itself(ctx, left, right)), here_is, ir.ge(place, 0))
        if inner.block:
            return nested_test(ctx, inner, there, near)
        return ir.both(there, near)
    return _within_of_place(ctx, node, right, here, left, binds)


def _near(ctx: Context, node: n.Relation, here: ir.Expr, there: ir.Expr) -> ir.Expr:
    """Return whether two cells are as near as ``within`` says, and for ``sees`` nothing opaque is between them."""
    tests: list[ir.Expr] = []
    if node.distance is not None:
        most = evaluate_number(ctx, node.distance)
        if most is None:
            return ir.FALSE
        tests.append(ir.compare("<=", distance(ctx, here, there, "chebyshev"), most))
    if node.name == "sees":
        tests.append(in_sight(ctx, here, there))
    return ir.both(*tests)


def _within_of_place(
    ctx: Context, node: n.Relation, wanted: Any, here: ir.Expr, center: Ref | None, binds: bool
) -> ir.Expr:
    """Return whether a thing of the wanted kind, other than the one at the center, is near a place; it is bound."""
    world, writer = ctx.world, ctx.writer
    kind, attributes = _pattern_kind(ctx, wanted)
    if kind is None:
        return ir.FALSE
    here = ctx.let("here", here)
    found = ctx.variable(
        kind.name, ir.const(-1), -1, max(world.cells, writer.facts.capacity, len(world.agents))
    )

    def body(inner: Context, ref: Ref) -> None:
        there = inner.let("there", cell_of(inner, ref))
        test = matches(inner, ref, attributes)
        if center is not None and kind.category == center.category:
            test = ir.both(ir.ne(ref.index, center.index), test)
        if node.name == "sees":
            test = ir.both(ir.ge(here, 0), ir.ge(there, 0), test)
        asked = inner.inner(scope=inner.scope)
        near = _near(asked, node, here, there)
        test = (
            nested_test(inner, asked, test, near)
            if asked.block
            else ir.both(near, test)
            if node.name == "within"
            else ir.both(test, near)
        )
        inner.block.extend(ir.when(test, [ir.Hit(ref.index)]))

    for_each(ctx, kind, body, loop=ir.first_of(found))
    if binds:
        several = abundance(writer.facts, kind) if not attributes else 0
        bind_found(ctx, _name_of(wanted), Ref(kind, found), several)
    test: ir.Expr = ir.ge(found, 0)
    return ir.both(ir.ge(here, 0), test) if here.low < 0 else test


# all, any, no


def quantified_over(
    ctx: Context, quantified: n.Quantified, holds: Callable[[Context, Ref], ir.Expr], node: Any
) -> ir.Expr:
    """Return whether a relation holds for all, any or no thing of a kind."""
    kind, attributes = _pattern_kind(ctx, quantified.kind)
    if kind is None:
        return ir.FALSE
    every = quantified.quantifier == "all"
    negated = isinstance(node, n.Is) and node.negated
    result = ctx.variable("all_hold" if every else "any_holds", ir.const(every), 0, 1)

    def body(inner: Context, ref: Ref) -> None:
        inner.bind(kind.name, ref)
        test = holds(inner, ref)
        test = ir.invert(test) if negated else test
        if every:
            test = ir.either(ir.invert(matches(inner, ref, attributes)), test)
            inner.block.extend(ir.when(ir.invert(test), [ir.Hit()]))
        else:
            test = ir.both(matches(inner, ref, attributes), test)
            inner.block.extend(ir.when(test, [ir.Hit()]))

    for_each(ctx, kind, body, loop=ir.all_of(result) if every else ir.any_of(result))
    value = ir.Local(result.name, "bool", 0, 1)
    return ir.invert(value) if quantified.quantifier == "no" else value
