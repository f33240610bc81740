"""Strategies for nodes: every tree that a clause can give, by the start rule that reads it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from hypothesis import strategies as st

from griddsl.source import Source
from griddsl.syntax import nodes as n

HERE = Source("<made>", "").whole().span()
WORDS = ("alpha", "beta", "gamma", "delta_2", "box", "hero", "Zed", "_low")

Strategy: TypeAlias = st.SearchStrategy[Any]

names = st.sampled_from(WORDS)
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=8) | st.sampled_from(
    ['a "b"', "back\\slash", "two\nlines", "a\tb", "# no comment", "'"]
)


def made(node: type, *fields: Any) -> st.SearchStrategy[Any]:
    """Return nodes of a type with fields drawn from strategies, and a span that does not count."""
    return st.tuples(*fields).map(lambda drawn: node(*drawn, HERE))


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return what a strategy draws, or None."""
    return st.none() | strategy


def some(
    strategy: st.SearchStrategy[Any], least: int = 1, most: int = 3
) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return tuples of what a strategy draws."""
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


def _number(text: str) -> n.Number:
    value = Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    return n.Number(value, text, HERE)


plain_numbers = (st.integers(0, 10**6).map(str) | st.sampled_from(["0.25", "1.50", "1e3", "2.5e-2"])).map(
    _number
)
weights = plain_numbers | st.sampled_from(["20%", "2.5%"]).map(_number)
numbers = weights | st.sampled_from(["+1", "+10.5"]).map(_number)
name_nodes = made(n.Name, names)


expressions: st.SearchStrategy[Any] = st.deferred(lambda: _leaves | _branches)
patterns = made(n.Pattern, names, some(st.tuples(names, st.deferred(lambda: expressions)), 1, 2))
kinds = name_nodes | patterns
_leaves: Strategy = (
    numbers
    | name_nodes
    | made(n.Text, texts)
    | made(n.Truth, st.booleans())
    | made(n.Random, st.none())
    | made(n.Can, st.none(), names)
    | made(n.Quantified, st.sampled_from(["all", "any", "no"]), name_nodes)
    | made(n.Other, name_nodes)
)
_operands = st.deferred(lambda: expressions)
_rangings: Strategy = made(n.Ranging, names, st.deferred(lambda: domains))
# `all K` and `no K` stand before a relation, and not behind it.
_behind = st.deferred(
    lambda: expressions.filter(lambda node: not isinstance(node, n.Quantified) or node.quantifier == "any")
)
superlatives = made(n.Superlative, kinds, st.booleans(), _operands, maybe(_operands)) | made(
    n.Superlative, kinds, st.just(False), st.none(), _operands
)
there = made(n.There, kinds, _operands)
_plain_call = st.builds(
    lambda name, given: n.Call(name, given, None, None, None, HERE), names, some(_operands, 0, 3)
)
_where_call = st.builds(
    lambda name, a, w: n.Call(name, (a,), None, w, None, HERE), names, kinds, _operands
)  # of a kind: behind another condition `where` belongs to that
_for_call = st.builds(
    lambda name, a, k, w: n.Call(name, (a,), k, w, None, HERE), names, _operands, kinds, maybe(_operands)
)
_one_or_several: Strategy = kinds | some(kinds, 2, 3).map(lambda given: n.Logic("or", given, HERE))
_avoiding_call = st.builds(
    lambda name, a, b, k: n.Call(name, (a, b), None, None, k, HERE),
    *(names, _operands, _operands, _one_or_several),
)
_branches: Strategy = (
    patterns
    | _plain_call
    | _where_call
    | _for_call
    | _avoiding_call
    | made(n.Attribute, _operands, names)
    | made(n.Negate, _operands)
    | made(n.Arithmetic, st.sampled_from(["+", "-", "*", "/", "div", "mod"]), _operands, _operands)
    | made(n.Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), _operands, _operands)
    | made(n.Not, _operands)
    | made(n.Some, st.sampled_from(["all", "any", "no"]), kinds | _rangings, _operands)
    | made(n.Tally, st.just("count"), st.none(), _rangings, maybe(_operands))
    | made(n.Tally, st.sampled_from(["sum", "min", "max"]), _operands, _rangings, maybe(_operands))
    | made(n.Best, made(n.Superlative, kinds, st.booleans(), _operands, maybe(_operands)))
    | made(n.IfElse, _operands, _operands, _operands)
    | made(n.Is, _operands, _operands, st.booleans())
    | made(n.Can, _operands, names)
    | made(n.Relation, st.sampled_from(["on", "at", "has"]), _operands, _behind, st.none())
    | made(n.Relation, st.sampled_from(["ahead", "left"]), _operands, st.none(), st.none())
    | made(n.Relation, st.just("within"), _operands, _behind, _operands)
    | made(n.Relation, st.just("sees"), _operands, _behind, maybe(_operands))
    | made(n.Position, _operands, _operands)
    | made(n.Quantified, st.sampled_from(["all", "any", "no"]), patterns)
    | made(n.Other, patterns)
    | superlatives
    | there
    | st.tuples(st.sampled_from(["and", "or", "xor"]), some(_operands, 2, 3)).map(
        lambda drawn: n.Logic(drawn[0], drawn[1], HERE)
    )
)

areas = (
    made(n.Area, st.sampled_from(["column", "row"]), expressions)
    | st.just(n.Area("border", None, HERE))
    | name_nodes.map(lambda name: n.Area("region", name, HERE))
)
random_cells = made(n.RandomCell, kinds, maybe(areas), maybe(expressions), maybe(kinds))
every_cells = made(n.EveryCell, kinds, maybe(expressions), maybe(expressions))
_weighted = some(st.tuples(expressions, maybe(weights)), 1, 3)
domains: Strategy = made(n.RangeDomain, expressions, expressions) | _weighted.map(
    lambda pairs: n.ChoiceDomain(
        tuple(value for value, _ in pairs), tuple(weight for _, weight in pairs), HERE
    )
)
targets = name_nodes | made(n.Attribute, name_nodes, names)

effects = (
    made(n.Reward, expressions, st.booleans(), st.just(False), maybe(names))
    | made(n.Reward, expressions, st.just(False), st.just(True), st.none())
    | made(n.End, maybe(names))
    | made(n.Truncate)
    | made(n.Out, maybe(name_nodes), st.none(), st.none())
    | made(n.Out, maybe(name_nodes), expressions, maybe(expressions | random_cells))
    | made(n.Cancel)
    | made(n.Again)
    | made(n.Go, expressions | random_cells)
    | made(n.Move, kinds | superlatives | there, st.none(), expressions | random_cells)
    | made(n.Move, kinds | superlatives, name_nodes | made(n.Attribute, name_nodes, names), st.none())
    | made(n.Turn, expressions)
    | made(n.Handle, st.sampled_from(["pickup", "drop", "remove"]), kinds | superlatives)
    | made(
        n.Place,
        maybe(expressions),
        kinds,
        maybe(names),
        expressions | random_cells | every_cells,
        st.none(),
        st.none(),
        st.booleans(),
    )
    | made(n.Place, maybe(expressions), kinds, st.none(), st.none(), areas, maybe(expressions), st.booleans())
    | made(n.Becomes, targets, expressions)
    | made(n.Assign, targets, st.sampled_from(["=", "+=", "-="]), expressions)
    | made(n.Info, names, expressions)
    | made(n.Let, names, expressions)
    | made(n.CarryOut, names, some(expressions, 0, 2))
    | made(n.Choose, some(names), st.booleans(), domains, maybe(expressions))
    | made(n.Choose, some(names), st.booleans(), random_cells, st.none())
)

one_of_kinds = st.tuples(kinds, kinds).map(lambda pair: n.Logic("or", pair, HERE))

events = st.sampled_from(["enter", "leave", "bump", "push", "pickup", "drop", "toggle", "meet"])
triggers = (
    st.sampled_from(["step", "act"]).map(lambda event: n.Trigger(event, None, None, HERE))
    | made(n.Trigger, st.just("every"), st.none(), expressions)
    | made(n.Trigger, st.just("each"), st.none(), kinds | one_of_kinds)
    | made(n.Trigger, st.sampled_from(["do", "fail"]), st.none(), name_nodes)
    | made(n.Trigger, events, maybe(kinds), kinds | one_of_kinds)
)
rule_heads = made(n.RuleHead, triggers, maybe(expressions), maybe(expressions)) | made(
    n.RuleHead, made(n.Trigger, st.just("when"), st.none(), expressions), st.none(), maybe(expressions)
)

_policies = st.deferred(lambda: movers)
movers: Strategy = (
    st.tuples(
        *(st.just("random"), st.none(), st.integers(0, 9), maybe(expressions), maybe(expressions)),
        maybe(_one_or_several),
    ).map(
        lambda drawn: n.Mover(
            drawn[0], drawn[1], drawn[2], drawn[3], drawn[4], None, None, drawn[5], None, None, HERE
        )
    )
    | st.tuples(
        st.sampled_from(["toward", "away from"]), kinds, maybe(names), maybe(expressions), maybe(expressions)
    ).map(
        lambda drawn: n.Mover(
            drawn[0], drawn[1], 4, drawn[3], drawn[4], None, None, None, drawn[2], None, HERE
        )
    )
    | st.tuples(
        st.sampled_from(["patrol", "forward"]),
        expressions,
        _policies,
        maybe(_one_or_several),
        maybe(expressions),
    ).map(
        lambda drawn: n.Mover(
            drawn[0], None, 4, None, None, drawn[1], drawn[2], drawn[3], None, drawn[4], HERE
        )
    )
)
properties = (
    made(
        n.Guarded,
        st.sampled_from(["solid", "opaque"]),
        st.sampled_from(["unless", "if"]),
        expressions,
        st.none(),
    )
    | made(n.Guarded, st.just("pushable"), st.sampled_from(["unless", "if"]), expressions, maybe(expressions))
    | st.sampled_from(["solid", "opaque"]).map(lambda name: n.Guarded(name, "always", None, None, HERE))
    | st.sampled_from(["slide", "portable"]).map(lambda name: n.Property(name, None, (), HERE))
    | made(n.Property, st.sampled_from(["carry", "one_way", "layer"]), names, st.just(()))
    | made(n.Property, st.just("drift"), names, some(expressions))
    | made(n.Property, st.sampled_from(["pushable", "carries"]), st.none(), some(expressions, 0, 1))
    | made(n.AttributeItem, names, maybe(expressions), domains)
    | movers
)
variables = made(n.AttributeItem, st.just(""), maybe(expressions), domains) | made(
    n.AttributeItem, st.just(""), expressions, st.none()
)
glyphs = st.sampled_from(["C", "g", "7", "$", "#", '"', "\\", "|", " ", "_", "é"])
legend_items = made(n.LegendItem, glyphs, kinds, maybe(kinds))
keys = st.sampled_from(["r", "up", "space", "left shift", "7", "+", "a  b", "ctrl-c", ""])
primitives = made(n.Primitive, names, st.none(), st.none(), st.none()) | made(
    n.Primitive, names, expressions, maybe(kinds), maybe(expressions)
)
arguments = made(n.Taken, made(n.Ranging, names, domains), maybe(expressions))
actions = made(n.ActionItem, names, some(arguments, 0, 2), some(keys, 0, 2), maybe(primitives)) | made(
    n.Joystick, plain_numbers
)
slips = made(n.SlipItem, expressions, st.sampled_from(["left", "right", "back"]))
# One end of four is long: of four long ones most would be larger than what is drawn at most.
_ends = st.tuples(expressions, *[plain_numbers | name_nodes] * 3).flatmap(st.permutations)
regions = _ends.map(lambda ends: n.Rectangle(ends[0], ends[1], ends[2], ends[3], HERE))
agents = made(n.AgentsItem, names, maybe(expressions))
_told = made(n.TotalReward, st.just("total")) | made(
    n.CountOf, st.just("count of"), triggers, maybe(expressions)
)
infos = made(n.NamedValue, names, expressions | _told)
looks = (
    made(n.LookItem, st.sampled_from(["color", "sprite"]), texts)
    | made(n.LookItem, st.just("color"), names)
    | made(n.LookItem, st.just("shape"), names)
)

forms = made(n.Form, names, some(expressions | made(n.Code, targets, plain_numbers | name_nodes), 0, 2))
_sizes = st.integers(1, 99)
_cones = maybe(st.integers(1, 9).map(lambda cells: n.Number(Fraction(cells), str(cells), HERE)))
views = made(
    n.ViewShape,
    _sizes,
    _sizes,
    st.sampled_from(["ahead", "centered", "centered north up"]),
    st.none(),
    _cones,
    st.booleans(),
) | st.tuples(st.tuples(expressions, expressions, expressions), _cones, st.booleans()).map(
    lambda drawn: n.ViewShape(0, 0, "ahead", drawn[0], drawn[1], drawn[2], HERE)
)
rays = made(n.Rays, expressions, maybe(expressions), some(kinds | made(n.Other, kinds), 0, 3))


def _sights(*noise: Any) -> st.SearchStrategy[Any]:
    none = st.none()
    return (
        made(n.ObserveItem, noise[0], st.just("value"), expressions, none, none, maybe(forms), *noise[1:])
        | made(n.ObserveItem, noise[0], st.just("position"), kinds, none, none, maybe(forms), *noise[1:])
        | made(n.ObserveItem, noise[0], st.just("grid"), none, none, none, maybe(forms), *noise[1:])
        | made(n.ObserveItem, noise[0], st.just("view"), none, views, none, maybe(forms), *noise[1:])
        | made(n.ObserveItem, noise[0], st.just("rays"), none, none, rays, none, *noise[1:])
        | made(n.ObserveItem, noise[0], st.just("pixels"), maybe(plain_numbers), none, none, none, *noise[1:])
    )


observations = (
    _sights(maybe(names), st.none(), st.none())
    | _sights(maybe(names), expressions, _sights(st.none(), st.none(), st.none()))
    | made(n.SeenAs, targets, kinds, maybe(expressions))
)
