"""Clauses: from the text of a head or of items to nodes, by the grammar in ``clause.lark``."""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import lark
from lark import Lark, Token, Transformer, Tree, UnexpectedInput, v_args
from lark.lark import PostLex

from griddsl import cache
from griddsl.diagnostics import Report
from griddsl.source import Fragment, Span
from griddsl.syntax import nodes as n
from griddsl.syntax.syntax_errors import explain

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
    "looks",
    "observations",
)
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


def _parse(start: str, text: str) -> Any:
    return _parser().parse(text, start=start)


_trees: Callable[[str, str], Any] = _parse


def remember_clauses(most: int) -> None:
    """Keep the trees of so many clauses from now on: where the same text is read again at every key that is typed."""
    global _trees
    _trees = lru_cache(maxsize=most)(_parse)


def tree_of(start: str, text: str) -> Any:
    """Return the tree of a clause by one start rule; None where it does not fit, or is too large to be one."""
    if len(text) > LONGEST_CLAUSE or _deepest_bracket(text) is not None:
        return None
    try:
        return _trees(start, text)
    except UnexpectedInput:
        return None


def parse_clause(start: str, fragment: Fragment, report: Report) -> Any:
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
    nodes = _Nodes(fragment)
    clause = nodes.transform(tree)
    for span, name in nodes.misplaced:
        form = f"count({span.text})" if name != "sum" else f"sum(1 for {span.text})"
        help = f"`count(i in 0..3 where C)` and `sum(E for i in 0..3)` go through values, as `{form}` would"
        report.add("syntax", span, found=f"values in `{name}`", expected="one expression", help=help)
    for span, name in nodes.problems:
        help = f"named arguments belong to kinds; `{name}` is called with values alone"
        report.add(
            "syntax", span, found="values beside `name = value`", expected="one or the other", help=help
        )
    return clause


def _deepest_place(tree: Any) -> int | None:
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


@v_args(meta=True, inline=True)
class _Nodes(Transformer[Token, Any]):
    """One method a grammar alias, named like it; children come in the order of the grammar."""

    def __init__(self, fragment: Fragment) -> None:
        super().__init__()
        self._fragment = fragment
        self.problems: list[tuple[Span, str]] = []
        self.misplaced: list[tuple[Span, str]] = []  # `NAME in DOMAIN` in other calls than `count` and `sum`

    def _span(self, meta: Any) -> Span:
        if getattr(meta, "empty", True):
            return self._fragment.span(0, 0)
        return self._fragment.span(meta.start_pos, meta.end_pos)

    def _token_span(self, token: Token) -> Span:
        return self._fragment.span(token.start_pos or 0, token.end_pos or 0)

    # Expressions

    def if_else(self, meta: Any, then: Any, test: Any, otherwise: Any) -> n.IfElse:
        return n.IfElse(test, then, otherwise, self._span(meta))

    def logic_or(self, meta: Any, *values: Any) -> n.Logic:
        return n.Logic("or", values, self._span(meta))

    def logic_xor(self, meta: Any, *values: Any) -> n.Logic:
        return n.Logic("xor", values, self._span(meta))

    def logic_and(self, meta: Any, *values: Any) -> n.Logic:
        return n.Logic("and", values, self._span(meta))

    def negation(self, meta: Any, value: Any) -> n.Not:
        return n.Not(value, self._span(meta))

    def compare(self, meta: Any, left: Any, operator: Token, right: Any) -> n.Compare:
        return n.Compare(str(operator), left, right, self._span(meta))

    def is_(self, meta: Any, left: Any, right: Any) -> n.Is:
        return n.Is(left, right, False, self._span(meta))

    def is_not(self, meta: Any, left: Any, right: Any) -> n.Is:
        return n.Is(left, right, True, self._span(meta))

    def on_(self, meta: Any, left: Any, right: Any) -> n.Relation:
        return n.Relation("on", left, right, None, self._span(meta))

    def at_(self, meta: Any, left: Any, right: Any) -> n.Relation:
        return n.Relation("at", left, right, None, self._span(meta))

    def has_(self, meta: Any, left: Any, right: Any) -> n.Relation:
        return n.Relation("has", left, right, None, self._span(meta))

    def ahead_(self, meta: Any, left: Any) -> n.Relation:
        return n.Relation("ahead", left, None, None, self._span(meta))

    def left_(self, meta: Any, left: Any, _word: Any = None) -> n.Relation:
        return n.Relation("left", left, None, None, self._span(meta))

    def within_(self, meta: Any, left: Any, distance: Any, right: Any) -> n.Relation:
        return n.Relation("within", left, right, distance, self._span(meta))

    def sees_(self, meta: Any, left: Any, right: Any, distance: Any) -> n.Relation:
        return n.Relation("sees", left, right, distance, self._span(meta))

    def can_(self, meta: Any, action: Token) -> n.Can:
        return n.Can(str(action), self._span(meta))

    def arithmetic(self, meta: Any, left: Any, operator: Token, right: Any) -> n.Arithmetic:
        return n.Arithmetic(str(operator), left, right, self._span(meta))

    def negative(self, meta: Any, _sign: Token, value: Any) -> n.Negate:
        return n.Negate(value, self._span(meta))

    def positive(self, meta: Any, _sign: Token, token: Token) -> n.Number:
        return n.Number(_number(token), f"+{token}", self._span(meta))

    def attribute(self, meta: Any, owner: Any, name: Token) -> n.Attribute:
        return n.Attribute(owner, str(name), self._span(meta))

    def number(self, meta: Any, token: Token) -> n.Number:
        return n.Number(_number(token), str(token), self._span(meta))

    def text(self, meta: Any, token: Token) -> n.Text:
        return n.Text(unquote(token), self._span(meta))

    def true_(self, meta: Any) -> n.Truth:
        return n.Truth(True, self._span(meta))

    def false_(self, meta: Any) -> n.Truth:
        return n.Truth(False, self._span(meta))

    def random_(self, meta: Any) -> n.Random:
        return n.Random(None, self._span(meta))

    def random_of(self, meta: Any, domain: Any) -> n.Random:
        return n.Random(domain, self._span(meta))

    def random_keyword(self, meta: Any, name: Token, domain: Any) -> tuple[Any, ...]:
        return ("keyword", (str(name), n.Random(domain, self._span(meta))))

    def name(self, meta: Any, token: Token) -> n.Name:
        return n.Name(str(token), self._span(meta))

    def call(self, meta: Any, name: Token, *arguments: Any) -> n.Pattern | n.Call | n.Tally:
        span = self._span(meta)
        given = [argument for argument in arguments if argument is not None]
        keywords = [argument for argument in given if argument[0] == "keyword"]
        tally = next((argument for argument in given if argument[0] == "tally"), None)
        if tally is not None:
            _, value, over, where = tally
            if len(given) > 1 or name != ("count" if value is None else "sum"):
                self.misplaced.append((over.span, str(name)))
            return n.Tally(value, over, where, span)
        if keywords and len(keywords) == len(given):
            return n.Pattern(str(name), tuple(argument[1] for argument in keywords), span)
        values: list[Any] = []
        each = where = avoiding = None
        if keywords:
            self.problems.append((span, str(name)))
        for role, value, *more in given:
            values.append(value if role != "keyword" else value[1])
            if role == "where":
                where = more[0]
            elif role == "for":
                each, where = more
            elif role == "avoiding":
                avoiding = more[0]
        return n.Call(str(name), tuple(values), each, where, avoiding, span)

    def keyword(self, meta: Any, name: Token, value: Any) -> tuple[Any, ...]:
        return ("keyword", (str(name), value))

    def plain_argument(self, meta: Any, value: Any) -> tuple[Any, ...]:
        return ("value", value)

    def where_argument(self, meta: Any, value: Any, where: Any) -> tuple[Any, ...]:
        return ("where", value, where)

    def for_argument(self, meta: Any, value: Any, each: Any, where: Any = None) -> tuple[Any, ...]:
        return ("for", value, each, where)

    def ranging_argument(self, meta: Any, over: Any, where: Any = None) -> tuple[Any, ...]:
        return ("tally", None, over, where)

    def for_ranging_argument(self, meta: Any, value: Any, over: Any, where: Any = None) -> tuple[Any, ...]:
        return ("tally", value, over, where)

    def ranging(self, meta: Any, name: Token, domain: Any) -> n.Ranging:
        return n.Ranging(str(name), domain, self._span(meta))

    def some(self, meta: Any, quantifier: Token, over: Any, where: Any) -> n.Some:
        return n.Some(str(quantifier), over, where, self._span(meta))

    def avoiding_argument(self, meta: Any, value: Any, avoiding: Any) -> tuple[Any, ...]:
        return ("avoiding", value, avoiding)

    def quantified(self, meta: Any, quantifier: Token, kind: Any) -> n.Quantified:
        if kind == n.Name("agents", kind.span):
            kind = n.Name("agent", kind.span)
        return n.Quantified(str(quantifier), kind, self._span(meta))

    def other(self, meta: Any, _: Token, kind: Any) -> n.Other:
        return n.Other(kind, self._span(meta))

    def superlative(self, meta: Any, over: Any, word: Token, value: Any, where: Any) -> n.Superlative:
        return n.Superlative(over, word == "most", value, where, self._span(meta))

    def position(self, meta: Any, x: Any, y: Any) -> n.Position:
        return n.Position(x, y, self._span(meta))

    def wide_area(self, meta: Any, left: Any, right: Any, top: Any, bottom: Any) -> n.Rectangle:
        return n.Rectangle(left, right, top, top if bottom is None else bottom, self._span(meta))

    def tall_area(self, meta: Any, left: Any, top: Any, bottom: Any) -> n.Rectangle:
        return n.Rectangle(left, left, top, bottom, self._span(meta))

    def kind(self, meta: Any, name: Token, *keywords: Any) -> n.KindName:
        given = [keyword[1] for keyword in keywords if keyword is not None]
        if given:
            return n.Pattern(str(name), tuple(given), self._span(meta))
        return n.Name(str(name), self._span(meta))

    def one_of(self, meta: Any, *kinds: Any) -> n.Logic:
        return n.Logic("or", kinds, self._span(meta))

    # Cells and domains

    def random_cell(self, meta: Any, kind: Any, area: Any, where: Any, reachable: Any) -> n.RandomCell:
        return n.RandomCell(kind, area, where, reachable, self._span(meta))

    def every_cell(self, meta: Any, kind: Any, where: Any, chance: Any) -> n.EveryCell:
        return n.EveryCell(kind, where, chance, self._span(meta))

    def area_column(self, meta: Any, value: Any) -> n.Area:
        return n.Area("column", value, self._span(meta))

    def area_row(self, meta: Any, value: Any) -> n.Area:
        return n.Area("row", value, self._span(meta))

    def area_border(self, meta: Any) -> n.Area:
        return n.Area("border", None, self._span(meta))

    def area_rectangle(self, meta: Any, rectangle: n.Rectangle) -> n.Area:
        return n.Area("rectangle", rectangle, self._span(meta))

    def area_region(self, meta: Any, name: Token) -> n.Area:
        return n.Area("region", n.Name(str(name), self._span(meta)), self._span(meta))

    def range_domain(self, meta: Any, low: Any, high: Any) -> n.RangeDomain:
        return n.RangeDomain(low, high, self._span(meta))

    def choice_domain(self, meta: Any, *weighted: Any) -> n.ChoiceDomain:
        values, weights = zip(*weighted, strict=True)
        return n.ChoiceDomain(values, weights, self._span(meta))

    def weighted(self, meta: Any, value: Any, weight: Any) -> tuple[Any, Any]:
        return value, weight

    # Effects

    def effects(self, meta: Any, *effects: Any) -> tuple[n.Effect | _PartOfChoose, ...]:
        return tuple(effect for effect in effects if effect is not None)

    def reward(self, meta: Any, value: Any, to: Token | None) -> n.Reward:
        return n.Reward(value, False, False, _word(to), self._span(meta))

    def reward_set(self, meta: Any, value: Any, to: Token | None) -> n.Reward:
        return n.Reward(value, True, False, _word(to), self._span(meta))

    def hidden_reward(self, meta: Any, value: Any) -> n.Reward:
        return n.Reward(value, False, True, None, self._span(meta))

    def recipient(self, meta: Any, name: Token) -> str:
        return str(name)

    def end(self, meta: Any, outcome: Token | None) -> n.End:
        return n.End(_word(outcome), self._span(meta))

    def truncate(self, meta: Any) -> n.Truncate:
        return n.Truncate(self._span(meta))

    def out(self, meta: Any) -> n.Out:
        return n.Out(self._span(meta))

    def cancel(self, meta: Any) -> n.Cancel:
        return n.Cancel(self._span(meta))

    def go(self, meta: Any, destination: Any) -> n.Go:
        return n.Go(destination, self._span(meta))

    def move(self, meta: Any, subject: Any, direction: Any) -> n.Move:
        return n.Move(subject, direction, None, self._span(meta))

    def move_to(self, meta: Any, subject: Any, destination: Any) -> n.Move:
        return n.Move(subject, None, destination, self._span(meta))

    def move_way(self, meta: Any, name: Token, direction: Any) -> n.Move:
        return n.Move(n.Name(str(name), self._token_span(name)), direction, None, self._span(meta))

    def turn(self, meta: Any, direction: Any) -> n.Turn:
        return n.Turn(direction, self._span(meta))

    def handle(self, meta: Any, verb: Token, kind: Any) -> n.Handle:
        return n.Handle(str(verb), kind, self._span(meta))

    def place_at(self, meta: Any, count: Any, kind: Any, alias: Token | None, at: Any, free: Any) -> n.Place:
        return n.Place(count, kind, _word(alias), at, None, None, free is not None, self._span(meta))

    def place_in(self, meta: Any, count: Any, kind: Any, area: Any, where: Any, free: Any) -> n.Place:
        return n.Place(count, kind, None, None, area, where, free is not None, self._span(meta))

    def becomes(self, meta: Any, target: Any, value: Any) -> n.Becomes:
        return n.Becomes(target, value, self._span(meta))

    def assign(self, meta: Any, target: Any, operator: Token, value: Any) -> n.Assign:
        return n.Assign(target, str(operator), value, self._span(meta))

    def choose_name(self, meta: Any, name: Token) -> _PartOfChoose:
        return _PartOfChoose(True, str(name), self._span(meta))

    def choose_more_name(self, meta: Any, name: Token) -> _PartOfChoose:
        return _PartOfChoose(False, str(name), self._span(meta))

    def choose(self, meta: Any, binding: n.Choose) -> tuple[bool, n.Choose]:
        return (
            True,
            n.Choose(binding.names, binding.distinct, binding.domain, binding.where, self._span(meta)),
        )

    def choose_more(self, meta: Any, binding: n.Choose) -> tuple[bool, n.Choose]:
        return (False, binding)

    def binding(self, meta: Any, name: Token, distinct: Any, domain: Any, where: Any) -> n.Choose:
        return n.Choose((str(name),), distinct is not None, domain, where, self._span(meta))

    def info(self, meta: Any, name: Token, value: Any) -> n.Info:
        return n.Info(str(name), value, self._span(meta))

    def let(self, meta: Any, name: Token, value: Any) -> n.Let:
        return n.Let(str(name), value, self._span(meta))

    def carry_out(self, meta: Any, name: Token, *arguments: Any) -> n.CarryOut:
        call = self.call(meta, name, *arguments)
        if not isinstance(call, n.Call):
            self.problems.append((call.span, str(name)))
            return n.CarryOut(str(name), (), call.span)
        return n.CarryOut(call.name, call.arguments, call.span)

    def define_head(self, meta: Any, name: Token, *parameters: Token | None) -> tuple[n.Name, ...]:
        given = (name, *(parameter for parameter in parameters if parameter is not None))
        return tuple(n.Name(str(word), self._token_span(word)) for word in given)

    def if_head(self, meta: Any, test: Any) -> Any:
        return test

    else_if_head = if_head
    slip_head = if_head

    def retry_head(self, meta: Any, count: Any, until: Any) -> tuple[Any, Any]:
        return count, until

    repeat_head = retry_head

    def each_head(self, meta: Any, kind: Any, where: Any, by: Any, down: Any) -> tuple[Any, ...]:
        return kind, where, by, down is not None

    def each_ranging_head(self, meta: Any, over: Any, where: Any) -> tuple[Any, ...]:
        return over, where, None, False

    # Rules

    def rule(self, meta: Any, trigger: n.Trigger, condition: Any, chance: Any) -> n.RuleHead:
        return n.RuleHead(trigger, condition, chance, self._span(meta))

    def when_rule(self, meta: Any, condition: Any, chance: Any) -> n.RuleHead:
        trigger = n.Trigger("when", None, condition, self._span(meta))
        return n.RuleHead(trigger, None, chance, self._span(meta))

    def each_step(self, meta: Any, _word: Any = None) -> n.Trigger:
        return n.Trigger("step", None, None, self._span(meta))

    def every_steps(self, meta: Any, count: Any) -> n.Trigger:
        return n.Trigger("every", None, count, self._span(meta))

    def each_kind(self, meta: Any, kind: Any) -> n.Trigger:
        return n.Trigger("each", None, kind, self._span(meta))

    def on_act(self, meta: Any) -> n.Trigger:
        return n.Trigger("act", None, None, self._span(meta))

    def on_do(self, meta: Any, action: Token) -> n.Trigger:
        return n.Trigger("do", None, n.Name(str(action), self._token_span(action)), self._span(meta))

    def on_fail(self, meta: Any, action: Token) -> n.Trigger:
        return n.Trigger("fail", None, n.Name(str(action), self._token_span(action)), self._span(meta))

    def on_event(self, meta: Any, event: str, kind: Any) -> n.Trigger:
        return n.Trigger(event, None, kind, self._span(meta))

    def on_subject_event(self, meta: Any, subject: Any, event: str, kind: Any) -> n.Trigger:
        return n.Trigger(event, subject, kind, self._span(meta))

    def event(self, meta: Any, word: Token) -> str:
        return str(word)

    # Items of declarations

    def properties(self, meta: Any, *items: Any) -> tuple[Any, ...]:
        return tuple(item for item in items if item is not None)

    regions = actions = slip = agents = rewards = infos = looks = observations = legend = properties

    def names(self, meta: Any, *words: Token | None) -> tuple[n.Name, ...]:
        return tuple(n.Name(unquote(word), self._token_span(word)) for word in words if word is not None)

    def always(self, meta: Any, name: Token) -> n.Guarded:
        return n.Guarded(str(name), "always", None, self._span(meta))

    def guarded(self, meta: Any, name: Token, word: Token, condition: Any) -> n.Guarded:
        return n.Guarded(str(name), str(word), condition, self._span(meta))

    def plain_property(self, meta: Any, name: Token) -> n.Property:
        return n.Property(str(name), None, (), self._span(meta))

    def word_property(self, meta: Any, name: Token, word: Token, *values: Any) -> n.Property:
        return n.Property(str(name), str(word), values, self._span(meta))

    def number_property(self, meta: Any, name: Token, value: Any) -> n.Property:
        return n.Property(str(name), None, () if value is None else (value,), self._span(meta))

    def unknown_property(self, meta: Any, name: Token) -> n.Property:
        return n.Property(str(name), None, (), self._span(meta))

    def attribute_item(self, meta: Any, name: Token, *parts: Any) -> n.AttributeItem:
        default = parts[0] if len(parts) == 2 else None
        return n.AttributeItem(str(name), default, parts[-1], self._span(meta))

    def variable(self, meta: Any, *parts: Any) -> n.AttributeItem:
        default = parts[0] if len(parts) == 2 else None
        return n.AttributeItem("", default, parts[-1], self._span(meta))

    def variable_value(self, meta: Any, value: Any) -> n.AttributeItem:
        return n.AttributeItem("", value, None, self._span(meta))

    def moves(self, meta: Any, mover: n.Mover) -> n.Mover:
        return mover

    def mover(self, meta: Any, policy: n.Mover, avoiding: Any, every: Any, chance: Any) -> n.Mover:
        return replace(policy, avoiding=avoiding, every=every, chance=chance, span=self._span(meta))

    def mover_if(self, meta: Any, policy: n.Mover, avoiding: Any, test: Any, otherwise: n.Mover) -> n.Mover:
        return replace(policy, avoiding=avoiding, test=test, otherwise=otherwise, span=self._span(meta))

    def policy_random(self, meta: Any, neighbours: Token | None) -> n.Mover:
        count = 4 if neighbours is None else int(_number(neighbours))
        return self._policy(meta, "random", neighbours=count)

    def policy_toward(self, meta: Any, kind: Any, by: Token | None) -> n.Mover:
        return replace(self._policy(meta, "toward", kind), by=_word(by))

    def policy_away(self, meta: Any, kind: Any, by: Token | None) -> n.Mover:
        return replace(self._policy(meta, "away from", kind), by=_word(by))

    def policy_name(self, meta: Any, name: Token, cells: Any) -> n.Mover:
        return replace(self._policy(meta, str(name)), cells=cells)

    def _policy(self, meta: Any, word: str, target: Any = None, neighbours: int = 4) -> n.Mover:
        return n.Mover(word, target, neighbours, None, None, None, None, None, None, None, self._span(meta))

    def legend_item(self, meta: Any, glyph: Token, kind: Any, tile: Any) -> n.LegendItem:
        char = unquote(glyph) if glyph.type == "STRING" else str(glyph)
        return n.LegendItem(char, kind, tile, self._span(meta))

    def legend_value(self, meta: Any, kind: Any, tile: Any) -> n.LegendItem:
        return n.LegendItem("", kind, tile, self._span(meta))

    def region_item(self, meta: Any, left: Any, right: Any, top: Any, bottom: Any) -> n.Rectangle:
        return n.Rectangle(left, right or left, top, bottom or top, self._span(meta))

    def action(self, meta: Any, name: Token, arguments: Any, keys: Any, primitive: Any) -> n.ActionItem:
        return n.ActionItem(str(name), arguments or (), keys or (), primitive, self._span(meta))

    def takes(self, meta: Any, *arguments: n.Taken) -> tuple[n.Taken, ...]:
        return arguments

    def taken(self, meta: Any, over: n.Ranging, where: Any) -> n.Taken:
        return n.Taken(over, where, self._span(meta))

    def joystick(self, meta: Any, directions: Token) -> n.Joystick:
        number = n.Number(_number(directions), str(directions), self._token_span(directions))
        return n.Joystick(number, self._span(meta))

    def keys(self, meta: Any, *keys: str | None) -> tuple[str, ...]:
        return tuple(key for key in keys if key is not None)

    def key(self, meta: Any, *words: Token) -> str:
        return " ".join(unquote(word) if word.type == "STRING" else str(word) for word in words)

    def move_primitive(
        self, meta: Any, direction: Token, cells: Any, through: Any, chance: Any
    ) -> n.Primitive:
        one = n.Number(Fraction(1), "1", self._token_span(direction))
        return n.Primitive(str(direction), cells or one, through, chance, self._span(meta))

    def named_primitive(self, meta: Any, name: Token) -> n.Primitive:
        return n.Primitive(str(name), None, None, None, self._span(meta))

    def slip_item(self, meta: Any, chance: Any, direction: Token) -> n.SlipItem:
        return n.SlipItem(chance, str(direction), self._span(meta))

    def agents_item(self, meta: Any, name: Token, count: Any) -> n.AgentsItem:
        return n.AgentsItem(str(name), count, self._span(meta))

    def step(self, meta: Any) -> n.Name:
        return n.Name("step", self._span(meta))

    def clip(self, meta: Any, low: Any, high: Any) -> n.RewardChange:
        return n.RewardChange("clip", (low, high), self._span(meta))

    def scale(self, meta: Any, factor: Any) -> n.RewardChange:
        return n.RewardChange("scale", (factor,), self._span(meta))

    def limit(self, meta: Any, value: Any, _word: Any = None) -> Any:
        return value

    def info_item(self, meta: Any, name: Token, value: Any) -> n.NamedValue:
        return n.NamedValue(str(name), value, self._span(meta))

    def total_reward(self, meta: Any, word: Token) -> n.TotalReward:
        return n.TotalReward(str(word), self._span(meta))

    def count_of(self, meta: Any, word: Token, of: Token, trigger: Any, condition: Any) -> n.CountOf:
        return n.CountOf(f"{word} {of}", trigger, condition, self._span(meta))

    def look_color(self, meta: Any, value: Token) -> n.LookItem:
        return n.LookItem("color", unquote(value) if value.type == "STRING" else str(value), self._span(meta))

    def look_shape(self, meta: Any, value: Token) -> n.LookItem:
        return n.LookItem("shape", str(value), self._span(meta))

    def look_sprite(self, meta: Any, value: Token) -> n.LookItem:
        return n.LookItem("sprite", unquote(value), self._span(meta))

    # Observations

    def named_observation(self, meta: Any, name: Token, item: n.ObserveItem) -> n.ObserveItem:
        return replace(item, name=str(name), span=self._span(meta))

    def bare_observation(self, meta: Any, item: n.ObserveItem) -> n.ObserveItem:
        return item

    def noisy(self, meta: Any, item: n.ObserveItem, chance: Any, noise: n.ObserveItem) -> n.ObserveItem:
        return replace(item, chance=chance, noise=noise, span=self._span(meta))

    def _sight(
        self, meta: Any, what: str, value: Any = None, view: Any = None, rays: Any = None, form: Any = None
    ) -> n.ObserveItem:
        return n.ObserveItem(None, what, value, view, rays, form, None, None, self._span(meta))

    def see_value(self, meta: Any, value: Any, form: Any) -> n.ObserveItem:
        return self._sight(meta, "value", value=value, form=form)

    def see_position(self, meta: Any, kind: Any, form: Any) -> n.ObserveItem:
        return self._sight(meta, "position", value=kind, form=form)

    def see_grid(self, meta: Any, form: Any) -> n.ObserveItem:
        return self._sight(meta, "grid", form=form)

    def see_view(self, meta: Any, view: n.ViewShape, form: Any) -> n.ObserveItem:
        return self._sight(meta, "view", view=view, form=form)

    def see_pixels(self, meta: Any, size: Token | None) -> n.ObserveItem:
        value = None if size is None else n.Number(_number(size), str(size), self._token_span(size))
        return self._sight(meta, "pixels", value=value)

    def see_rays(self, meta: Any, count: Any, reach: Any, hits: Any) -> n.ObserveItem:
        return self._sight(meta, "rays", rays=n.Rays(count, reach, hits or (), self._span(meta)))

    def hits(self, meta: Any, *kinds: Any) -> tuple[Any, ...]:
        return kinds

    def cone(self, meta: Any, cells: Token | None) -> n.Number:
        if cells is None:
            return n.Number(Fraction(1), "1", self._span(meta))
        return n.Number(_number(cells), str(cells), self._token_span(cells))

    def view_square(
        self, meta: Any, size: Token, anchor: Token | None, cone: n.Number | None, occluded: Any
    ) -> n.ViewShape:
        width, height = (int(part[:6]) for part in size.split("x"))
        shape = _word(anchor) or "ahead", None, cone, occluded is not None
        return n.ViewShape(width, height, *shape, self._span(meta))

    def view_reach(self, meta: Any, *parts: Any) -> n.ViewShape:
        ahead, behind, aside, cone, occluded = parts
        reach = ahead, behind, aside
        return n.ViewShape(0, 0, "ahead", reach, cone, occluded is not None, self._span(meta))

    def seen_as(self, meta: Any, kind: Any, appearance: Any, condition: Any) -> n.SeenAs:
        return n.SeenAs(kind, appearance, condition, self._span(meta))

    def form(self, meta: Any, name: Token, *entries: Any) -> n.Form:
        return n.Form(str(name), tuple(entry for entry in entries if entry is not None), self._span(meta))

    def cells_for(self, meta: Any, cell: Any, over: Any, where: Any, others: Any) -> n.CellsFor:
        return n.CellsFor(cell, over, where, others, self._span(meta))

    def code(self, meta: Any, kind: Any, number: Token) -> n.Code:
        span = self._token_span(number)
        value: Any = n.Name(str(number), span)
        if number.type == "NUMBER":
            value = n.Number(_number(number), str(number), span)
        return n.Code(kind, value, self._span(meta))


class _PartOfChoose(tuple[bool, str, Span]):
    """A name of a ``choose`` whose domain stands later in the list: ``choose a, b distinct in ...``."""

    __slots__ = ()

    def __new__(cls, starts: bool, name: str, span: Span) -> _PartOfChoose:
        return super().__new__(cls, (starts, name, span))


def parse_effects(fragment: Fragment, report: Report) -> tuple[n.Effect, ...]:
    """Parse a comma list of effects; the parts of a ``choose`` with several names are joined."""
    parsed: Sequence[Any] = parse_clause("effects", fragment, report) or ()
    effects: list[n.Effect] = []
    waiting: list[tuple[str, Span]] = []
    choosing = False
    for part in parsed:
        if isinstance(part, _PartOfChoose):
            starts, name, span = part
            if starts:
                choosing = True
            if not choosing:
                report.add("unknown-effect", span, name=name, help=_effect_help(name, report))
                continue
            waiting.append((name, span))
        elif isinstance(part, tuple):
            starts, choose = part
            if not starts and not choosing:
                report.add(
                    "unknown-effect", choose.span, name=choose.names[0], help="write `choose NAME in DOMAIN`"
                )
                continue
            choosing = True
            names = (*(name for name, _ in waiting), *choose.names)
            span = waiting[0][1].to(choose.span) if waiting else choose.span
            effects.append(n.Choose(names, choose.distinct, choose.domain, choose.where, span))
            waiting = []
        else:
            _report_waiting(waiting, report)
            waiting, choosing = [], False
            effects.append(part)
    _report_waiting(waiting, report)
    return tuple(effects)


def _report_waiting(waiting: list[tuple[str, Span]], report: Report) -> None:
    for name, span in waiting[:1]:
        report.add(
            "choose-without-domain",
            span,
            name=name,
            help=f"for example `choose {name} in 1..6` or `choose {name} in red | blue`",
        )


def _effect_help(name: str, report: Report) -> str | None:
    from griddsl.diagnostics import did_you_mean, write
    from griddsl.syntax.habits.effects import effect_help
    from griddsl.syntax.keywords import EFFECT_WORDS

    if name in report.defined:
        called = report.defined[name]
        if "(" in called:
            return f"what it is given stands behind it: `{called}`"
        return write(f"{name}()", ": a definition is carried out with brackets")
    return effect_help(name) or did_you_mean(name, EFFECT_WORDS)


def _word(token: Token | None) -> str | None:
    return None if token is None else str(token)


def _number(token: Token) -> Fraction:
    text = str(token)
    mantissa, _, exponent = text.rstrip("%").lower().partition("e")
    if exponent and abs(int(exponent[:9])) > 100:
        exponent = "100" if not exponent.startswith("-") else "-100"
    value = Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
    return value / 100 if text.endswith("%") else value


def unquote(text: str) -> str:
    """Return what a quoted text says, its escapes resolved; a bare word is returned as it is."""
    if not text.startswith('"'):
        return str(text)
    escapes = {"n": "\n", "t": "\t"}
    return re.sub(r"\\(.)", lambda match: escapes.get(match.group(1), match.group(1)), text[1:-1])
