"""Rules, setup, and the blocks of effects in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from griddsl.diagnostics import Report
from griddsl.source import Fragment
from griddsl.spec.models import (
    Rule,
)
from griddsl.spec.statements.builder import Builder
from griddsl.syntax import nodes as n
from griddsl.syntax.clauses import parse_clause, parse_effects
from griddsl.syntax.document import Line, Statement

MOST_BRANCHES = 64


def not_too_deep(effects: tuple[n.Effect, ...], report: Report) -> tuple[n.Effect, ...]:
    """Return the effects; none, with a diagnostic, where blocks and their ``else if`` lines nest too deep to run."""
    deep = next((effect for effect in effects if _depth(effect) > MOST_BRANCHES), None)
    if deep is None:
        return effects
    report.add(
        "too-deep",
        deep.span,
        most=MOST_BRANCHES,
        help="each `else if` counts as a level; write several rules",
    )
    return ()


def _depth(effect: n.Effect) -> int:
    """Return how deep the blocks of an effect nest; each ``else if`` stands in the ``else`` of the one before."""
    if isinstance(effect, n.Retry | n.Repeat | n.Each):
        return 1 + max(map(_depth, effect.body), default=0)
    if not isinstance(effect, n.If):
        return 0
    return (
        max(at + 1 + max(map(_depth, body), default=0) for at, (_, body) in enumerate(effect.branches))
        if effect.branches
        else 0
    )


def read_setup(statement: Statement, builder: Builder) -> None:
    """``setup:``, the effects before each episode."""
    effects = tuple(effects_of(statement.items, statement.block, builder.report))
    for effect in not_too_deep(effects, builder.report):
        builder.append("setup", effect)


def read_once(statement: Statement, builder: Builder) -> None:
    """``once:``, the effects before the first episode of a seed."""
    effects = tuple(effects_of(statement.items, statement.block, builder.report))
    for effect in not_too_deep(effects, builder.report):
        builder.append("once", effect)


def read_rule(statement: Statement, builder: Builder) -> None:
    """``on``, ``when`` and ``each``: a rule."""
    rule = rule_of(statement, builder.report)
    if rule is not None:
        builder.append("rules", rule)


def rule_of(statement: Statement, report: Report) -> Rule | None:
    """Return a statement as a rule; None, with a diagnostic, where its head cannot be read."""
    whole = (
        statement.keyword_span.to(statement.head.span()) if statement.head.text else statement.keyword_span
    )
    fragment = _joined(statement)
    head: n.RuleHead | None = parse_clause("rule", fragment, report)
    effects = tuple(effects_of(statement.items, statement.block, report))
    effects = not_too_deep(effects, report)
    if not statement.items.text and not statement.block:
        report.add("missing-items", whole, what=fragment.text, help="effects follow the colon: `reward -1`")
    if head is None:
        return None
    return Rule(fragment.text, head.trigger, head.condition, head.chance, effects, whole)


def _joined(statement: Statement) -> Fragment:
    """Return keyword and head as one fragment."""
    if not statement.head.text:
        return Fragment(statement.keyword_span.source, statement.keyword, statement.keyword_span.start)
    origin = [
        *(statement.keyword_span.start + i for i in range(len(statement.keyword))),
        statement.keyword_span.start + len(statement.keyword),
        *(statement.head.offset(i) for i in range(len(statement.head.text) + 1)),
    ]
    return Fragment(statement.head.source, f"{statement.keyword} {statement.head.text}", origin)


def effects_of(
    items: Fragment, block: Iterable[Line], report: Report, below_if: bool = False
) -> Iterator[n.Effect]:
    """Yield the effects of a line and of the block below it, which may be that of an `if`."""
    if items.text:
        yield from parse_effects(items, report)
    yield from _block_effects(tuple(block), report, below_if)


def _block_effects(block: tuple[Line, ...], report: Report, below_if: bool) -> Iterator[n.Effect]:
    at = 0
    while at < len(block):
        line = block[at]
        if not line.is_head:
            yield from parse_effects(line.text, report)
            at += 1
            continue
        word = line.text.text.split(None, 1)[0]
        if word == "else":
            help = "indent it like its `if`" if below_if else "start with `if C:`"
            report.add("lost-else", line.text.span(), help=help)
            at += 1
        elif word in {"retry", "repeat", "each"}:
            yield from _again(word, line, report)
            at += 1
        else:
            taken = 1
            while at + taken < len(block) and _continues(block[at + taken]):
                taken += 1
            yield from _if(block[at : at + taken], report)
            at += taken


def _continues(line: Line) -> bool:
    return line.is_head and line.text.text.split(None, 1)[0] == "else"


def _if(lines: tuple[Line, ...], report: Report) -> Iterator[n.If]:
    branches: list[tuple[n.Expression | None, tuple[n.Effect, ...]]] = []
    if len(lines) > MOST_BRANCHES:
        help = "write a rule for each"
        report.add("too-deep", lines[MOST_BRANCHES].text.span(), most=MOST_BRANCHES, help=help)
        lines = lines[:MOST_BRANCHES]
    for index, line in enumerate(lines):
        assert line.tail is not None
        text = line.text.text
        test: n.Expression | None = None
        if text.split() == ["else"]:
            if index != len(lines) - 1:
                report.add("lost-else", lines[index + 1].text.span(), help="`else:` comes last")
        else:
            test = parse_clause("if_head" if index == 0 else "else_if_head", line.text, report)
        effects = tuple(effects_of(line.tail, line.block, report, below_if=True))
        if test is None and text.split() != ["else"]:
            continue
        if not line.tail.text and not line.block:
            report.add("missing-items", line.text.span(), what=text, help="effects follow the colon")
        branches.append((test, effects))
    yield n.If(tuple(branches), lines[0].text.span())


def _again(word: str, line: Line, report: Report) -> Iterator[n.Retry | n.Repeat | n.Each]:
    assert line.tail is not None
    head = parse_clause(f"{word}_head", line.text, report)
    effects = tuple(effects_of(line.tail, line.block, report))
    # What is tried may be nothing: `retry 1 until C:` asks no more than that C holds.
    if word != "retry" and not line.tail.text and not line.block:
        what = line.text.text
        report.add("missing-items", line.text.span(), what=what, help="effects follow the colon")
    if word == "each":
        if head is not None:
            over, where, by, down = head
            yield n.Each(over, where, by, down, effects, line.text.span())
        return
    if head is not None:
        yield (n.Retry if word == "retry" else n.Repeat)(head[0], head[1], effects, line.text.span())
