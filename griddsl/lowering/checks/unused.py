"""Unused: names that nothing reads, and actions that do nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from griddsl.compass import COMPASS
from griddsl.diagnostics import Help, near, write
from griddsl.lowering.facts.sent import BEFORE_THE_ACTION
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.actions import KNOWN, Action
from griddsl.lowering.world.missions import names_in
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.spec.clauses import clauses_of
from griddsl.spec.models import KindDeclaration
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

IDLE = frozenset(
    {"done", "stay", "noop", "no_op", "none", "nothing", "idle", "pass", "wait", "rest", "quiet", "silent"}
)


def unused_names(writer: Writer) -> None:
    """Parameters, variables, regions, kinds and chosen names that nothing speaks of; variables that are only set."""
    world = writer.world
    mentioned = Counter(_mentioned(world))
    only_set = Counter(_targets(world))
    spec = world.spec
    declared: list[tuple[str, str, Span]] = [
        *(("the parameter", declaration.name, declaration.span) for declaration in spec.params),
        *(("the variable", declaration.name, declaration.span) for declaration in spec.variables),
        *(("the region", region.name, region.span) for region in spec.regions),
        *((f"the {kind.category}", kind.name, kind.span) for kind in spec.kinds if _can_be_unused(kind)),
        *_chosen(world),
        *_taken(world),
    ]
    for what, name, span in spec.unused:
        help = "use it, or leave it out"
        if what == "the definition" and re.search(rf"\b{name}\(", spec.mission or ""):
            help = f"a text tells it in braces: `{{{name}(...)}}`"
        writer.report.add("unused-name", span, what=what, name=name, help=help)
    for what, name, span in declared:
        if span.source is not spec.source or span.through:
            continue
        if name not in mentioned:
            writer.report.add("unused-name", span, what=what, name=name, help="use it, or leave it out")
        elif what == "the variable" and mentioned[name] == only_set[name]:
            help = "it is set, and nothing reads it: no condition, reward or observation"
            writer.report.add("unused-name", span, what=what, name=name, help=help)
    _drawn_anew(writer)


def _drawn_anew(writer: Writer) -> None:
    """A name that a rule draws, that its own effects do not ask for, and that setup has drawn too: that one stays."""
    spec = writer.world.spec
    of_setup = {name for node in walk(spec.preparing) if isinstance(node, n.Choose) for name in node.names}
    for rule in spec.rules:
        asked = set(_mentioned_in(walk(rule.effects)))
        for node in walk(rule.effects):
            if not isinstance(node, n.Choose) or node.span.source is not spec.source or node.span.through:
                continue
            for name in of_setup.intersection(node.names) - asked:
                help = (
                    f"it is gone behind this block, and `{name}` of setup stays: what changes is a variable, "
                    f"`var {name}: ...` and `{name} becomes random`"
                )
                place = node.span.word(name)
                writer.report.add("unused-name", place, what="what a rule draws as", name=name, help=help)


def _can_be_unused(kind: KindDeclaration) -> bool:
    return kind.category != "agent" and kind.name not in {"floor", "wall"}


def _chosen(world: World) -> Iterator[tuple[str, str, Span]]:
    for node in walk(world.spec.blocks):
        if isinstance(node, n.Choose):
            yield from (("the chosen name", name, node.span.word(name)) for name in node.names)
        elif isinstance(node, n.Place) and node.alias:
            yield "the name", node.alias, node.span.word(node.alias)
        elif isinstance(node, n.Let):
            yield "the name", node.name, node.span.word(node.name)


def _taken(world: World) -> Iterator[tuple[str, str, Span]]:
    """Yield what actions take, where they are not only chosen among."""
    for action in world.actions:
        for argument in action.arguments:
            yield f"what `{action.name}` takes as", argument.name, argument.span.word(argument.name)


def _mentioned(world: World) -> Iterator[str]:
    """Yield the names that clauses, missions and `level` mention, as often as they do."""
    yield from _mentioned_in(clauses_of(world.spec, without=("looks",)))
    yield from names_in(world.spec.mission or "")
    if world.spec.level:
        yield world.spec.level


def _mentioned_in(clauses: Iterable[n.Node]) -> Iterator[str]:
    for node in clauses:
        if isinstance(node, n.KindName):
            yield node.name
        elif isinstance(node, n.Reward) and node.to:
            yield node.to
        elif isinstance(node, n.Property) and node.word:
            yield node.word
        elif isinstance(node, n.Primitive):
            yield node.name
        elif isinstance(node, n.Text):
            yield from names_in(node.value)


def _targets(world: World) -> Iterator[str]:
    """Yield the names that effects set."""
    for effect, can in effects_in(world.spec.blocks):
        target = None if can.sets is None else can.sets(effect)
        if isinstance(target, n.Name):
            yield target.name


def actions_without_effect(writer: Writer) -> None:
    """An action of nothing, or of a primitive that finds nothing to do, and that no rule speaks of."""
    world = writer.world
    rules = world.spec.rules
    roots = [(rule.condition, rule.effects, rule.trigger) for rule in rules]
    listened = {rule.trigger.event for rule in rules}
    clauses = list(clauses_of(world.spec))
    is_asked = any(isinstance(node, n.Attribute) and node.name == "action" for node in clauses)
    is_moved = any(isinstance(node, n.Go) or _is_of_agents(world, node) for node in clauses)
    spoken = {node.name for node in walk(roots) if isinstance(node, n.Name)} | IDLE
    portable = any(kind.portable for kind in world.object_kinds())
    for action in world.actions:
        if action.name in spoken or action.span.source is not world.spec.source:
            continue
        # What a rule on all actions, or one that asks for them, makes of it: but of a way that none goes.
        if ("act" in listened or is_asked) and (is_moved or action.name not in COMPASS):
            continue
        help: str | None = None
        if action.name in COMPASS and action.verb == "none":
            help = write(f"{action.name} = move {action.name} 1", ": a direction is no action", action.span)
        elif action.verb == "none":
            help = f"say what it does, as in `on do {action.name}: reward 1` or `{action.name} = move east 2`"
            help += f"; `{action.name} = stay` is one that is to do nothing"
            if action.arguments:
                help = f"say what it does, as in `on do {action.name}: reward 1`"
            meant = near(action.name, set(KNOWN) - {each.name for each in world.actions})[:1]
            known = known_by_another_name(action.name) or _by_letter(action.name, world.actions)
            if action.name in _SETS and not action.arguments:
                help = write(_SETS[action.name], ": each action is named", action.span)
            elif known in {"left", "right"} and any(other.verb == "turn" for other in world.actions):
                aside = f": it steps aside, and goes on facing there; `{known}` would turn it"
                help = write(f"{action.name} = strafe_{known}", aside, action.span)
            elif known is not None and not action.arguments:
                said = f", or say what it does: `on do {action.name}: ...`"
                help = write(f"{action.name} = {known}", said, action.span)
            elif meant:
                help = Help(f"did you mean `{meant[0]}`? or {help}", meant, action.name)
        elif action.verb == "toggle" and not listened & {"toggle", "fail"}:
            help = "say what it does to a kind: `on toggle door: door becomes open`"
        elif action.verb in {"pickup", "drop"} and not portable and "fail" not in listened:
            help = "declare what can be carried: `object key: portable`"
        if help is not None:
            writer.report.add("no-effect", action.span, name=action.name, help=help)


def cancelled_in_vain(writer: Writer) -> None:
    """Warn of `on do craft: cancel` where rules alone say what the action does: they run all the same."""
    world = writer.world
    if any(kind.drift is not None for kind in world.tile_kinds()):
        return  # the wind blows whoever stays, unless that is cancelled
    for rule in world.spec.rules:
        if rule.trigger.event not in BEFORE_THE_ACTION or rule.span.source is not world.spec.source:
            continue
        named = getattr(rule.trigger.object, "name", None)
        roles = [role for role in world.roles if named is None or any(named == a.name for a in role.actions)]
        stopped = [
            action
            for role in roles
            for group in role.groups
            for action in group.actions  # those of all groups are one event
            if action.name == named or named is None or all(named != each.name for each in group.actions)
        ]
        if not stopped or any(action.verb not in {"none", "stay"} for action in stopped):
            continue
        for effect, _ in effects_in(rule.effects):
            if isinstance(effect, n.Cancel):
                what = f"`{named}` is" if named is not None else "these actions are"
                reason = f"{what} carried out by rules alone, which run all the same"
                help = "a rule that is not to run says so itself: `on do ACTION if C: ...`"
                writer.report.add("idle", effect.span, reason=reason, help=help)


def _is_of_agents(world: World, node: n.Node) -> bool:
    """Whether an effect moves or places an agent, or whatever a name means that is no kind."""
    thing = node.subject if isinstance(node, n.Move) else node.kind if isinstance(node, n.Place) else None
    kind = world.kinds.get(getattr(thing, "name", ""))
    return thing is not None and (kind is None or kind.category == "agent")


_OTHER_NAMES = {
    **dict.fromkeys(("grab", "take", "pick", "pick_up", "collect", "get", "lift"), "pickup"),
    **dict.fromkeys(("put", "put_down", "release", "place_down"), "drop"),
    **dict.fromkeys(("use", "interact", "press", "activate", "switch"), "toggle"),
    **dict.fromkeys(("rotate_left", "left_turn", "turnleft", "turn_l"), "turn_left"),
    **dict.fromkeys(("rotate_right", "right_turn", "turnright", "turn_r"), "turn_right"),
    **dict.fromkeys(("ahead", "go", "advance", "step_forward"), "forward"),
    **dict.fromkeys(("back", "reverse", "step_back", "step_backward"), "backward"),
    **dict.fromkeys(("sidestep_left", "side_step_left", "strafeleft"), "strafe_left"),
    **dict.fromkeys(("sidestep_right", "side_step_right", "straferight"), "strafe_right"),
}


_FOUR, _EIGHT = "up, right, down, left", "up, right, down, left, up_right, up_left, down_right, down_left"
_SETS = {
    **dict.fromkeys(
        ("compass", "cardinal", "cardinals", "four_way", "orthogonal", "nesw", "nsew", "news"), _FOUR
    ),
    **dict.fromkeys(("move", "moves", "movement", "direction", "directions", "arrows", "arrow_keys"), _FOUR),
    **dict.fromkeys(("wasd", "udlr", "default", "discrete", "dpad", "keyboard"), _FOUR),
    **dict.fromkeys(("eight_way", "moore", "octal", "diagonals", "diagonal", "king"), _EIGHT),
    "minigrid": "turn_left, turn_right, forward, pickup, drop, toggle, done",
}
_LETTERS = (
    {"n": "up", "e": "right", "s": "down", "w": "left"},
    {"w": "up", "d": "right", "s": "down", "a": "left"},
    {"u": "up", "r": "right", "d": "down", "l": "left"},
)


def _by_letter(name: str, actions: Sequence[Action]) -> str | None:
    """Return the move that a letter stands for, where at least three of its four do: `n, e, s, w`, `w, a, s, d`."""
    names = {action.name.lower() for action in actions}
    return next((each.get(name.lower()) for each in _LETTERS if len(names & each.keys()) > 2), None)


def known_by_another_name(name: str) -> str | None:
    """Return the known action that a name means for sure: `move_up` is `up`, `grab` is `pickup`."""
    word = name.lower()
    moved = re.fullmatch(r"(?:move|go|walk|step|run|push|strafe|slide)_?(\w+)", word)
    return _OTHER_NAMES.get(word, moved[1] if moved and moved[1] in KNOWN else None)


def unused_statements(writer: Writer) -> None:
    """Statements about what the spec has not: slips without moves, illegal actions where all are allowed."""
    world, spec = writer.world, writer.world.spec
    moves = any(action.verb == "move" for action in world.actions) or any(
        group.joystick for group in world.groups
    )
    creatures = any(kind.moves is not None for kind in world.object_kinds())
    several = world.several or bool(spec.agents)
    for keyword, has_it, help in (
        ("slip", moves, "it turns moves aside, and no action moves the agent"),
        ("illegal", world.forbids, "no `allow` makes an action illegal"),
        ("order", creatures, "no object moves by itself"),
        ("turns", several, "there is one agent"),
        ("rewards", several or spec.rewards == "own", "there is one agent"),
        ("contested", several, "there is one agent"),
        ("swap", several, "there is one agent"),
    ):
        place = spec.place(keyword)
        if place.text == keyword and place.source is spec.source and not has_it:
            writer.report.add("unused-name", place, what="the statement", name=keyword, help=help)
    place = spec.place("level")
    if spec.level is not None and spec.generate is not None and not spec.maps and place.source is spec.source:
        help = "the map is generated, and there is no other to choose: leave it out"
        writer.report.add("unused-name", place, what="the statement", name="level", help=help)
    _lists_of_nobody(writer)
    for group in spec.observe:
        for node in walk(group.items):
            is_mask = isinstance(node, n.Name) and node.name == "mask" and node.span.source is spec.source
            if is_mask and not world.forbids and "mask" not in {each.name for each in spec.variables}:
                reason = "no `allow` makes an action illegal, and the mask is all ones"
                help = "say what is allowed, as in `allow pickup: key ahead`, or leave `mask` out"
                writer.report.add("idle", node.span, reason=reason, help=help)


def _lists_of_nobody(writer: Writer) -> None:
    """Lists of actions for all agents, where each has one of its own, and that one alone."""
    world, spec = writer.world, writer.world.spec
    played = {group.order for role in world.roles if role.moves is None for group in role.groups}
    for order, group in enumerate(spec.actions):
        agent, name = group.owned({kind.name for kind in world.agents})
        if order in played or agent is not None or group.span.source is not spec.source:
            continue
        owner = next((each.agent for each in world.groups if each.agent is not None), None)
        if owner is None:
            continue  # nobody acts at all, which is told
        help = "each agent has a list of its own, and that one alone"
        help += f"; a second one of `{owner}` is `actions {owner} {name}: ...`" if name else ": leave it out"
        what = "the list of actions" if name else "the statement"
        place = group.span.word(name or "actions")
        writer.report.add("unused-name", place, what=what, name=name or "actions", help=help)
