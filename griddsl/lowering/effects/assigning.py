"""Assigning: ``=``, ``+=``, ``-=`` and ``turn to``: variables, attributes and facings get other values."""

from __future__ import annotations

import re
from typing import Any

from griddsl.diagnostics import Help, did_you_mean, domain_around, write
from griddsl.lowering.clauses.attributes import attribute_expr, holder_of, set_attribute
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import (
    evaluate_as,
)
from griddsl.lowering.clauses.things import is_superlative, resolve_thing
from griddsl.lowering.clauses.unknown.names import is_unknown
from griddsl.lowering.clauses.unknown.values import of_a_value
from griddsl.lowering.clauses.whereabouts import is_still
from griddsl.lowering.effects.drawn.drawing import value_in
from griddsl.lowering.rules.performing import performs, subject_of, when_there
from griddsl.lowering.state.writer import Stored
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import of_some_agents
from griddsl.lowering.world.values import DIRECTION, NUMBER, Ref, Truths
from griddsl.lowering.world.world import domain_range, domain_type
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

COUNTED = frozenset({"step", "limit", "width", "height"})  # by the game itself


@performs(n.Assign, Traits(sets=lambda effect: effect.target, gives=lambda effect: effect.value))
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
        help = declared_meant(ctx, effect)
        ctx.error("unknown-name", effect.target.span, where=ctx.where, name=name, help=help)


def turned_sign(span: Span) -> Help | None:
    """Return how `NAME =+ 1` and `NAME =- 1` read as what is meant by them; None for other assignments."""
    turned = re.fullmatch(r"([^=]*[^=\s])\s*=(\+|-(?=\s))\s*(.+)", span.text)
    if turned is None:
        return None
    target, sign, value = turned.groups()
    return write(f"{target} {sign}= {value}", f": `={sign}` sets what is there to {sign}{value}", span)


def variable_of(ctx: Context, node: Any) -> Stored | None:
    """Return the variable that a clause names; None where it names none."""
    if isinstance(node, n.Name) and not isinstance(ctx.scope.get(node.name), Ref):
        return ctx.writer.variables.get(node.name)
    return None


def assign_variable(ctx: Context, variable: Stored, operator: str, node: Any, span: Span) -> None:
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
        )
        return
    low, high = domain_range(variable.domain)
    value = _new_value(
        ctx, value, ir.load(variable.slot), operator, variable.name, low, high, variable.type, node, span
    )
    if value is not None:
        ctx.emit(ir.Store(variable.slot, ir.const(0), value))


def assign_attribute(ctx: Context, target: n.Attribute, operator: str, node: Any, span: Span) -> None:
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
        help = help or f"declare it, as in `{declared}: {target.name} in {domain}`"
        if target.name in {"reward", "score", "points"} and ref.category == "agent":
            help = "a reward is given by `reward 1`"
        if target.name in {"x", "y", "cell", "position", "pos"}:
            name = to_text(target.owner)
            help = f"where it is, is changed by moving it: `move {name} east`, `move {name} to (0, 0)`"
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


def _set(ctx: Context, ref: Ref, target: n.Attribute, operator: str, node: Any, span: Span) -> None:
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


def _is_itself(ctx: Context, target: n.Attribute, node: Any) -> bool:
    """`lamp.lit = lit`: an attribute of true and false is set to its own name, which means nothing alone."""
    return isinstance(node, n.Name) and node.name == target.name and is_unknown(ctx, node.name)


def _word_set(kind: Kind, target: n.Attribute, node: Any, span: Span) -> str:
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
    type: Any,
    node: Any,
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
    if value.low > high or value.high < low:
        shown = f"{value.low:g}" if value.low == value.high else f"{value.low:g}..{value.high:g}"
        help: str = f"numbers stop at the ends of their range: write one from {low} to {high}"
        ctx.error(
            "never-in-range",
            node.span,
            name=name,
            domain=f"{low}..{high}",
            value=shown,
            help=turned_sign(span) or help,
        )
        return None
    return ir.clamp(value, low, high)


@performs(n.Turn, Traits())
def _turn(ctx: Context, effect: n.Turn) -> None:
    subject = subject_of(ctx, effect.span, "", f".facing = {to_text(effect.direction)}")
    if subject.category == "object":
        facing = n.Attribute(n.Name("self", effect.span), "facing", effect.span)
        assign_attribute(ctx, facing, "=", effect.direction, effect.span)
        return
    _face(ctx, subject, effect.direction, effect.span)


def _face(ctx: Context, ref: Ref, node: Any, span: Span) -> None:
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


# What was meant by what cannot be assigned


_SCORES = {"score", "points", "rewards", "return", "total", "reward_sum", "total_reward"}
_OVER = {"game", "episode", "done", "terminated", "finished", "game_over", "gameover", "over", "level"}
_OUTCOMES = {
    **dict.fromkeys(("win", "wins", "won", "success", "victory", "solved", "complete"), "success"),
    **dict.fromkeys(
        ("lose", "loses", "lost", "die", "dies", "dead", "died", "death", "failed", "killed"), "failure"
    ),
}


def declared_meant(ctx: Context, effect: n.Assign) -> str:
    """Say what an assignment to a name that nothing declares means: an end, a reward, a near variable, a new one."""
    name = getattr(effect.target, "name", "this")
    if name in _SCORES and effect.operator == "+=":
        return write(f"reward {to_text(effect.value)}", ", or declare it with `var`", place=effect.span)
    drawn = to_text(effect.value)
    if isinstance(effect.value, n.Random) and drawn.removeprefix("random ") in {*ctx.world.kinds, "free"}:
        return write(f"choose {name} in {drawn}", ": a cell is chosen", place=effect.span)
    if (chosen := _chosen_meant(effect)) is not None:
        return chosen
    if _is_thing(ctx, effect.value) and effect.operator == "=":
        return _let_meant(effect)
    help = _end_meant(effect) or did_you_mean(name, ctx.writer.variables)
    owners = [kind.name for kind in ctx.world.kinds.values() if name in kind.attributes]
    if owners and help is None:
        return (
            f"`{name}` is an attribute of `{owners[0]}`: `{owners[0]}.{name} {effect.operator} ...` sets it"
        )
    if help is None and _is_read_there_alone(ctx, effect):
        return _let_meant(effect)
    return help or f"declare it, as in `var {name}: 0 in 0..9`"


def _is_thing(ctx: Context, node: Any) -> bool:
    """Whether what is assigned is a thing, or a cell as a pair: no variable holds these."""
    if isinstance(node, n.Name):
        return node.name in ctx.world.kinds or isinstance(ctx.scope.get(node.name), Ref)
    return isinstance(node, n.Pattern | n.Other | n.Position) or is_superlative(ctx, node)


def _is_read_there_alone(ctx: Context, effect: n.Assign) -> bool:
    """Whether a name is given what is computed, and is read in that rule and in no other: a name for a value."""
    name = getattr(effect.target, "name", "")
    read = {
        number
        for number, rule in enumerate(ctx.world.spec.rules)
        for node in walk((rule.trigger, rule.condition, rule.effects))
        if isinstance(node, n.Name) and node.name == name and node.span != effect.target.span
    }
    computed = not isinstance(effect.value, n.Number | n.Truth | n.Name | n.Text | n.Random)
    again = any(isinstance(node, n.Name) and node.name == name for node in walk(effect.value))
    return effect.operator == "=" and computed and not again and len(read) == 1


def _let_meant(effect: n.Assign) -> Help:
    """Return that a name is given by `let`, to the end of its block."""
    return write(f"let {effect.span.text}", ": a name for it, to the end of the block", effect.span)


def shown(target: Any) -> str:
    """Return a name as it is written: one that a definition gives itself has another where it is carried out."""
    written = target.span.text
    return written if re.fullmatch(r"\w+", written) else str(target.name)


_SUMMED = r"\beach +(\w+(?: +in +[\w.()]+)?)(?: +where +([^:\n]+))? *:\s*{} *\+= *[^\n]*\Z"


def _given_once(name: str, effect: n.Assign) -> str:
    """Say what is meant by setting a name again that `let` gave: a variable, or a sum."""
    text = effect.span.source.text[: effect.span.end]
    given = list(re.finditer(rf"\blet +{name} *= *(-?\w+) *(?=[,#\n])", text))
    value = given[-1][1] if given else ""
    if not re.fullmatch(r"\d+|true|false", value):
        return "only variables change: declare one with `var`"
    declared = f"var {name}: {value}" + (f" in {domain_around(value)}" if value.isdigit() else "")
    help = f"a name is given once: declare `{declared}`, and leave `let` out"
    summed = re.search(_SUMMED.format(name), text)
    if effect.operator == "+=" and summed is not None:
        where = f" where {summed[2].strip()}" if summed[2] else ""
        help += (
            f"; or take the sum at once, `let {name} = sum({effect.value.span.text} for {summed[1]}{where})`"
        )
    return help


def set_meant(ctx: Context, effect: n.Assign) -> str:
    """Say what can be done to a kind, a parameter or a chosen name, which no value is set to."""
    name = getattr(effect.target, "name", "")
    kind = ctx.world.kinds.get(name)
    if kind is None and (meant := of_a_value(ctx, name, effect.target.span)) is not None:
        return meant
    if kind is None:
        return _given_once(shown(effect.target), effect)
    word = getattr(effect.value, "name", "")
    known = {word for attribute in kind.attributes.values() for word in attribute.domain.words}
    if word and effect.operator == "=" and (word in known or (word in ctx.world.kinds and word != name)):
        return write(f"{name} becomes {word}", place=effect.span)
    own = [each for each, attribute in kind.attributes.items() if attribute.domain.form == "int"]
    if len(own) == 1 and not word:
        return write(f"{name}.{own[0]} {effect.operator} {to_text(effect.value)}", place=effect.span)
    return (
        _end_meant(effect) or f"an attribute is set as in `{name}.NAME = VALUE`; any other value is a `var`"
    )


def _end_meant(effect: n.Assign) -> Help | None:
    """`game = over`, `done = true`, `agent = dead`: what says that the episode ends."""
    target, value = (getattr(node, "name", "") for node in (effect.target, effect.value))
    happens = getattr(effect.value, "value", True) not in {False}
    for word in (value, target):
        if word in _OUTCOMES and happens:
            return write(f"end {_OUTCOMES[word]}", place=effect.span)
    return write("end", place=effect.span) if target in _OVER and happens else None


def _chosen_meant(effect: n.Assign) -> Help | None:
    """`answer = choice(red, blue)`, `n = randint(1, 6)`: what is drawn gets its name by `choose`."""
    call, name = effect.value, getattr(effect.target, "name", "")
    if not isinstance(call, n.Call) or effect.operator != "=" or not call.arguments:
        return None
    given = [to_text(argument) for argument in call.arguments]
    if call.name in {"choice", "choose", "pick", "sample", "one_of", "random_choice"} and len(given) > 1:
        return write(f"choose {name} in {' | '.join(given)}", place=effect.span)
    if call.name in {"randint", "rand_int", "random_int", "dice", "randrange"} and len(given) == 2:
        return write(f"choose {name} in {given[0]}..{given[1]}", ": both ends count", effect.span)
    return None
