"""Ranging: what is said of each value of a list is said once for each, with the value in the place of its name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar, cast

from griddsl.compass import LISTS
from griddsl.diagnostics import Report, did_you_mean, write
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import each_part, rewritten, walk, with_parts

_Said = TypeVar("_Said")
BUILT_IN = ("floor", "wall")  # kinds of ground without a declaration
# Fields of nodes that hold a bare word, where a name that stands for another may be.
WORDS: dict[type, str] = {n.Reward: "to", n.End: "outcome", n.Can: "action"}
RANGING = (n.Each, n.Some, n.Tally)
MOST_VALUES = 64


class Ranges:
    """What names go through in a spec: the values of lists here, numbers and cells when the game is played."""

    def __init__(self, spec: GridSpec, report: Report) -> None:
        self._report = report
        self._regions = {each.name for each in spec.regions}
        self._kinds = {kind.name for kind in spec.kinds} | {item.kind.name for item in spec.legend}
        agents = {each.name for each in spec.kinds if each.category == "agent"}
        self._agents = {"agent", *agents, *(item.name for item in spec.agents)}
        self.values = {each.name for each in (*spec.params, *spec.variables)}
        effects: list[tuple[n.Effect, ...]] = spec.blocks
        effects += [each.effects for each in spec.definitions]
        self.values |= set(local_names(effects))
        self.values |= {
            node.over.name
            for node in walk([group.items for group in spec.actions])
            if isinstance(node, n.Taken)
        }
        self._declared = self._regions | self._kinds | self.values

    def said(self, node: n.Node) -> list[n.Node]:
        """Return what a clause says, without lists; an effect may become several."""
        if not isinstance(node, RANGING) or not isinstance(node.over, n.Ranging):
            return [node]
        over, values = node.over, self._listed(node.over)
        if values is None:
            return [node]
        match node:
            case n.Each():
                return [self._round(node, over, value) for value in values]
            case n.Some(where=where):
                tests = [self._given(over, value, self._put(over, value, where)) for value in values]
                return [_some(node, tests)]
            case n.Tally("min" | "max" as how):
                return [
                    n.Extreme(
                        how == "max", tuple(self._part(node, over, value) for value in values), node.span
                    )
                ]
        return [_tally(node, [self._counted(node, over, value) for value in values])]

    def _round(self, node: n.Each, over: n.Ranging, value: n.Expression) -> n.If | n.Repeat:
        """Return the block for one value; where a condition is asked, under it."""
        where, body = self._put(over, value, (node.where, node.body))
        given = (n.Let(over.name, value, over.span),) if self._is_value(value) else ()
        if where is not None:
            body = (n.If(((where, body),), node.span),)
        whole = (*given, *body)
        if self._sends(body):  # what a round sends elsewhere goes there before the next, as in every loop
            return n.Repeat(n.Number(Fraction(1), "1", node.span), None, whole, node.span)
        return n.If(((None, whole),), node.span)

    def _sends(self, body: tuple[n.Effect, ...]) -> bool:
        """Whether a block can send something elsewhere."""
        return any(
            isinstance(each, n.Go | n.Move)
            or (isinstance(each, n.Place) and getattr(each.kind, "name", "") in self._agents)
            for each in walk(body)
        )

    def _part(
        self, node: n.Tally, over: n.Ranging, value: n.Expression
    ) -> tuple[n.Expression | None, n.Expression]:
        """Return the condition and the number of one value."""
        assert node.value is not None
        where, worth = self._put(over, value, (node.where, node.value))
        return None if where is None else self._given(over, value, where), self._given(over, value, worth)

    def _counted(self, node: n.Tally, over: n.Ranging, value: n.Expression) -> n.Expression:
        one = n.Number(Fraction(1), "1", node.span)
        zero = n.Number(Fraction(0), "0", node.span)
        where, amount = self._put(over, value, (node.where, node.value or one))
        worth = amount if where is None else n.IfElse(where, amount, zero, node.span)
        return self._given(over, value, worth)

    def _put(self, over: n.Ranging, value: n.Expression, said: _Said) -> _Said:
        """Return clauses with a value in the place of the name, but of one that is given where they are asked."""
        return said if self._is_value(value) else put(said, over.name, value, self.values)

    def _given(self, over: n.Ranging, value: n.Expression, node: n.Expression) -> n.Expression:
        if not self._is_value(value) or isinstance(node, n.Given):
            return node
        return n.Given(((over.name, value),), node, node.span)

    def _is_value(self, node: n.Expression) -> bool:
        """Whether an alternative is worth something in the game, and no word or kind that stands for itself."""
        if isinstance(node, n.Name):
            return node.name in self.values
        return not isinstance(node, n.Number | n.Truth | n.Text | n.Pattern)

    def _listed(self, over: n.Ranging) -> list[n.Expression] | None:
        """Return the values of a list; None for numbers and cells."""
        if not isinstance(over.domain, n.ChoiceDomain):
            return None
        values = list(over.domain.values)
        alone = getattr(values[0], "name", "") if len(values) == 1 else ""
        if over.name in self._kinds and alone in self._kinds | self._agents:
            each = f"`repeat 9:`, and below it `if {alone} has {over.name}: ...`, does something to up to nine of them"
            self._wrong(over, "no loop of effects goes through what is held", each)
            return []
        if over.name in self._kinds and alone not in {*self._regions, "cells"}:
            other = f"`{over.name}` is a kind: choose another name, such as `my_{over.name}`"
            area = re.fullmatch(r"(row|column)\s+(.+)", over.domain.span.text)
            if area is not None:
                asked = f"{over.name}.{'y' if area[1] == 'row' else 'x'} == {area[2]}"
                other = f"those that are there: `{over.name} where {asked}`"
            self._report.add("duplicate-name", over.span.word(over.name), name=over.name, help=other)
            return []
        if any(weight is not None for weight in over.domain.weights):
            self._wrong(over, "what a name goes through has no weights")
        (first, *more) = values
        if not more and isinstance(first, n.Name) and first.name not in LISTS:
            if first.name in self._regions or (first.name == "cells" and first.name not in self._declared):
                return None
            kind = over.name.removesuffix("s")
            if kind in self._kinds and first.name in self._kinds | self._agents:
                line = write(f"{kind} in {first.name}", ": each is called as its kind is", over.span)
                self._wrong(over, f"`{over.name}` is no kind, and `{first.name}` no values", line)
                return []
            if first.name in self._kinds:
                help: str = (
                    f"`each {first.name}:` goes through the things of the kind, and calls each `{first.name}`"
                )
                help = _counted_kind(over, first.name) or help
                self._wrong(over, f"`{first.name}` is a kind, and no values", help)
                return []
        if (
            not more
            and isinstance(first, n.Name)
            and first.name not in LISTS
            and first.name not in self.values
        ):
            if first.name in BUILT_IN:
                help = f"`each cell where {first.name} at here:` goes through those cells, each called `here`"
                self._wrong(over, f"`{first.name}` is a kind, and no values", help)
                return []
            known = [*LISTS, "cells", *self._regions, *self._kinds]
            help = (
                did_you_mean(first.name, known)
                or "values are `cells`, `directions`, a range `0..3` or `a | b`"
            )
            where = f"`{over.name} in {first.name}`"
            self._report.add("unknown-name", first.span, where=where, name=first.name, help=help)
            return []
        if not more and isinstance(first, n.Number):
            self._wrong(over, f"a range has two ends: `0..{first.text}`", None)
            return []
        if not more and isinstance(first, n.Call) and first.name == "range":
            self._wrong(over, "a range is written with its two ends", ends_of_range(first))
            return []
        found: list[n.Expression] = []
        for value in values:
            name = value.name if isinstance(value, n.Name) and value.name not in self._declared else ""
            words = LISTS.get(name)
            if words is not None:
                found += [n.Name(word, value.span) for word in words]
            else:
                found.append(value)
        if len(found) > MOST_VALUES:
            self._wrong(over, f"a list has at most {MOST_VALUES} values; numbers are a range: `0..99`")
            return []
        return found

    def _wrong(self, over: n.Ranging, reason: str, help: str | None = None) -> None:
        self._report.add("bad-domain", over.domain.span, reason=reason, help=help)


_SUMMED = re.compile(r"\b(?:sum|min|max)\(((?:[^()\n]|\([^()\n]*\))*?)\s+for\s+\Z")
_COUNTED = re.compile(r"count\(\s*(\w+)\s+in\s+(\w+)\s+where\s+([^()\"]*(?:\([^()\"]*\)[^()\"]*)*)\)")


def _counted_kind(over: n.Ranging, kind: str) -> str | None:
    """Return what `count(c in key where c.x > 2)` is to be: things are called as their kind is."""
    source, start = over.span.source, over.span.start
    summed = re.search(
        r"\b(?:sum|min|max)\(((?:[^()\n]|\([^()\n]*\))*?)\s+for\s+\Z",
        source.text[max(0, start - 200) : start],
    )
    if summed is not None:
        asks = re.compile(r"\s+where\s+(?:[^()\n]|\([^()\n]*\))*").match(source.text, over.span.end)
        asked, where = (
            re.sub(rf"(?<![\w.]){over.name}\b", kind, said) for said in (summed[1], asks[0] if asks else "")
        )
        place = replace(
            over.span, start=start - len(summed[0]) + len("sum("), end=asks.end() if asks else over.span.end
        )
        return write(f"{asked} for {kind}{where}", ": each is called as its kind is", place)
    opening = source.text.rfind("count(", max(0, start - 20), start)
    said = _COUNTED.match(source.text, opening) if opening >= 0 else None
    if said is None or (said[1], said[2]) != (over.name, kind) or source.text[opening + 6 : start].strip():
        return None
    place = replace(over.span, start=opening, end=said.end())
    asked = re.sub(rf"(?<![\w.]){over.name}\b", kind, said[3])
    return write(f"count({kind} where {asked})", place=place)


def _some(node: n.Some, tests: list[n.Expression]) -> n.Expression:
    """Return what is said of some values as one condition; what it finds has no name outside of it."""
    if not tests:
        return n.Truth(node.quantifier != "any", node.span)
    if node.quantifier == "all":
        tests = [n.Not(test, node.span) for test in tests]
    any_of = (
        n.Logic("or", tuple(tests), node.span)
        if len(tests) > 1
        else n.Not(n.Not(tests[0], node.span), node.span)
    )
    return any_of if node.quantifier == "any" else n.Not(any_of, node.span)


def _tally(node: n.Tally, parts: list[n.Expression]) -> n.Expression:
    if not parts:
        return n.Number(Fraction(0), "0", node.span)
    total = parts[0]
    for part in parts[1:]:
        total = n.Arithmetic("+", total, part, node.span)
    return total


def put(tree: _Said, name: str, value: n.Expression, values: Collection[str]) -> _Said:
    """Return clauses with a word, kind or number in the place of a name.

    ``values`` are the names that are worth something when the game is played.
    """

    def told(part: object) -> object:
        if isinstance(part, n.Name) and part.name == name:
            return replace(value, span=part.span)
        if not isinstance(part, n.Node):
            return rewritten(part, told)
        said = _worded(each_part(part, told), name, value)
        if isinstance(said, n.Pattern) and said.name == name and isinstance(value, n.KindName):
            given = value.arguments if isinstance(value, n.Pattern) else ()
            return n.Pattern(value.name, (*given, *said.arguments), said.span)
        is_asked = isinstance(part, n.Is) and isinstance(part.left, n.Name) and part.left.name == name
        return decided(said, values) if is_asked and isinstance(said, n.Is) else said

    return cast(_Said, told(tree))  # a value can stand wherever its name does


def _worded(node: n.Node, name: str, value: n.Expression) -> n.Node:
    """Return a node with a word in the place of a name, where it holds bare words or texts."""
    if not isinstance(value, n.Name):
        return node
    if isinstance(node, n.Text):
        return replace(node, value=node.value.replace("{" + name + "}", value.name))
    word = WORDS.get(type(node))
    return node if word is None or getattr(node, word) != name else with_parts(node, {word: value.name})


def decided(node: n.Is, values: Collection[str]) -> n.Is | n.Truth:
    """Return ``word is E`` as what it asks: whether two words are the same, or whether E is the word."""
    if not isinstance(node.left, n.Name) or node.left.name in values:
        return node
    if isinstance(node.right, n.Name) and node.right.name not in values:
        return n.Truth((node.left.name == node.right.name) != node.negated, node.span)
    return n.Is(node.right, node.left, node.negated, node.span)


def local_names(body: object) -> Iterator[str]:
    """Yield the names that clauses give to values and things."""
    for node in walk(body):
        match node:
            case n.Choose(names):
                yield from names
            case n.Place(alias=str(alias)):
                yield alias
            case n.Let(name) | n.Ranging(name):
                yield name


def ends_of_range(call: n.Call) -> str:
    """Return how `range(1, 3)` of Python is written here: with both of its ends, which count."""
    ends = [each.text for each in call.arguments if isinstance(each, n.Number)]
    if (
        not ends
        or len(ends) != len(call.arguments)
        or len(ends) > 2
        or not all(end.isdigit() for end in ends)
    ):
        return "both count: `0..4` has five numbers"
    low, high = ("0", *ends)[-2:]
    return write(f"{low}..{int(high) - 1}", ": both ends count", call.span)
