"""Names that go through things, numbers, words and cells: in conditions, sums and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.held import gone_through
from tests.fuzz.specs.world import Kind, Scope, Value

if TYPE_CHECKING:
    from tests.fuzz.specs.effects import Effects
    from tests.fuzz.specs.expressions import Expressions, Term


def some(of: Expressions, depth: int) -> Term:
    """Return `any K where C`, `no NAME in DOMAIN where C`, `all cell where C`."""
    from tests.fuzz.specs.expressions import NOT, Term

    over, scope = _over(of)
    test = _within(of, scope).condition(min(depth, 1)).text
    word = of.dice.pick(("any", "all", "no"))
    held = gone_through(of.world, of.scope, f"{word} {over} {test}")
    if held is not None:
        return Term(f"({word} {held.over} where {held.test})", NOT)
    return Term(f"({word} {over} where {test})", NOT)


def tally(of: Expressions, depth: int) -> Term:
    """Return `count(NAME in DOMAIN where C)`, `sum(E for NAME in DOMAIN)` or `count(cell where C)`."""
    from tests.fuzz.specs.expressions import Term, over_all

    over, scope = _domain(of)
    inside = _within(of, scope)
    where = f" where {inside.condition(min(depth, 1)).text}" if of.dice.chance(60) else ""
    if of.dice.chance(30):
        there = _within(of, of.scope.narrowed(here=True, has_memory=False))
        counted = f" where {there.condition(min(depth, 1)).text}"
        return Term(
            of.dice.pick((f"count(cell{counted})", over_all(f"{there.whole(0).text} for cell{counted}")))
        )
    is_count = of.dice.chance(50)
    said = (
        f"count({over}{where or ' where true'})" if is_count else f"{inside.whole(0).text} for {over}{where}"
    )
    held = gone_through(of.world, of.scope, said)
    if held is not None:
        where = f" where {held.test}" if where else ""
        said = f"count({held.over}{where})" if is_count else f"{held.number} for {held.over}{where}"
    return Term(said if is_count else over_all(said))


def superlative(of: Expressions, depth: int, kind: Kind | None = None) -> str:
    """Return `the K with least E where C`; of cells where no kind is given."""
    from tests.fuzz.specs.expressions import SUM

    scope = (
        of.scope.narrowed(here=True)
        if kind is None
        else of.scope.with_bound(kind.name, kind).narrowed(here=False)
    )
    inside = _within(of, scope)
    value = inside.inner(inside.whole(min(depth, 1)), SUM)
    where = f" where {inside.condition(min(depth, 1)).text}" if of.dice.chance(40) else ""
    over = "cell" if kind is None else kind.pattern(of.dice)
    own = Dice(f"there {over} {value} {len(of.world.statements)}")
    if kind is not None and own.chance(35):
        return f"the {over} at {spot(of, own)}"
    if where and own.chance(40):
        return f"the {over}{where}"
    return f"the {over} with {of.dice.pick(('least', 'most'))} {value}{where}"


def spot(of: Expressions, own: Dice) -> str:
    """Return a cell, on the grid or beside it, where something may be."""
    names = [*([of.scope.agent] if of.scope.agent else []), *(name for name, _ in of.scope.bound)]
    spots = [f"({own.between(0, 2)}, {own.between(0, 2)})", *of.scope.cells, *names]
    for name in names:
        spots += [f"({name}.x {own.pick('+-')} 1, {name}.y)", f"({name}.x, {name}.y {own.pick('+-')} 1)"]
    return own.pick(spots)


def coordinate(of: Expressions, depth: int) -> Term:
    """Return `(the K with least E).x`, or an attribute of it."""
    from tests.fuzz.specs.expressions import Term

    kinds = [kind for kind in of.world.objects if kind.name not in dict(of.scope.bound)]
    kind = of.dice.pick([*kinds, None])
    numbers = [value.name for value in kind.values if value.form == "number"] if kind is not None else []
    said = f"({superlative(of, depth, kind)}).{of.dice.pick(['x', 'y', *numbers])}"
    own = Dice(f"ground {said}")
    asked = [
        (each, value.name)
        for each in (*of.world.tiles, *of.world.agents)
        for value in each.values
        if value.form == "number"
    ]
    if asked and own.chance(30):
        ground, name = own.pick(asked)
        said = f"(the {ground.name} at {spot(of, own)}).{name}"
    pair = spot(of, own)
    if pair.startswith("(") and own.chance(15):
        said = f"{pair}.{own.pick('xy')}"
    return Term(said)


def each(of: Effects, depth: int) -> list[str]:
    """Return an `each` with a block."""
    from tests.fuzz.specs.effects import MARGIN, Effects

    says, dice = of.says, of.dice
    things = [
        kind for kind in of.world.objects if not kind.is_unique and kind.name not in dict(of.scope.bound)
    ]
    by = ""
    if things and dice.chance(50):
        kind = dice.pick(things)
        over, scope = kind.pattern(dice), of.scope.with_bound(kind.name, kind)
        inside = _within(says, scope)
        by = f" by {inside.whole(1).text}{dice.pick((' down', ''))}" if dice.chance(50) else ""
        by = dice.pick((" by x", " by y down", " by distance(here, (1, 1))")) if dice.chance(20) else by
    else:
        over, scope = _domain(says)
        if dice.chance(20):
            over, scope = "cell", of.scope.narrowed(here=True)
            by = dice.pick((" by y down", " by x", ""))
        inside = _within(says, scope)
    own = Dice(over + by)  # so that what other specs are made of stays
    words = [word for word in ("object", "portable") if word not in of.world.names.taken]
    words = [word for word in words if word == "object" or any(kind.is_portable for kind in things)]
    if things and words and own.chance(25):
        word = own.pick(words)
        by = own.pick((f" by {word}.x", f" by {word}.y down", ""))
        does = own.pick((f"remove {word}", f"move {word} east", f"reward {word}.x", f"let first = {word}"))
        return [f"each {word} where {word}.x > {own.between(0, 2)}{by}:", f"{MARGIN}{does}"]
    where = f" where {inside.condition(1).text}" if dice.chance(40) else ""
    chance = Effects(of.world, scope, of.event).by_chance(f"{over}{where}{by}")
    lines = Effects(of.world, scope, of.event).block(1, 2, 0)
    return [f"each {over}{where}{by}{chance}:", *(MARGIN + line for line in lines)]


def _within(of: Expressions, scope: Scope) -> Expressions:
    from tests.fuzz.specs.expressions import Expressions

    return Expressions(of.world, scope.narrowed(has_memory=False))


def _over(of: Expressions) -> tuple[str, Scope]:
    kinds = [kind for kind in of.world.objects if kind.name not in dict(of.scope.bound)]
    if kinds and of.dice.chance(35):
        kind = of.dice.pick(kinds)
        return kind.pattern(of.dice), of.scope.with_bound(kind.name, kind)
    if of.dice.chance(20):
        return "cell", of.scope.narrowed(here=True)
    return _domain(of)


def _domain(of: Expressions) -> tuple[str, Scope]:
    """Return `NAME in DOMAIN`, and the scope in which the name means something."""
    dice, name = of.dice, of.world.names.fresh()
    match dice.between(0, 3):
        case 0:
            low = dice.between(-1, 1)
            value = Value(name, "number", low, low + dice.between(0, 2))
            return f"{name} in {value.domain()}", of.scope.narrowed(values=(*of.scope.values, value))
        case 1:
            value = Value(name, "number", 0, 9)
            domain = dice.pick(("0 | 3 | 9", "2 | 5", f"1 | {of.whole(0).text}"))
            return f"{name} in {domain}", of.scope.narrowed(values=(*of.scope.values, value))
        case 2:
            words = ("east", "south", "west", "north")
            value = Value(name, "word", words=words)
            return f"{name} in {dice.pick(('directions', 'directions | diagonals'))}", of.scope.narrowed(
                values=(*of.scope.values, value)
            )
    domain = dice.pick(["cells", *of.world.regions])
    own = Dice(f"area {name} {len(of.world.statements)}")
    if own.chance(25):
        domain = f"(0..{own.between(0, 2)}, {own.pick(('0', '0..1'))})"
    return f"{name} in {domain}", of.scope.narrowed(cells=(*of.scope.cells, name))
