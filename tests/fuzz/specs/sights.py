"""What is seen and told: observations of every form, noise, goals, info, missions, looks."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.specs import ranging
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.expressions import Expressions
from tests.fuzz.specs.world import Kind, Scope, World

POSITIONS = ("", " as xy", " as multidiscrete", " as cell", " as onehot", " as unit")
ENTRIES = (
    "board",
    "state",
    "view_",
    "kind",
    "a",
    "a_b",
    "hidden",
    "x_is_set",
    "observation",
    "grid_2",
    "me",
    "out",
    "s",
    "mask_",
)


def say_sights(world: World) -> None:
    """Add observations, infos, a mission, looks."""
    dice = world.dice
    if dice.chance(25):
        _say_mission(world)
    if world.is_minigrid and dice.chance(60):
        return
    if world.several and len(world.agents) > 1 and dice.chance(20):
        _say_observe(world, "observe")
        own = [kind for kind in world.agents if kind.learns]
        _say_observe(world, f"observe {dice.pick(own).name}") if own else None
    else:
        _say_observe(world, "observe")
    if dice.chance(40):
        _say_info(world)
    if dice.chance(10) and world.kinds:
        look = dice.pick(
            ('color "#228844"', 'sprite "thing.png"', "color purple", "shape flower", "shape key, color red")
        )
        kind = dice.pick(world.kinds)
        world.say(f"look {kind.name}: {look}")
        die = Dice(f"looks {kind.name} {look} {len(world.statements)}")
        for color in ("red", "green", "blue")[: die.between(0, 3)]:
            of_some = die.pick(world.kinds).pattern(die, 100)
            if f"look {of_some}:" not in "\n".join(world.statements):
                world.say(f"look {of_some}: color {color}")


class Sights:
    """Writes observations about a world."""

    def __init__(self, world: World) -> None:
        self.world, self.dice = world, world.dice
        self.agent = "self" if world.several else "agent"
        self.scope = Scope(agent=self.agent)
        self.says = Expressions(world, self.scope)

    def item(self) -> str:
        """Return one thing to observe."""
        options: dict[Callable[[], str], float] = {
            lambda: "cell": 1, self._position: 2, self._grid: 3, self._view: 2.5, self._value: 3, self._condition: 2,
            self._index: 1, self._flags: 1, self._number: 1.5, lambda: self.dice.pick(("pixels 4", "pixels", "pixels 4")): 0.5,
            lambda: "text": 0.5, self._noisy: 1.2, self._rays: 1,
        }  # fmt: skip
        options |= {self._facing: 1} if self.world.has_facing else {}
        options |= {lambda: "carrying": 2} if any(kind.is_portable for kind in self.world.objects) else {}
        options |= (
            {lambda: self.dice.pick(("mission", "mission as tokens")): 1} if self.world.has_mission else {}
        )
        options |= {lambda: "mask": 1} if self.world.has_mask else {}
        return self.dice.weighted(options)()

    def _facing(self) -> str:
        shown = self.dice.pick(("facing", "facing as onehot"))
        own = Dice(f"faced {shown} {len(self.world.statements)}")
        way = self.says.facing() if self.scope.agent and own.chance(40) else "facing"
        return shown.replace("facing", way)

    def small(self) -> str:
        """Return something that is one number or word."""
        return self.dice.pick((self._value, self._condition, lambda: "cell", self._index))()

    def _position(self) -> str:
        names = [name for name, _ in self.world.things(self.scope)] or [self.agent]
        kinds = [kind for kind in self.world.objects if not kind.is_unique]
        if kinds and self.dice.chance(15):
            thing = ranging.superlative(self.says, 1, self.dice.pick(kinds))
            return f"position of {thing}{self.dice.pick(POSITIONS)}"
        return f"position of {self.dice.pick(names)}{self.dice.pick(POSITIONS)}"

    def _kinds(self) -> list[Kind]:
        kinds = [*self.world.kinds, Kind("agent", "agent"), Kind("wall", "tile"), Kind("floor", "tile")]
        return self.dice.some(kinds, 1, 4)

    def form(self) -> str:
        """Return how a board is written."""
        match self.dice.weighted({"": 2, "kinds": 1, "codes": 2, "planes": 2, "chosen": 2, "minigrid": 1.5}):
            case "codes":
                codes = ", ".join(
                    f"{kind.pattern(self.dice, 15)} {number + self.dice.between(1, 4) * 10}"
                    for number, kind in enumerate(self._kinds())
                )
                return f" as codes ({codes})"
            case "chosen":
                return f" as planes ({', '.join(self._plane(kind) for kind in self._kinds())})"
            case "":
                return ""
            case name:
                return f" as {name}"

    def _plane(self, kind: Kind) -> str:
        numbers = [value.name for value in kind.values if value.form == "number"]
        if self.dice.chance(20):
            return self._spots(kind)
        if numbers and self.dice.chance(50):
            return f"{kind.name}.{self.dice.pick(numbers)} / {self.dice.between(1, 9)}"
        if self.dice.chance(20):
            there = f"{kind.pattern(self.dice, 15)} at here"
            return f"not ({there})" if self.dice.chance(30) else there
        return kind.pattern(self.dice, 15)

    def _spots(self, kind: Kind) -> str:
        """Return the cells beside things of a kind; some of them may lie off the grid."""
        dice, name = self.dice, kind.name
        across, down = dice.between(-1, 1), dice.between(-1, 1)
        cell = dice.pick((name, f"({name}.x + {across}, {name}.y + {down})"))
        where = dice.pick(("", f" where {name}.x mod 2 == {dice.between(0, 1)}"))
        other = f" | {self._spots(dice.pick(self._kinds()))}" if dice.chance(15) else ""
        return f"{cell} for {kind.pattern(dice, 15)}{where}{other}"

    def _grid(self) -> str:
        return f"grid{self.form()}"

    def _view(self) -> str:
        dice = self.dice
        occluded = " occluded" if dice.chance(35) else ""
        if self.world.has_facing and dice.chance(20):
            occluded = f" cone{dice.pick(('', ' 2', ' 3'))}{occluded}"
        if self.world.has_facing and dice.chance(25):
            return f"view ahead {dice.between(0, 3)} behind {dice.between(0, 1)} aside {dice.between(0, 2)}{occluded}{self.form()}"
        anchor = dice.pick(("", " centered", " ahead" if self.world.has_facing else ""))
        own = Dice(f"north up {anchor}{occluded}{len(self.world.statements)}")
        if anchor == " centered" and "cone" not in occluded and own.chance(40):
            anchor = " centered north up"
        return f"view {dice.pick((3, 5))}x{dice.pick((3, 5))}{anchor}{occluded}{self.form()}"

    def _rays(self) -> str:
        dice = self.dice
        reach = f" within {dice.between(1, 4)}" if dice.chance(40) else ""
        kinds = [
            kind.pattern(dice, 25) for kind in self._kinds() if kind.name != "agent" or self.world.several
        ]
        kinds += ["other"] if self.world.several and dice.chance(30) else []
        hits = (
            ""
            if not kinds or dice.chance(25)
            else f" of ({', '.join(kinds)})"
            if len(kinds) > 1
            else f" of {kinds[0]}"
        )
        return f"rays {dice.pick((1, 3, 4, 5, 8, 16))}{reach}{hits}"

    def _value(self) -> str:
        known = [value for value in self.world.known(self.scope) if value.form != "fraction"]
        things = [
            f"{name}.{value.name}"
            for name, kind in self.world.things(self.scope)
            if kind
            for value in kind.values
        ]
        names = [value.name for value in known] + things
        if not names:
            return self._condition()
        return f"{self.dice.pick(names)}{self.dice.pick(('', '', ' as onehot'))}"

    def _condition(self) -> str:
        return f"{self.says.condition(2).text}"

    def _index(self) -> str:
        parts = ["cell", *(["facing"] if self.world.has_facing else []), self._condition_alone()]
        return f"index({', '.join(self.dice.some(parts, 2, 3))})"

    def _condition_alone(self) -> str:
        return self.says.condition(1).text

    def _flags(self) -> str:
        return f"flags({', '.join(self._condition_alone() for _ in range(self.dice.between(1, 3)))})"

    def _number(self) -> str:
        return self.says.number(2).text

    def _noisy(self) -> str:
        chance = self.dice.pick(("0.9", "20%", "1/3"))
        match self.dice.between(0, 3):
            case 0:
                form = self.dice.pick(POSITIONS)
                return (
                    f"position of {self.agent}{form} with chance {chance} else position of {self.agent}{form}"
                )
            case 1:
                form = self.dice.pick(("", " as planes", " as kinds"))
                return f"grid{form} with chance {chance} else grid{form}"
            case 2:
                return f"{self.says.whole(1).text} with chance {chance} else {self.says.whole(1).text}"
            case _:
                return f"{self._condition_alone()} with chance {chance} else {self._condition_alone()}"


def _say_observe(world: World, head: str) -> None:
    dice, sights = world.dice, Sights(world)
    names = dice.shuffled(ENTRIES)
    style = dice.weighted({"bare": 4, "dict": 5, "tuple": 1.5, "flat": 1.5})
    style = "dict" if " " in head and style in {"tuple", "flat"} else style
    head = f"{head} {style}" if style in {"tuple", "flat"} and head == "observe" else head
    count = 1 if style == "bare" else dice.between(2, 4)
    items = [sights.item() for _ in range(count)]
    if style == "flat":
        items = [item for item in items if not item.startswith(("text", "mission", "pixels"))] or [
            "cell",
            "1 + 1",
        ]
    if style == "dict":
        items = [f"{name} = {item}" for name, item in zip(names, items, strict=False)]
    if dice.chance(15) and len(world.kinds) > 1 and any("grid" in item or "view" in item for item in items):
        first, second = dice.some(world.kinds, 2, 2)
        condition = f" if {sights.says.condition(1).text}" if dice.chance(50) else ""
        items.append(f"{first.name} seen as {second.name}{condition}")
        own = Dice(" ".join(items))  # so that what other specs are made of stays
        if own.chance(50):
            whom = own.pick(("self", "other", "agent") if world.several else ("self", "agent"))
            far = f" if distance(self, {whom}) > {own.between(0, 3)}" if own.chance(50) else ""
            items.insert(
                own.between(0, 1) and len(items), f"{whom} seen as {own.pick(world.kinds).name}{far}"
            )
    if style == "dict" or dice.chance(20):
        world.say(f"{head}:" + "".join(f"\n    {item}" for item in items))
    else:
        world.say(f"{head}: {', '.join(items)}")
    if head == "observe" and not world.several and dice.chance(6):
        _say_goal(world)


def _say_goal(world: World) -> None:
    unique = [kind.name for kind in world.kinds if kind.is_unique]
    if not unique or any(statement.startswith("each step") for statement in world.statements):
        return
    world.say(f"observe goal: achieved = position of agent, desired = position of {unique[0]}")
    world.say("each step: reward 0 if distance(achieved, desired) == 0 else -1")


def _say_info(world: World) -> None:
    dice = world.dice
    scope = Scope(agent="self" if world.several else "agent")
    names = dice.some(("n", "x_value", "left_to_go", "color", "far", "kind_2", "told_value"), 1, 3)
    parts = []
    for name in names:
        says = Expressions(world, scope)
        parts.append(f"{name} = {says.number(2).text if dice.chance(65) else says.condition(1).text}")
    own = Dice(" ".join(parts))  # so that what other specs are made of stays
    if own.chance(25):
        parts.append("gained = total reward")
    if own.chance(25):
        condition = own.pick(["", " if step > 2"])
        parts.append(f"counted = count of on {own.pick(['bump wall', 'bump edge', 'act'])}{condition}")
    held = Dice(f"moments of {parts}")
    if held.chance(25):
        moment = held.pick(("step > 2", "count(floor) > 9 or step mod 2 == 0", "no floor at (0, 0)"))
        parts.append(f"moments = count of when {moment}")
    world.say(f"info: {', '.join(parts)}")
    if own.chance(25):
        world.say(f"score so_far: {own.pick(['total reward', 'count of on bump edge', 'width + step'])}")


def _say_mission(world: World) -> None:
    dice = world.dice
    world.has_mission = True
    names = [value.name for value in world.known(Scope()) if value.form != "fraction"] + world.texts
    parts = dice.some(["go", "to the", "%s", "100%", *("{" + name + "}" for name in names)], 1, 4)
    own = Dice(" ".join(parts))
    parts += ["{" + told + "}" for told in own.some(_things_told(world), 0, 2)]
    text = '"' + " ".join(parts) + '"'
    if own.chance(30):
        conditions = ["step > 3", "count(wall) > 2", "width > 4"]
        text = f'{text} if {own.pick(conditions)} else "stay {{n}} at {parts[0]}"'
        text = text.replace("{n}", "{" + own.pick(names) + "}" if names else "here")
    elif names and own.chance(25):
        call = _text_defined(world, own, names)
        text = own.pick((call, f'"{parts[0]} {{{call}}}"', f"{call} if step > 2 else {text}"))
    world.say(f"mission: {text}")


def _things_told(world: World) -> list[str]:
    """Return what a text can tell of things that setup has named, or that are the only ones of their kind."""
    things = [(name, kind) for name, kind in world.named_things if kind in world.objects]
    things += [(kind.name, kind) for kind in world.objects if kind.is_unique]
    # An attribute of that name, of whichever kind, comes first.
    hidden = any(value.name == "kind" for kind in [*world.kinds, *world.agents] for value in kind.values)
    whole = [] if hidden else [f"{name}.kind" for name, _ in things]
    return whole + [
        f"{name}.{value.name}" for name, kind in things for value in kind.values if value.form != "fraction"
    ]


def _text_defined(world: World, own: Dice, names: list[str]) -> str:
    """Return the call of a definition of a text, which tells what it is given."""
    name, parameter = world.names.spare(), world.names.spare()
    more = f" of {{{own.pick(names)}}}" if own.chance(50) else ""
    world.say(f'define {name}({parameter}): "fetch {{{parameter}}}{more}"')
    return f"{name}({own.pick(names)})"
