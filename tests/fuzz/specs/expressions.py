"""Expressions of every form, each of the type that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.past import past
from tests.fuzz.specs.world import COMPASS, COMPASS_8, Kind, Scope, Value, World

# How tightly the forms of the grammar bind, loosest first.
IF, OR, XOR, AND, NOT, COMPARE, SUM, PRODUCT, FACTOR, ATOM = range(10)


@dataclass(frozen=True)
class Term:
    """The text of an expression, and how tightly its outermost form binds."""

    text: str
    level: int = ATOM


def over_all(asked: str) -> str:
    """Return the sum, the least or the most of some numbers; what other specs are made of stays."""
    return f"{Dice(asked).pick(('sum', 'sum', 'min', 'max'))}({asked})"


class Expressions:
    """Writes random expressions about a world, in a scope."""

    def __init__(self, world: World, scope: Scope) -> None:
        self.world, self.scope, self.dice = world, scope, world.dice

    def inner(self, term: Term, least: int) -> str:
        """Return a term as a part of one that binds as tightly as `least`: in brackets where they are needed, or for fun."""
        return f"({term.text})" if term.level < least or self.dice.chance(6) else term.text

    def _one_of(
        self, leaves: list[Callable[[], Term]], forms: list[Callable[[int], Term]], depth: int
    ) -> Term:
        if depth <= 0 or not forms or self.dice.chance(35):
            return self.dice.pick(leaves)()
        return self.dice.pick(forms)(depth - 1)

    # Numbers

    def whole(self, depth: int = 2) -> Term:
        """Return a whole number."""
        return self._one_of(self._whole_leaves(), [*self._whole_forms(), *self._grouped()], depth)

    def number(self, depth: int = 2) -> Term:
        """Return any number."""
        if self.dice.chance(60):
            return self.whole(depth)
        return self._one_of(
            [self._fraction],
            [self._ratio, self._root, self._power, self._straight, self._sum_of, self._noise],
            depth,
        )

    def text(self, depth: int = 2) -> str:
        """Return a whole number as text that stands alone."""
        return self.whole(depth).text

    def _whole_leaves(self) -> list[Callable[[], Term]]:
        found: list[Callable[[], Term]] = [lambda: Term(str(self.dice.between(0, 5))), self._size]
        if self.world.numbers(self.scope):
            found += [lambda: Term(self.dice.pick(self.world.numbers(self.scope)).name)] * 3
        if self._with_values("number"):
            found += [self._attribute_number] * 3
        if not self.scope.in_setup:
            found.append(lambda: Term("step"))
        if self.world.things(self.scope):
            found.append(self._coordinate)
        if self.scope.here:
            found += [lambda: Term(self.dice.pick(("x", "y", "here.x", "here.y")))] * 4
        found.append(lambda: Term(f"count({self.any_kind().pattern(self.dice)})"))
        if self.world.objects:
            found.append(self._several_kinds)
        return found

    def _size(self) -> Term:
        words = (
            ("width", "height", "limit")
            if self.world.has_limit and not self.scope.in_setup
            else ("width", "height")
        )
        return Term(self.dice.pick(words))

    def _several_kinds(self) -> Term:
        from tests.fuzz.specs.conditions import group

        kinds = group(self)
        return (
            Term(f"count({kinds})") if self.dice.chance(50) else Term(f"sum({self._size().text} for {kinds})")
        )

    def _coordinate(self) -> Term:
        names = [name for name, _ in self.world.things(self.scope)]
        return Term(f"{self.dice.pick([*names, *self.scope.cells])}.{self.dice.pick('xy')}")

    def _attribute_number(self) -> Term:
        name, value = self.dice.pick(self._with_values("number"))
        return Term(past(self.world, self.scope, f"{name}.{value.name}"))

    def _with_values(self, form: str) -> list[tuple[str, Value]]:
        things = self.world.things(self.scope)
        return [(name, value) for name, kind in things if kind for value in kind.values if value.form == form]

    def _whole_forms(self) -> list[Callable[[int], Term]]:
        forms: list[Callable[[int], Term]] = [
            self._arithmetic,
            self._arithmetic,
            self._divided,
            self._least,
            self._absolute,
            self._choice,
            self._negative,
        ]
        if self.world.things(self.scope):
            forms += [self._distance, self._distance]
        if self.scope.has_memory and not self.scope.in_setup:
            forms += [self._remembered]
        return forms

    def _arithmetic(self, depth: int) -> Term:
        operator = self.dice.pick(("+", "-", "*"))
        level = PRODUCT if operator == "*" else SUM
        left, right = self.whole(depth), self.whole(depth if operator != "*" else 0)
        return Term(f"{self.inner(left, level)} {operator} {self.inner(right, level + 1)}", level)

    def _divided(self, depth: int) -> Term:
        operator = self.dice.pick(("div", "mod"))
        by = str(self.dice.between(1, 5)) if self.dice.chance(60) else f"max(1, {self.whole(depth).text})"
        return Term(f"{self.inner(self.whole(depth), PRODUCT)} {operator} {by}", PRODUCT)

    def _least(self, depth: int) -> Term:
        parts = ", ".join(self.whole(depth).text for _ in range(self.dice.between(2, 3)))
        return Term(f"{self.dice.pick(('min', 'max'))}({parts})")

    def _absolute(self, depth: int) -> Term:
        text = self.whole(depth).text
        own = Dice(f"step {text} {len(self.world.statements)}")
        if own.chance(20):
            ways = [
                value.name
                for value in self.scope.values
                if value.words and set(value.words) <= set(COMPASS_8)
            ]
            return Term(f"{own.pick(('dx', 'dy'))}({own.pick([*ways, *ways, *COMPASS_8])})")
        return Term(f"abs({text})")

    def _negative(self, depth: int) -> Term:
        return Term(f"-{self.inner(self.whole(depth), FACTOR)}", FACTOR)

    def _choice(self, depth: int) -> Term:
        then, other = self.inner(self.whole(depth), OR), self.inner(self.whole(depth), IF)
        test = self.inner(self.condition(depth), OR)
        own = Dice(f"nth {then} {other} {test}")
        if own.chance(25):
            numbers = [str(own.between(-3, 9)) for _ in range(own.between(2, 9))]
            return Term(
                f"nth({other}, {', '.join(numbers if own.chance(40) else [then, *numbers[:2], other])})"
            )
        return Term(f"{then} if {test} else {other}", IF)

    def _remembered(self, depth: int) -> Term:
        without = Expressions(self.world, self.scope.before())
        return Term(f"{self.dice.pick(('prev', 'lowest'))}({without.whole(depth).text})")

    def _distance(self, depth: int) -> Term:
        own = Dice(f"stepped {depth} {len(self.world.statements)}")
        if self.world.has_facing and self.scope.agent and own.chance(15):
            return Term(f"{own.pick(('dx', 'dy'))}({self.facing()})")
        name = self.dice.weighted({"distance": 3, "chebyshev": 2, "path_distance": 2})
        avoiding = ""
        if name == "path_distance" and self.dice.chance(40):
            kind = self.any_kind().name
            own = Dice(f"avoided {kind} {len(self.world.statements)}")  # what other specs are made of stays
            several = f"({kind} or {own.pick(self.world.kinds).pattern(own)})"
            avoiding = f" avoiding {several if own.chance(30) else kind}"
        return Term(f"{name}({self.place()}, {self.place()}{avoiding})")

    def _grouped(self) -> list[Callable[[int], Term]]:
        from tests.fuzz.specs import ranging

        through = [lambda depth: ranging.tally(self, depth)] if len(self.scope.values) < 2 else []
        if len(self.scope.bound) < 3 and not self.scope.here:
            through.append(lambda depth: ranging.coordinate(self, depth))
        return [self._count_where, self._sum_over, *through]

    def _count_where(self, depth: int) -> Term:
        kind = self.any_kind()
        return Term(f"count({kind.name} where {self._about(kind, depth).text})")

    def _sum_over(self, depth: int) -> Term:
        kind = self.any_kind()
        inside = Expressions(self.world, self.scope.with_bound(kind.name, kind).narrowed(has_memory=False))
        where = f" where {self._about(kind, depth).text}" if self.dice.chance(50) else ""
        return Term(over_all(f"{inside.whole(depth).text} for {kind.name}{where}"))

    def _about(self, kind: Kind, depth: int) -> Term:
        scope = self.scope.with_bound(kind.name, kind).narrowed(has_memory=False)
        return Expressions(self.world, scope).condition(min(depth, 1))

    def _fraction(self) -> Term:
        written = (".5", "0.25", "1e-1", "20%", "1/3", "2.5e0", "12.5%")
        fractions = [value.name for value in self.world.params if value.form == "fraction"]
        text = self.dice.pick([*written[1:], *fractions])
        return Term(text, PRODUCT if "/" in text else ATOM)

    def _ratio(self, depth: int) -> Term:
        by = str(self.dice.between(1, 9)) if self.dice.chance(50) else f"({self._positive(depth)})"
        return Term(f"{self.inner(self.number(depth), PRODUCT)} / {by}", PRODUCT)

    def _positive(self, depth: int) -> str:
        return f"1 + {self.inner(Term(f'abs({self.whole(depth).text})'), PRODUCT)}"

    def _root(self, depth: int) -> Term:
        return Term(f"sqrt(abs({self.number(depth).text}))")

    def _power(self, depth: int) -> Term:
        return Term(f"exp(min(3, {self.number(depth).text}))")

    def _noise(self, depth: int) -> Term:
        place = "x, y" if self.scope.here else f"{self.whole(0).text}, {self.whole(0).text}"
        return Term(f"noise({place}, {self.dice.between(1, 5)}, {self.whole(0).text})")

    def _straight(self, depth: int) -> Term:
        return Term(f"euclid({self.place()}, {self.place()})")

    def _sum_of(self, depth: int) -> Term:
        operator = self.dice.pick(("+", "-", "*"))
        level = PRODUCT if operator == "*" else SUM
        return Term(
            f"{self.inner(self.number(depth), level)} {operator} {self.inner(self._fraction(), level + 1)}",
            level,
        )

    # Places

    def cell(self) -> str:
        """Return a cell of the grid, or the words for one."""
        if self.scope.here and self.dice.chance(40):
            return "here"
        options: list[str] = [*self.scope.cells, *(() if self.scope.in_setup else self.world.chosen_cells)]
        if options and self.dice.chance(50):
            return self.dice.pick(options)
        if (
            self.scope.subject != "none"
            and self.scope.starts
            and self.scope.acts
            and not self.scope.in_setup
            and self.dice.chance(8)
        ):
            return "start"
        x, y = self.dice.between(0, self.world.width - 1), self.dice.between(0, self.world.height - 1)
        own = Dice(f"nth {x} {y} {len(self.world.statements)}")
        if self.scope.acts and not self.scope.in_setup and own.chance(8):
            return (
                f"nth(step - {own.between(0, 4)}, ({x}, {y}), ({own.between(0, self.world.width - 1)}, {y}))"
            )
        return f"({x}, {y})"

    def place(self) -> str:
        """Return a cell, or a thing where one is meant."""
        things = [name for name, _ in self.world.things(self.scope)]
        return self.dice.pick(things) if things and self.dice.chance(70) else self.cell()

    def any_kind(self) -> Kind:
        """Return a kind of ground or object, or of agent where there are several."""
        kinds = [*self.world.kinds, *(self.world.agents if self.world.several else ())]
        return self.dice.pick(kinds) if kinds else Kind("wall", "tile")

    # Conditions

    def condition(self, depth: int = 2) -> Term:
        """Return a condition."""
        from tests.fuzz.specs.conditions import forms, leaves

        return self._one_of(leaves(self), forms(self), depth)

    def facing(self, behind: str = "") -> str:
        """Return the direction of an agent, or the one to a side of it, and what stands behind it."""
        own = Dice(f"facing {self.scope.agent} {behind} {len(self.world.statements)}")
        way = f"{self.scope.agent}.facing"
        for _ in range(2):
            way = f"{own.pick(('left_of', 'right_of', 'opposite'))}({way})" if own.chance(30) else way
        return f"{way} {behind}" if behind else way

    def facing_words(self) -> tuple[str, ...]:
        """Return the words of the agent's facing."""
        return COMPASS
