"""Being: ``is`` and ``is not``, of what a thing is, which thing it is, and what a value is."""

from __future__ import annotations

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.attributes import CHOSEN_ONCE, IN_CONDITIONS, attribute_expr, holder_of
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import (
    converted,
    decides,
    evaluate,
    evaluate_as,
    joint_type,
    names_of,
)
from griddsl.lowering.clauses.things import is_other, is_superlative, resolve_thing
from griddsl.lowering.clauses.unknown.names import is_unknown
from griddsl.lowering.clauses.unknown.values import whether_there
from griddsl.lowering.clauses.whereabouts import is_still, kind_code_of
from griddsl.lowering.conditions.comparing import asks_for_place
from griddsl.lowering.conditions.finding import quantified_over
from griddsl.lowering.facts.abundance import may_be_several
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import one_of_many
from griddsl.lowering.world.values import (
    Cells,
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

_NOTHING = {"none", "nothing", "null", "empty", "nobody"}


@decides(n.Is)
def _is(ctx: Context, node: n.Is, _: bool) -> ir.Expr:
    if isinstance(node.right, n.Random):
        ctx.error("wrong-place", node.right.span, what="`random`", where=IN_CONDITIONS, help=CHOSEN_ONCE)
        return ir.FALSE
    if isinstance(node.left, n.Quantified):
        return quantified_over(ctx, node.left, lambda inner, ref: _thing_is(inner, ref, node), node)
    if _is_elsewhere(ctx, node):
        return ir.FALSE
    thing = _thing_named(ctx, node.left)
    if thing is not None:
        test = _thing_is(ctx, thing, node)
        if thing.index.low < 0:
            test = ir.both(ir.ge(thing.index, 0), test)
    elif _is_word_of_a_kind(ctx, node):
        return ir.FALSE  # that the kind could be any of several was said
    else:
        test = _value_is(ctx, node)
    return ir.invert(test) if node.negated else test


def _is_word_of_a_kind(ctx: Context, node: n.Is) -> bool:
    """Whether `coin is shiny` asks a kind for one of its own words."""
    kind = ctx.world.kinds.get(node.left.name) if isinstance(node.left, n.Name | n.Pattern) else None
    if kind is None or not isinstance(node.right, n.Name) or _has_value(ctx, kind.name):
        return False
    word, attributes = node.right.name, kind.attributes
    return word in attributes or any(word in each.domain.words for each in attributes.values())


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


def _thing_named(ctx: Context, node: n.Expression) -> Ref | None:
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


def _none_there(ctx: Context, node: n.Is) -> Help | None:
    """Return what `(the gem at c) is none` asks, and `next is none` of what `let` named: whether there is none."""
    if getattr(node.right, "name", "") not in _NOTHING:
        return None
    if isinstance(node.left, n.Name) and isinstance(ctx.scope.get(node.left.name), Ref):
        return whether_there(node.left.name, not node.negated, node.span)
    if not isinstance(node.left, n.There):
        return None
    asked = to_text(node.left).removeprefix("the ")
    return write(asked if node.negated else f"no {asked}", place=node.span)


def _very_thing(ctx: Context, ref: Ref, named: Ref, right: n.Name) -> ir.Expr:
    """Return whether a thing is the one that a name was given to: by `as`, or because the rule speaks of it."""
    if right.name in ctx.world.kinds:
        found = resolve_thing(ctx, right)
        if found is None:
            return ir.FALSE
        both_there = ir.both(is_still(ctx, ref), is_still(ctx, found))
    else:
        both_there = ir.TRUE
    same = named.category == ref.category
    return ir.both(ir.ge(ref.index, 0), ir.eq(ref.index, named.index), both_there) if same else ir.FALSE


def _thing_is(ctx: Context, ref: Ref, node: n.Is) -> ir.Expr:
    right = node.right
    if isinstance(right, n.Name):
        named = resolve_thing(ctx, right) if right.name == "self" else ctx.scope.get(right.name)
        if isinstance(named, Ref):
            return _very_thing(ctx, ref, named, right)
        if right.name == "self":
            return ir.FALSE
        test = None if right.name in ctx.scope else _is_word(ctx, ref, node, right)
        if test is not None:
            return test
    value = evaluate(ctx, right)
    return ir.FALSE if value is None else _is_worth(ctx, ref, node, value)


def _is_word(ctx: Context, ref: Ref, node: n.Is, right: n.Name) -> ir.Expr | None:
    """Return whether a thing is what a word says: a value of an attribute, or a kind; None where it has a value."""
    holders = [name for name, a in ref.kind.attributes.items() if right.name in a.domain.words]
    if len(holders) > 1:
        asked = " or ".join(f"`{ref.kind.name}.{name} is {right.name}`" for name in holders)
        help = f"say which: {asked}"
        ctx.error("ambiguous", right.span, name=right.name, count=len(holders), help=help)
        return ir.FALSE
    for name, attribute in ref.kind.attributes.items():
        if right.name in attribute.domain.words:
            code = attribute.domain.words.index(right.name)
            return ir.both(is_still(ctx, ref), ir.eq(attribute_expr(ctx, ref, name), code))
        if attribute.domain.form == "bool" and right.name == name:
            return ir.both(is_still(ctx, ref), attribute_expr(ctx, ref, name))
    kind = ctx.world.kinds.get(right.name)
    if kind is not None:
        return ir.eq(kind_code_of(ctx, ref), kind.code)
    if right.name in ctx.writer.notes.reported:
        return ir.FALSE  # that it means nothing was said where it was given
    if _has_value(ctx, right.name):
        return None
    words = [word for a in ref.kind.attributes.values() for word in a.domain.words]
    meant = (
        _none_there(ctx, node)
        or _negated(ref.kind, right)
        or one_of_many(ctx.world.agent_names, ctx.world.kinds, right.name)
        or _held(ref.kind, node)
        or did_you_mean(right.name, [*words, *ctx.world.kinds])
    )
    of = f"what `{ref.kind.name}` can be"
    ctx.error("unknown-word", right.span, word=right.name, of=of, help=meant or _states(ref.kind))
    return ir.FALSE


def _is_worth(ctx: Context, ref: Ref, node: n.Is, value: Value) -> ir.Expr:
    """Return whether a thing is of the kind, or has the word, that a value is."""
    if isinstance(value.type, Kinds):
        codes = [ctx.world.kinds[name].code for name in value.type.kinds]
        kind_code = ir.lookup(ctx.writer.table(("KINDS", *codes), codes), value.expr)
        return ir.eq(kind_code_of(ctx, ref), kind_code)
    words = value.type.words if isinstance(value.type, Words) else ()
    for name, attribute in ref.kind.attributes.items():
        type = domain_type(attribute.domain)
        if words and isinstance(type, Words) and set(words) <= set(type.words):
            code = converted(ctx, value, type, node.right.span)
            if code is None:
                return ir.FALSE
            return ir.both(is_still(ctx, ref), ir.eq(attribute_expr(ctx, ref, name), code))
    expected = f"a word of `{ref.kind.name}` or a kind"
    help = _asked_otherwise(ref, node, value) or _state_meant(ref.kind, node, value)
    ctx.error("type", node.right.span, found=str(value.type), expected=expected, help=help)
    return ir.FALSE


def _asked_otherwise(ref: Ref, node: n.Is, value: Value) -> str | None:
    """`coin is 3`, `coin is (1, 2)`: its only number is compared, and a cell stands behind `at`."""
    if not isinstance(node.left, n.Name):
        return None
    numbers = [name for name, each in ref.kind.attributes.items() if each.domain.form == "int"]
    if isinstance(value.type, Numbers) and len(numbers) == 1:
        sign = "!=" if node.negated else "=="
        return write(f"{node.left.name}.{numbers[0]} {sign} {to_text(node.right)}", place=node.span)
    if isinstance(value.type, Cells):
        negated = "not " if node.negated else ""
        return write(f"{negated}{node.left.name} at {to_text(node.right)}", place=node.span)
    return None


def _state_meant(kind: Kind, node: n.Is, value: Value) -> str | None:
    """`door is "open"`, `lamp is true`: a word without quotes, and what can be asked with `is`."""
    right = node.right
    if isinstance(right, n.Text) and holder_of(kind, right.value) is not None:
        return Help("a word stands without quotes", (right.value,), place=right.span)
    truths = [name for name, each in kind.attributes.items() if each.domain.form == "bool"]
    if isinstance(right, n.Truth) and len(truths) == 1:
        owner, negated = to_text(node.left), node.negated == right.value
        return write(f"{owner} is {'not ' if negated else ''}{truths[0]}", place=node.span)
    return _states(kind) if isinstance(value.type, Truths | Texts) else None


def _has_value(ctx: Context, name: str) -> bool:
    return name in ctx.writer.variables or name in ctx.world.params


def _of_its_domain(ctx: Context, node: n.Expression, value: Value) -> Value:
    """Return a parameter's word as one of all that it could be; any other value as it is."""
    if not isinstance(node, n.Name) or node.name not in ctx.world.params or node.name in ctx.scope:
        return value
    if not isinstance(value.type, Words):
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
    if isinstance(left.type, Cells) and isinstance(node.right, n.Name) and node.right.name not in ctx.scope:
        kind = ctx.world.kinds.get(node.right.name)
        if kind is not None and kind.category == "tile":
            return _ground_is(ctx, left.expr, kind, node)
        if kind is not None and kind.category == "object" and may_be_several(ctx.writer.facts, kind):
            return _asks_at(ctx, kind, node, "one of several things")
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


def _ground_is(ctx: Context, cell: ir.Expr, kind: Kind, node: n.Is) -> ir.Expr:
    """Return whether a tile that `as` named is of a kind of ground now; of other cells `at` asks what is there."""
    spec = ctx.world.spec
    effects = n.walk(spec.blocks)
    names = {each.alias for each in effects if isinstance(each, n.Place)}
    if isinstance(node.left, n.Name) and node.left.name in names:
        return ir.eq(kind_code_of(ctx, Ref(kind, cell)), kind.code)
    return _asks_at(ctx, kind, node, "a kind of ground")


def _asks_at(ctx: Context, kind: Kind, node: n.Is, what: str) -> ir.Expr:
    """Report a cell that is compared with what may be in it."""
    asked = f"{kind.name} at {to_text(node.left)}"
    help = write(f"not {asked}" if node.negated else asked)
    ctx.error("type", node.span, found=f"a comparison of a cell with {what}", expected="`at`", help=help)
    return ir.FALSE


def _negated(kind: Kind, right: n.Name) -> Help | None:
    """Return what says the contrary of a property: `lamp is not lit` for `lamp is unlit`."""
    for name, attribute in kind.attributes.items():
        if attribute.domain.form == "bool" and right.name in {
            f"{part}{name}" for part in ("un", "not_", "non", "dis")
        }:
            return Help(f"write `{kind.name} is not {name}`", (f"not {name}",), place=right.span)
    return None


_TAKEN = frozenset({"held", "carried", "taken", "picked", "holding", "owned"})
_FILLED = frozenset({"empty", "full"})
_GONE = frozenset(
    {"collected", "gone", "removed", "eaten", "destroyed", "dead", "left", "there", "here", "alive"}
)


def _held(kind: Kind, node: n.Is) -> str | None:
    """`key is held`, `coin is gone`: whether somebody has it, and whether there is one."""
    word = getattr(node.right, "name", "")
    if not isinstance(node.left, n.Name):
        return None
    if kind.category == "agent" and word == "other":
        return write(f"{node.left.name} is {'' if node.negated else 'not '}self", place=node.span)
    if word in _FILLED and (kind.category == "agent" or kind.carries):
        most = f"count(object in {node.left.name}) {'<' if node.negated else '=='} {kind.carries or 1}"
        asked = f"{'' if node.negated else 'not '}{node.left.name} has object"
        return write(most if word == "full" else asked, place=node.span)
    if kind.category == "agent" and word in {"away", "out", "gone", "dead", "alive"}:
        is_gone = (word != "alive") != node.negated
        asked = f"no {kind.name} left" if is_gone else f"count({kind.name}) > 0"
        away = f"{node.left.name}.away {'>' if is_gone else '=='} 0"
        return write(away if word == "away" else asked, place=node.span)
    if kind.category != "object":
        return None
    if word in _TAKEN:
        return write(f"{'not ' if node.negated else ''}agent has {kind.name}", place=node.span)
    if word in _GONE:
        is_gone = (word not in {"left", "there", "here", "alive"}) != node.negated
        return write(f"no {kind.name} left" if is_gone else f"count({kind.name}) > 0", place=node.span)
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
