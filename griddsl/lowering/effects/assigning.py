"""Assigning: ``=``, ``+=``, ``-=`` and ``turn to``: variables, attributes and facings get other values."""

from __future__ import annotations

import re
from dataclasses import replace

from griddsl.diagnostics import Help, did_you_mean, write
from griddsl.lowering.clauses.attributes import attribute_expr, holder_of, report_out_of_range, set_attribute
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import (
    evaluate_as,
)
from griddsl.lowering.clauses.things import resolve_thing
from griddsl.lowering.clauses.unknown.names import is_unknown
from griddsl.lowering.clauses.whereabouts import is_still
from griddsl.lowering.effects.drawn.drawing import value_in
from griddsl.lowering.effects.unassigned import declared_meant, set_meant, shown
from griddsl.lowering.rules.performing import performs, subject_of, when_there
from griddsl.lowering.state.writer import Stored
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import of_some_agents
from griddsl.lowering.world.values import DIRECTION, NUMBER, Ref, Truths, ValueType
from griddsl.lowering.world.world import domain_range, domain_type
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import ONE_LEVEL
from griddsl.syntax.printer import to_text

COUNTED = frozenset({"step", "limit", "width", "height"})  # by the game itself


ASSIGN: Traits[n.Assign] = Traits(sets=lambda effect: effect.target, gives=lambda effect: effect.value)


@performs(n.Assign, ASSIGN)
def _assign(ctx: Context, effect: n.Assign) -> None:
    if isinstance(effect.target, n.Attribute):
        assign_attribute(ctx, effect.target, effect.operator, effect.value, effect.span)
        return
    variable = variable_of(ctx, effect.target)
    if variable is not None:
        assign_variable(ctx, variable, effect.operator, effect.value, effect.span)
        return
    name = getattr(effect.target, "name", None)
    if name is None or name in COUNTED:
        help = "the game counts it; what a rule sets is a `var`"
        if effect.target.span.through or name is None:
            help = "a definition stands for what it says, and its parameter for what a call gives: a `var` can be set"
        ctx.error(
            "type", effect.target.span, found=f"`{to_text(effect.target)}`", expected="a variable", help=help
        )
        return
    if name in ctx.scope or name in ctx.world.params or name in ctx.world.kinds:
        what = (
            "a parameter"
            if name in ctx.world.params
            else "a kind"
            if name in ctx.world.kinds
            else "a chosen name"
        )
        ctx.error(
            "type",
            effect.target.span,
            found=f"`{shown(effect.target)}`, {what},",
            expected="a variable",
            help=set_meant(ctx, effect),
        )
        return
    if name not in ctx.writer.notes.reported:
        if not any(name in kind.attributes for kind in ctx.world.kinds.values()):
            ctx.writer.notes.reported.add(name)  # once it is declared, what asks for it is right too
        help = ONE_LEVEL if name in {"level", "stage"} else declared_meant(ctx, effect)
        ctx.error("unknown-name", effect.target.span, where=ctx.where, name=name, help=help)


def turned_sign(span: Span) -> Help | None:
    """Return how `NAME =+ 1` and `NAME =- 1` read as what is meant by them; None for other assignments."""
    turned = re.fullmatch(r"([^=]*[^=\s])\s*=(\+|-(?=\s))\s*(.+)", span.text)
    if turned is None:
        return None
    target, sign, value = turned.groups()
    return write(f"{target} {sign}= {value}", f": `={sign}` sets what is there to {sign}{value}", span)


def variable_of(ctx: Context, node: n.Expression) -> Stored | None:
    """Return the variable that a clause names; None where it names none."""
    if isinstance(node, n.Name) and not isinstance(ctx.scope.get(node.name), Ref):
        return ctx.writer.variables.get(node.name)
    return None


def assign_variable(ctx: Context, variable: Stored, operator: str, node: n.Expression, span: Span) -> None:
    """Emit the assignment of a variable."""
    known = variable.domain is not None and operator == "="
    value = (
        value_in(ctx, node, variable.domain)
        if known and variable.domain is not None
        else evaluate_as(ctx, node, variable.type)
    )
    if value is None:
        return
    if variable.domain is None:
        ctx.error(
            "wrong-place",
            span,
            what=f"`{variable.name}`, a chosen name,",
            where="here: only variables change",
            help=f"declare `var {variable.name}: ...` instead, and let setup draw it: `{variable.name} = random`",
        )
        return
    low, high = domain_range(variable.domain)
    value = _new_value(
        ctx, value, ir.load(variable.slot), operator, variable.name, low, high, variable.type, node, span
    )
    if value is not None:
        ctx.emit(ir.Store(variable.slot, ir.const(0), value))


def assign_attribute(
    ctx: Context, target: n.Attribute, operator: str, node: n.Expression, span: Span
) -> None:
    """Emit the assignment of an attribute of a thing."""
    ref = resolve_thing(ctx, target.owner)
    if ref is None:
        return
    if ref.category == "agent" and target.name == "facing":
        _face(ctx, ref, node, span)
        return
    attribute = ref.kind.attributes.get(target.name)
    if attribute is None:
        help: str | None = did_you_mean(target.name, ref.kind.attributes)
        declared = ref.category if ref.kind.name == ref.category else f"{ref.category} {ref.kind.name}"
        domain = f"{node.name} | other" if isinstance(node, n.Name) else "0..9"
        if ctx.world.several and getattr(node, "name", "") in {"self", "agent", "other"}:
            domain = " | ".join(dict.fromkeys(("nobody", *(kind.name for kind in ctx.world.agents))))
        help = help or f"declare it, as in `{declared}: {target.name} in {domain}`"
        if target.name in {"reward", "score", "points"} and ref.category == "agent":
            to = f" to {to_text(target.owner)}" if ctx.world.several else ""
            help = f"a reward is given by `reward 1{to}`"
        if target.name == "facing":
            help = f"`{declared}: facing` gives it one"
        if target.name in {"x", "y", "cell", "position", "pos"}:
            name = to_text(target.owner)
            help = f"where it is, is changed by moving it: `move {name} east`, `move {name} to (0, 0)`"
        if target.name == "action" and ref.category == "agent":
            help = "what it does is settled: `cancel` keeps it from moving, and `move agent east` moves it instead"
        if target.name == "turn" and ref.category == "agent" and ctx.writer.facts.has_turns:
            help = "the turn passes by itself: `again` lets the one that acts have the next one, too"
        if target.name == "away" and ref.category == "agent" and ctx.world.several:
            sent = f"{to_text(target.owner)} out for {to_text(node)} steps"
            help = write(sent, ": that sends it away", span)
        if target.name in ctx.writer.variables:
            help = write(target.name, ": it is a variable of the game", place=target.span)
        elif holder_of(ref.kind, target.name) is not None and operator == "=":
            help = _word_set(ref.kind, target, node, span)
        if ref.category == "agent":
            help = of_some_agents(ctx.world.spec, target.name, target.span) or help
        ctx.error(
            "unknown-attribute",
            target.span.word(target.name),
            kind=ref.kind.name,
            name=target.name,
            help=help,
        )
        return
    if operator == "=" and attribute.domain.form == "bool" and _is_itself(ctx, target, node):
        ctx.error("unknown-name", node.span, where=ctx.where, name=target.name, help=write("true"))
        return
    if not isinstance(node, n.Random):
        _set(ctx, ref, target, operator, node, span)
        return

    def drawn(inner: Context, there: Ref) -> None:  # Nothing is drawn for what is gone.
        still = inner.inner()
        _set(still, there, target, operator, node, span)
        inner.block.extend(ir.when(is_still(inner, there), still.block))

    when_there(ctx, ref, drawn)


def _set(ctx: Context, ref: Ref, target: n.Attribute, operator: str, node: n.Expression, span: Span) -> None:
    """Emit that an attribute of a thing gets another value."""
    attribute = ref.kind.attributes[target.name]
    type = domain_type(attribute.domain)
    value = value_in(ctx, node, attribute.domain) if operator == "=" else evaluate_as(ctx, node, type)
    if value is None:
        return
    low, high = domain_range(attribute.domain)
    name = f"{ref.kind.name}.{target.name}"
    old = attribute_expr(ctx, ref, target.name)
    value = _new_value(ctx, value, old, operator, name, low, high, type, node, span)
    if value is not None:
        when_there(ctx, ref, lambda inner, there: set_if_still(inner, there, target.name, value))


def _is_itself(ctx: Context, target: n.Attribute, node: n.Expression) -> bool:
    """`lamp.lit = lit`: an attribute of true and false is set to its own name, which means nothing alone."""
    return isinstance(node, n.Name) and node.name == target.name and is_unknown(ctx, node.name)


def _word_set(kind: Kind, target: n.Attribute, node: n.Expression, span: Span) -> str:
    """`door.open = true`: one of the words of an attribute, which a thing becomes."""
    owner, word = to_text(target.owner), target.name
    holder = holder_of(kind, word)
    assert holder is not None
    others = [each for each in kind.attributes[holder].domain.words if each != word]
    said = to_text(node).lower()
    if said in {"true", "1", "yes", "on"}:
        return write(f"{owner} becomes {word}", place=span)
    if said in {"false", "0", "no", "off"} and len(others) == 1:
        return write(f"{owner} becomes {others[0]}", place=span)
    return (
        f"`{word}` is what `{kind.name}.{holder}` can be: `{owner} becomes {(others or [word])[0]}` sets it"
    )


def set_if_still(ctx: Context, ref: Ref, name: str, value: ir.Expr) -> None:
    """Emit the assignment of an attribute, unless what was named is gone or of another kind by now."""
    inner = ctx.inner()
    set_attribute(inner, ref, name, value)
    ctx.block.extend(ir.when(is_still(ctx, ref), inner.block))


def _new_value(
    ctx: Context,
    value: ir.Expr,
    old: ir.Expr,
    operator: str,
    name: str,
    low: int,
    high: int,
    type: ValueType,
    node: n.Expression,
    span: Span,
) -> ir.Expr | None:
    """Return what is stored: the operator applied, and numbers clamped into the domain."""
    if type != NUMBER:
        if operator != "=":
            ctx.error(
                "type", span, found=f"`{operator}`", expected="`=`, or `becomes`: only numbers are added"
            )
            return None
        return ir.as_number(value) if isinstance(type, Truths) else value
    if value.type == "real":
        ctx.error("fraction", node.span, name=name, help="use `div`, or whole numbers")
        return None
    if operator != "=":
        value = ir.add(old, value) if operator == "+=" else ir.sub(old, value)
    help = turned_sign(span) or f"numbers stop at the ends of their range: write one from {low} to {high}"
    if report_out_of_range(ctx, value, name, low, high, node.span, help):
        return None
    return ir.clamp(value, low, high)


@performs(n.Turn, Traits())
def _turn(ctx: Context, effect: n.Turn) -> None:
    line = ctx.scope.get(ctx.looped)
    if isinstance(line, Ref) and _faces(ctx, line):
        facing = n.Attribute(n.Name(ctx.looped, effect.span), "facing", effect.span)
        direction = effect.direction
        if effect.side is not None and isinstance(direction, n.Call):
            direction = replace(direction, arguments=(facing,))
        if line.category == "agent":
            _face(ctx, line, direction, effect.span)
        else:
            assign_attribute(ctx, facing, "=", direction, effect.span)
        return
    subject = subject_of(ctx, effect.span, "", f".facing = {to_text(effect.direction)}")
    if subject.category == "object":
        facing = n.Attribute(n.Name("self", effect.span), "facing", effect.span)
        assign_attribute(ctx, facing, "=", effect.direction, effect.span)
        return
    _face(ctx, subject, effect.direction, effect.span)


def _faces(ctx: Context, ref: Ref) -> bool:
    """Whether what a loop goes through faces somewhere: then to turn is about it, and else about the subject."""
    if ref.category == "agent":
        return ctx.writer.facts.has_facing
    return all("facing" in kind.attributes for kind in (ref.kind, *ref.others))


def _face(ctx: Context, ref: Ref, node: n.Expression, span: Span) -> None:
    """Emit that an agent faces another way, whoever it is that the rule speaks of."""
    if not ctx.writer.facts.has_facing:
        ctx.error(
            "no-facing",
            span,
            help="the actions `turn_left`, `turn_right` and `forward` bring one, or `agent: facing`",
        )
        return

    def turned(inner: Context, there: Ref) -> None:
        direction = evaluate_as(inner, node, DIRECTION)
        if direction is not None:
            inner.emit(ir.Store(ctx.writer.facing, there.index, direction))

    when_there(ctx, ref, turned)
