"""Groups: several kinds where one can be named, and names that are given to kinds and things.

``any object``, ``count(portable)``, ``agent has (ball or key)``, and ``on drop moved`` where setup chose or placed what
is `moved`: what is said of them is said of each kind that they can be, before anything is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar, cast

from griddsl.diagnostics import Report
from griddsl.source import Span
from griddsl.spec.clauses import clauses_of
from griddsl.spec.desugar.joining import added_up, both, joined, zero
from griddsl.spec.desugar.members import (
    GROUPS,
    Kinds,
    Member,
    kind_named,
    name_of,
    with_arguments,
)
from griddsl.spec.models import ActionGroup, GridSpec, Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import OF_KINDS
from griddsl.syntax.nodes import each_part, rewritten, walk, with_parts
from griddsl.syntax.printer import to_text

_Said = TypeVar("_Said")


def ungrouped(spec: GridSpec, report: Report) -> GridSpec | None:
    """Return the same spec with every group said kind by kind; None where it has none."""
    kinds = Kinds(spec)
    if not kinds.are_taken_or_drawn(spec) and not any(kinds.speaks(node) for node in clauses_of(spec)):
        return None
    return _Rewriter(spec, kinds, report).spec()


class _Rewriter:
    def __init__(self, spec: GridSpec, kinds: Kinds, report: Report) -> None:
        self._spec, self._kinds, self._report = spec, kinds, report
        self._bound: frozenset[str] = (
            frozenset()
        )  # words that mean a thing where a loop goes through all of them

    def spec(self) -> GridSpec:
        """Return the spec with every group said kind by kind."""
        spec = self._spec
        kept = {"definitions", "mission", "rules", "legend", "actions", "allow"}
        changes = {
            name: self._said(getattr(spec, name)) for name in type(spec).model_fields if name not in kept
        }
        changes["rules"] = tuple(each for rule in spec.rules for each in self._rules(rule))
        changes["allow"] = tuple(self._among(self._kinds.of_action(each.action), each) for each in spec.allow)
        changes["actions"] = tuple(replace(each, items=self._items(each)) for each in spec.actions)
        plain = spec.model_copy(update=changes)
        plain._plain = None
        return plain

    def _items(self, group: ActionGroup) -> tuple[n.ActionItem | n.Joystick, ...]:
        """Return the actions of a list, each with what it takes among the names for kinds."""
        return tuple(
            self._among(self._kinds.of_action(getattr(each, "name", "")), each) for each in group.items
        )

    def _among(self, kinds: Kinds, node: _Said) -> _Said:
        """Return a node with every group said kind by kind, where these names stand for kinds."""
        outside = self._kinds
        self._kinds = kinds
        said = cast(_Said, self._said(node))  # what can stand in the same place
        self._kinds = outside
        return said

    def _said(self, value: object) -> object:
        """Return a node, or a tuple of them, with every group in it said kind by kind."""
        if isinstance(value, n.Each | n.Superlative) and name_of(value.over) in GROUPS:
            return self._through(value)
        if isinstance(value, n.There) and (things := self._kinds.things(value.over)) is not None:
            value = replace(value, over=things)
        if isinstance(value, n.Node) and (called := _called_apart(value)) is not None:
            return self._within(called, value)
        if isinstance(value, n.Form):
            value = replace(
                value, entries=tuple(each for entry in value.entries for each in self._shown(entry))
            )
        if isinstance(value, n.ChoiceDomain) and len(value.values) == 1:
            things = self._kinds.things(value.values[0])
            return value if things is None else replace(value, values=(things,))
        if isinstance(value, n.Mover | n.Call) and value.avoiding is not None:
            value = replace(value, avoiding=self._any_of(value.avoiding))
        if isinstance(value, n.Expression):
            value = self._expression(value)
        return rewritten(value, self._said)

    def _any_of(self, node: n.Expression) -> n.Expression:
        """Return the kinds that a node in the place of one can be as `a or b`, each with what has to hold for it."""
        members = self._kinds.of(node)
        if members is None:
            return node
        kinds: list[n.Expression] = [
            each.kind if each.guard is None else n.Logic("and", (each.guard, each.kind), node.span)
            for each in members
        ]
        return kinds[0] if len(kinds) == 1 else n.Logic("or", tuple(kinds), node.span)

    def _shown(self, entry: n.FormEntry) -> Iterator[n.FormEntry]:
        """Yield what shows things of a group in a grid: a code for each kind of it, a plane for all of them."""
        if isinstance(entry, n.Code):
            members = self._kinds.of(entry.kind)
            fixed = members is not None and all(member.guard is None for member in members)
            yield from (replace(entry, kind=each.kind) for each in members or ()) if fixed else (entry,)
            return
        if isinstance(entry, n.CellsFor):
            yield entry
            return
        kind = entry.kind if isinstance(entry, n.Quantified) and entry.quantifier == "any" else entry
        if self._kinds.of(kind) is None or (kind is entry and self._kinds.asks(entry)):
            yield entry
            return
        here = n.Name("here", Span(entry.span.source, entry.span.start, entry.span.start, entry.span.through))
        yield n.Relation("at", n.Quantified("any", kind, entry.span), here, None, entry.span)

    def _through(self, node: n.Each | n.Superlative) -> n.Node:
        """Return a loop, or the one of several, that goes through the things of a group: there its word means one."""
        things = self._kinds.things(node.over)
        if things is None:
            return self._within(None, node)
        return with_parts(self._within(things.called, node), {"over": things})

    def _within(self, called: str | None, node: n.Node) -> n.Node:
        """Return a clause in which a word means the thing that is gone through."""
        outside = self._bound
        if called is not None:
            self._bound |= {called}
        said = each_part(node, self._said)
        self._bound = outside
        return said

    def _of(self, node: object) -> tuple[Member, ...] | None:
        """Return the kinds that a word can be, where it means no thing of a loop."""
        return None if name_of(node) in self._bound else self._kinds.of(node)

    def _expression(self, node: n.Expression) -> n.Expression:
        match node:
            case (
                n.Relation(left=n.Quantified(quantifier, kind))
                | n.Is(left=n.Quantified(quantifier, kind))
                | n.Can(left=n.Quantified(quantifier, kind))
            ) if (members := self._kinds.of(kind)) is not None:
                return joined(quantifier, members, node, lambda k: self._expression(_with_left(node, k)))
            case n.Relation(name, left, right):
                if (members := self._of(left)) is not None:
                    return self._left(node, members)
                asked = right.kind if isinstance(right, n.Quantified) and right.quantifier == "any" else right
                kinds = self._of if asked is right else self._kinds.of
                if name != "at" and (members := kinds(asked)) is not None:
                    return self._right(node, members)
            case n.Is(left, right) if self._kinds.is_choice(right):
                tests = [replace(node, right=each, negated=False) for each in _alternatives(right)]
                either = n.Logic("or", tuple(tests), node.span)
                return n.Not(either, node.span) if node.negated else either
            case n.Is(left, n.Name(name)) if (
                name in GROUPS and (members := self._kinds.of(node.right)) is not None
            ):
                tests = [replace(node, right=each.kind, negated=False) for each in members]
                either = n.Logic("or", tuple(tests), node.span)
                return n.Not(either, node.span) if node.negated else either
            case n.Some(quantifier, over, where) if (members := self._kinds.of(over)) is not None:
                self._check_naming(over, where)

                def said(kind: n.KindName, called: str | None) -> n.Expression:
                    if _speaks_of(where, kind, called):
                        return replace(node, over=_one_of(kind, called))
                    return replace(node, over=kind, where=self._called(called, kind, where))

                return joined(quantifier, members, node, said)
            case n.Call("count" | "sum"):
                return self._tally(node)
            case n.Some(over=n.Held(kind)) | n.Tally(over=n.Held(kind)) if (
                members := self._kinds.of(kind)
            ) is not None:
                return self._held(node, members)
        return node

    def _left(self, node: n.Relation, members: tuple[Member, ...]) -> n.Expression:
        """Return a relation of one of several kinds: `ahead` and `at` look for one, the others ask for any."""
        is_sought = node.name in {"ahead", "at"} or all(member.guard is not None for member in members)

        def said(kind: n.KindName) -> n.Expression:
            left = kind if is_sought else n.Quantified("any", kind, kind.span)
            return replace(node, left=left)

        return joined("any", members, node, said)

    def _right(self, node: n.Relation, members: tuple[Member, ...]) -> n.Expression:
        """Return a relation to a thing of several kinds: each of those that it asks of may have another of them."""
        left = node.left
        if not isinstance(left, n.Quantified) or left.quantifier != "all":
            quantifier = left.quantifier if isinstance(left, n.Quantified) else "any"
            return joined(quantifier, members, node, lambda k: replace(node, right=k))
        assert isinstance(left.kind, n.KindName)
        one = n.Name(left.kind.name, left.span)

        def said(kind: n.KindName) -> n.Expression:
            return replace(node, left=one, right=n.Quantified("any", kind, kind.span))

        return n.Some("all", left.kind, joined("any", members, node, said), node.span)

    def _tally(self, node: n.Call) -> n.Expression:
        """Return `count(K where C)` or `sum(E for K where C)` as what it is for each kind, added up."""
        counts = node.name == "count"
        over = (node.arguments[0] if len(node.arguments) == 1 else None) if counts else node.each
        members = self._kinds.of(over)
        if members is None:
            return node
        self._check_naming(over, (node.where, None if counts else node.arguments))
        span = node.span
        parts: list[n.Expression] = []
        for member in members:
            kind, called = member.kind, member.called
            where, worth = node.where, node.arguments
            if _speaks_of((where, () if counts else worth), kind, called):
                through: n.KindName | n.OneOf = _one_of(kind, called)
            else:
                through = kind
                where, worth = self._called(called, kind, where), self._called(called, kind, worth)
            if counts:
                part: n.Expression = replace(node, arguments=(through,), where=where)
            else:
                part = replace(node, arguments=worth, each=through, where=where)
            parts.append(part if member.guard is None else n.IfElse(member.guard, part, zero(span), span))
        return added_up(parts, span)

    def _held(self, node: n.Some | n.Tally, members: tuple[Member, ...]) -> n.Expression:
        """Return what is asked of things of a group that something holds as what it is for each kind."""
        over = cast(n.Held, node.over)

        def said(kind: n.KindName, called: str | None) -> n.Some | n.Tally:
            return replace(self._called(called, kind, node), over=replace(over, kind=kind))

        if isinstance(node, n.Some):
            return joined(node.quantifier, members, node, said)
        return added_up([said(member.kind, member.called) for member in members], node.span)

    def _called(self, name: str | None, kind: n.KindName, node: _Said) -> _Said:
        """Return what is said of a group as said of one kind of it."""
        return node if name is None else _renamed(node, name, kind.name)

    def _check_naming(self, over: n.Node | None, said: object) -> None:
        """Report a condition on `(a or b)` that speaks of one of them: what is gone through has no name there."""
        if not isinstance(over, n.Logic):
            return
        names = {name_of(each) for each in _alternatives(over)}
        for node in walk(said):
            owner = (
                node.owner if isinstance(node, n.Attribute) else node.left if isinstance(node, n.Is) else None
            )
            if isinstance(owner, n.Name) and owner.name in names:
                help = (
                    f"attributes stand among the kinds, as in `({owner.name}(color=red) or ...)`; "
                    f"what `any object where ...` goes through is called `object`"
                )
                found, expected = f"one of `{to_text(over)}`", "what holds for each of them"
                self._report.add("type", owner.span, found=found, expected=expected, help=help)
                return

    # Rules

    def _check_meaning(self, member: Member, said: object) -> None:
        """Warn where the word of a trigger stands in a condition that goes through one of its kinds by name."""
        for clause in walk(said):
            if all(name_of(over) != member.kind.name for over in _gone_through(clause)):
                continue
            for part in walk(clause):
                if isinstance(part, n.KindName) and part.name == member.called:
                    name, kind = part.name, member.kind.name
                    asked = f"`let this = {name}` in the block, and `this` in an `if` there for what is meant"
                    self._report.add("same-thing", part.span, kind=kind, name=name, help=asked)
                    return

    def _rules(self, rule: Rule) -> Iterator[Rule]:
        """Yield a rule for each kind that its trigger can mean."""
        for side in ("subject", "object"):
            node = getattr(rule.trigger, side)
            members = self._kinds.of(node, in_trigger=True) if rule.trigger.event in OF_KINDS else None
            if members is None:
                continue
            for member in members:
                trigger = with_parts(rule.trigger, {side: with_arguments(member.kind, node)})
                self._check_meaning(member, (rule.condition, rule.chance, rule.effects))
                condition, chance, effects = self._called(
                    member.called, member.kind, (rule.condition, rule.chance, rule.effects)
                )
                yield from self._rules(
                    replace(
                        rule,
                        trigger=trigger,
                        condition=both(member.guard, condition),
                        chance=chance,
                        effects=effects,
                    )
                )
            return
        yield self._among(self._kinds.of_rule(rule), rule)


def _with_left(node: n.Can | n.Is | n.Relation, kind: n.KindName) -> n.Can | n.Is | n.Relation:
    """Return what `any K` is asked of one kind of several."""
    assert isinstance(node.left, n.Quantified)
    return replace(node, left=replace(node.left, kind=kind))


def _speaks_of(said: object, kind: n.KindName, called: str | None) -> bool:
    """Whether what is said of a group speaks of one of its kinds, found outside, or goes through the group again."""
    if called is None:
        return False
    parts = list(walk(said))
    asked = {id(part.right) for part in parts if isinstance(part, n.Is)}
    if any(
        isinstance(part, n.KindName) and part.name == kind.name and id(part) not in asked for part in parts
    ):
        return True
    return any(name_of(over) == called for part in parts for over in _gone_through(part))


def _gone_through(node: n.Node) -> tuple[object, ...]:
    """Return the kinds through which a node goes."""
    match node:
        case n.Some(over=over) | n.Superlative(over=over) | n.Each(over=over) | n.Quantified(kind=over):
            return (over,)
        case n.Call("count" | "sum"):
            return (node.each, *node.arguments)
    return ()


def _one_of(kind: n.KindName, called: str | None) -> n.OneOf:
    """Return a kind, the thing of which is called as its group is, and not as the kind."""
    assert called is not None
    return n.OneOf((kind,), called, kind.span)


def _called_apart(node: n.Node) -> str | None:
    """Return how a condition calls the thing of one kind of a group that it goes through; None for any other."""
    match node:
        case n.Some(over=n.OneOf(called=called)) | n.Call(each=n.OneOf(called=called)):
            return called
        case n.Call("count", arguments=(n.OneOf(called=called),)):
            return called
    return None


def _renamed(tree: _Said, name: str, kind: str) -> _Said:
    """Return clauses with the name of a kind in the place of a name."""

    def renamed(part: object) -> object:
        if isinstance(part, n.Name) and part.name == name:
            return kind_named(kind, (), part.span)
        said = rewritten(part, renamed)
        if isinstance(said, n.Pattern) and said.name == name:
            return kind_named(kind, said.arguments, said.span)
        return said

    return cast(_Said, renamed(tree))  # a kind can stand wherever its name does


def _alternatives(node: n.Expression) -> Iterator[n.Expression]:
    if not isinstance(node, n.Logic):
        yield node
        return
    for each in node.values:
        yield from _alternatives(each)
