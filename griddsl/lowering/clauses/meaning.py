"""Meaning: what a node is worth. The parts of this room each teach it the nodes that they know.

Expressions hold conditions and conditions hold expressions, and both hold cells; so none of the parts imports
another for that, but asks here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar, overload

from griddsl.compass import ARROWS
from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.constants import is_exact
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.values import named_there, none_left, number_given
from griddsl.lowering.clauses.unknown.ways import words_and_numbers
from griddsl.lowering.state.writer import Asked
from griddsl.lowering.world.values import (
    CELL,
    DIRECTION,
    NUMBER,
    TRUTH,
    Cells,
    Kinds,
    Numbers,
    Texts,
    Truths,
    Value,
    ValueType,
    Words,
)
from griddsl.program import ir
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

_Node = TypeVar("_Node", bound=n.Node)
Reader: TypeAlias = Callable[[Context, _Node, ValueType | None], Value | None]
Test: TypeAlias = Callable[[Context, _Node, bool], ir.Expr]
_ASKING = (n.Is, n.Compare, n.Not, n.Name, n.Attribute)  # what other conditions may rule out
# By the type of the nodes that each is of.
_READERS: dict[type, Reader[Any]] = {}
_TESTS: dict[type, Test[Any]] = {}
_FINDING: dict[type, Test[Any]] = {}  # of nodes that may be values as well


@overload
def reads(type: type[_Node], /) -> Callable[[Reader[_Node]], Reader[_Node]]: ...


@overload
def reads(*types: type[n.Node]) -> Callable[[Reader[_Node]], Reader[_Node]]: ...


def reads(*types: type[n.Node]) -> Callable[[Reader[_Node]], Reader[_Node]]:
    """Let a function read nodes of these types as values: ``(context, node, expected) -> value``."""

    def register(reader: Reader[_Node]) -> Reader[_Node]:
        _READERS.update(dict.fromkeys(types, reader))
        return reader

    return register


def decides(type: type[_Node], always: bool = True) -> Callable[[Test[_Node]], Test[_Node]]:
    """Let a function decide nodes of a type as conditions: ``(context, node, binds) -> expression``.

    Without ``always`` such nodes may be values as well, and are decided so only where what they find is to be named.
    """

    def register(test: Test[_Node]) -> Test[_Node]:
        (_TESTS if always else _FINDING)[type] = test
        return test

    return register


def evaluate(ctx: Context, node: n.Expression, expected: ValueType | None = None) -> Value | None:
    """Return the value of an expression; None, with a diagnostic, where it has none.

    ``expected`` says which words a bare word may be; `evaluate_as` also insists on it.
    """
    with ctx.clause(node.span):
        return _evaluated(ctx, node, expected)


def _evaluated(ctx: Context, node: n.Expression, expected: ValueType | None) -> Value | None:
    if isinstance(node, n.Quantified) and expected == CELL:
        _no_cell(ctx, node)
        return None
    if type(node) in _TESTS:
        return Value(TRUTH, condition(ctx, node))
    if type(node) in _READERS:
        return _READERS[type(node)](ctx, node, expected)
    ctx.error("type", node.span, found="this", expected="a value")
    return None


def _no_cell(ctx: Context, node: n.Quantified) -> None:
    """Report `go to any pond`: which of the cells is meant, nobody says."""
    kind = ctx.world.kinds.get(getattr(node.kind, "name", ""))
    help: str | None = None
    if kind is not None and kind.category == "tile" and node.quantifier == "any":
        help = write(f"random {to_text(node.kind)}", ": one of them is drawn")
    elif kind is not None and kind.category == "object":
        help = f"draw one and name it: `choose one in {to_text(node.kind)}`, then `one`"
    ctx.error("type", node.span, found=f"`{to_text(node)}`", expected="a cell", help=help)


def odd(*tests: ir.Expr) -> ir.Expr:
    """Return whether an odd number of conditions holds: `a xor b`."""
    found, *others = tests
    for test in others:
        found = ir.ne(ir.as_number(found), ir.as_number(test))
    return found


def condition(ctx: Context, node: n.Expression, binds: bool = False) -> ir.Expr:
    """Return whether a condition holds; with ``binds``, what it finds is bound in the context's scope.

    The context then goes on where it holds, and knows what it says.
    """
    with ctx.clause(node.span):
        test = _decided(ctx, node, binds)
    ctx.writer.notes.settle(node, test)
    if isinstance(node, _ASKING):
        ctx.writer.notes.ask(node, Asked(test, ctx.known, ctx.places))
    if binds and not isinstance(node, n.Logic | n.ByChance):
        ctx.learn(test, True, node)
    return test


def _decided(ctx: Context, node: n.Expression, binds: bool) -> ir.Expr:
    if type(node) in _TESTS:
        return _TESTS[type(node)](ctx, node, binds)
    if binds and type(node) in _FINDING:
        return _FINDING[type(node)](ctx, node, binds)
    worth = evaluate(ctx, node, TRUTH)
    if worth is None:
        return ir.FALSE
    if not isinstance(worth.type, Truths):
        help = _condition_meant(ctx, node, worth)
        ctx.error("type", node.span, found=str(worth.type), expected="a condition", help=help)
        return ir.FALSE
    return worth.expr


def _pattern_asked(node: n.Pattern, text: str, is_in_cells: bool) -> Help:
    """Return what `ball(number=1)` asks where it stands as a condition: whether there is one."""
    if is_in_cells:
        return write(f"{text} at here", ", which asks it of the cell that is looked at", node.span)
    before = re.search(r"\bnot\s+\Z", node.span.source.text[: node.span.start])
    if before is None:
        return write(f"count({text}) > 0", ", which asks whether there is one", node.span)
    whole = Span(node.span.source, before.start(), node.span.end, node.span.through)
    return write(f"no {text} left", ", which asks whether there is none", whole)


def _condition_meant(ctx: Context, node: n.Expression, worth: Value) -> str | None:
    """Return what is asked of a value that is no condition."""
    text = to_text(node)
    if isinstance(node, n.There):
        return write(text.removeprefix("the "), place=node.span)
    if isinstance(worth.type, Kinds | Cells) and isinstance(node, n.Name):
        kind = ctx.world.kinds.get(node.name)
        if kind is None or kind.category == "agent":
            is_own = kind is not None and isinstance(worth.type, Kinds)
            return _each_with_its_own(node) if is_own else named_there(ctx, node)
        if "here" in ctx.scope:
            return write(f"{node.name} at here", ", which asks it of the cell that is looked at", node.span)
        if (none := none_left(kind, node.span)) is not None:
            return none
        place = f"agent on {node.name}"
        if kind.category != "object":
            return Help(f"say where: `{place}` or `{node.name} ahead`", (place,))
        held, there = f"agent has {node.name}", f"count({node.name}) > 0"
        where = f"say where: `{place}`, `{held}` or `{node.name} ahead`"
        return Help(f"{where}; `{there}` asks whether there is one", (place, held, there))
    if isinstance(node, n.Pattern) and isinstance(worth.type, Cells) and node.name in ctx.world.kinds:
        return _pattern_asked(node, text, "here" in ctx.scope)
    if isinstance(node, n.Number):
        return "`or` joins conditions, each with both of its sides: `n == 3 or n == 4`"
    first = re.search(r"(\w+ at )\([^\n:]*\bor\s+\Z", node.span.source.text[: node.span.start])
    if isinstance(node, n.Position) and first is not None:
        return write(f"{first[1]}{text}", ": `or` joins conditions, each with both of its sides", node.span)
    if isinstance(worth.type, Numbers):
        if isinstance(worth.expr, ir.Const) and 0 < worth.expr.value < 1:
            return f"a chance stands in a rule's head, as in `each step with chance {text}: ...`; `choose` draws a name"
        return write(f"{text} > 0" if isinstance(node, n.Name | n.Attribute | n.Call) else f"({text}) > 0")
    if isinstance(worth.type, Words) and isinstance(node, n.Name | n.Attribute):
        return f"say which it is, as in `{text} is {worth.type.words[0]}`"
    return None


def _each_with_its_own(node: n.Name) -> Help | None:
    """`red or blue on goal`: each of what `or` and `and` join names what is asked of it."""
    behind = node.span.source.text[node.span.end : node.span.end + 200]
    said = re.match(
        r"\s+(?:or|and)\s+\w+((?:\s+(?:on|at|has|within|sees)\s+(?:\([^()\n]*\)|[\w.]+))|\s+ahead)", behind
    )
    if said is None:
        return None
    return write(f"{node.name}{said[1]}", ": conditions are joined, each with both of its sides", node.span)


def evaluate_as(ctx: Context, node: n.Expression, expected: ValueType) -> ir.Expr | None:
    """Return the value of an expression as one of the expected type; words become codes of its domain."""
    value = evaluate(ctx, node, expected)
    return None if value is None else converted(ctx, value, expected, node.span)


def evaluate_number(ctx: Context, node: n.Expression) -> ir.Expr | None:
    """Return the value of an expression that must be a number."""
    return evaluate_as(ctx, node, NUMBER)


def evaluate_whole(ctx: Context, node: n.Expression) -> ir.Expr | None:
    """Return the value of an expression that must be a whole number."""
    value = evaluate_number(ctx, node)
    if value is None or value.type == "int":
        return value
    ctx.error(
        "type",
        node.span,
        found="a fraction",
        expected="a whole number",
        help="use `div`, or a whole parameter",
    )
    return None


def evaluate_chance(ctx: Context, node: n.Expression) -> ir.Expr | None:
    """Return a chance, checked to lie between 0 and 1 where it is constant."""
    value = evaluate_number(ctx, node)
    if isinstance(value, ir.Const) and not 0 <= value.value <= 1:
        shown = node.text if isinstance(node, n.Number) else float(value.value)
        help: str = "a chance is a number from 0 to 1: `0.2`, `1/3` or `20%`"
        if isinstance(node, n.Number) and node.value in range(2, 101) and "%" not in node.text:
            help = Help(f"{help}; did you mean `{node.text}%`?", (f"{node.text}%",))
        ctx.error("bad-chance", node.span, value=shown, help=help)
        return ir.const(0)
    if value is not None and value.type == "int" and (value.high > 1 or value.low < 0):
        shown = f"{end_of_range(value.low)}..{end_of_range(value.high)}"
        help = f"divide it by its largest value: `{to_text(node)} / {end_of_range(value.high)}`"
        ctx.error("bad-chance", node.span, value=shown, help=help)
        return None
    if isinstance(value, ir.Const) and not is_exact(ctx, node):
        name = ctx.names.fresh("chance")  # known, but no constant: drawn as what the game decides
        ctx.emit(ir.Let(name, ir.rounded(value)))
        return ir.Local(name, "real", float(value.value), float(value.value))
    return value


def end_of_range(value: float) -> str:
    """Return an end of a range as messages show it; ``any`` where it has none."""
    return f"{value:g}" if abs(value) < ir.UNBOUNDED else ("-" if value < 0 else "") + "any"


def drawn(ctx: Context, chance: ir.Expr) -> ir.Expr:
    """Return a condition that holds with a chance; a constant one is drawn by whole numbers, exactly."""
    if isinstance(chance, ir.Const):
        exact = (
            Fraction(chance.value)
            if not isinstance(chance.value, float)
            else Fraction(chance.value).limit_denominator(10**9)
        )
        if exact <= 0:
            return ir.FALSE
        if exact >= 1:
            return ir.TRUE
        exact = exact.limit_denominator(2**31 - 1)
        return ir.Draw("odds", (ir.const(exact.numerator), ir.const(exact.denominator)), "bool")
    return ir.Draw("chance", (chance,), "bool")


def converted(ctx: Context, value: Value, expected: ValueType, span: Span) -> ir.Expr | None:
    """Return a value as one of another type, or report that it is not one."""
    match value.type, expected:
        case (Numbers(), Numbers()) | (Truths(), Truths()) | (Cells(), Cells()):
            return value.expr
        case (Truths(), Numbers()):
            one = write(f"(1 if {span.text} else 0)")
            ctx.error("type", span, found="a condition", expected="a number", help=one)
            return None
        case (Words(words), Words(wanted)):
            return _converted_words(ctx, value, words, wanted, span)
        case (Kinds(kinds), Words(wanted)) if set(kinds) <= set(wanted):
            return _converted_words(ctx, value, kinds, wanted, span)
        case (Kinds(kinds), Kinds(wanted)):
            return _converted_words(ctx, value, kinds, wanted, span)
        case (Texts(texts), Texts(wanted)):
            return _converted_words(ctx, value, texts, wanted, span)
    if value.type == expected:
        return value.expr
    help = _converted_meant(ctx, value, expected, span)
    if isinstance(value.type, Texts) and isinstance(expected, Words):
        bare = span.text.strip('"')
        help = Help("a word stands without quotes", (bare,)) if bare in expected.words else None
    elif help is None and isinstance(expected, Words) and span.text in expected.words:
        help = f"the name `{span.text}` hides the word: call it otherwise, such as `my_{span.text}`"
    ctx.error("type", span, found=str(value.type), expected=str(expected), help=help)
    return None


def _converted_meant(ctx: Context, value: Value, expected: ValueType, span: Span) -> str | None:
    """Return what can be asked of a kind or a thing that stands where a number or a word is needed."""
    if expected == DIRECTION and isinstance(value.type, Cells):
        return write(f"to {span.text}")
    if expected == DIRECTION and value.type == NUMBER and span.text not in DIRECTION.words:
        return "a direction is no number: `right_of(WAY)` is the one a quarter from WAY"
    if (of_words := words_and_numbers(value.type, expected, span)) is not None:
        return of_words
    if isinstance(expected, Words) and ctx.world.several and span.text == "self":
        return _agent_in_a_word(ctx, expected.words)
    kind = ctx.world.kinds.get(span.text)
    if kind is None and value.type == CELL and expected == NUMBER and span.text.isidentifier():
        x, y = f"{span.text}.x", f"{span.text}.y"
        return f"`{x}` is its column, `{y}` its row: `({x} + 1, {y})` is the cell east of it"
    if expected == CELL and isinstance(value.type, Numbers | Truths):
        is_plane = span.source.text[span.end :].lstrip().startswith("for ")
        if is_plane and re.search(r"[a-z]", span.text):
            return f"`for` shows the cells that things speak of: `{span.text}` alone is a plane of what is in each"
        return "a cell is a pair, `(x, y)`, or a thing, which stands for the cell that it is in"
    if kind is None or not isinstance(value.type, Kinds | Cells):
        return None
    forms = {"int"} if isinstance(expected, Numbers) else {"words"}
    wanted = set(names_of(expected))
    own = [
        name
        for name, attribute in kind.attributes.items()
        if attribute.domain.form in forms and (not wanted or wanted & set(attribute.domain.words))
    ]
    if own and (isinstance(value.type, Cells) or not isinstance(expected, Numbers)):
        rewrites = [f"{kind.name}.{name}" for name in own]
        return Help(f"did you mean {listing(rewrites)}?", rewrites)
    if isinstance(expected, Numbers) and kind.category != "agent":
        return number_given(span) or write(f"count({kind.name})")
    return None


def _agent_in_a_word(ctx: Context, words: tuple[str, ...]) -> str | None:
    """Return the word for the agent that acts, where words are called as agents are: `owner in red | blue`."""
    if not all(word in ctx.world.kinds and ctx.world.kinds[word].category == "agent" for word in words):
        return None
    *first, last = words
    said = " else ".join([*(f"{word} if self is {word}" for word in first), last])
    return write(f"({said})", ": an agent is no word")


def _converted_words(
    ctx: Context, value: Value, words: tuple[str, ...], wanted: tuple[str, ...], span: Span
) -> ir.Expr | None:
    if words == DIRECTION.words and value.expr.high < 4:  # Nobody faces a diagonal in this game.
        words = words[:4]
    if words == wanted:
        return value.expr
    missing = [word for word in words if word not in wanted]
    if missing:
        help: str | None = did_you_mean(missing[0], wanted)
        if wanted == DIRECTION.words and span.text.endswith(".action"):
            owner = span.text.removesuffix(".action")
            help = f"an action is no direction: `agent: facing` keeps the way it went, and `({owner}.facing)` is it"
        elif wanted == DIRECTION.words and all(word in (*ARROWS, *wanted) for word in words):
            meant = " | ".join(ARROWS.get(word, word) for word in words)
            help = (
                f"a direction is a compass word: where the values of `{span.text}` are listed write `{meant}`"
            )
        if wanted == DIRECTION.words and set(words) & set(wanted) and help is None:
            told = [
                each for each in ctx.report if each.code == "unknown-word" and each.span.text == span.text
            ]
            if told:  # Whatever is asked of it says so.
                return None
            ways = " | ".join(word for word in words if word in wanted)
            alone = f"list `{ways}` alone, and keep in a second variable whether there is one"
            help = f"a value that may be `{missing[0]}` is no direction: {alone}"
        ctx.error("unknown-word", span, word=missing[0], of=listing(wanted, "and"), help=help)
        return None
    codes = [wanted.index(word) for word in words]
    if codes == list(range(len(codes))):
        return value.expr
    return ir.lookup(ctx.writer.table(("RECODE", *codes), codes), value.expr)


def names_of(type: ValueType) -> tuple[str, ...]:
    """Return the words, kinds or texts that a type counts."""
    match type:
        case Words(names) | Kinds(names) | Texts(names):
            return names
    return ()


def joint_type(type: ValueType, names: tuple[str, ...]) -> ValueType:
    """Return the type of the same sort that counts these names."""
    if isinstance(type, Words):
        return Words(names)
    return Kinds(names) if isinstance(type, Kinds) else Texts(names)
