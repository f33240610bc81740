"""Told kinds: `{prize.kind}` in a mission is the name of the kind that a thing is of now."""

from __future__ import annotations

from dataclasses import replace

from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

NOTHING = "nothing"  # what a thing is that is gone


def with_told_kinds(spec: GridSpec) -> GridSpec | None:
    """Return the same spec, with alternatives for the kinds that its mission tells; None where it tells none."""
    objects = [kind.name for kind in spec.kinds if kind.category == "object"]
    own = {
        kind.name
        for kind in spec.kinds
        if any(isinstance(item, n.AttributeItem) and item.name == "kind" for item in kind.items)
    }
    named: dict[str, set[str]] = {}  # each name, with the kinds that its thing may be of
    for node in walk(spec.preparing):
        if isinstance(node, n.Place) and node.alias:
            named.setdefault(node.alias, set()).add(getattr(node.kind, "name", ""))
        elif isinstance(node, n.Choose):
            for name in node.names:
                words = {part.name for part in walk(node.domain) if isinstance(part, n.KindName)}
                named.setdefault(name, set()).update(words)
    mentioned: list[n.Name] = []

    def told(node: n.Expression) -> n.Expression:
        if not isinstance(node, n.Attribute) or node.name != "kind" or not isinstance(node.owner, n.Name):
            return node
        owner = node.owner.name
        if own & (named.get(owner, set()) | {owner}):  # an attribute of that name comes first
            return node
        if node.owner.name in objects:
            mentioned.append(node.owner)
            return n.Text(node.owner.name, node.span)
        if node.owner.name not in named:
            return node
        found: n.Expression = n.Text(NOTHING, node.span)
        nowhere = replace(node.span, end=node.span.start)  # the file names no kind there, and counts none
        for name in reversed(objects):
            test = n.Is(node.owner, n.Name(name, nowhere), False, node.span)
            found = n.IfElse(test, n.Text(name, node.span), found, node.span)
        return found

    tellings = tuple(told(node) for node in spec.tellings)
    if tellings == spec.tellings:
        return None
    plain = spec.model_copy(update={"tellings": tellings})
    plain._plain = None
    plain._told_kinds = tuple(mentioned)
    return plain
