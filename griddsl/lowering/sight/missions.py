"""Missions: what depends on the game is a part of the state, which every reset and every step writes last.

So a mission is told alike by all that can read a state: a name in its braces is a slot and the words for its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from griddsl.lowering.clauses.context import Context, new_function
from griddsl.lowering.clauses.meaning import condition, evaluate, names_of
from griddsl.lowering.clauses.whereabouts import agent_ref
from griddsl.lowering.state.writer import TELL, Stored, Writer
from griddsl.lowering.world.missions import report_untold
from griddsl.lowering.world.values import TRUTH, Texts, Value
from griddsl.program import ir, keys
from griddsl.program.words import in_words
from griddsl.spec.missions import told
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

MOST_NUMBERS = 1_000
_BRACES = re.compile(r"\{([^{}]*)\}")


def define_told(writer: Writer) -> None:
    """Define ``tell``, which writes what the mission says now, where that depends on the game."""
    spec = writer.world.spec
    writer.mission = spec.mission
    if not spec.tellings or spec.mission is None:
        return
    ctx = new_function(writer, "observe", "`mission`")
    if not writer.world.several:
        ctx.self_ref = agent_ref(ctx, ir.const(0))
    texts: dict[str, str] = {}
    for number, nested in _inner_first(spec.tellings):
        node = _in_a_row(nested)
        decided = _decided(ctx, node)
        if decided is not None:
            texts[told(number)] = _BRACES.sub(lambda match: texts.get(match.group(1), match.group()), decided)
            continue
        pieces = list(_pieces(ctx, node, texts))
        texts[told(number)] = "".join(_kept(ctx, number, place, piece) for place, piece in enumerate(pieces))
    writer.mission = _BRACES.sub(lambda match: texts.get(match.group(1), match.group()), spec.mission)
    if ctx.block:
        writer.functions[TELL] = ir.function(TELL, (), ctx.block, "Write what the mission says now.")


def _inner_first(tellings: Sequence[n.Expression]) -> list[tuple[int, n.Expression]]:
    """Return the parts of a mission by number, what a text has in its braces before that text."""
    found: dict[int, n.Expression] = {}

    def take(number: int) -> None:
        for node in walk(tellings[number - 1]):
            for name in _BRACES.findall(node.value) if isinstance(node, n.Text) else ():
                inner = next((each for each in range(1, len(tellings) + 1) if told(each) == name), number)
                if inner != number and inner not in found:
                    take(inner)
        found[number] = tellings[number - 1]

    for number in range(1, len(tellings) + 1):
        if number not in found:
            take(number)
    return list(found.items())


def _in_a_row(node: n.Expression) -> n.Expression:
    """Return alternatives whose first is no alternatives again: what is said in one case stands by itself."""
    if not isinstance(node, n.IfElse):
        return node
    if not isinstance(node.then, n.IfElse):
        return replace(node, otherwise=_in_a_row(node.otherwise))
    both = n.Logic("and", (node.test, node.then.test), node.test.span)
    rest = replace(node, then=node.then.otherwise)
    return _in_a_row(n.IfElse(both, node.then.then, rest, node.span))


_Piece = tuple[tuple[str, ...], ir.Expr]


def _kept(ctx: Context, number: int, place: int, piece: _Piece) -> str:
    """Emit that a piece is written to a slot of its own; return what stands for it in the mission."""
    writer, (texts, code) = ctx.writer, piece
    name = f"told_{number}_{place + 1}__"
    slot = writer.slot((keys.TOLD, number, place), 1, 0, len(texts) - 1)
    writer.variables[name] = Stored(name, slot, Texts(texts), None, writer.world.spec.place("mission"))
    ctx.emit(ir.Store(slot, ir.const(0), code))
    return "{" + name + "}"


def _decided(ctx: Context, node: n.Expression) -> str | None:
    """Return the alternative that parameters decide for, which no state needs to keep; None where the game decides."""
    if not isinstance(node, n.IfElse):
        return None
    while isinstance(node, n.IfElse):
        if any(isinstance(part, n.Name) and part.name not in ctx.world.params for part in walk(node.test)):
            return None
        test = condition(ctx, node.test)
        if not isinstance(test, ir.Const):
            return None
        if test.value:
            return _text_of(ctx, node.then)
        node = node.otherwise
    return _text_of(ctx, node)


def _pieces(ctx: Context, node: n.Expression, known: dict[str, str]) -> Iterator[_Piece]:
    """Yield the texts that a part of the mission is put together of, each with the number of the one it is now."""
    if not isinstance(node, n.IfElse):
        value = evaluate(ctx, node)
        yield from _told_value(ctx, node, value)
        return
    alternatives: list[str] = []
    tests: list[ir.Expr] = []
    rest: n.Expression = node
    while isinstance(rest, n.IfElse):
        alternatives.append(_text_of(ctx, rest.then))
        tests.append(condition(ctx, rest.test))
        rest = rest.otherwise
    alternatives.append(_text_of(ctx, rest))
    which: ir.Expr = ir.const(len(tests))
    for place in reversed(range(len(tests))):
        which = ir.select(tests[place], ir.const(place), which)
    which = ctx.let("which", which)
    whole = [
        _BRACES.sub(lambda match: known.get(match.group(1), match.group()), each) for each in alternatives
    ]
    if not any("{" in each for each in whole):
        yield tuple(whole), which
        return
    for place, text in enumerate(whole):
        is_now = ir.eq(which, place)
        for at, part in enumerate(_BRACES.split(text)):
            if at % 2 == 0:
                if part:
                    yield ("", part), ir.select(is_now, ir.const(1), ir.const(0))
                continue
            value = _named(ctx, part)
            for texts, code in _told_value(ctx, n.Name(part, node.span), value) if value is not None else ():
                yield ("", *texts), ir.select(is_now, ir.add(code, ir.const(1)), ir.const(0))


def _named(ctx: Context, name: str) -> Value | None:
    """Return the value of a name in braces: of a variable, a chosen name, or a parameter."""
    stored = ctx.writer.variables.get(name)
    if stored is not None:
        return stored.value()
    if name in ctx.world.params:
        return Value(Texts((in_words(ctx.world.params[name]),)), ir.const(0))
    known = {*ctx.writer.variables, *ctx.world.params}
    report_untold(ctx.world, name, (ctx.world.spec.place("mission"), "`mission`"), known, ctx.report)
    return None


def _told_value(ctx: Context, node: n.Expression, value: Value | None) -> Iterator[_Piece]:
    if value is None:
        return
    names = names_of(value.type)
    expr = value.expr
    if names:
        yield names, expr
    elif value.type == TRUTH:
        yield ("false", "true"), ir.as_number(expr)
    elif expr.type == "int" and expr.high - expr.low < MOST_NUMBERS:
        low, high = int(expr.low), int(expr.high)
        yield tuple(map(str, range(low, high + 1))), ir.sub(expr, ir.const(low))
    else:
        ctx.error(
            "type",
            node.span,
            found="a number of any size",
            expected=f"a word, or one of {MOST_NUMBERS:,} numbers",
        )


def _text_of(ctx: Context, node: n.Expression) -> str:
    if isinstance(node, n.Text):
        return node.value
    if isinstance(node, n.Name) and node.name in ctx.writer.variables:
        return "{" + node.name + "}"
    help = "what a mission says in either case stands in double quotes"
    ctx.error("type", node.span, found="this", expected="a text", help=help)
    return ""
