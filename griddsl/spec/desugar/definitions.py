"""Definitions: what ``define`` gives a name to is put in the place of its calls, before anything is compiled.

The names that a definition gives itself (by ``choose`` or ``as``) are called otherwise at each call, so that they never
stand for what the caller calls so; what an argument speaks of is what it means where the call stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, cast

from griddsl.diagnostics import Help, Report, did_you_mean
from griddsl.source import Span, Through
from griddsl.spec.clauses import clauses_of
from griddsl.spec.desugar.calls import (
    DefinitionCall,
    kept_kind,
    meant_comparison,
    report_arguments,
    report_circle,
    report_no_name,
    seen_from,
    seen_through,
)
from griddsl.spec.desugar.defined_names import (
    OF_A_CELL,
    all_names,
    asked_names,
    declared_names,
    found_names,
    loop_names,
    own_names,
    place_of_name,
    place_of_parameter,
    report_taken_names,
    speaks_of,
)
from griddsl.spec.desugar.looked_at import LookedAt
from griddsl.spec.desugar.members import GROUPS
from griddsl.spec.desugar.ranging import WORDS, Ranges, decided, local_names
from griddsl.spec.desugar.texts import Texts
from griddsl.spec.imports.libraries import brought_by
from griddsl.spec.models import Definition, GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import EFFECT_WORDS
from griddsl.syntax.printer import to_text

MOST_NODES = 200_000


def expanded(spec: GridSpec, report: Report) -> GridSpec | None:
    """Return the same spec without definitions; what is wrong with them or with their calls is reported.

    None where there is nothing to replace.
    """
    if not spec.definitions and not any(
        isinstance(node, n.CarryOut | n.Ranging) for node in clauses_of(spec)
    ):
        return None
    return _Expander(spec, report).spec()


class _Expander:
    def __init__(self, spec: GridSpec, report: Report) -> None:
        self._spec = spec
        self._report = report
        wrong = report_taken_names(spec, report)
        self._defined = {each.name: each for each in spec.definitions if each.name not in wrong}
        self._used: set[str] = set(wrong)
        self._taken: set[str] = set()
        self._given: dict[str, str] = {}
        self._called: dict[str, str] = {}
        report.called = self._called
        self._things = {"self", "other", *dict(declared_names(spec))}
        self._nodes = 0
        self._ranges = Ranges(spec, report)
        self._names_given: dict[str, frozenset[str]] = {}
        self._prepared = {*own_names(spec.preparing), *self._named_by_calls(spec.preparing)}
        blocks = [rule.effects for rule in spec.rules] + [each.effects for each in spec.definitions]
        self._told = set(self._prepared)  # names that a mission tells: those of setup, and those made up here
        self._texts = Texts(spec, report, set(self._defined), self._rebuilt, self._told)
        self._ranges.values |= {*self._prepared, *self._named_by_calls(tuple(blocks))}

    def spec(self) -> GridSpec:
        """Return the spec with every call replaced."""
        spec = self._spec
        changes: dict[str, Any] = {}
        for name in type(spec).model_fields:
            if name not in {"definitions", "mission"}:
                self._texts.is_telling = name == "tellings"
                changes[name] = self._rebuilt(getattr(spec, name), None)
        if spec.mission is not None:
            changes["mission"], changes["tellings"] = self._texts.mission(spec.mission, changes["tellings"])
        plain = spec.model_copy(update={**changes, "definitions": ()})
        plain._plain = None
        plain._defined, plain._given, plain._called = tuple(self._defined), self._given, self._called
        plain._unused = tuple(self._unused())
        return plain

    # What stands in the place of a node

    def _rebuilt(self, value: object, call: DefinitionCall | None) -> object:
        """Return a node, or a tuple of them, with every call in it replaced; the same one where there is none."""
        if isinstance(value, tuple):
            return self._all(value, call)
        if isinstance(value, n.Node):
            return self._node(value, call)
        return n.rewritten(value, lambda part: self._rebuilt(part, call))

    def _expression(self, value: n.Expression, call: DefinitionCall | None) -> n.Expression:
        """Return an expression with every call in it replaced, by what are expressions too."""
        return cast(n.Expression, self._rebuilt(value, call))

    def _all(self, values: tuple[object, ...], call: DefinitionCall | None) -> tuple[object, ...]:
        found: list[object] = []
        for value in values:
            if isinstance(value, n.CarryOut):
                found.extend(self._carried_out(value, call))
            elif isinstance(value, n.Each):
                found.extend(self._ranges.said(self._copied(value, call)))
            else:
                found.append(self._rebuilt(value, call))
        same = len(found) == len(values) and all(a is b for a, b in zip(found, values, strict=True))
        return values if same else tuple(found)

    def _node(self, node: n.Node, call: DefinitionCall | None) -> n.Node:
        self._nodes += 1
        if call is not None and isinstance(node, n.Name | n.Pattern) and node.name in call.arguments:
            return self._argument(node, call)
        if call is not None and isinstance(node, n.Attribute) and isinstance(node.owner, n.Name):
            node = self._owner_kept(node, call)
        if isinstance(node, n.Call) and node.name in self._defined:
            return self._value(node, call)
        if isinstance(node, n.Pattern) and node.name in self._defined:
            report_arguments(self._defined[node.name], seen_from(node.span, call), self._report)
            return node
        is_own = call is not None and isinstance(node, n.Name) and node.name in call.renamed
        if isinstance(node, n.Name) and node.name in self._defined and not is_own:
            return self._value(n.Call(node.name, (), None, None, None, node.span), call)
        copied = self._copied(node, call)
        if isinstance(copied, n.Some | n.Tally):
            return self._ranges.said(copied)[0]
        if call is not None and isinstance(node, n.Is) and isinstance(node.left, n.Name):
            given = call.arguments.get(node.left.name)
            is_word = isinstance(given, n.Name) and given.name not in self._things
            return decided(copied, self._ranges.values) if is_word and isinstance(copied, n.Is) else copied
        return copied

    def _copied(self, node: n.Node, call: DefinitionCall | None) -> n.Node:
        """Return a node with its parts replaced; within a definition, with its names and its place."""
        changes: dict[str, object] = {}
        for each in fields(node):
            old = getattr(node, each.name)
            if each.name == "span":
                if call is not None:
                    changes["span"] = seen_from(old, call)
                continue
            new = kept_kind(node, each.name, old, self._rebuilt(old, call), self._report)
            if call is not None:
                new = self._word(node, each.name, new, call)
            elif isinstance(node, n.Text):
                new = self._texts.with_calls(old, node.span, None)
            if new is not old:
                changes[each.name] = new
        return n.with_parts(node, changes)

    def _word(self, node: n.Node, name: str, value: object, call: DefinitionCall) -> object:
        """Return what a field that holds words or texts means in a call."""
        if name == "names" and isinstance(node, n.Choose):
            return tuple(call.called(each) for each in node.names)
        if not isinstance(value, str):
            return value
        if isinstance(node, n.Text):
            return self._texts.within(value, node.span, call)
        if (name == "name" and isinstance(node, n.Name | n.Pattern | n.Let | n.Ranging)) or (
            name == "alias" and isinstance(node, n.Place) and value
        ):
            return call.called(value)
        if WORDS.get(type(node)) == name and value in call.arguments:
            given = call.arguments[value]
            if isinstance(given, n.Name):
                return given.name
            report_no_name(value, given, node.span, self._report)
        return call.renamed.get(value, value) if WORDS.get(type(node)) == name else value

    def _argument(self, node: n.KindName, call: DefinitionCall) -> n.Expression:
        given = call.arguments[node.name]
        place = Through(node.span, f"`{node.name}` stands here")
        span = Span(given.span.source, given.span.start, given.span.end, (*given.span.through, place))
        if isinstance(node, n.Name):
            outside = seen_through(given, place)
            is_name = isinstance(given, n.Name) and given.name not in OF_A_CELL
            kept = node.name in call.given and not is_name
            return n.Name(call.given[node.name][0], span) if kept else outside
        own = tuple((name, self._expression(value, call)) for name, value in node.arguments)
        if isinstance(given, n.Name):
            return n.Pattern(given.name, own, span)
        if isinstance(given, n.Pattern):
            return n.Pattern(given.name, (*given.arguments, *own), span)
        report_no_name(node.name, given, node.span, self._report)
        return given

    def _owner_kept(self, node: n.Attribute, call: DefinitionCall) -> n.Attribute:
        """Return ``thing.name`` where the thing is what an argument's name means outside of the definition."""
        name = node.owner.name  # type: ignore[union-attr]  # asked before
        given = call.arguments.get(name)
        is_sought = name in call.bound  # `k.x` in `any k where k.x > 0`
        if is_sought or not isinstance(given, n.Name) or given.name not in call.bound:
            return node
        return replace(node, owner=n.Name(self._kept_name(call, name), given.span))

    def _kept_name(self, call: DefinitionCall, parameter: str, part: str = "") -> str:
        """Return the name of what an argument, or a number of it, means outside: it is kept before it is said."""
        key, given = f"{parameter}.{part}" if part else parameter, call.arguments[parameter]
        if key not in call.given:
            call.given[key] = (self._fresh(key.replace(".", "_")), getattr(given, part) if part else given)
        call.renamed[call.given[key][0]] = call.given[key][0]
        return call.given[key][0]

    # Calls

    def _value(self, node: n.Call, outside: DefinitionCall | None) -> n.Expression:
        """Return the expression that a call stands for."""
        call = self._call(node.name, node.arguments, node.span, outside)
        if call is None:
            return node if outside is None else replace(node, span=seen_from(node.span, outside))
        definition = call.definition
        if call.value is None or self._does(definition):
            help = meant_comparison(definition) or (
                f"`{definition.name}` says what happens: it stands among effects, as `{to_text(node)}`"
            )
            self._report.add("type", call.span, found="a block of effects", expected="a value", help=help)
            return node
        value = self._expression(call.value, call)
        if not call.given:
            return value
        return n.Given(tuple(call.given.values()), value, call.span)

    def _carried_out(self, node: n.CarryOut, outside: DefinitionCall | None) -> Iterator[n.Effect]:
        """Yield the effects that a call stands for."""
        if node.name not in self._defined:
            self._unknown_effect(node, outside)
            return
        call = self._call(node.name, node.arguments, node.span, outside)
        if call is None:
            return
        definition = call.definition
        if not definition.effects or not self._does(definition):
            help = f"`{definition.name}` is a value: it stands in conditions and in what effects take"
            self._report.add("type", call.span, found="a value", expected="an effect", help=help)
            return
        effects = cast(tuple[n.Effect, ...], self._all(call.effects, call))
        yield from (n.Let(name, value, call.span) for name, value in call.given.values())
        yield from effects

    def _does(self, definition: Definition, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a definition is a block of effects; one that is a call alone is what it calls."""
        if definition.value is None:
            return True
        inner = getattr(definition.value, "name", "")
        if not definition.effects or inner not in self._defined or inner in seen:
            return False
        return self._does(self._defined[inner], seen | {inner})

    def _call(
        self, name: str, arguments: tuple[n.Expression, ...], span: Span, outside: DefinitionCall | None
    ) -> DefinitionCall | None:
        """Return a call of a definition, or of none where it does not fit it."""
        definition = self._defined[name]
        self._used.add(name)
        place = seen_from(span, outside)
        circle = [] if outside is None else outside.circle(name)
        if circle:
            report_circle(name, circle, self._defined, span, self._report)
            return None
        if len(arguments) != len(definition.parameters):
            report_arguments(definition, seen_from(span, outside), self._report)
            return None
        if self._nodes > MOST_NODES:
            self._report.add(
                "too-many", span, what="clauses in definitions", count=self._nodes, most=MOST_NODES
            )
            return None
        given = tuple(self._expression(argument, outside) for argument in arguments)
        call = DefinitionCall(
            definition, place, dict(zip(definition.parameters, given, strict=True)), {}, outside
        )
        body = definition.value if definition.value is not None else definition.effects
        for own in dict.fromkeys(self._named(definition.effects or definition.value)):
            if own in definition.parameters:
                if own in self._naming(definition) and isinstance(call.arguments[own], n.Name):
                    continue
                help = (
                    f"`{own}` is what `{definition.name}` is given: choose another name, such as `my_{own}`"
                )
                self._report.add("duplicate-name", place_of_name(definition, own), name=own, help=help)
            call.renamed[own] = self._fresh(own)
            self._given[call.renamed[own]] = f"{definition.name}.{own}"
        call.bound = self._found(body, call)
        looked_at = LookedAt(self._defined, call.arguments, partial(self._kept_name, call))
        if definition.value is not None:
            call.value, call.effects = looked_at.kept(definition.value), definition.effects
        else:
            call.effects = looked_at.kept(definition.effects)
        for parameter in [each for each in call.arguments if speaks_of(call.arguments[each], call.bound)]:
            argument = call.arguments[parameter]
            if isinstance(argument, n.Position):  # it may be off the grid, where there is no cell
                x, y = (n.Name(self._kept_name(call, parameter, part), argument.span) for part in "xy")
                call.arguments[parameter] = replace(argument, x=x, y=y)
            else:
                call.given[parameter] = (self._fresh(parameter), argument)
        return call

    def _found(self, body: object, call: DefinitionCall) -> frozenset[str]:
        """Return the names that a body gives to what it finds; a group finds things of any kind."""
        found = set(found_names(body))
        sought = (call.arguments[name] for name in found & call.arguments.keys())
        found.update(kind.name for kind in sought if isinstance(kind, n.Name | n.Pattern))
        if not found.isdisjoint(GROUPS):
            found.update(kind.name for kind in self._spec.kinds)
        return frozenset(found)

    def _naming(self, definition: Definition) -> frozenset[str]:
        """Return the parameters of a definition that it takes for names of what it chooses, places and lets."""
        if definition.name not in self._names_given:
            self._names_given[definition.name] = frozenset()  # of one that leads back to itself
            found = frozenset(self._named(definition.effects)) - frozenset(loop_names(definition.effects))
            self._names_given[definition.name] = found & frozenset(definition.parameters)
        return self._names_given[definition.name]

    def _named(self, body: object) -> Iterator[str]:
        """Yield the names that clauses give to values and things, by a call too."""
        yield from local_names(body)
        yield from self._named_by_calls(body)

    def _named_by_calls(self, body: object) -> Iterator[str]:
        for node in n.walk(body):
            if not isinstance(node, n.CarryOut) or node.name not in self._defined:
                continue
            definition = self._defined[node.name]
            for parameter, given in zip(definition.parameters, node.arguments, strict=False):
                if isinstance(given, n.Name) and parameter in self._naming(definition):
                    yield given.name

    def _fresh(self, name: str) -> str:
        """Return a name like this one that nothing in the spec is called by."""
        if not self._taken:
            self._taken.update(all_names(self._spec))
        number = 2
        while f"{name}_{number}" in self._taken:
            number += 1
        fresh = f"{name}_{number}"
        self._taken.add(fresh)
        self._called[fresh] = name
        self._told.add(fresh)
        self._ranges.values.add(fresh)  # `E is fresh` asks what it is worth, not what it is called
        return fresh

    # What is wrong

    def _unknown_effect(self, node: n.CarryOut, outside: DefinitionCall | None) -> None:
        from griddsl.syntax.habits.effects.words import meant, other_forms

        blocks = [each.name for each in self._defined.values() if self._does(each)]
        given = [to_text(each) for each in node.arguments]
        help: str | None = did_you_mean(node.name, blocks)
        help = help or other_forms.placed_by_call(node.name, given, node.span)
        if help is None:
            help = meant.effect_help(node.name, f"({', '.join(given)})")
            help = Help(help, help.rewrites, place=node.span) if isinstance(help, Help) else help
        help = help or brought_by(node.name) or did_you_mean(node.name, EFFECT_WORDS)
        help = help or f"give the name to effects: `define {node.name}: reward -1`"
        place = seen_from(node.span, outside)
        self._report.add("unknown-effect", place.word(node.name), name=node.name, help=help)

    def _unused(self) -> Iterator[tuple[str, str, Span]]:
        """Yield the definitions of the spec itself that nothing uses, and the parameters that they do not ask for."""
        for definition in self._spec.definitions:
            if definition.span.source is not self._spec.source:
                continue
            if definition.name not in self._used:
                yield "the definition", definition.name, definition.span
                self._check_alone(definition)
                continue
            asked = {*asked_names(definition), *self._naming(definition)}
            for parameter in definition.parameters:
                if parameter not in asked:
                    place = place_of_parameter(definition, parameter)
                    yield f"what `{definition.name}` is given as", parameter, place

    def _check_alone(self, definition: Definition) -> None:
        """Look at what an unused definition calls: a circle is one whether it is used or not."""
        if not definition.parameters:
            name, span = definition.name, definition.span
            if self._does(definition):
                list(self._carried_out(n.CarryOut(name, (), span), None))
            else:
                self._value(n.Call(name, (), None, None, None, span), None)
