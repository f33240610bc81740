"""What each form in ``clause.lark`` becomes: one row a form, or a method where a row would not hold it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from lark import Token, Transformer, Tree, v_args
from lark.tree import Meta

from griddsl.diagnostics import Report
from griddsl.source import Fragment, Span
from griddsl.syntax import nodes as n
from griddsl.syntax.document import unquote
from griddsl.syntax.misplaced import report_calls, report_misread

_Part: TypeAlias = n.Expression | None


class PartOfChoose(NamedTuple):
    """A name of a ``choose`` whose domain stands later in the list: ``choose a, b distinct in ...``."""

    starts: bool
    name: str
    span: Span


def _number(token: str) -> Fraction:
    text = str(token)
    mantissa, _, exponent = text.rstrip("%").lower().partition("e")
    if exponent and abs(int(exponent[:9])) > 100:
        exponent = "100" if not exponent.startswith("-") else "-100"
    value = Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
    return value / 100 if text.endswith("%") else value


def _argument(role: str, *before: object) -> Callable[..., tuple[object, ...]]:
    return lambda *parts: (role, *before, *parts[:-1])


def _given(*parts: Any) -> tuple[Any, ...]:
    return tuple(part for part in parts[:-1] if part is not None)


def _relation(name: str) -> Callable[..., n.Relation]:
    return lambda left, right, span: n.Relation(name, left, right, None, span)


def _attribute(name: str, *parts: Any) -> n.AttributeItem:
    return n.AttributeItem(name, parts[0] if len(parts) == 3 else None, parts[-2], parts[-1])


def _mover(
    word: str, target: _Part, by: str | None, cells: _Part, span: Span, neighbours: int = 4
) -> n.Mover:
    return n.Mover(word, target, neighbours, None, None, None, None, None, by, cells, span)


def _by_chance(test: _Part, chance: _Part, span: Span) -> _Part:
    return test if chance is None else n.ByChance(test, chance, span)


def _sight(
    what: str, span: Span, value: Any = None, view: Any = None, rays: Any = None, form: Any = None
) -> n.ObserveItem:
    return n.ObserveItem(None, what, value, view, rays, form, None, None, span)


# What stands behind a form's name is given the parts of the form in the grammar's order, words as plain texts,
# and the span of the whole.
ROWS: Mapping[str, Callable[..., Any]] = {
    # Expressions
    "if_else": lambda then, test, otherwise, span: n.IfElse(test, then, otherwise, span),
    "logic_or": lambda *parts: n.Logic("or", parts[:-1], parts[-1]),
    "logic_xor": lambda *parts: n.Logic("xor", parts[:-1], parts[-1]),
    "logic_and": lambda *parts: n.Logic("and", parts[:-1], parts[-1]),
    "one_of": lambda *parts: n.Logic("or", parts[:-1], parts[-1]),
    "negation": n.Not,
    "compare": lambda left, operator, right, span: n.Compare(operator, left, right, span),
    "is_": lambda left, right, span: n.Is(left, right, False, span),
    "is_not": lambda left, right, span: n.Is(left, right, True, span),
    "on_": _relation("on"),
    "at_": _relation("at"),
    "has_": _relation("has"),
    "ahead_": lambda left, span: n.Relation("ahead", left, None, None, span),
    "left_": lambda left, span: n.Relation("left", left, None, None, span),
    "within_": lambda left, distance, right, span: n.Relation("within", left, right, distance, span),
    "sees_": lambda left, right, distance, span: n.Relation("sees", left, right, distance, span),
    "can_": n.Can,
    "arithmetic": lambda left, operator, right, span: n.Arithmetic(operator, left, right, span),
    "negative": lambda _sign, value, span: n.Negate(value, span),
    "positive": lambda _sign, number, span: n.Number(_number(number), f"+{number}", span),
    "attribute": n.Attribute,
    "number": lambda number, span: n.Number(_number(number), number, span),
    "text": lambda text, span: n.Text(unquote(text), span),
    "true_": lambda span: n.Truth(True, span),
    "false_": lambda span: n.Truth(False, span),
    "random_": lambda span: n.Random(None, span),
    "random_of": n.Random,
    "random_keyword": lambda name, domain, span: ("keyword", (name, n.Random(domain, span))),
    "name": n.Name,
    "keyword": lambda name, value, _: ("keyword", (name, value)),
    "plain_argument": _argument("value"),
    "where_argument": _argument("where"),
    "for_argument": _argument("for"),
    "ranging_argument": _argument("tally", None),
    "for_ranging_argument": _argument("tally"),
    "avoiding_argument": _argument("avoiding"),
    "ranging": n.Ranging,
    "some": n.Some,
    "other": lambda _, kind, span: n.Other(kind, span),
    "superlative": lambda over, word, value, where, span: n.Superlative(
        over, word == "most", value, where, span
    ),
    "first": lambda over, where, span: n.Superlative(over, False, None, where, span),
    "there": n.There,
    "position": n.Position,
    "wide_area": lambda left, right, top, bottom, span: n.Rectangle(left, right, top, bottom or top, span),
    "tall_area": lambda left, top, bottom, span: n.Rectangle(left, left, top, bottom, span),
    # Cells and domains
    "random_cell": n.RandomCell,
    "every_cell": n.EveryCell,
    "area_column": lambda value, span: n.Area("column", value, span),
    "area_row": lambda value, span: n.Area("row", value, span),
    "area_border": lambda span: n.Area("border", None, span),
    "area_rectangle": lambda rectangle, span: n.Area("rectangle", rectangle, span),
    "area_region": lambda name, span: n.Area("region", n.Name(name, span), span),
    "range_domain": n.RangeDomain,
    "choice_domain": lambda *parts: n.ChoiceDomain(
        tuple(value for value, _ in parts[:-1]), tuple(weight for _, weight in parts[:-1]), parts[-1]
    ),
    "weighted": lambda value, weight, _: (value, weight),
    # Effects
    "effects": _given,
    "reward": lambda value, to, span: n.Reward(value, False, False, to, span),
    "reward_set": lambda value, to, span: n.Reward(value, True, False, to, span),
    "hidden_reward": lambda value, to, span: n.Reward(value, False, True, to, span),
    "recipient": lambda name, _: name,
    "end": n.End,
    "truncate": n.Truncate,
    "out": lambda steps, back, span: n.Out(None, steps, back, span),
    "out_who": n.Out,
    "cancel": n.Cancel,
    "again": n.Again,
    "go": n.Go,
    "move": lambda subject, direction, span: n.Move(subject, direction, None, span),
    "move_to": lambda subject, destination, span: n.Move(subject, None, destination, span),
    "turn": n.Turn,
    "turn_aside": n.Turn.aside,
    "handle": n.Handle,
    "place_at": lambda count, kind, alias, at, free, span: n.Place(
        count, kind, alias, at, None, None, free is not None, span
    ),
    "place_in": lambda count, kind, area, where, free, span: n.Place(
        count, kind, None, None, area, where, free is not None, span
    ),
    "becomes": n.Becomes,
    "assign": n.Assign,
    "choose_name": lambda name, span: PartOfChoose(True, name, span),
    "choose_more_name": lambda name, span: PartOfChoose(False, name, span),
    "choose": lambda binding, span: (True, replace(binding, span=span)),
    "choose_more": lambda binding, _: (False, binding),
    "binding": lambda name, distinct, domain, where, span: n.Choose(
        (name,), distinct is not None, domain, where, span
    ),
    "info": n.Info,
    "let": n.Let,
    "if_head": lambda test, chance, span: _by_chance(test, chance, span),
    "else_if_head": lambda test, chance, span: _by_chance(test, chance, span),
    **dict.fromkeys(("slip_head", "look_head"), lambda asked, _: asked),
    "retry_head": lambda count, until, _: (count, until),
    "repeat_head": lambda count, until, _: (count, until),
    "each_head": lambda kind, where, by, down, chance, span: (
        kind,
        _by_chance(where, chance, span),
        by,
        down is not None,
    ),
    "each_ranging_head": lambda over, where, chance, span: (
        over,
        _by_chance(where, chance, span),
        None,
        False,
    ),
    # Rules
    "rule": n.RuleHead,
    "when_rule": lambda when, chance, span: n.RuleHead(when, None, chance, span),
    "when": lambda test, span: n.Trigger("when", None, test, span),
    "each_step": lambda span: n.Trigger("step", None, None, span),
    "every_steps": lambda count, span: n.Trigger("every", None, count, span),
    "each_kind": lambda kind, span: n.Trigger("each", None, kind, span),
    "on_act": lambda span: n.Trigger("act", None, None, span),
    "on_event": lambda event, kind, span: n.Trigger(event, None, kind, span),
    "on_subject_event": lambda subject, event, kind, span: n.Trigger(event, subject, kind, span),
    "event": lambda word, _: word,
    # Items of declarations
    **dict.fromkeys(
        (
            "properties",
            "regions",
            "actions",
            "slip",
            "agents",
            "rewards",
            "infos",
            "looks",
            "observations",
            "legend",
        ),
        _given,
    ),
    "always": lambda name, span: n.Guarded(name, "always", None, None, span),
    "guarded": lambda name, word, test, span: n.Guarded(name, word, test, None, span),
    "pushable_guarded": lambda name, most, word, test, span: n.Guarded(name, word, test, most, span),
    "plain_property": lambda name, span: n.Property(name, None, (), span),
    "word_property": lambda name, word, *more: n.Property(name, word, more[:-1], more[-1]),
    "number_property": lambda name, *more: n.Property(name, None, _given(*more), more[-1]),
    "unknown_property": lambda name, span: n.Property(name, None, (), span),
    "attribute_item": _attribute,
    "variable": lambda *parts: _attribute("", *parts),
    "variable_value": lambda value, span: n.AttributeItem("", value, None, span),
    "moves": lambda mover, _: mover,
    "mover": lambda policy, avoiding, every, chance, span: replace(
        policy, avoiding=avoiding, every=every, chance=chance, span=span
    ),
    "mover_if": lambda policy, avoiding, test, otherwise, span: replace(
        policy, avoiding=avoiding, test=test, otherwise=otherwise, span=span
    ),
    "policy_random": lambda count, span: _mover("random", None, None, None, span, int(_number(count or "4"))),
    "policy_toward": lambda kind, by, span: _mover("toward", kind, by, None, span),
    "policy_away": lambda kind, by, span: _mover("away from", kind, by, None, span),
    "policy_name": lambda name, cells, span: _mover(name, None, None, cells, span),
    "legend_item": lambda glyph, kind, tile, span: n.LegendItem(unquote(glyph), kind, tile, span),
    "legend_value": lambda kind, tile, span: n.LegendItem("", kind, tile, span),
    "region_item": lambda left, right, top, bottom, span: n.Rectangle(
        left, right or left, top, bottom or top, span
    ),
    "action": lambda name, arguments, keys, primitive, span: n.ActionItem(
        name, arguments or (), keys or (), primitive, span
    ),
    "takes": _given,
    "taken": n.Taken,
    "keys": _given,
    "key": lambda *parts: " ".join(unquote(word) for word in parts[:-1]),
    "named_primitive": lambda name, span: n.Primitive(name, None, None, None, span),
    "slip_item": n.SlipItem,
    "agents_item": n.AgentsItem,
    "step": lambda span: n.Name("step", span),
    "clip": lambda low, high, span: n.RewardChange("clip", (low, high), span),
    "scale": lambda factor, span: n.RewardChange("scale", (factor,), span),
    "limit": lambda value, _: value,
    "info_item": n.NamedValue,
    "total_reward": n.TotalReward,
    "count_of": lambda word, of, trigger, *more: n.CountOf(f"{word} {of}", trigger, *(None, *more)[-2:]),
    "look_color": lambda value, span: n.LookItem("color", unquote(value), span),
    "look_shape": lambda value, span: n.LookItem("shape", value, span),
    "look_sprite": lambda value, span: n.LookItem("sprite", unquote(value), span),
    # Observations
    "named_observation": lambda name, item, span: replace(item, name=name, span=span),
    "bare_observation": lambda item, _: item,
    "noisy": lambda item, chance, noise, span: replace(item, chance=chance, noise=noise, span=span),
    "see_value": lambda value, form, span: _sight("value", span, value=value, form=form),
    "see_position": lambda kind, form, span: _sight("position", span, value=kind, form=form),
    "see_grid": lambda form, span: _sight("grid", span, form=form),
    "see_view": lambda view, form, span: _sight("view", span, view=view, form=form),
    "see_rays": lambda count, reach, hits, span: _sight(
        "rays", span, rays=n.Rays(count, reach, hits or (), span)
    ),
    "hits": _given,
    "view_reach": lambda ahead, behind, aside, sight, span: n.ViewShape(
        0, 0, "ahead", (ahead, behind, aside), sight[0], sight[1], span
    ),
    "sightline": lambda a, b, _: (b, True) if isinstance(b, n.Number) else (a, b is not None),
    "seen_as": n.SeenAs,
    "form": lambda name, *more: n.Form(name, _given(*more), more[-1]),
    "cells_for": n.CellsFor,
}


def made(tree: Tree[Token], fragment: Fragment, report: Report) -> Any:
    """Return what the tree of a fragment becomes; what no call takes is reported."""
    nodes = _Nodes(fragment)
    clause = nodes.transform(tree)
    report_calls(nodes.misplaced, nodes.problems, report)
    report_misread(clause, fragment, report)
    return clause


@v_args(meta=True, inline=True)
class _Nodes(Transformer[Token, Any]):
    """A tree becomes a node by the rows above; the methods are named like forms that ask where a word stands."""

    def __init__(self, fragment: Fragment) -> None:
        super().__init__()
        self._fragment = fragment
        self.problems: list[tuple[Span, str]] = []
        self.misplaced: list[tuple[str, n.Tally, bool]] = []

    def __default__(self, data: str, children: list[object], meta: Meta) -> Any:
        parts = (str(child) if isinstance(child, Token) else child for child in children)
        return ROWS[data](*parts, self._span(meta))

    def _span(self, meta: Meta) -> Span:
        if getattr(meta, "empty", True):
            return self._fragment.span(0, 0)
        return self._fragment.span(meta.start_pos, meta.end_pos)

    def _token_span(self, token: Token) -> Span:
        return self._fragment.span(token.start_pos or 0, token.end_pos or 0)

    def _name(self, token: Token) -> n.Name:
        return n.Name(unquote(token), self._token_span(token))

    def _numeral(self, token: Token) -> n.Number:
        return n.Number(_number(token), str(token), self._token_span(token))

    def call(self, meta: Meta, name: Token, *arguments: Any) -> n.Pattern | n.Call | n.Tally | n.Best:
        span = self._span(meta)
        given = [argument for argument in arguments if argument is not None]
        keywords = [argument for argument in given if argument[0] == "keyword"]
        tally = next((argument for argument in given if argument[0] == "tally"), None)
        if tally is not None:
            _, value, over, *where = tally
            made = n.Tally(str(name), value, over, where[0] if where else None, span)
            if len(given) > 1 or name not in ({"count"} if value is None else {"sum", "min", "max"}):
                self.misplaced.append((str(name), made, len(given) == 1))
            return made
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
                each, where = more if len(more) == 2 else (more[0], None)
            elif role == "avoiding":
                avoiding = more[0]
        if name in {"min", "max"} and isinstance(each, n.Name | n.Pattern) and len(values) == 1:
            return n.Best(n.Superlative(each, name == "max", values[0], where, span), span)
        return n.Call(str(name), tuple(values), each, where, avoiding, span)

    def carry_out(self, meta: Meta, name: Token, *arguments: Any) -> n.CarryOut:
        call = self.call(meta, name, *arguments)
        if not isinstance(call, n.Call):
            self.problems.append((call.span, str(name)))
            return n.CarryOut(str(name), (), call.span)
        return n.CarryOut(call.name, call.arguments, call.span)

    def quantified(self, meta: Meta, quantifier: Token, kind: n.Expression) -> n.Quantified:
        if kind == n.Name("agents", kind.span):
            kind = n.Name("agent", kind.span)
        return n.Quantified(str(quantifier), kind, self._span(meta))

    def kind(self, meta: Meta, name: Token, *keywords: Any) -> n.KindName:
        given = [keyword[1] for keyword in keywords if keyword is not None]
        if given:
            return n.Pattern(str(name), tuple(given), self._span(meta))
        return n.Name(str(name), self._span(meta))

    def move_way(self, meta: Meta, name: Token, direction: n.Expression) -> n.Move:
        return n.Move(self._name(name), direction, None, self._span(meta))

    def names(self, meta: Meta, *words: Token | None) -> tuple[n.Name, ...]:
        return tuple(self._name(word) for word in words if word is not None)

    define_head = names

    def on_do(self, meta: Meta, action: Token) -> n.Trigger:
        return n.Trigger("do", None, self._name(action), self._span(meta))

    def on_fail(self, meta: Meta, action: Token) -> n.Trigger:
        return n.Trigger("fail", None, self._name(action), self._span(meta))

    def joystick(self, meta: Meta, directions: Token) -> n.Joystick:
        return n.Joystick(self._numeral(directions), self._span(meta))

    def move_primitive(self, meta: Meta, way: Token, cells: Any, through: Any, chance: Any) -> n.Primitive:
        one = n.Number(Fraction(1), "1", self._token_span(way))
        return n.Primitive(str(way), cells or one, through, chance, self._span(meta))

    def see_pixels(self, meta: Meta, size: Token | None) -> n.ObserveItem:
        return _sight("pixels", self._span(meta), value=None if size is None else self._numeral(size))

    def cone(self, meta: Meta, cells: Token | None) -> n.Number:
        return n.Number(Fraction(1), "1", self._span(meta)) if cells is None else self._numeral(cells)

    def view_square(self, meta: Meta, size: Token, anchor: Token | None, sight: Any) -> n.ViewShape:
        width, height = (int(part[:6]) for part in size.split("x"))
        where = "ahead" if anchor is None else " ".join(anchor.split())
        return n.ViewShape(width, height, where, None, sight[0], sight[1], self._span(meta))

    def code(self, meta: Meta, kind: Any, number: Token) -> n.Code:
        value = self._numeral(number) if number.type == "NUMBER" else self._name(number)
        return n.Code(kind, value, self._span(meta))
