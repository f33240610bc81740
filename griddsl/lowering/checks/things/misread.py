"""Misread: what has a meaning, and surely another one than whoever wrote it had in mind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from griddsl.diagnostics import Help, near, write
from griddsl.lowering.checks.never import agents_keep_apart, of_one_layer
from griddsl.lowering.facts.abundance import may_be_several
from griddsl.lowering.facts.joined import Given
from griddsl.lowering.facts.reckoned import is_off
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in, of_spec
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import without_any
from griddsl.spec.clauses import clauses_of
from griddsl.spec.desugar.members import GROUPS
from griddsl.spec.desugar.ranging import local_names
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


def named_behind_any(writer: Writer) -> None:
    """`if any player at spot: player.hp = 0`: `any` finds one and names none, so that `player` is whoever acts.

    Of a kind that stands there once it makes no difference; where no subject is of the kind, it is an error elsewhere.
    """
    spec = writer.world.spec
    for rule in spec.rules:
        if rule.span.source is not spec.source:
            continue
        asked = rule.trigger.object if rule.trigger.event == "when" else None
        named = {part.name for part in walk(rule.trigger) if isinstance(part, n.KindName) and asked is None}
        tests = [(rule.condition, rule.effects, frozenset(named)), *_tests_in(rule.effects, frozenset(named))]
        if asked is not None:
            tests.append((asked, rule.effects, frozenset()))
        for test, body, heard in tests:
            for name, how, help in _sought_by_any(test):
                kind = writer.world.kinds.get(name)
                if kind is None or kind.name in heard | found_in((test, body)):
                    continue
                is_one = (
                    not writer.world.several
                    if kind.category == "agent"
                    else not may_be_several(writer.facts, kind)
                )
                said = None if is_one else next(_spoken_of(_outside(body, kind.name), kind.name), None)
                if said is not None:
                    is_agent = kind.category == "agent"
                    meant = "the agent itself" if is_agent else f"the first `{name}` there is"
                    writer.report.add(
                        "any-names-none", said.span, name=name, meant=meant, found=how, help=help
                    )


def _tests_in(
    value: object, heard: frozenset[str]
) -> Iterator[tuple[n.Expression | None, tuple[n.Effect, ...], frozenset[str]]]:
    """Yield the conditions of `if` lines with their blocks, and the kinds that the rule and loops around are about."""
    if isinstance(value, n.If):
        yield from ((test, body, heard) for test, body in value.branches)
    for each in value if isinstance(value, tuple) else ():
        yield from _tests_in(each, heard)
    if not isinstance(value, n.Node):
        return
    over = looked_at(value)
    for each in fields(value):
        yield from _tests_in(getattr(value, each.name), heard if over is None else heard | {over})


def _sought_by_any(test: n.Expression | None) -> Iterator[tuple[str, str, str]]:
    """Yield the kinds that a condition asks for, as a whole or with `and`, what asks for them, and what names one.

    They are asked for by `any K` beside a relation, `any K where C` and `count(K where C) > 0`.
    """
    for part in _joined(test):
        match part:
            case n.Relation():
                for side in (part.left, part.right):
                    if (
                        isinstance(side, n.Quantified)
                        and side.quantifier == "any"
                        and isinstance(side.kind, n.KindName)
                    ):
                        name, sought = side.kind.name, to_text(side.kind)
                        yield name, f"any {name}", without_any(side.span, sought)
            case n.Some("any", over, where) if where is not None:
                yield from _gone_through(over, where, "any")
            case n.Compare(">" | ">=" | "!=", n.Call("count", (over,), where=where), n.Number()) if where:
                yield from _gone_through(over, where, "count")


def _gone_through(over: n.Node, where: n.Expression, word: str) -> Iterator[tuple[str, str, str]]:
    kind = over.kind if isinstance(over, n.Held) else over
    if isinstance(kind, n.KindName):
        name = kind.name
        loop = f"`each {to_text(over)} where {to_text(where)}: ...` goes through those that fit"
        yield name, f"any {name}" if word == "any" else f"count({name} ...)", loop


def found_in(said: object) -> set[str]:
    """Return the kinds that a condition and its block give a meaning themselves: by a loop, or by what finds one."""
    found = {
        part.over.name
        for part in walk(said)
        if isinstance(part, n.Each) and isinstance(part.over, n.KindName)
    }
    sides = [side for part in walk(said) if isinstance(part, n.Relation) for side in (part.left, part.right)]
    return found | {side.name for side in sides if isinstance(side, n.KindName)}


def _outside(body: object, name: str) -> Iterator[n.Node]:
    """Yield the nodes of a block that do not stand where something goes through a kind."""
    if isinstance(body, tuple):
        for each in body:
            yield from _outside(each, name)
    elif isinstance(body, n.Node) and looked_at(body) != name:
        yield body
        for field in fields(body):
            yield from _outside(getattr(body, field.name), name)


def things(body: object, name: str) -> Iterator[n.Name]:
    """Yield where a block speaks of a thing by the bare name of its kind: asks it, changes it, sends it, takes it."""
    return _spoken_of(walk(body), name)


def _spoken_of(parts: Iterator[n.Node], name: str) -> Iterator[n.Name]:
    for part in parts:
        for role in ("owner", "target", "kind", "subject"):
            thing = getattr(part, role, None) if role != "kind" or not isinstance(part, n.Place) else None
            if isinstance(thing, n.Name) and thing.name == name:
                yield thing


def _is_given(cell: n.Expression | None) -> bool:
    """Whether a cell is what a caller gives to a definition: by a name, or by names of its column and its row."""
    parts = (cell.x, cell.y) if isinstance(cell, n.Position) else (cell,)
    return all(isinstance(each, n.Name) for each in parts)


def beside_itself(writer: Writer) -> None:
    """`any tree at (tree.x + 1, tree.y)`: in the cell `tree` is the one that is looked at, so none is ever there."""
    spec, said = writer.world.spec, set[tuple[int, int]]()
    blocks = {
        part.span: body
        for effect, _ in effects_in([rule.effects for rule in spec.rules])
        for test, body in (effect.branches if isinstance(effect, n.If) else ())
        for part in _joined(test)
        if part is not None
    }
    for node, heard in _asking(spec):
        for name, sought, given, through in _sought_in_cells(node, heard, {}, None):
            place = (sought.span.start, sought.span.end)
            if place in said or not is_off(sought.right, name, given):
                continue
            if sought.span.through and _is_given(sought.right):
                continue  # who calls a definition gives the cell: `of-the-caller` tells that
            said.add(place)
            help: str | None = _another(name, sought, through)
            # What a call or `let` gives goes on meaning the thing outside, whatever `any` looks at.
            if not is_off(sought.right, name, {}):
                help = write(f"any {name}", ", which asks for another one", sought.left.span)
                if next(things(blocks.get(sought.span), name), None) is not None:
                    loop = f"each {to_text(sought.left)} where {to_text(sought)}:"
                    help = f"`{loop}` finds another one, and in its block `{name}` is that one"
            writer.report.add("beside-itself", sought.span, name=name, help=help)


def _asking(spec: GridSpec) -> Iterator[tuple[object, frozenset[str]]]:
    """Yield what the spec's own file asks, with the kinds that a rule's trigger names."""
    for rule in spec.rules:
        if rule.span.source is spec.source:
            heard = frozenset(part.name for part in walk(rule.trigger) if isinstance(part, n.KindName))
            if rule.trigger.event == "when":
                heard = frozenset()
            yield (rule.trigger, rule.condition, rule.effects), heard
    for node in clauses_of(spec, without=("rules", "definitions")):
        if isinstance(node, n.Some | n.Call | n.Each) and node.span.source is spec.source:
            yield node, frozenset()


def _another(name: str, sought: n.Relation, through: str | None) -> str:
    """Say how another thing is asked for: by a name for the one that is meant, or by the cell of each."""
    if through is not None:
        meant = re.sub(rf"\b{name}\.", "c.", sought.span.text)
        any_of = meant if isinstance(sought.left, n.Quantified) else f"any {meant}"
        if through.startswith("no "):
            any_of = any_of.replace("no ", "any ", 1)
        return f"go through cells, each with a name, as in `{through.format(f'{name} at c and {any_of}')}`"
    meant = re.sub(rf"\b{name}\.", "this.", sought.span.text)
    if not isinstance(sought.left, n.Quantified):
        meant = f"any {meant}"
    return f"give the one that is meant a name: `let this = {name}` in the block, then `if {meant}: ...`"


def _joined(test: n.Expression | None) -> Iterator[n.Expression | None]:
    """Yield the parts of a condition that `and` joins, in whatever brackets."""
    if isinstance(test, n.Logic) and test.operator == "and":
        for each in test.values:
            yield from _joined(each)
    else:
        yield test


def _sought_in_cells(
    value: object, heard: frozenset[str], given: Given, through: str | None
) -> Iterator[tuple[str, n.Relation, Given, str | None]]:
    """Yield what asks for things in cells, with their kind: one that is `heard` of, or that `any` or `no` asks for.

    With one that is heard of comes what the calls around are given: it speaks of that very thing. Behind it comes, in
    a condition that goes ``through`` all of a kind, how one would go through cells.
    """
    if isinstance(value, tuple):
        for each in value:
            if any(can.sends for _, can in effects_in(each)):
                given = {}  # the thing may be elsewhere since
            yield from _sought_in_cells(each, heard, given, through)
            if isinstance(each, n.Let):
                given = {**given, each.name: each.value}
        return
    if not isinstance(value, n.Node):
        return
    over = looked_at(value)
    if over is not None:
        heard, given, through = heard | {over}, {}, _through_cells(value)
    elif isinstance(value, n.Given):
        given = {**given, **dict(value.names)}
    elif isinstance(value, n.Some) or getattr(value, "each", None) is not None:
        given = {}  # the kind may be the one that is looked at, and what is given speaks of another
    if isinstance(value, n.Relation) and value.name == "at":
        match value.left:
            case n.Quantified(kind=n.Name(name) | n.Pattern(name)):
                yield name, value, {}, through
            case n.Name(name) if name in heard:
                yield name, value, given, through
    for each in fields(value):
        yield from _sought_in_cells(getattr(value, each.name), heard, given, through)


def looked_at(value: object) -> str | None:
    """Return the kind that means, in a node, the one of them that is looked at."""
    match value:
        case n.Some(over=over) | n.Superlative(over=over) | n.Each(over=over):
            return over.name if isinstance(over, n.Name | n.Pattern) else None
        case n.Call(arguments=(n.Name(name) | n.Pattern(name),)) if value.where is not None:
            return name
        case n.Call(each=n.Name(name) | n.Pattern(name)):
            return name
    return None


def _through_cells(node: n.Node) -> str | None:
    """Return how a condition goes through cells, with a place for what it asks of each; None for a loop."""
    if isinstance(node, n.Some):
        return "any c in cells where ({})" if node.quantifier == "any" else "no c in cells where ({})"
    if isinstance(node, n.Call):
        return "count(c in cells where {})" if node.name == "count" else "sum(E for c in cells where {})"
    return None


def pairs_as_cells(writer: Writer) -> None:
    """`observe: (energy, mood)` is no pair, but a cell: it is told where one of the numbers reaches beyond the grid."""
    world, spec = writer.world, writer.world.spec
    for item in (each for observe in spec.observe for each in observe.items):
        cell = item.value if isinstance(item, n.ObserveItem) and item.what == "value" else None
        if not isinstance(cell, n.Position) or cell.span.source is not spec.source or cell.span.through:
            continue
        for number, size in ((cell.x, world.width), (cell.y, world.height)):
            name = number.name if isinstance(number, n.Name) else ""
            variable = world.variables.get(name)
            if variable is not None and variable.domain.high >= size:
                apart = f"{to_text(cell.x)}, {to_text(cell.y)}"
                help = f"they are two entries, each with a name, or `observe tuple: {apart}`"
                writer.report.add("pair-is-cell", cell.span, pair=to_text(cell), name=name, help=help)
                break


def nearly_agents(writer: Writer) -> None:
    """`actions bobb: ...` beside an agent `bob`: as no agent is called so, all have these actions as a second list."""
    world, spec = writer.world, writer.world.spec
    agents = {each.name for each in spec.agents}
    for group in spec.actions:
        if group.name is None or not agents or group.span.source is not spec.source:
            continue
        if group.name.split()[0] in agents:  # `actions red: ...` and `actions red hand: ...` are its own
            continue
        of_many = [
            name for name in agents if group.name in world.agent_names and group.name.startswith(f"{name}_")
        ]
        meant = of_many or near(group.name, agents)[:1]
        if meant:
            place = group.span.word(group.name)
            said = f"did you mean `{meant[0]}`? "
            help = Help(
                f"{said}all agents have the actions of a list with a name of its own", meant, place=place
            )
            writer.report.add("no-such-agent", place, name=group.name, help=help)


def never_together(writer: Writer) -> None:
    """`box is target`, and `key on ball` of one layer: a thing stays of its kind, and a layer holds one in a cell."""
    spec, turned = writer.world.spec, _turned_into(writer)
    for node in clauses_of(spec):
        if (
            not isinstance(node, n.Is | n.Relation)
            or node.span.source is not spec.source
            or node.span.through
        ):
            continue
        left, right = _kind_written(writer, node.left), _kind_written(writer, node.right)
        if right is None or left is right:
            continue
        if isinstance(node, n.Is):
            help = None if turned is None or right.name in turned else _stays(node, left, right)
        else:
            help = _apart(writer, left, right) if node.name == "on" and left is not None else None
        if help is not None:
            of_none = isinstance(node.left, n.Quantified) and node.left.quantifier == "no"
            always = of_none != (isinstance(node, n.Is) and node.negated)
            writer.report.add("always-true" if always else "never-true", node.span, help=help)


def in_no_cell(writer: Writer) -> None:
    """`on pickup coin if coin at (2, 0)`: the coin is the one that was taken, and what is carried is in no cell."""
    spec = writer.world.spec
    for rule in spec.rules:
        taken, asked = rule.trigger.object, rule.condition
        if (
            rule.trigger.event != "pickup"
            or rule.span.source is not spec.source
            or not isinstance(taken, n.KindName)
        ):
            continue
        for node in asked.values if isinstance(asked, n.Logic) and asked.operator == "and" else (asked,):
            node = node.value if isinstance(node, n.Not) else node
            if (
                not isinstance(node, n.Relation)
                or node.name not in {"at", "on", "within"}
                or node.span.through
            ):
                continue
            side = next(
                (each for each in (node.left, node.right) if getattr(each, "name", "") == taken.name), None
            )
            if isinstance(side, n.Name) and side.span.text == taken.name:
                help = write(
                    f"any {taken.name}", ": alone it is the one that was picked up, and in no cell", side.span
                )
                writer.report.add("never-true", node.span, help=help)


def _stays(node: n.Is, left: Kind | None, right: Kind) -> str | None:
    """Say that nothing of one kind, or of several, is of another; None where it may be."""
    asked = node.left.span.text
    grouped = left is None and asked.rpartition(" ")[2] in GROUPS
    if right.category == "tile" and (grouped or (left is not None and left.category == "object")):
        negated = "not " if node.negated else ""
        return write(f"{negated}{asked} on {right.name}", ": it asks where it is", node.span)
    if left is None or left.category == "agent" or right.name in _words(left):
        return None
    return f"nothing turns a `{left.name}` into a `{right.name}`, as `{left.name} becomes {right.name}` would"


def _apart(writer: Writer, left: Kind, right: Kind) -> str | None:
    """Say what keeps things of two kinds out of one cell; None where nothing does."""
    if left.category != right.category:
        return None
    if left.category == "object" and left.layer == right.layer:
        holds = f", and `{right.name} has {left.name}` asks what is in it" if right.carries else ""
        return of_one_layer(left) + holds
    if left.category == "agent" and agents_keep_apart(writer.world):
        return "agents come into one cell under `contested: share` alone"
    return None


def _kind_written(writer: Writer, node: n.Expression | None) -> Kind | None:
    """Return the kind that a side of a condition names by its own word, be it behind `all`, `any` or `no`."""
    node = node.kind if isinstance(node, n.Quantified) else node
    if not isinstance(node, n.KindName) or not node.span.text.startswith(node.name):
        return None
    return writer.world.kinds.get(node.name)


def _words(kind: Kind) -> set[str]:
    return {word for each in kind.attributes.values() for word in (*each.domain.words, each.name)}


def _turned_into(writer: Writer) -> set[str] | None:
    """Return the kinds that effects turn things into; None where a name says which."""
    world, spec = writer.world, writer.world.spec
    values = [effect.value for effect, _ in of_spec(spec) if isinstance(effect, n.Becomes)]
    named = {part.name for part in walk(values) if isinstance(part, n.KindName)}
    given = {*local_names(spec.blocks), *world.params}
    return None if named & (given | writer.variables.keys()) else named & world.kinds.keys()
