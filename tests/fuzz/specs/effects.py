"""Effects of every form, and the blocks that hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.fuzz.specs import ranging, remaking
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.expressions import Expressions
from tests.fuzz.specs.held import filled, into_hands
from tests.fuzz.specs.sent import busy_or, place_agent
from tests.fuzz.specs.valued import with_values
from tests.fuzz.specs.world import COMPASS, COMPASS_8, Kind, Scope, Value, World

MARGIN = "    "
OUTCOMES = ("success", "failure", "", "enough", "lost_it", "draw")


@dataclass
class Effects:
    """Writes random effects about a world, in a scope; `event` is the kind of rule, or ``setup``."""

    world: World
    scope: Scope
    event: str = "setup"
    says: Expressions = field(init=False)

    def __post_init__(self) -> None:
        self.dice = self.world.dice
        self.says = Expressions(self.world, self.scope)

    def block(self, least: int = 1, most: int = 3, depth: int = 2) -> list[str]:
        """Return lines of effects; lines that are indented belong to the `if` above them."""
        lines: list[str] = []
        for _ in range(self.dice.between(least, most)):
            if depth and self.dice.chance(18):
                lines += self._if(depth - 1)
            elif depth and self.dice.chance(10):
                lines += self._drawn(depth - 1)
            elif depth and self.dice.chance(10):
                lines += self._let(depth - 1)
            elif depth and self.dice.chance(9):
                lines += ranging.each(self, depth - 1)
            elif depth and self.event != "setup" and self.dice.chance(5):
                lines += self._repeat(depth - 1)
            else:
                lines.append(self.effect())
        return [*lines, *remaking.remade(self, lines), *remaking.told(self, lines)]

    def _if(self, depth: int) -> list[str]:
        lines = self._branch("if", depth)
        while self.dice.chance(30):
            lines += self._branch("else if", depth)
        if self.dice.chance(50):
            lines += self._short_or_long("else", self.block(1, 2, depth))
        return lines

    def _branch(self, word: str, depth: int) -> list[str]:
        head = f"{word} {self.says.condition(1).text}"
        chance = self.by_chance(head)
        return self._short_or_long(f"{head}{chance}", self.block(1, 2, depth))

    def by_chance(self, head: str) -> str:
        """Return `` with chance P``, now and then; what other specs are made of stays."""
        own = Dice(f"chance {head} {len(self.world.statements)}")
        if not own.chance(15):
            return ""
        named = [value.name for value in self.world.numbers(self.scope)]
        decided = [f"1 / (2 + abs({own.pick(named)}))"] if named else []
        return f" with chance {own.pick(['0.5', '1/3', '75%', *decided])}"

    def _short_or_long(self, head: str, body: list[str]) -> list[str]:
        if self.dice.chance(50) and not any(
            line.startswith((" ", "if", "else", "retry", "repeat", "each")) for line in body
        ):
            return [f"{head}: {', '.join(body)}"]
        return [f"{head}:", *(MARGIN + line for line in body)]

    def _repeat(self, depth: int) -> list[str]:
        until = f" until {self.says.condition(1).text}" if self.dice.chance(50) else ""
        return [
            f"repeat {self.dice.between(1, 3)}{until}:",
            *(MARGIN + line for line in self.block(1, 2, depth)),
        ]

    def _let(self, depth: int) -> list[str]:
        """Return a `let`, and effects that use what it names."""
        kinds = [kind for kind in self.placeable() if kind.name not in dict(self.scope.bound)]
        if kinds and self.dice.chance(25):
            kind, name = self.dice.pick(kinds), self.world.names.fresh()
            text = ranging.superlative(self.says, 1, kind)
            scope = self.scope.with_bound(name, kind)
            return [f"let {name} = {text}", *Effects(self.world, scope, self.event).block(1, 2, depth)]
        if self.dice.chance(25) and (things := [each for each in self.scope.bound if each[1].values]):
            of, kind = self.dice.pick(things)
            name = self.world.names.fresh()
            scope = self.scope.with_bound(name, kind)
            return [f"let {name} = {of}", *Effects(self.world, scope, self.event).block(1, 2, depth)]
        own = Dice(f"let {len(self.world.statements)} {self.scope.values}")
        if own.chance(12):
            name = self.world.names.spare()
            scope = self.scope.narrowed(cells=(*self.scope.cells, name))
            column, row = own.between(0, self.world.width - 1), self.says.whole(0).text
            first = f"let {name} = ({column}, ({row}) mod {self.world.height + 1})"
            return [first, *Effects(self.world, scope, self.event).block(1, 2, depth)]
        words = [value for value in self.world.known(self.scope) if value.form == "word"]
        if words and own.chance(25):
            word, name = own.pick(words), self.world.names.spare()
            value = Value(name, "word", words=word.words)
            inner = Effects(self.world, self._knowing(value), self.event)
            return [f"let {name} = {word.name}", *inner.block(1, 2, depth)]
        number = self.dice.chance(70)
        name, text = (
            self.world.names.fresh(),
            self.says.whole(1).text if number else self.says.condition(1).text,
        )
        value = Value(name, "number", -99, 99) if number else Value(name, "truth")
        return [
            f"let {name} = {text}",
            *Effects(self.world, self._knowing(value), self.event).block(1, 2, depth),
        ]

    def _drawn(self, depth: int) -> list[str]:
        """Return a `choose`, and effects that use what it drew."""
        line, scope = self.choose()
        return [line, *Effects(self.world, scope, self.event).block(1, 2, depth)]

    # What is drawn

    def _shares(self) -> tuple[str, str]:
        """Return two weights that the game decides: a number that has a name, and a constant or a sum."""
        named = [value.name for value in self.world.numbers(self.scope)]
        if not named:
            return "2", "1"
        dice = self.world.dice
        other = dice.pick(("1", f"{dice.pick(named)} + {dice.between(0, 2)}", f"2 * {dice.pick(named)}"))
        return dice.pick(named), other

    def choose(self) -> tuple[str, Scope]:
        """Return a `choose` and the scope after it."""
        dice, names = self.dice, self.world.names
        match dice.weighted(
            {
                "range": 3,
                "words": 2,
                "weighted": 2,
                "where": 2,
                "two": 2,
                "cell": 2,
                "numbers": 1,
                "texts": 0.7,
                "thing": 0 if self.event == "setup" or not self.placeable() else 2,
            }
        ):
            case "range":
                value = Value(names.fresh(), "number", low := dice.between(-1, 2), low + dice.between(1, 3))
                return f"choose {value.name} in {value.domain()}", self._knowing(value)
            case "words":
                value = Value(names.fresh(), "word", words=names.words(dice.between(2, 3)))
                objects = sorted({kind.name for kind in self.world.objects})
                if self.event != "setup" and len(objects) > 1 and Dice(f"kinds {value.name}").chance(50):
                    scope = self.scope.narrowed(kinds=(*self.scope.kinds, value.name))
                    return f"choose {value.name} in {' | '.join(objects)}", scope
                return f"choose {value.name} in {value.domain()}", self._knowing(value)
            case "weighted":
                value = Value(names.fresh(), "word", words=names.words(2))
                weights = dice.pick(
                    (
                        ("0.9", "0.1"),
                        ("25%", "75%"),
                        ("1/2", "50%"),
                        ("1/3", "2/3"),
                        ("3", "1"),
                        self._shares(),
                    )
                )
                domain = " | ".join(
                    f"{word} {weight}" for word, weight in zip(value.words, weights, strict=True)
                )
                return f"choose {value.name} in {domain}", self._knowing(value)
            case "where":
                value = Value(names.fresh(), "number", 0, 5)
                test = dice.pick(
                    (f"{value.name} > {dice.between(0, 4)}", f"{value.name} mod 2 == {dice.between(0, 1)}")
                )
                domain = dice.pick(("0..5", "1 0.9 | 2 0.05 | 5 0.05", "1 0.1 | 5 0.9"))
                if ">" in test and "0." in domain:
                    test = f"{value.name} > 1"
                return f"choose {value.name} in {domain} where {test}", self._knowing(value)
            case "two":
                low = dice.between(0, 1)
                first, second = (Value(names.fresh(), "number", low, low + 2) for _ in range(2))
                word = dice.pick(("distinct ", ""))
                return f"choose {first.name}, {second.name} {word}in {first.domain()}", self._knowing(
                    first, second
                )
            case "texts":
                name = names.fresh()
                self.world.texts.append(name)
                return f'choose {name} in "walk to" | "run, run" | "100%"', self.scope
            case "thing":
                kind, name = dice.pick(self.placeable()), names.fresh()
                own = Dice(f"thing {name} {self.scope.bound}")
                found = [each for called, each in self.scope.bound if called == each.name]
                kinds = [each for each in found if each.category == "object" and not each.is_unique]
                if kinds and own.chance(60):  # its name goes on meaning the one that it was given to
                    kind = own.pick(kinds)
                    return (
                        f"choose {name} in {kind.name} where {name} is not {kind.name}",
                        self.scope.with_bound(name, kind),
                    )
                about = Expressions(self.world, self.scope.with_bound(name, kind).narrowed(has_memory=False))
                where = f" where {about.condition(1).text}" if dice.chance(50) else ""
                more = f", {names.fresh()} distinct" if dice.chance(20) else ""
                return f"choose {name}{more} in {kind.pattern(dice)}{where}", self.scope.with_bound(
                    name, kind
                )
            case "numbers":
                value = Value(names.fresh(), "number", 0, 4)
                return f"choose {value.name} in 0 | 2 | 4", self._knowing(value)
            case _:
                name = names.fresh()
                own = Dice(f"cell {name} {len(self.world.statements)}")
                if own.chance(20):
                    scope = self.scope.narrowed(cells=(*self.scope.cells, name))
                    return f"choose {name} in (0, 0) | (1, {own.between(0, 1)})", scope
                where = f" where {self._there().condition(1).text}" if dice.chance(30) else ""
                where = f" where {name}.x > {own.between(0, 1)}" if not where and own.chance(30) else where
                scope = self.scope.narrowed(cells=(*self.scope.cells, name))
                return f"choose {name} in random floor{where}", scope

    def _knowing(self, *values: Value) -> Scope:
        return self.scope.narrowed(values=(*self.scope.values, *values))

    def _there(self) -> Expressions:
        return Expressions(self.world, self.scope.narrowed(here=True, has_memory=False))

    def random_cell(self) -> str:
        """Return a random place, with all that may limit it."""
        dice = self.dice
        text = f"random {dice.weighted({'floor': 5, 'free': 4})}"
        if dice.chance(12) and self.world.tiles:
            text = f"random {dice.pick(self.world.tiles).name}"
        if dice.chance(15):
            text += f" in {self.area()}"
        if dice.chance(20):
            text += f" where {self._there().condition(1).text}"
        if dice.chance(8) and self.scope.agent and not self.world.several:
            text += f" reachable from {self.scope.agent}"
        return text

    def area(self) -> str:
        """Return a part of the grid."""
        options = [f"column {self.dice.between(0, 2)}", f"row {self.dice.between(0, 1)}", "border"]
        options.append(f"(0..{self.dice.between(0, 2)}, {self.dice.pick(('0', '0..1', '1'))})")
        return self.dice.pick([*options, *self.world.regions])

    # One effect

    def effect(self) -> str:
        """Return one effect that may stand here."""
        options: dict[Callable[[], str], float] = {self._place: 1.5, self._remove: 1}
        values = [value for value in self.world.variables if value.form in {"number", "word", "truth"}]
        options |= {self._assign: 4} if values else {}
        options |= {self._attribute: 3} if self._targets() else {}
        options |= {self._transform: 0.8} if self._bound_things() else {}
        if self.event != "setup":
            options |= {
                self._reward: 5,
                self._end: 1,
                self._info: 0.7,
                self._hidden: 0.4,
                self._truncate: 0.1,
                self._place_agent: 0.6,
            }
            options |= {self._go: 1.2, self._move: 1} if self.scope.subject != "none" else {self._move: 0.5}
            if self.world.is_busy:
                options |= {each: 6 for each in (self._go, self._move, self._place_agent) if each in options}
            options |= {self._out: 0.2} if self.scope.subject == "agent" else {}
            options |= {self._turn: 1} if self.world.has_facing and self.scope.subject == "agent" else {}
            options |= {self._handle: 1} if any(kind.is_portable for kind in self.world.objects) else {}
            options |= {self._again: 2} if self.world.may_keep_turns else {}
            options |= {self._cancel: 2} if self.event in {"act", "do"} else {}
        return self.dice.weighted(options)()

    def _reward(self) -> str:
        if self.world.shares == "zero_sum":
            return self._cancelling()
        amount = self._amount()
        word = "reward =" if self.dice.chance(10) else "reward"
        to = ""
        if self.world.several and self.dice.chance(25):
            unique = [kind.name for kind in self.world.agents if kind.count == 1]
            to = f" to {self.dice.pick([kind.name for kind in self.world.agents] + unique)}"
        return f"{word} {amount}{to}"

    def _amount(self) -> str:
        if self.dice.chance(55):
            return self.dice.pick(("+1", "-1", "1", "10", "0.5", "-0.1", "2 / 3", "5%", "+20%", "1e-2"))
        return self.says.number(2).text

    def _cancelling(self) -> str:
        if self.scope.subject != "agent":
            return "reward 0"
        return f"reward {self.dice.pick(('+1', '-1', '0.5', '2', '3'))}"

    def _hidden(self) -> str:
        amount, several = self._amount(), self.world.several
        dice = Dice(f"{amount} of {len(self.world.agents)}")
        to = dice.pick([kind.name for kind in self.world.agents]) if several and dice.chance(50) else ""
        return f"hidden reward {amount} to {to}" if to else f"hidden reward {amount}"

    def _end(self) -> str:
        winners = [f"{kind.name}_wins" for kind in self.world.agents] if self.world.several else []
        return f"end {self.dice.pick([*OUTCOMES, *winners])}".rstrip()

    def _truncate(self) -> str:
        return "truncate"

    def _out(self) -> str:
        return "out"

    def _again(self) -> str:
        return "again"

    def _cancel(self) -> str:
        return "cancel"

    def _info(self) -> str:
        return (
            f"info {self.dice.pick(('x', 'x_is_set', 'told', 'n_value', 'kind'))} = {self.says.whole(1).text}"
        )

    def _assign(self) -> str:
        value = self.dice.pick(self.world.variables)
        return self._set(value.name, value)

    def _set(self, target: str, value: Value) -> str:
        dice = self.dice
        if dice.chance(8):
            part = f"{value.low}..{value.high}" if value.form == "number" else " | ".join(value.words)
            part = "" if value.form == "truth" or dice.chance(50) else f" {part}"
            return f"{target} {dice.pick(('=', 'becomes'))} random{part}"
        if value.form == "word":
            word = dice.pick(value.words)
            own = Dice(f"nth {target} {word} {len(self.world.statements)}")
            if own.chance(12) and self.event != "setup":
                word = f"nth({self.says.text(1)}, {word}, {own.pick(value.words)}, {own.pick(value.words)})"
            return dice.pick((f"{target} becomes {word}", f"{target} = {word}"))
        if value.form == "truth":
            return f"{target} = {self.says.condition(1).text}"
        if dice.chance(55):
            reach = value.high - value.low
            step = (
                dice.between(1, min(2, reach))
                if dice.chance(70)
                else f"({self.says.text(1)}) mod {reach + 1}"
            )
            return f"{target} {dice.pick(('+=', '-='))} {step}"
        if dice.chance(50):
            return f"{target} = {value.literal(dice)}"
        return f"{target} = min({value.high}, max({value.low}, {self.says.text(1)}))"

    def _targets(self) -> list[tuple[str, Kind]]:
        things = self.world.things(self.scope)
        return [
            (name, kind)
            for name, kind in things
            if kind and any(value.form != "fraction" for value in kind.values)
        ]

    def _attribute(self) -> str:
        name, kind = self.dice.pick(self._targets())
        value = self.dice.pick(kind.values)
        shared = [
            other for other in kind.values if other is not value and set(other.words) & set(value.words)
        ]
        if value.form == "word" and not shared and self.dice.chance(50):
            return f"{name} becomes {self.dice.pick(value.words)}"
        if value.form == "truth" and self.dice.chance(30):
            return f"{name} becomes {value.name}"
        return self._set(f"{name}.{value.name}", value)

    def _bound_things(self) -> list[tuple[str, Kind]]:
        return [
            (name, kind) for name, kind in self.scope.bound if kind.category != "agent" and not kind.is_unique
        ]

    def _transform(self) -> str:
        name, kind = self.dice.pick(self._bound_things())
        others = self.world.tiles if kind.category == "tile" else self.world.objects
        if Dice(f"becomes {name} {len(self.world.statements)}").chance(25):
            others = self.world.kinds
        into = [other for other in others if not other.is_unique]
        if not into:
            return self._remove()
        line = with_values(self.world, f"{name} becomes {self.dice.pick(into).pattern(self.dice)}")
        return filled(self.world, line)

    def _remove(self) -> str:
        names = [name for name, kind in self._bound_things() if kind.name != "floor"]
        if not names:
            return self._place()
        own = Dice(f"remove {names} {len(self.world.statements)}")
        if len(self.world.objects) > 1 and own.chance(10):
            some = " or ".join(kind.pattern(own) for kind in self.world.objects[:2])
            return f"remove (the ({some}) at {ranging.spot(self.says, own)})"
        if self.dice.chance(20) and (kinds := [kind for kind in self.placeable() if not kind.is_unique]):
            return f"remove {ranging.superlative(self.says, 1, self.dice.pick(kinds))}"
        return f"remove {self.dice.pick(names)}"

    def placeable(self) -> list[Kind]:
        """Return the kinds that rules may make more of."""
        return [kind for kind in self.world.kinds if not kind.is_unique and not kind.moves]

    def _place(self) -> str:
        kinds = self.placeable()
        if not kinds:
            return self._reward() if self.event != "setup" else "place wall at (0, 0)"
        # A setup without room for what it places would not be played.
        free = " if free" if self.dice.chance(85 if self.event == "setup" else 15) else ""
        if self.dice.chance(6) and (given := into_hands(self.world, self.scope)) is not None:
            return given + free
        return filled(self.world, with_values(self.world, self._placing(kinds))) + free

    def _placing(self, kinds: list[Kind]) -> str:
        dice = self.dice
        what = dice.pick(kinds)
        kind = what.pattern(dice, 40, random=what.category == "object")
        match dice.weighted({"random": 4, "cell": 3, "count": 2, "every": 1, "area": 1, "in": 0.5}):
            case "random":
                return f"place {kind} at {self.random_cell()}"
            case "cell":
                return f"place {kind} at {self.says.cell()}"
            case "count":
                count = (
                    str(dice.between(1, 2))
                    if dice.chance(70)
                    else f"(1 + {self.says.inner(self.says.whole(0), 5)} mod 2)"
                )
                return f"place {count} {kind} at {self.random_cell()}"
            case "every":
                where = f" where {self._there().condition(1).text}" if dice.chance(50) else ""
                chance = f" with chance {dice.pick(('0.1', '20%', '1/4'))}" if dice.chance(50) else ""
                return f"place {kind} at every floor{where}{chance}"
            case "area":
                where = f" where {self._there().condition(1).text}" if dice.chance(50) else ""
                dice.chance(15)  # a number stood here once: what is drawn behind it stays as it was
                return f"place {kind} in {self.area()}{where}"
            case _:
                holders = [thing.name for thing in self.world.objects if thing.carries and thing.is_unique]
                inside = [thing for thing in kinds if thing.category == "object" and not thing.carries]
                if not holders or not inside:
                    return f"place {kind} at {self.says.cell()}"
                made, holder = dice.pick(inside).pattern(dice), dice.pick(holders)
                count = Dice(f"how many {made} {holder} {len(self.world.statements)}").pick(("", "", "1 "))
                return f"place {count}{made} in {holder}"

    def _go(self) -> str:
        dice = self.dice
        match dice.weighted({"start": 3 if self.scope.starts else 0, "cell": 3, "random": 3, "other": 2}):
            case "start":
                return "go to start"
            case "cell":
                return f"go to {busy_or(self.world, self.says.cell())}"
            case "other" if any(kind.category == "tile" for _, kind in self.scope.bound):
                kind = next(kind for _, kind in self.scope.bound if kind.category == "tile")
                return f"go to other {kind.pattern(dice)}"
            case _:
                return f"go to {self.random_cell()}"

    def _move(self) -> str:
        names = [name for name, kind in self._bound_things() if kind.category == "object"]
        names += [kind.name for kind in self.world.objects if kind.is_unique]
        if not names:
            return self._reward()
        name = self._moved(self.dice.pick(names))
        if self.dice.chance(60):
            return f"move {name} {self.dice.pick(COMPASS)}"
        if self.dice.chance(40):
            first, second = self.dice.pick(COMPASS), self.dice.pick(COMPASS_8)
            return f"move {name} ({first} if {self.says.condition(1).text} else {second})"
        target = self.dice.pick((self.says.cell(), self.random_cell()))
        return f"move {name} to {busy_or(self.world, target)}"

    def _place_agent(self) -> str:
        return place_agent(self.world, lambda: self.dice.pick((self.says.cell(), self.random_cell())))

    def _moved(self, name: str) -> str:
        """Return what is moved: mostly that, else one of several by a number."""
        own = Dice(f"moved {name} {len(self.world.statements)}")
        kinds = [kind.name for kind in self.world.objects if not kind.is_unique]
        if not kinds or not own.chance(15):
            return name
        kind = own.pick(kinds)
        return (
            f"(the {kind} with {own.pick(('least', 'most'))} {kind}.{own.pick('xy')} + {own.between(0, 2)})"
        )

    def _turn(self) -> str:
        ways = COMPASS_8 if self.dice.chance(10) else COMPASS
        way = self.dice.pick((*ways, "random"))
        own = Dice(f"turn {len(self.world.statements)} {way}")
        if way != "random" and own.chance(20):
            return f"turn to ({way} if step mod 2 == 0 else {own.pick(COMPASS)})"
        if own.chance(40):
            return f"turn {own.pick(('left', 'right', 'around'))}"
        return f"turn to {way}"

    def _handle(self) -> str:
        verb = self.dice.pick(("pickup", "drop", "remove"))
        if not self.scope.agent:
            return self._reward()
        portable = [kind for kind in self.world.objects if kind.is_portable]
        bound = [name for name, kind in self.scope.bound if kind.is_portable]
        unique = [kind.name for kind in portable if kind.is_unique]
        names = bound + unique
        return f"{verb} {self.dice.pick(names)}" if names else self._reward()
