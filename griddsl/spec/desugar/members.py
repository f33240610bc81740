"""Which kinds a clause means that names several, or a name that setup gave: the members of a group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace

from griddsl.source import Span
from griddsl.spec.desugar.defined_names import own_names
from griddsl.spec.models import GridSpec, KindDeclaration, Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

GROUPS = ("object", "portable", "pushable")


@dataclass(frozen=True, slots=True)
class Member:
    """One kind that a group can be, and what has to hold for that; ``called`` is how a clause speaks of it."""

    kind: n.KindName
    guard: n.Expression | None
    called: str | None


class Kinds:
    """Which names of a spec stand for several kinds, or for a thing that setup placed."""

    def __init__(self, spec: GridSpec) -> None:
        self._declared = {kind.name: kind for kind in spec.kinds}
        legend = {name for item in spec.legend for name in kinds_of_legend(item)}
        placed = [node for node in walk(spec.preparing) if isinstance(node, n.Place)]
        agents = {item.name for item in spec.agents}
        self._kinds = {*self._declared, *legend, *agents, "floor", "wall", "agent"}
        self._chosen = dict(self._kinds_chosen(spec))
        self._variables = {each.name for each in spec.variables}
        self._kinds |= {name_of(node.kind) for node in placed} - {*self._chosen}
        values = {each.name for each in (*spec.variables, *spec.params)} | set(own_names(spec.preparing))
        taken = {*self._kinds, *self._chosen, *values, *(region.name for region in spec.regions)}
        self._groups = {name: members for name in GROUPS if name not in taken and (members := self._of(name))}
        self._things: dict[str, tuple[Member, ...]] = {}
        for node in placed:
            if node.alias is not None and node.alias not in self._kinds:
                self._things[node.alias] = (*self._things.get(node.alias, ()), *self._placed(node))
        self._values = values - {*self._kinds, *self._chosen, *self._things}
        items = [item for group in spec.actions for item in group.items if isinstance(item, n.ActionItem)]
        self._taken = {item.name: self._kinds_taken(item, items) for item in items}

    def _kinds_taken(self, item: n.ActionItem, items: list[n.ActionItem]) -> Mapping[str, tuple[str, ...]]:
        """Return what an action takes that is a kind; nothing where agents have two actions of that name."""
        if sum(each.name == item.name for each in items) > 1:
            return {}
        taken = [taken.over for taken in item.arguments]
        return dict(each for over in taken for each in self._ranging(over.name, over.domain))

    def are_taken_or_drawn(self, spec: GridSpec) -> bool:
        """Whether an action takes, or a rule draws, what is a kind."""
        return any(self._taken.values()) or any(self.of_rule(rule) is not self for rule in spec.rules)

    def of_action(self, action: str) -> Kinds:
        """Return the same, with what an action takes among the names that stand for kinds."""
        return self._with(self._taken.get(action, {}))

    def of_rule(self, rule: Rule) -> Kinds:
        """Return the same, with the names for kinds that the action of a rule takes, and that the rule draws."""
        action = name_of(rule.trigger.object) if rule.trigger.event == "do" else ""
        names = dict(self._taken.get(action, {}))
        otherwise: set[str] = set()
        for node in walk(rule.effects):
            if isinstance(node, n.Choose):
                drawn = [each for name in node.names for each in self._ranging(name, node.domain)]
                otherwise |= {*node.names} - {name for name, _ in drawn}
                otherwise |= {name for name, kinds in drawn if names.setdefault(name, kinds) != kinds}
            elif isinstance(node, n.Let | n.Ranging):
                otherwise.add(node.name)
            elif isinstance(node, n.Place) and node.alias:
                otherwise.add(node.alias)
        return self._with({name: kinds for name, kinds in names.items() if name not in otherwise})

    def _with(self, names: Mapping[str, tuple[str, ...]]) -> Kinds:
        if not names:
            return self
        more = copy(self)
        more._chosen = {**self._chosen, **names}
        more._variables = self._variables - {*names}
        more._values = self._values - {*names}
        return more

    def _of(self, group: str) -> tuple[KindDeclaration, ...]:
        objects = [kind for kind in self._declared.values() if kind.category == "object"]
        return tuple(kind for kind in objects if group == "object" or group in _properties(kind))

    def _kinds_chosen(self, spec: GridSpec) -> Iterator[tuple[str, tuple[str, ...]]]:
        for declared in (*spec.variables, *spec.params):
            yield from self._ranging(declared.name, declared.domain)
        for node in walk(spec.preparing):
            if isinstance(node, n.Choose):
                for name in node.names:
                    yield from self._ranging(name, node.domain)

    def _ranging(self, name: str, domain: n.Node | None) -> Iterator[tuple[str, tuple[str, ...]]]:
        if name in self._kinds or not isinstance(domain, n.ChoiceDomain):
            return
        names = [name_of(value) for value in domain.values]
        if len(names) > 1 and all(each in self._kinds for each in names):  # one kind: a thing of it is drawn
            yield name, tuple(dict.fromkeys(names))

    def _placed(self, node: n.Place) -> Iterator[Member]:
        span, alias = node.span, n.Name(node.alias or "", node.span)
        for name in self._chosen.get(name_of(node.kind), (name_of(node.kind),)):
            kind = kind_named(name, (), span)
            is_tile = name not in self._declared or self._declared[name].category == "tile"
            guard = n.Relation("at", kind, alias, None, span) if is_tile else n.Is(kind, alias, False, span)
            yield Member(kind, guard, alias.name if is_tile else None)

    def is_choice(self, node: object) -> bool:
        """Whether a node says ``a or b`` of kinds: each a kind, with attributes or none, or another group."""
        return (
            isinstance(node, n.Logic)
            and node.operator == "or"
            and all(isinstance(each, n.KindName) or self.is_choice(each) for each in node.values)
        )

    def asks(self, node: object) -> bool:
        """Whether ``a or b`` joins conditions: one of its names at least has a value, and is neither kind nor thing."""
        if isinstance(node, n.Logic):
            return any(self.asks(each) for each in node.values)
        return name_of(node) in self._values

    def speaks(self, node: object) -> bool:
        """Whether a node could need to be said otherwise."""
        if isinstance(node, n.Name | n.Pattern):
            return node.name in self._groups or node.name in self._chosen or node.name in self._things
        return isinstance(node, n.Logic) and self.is_choice(node)

    def things(self, node: n.Node) -> n.OneOf | None:
        """Return the kinds of objects among which a word or `(a or b)` means one thing; None for any other clause."""
        if isinstance(node, n.Quantified) and node.quantifier == "any":
            node = node.kind
        members = self.of(node) or ()
        kinds = tuple(member.kind for member in members if member.guard is None)
        named = [self._declared.get(name_of(kind)) for kind in kinds]
        if not kinds or len(kinds) < len(members) or any(k is None or k.category != "object" for k in named):
            return None
        return n.OneOf(kinds, getattr(node, "name", to_text(node)), node.span)

    def of(self, node: object, in_trigger: bool = False) -> tuple[Member, ...] | None:
        """Return the kinds that a node in the place of one can be; None where it names a single one."""
        if isinstance(node, n.Logic):
            if not self.is_choice(node):
                return None
            parts = [self.of(each) or (Member(each, None, None),) for each in node.values]  # type: ignore[arg-type]  # kinds, as asked
            return tuple(replace(member, called=None) for part in parts for member in part)
        if not isinstance(node, n.KindName):
            return None
        given = node.arguments if isinstance(node, n.Pattern) else ()
        if node.name in self._groups:
            wanted = {name for name, _ in given}
            kinds = [kind.name for kind in self._groups[node.name] if wanted <= _attributes(kind)]
            return tuple(Member(kind_named(name, given, node.span), None, node.name) for name in kinds)
        if node.name in self._chosen:
            names = self._chosen[node.name]
            called = n.Name(node.name, node.span)
            is_chosen = [n.Is(called, kind_named(name, (), node.span), False, node.span) for name in names]
            members = zip(names, is_chosen, strict=True)
            word = None if node.name in self._variables else node.name  # a variable goes on meaning its value
            return tuple(Member(kind_named(name, given, node.span), guard, word) for name, guard in members)
        if in_trigger and node.name in self._things:
            return self._things[node.name]
        return None


def kind_named(name: str, given: tuple[tuple[str, n.Expression], ...], span: Span) -> n.KindName:
    """Return a kind that a group means; its place is empty, for the file does not name the kind there."""
    place = Span(span.source, span.start, span.start, span.through)
    return n.Pattern(name, given, place) if given else n.Name(name, place)


def with_arguments(kind: n.KindName, node: n.KindName) -> n.KindName:
    """Return the kind of a thing that a trigger names, with the attributes that the trigger asks for."""
    if isinstance(kind, n.Pattern) or not isinstance(node, n.Pattern):
        return kind
    return kind_named(kind.name, node.arguments, node.span)


def name_of(node: object) -> str:
    """Return the name of what a node speaks of; nothing where it has none."""
    return node.name if isinstance(node, n.Name | n.Pattern) else ""


def kinds_of_legend(item: n.LegendItem) -> Iterator[str]:
    """Yield the names of kinds that an item of the legend stands for."""
    yield item.kind.name
    if item.tile is not None:
        yield item.tile.name


def _properties(kind: KindDeclaration) -> set[str]:
    return {item.name for item in kind.items if isinstance(item, n.Guarded | n.Property)}


def _attributes(kind: KindDeclaration) -> set[str]:
    return {item.name for item in kind.items if isinstance(item, n.AttributeItem | n.Property)}
