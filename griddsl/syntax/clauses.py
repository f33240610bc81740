"""Clauses: from the text of a head or of items to nodes, by the grammar in ``clause.lark``."""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, overload

import lark
from lark import Lark, Token, Tree, UnexpectedInput
from lark.lark import PostLex

from griddsl.diagnostics import Help, Report, write
from griddsl.files import cache
from griddsl.source import Fragment, Span
from griddsl.syntax import nodes as n
from griddsl.syntax.clause_nodes import PartOfChoose, made
from griddsl.syntax.syntax_errors import explain, whole_of

STARTS = (
    "expression",
    "effects",
    "rule",
    "if_head",
    "else_if_head",
    "retry_head",
    "repeat_head",
    "each_head",
    "define_head",
    "properties",
    "variable",
    "legend",
    "legend_value",
    "regions",
    "actions",
    "slip",
    "slip_head",
    "names",
    "agents",
    "limit",
    "rewards",
    "infos",
    "told",
    "look_head",
    "looks",
    "observations",
)
# Those that give one expression.
ExpressionStart: TypeAlias = Literal["expression", "if_head", "else_if_head", "slip_head"]
LONGEST_CLAUSE = 10_000
DEEPEST_NESTING = 64
DEEPEST_TREE = 150
MOST_DIGITS = 40
_LONG_NUMBER = re.compile(r'"(?:\\.|[^"\\\n])*"|([0-9]{41,})')


class _WholeWords(PostLex):
    """Lets a word be read in every state of the parser, so that `to` is never found at the start of `too`."""

    always_accept = ("NAME",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Pass the tokens on as they are."""
        return stream


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """Build the parser once a process; its tables are kept on disk between processes where that can be."""
    options: dict[str, Any] = {
        "parser": "lalr",
        "start": list(STARTS),
        "propagate_positions": True,
        "maybe_placeholders": True,
        "postlex": _WholeWords(),
    }
    grammar = Path(__file__).with_name("clause.lark").read_text(encoding="utf-8")
    made_of = f"{grammar}\0{lark.__version__}\0{sys.version}\0{options['start']}"
    name = f"grammar-{sha256(made_of.encode()).hexdigest()[:24]}"
    kept = cache.find(name)
    if kept is not None:
        with suppress(Exception):  # what another lark wrote is made anew
            tables = pickle.loads(kept)
            restored: Lark = cast(Any, Lark)._load_from_dict(**tables, postlex=_WholeWords())
            return restored
    parser, content = Lark(grammar, **options), BytesIO()
    parser.save(content, {"postlex"})
    cache.keep(name, content.getvalue())
    return parser


def parser_of_clauses() -> Lark:
    """Return the parser itself, for who asks what may follow."""
    return _parser()


def _parse(start: str, text: str) -> Tree[Token]:
    return _parser().parse(text, start=start)


_trees: Callable[[str, str], Tree[Token]] = _parse


def remember_clauses(most: int) -> None:
    """Keep the trees of so many clauses from now on: where the same text is read again at every key that is typed."""
    global _trees
    _trees = lru_cache(maxsize=most)(_parse)


def tree_of(start: str, text: str) -> Tree[Token] | None:
    """Return the tree of a clause by one start rule; None where it does not fit, or is too large to be one."""
    if len(text) > LONGEST_CLAUSE or _deepest_bracket(text) is not None:
        return None
    try:
        return _trees(start, text)
    except UnexpectedInput:
        return None


@overload
def parse_clause(start: ExpressionStart, fragment: Fragment, report: Report) -> n.Expression | None: ...
@overload
def parse_clause(start: Literal["rule"], fragment: Fragment, report: Report) -> n.RuleHead | None: ...
@overload
def parse_clause(
    start: Literal["define_head"], fragment: Fragment, report: Report
) -> tuple[n.Name, ...] | None: ...
@overload
def parse_clause(start: str, fragment: Fragment, report: Report) -> Any: ...
def parse_clause(start: str, fragment: Fragment, report: Report) -> object:
    """Parse a fragment by one start rule; None, with a diagnostic in the report, where it does not fit."""
    text = fragment.text
    if report.is_full:
        return None
    if len(text) > LONGEST_CLAUSE:
        report.add("too-long", fragment.span(0, 1), length=len(text), most=LONGEST_CLAUSE)
        return None
    number = next((match for match in _LONG_NUMBER.finditer(text) if match.group(1)), None)
    if number is not None:
        reason = f"a number has at most {MOST_DIGITS} digits"
        report.add("bad-value", fragment.span(*number.span()), reason=reason)
        return None
    deepest = _deepest_bracket(text)
    if deepest is not None:
        report.add("too-deep", fragment.span(deepest, deepest + 1), most=DEEPEST_NESTING)
        return None
    try:
        tree = _trees(start, text)
    except UnexpectedInput as error:
        explain(start, fragment, error, _parser(), report)
        return None
    deepest = _deepest_place(tree)
    if deepest is not None:
        report.add("too-deep", fragment.span(deepest, deepest + 1), most=DEEPEST_TREE)
        return None
    return made(tree, fragment, report)


def _deepest_place(tree: Tree[Token]) -> int | None:
    """Return where a tree is deeper than later stages can walk, as a sum of many terms is, or None."""
    level = [tree]
    for _ in range(DEEPEST_TREE):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return None
    return int(level[0].meta.start_pos)


def _deepest_bracket(text: str) -> int | None:
    """Return where brackets or stacked prefixes are nested deeper than allowed, or None."""
    depth = 0
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|[([]|[)\]]|(?:(?:not\b|-|\+|if\b|else\b)\s*)', text):
        char = match.group()[0]
        if char in "([":
            depth += 1
        elif char in ")]":
            depth = max(0, depth - 1)
        if depth > DEEPEST_NESTING:
            return match.start()
    stacked = re.search(r"(?:(?:not\s+|-\s*)){" + str(DEEPEST_NESTING) + ",}", text)
    if stacked:
        return stacked.start()
    conditionals = [match.start() for match in re.finditer(r"\belse\b", text)]
    return conditionals[DEEPEST_NESTING] if len(conditionals) > DEEPEST_NESTING else None


def parse_effects(fragment: Fragment, report: Report) -> tuple[n.Effect, ...]:
    """Parse a comma list of effects; the parts of a ``choose`` with several names are joined."""
    parsed: Sequence[Any] = parse_clause("effects", fragment, report) or ()
    effects: list[n.Effect] = []
    waiting: list[tuple[str, Span]] = []
    choosing = False
    for part in parsed:
        if isinstance(part, PartOfChoose):
            starts, name, span = part
            if starts:
                choosing = True
            if not choosing:
                report.add("unknown-effect", span, name=name, help=_effect_help(name, span, report))
                continue
            waiting.append((name, span))
        elif isinstance(part, tuple):
            starts, choose = part
            if not starts and not choosing:
                report.add(
                    "unknown-effect",
                    choose.span,
                    name=choose.names[0],
                    help=_drawing(choose.names[0], choose),
                )
                continue
            choosing = True
            names = (*(name for name, _ in waiting), *choose.names)
            span = waiting[0][1].to(choose.span) if waiting else choose.span
            effects.append(n.Choose(names, choose.distinct, choose.domain, choose.where, span))
            waiting = []
        else:
            _report_waiting(waiting, effects, report)
            waiting, choosing = [], False
            effects.append(part)
    _report_waiting(waiting, effects, report)
    return tuple(effects)


def _report_waiting(waiting: list[tuple[str, Span]], effects: list[n.Effect], report: Report) -> None:
    """Report names that wait for a domain: for their own, or for a `|` that is written as a comma."""
    for name, span in waiting[:1]:
        help: str = f"for example `choose {name} in 1..6` or `choose {name} in red | blue`"
        report.add("choose-without-domain", span, name=name, help=_joined(waiting, effects) or help)


def _joined(waiting: list[tuple[str, Span]], effects: list[n.Effect]) -> str | None:
    """Return what `choose mood in calm, wild` most likely means; None where no list of values stands before."""
    chosen, (name, span) = effects[-1] if effects else None, waiting[0]
    if not isinstance(chosen, n.Choose) or not isinstance(chosen.domain, n.ChoiceDomain) or chosen.where:
        return None
    between = span.source.text[chosen.span.end : span.start]
    if between.strip() != "," or any(weight is not None for weight in chosen.domain.weights):
        return None
    values = " | ".join([chosen.domain.span.text, *(each for each, _ in waiting)])
    line = f"write `{values}` if `{name}` is one of the values; otherwise say from what, as in `choose {name} in 1..6`"
    return Help(line, (values,), place=chosen.domain.span.to(waiting[-1][1]))


def _drawing(name: str, choose: n.Choose) -> Help:
    """Say how a value is drawn, where `n in 1..3` stands alone: for a variable, or for a name."""
    if re.search(rf"^var\s+{name}\b", whole_of(choose.span.source), re.MULTILINE):
        return write(f"{name} = random {choose.domain.span.text}")
    return write(f"choose {choose.span.text}")


def _effect_help(name: str, span: Span, report: Report) -> str | None:
    from griddsl.diagnostics import did_you_mean, write
    from griddsl.syntax.habits.effects.words.meant import effect_help
    from griddsl.syntax.habits.effects.words.other_forms import gone, named_alone
    from griddsl.syntax.keywords import EFFECT_WORDS

    if name in report.defined:
        called = report.defined[name]
        if "(" in called:
            return f"what it is given stands behind it: `{called}`"
        return write(f"{name}()", ": a definition is carried out with brackets")
    return (
        gone(name, span)
        or named_alone(name, whole_of(span.source))
        or effect_help(name)
        or did_you_mean(name, EFFECT_WORDS)
    )
