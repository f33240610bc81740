"""Declarations: kinds of ground, of objects and of agents with every property, variables, parameters, regions."""

from __future__ import annotations

from tests.fuzz.specs.conditions import leaves
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.expressions import Expressions
from tests.fuzz.specs.valued import say_valued, way
from tests.fuzz.specs.world import Kind, Scope, Value, World

LAYERS = ("ground", "air", "low")


def declare(world: World) -> None:
    """Declare parameters, variables, regions and kinds, and say what they are."""
    _say_params(world)
    _say_variables(world)
    _say_regions(world)
    dice = world.dice
    world.tiles = [Kind(world.names.fresh(), "tile") for _ in range(dice.between(1, 4))]
    if dice.chance(75):
        world.objects = [Kind(world.names.fresh(), "object") for _ in range(dice.between(1, 4))]
    if not world.several:
        _agent(world)
    for kind in world.kinds:
        kind.values = _attributes(world, kind)
        kind.is_unique = dice.chance(40)
    say_valued(world)
    for kind in world.tiles:
        _tile(world, kind)
    for kind in world.objects:
        _object(world, kind)
    for kind in world.objects:  # what moves toward another kind knows them all
        if dice.chance(35):
            kind.moves = True
            kind.items.append(f"moves {policy(world, kind)}")
    for kind in world.kinds:
        items = dice.shuffled(kind.items)
        long = dice.chance(25) and len(items) > 1
        text = "".join(f"\n    {item}" for item in items) if long else " " + ", ".join(items)
        world.say(f"{kind.category} {kind.name}:{text}".rstrip())
    if dice.chance(4):
        declare_shared(world)


COLORS = ("red", "green", "blue", "purple", "yellow", "grey")


def declare_minigrid(world: World) -> None:
    """Use the bundled library, whose kinds are then as good as declared."""
    dice = world.dice
    world.say("use: minigrid")
    color = Value("color", "word", words=COLORS)
    state = Value("state", "word", words=("open", "closed", "locked"))
    for name in ("key", "ball", "box"):
        world.objects.append(Kind(name, "object", [color], is_solid=True, is_portable=True))
    world.objects[-1].carries = 1
    world.objects.append(Kind("door", "object", [state, color], is_solid=True))
    world.tiles = [Kind("goal", "tile"), Kind("lava", "tile")]
    world.agents = [Kind("agent", "agent")]
    world.names.taken |= {*(kind.name for kind in world.kinds), *COLORS, *state.words}
    for kind in world.kinds:
        kind.is_unique = dice.chance(50)
    world.has_facing = True
    world.verbs = {"pickup", "drop", "toggle", "move"}
    world.actions = ["turn_left", "turn_right", "forward", "pickup", "drop", "toggle", "done"]
    _say_params(world)
    _say_variables(world)
    _say_regions(world)


def declare_shared(world: World) -> None:
    """Use a file of the folder beside."""
    world.say('use: "shared.grid"')
    world.tiles.append(Kind("shared_ground", "tile"))
    color = Value("color", "word", words=("red", "blue"))
    world.objects.append(Kind("shared_thing", "object", [color], is_portable=True))


def attribute_item(world: World, value: Value) -> str:
    """Return the declaration of an attribute."""
    domain = "false | true" if value.form == "truth" else value.domain()
    return f"{value.name}{f' {value.default}' if value.default else ''} in {domain}"


def make_value(world: World, name: str) -> Value:
    """Return something that holds a number, a word, or true and false."""
    dice = world.dice
    match dice.weighted({"number": 3, "word": 3, "truth": 2}):
        case "number":
            low = dice.pick((0, 0, 0, 1, -2))
            value = Value(name, "number", low, low + dice.between(1, 5))
        case "word":
            value = Value(name, "word", words=world.names.words(dice.between(2, 3)))
        case _:
            value = Value(name, "truth")
    default = value.literal(dice) if dice.chance(50) else ""
    return Value(value.name, value.form, value.low, value.high, value.words, default)


def _attributes(world: World, kind: Kind) -> list[Value]:
    taken = {kind.name, *world.names.taken}
    found: list[Value] = []
    while world.dice.chance(40) and len(found) < 3:
        name = world.names.attribute({value.name for value in found} | taken)
        found.append(make_value(world, name))
    return found


def _guard(world: World, kind: Kind, word: str) -> str:
    own = Dice(f"guarded {kind.name} {word} {len(world.statements)}")
    if own.chance(12):  # what other specs are made of stays
        asked = (
            f"any agent within {own.between(1, 2)} of self",
            "self.x < self.y",
            f"{kind.name}.x mod 2 == step mod 2",
        )
        return f"{word} {own.pick(('if', 'unless'))} {own.pick(asked)}"
    dice = world.dice
    if not dice.chance(45):
        return word
    words = [word for value in kind.values if value.form == "word" for word in value.words]
    flags = [value.name for value in kind.values if value.form == "truth"]
    text = dice.pick(words + flags) if words + flags and dice.chance(60) else None
    if text is None or (words + flags).count(text) > 1:
        scope = Scope(agent=None, has_memory=False, has_past=False, acts=False, subject="none").with_bound(
            kind.name, kind
        )
        text = dice.pick(leaves(Expressions(world, scope)))().text
    return f"{word} {dice.pick(('if', 'unless'))} {text}"


def _tile(world: World, kind: Kind) -> None:
    dice = world.dice
    kind.items += [attribute_item(world, value) for value in kind.values]
    property = dice.weighted({"": 5, "solid": 2, "slide": 1, "drift": 1, "carry": 1.5, "one_way": 1})
    amounts = " | ".join(str(dice.between(-1, 2)) for _ in range(dice.between(1, 3)))
    kind.is_solid = property == "solid"
    match property:
        case "solid":
            kind.items.append(_guard(world, kind, "solid"))
        case "drift":
            kind.items.append(f"drift {way(world)} {amounts}")
        case "carry" | "one_way":
            kind.items.append(f"{property} {way(world)}")
        case "slide":
            kind.items.append("slide")
    if dice.chance(15):
        kind.items.append(_guard(world, kind, "opaque"))


def _object(world: World, kind: Kind) -> None:
    dice = world.dice
    kind.items += [attribute_item(world, value) for value in kind.values]
    if dice.chance(25):
        kind.is_solid = True
        kind.items.append(_guard(world, kind, "solid"))
    if dice.chance(12):
        kind.items.append(_guard(world, kind, "opaque"))
    if dice.chance(35):
        kind.is_pushable = True
        most = "" if dice.chance(60) else f" {dice.between(1, 3)}"
        kind.items.append(f"pushable{most}{_when_pushed(world, kind)}")
    if dice.chance(35):
        kind.is_portable = True
        kind.items.append("portable")
    if dice.chance(25):
        kind.items.append(f"layer {dice.pick(LAYERS)}")
    if dice.chance(12):
        kind.items.append(f"edge {dice.pick(('stay', 'clip', 'wrap'))}")
    if dice.chance(15):
        kind.carries = dice.between(1, 2)
        kind.items.append(f"carries {kind.carries}")
    if dice.chance(10):
        kind.items.append("facing")


def _when_pushed(world: World, kind: Kind) -> str:
    """Return when an object gives way, always or under a condition; what other specs are made of stays."""
    own = Dice(f"pushed {kind.name} {len(world.statements)}")
    if not own.chance(35):
        return ""
    asked = [f"agent.x {own.pick(('<', '>='))} {kind.name}.x", "step mod 3 > 0", "any agent within 1 of self"]
    asked += [f"agent has {other.name}" for other in world.objects if other.is_portable]
    for value in kind.values:
        match value.form:
            case "number":
                asked.append(f"{kind.name}.{value.name} {own.pick(('<', '>='))} agent.y")
            case "word":
                asked.append(own.pick(value.words))
            case "truth":
                asked.append(value.name)
    test = own.pick(asked)
    if own.chance(25):
        test = f"{test} {own.pick(('and', 'or'))} not {own.pick(asked)}"
    return f" {own.pick(('if', 'unless'))} {test}"


def _sought(world: World, kind: Kind, target: str) -> str:
    """Return what a creature goes for: a kind, or the one of several; what other specs are made of stays."""
    own = Dice(f"sought {kind.name} {target} {len(world.statements)}")
    if not own.chance(20) or target not in {other.name for other in world.objects}:
        return target
    over = own.pick([target, *(word for word in ("object",) if word not in world.names.taken)])
    worth = own.pick((f"distance({over}, self)", f"{over}.x", f"abs({over}.y - self.y)"))
    one = f"the {over} with {own.pick(('least', 'most'))} {worth}"
    return f"({one} where {over} is not self)" if over == "object" or own.chance(30) else one


def _avoided(world: World, kinds: list[Kind], one: str) -> str:
    """Return what a creature keeps off: a kind, several, or a group of objects; what other specs are made of stays."""
    own = Dice(f"avoided {one} {len(world.statements)}")
    if own.chance(15) and world.objects and "object" not in world.names.taken:
        return "object"
    if len(kinds) > 1 and own.chance(35):
        return f"({' or '.join(each.pattern(own) for each in own.some(kinds, 2, 3))})"
    return one


def policy(world: World, kind: Kind, depth: int = 1) -> str:
    """Return how a creature, or an agent by itself, moves."""
    dice = world.dice
    targets = [other.name for other in world.kinds if other is not kind]
    targets += [other.name for other in world.agents if other is not kind] if world.several else ["agent"] * 2
    text = dice.weighted(
        {
            "random": 3,
            "random 8": 1,
            "toward": 3,
            "away from": 1.5,
            "forward": 1.5,
            "patrol": 1.5,
            "still": 0.4,
        }
    )
    if text in {"toward", "away from"}:
        text += f" {_sought(world, kind, dice.pick(targets))}"
        metrics = ("path_distance", "path_distance", "distance", "chebyshev", "euclid")
        text += f" by {dice.pick(metrics)}" if dice.chance(35) else ""
    if text in {"forward", "patrol"} and kind.category == "object" and dice.chance(40):
        numbers = [value.name for value in kind.values if value.form == "number" and value.high >= 1]
        own = [f"(self.{name})" for name in numbers]
        text += f" {dice.pick(['2', '3', '(1 + step mod 3)', *own])}"
    avoided = [other for other in world.kinds if other is not kind]
    if dice.chance(20) and avoided:
        text += f" avoiding {_avoided(world, avoided, dice.pick([each.name for each in avoided]))}"
    if depth and dice.chance(15):
        scope = Scope(
            agent=None if world.several else "agent", has_memory=False, has_past=False, subject="object"
        )
        test = dice.pick(leaves(Expressions(world, scope)))().text
        return f"{text} if {test} else {policy(world, kind, 0)}"
    if dice.chance(20):
        count = dice.pick([str(dice.between(1, 3)), "(1 + step div 4)"])
        counted = [value for value in kind.values if value.form == "number"]
        periods = [
            f"self.{each.name}" if each.low >= 1 else f"(1 + abs(self.{each.name}))" for each in counted
        ]
        draws = Dice(f"every {count} {kind.name} {len(world.statements)}")
        if periods and kind.category == "object" and draws.chance(50):
            count = draws.pick(periods)
        text += f" every {count} steps"
    if dice.chance(20):
        text += f" with chance {dice.pick(('0.5', '75%', '1/3'))}"
    return text


def _agent(world: World) -> None:
    kind, dice = Kind("agent", "agent"), world.dice
    world.agents = [kind]
    if dice.chance(30):
        kind.values = _attributes(world, kind)
        kind.items = [attribute_item(world, value) for value in kind.values]
    if dice.chance(20):
        kind.carries = dice.between(1, 3)
        kind.items.append(f"carries {kind.carries}")
    if dice.chance(15):
        world.has_facing = True
        kind.items.append("facing")
    if kind.items:
        world.say(f"agent: {', '.join(kind.items)}")


def _say_params(world: World) -> None:
    dice = world.dice
    while dice.chance(22) and len(world.params) < 3:
        name = world.names.fresh()
        match dice.between(0, 3):
            case 0:
                world.params.append(Value(name, "fraction"))
                world.say(f"param {name}: {dice.pick(('0.25', '1/3', '0.5'))} in 0..1")
            case 1:
                world.params.append(Value(name, "truth"))
                world.say(f"param {name}: {dice.pick(('true', 'false'))}")
            case 2:
                value = Value(name, "word", words=world.names.words(2))
                world.params.append(value)
                world.say(f"param {name}: {value.literal(dice)} in {value.domain()}")
            case _:
                value = Value(name, "number", 1, 5)
                world.params.append(value)
                world.say(f"param {name}: {value.literal(dice)} in {value.domain()}")
    plain = [value for value in world.params if value.form != "fraction"]
    if plain and dice.chance(60):
        value = dice.pick(plain)
        limit = ", limit = 12" if Dice(f"variant {value.name}").chance(30) else ""
        world.say(f"variant fuzz/Other-v0: {value.name} = {value.literal(dice)}{limit}")


def _say_variables(world: World) -> None:
    dice = world.dice
    while dice.chance(45) and len(world.variables) < 4:
        value = make_value(world, world.names.fresh())
        value = Value(
            value.name, value.form, value.low, value.high, value.words, value.default or value.literal(dice)
        )
        world.variables.append(value)
        domain = "" if value.form == "truth" else f" in {value.domain()}"
        world.say(f"var {value.name}: {value.default}{domain}")


def _say_regions(world: World) -> None:
    dice = world.dice
    if not dice.chance(25):
        return
    name = world.names.fresh()
    world.regions.append(name)
    right, low = dice.between(0, min(3, world.width) - 1), dice.between(0, min(3, world.height) - 1)
    parts = dice.pick((f"(0..{right}, 0..{low})", f"({right}, {low})", f"(0, 0), ({right}, 0..{low})"))
    world.say(f"region {name}: {parts}")
