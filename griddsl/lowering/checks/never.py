"""Never: rules that cannot fire, by the kinds they name and by what those kinds are."""

from __future__ import annotations

import re
from collections import Counter
from typing import TypeGuard

from griddsl.lowering.facts.made import sets_a_value
from griddsl.lowering.facts.sent import can_be_an_agent
from griddsl.lowering.rules.stopping import stops_by_its_kind
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import of_rules, of_spec
from griddsl.lowering.world.actions import added
from griddsl.lowering.world.kinds import BUILT_IN, Kind
from griddsl.lowering.world.maps.generators import GENERATORS
from griddsl.lowering.world.naming import drawn_kind, kinds_named
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import HANDLING, OF_KINDS
from griddsl.syntax.nodes import walk

_EDGE = "; the border of the grid is `edge`"
_LOOKING = frozenset({"random", "toward", "away from", "still"})  # they choose among the cells that are free
_FAILING = "`pickup`, `drop` and `toggle` alone can fail"
_MOVED_BY_RULES = "no action moves the agent, and rules move it where it is free: `go = move east` is stopped"


def rules_that_never_fire(writer: Writer) -> None:
    """Warn of each rule that cannot fire, and say why where that is known."""
    world = writer.world
    made = kinds_made(world)
    undrawn = _undrawn(world)
    said: set[str] = set()
    never = writer.notes.never - writer.notes.sometimes
    copies = Counter(rule.span for rule in world.spec.rules)
    for rule in world.spec.rules:
        # What is said of a group of kinds may fire for some of them alone.
        if rule.span.source is not world.spec.source or copies[rule.span] > 1:
            continue
        names = {
            node.name for node in (rule.trigger.subject, rule.trigger.object) if isinstance(node, n.KindName)
        }
        if names & undrawn:
            continue  # The legend's warning says it already.
        missing = next(
            (name for name in _named(rule) if made is not None and name in world.kinds and name not in made),
            None,
        )
        if missing in said:
            continue
        reason = _reason(world, rule)
        if missing is not None and (rule.span in never or rule.trigger.event in OF_KINDS):
            said.add(missing)
            edge = _EDGE if missing == "wall" and rule.trigger.event == "bump" else ""
            reason = f"no map shows a `{missing}`, and nothing places one{edge}"
        if reason is not None or (rule.span in never and not _is_explained(writer, rule)):
            writer.report.add("never-fires", rule.span, help=reason)


def _is_explained(writer: Writer, rule: Rule) -> bool:
    """Whether its condition was already said to be never true, or another parameter, limit or map can make it fire."""
    world = writer.world
    said = any(
        found.code == "never-true" and rule.span.start <= found.span.start < rule.span.end
        for found in writer.report.diagnostics
    )
    decisive = walk((rule.trigger.object, rule.condition, rule.chance))
    chosen = any(isinstance(node, n.Name) and node.name in names_that_vary(world) for node in decisive)
    return said or chosen or len(world.spec.maps) > len(world.levels)


def names_that_vary(world: World) -> set[str]:
    """Return the names of what has other values, or another range, with other parameters or in a variant."""
    spec = world.spec
    varying = {"width", "height"} if spec.params or len(spec.maps) > len(world.levels) else set[str]()
    varying |= world.params.keys()
    reckoned = any(getattr(node, "name", "") in varying for node in walk(spec.limit))
    varying |= {"step", "limit"} if reckoned or len(limits(world)) > 1 else set()
    while more := {
        each.name
        for each in spec.variables
        if each.name not in varying
        and any(getattr(node, "name", "") in varying for node in walk((each.default, each.domain)))
    }:
        varying |= more
    return varying


def limits(world: World) -> set[int | None]:
    """Return the limits that an episode can have: that of the spec, and those that its variants set."""
    declared = {each.name for each in world.spec.params}
    own = [variant.settings.get("limit") for variant in world.spec.variants if "limit" not in declared]
    return {world.limit, *(limit for limit in own if isinstance(limit, int))}


def kinds_drawn(world: World) -> set[str] | None:
    """Return the kinds that maps and generators draw, and floor; None where a plug-in draws."""
    spec = world.spec
    if spec.generate is not None and spec.generate.name not in GENERATORS:
        return None
    used = {char for drawing in spec.maps for row in drawing.all_rows for char in row}
    legend = {item.glyph: item for item in spec.legend}
    drawn = {"floor", *(name for glyph, name in BUILT_IN.items() if glyph in used and glyph not in legend)}
    thin_walls = any(level.barriers for level in world.levels)
    drawn |= {"wall"} if spec.generate is not None or thin_walls else set()
    for glyph, item in legend.items():
        if glyph in used:
            drawn |= {node.name for node in walk((item.kind, item.tile)) if isinstance(node, n.KindName)}
    return drawn


def kinds_made(world: World) -> set[str] | None:
    """Return the kinds that are drawn, placed or become; None where a plug-in draws."""
    spec = world.spec
    made = kinds_drawn(world)
    if made is None:
        return None
    made |= {"agent", *(kind.name for kind in world.agents)}
    roots: list[object] = []
    for effect, can in of_spec(spec):
        if can.makes is not None:
            roots.append(can.makes(effect))
        elif isinstance(effect, n.Choose) and drawn_kind(world.kinds, effect.domain) is None:
            roots.append(effect.domain)
    made |= _kinds_in(roots)
    values = [declared.domain for declared in (*spec.variables, *spec.params) if declared.name in made]
    return made | _kinds_in(values)


def _kinds_in(clauses: object) -> set[str]:
    return {node.name for node in walk(clauses) if isinstance(node, n.KindName)}


def _undrawn(world: World) -> set[str]:
    """Return the kinds of legend entries that no map uses."""
    used = {char for drawing in world.spec.maps for row in drawing.all_rows for char in row}
    return {
        node.name
        for item in world.spec.legend
        if item.glyph not in used
        for node in walk(item.kind)
        if isinstance(node, n.KindName)
    }


def _named(rule: Rule) -> list[str]:
    """Return the names in a rule's trigger and condition."""
    nodes = walk((rule.trigger.subject, rule.trigger.object, rule.condition))
    return [node.name for node in nodes if isinstance(node, n.KindName)]


def _reason(world: World, rule: Rule) -> str | None:
    trigger = rule.trigger
    if isinstance(rule.chance, n.Number) and rule.chance.value == 0:
        return "its chance is 0"
    if trigger.event == "every" and isinstance(trigger.object, n.Number) and world.limit is not None:
        most = max(limit for limit in limits(world) if limit is not None)
        return f"an episode has {most} steps" if trigger.object.value > most else None
    if trigger.event == "fail":
        named = getattr(trigger.object, "name", "")
        can_fail = any(each.name == named and each.verb in HANDLING for each in world.actions)
        return None if can_fail else f"{_FAILING}: what stops a move is heard by `on bump wall`"
    if trigger.event in {"step", "every", "when", "act", "do"}:
        return None
    kind = world.kinds.get(trigger.named.name)
    subject = None if trigger.subject is None else world.kinds.get(trigger.subject.name)
    if kind is not None and subject is not None and _share_no_cell(trigger.event, subject, kind):
        return of_one_layer(subject)
    if trigger.event == "bump" and subject is not None and subject.category == "object":
        reason = _reason_to_bump(world, subject)
        if reason is not None:
            return reason
    is_agents = subject is None or subject.category == "agent"
    goes = _belts(world) or any(action.verb == "move" for action in world.actions)
    if trigger.event in {"bump", "push"} and is_agents and not goes:
        return _MOVED_BY_RULES
    if kind is None:
        return None
    if trigger.subject is not None and world.kinds[trigger.subject.name].category != "agent":
        return None if subject is None else _reason_of_object(world, trigger.event, subject, kind)
    return _reason_of_kind(world, trigger.event, kind)


def _reason_of_object(world: World, event: str, subject: Kind, kind: Kind) -> str | None:
    """Say why an object can never raise this event with this kind, by itself or pushed; effects may do anything."""
    if subject.category != "object" or _agent_is_put(world):
        return None
    solid = kind.solid is not None and kind.solid.word == "always"
    if event == "enter" and solid and kind.category != "agent":
        return f"`{kind.name}` is solid: no `{subject.name}` comes into its cell"
    return None


def _reason_to_bump(world: World, subject: Kind) -> str | None:
    """Say why an object bumps into nothing: what an effect moves goes where it is free, and raises no such event."""
    movers = [node for node in walk(subject.moves) if isinstance(node, n.Mover)]
    if _belts(world) or subject.pushable or not all(each.policy in _LOOKING for each in movers):
        return None
    goes = f"`moves {movers[0].policy}`" if movers else f"`move {subject.name} DIRECTION`"
    return f"{goes} goes where it is free: what moves `forward`, and what is pushed, bumps into things"


def _belts(world: World) -> bool:
    return any(tile.carry is not None or tile.drift is not None or tile.slide for tile in world.tile_kinds())


def of_one_layer(kind: Kind) -> str:
    """Say why two objects are never in one cell, and what lets one of them be there."""
    other = "ground" if kind.layer == "air" else "air"
    help = f"`object {kind.name}: layer {other}` gives `{kind.name}` a layer of its own"
    return f"both lie on one layer, which holds one thing in a cell: {help}"


def _share_no_cell(event: str, subject: Kind, kind: Kind) -> bool:
    """Whether an event is of two objects in one cell that a layer keeps apart."""
    are_objects = kind.category == subject.category == "object"
    return are_objects and event in {"enter", "leave", "meet"} and kind.layer == subject.layer


def _reason_of_kind(world: World, event: str, kind: Kind) -> str | None:
    """Say why the agent can never raise this event with this kind."""
    name = kind.name
    solid = kind.solid is not None and kind.solid.word == "always"
    verbs = {action.verb for action in world.actions}
    match event:
        case "enter" if solid and not _is_let_in(world, kind) and not _is_put_onto(world, kind):
            return f"`{name}` is solid: `on bump {name}` fires when the agent moves against it"
        case "enter" | "leave" | "bump" | "toggle" | "meet" if (
            kind.category == "agent" and len(world.agents) == 1
        ):
            return "there is one agent, which does not come to itself"
        case "enter" if kind.category == "agent" and agents_keep_apart(world):
            return (
                "agents come into one cell under `contested: share` alone: `on bump agent` fires beside one"
            )
        case "bump" if kind.solid is None and not stops_by_its_kind(world, world.kinds["agent"], kind):
            return f"`{name}` is not solid: `on enter {name}` fires when the agent moves onto it"
        case "push" if not kind.pushable:
            return f"`{name}` cannot be pushed: declare `object {name}: pushable`"
        case "pickup" | "drop" if kind.category == "object" and not kind.portable:
            return f"`{name}` cannot be carried: declare `object {name}: portable`"
        case "pickup" | "drop" | "toggle" if event not in verbs and not _is_done(world, event):
            why = "no action does it: "
            return added(world.actions, event, world.spec.source, why) or f"{why}add `{event}` to them"
        case "meet" if kind.category == "agent" and _agents_never_meet(world):
            return (
                "agents meet in one cell under `contested: share`, and in changing places under `swap: allow`"
            )
        case "meet" if (
            kind.category == "object" and solid and not _is_let_in(world, kind) and not _rules_put(world)
        ):
            return (
                f"`{name}` is solid, and comes into no cell with the agent: `on bump {name}` fires beside it"
            )
        case "meet" if kind.category == "tile":
            return f"a tile does not move: `on enter {name}` fires when the agent moves onto it"
    return None


def _is_done(world: World, verb: str) -> bool:
    """Whether an effect does what an action of that name does."""
    effects = [rule.effects for rule in world.spec.rules]
    return any(isinstance(node, n.Handle) and node.verb == verb for node in walk(effects))


def _agent_is_put(world: World) -> bool:
    """Whether the agent can get onto a solid cell without moving there: placed, sent, or by a change of the cell."""
    return any(
        can.moves or (can.makes is not None and not sets_a_value(world, effect))
        for effect, can in of_spec(world.spec)
    )


def _is_let_in(world: World, kind: Kind) -> bool:
    """Whether an action goes ``through`` what can be in a cell with a thing of a kind: it passes whatever is there."""
    return any(
        name not in world.kinds or not _exclude(world.kinds[name], kind)
        for action in world.actions
        if action.through is not None
        for name in kinds_named(world.spec, world.kinds, action.through) or ("",)
    )


def _exclude(one: Kind, other: Kind) -> bool:
    """Whether no cell holds things of both kinds: tiles of two, or objects of two on one layer."""
    if one.name == other.name or one.category != other.category:
        return False
    return one.category == "tile" or (one.category == "object" and one.layer == other.layer)


def _is_put_onto(world: World, kind: Kind) -> bool:
    """Whether a rule can bring the agent and a solid thing into one cell without a move: setup raises no event."""
    return any(
        can.moves
        if can.makes is None
        else not sets_a_value(world, effect) and _can_be(world, can.makes(effect), kind)
        for effect, can in of_rules(world.spec)
    )


def _can_be(world: World, node: n.Expression, kind: Kind) -> bool:
    """Whether what an effect makes can be of a kind, or an agent."""
    named = kinds_named(world.spec, world.kinds, node, made=True)
    return named is None or kind.name in named or can_be_an_agent(world, node)


def agents_keep_apart(world: World) -> bool:
    """Whether agents never share a cell: none is put where another is, nor let into what is blocked otherwise."""
    return world.agents_block and not world.passes_through and not _agent_is_put(world)


def _agents_never_meet(world: World) -> bool:
    """Whether agents neither share cells nor change places."""
    return world.spec.swap == "block" and agents_keep_apart(world)


def _rules_put(world: World) -> bool:
    """Whether a rule can bring things together that do not go into each other's cells by themselves."""
    return any(can.moves or can.makes is not None for _, can in of_rules(world.spec))


def chances_of_zero(writer: Writer) -> None:
    """Warn of what never happens because its chance is written as 0; of a rule's own chance `never-fires` tells."""
    spec = writer.world.spec
    roots: list[object] = [
        *(
            spec.preparing,
            [group.items for group in spec.actions],
            [observe.items for observe in spec.observe],
        ),
        [rule.effects for rule in spec.rules],
    ]
    for kind in spec.kinds:
        for item in kind.items:
            alone = (
                isinstance(item, n.Mover) and _is_zero(item.chance) and not _is_moved(writer.world, kind.name)
            )
            if alone and kind.span.source is spec.source:
                help = "its chance is 0; what has no `moves` stays where it is too"
                writer.report.add("never-moves", kind.span, name=kind.name, help=help)
            else:
                roots.append(item)
    roots.append([slip.items for slip in spec.slip])
    told: list[object] = [getattr(node, "chance", None) for node in walk(roots)]
    for chance in [*told, spec.sticky]:
        if _is_zero(chance) and chance.span.source is spec.source and not chance.span.through:
            writer.report.add("never-true", _with_chance(chance.span), help="a chance of 0: it never happens")


def idle_statements(writer: Writer) -> None:
    """Warn of a `repeat 0:`, of an agent's own limit that is never reached, and of actions of who moves by itself."""
    world, spec = writer.world, writer.world.spec
    for node in walk(spec.blocks):
        if isinstance(node, n.Repeat) and _is_zero(node.count) and node.count.span.source is spec.source:
            help = "leave it out, or say how often: `repeat 3:`"
            writer.report.add("idle", node.count.span, reason="its block is carried out 0 times", help=help)
    alone = {kind.name for kind in world.agents if kind.moves is not None}
    groups, seen = [(each.name, each.span) for each in spec.actions], [(e.name, e.span) for e in spec.observe]
    for name, span in (*groups, *seen):
        if name in alone and span.source is spec.source:
            help = "leave it out; who learns has no `moves`"
            writer.report.add("idle", span.word(name), reason=f"`{name}` moves by itself", help=help)
    varies = {item.name for variant in spec.variants for item in variant.items} | {
        param.name for param in spec.params
    }
    for own in spec.limits:
        steps, limit = world.own_limits.get(own.agent), world.limit
        names = {part.name for part in walk((own.steps, spec.limit)) if isinstance(part, n.Name)} | {"limit"}
        if (
            steps is None
            or limit is None
            or steps < limit
            or own.span.source is not spec.source
            or names & varies
        ):
            continue
        reason = f"the episode ends after {limit:,} steps for all"
        help = "an agent's own limit is below that of the episode; leave it out, or let that be longer"
        writer.report.add("idle", own.steps.span, reason=reason, help=help)


def _is_moved(world: World, name: str) -> bool:
    """Whether something else can move an object of a kind: an agent, a belt or an effect."""
    belts = any(tile.carry is not None for tile in world.tile_kinds())
    return bool(world.kinds[name].pushable) or belts or any(can.sends for _, can in of_rules(world.spec))


def _is_zero(chance: object) -> TypeGuard[n.Number]:
    return isinstance(chance, n.Number) and chance.value == 0


def _with_chance(span: Span) -> Span:
    """Return the place of a chance with the words before it."""
    words = re.search(r"\bwith\s+chance\s*\Z", span.source.text[max(0, span.start - 80) : span.start])
    return span if words is None else Span(span.source, span.start - len(words[0]), span.end, span.through)
