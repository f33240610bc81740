"""Definitions: what a name stands for is put in its place (section 8, "Names for what is said twice")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import count
from typing import Any

from griddsl.spec.models import Definition, GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.meanings import read_call
from griddsl.syntax.nodes import walk
from tests.reference.apart import told_apart

_WORDS = {n.Reward: "to", n.End: "outcome", n.Can: "action"}


def without_definitions(spec: GridSpec) -> GridSpec:
    """Return a spec that says the same and defines nothing."""
    if not spec.definitions:
        return spec
    told = {each.name for each in (*spec.params, *spec.variables)} | set(_given_names(spec.preparing))
    kinds = {each.name for each in spec.kinds}
    said = _Said({each.name: each for each in spec.definitions}, kinds, told, len(spec.tellings))
    said.told |= set(said.given_names(spec.preparing))
    changes = {
        name: said.meant(getattr(spec, name), {})
        for name in type(spec).model_fields
        if name not in {"definitions", "mission"}
    }
    mission = None if spec.mission is None else said.mission(spec)
    tellings = (*changes["tellings"], *said.tellings)
    plain = spec.model_copy(update={**changes, "definitions": (), "mission": mission, "tellings": tellings})
    plain._plain = None
    return plain


class _Said:
    """The definitions of a spec. ``told`` are the names whose values a mission tells."""

    def __init__(
        self, definitions: dict[str, Definition], kinds: set[str], told: set[str], first: int
    ) -> None:
        self.definitions = definitions
        self.kinds = kinds
        self.told = told
        self.numbers = count(1)
        self.first = first
        self.tellings: list[n.Expression] = []

    def meant(self, node: Any, names: dict[str, Any]) -> Any:
        """Return what a node means where names stand for others; a tuple of effects may become a longer one."""
        if isinstance(node, tuple):
            parts = [self.effects(each, names) if isinstance(each, n.CarryOut) else (each,) for each in node]
            done = [isinstance(each, n.CarryOut) for each in node]
            return tuple(
                part if is_done else self.meant(part, names)
                for found, is_done in zip(parts, done, strict=True)
                for part in found
            )
        if isinstance(node, n.Name) and node.name in names:
            return names[node.name]
        if isinstance(node, n.Pattern) and node.name in names:
            own, given = self.meant(node.arguments, names), names[node.name]
            return n.Pattern(given.name, (*getattr(given, "arguments", ()), *own), node.span)
        if isinstance(node, n.Name | n.Call) and node.name in self.definitions:
            return self.value(node.name, getattr(node, "arguments", ()), node.span, names)
        if isinstance(node, n.Text):
            return n.Text(self.text(node.value, names), node.span)
        if not is_dataclass(node) or isinstance(node, type) or not (_is_part(node)):
            return node
        changes = {
            each.name: self.meant(getattr(node, each.name), names)
            for each in fields(node)
            if each.name not in {"span", "spans"}
        }
        return replace(node, **(changes | self.words(node, names)))

    def words(self, node: Any, names: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a node that hold words, as the names stand for others."""
        if isinstance(node, n.Choose):
            return {"names": tuple(_word(each, names) for each in node.names)}
        field = {n.Place: "alias", n.Let: "name", n.Ranging: "name"}.get(type(node)) or _WORDS.get(type(node))
        return {} if field is None else {field: _word(getattr(node, field), names)}

    def value(self, name: str, arguments: tuple[Any, ...], span: Any, names: dict[str, Any]) -> Any:
        """Return the expression that a call stands for."""
        body, inner, kept = self.opened(name, arguments, span, names)
        value = self.meant(body, inner)
        return n.Given(tuple(kept), value, span) if kept else value

    def effects(self, node: n.CarryOut, names: dict[str, Any]) -> tuple[Any, ...]:
        """Return the effects that a call stands for."""
        body, inner, kept = self.opened(node.name, node.arguments, node.span, names)
        body = body if isinstance(body, tuple) else (n.CarryOut(body.name, _given(body), body.span),)
        return (*(n.Let(own, value, node.span) for own, value in kept), *self.meant(body, inner))

    def opened(
        self, name: str, arguments: tuple[Any, ...], span: Any, names: dict[str, Any]
    ) -> tuple[Any, dict[str, Any], list[tuple[str, Any]]]:
        """Return what a definition says, what its names stand for, and what is to be kept before it is said.

        An argument that speaks of what the conditions of the definition give another meaning to means what it meant
        outside: it is kept. The names that the definition gives itself are its own, but for those that the call hands it.
        """
        definition = self.definitions[name]
        body = definition.effects if definition.value is None else definition.value
        given = dict(zip(definition.parameters, (self.meant(each, names) for each in arguments), strict=True))
        found, kept = self.found(body, given), []
        for parameter, argument in given.items():
            speaks = any(
                isinstance(each, n.Name | n.Pattern) and each.name in found for each in walk(argument)
            )
            of_a_cell = isinstance(argument, n.Name) and argument.name in {"x", "y", "here"}
            if speaks and isinstance(argument, n.Position):  # its numbers, on the grid or off it
                kept += [(f"{parameter}'{next(self.numbers)}", each) for each in (argument.x, argument.y)]
                x, y = (n.Name(name, span) for name, _ in kept[-2:])
                given[parameter] = replace(argument, x=x, y=y)
            elif speaks and (
                of_a_cell or not isinstance(argument, n.Name | n.Pattern | n.Quantified | n.Other)
            ):
                kept.append((f"{parameter}'{next(self.numbers)}", argument))
                given[parameter] = n.Name(kept[-1][0], span)
        own = {
            each: n.Name(f"{each}'{next(self.numbers)}", span)
            for each in self.given_names(body)
            if not isinstance(given.get(each), n.Name) and each not in self.kinds  # `count(coin in chest)`
        }
        self.told |= {each.name for each in own.values()}
        fresh = {parameter: f"{parameter}'{next(self.numbers)}" for parameter in given}
        body = told_apart(body, given, self.definitions, fresh)
        said = {each.name for each in walk(body) if isinstance(each, n.Name)}
        kept += [(fresh[each], argument) for each, argument in given.items() if fresh[each] in said]
        owners = {
            each.owner.name
            for each in walk(body)
            if isinstance(each, n.Attribute) and isinstance(each.owner, n.Name) and each.owner.name in given
        }
        for parameter in owners:
            argument = given[parameter]
            is_sought = parameter in found  # what is looked at is what it speaks of then
            if isinstance(argument, n.Name) and argument.name in found and not is_sought:
                kept.append((f"{parameter}'{next(self.numbers)}", argument))
                body = _with_owner(body, parameter, kept[-1][0])
        return body, {**given, **own}, kept

    def found(self, body: Any, given: dict[str, Any]) -> set[str]:
        """Return the kinds that conditions find, by what a call gives as one too; a group may find any of them."""
        found = set(_found(body))
        sought = [given[name] for name in found & given.keys()]
        found.update(each.name for each in sought if isinstance(each, n.Name | n.Pattern))
        return found | self.kinds if found & {"object", "portable", "pushable"} else found

    def given_names(self, body: Any) -> Iterator[str]:
        """Yield the names that effects give, and those that they hand to a definition that gives them."""
        yield from _given_names(body)
        for call in walk(body):
            if not isinstance(call, n.CarryOut) or call.name not in self.definitions:
                continue
            definition = self.definitions[call.name]
            names = set(self.given_names(definition.effects))
            pairs = zip(definition.parameters, call.arguments, strict=True)
            yield from (
                each.name for parameter, each in pairs if parameter in names and isinstance(each, n.Name)
            )

    def text(self, text: str, names: dict[str, Any]) -> str:
        """Return a text with its parameters as what is given for them."""

        def said(match: re.Match[str]) -> str:
            given = names.get(match[1].strip())
            if given is None and match[1].partition("(")[0].strip() in self.definitions:
                return self.told_text(self.meant(read_call(match[1]), names))
            if given is None:
                return match[0]
            if isinstance(given, n.Name):
                return f"{{{given.name}}}" if given.name in self.told else given.name
            return given.value if isinstance(given, n.Text) else str(getattr(given, "text", given.value))

        return re.sub(r"\{([^{}]*)\}", said, text)

    def told_text(self, value: Any) -> str:
        """Return a text, or what stands in the mission for one of several."""
        if isinstance(value, n.Text):
            return value.value
        self.tellings.append(value)
        return f"{{told_{self.first + len(self.tellings)}__}}"

    def mission(self, spec: GridSpec) -> str:
        """Return the mission with the calls in its braces as the texts that they stand for."""

        def said(match: re.Match[str]) -> str:
            if match[1].partition("(")[0].strip() not in self.definitions:
                return match[0]
            return self.told_text(self.meant(read_call(match[1]), {}))

        return re.sub(r"\{([^{}]*)\}", said, spec.mission or "")


def _is_part(node: Any) -> bool:
    return isinstance(node, n.Node) or type(node).__module__ == "griddsl.spec.models"


def _given(call: Any) -> tuple[Any, ...]:
    arguments: tuple[Any, ...] = getattr(call, "arguments", ())
    return arguments


def _word(word: str | None, names: dict[str, Any]) -> Any:
    return names[word].name if word is not None and word in names else word


def _given_names(body: Any) -> Iterator[str]:
    """Yield the names that effects give to values and things."""
    for node in walk(body):
        if isinstance(node, n.Choose):
            yield from node.names
        elif isinstance(node, n.Place) and node.alias:
            yield node.alias
        elif isinstance(node, n.Let | n.Ranging):
            yield node.name


def _found(body: Any) -> Iterator[str]:
    """Yield the names that mean something else within what a definition says: kinds that conditions find, and cells."""
    for node in walk(body):
        match node:
            case n.RandomCell() | n.EveryCell() | n.Place():
                yield from ("x", "y", "here")
            case n.CellsFor(_, over):
                yield from _names(over)
            case n.Some(_, over) | n.Each(over) | n.Superlative(over):
                yield from ("x", "y", "here", *_names(over))
            case n.Relation(_, left, right):
                yield from _names(left, right)
            case n.Quantified(_, kind):
                yield from _names(kind)
            case n.Call("count" | "sum"):
                yield from ("x", "y", "here", *_names(node.each, *node.arguments[:1]))


def _names(*nodes: Any) -> Iterator[str]:
    for node in nodes:
        inner = node.kind if isinstance(node, n.Quantified | n.Other) else node
        if isinstance(inner, n.Logic):
            yield from _names(*inner.values)
        if isinstance(inner, n.Name | n.Pattern):
            yield inner.name


def _with_owner(node: Any, parameter: str, name: str) -> Any:
    """Return a body in which ``parameter.attribute`` speaks of another name."""
    if isinstance(node, tuple):
        return tuple(_with_owner(each, parameter, name) for each in node)
    if not isinstance(node, n.Node):
        return node
    if isinstance(node, n.Attribute) and isinstance(node.owner, n.Name) and node.owner.name == parameter:
        return replace(node, owner=n.Name(name, node.owner.span))
    return replace(
        node,
        **{each.name: _with_owner(getattr(node, each.name), parameter, name) for each in fields(node)},
    )
