"""Conditions: comparisons, words, relations, and what joins them."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.specs import ranging
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.expressions import AND, ATOM, COMPARE, NOT, OR, SUM, XOR, Expressions, Term
from tests.fuzz.specs.past import past
from tests.fuzz.specs.world import Kind

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
Leaf = Callable[[], Term]
Form = Callable[[int], Term]


def leaves(of: Expressions) -> list[Leaf]:
    """Return what makes a short condition."""
    world, scope = of.world, of.scope
    found: list[Leaf] = [lambda: _compared(of, 0)]
    if any(value.form in {"truth", "word"} for value in world.known(scope)):
        found += [lambda: _known(of)] * 3
    if _attributed(of):
        found += [lambda: _past(of, _attribute(of))] * 4
    if world.things(scope):
        found += [lambda: _past(of, _relation(of))] * 4
    if world.kinds:
        found += [lambda: _past(of, _quantified(of))] * 2
    if world.objects:
        found += [lambda: _grouped(of)] * 2
    if scope.agent and scope.acts and not scope.in_setup:
        found += [lambda: _acting(of)]
    if scope.agent and world.has_turns:
        found += [lambda: Term(f"{scope.agent}.turn")] * 2
    if scope.agent and world.has_facing:
        found.append(lambda: Term(f"{of.facing(_is(of))} {of.dice.pick(of.facing_words())}", COMPARE))
    found.append(lambda: Term(of.dice.pick(("true", "false")), ATOM))
    return found


def depth_of(of: Expressions) -> int:
    """Return how many names go through something around here: loops in loops in loops are slow."""
    return len(of.scope.values) + 2 * of.scope.here


def forms(of: Expressions) -> list[Form]:
    """Return what makes a longer condition."""
    found: list[Form] = [lambda depth: _compared(of, depth)] * 3
    found += [lambda depth: _joined(of, depth)] * 3
    found += [lambda depth: Term(f"inside({of.whole(depth).text}, {of.whole(0).text})")]
    if depth_of(of) < 2:
        found += [lambda depth: ranging.some(of, depth)] * 2
    found += [lambda depth: Term(f"not {of.inner(of.condition(depth), NOT)}", NOT)]
    if of.scope.has_memory and not of.scope.in_setup:
        found.append(lambda depth: _before(of, depth))
    return found


def _is(of: Expressions) -> str:
    return "is not" if of.dice.chance(25) else "is"


def _past(of: Expressions, term: Term) -> Term:
    text = past(of.world, of.scope, term.text)
    return term if text == term.text else Term(text)


def _before(of: Expressions, depth: int) -> Term:
    without = Expressions(of.world, of.scope.before())
    value = f"prev({without.condition(depth).text})"
    return Term(f"prev({value})" if of.dice.chance(20) else value)


def _compared(of: Expressions, depth: int) -> Term:
    left = of.number(depth) if of.dice.chance(25) else of.whole(depth)
    right = of.inner(of.whole(max(0, depth - 1)), SUM)
    return Term(f"{of.inner(left, SUM)} {of.dice.pick(COMPARISONS)} {right}", COMPARE)


def _joined(of: Expressions, depth: int) -> Term:
    if of.dice.chance(12):
        sides = [of.inner(of.condition(max(0, depth - 1)), SUM) for _ in range(2)]
        if {"true", "false"} & set(sides):
            return Term(sides[0])
        return Term(f" {of.dice.pick(('==', '!=', 'is', 'is not'))} ".join(sides), COMPARE)
    word, level = of.dice.pick((("and", AND), ("or", OR), ("xor", XOR)))
    parts = [of.inner(of.condition(depth), level + 1) for _ in range(of.dice.between(2, 3))]
    return Term(f" {word} ".join(parts), level)


def _known(of: Expressions) -> Term:
    values = [value for value in of.world.known(of.scope) if value.form in {"truth", "word"}]
    value = of.dice.pick(values)
    if value.form == "truth":
        return Term(value.name)
    return Term(f"{value.name} {_is(of)} {of.dice.pick(value.words)}", COMPARE)


def _attributed(of: Expressions) -> list[tuple[str, Kind]]:
    return [
        (name, kind)
        for name, kind in of.world.things(of.scope)
        if kind and any(v.form != "number" for v in kind.values)
    ]


def _attribute(of: Expressions) -> Term:
    name, kind = of.dice.pick(_attributed(of))
    value = of.dice.pick([value for value in kind.values if value.form != "number"])
    if value.form == "truth":
        return (
            Term(f"{name}.{value.name}")
            if of.dice.chance(60)
            else Term(f"{name} {_is(of)} {value.name}", COMPARE)
        )
    shared = [other for other in kind.values if other is not value and set(other.words) & set(value.words)]
    left = f"{name}.{value.name}" if shared or of.dice.chance(50) else name
    return Term(f"{left} {_is(of)} {of.dice.pick(value.words)}", COMPARE)


def _relation(of: Expressions) -> Term:
    world, dice = of.world, of.dice
    things = world.things(of.scope)
    left, kind = dice.pick(things)
    here = of.scope.agent
    options: dict[str, float] = {"on": 3, "at": 1, "within": 1, "sees": 1}
    options |= {"region": 1} if world.regions else {}
    if here:
        options |= {"ahead": 2 if world.has_facing else 0, "edge": 1 if world.has_facing else 0, "has": 2}
    if dice.chance(15) and kind and kind.category != "agent" and not of.scope.in_setup:
        others = [
            other.name
            for other in world.kinds
            if other.category == kind.category and other.name not in {left, kind.name}
        ]
        return Term(f"{left} {_is(of)} {dice.pick(others)}", COMPARE) if others else _compared(of, 0)
    match dice.weighted(options):
        case "on":
            return Term(f"{left} on {of.any_kind().pattern(dice)}", COMPARE)
        case "region":
            area = f"({dice.between(0, 1)}..width - 1, {dice.between(0, world.height - 1)})"
            return Term(f"{left} on {area if dice.chance(35) else dice.pick(world.regions)}", COMPARE)
        case "at":
            found = left if dice.chance(50) else of.any_kind().pattern(dice)
            return Term(f"{found} at {of.cell()}", COMPARE)
        case "within":
            found = left if dice.chance(70) else of.any_kind().pattern(dice)
            return Term(f"{found} within {dice.between(0, 2)} of {of.place()}", COMPARE)
        case "sees":
            found = left if dice.chance(70) else of.any_kind().pattern(dice)
            within = f" within {dice.between(1, 3)}" if dice.chance(40) else ""
            return Term(f"{found} sees {of.place()}{within}", COMPARE)
        case "ahead":
            return Term(f"{of.any_kind().pattern(dice)} ahead", COMPARE)
        case "edge":
            return Term("edge ahead", COMPARE)
        case _:
            return _held(of)


def _held(of: Expressions) -> Term:
    portable = [kind for kind in of.world.objects if kind.is_portable]
    holders = [kind for kind in of.world.objects if kind.carries and kind.is_unique]
    if holders and of.world.objects and of.dice.chance(30):
        return Term(
            f"{of.dice.pick(holders).name} has {of.dice.pick(of.world.objects).pattern(of.dice)}", COMPARE
        )
    if not portable:
        return _compared(of, 0)
    return Term(f"{of.scope.agent} has {of.dice.pick(portable).pattern(of.dice)}", COMPARE)


def _quantified(of: Expressions) -> Term:
    dice, kind = of.dice, of.any_kind()
    word = dice.pick(("all", "any", "no"))
    if dice.chance(25):
        return Term(f"no {kind.pattern(dice)} left", COMPARE)
    if kind.values and dice.chance(30):
        value = dice.pick(kind.values)
        if value.form == "word":
            return Term(f"{word} {kind.name} is {dice.pick(value.words)}", COMPARE)
        if value.form == "truth":
            return Term(f"{word} {kind.name} is {value.name}", COMPARE)
    match dice.between(0, 2):
        case 0:
            return Term(f"{word} {kind.pattern(dice)} on {of.any_kind().name}", COMPARE)
        case 1:
            return Term(f"{word} {kind.pattern(dice)} at {of.cell()}", COMPARE)
        case _:
            return Term(f"{word} {kind.pattern(dice)} within {dice.between(0, 2)} of {of.place()}", COMPARE)


def group(of: Expressions) -> str:
    """Return what stands for several kinds of objects."""
    world, dice = of.world, of.dice
    named = Dice(f"group {of.scope.kinds} {len(world.statements)}")
    if of.scope.kinds and named.chance(60):
        return named.pick(of.scope.kinds)
    words = ["object"]
    words += ["portable"] if any(kind.is_portable for kind in world.objects) else []
    words += ["pushable"] if any(kind.is_pushable for kind in world.objects) else []
    free = [word for word in words if word not in world.names.taken]
    if free and dice.chance(60):
        return dice.pick(free)
    kinds = [dice.pick(world.objects).pattern(dice) for _ in range(dice.between(2, 3))]
    return f"({' or '.join(kinds)})"


def _one_of_two(of: Expressions, own: Dice) -> str:
    return f"({own.pick(of.world.objects).pattern(own)} or {own.pick(of.world.objects).pattern(own)})"


def _grouped(of: Expressions) -> Term:
    dice, kinds = of.dice, group(of)
    word = dice.pick(("all", "any", "no"))
    own = Dice(f"grouped {kinds} {word} {len(of.world.statements)}")
    if own.chance(25):
        left = own.pick((own.pick(of.world.kinds).pattern(own), _one_of_two(of, own)))
        relation = own.pick(("on", "within 1 of", "within 2 of", "sees"))
        left = f"{word} {left}" if own.chance(80) else left
        return Term(f"{left} {relation} {'any ' if own.chance(30) else ''}{kinds}", COMPARE)
    options: dict[str, float] = {"on": 2, "at": 1, "within": 1, "left": 1, "near": 1, "where": 1, "sees": 1}
    if of.scope.agent:
        options |= {"has": 2, "ahead": 1 if of.world.has_facing else 0}
    match dice.weighted(options):
        case "on":
            return Term(f"{word} {kinds} on {of.any_kind().name}", COMPARE)
        case "at":
            return Term(f"{kinds} at {of.cell()}", COMPARE)
        case "within":
            return Term(f"{word} {kinds} within {dice.between(0, 2)} of {of.place()}", COMPARE)
        case "sees":
            if dice.chance(50):
                return Term(f"{of.place()} sees any {kinds}", COMPARE)
            return Term(f"{word} {kinds} sees {of.place()} within {dice.between(1, 4)}", COMPARE)
        case "near":
            return Term(f"{of.place()} within {dice.between(0, 2)} of any {kinds}", COMPARE)
        case "left":
            return Term(f"no {kinds} left", COMPARE)
        case "where":
            where = Expressions(of.world, of.scope.before()).condition(0)
            return Term(f"({word} {kinds} where {where.text})")
        case "has":
            return Term(f"{of.scope.agent} has {kinds}", COMPARE)
        case _:
            return Term(f"{kinds} ahead", COMPARE)


def _acting(of: Expressions) -> Term:
    if of.dice.chance(50) or not of.world.actions:
        return _able(of) if of.world.actions else _compared(of, 0)
    owner = of.scope.agent if of.scope.agent == "self" or not of.world.several else "self"
    return Term(f"{owner}.action {_is(of)} {of.dice.pick(of.world.actions)}", COMPARE)


def _able(of: Expressions) -> Term:
    """`can ACTION`: of the subject, of one that is named, or of all, any or none."""
    action, several = of.dice.pick(of.world.actions), of.world.several
    own = Dice(f"able {action} {of.scope.agent} {len(of.world.statements)}")
    who = [f"{own.pick(('all', 'any', 'no'))} {kind.name}" for kind in of.world.agents]
    who += ["any agent", "no agent"]
    who += [kind.name for kind in of.world.agents if kind.count == 1] if several else []
    who += [of.scope.agent] if of.scope.agent else []
    if own.chance(50) or (several and of.scope.agent != "self"):
        return Term(f"{own.pick(who)} can {action}", COMPARE)
    return Term(f"can {action}", COMPARE)
