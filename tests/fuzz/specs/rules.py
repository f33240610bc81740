"""Rules: every trigger, with conditions and chances, and effects about what it names."""

from __future__ import annotations

from tests.fuzz.specs import defined
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.effects import MARGIN, Effects
from tests.fuzz.specs.expressions import Expressions
from tests.fuzz.specs.world import Kind, Scope, World

HANDLING = ("pickup", "drop", "toggle")


def say_rules(world: World) -> None:
    """Add rules, and at least one that can end the episode."""
    for _ in range(world.dice.between(4 if world.is_busy else 1, 8)):
        _say_rule(world)
    if not any("end" in statement for statement in world.statements) or not world.has_limit:
        world.say(
            f"when step >= {world.dice.between(6, 25)}: end {world.dice.pick(('success', 'late', ''))}".rstrip()
        )


def _say_rule(world: World) -> None:
    trigger, event, scope = _trigger(world)
    dice = world.dice
    head, condition = trigger, None
    says = Expressions(world, scope)
    if event == "when":
        head = f"when {defined.condition(world, says.condition(2).text)}"
    elif dice.chance(45):
        condition, found, scope = _condition(world, scope)
        head += f" if {condition}"
        says = found
    if dice.chance(22):
        head += f" with chance {_chance(says)}"
    lines = defined.block(world, Effects(world, scope, event).block())
    short = dice.chance(50) and not any(
        line.startswith((" ", "if", "else", "each", "repeat")) for line in lines
    )
    world.say(
        f"{head}: {', '.join(lines)}"
        if short
        else "\n".join([f"{head}:", *(MARGIN + line for line in lines)])
    )


def _chance(says: Expressions) -> str:
    dice = says.dice
    fractions = [value.name for value in says.world.params if value.form == "fraction"]
    return dice.pick(["0.5", "20%", "1/3", "0.9", "(0.5 if true else 0.1)", *fractions])


def _condition(world: World, scope: Scope) -> tuple[str, Expressions, Scope]:
    """Return a condition, sometimes one that finds a thing which the effects then speak of."""
    dice, says = world.dice, Expressions(world, scope)
    portable = [kind for kind in world.objects if kind.is_portable and kind.values]
    taken = {name for name, _ in scope.bound}
    if scope.agent and portable and dice.chance(25):
        kind = dice.pick(portable)
        if kind.name not in taken and not kind.is_unique:
            after = scope.with_bound(kind.name, kind)
            return f"{scope.agent} has {kind.name}", Expressions(world, after), after
    grounds = [kind for kind in world.tiles if kind.values and not kind.is_unique and kind.name not in taken]
    if scope.agent and grounds and dice.chance(25):
        kind = dice.pick(grounds)
        after = scope.with_bound(kind.name, kind)
        return f"{scope.agent} on {kind.name}", Expressions(world, after), after
    return says.condition(2).text, says, scope


def _trigger(world: World) -> tuple[str, str, Scope]:
    """Return a trigger, the kind of its event, and what its rule may speak of."""
    dice = world.dice
    nobody = Scope(
        agent=None if world.several else "agent", subject="none" if world.several else "agent", starts=False
    )
    options = {"step": 3, "every": 1.5, "when": 3, "enter": 4, "leave": 1.5, "bump": 2, "act": 1, "do": 1.5}
    options |= {"each": 2, "object": 4} if world.objects else {}
    options |= {"each": 2} if world.several else {}
    options |= {"meet": 3} if world.objects or world.several else {}
    options |= {"push": 3} if any(kind.is_pushable for kind in world.objects) else {}
    options |= {verb: 2 for verb in HANDLING if verb in world.verbs and _targets(world, verb)}
    options |= {"fail": 1} if world.verbs & set(HANDLING) else {}
    if world.is_busy:
        options |= {event: 9 for event in ("enter", "meet", "object", "push") if event in options}
    event = dice.weighted(options)
    match event:
        case "step":
            return "each step", event, nobody
        case "every":
            count, word = dice.between(1, 4), dice.pick(("steps", "step"))
            own = Dice(f"every {count} {len(world.statements)}")
            return f"every {f'({count} + step div 7)' if own.chance(20) else count} {word}", event, nobody
        case "when":
            return "when", event, nobody
        case "each":
            return _each(world)
        case "object":
            return _of_object(world)
        case "act":
            return "on act", event, _own(world)
        case "do":
            action = dice.pick([*world.actions, *world.taken, *world.taken])
            given = world.taken.get(action, Scope())
            knowing = _own(world).narrowed(values=given.values, cells=given.cells, kinds=given.kinds)
            return f"on do {action}", event, knowing
        case "fail":
            return f"on fail {dice.pick(sorted(world.verbs & set(HANDLING)))}", event, _own(world)
        case _:
            return _of_agent(world, event)


def _own(world: World) -> Scope:
    return Scope(agent="self" if world.several else world.dice.pick(("agent", "agent", "self")))


def _each(world: World) -> tuple[str, str, Scope]:
    dice = world.dice
    if world.several and dice.chance(50):
        kind = dice.pick([*world.agents, Kind("agent", "agent")])
        return f"each {kind.name}", "each", _own(world)
    kind = dice.pick(world.objects) if world.objects else Kind("agent", "agent")
    scope = Scope(agent=None if world.several else "agent", subject="object")
    return f"each {kind.pattern(dice)}", "each", scope.with_bound(kind.name, kind)


def _targets(world: World, event: str) -> list[Kind]:
    match event:
        case "push":
            return [kind for kind in world.objects if kind.is_pushable]
        case "pickup" | "drop":
            return [kind for kind in world.objects if kind.is_portable]
        case "bump":
            solid = [kind for kind in world.kinds if kind.is_solid or kind.is_pushable]
            return [*solid, Kind("wall", "tile"), Kind("edge", "tile")]
        case "meet":
            return [*world.objects, *(world.agents if world.several else ())]
        case "toggle":
            return world.kinds
        case _:
            return [*world.kinds, *world.kinds, Kind("floor", "tile")]


def _of_agent(world: World, event: str) -> tuple[str, str, Scope]:
    dice, kind = world.dice, world.dice.pick(_targets(world, event))
    scope = _own(world)
    if kind.name not in {"floor", "wall", "edge"} and kind.category != "agent":
        scope = scope.with_bound(kind.name, kind)
    who = f"{dice.pick(world.agents).name} " if world.several and dice.chance(40) else ""
    if kind.category == "agent" and not who:
        who = f"{dice.pick(world.agents).name} " if dice.chance(50) else ""
    name = kind.name if kind.name == "edge" else kind.pattern(dice, 20)
    placed = [alias for alias, of in world.named_things if of in world.objects and of is kind]
    group = "pushable" if event == "push" else "portable" if event in {"pickup", "drop"} else "object"
    if placed and dice.chance(40):
        name = dice.pick(placed)
    elif kind.category == "object" and dice.chance(12) and group not in world.names.taken:
        name, scope = group, _own(world)
    if (
        world.several
        and who
        and event not in {"enter", "leave", "bump", "meet", "push", "pickup", "drop", "toggle"}
    ):
        who = ""
    return f"on {who}{event} {name}", event, scope


def _of_object(world: World) -> tuple[str, str, Scope]:
    dice = world.dice
    subject = dice.pick(world.moving or world.objects)
    event = dice.weighted({"enter": 3, "leave": 2, "bump": 1.5, "meet": 2})
    others = [kind for kind in _targets(world, event) if kind is not subject]
    if event == "meet" and not world.several:
        others.append(Kind("agent", "agent"))
    other = dice.pick(others) if others else Kind("floor", "tile")
    scope = Scope(agent=None if world.several else "agent", subject="object").with_bound(
        subject.name, subject
    )
    if other.name not in {"floor", "wall", "edge"} and other.category != "agent":
        scope = scope.with_bound(other.name, other)
    return f"on {subject.pattern(dice, 15)} {event} {other.name}", event, scope
