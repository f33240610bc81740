"""Maps: drawn, with walls between cells, of several levels, generated; and what their glyphs stand for."""

from __future__ import annotations

from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.world import COMPASS_8, Kind, World

LETTERS = "ABCDEFGHJKLMNPQRSTUVXYZabcdefghijkmnpqrstuvwxyz123456789"
SIGNS = "$%&*+=?!~^<>"


def say_maps(world: World) -> None:
    """Add maps and a legend, or a generator."""
    dice = world.dice
    if world.is_generated:
        world.say(f"generate: {_generator(world)}")
        return
    style = dice.weighted(
        {"one": 6, "several": 2, "walled": 1.2, "blanks": 0.6, "files": 0 if world.several else 0.4}
    )
    if style == "files":
        _from_files(world)
        return
    glyphs = _legend(world)
    if style == "several":
        names = _level_names(world)
        for name in names:
            world.say(f"map {name}:\n" + _rows(_cells(world, glyphs)))
        if dice.chance(70):
            world.say(f"level: {dice.pick(['random', 'random', *names])}")
        _variant(Dice(f"variant {names}"), names, world)
        return
    cells = _cells(world, glyphs)
    if style == "one" and dice.chance(15) and _say_layers(world, glyphs, cells):
        return
    if style == "walled":
        world.say("map walled:\n" + _walled(world, cells))
    elif style == "blanks":
        world.say(
            "map:\n"
            + _rows(
                [
                    [
                        " " if glyph == "." and 0 < x < world.width - 1 else glyph
                        for x, glyph in enumerate(row)
                    ]
                    for row in cells
                ]
            )
        )
    else:
        world.say("map:\n" + _rows(cells))


def _say_layers(world: World, glyphs: dict[str, str], cells: list[list[str]]) -> bool:
    """Draw the ground and what lies on it apart, where no entry of the legend says what its thing stands on."""
    if any(" on " in statement for statement in world.statements if statement.startswith("legend:")):
        return False
    tiles = {
        "#",
        *(glyph for glyph, name in glyphs.items() if any(kind.name == name for kind in world.tiles)),
    }
    grounds = world.dice.some(sorted(tiles | {"."}), 1, 3)
    ground = [[glyph if glyph in tiles else world.dice.pick(grounds) for glyph in row] for row in cells]
    above = [["." if glyph in tiles else glyph for glyph in row] for row in cells]
    first, second = (f"map {name}:\n{_rows(rows)}" for name, rows in (("ground", ground), ("objects", above)))
    for text in (first, second) if world.dice.chance(70) else (second, first):
        world.say(text)
    return True


def _from_files(world: World) -> None:
    """Read levels of the folder beside; what stands in them once or not at all is no kind that only one stands for."""
    dice = world.dice
    world.width, world.height = 5, 4
    ground, thing = dice.pick(world.tiles), dice.pick(world.kinds)
    word = dice.pick(("maps", "import"))
    world.say(f'{word}: "levels/{dice.pick(("*.txt", "two.txt"))}"')
    world.say(f"legend: a = {ground.pattern(dice)}, b = {thing.pattern(dice)}")
    for kind in world.kinds:
        kind.is_unique = False
    if dice.chance(60):
        world.say(dice.pick(("level: random", 'level: "two first"')))


def _variant(dice: Dice, names: list[str], world: World) -> None:
    """Give another id to one of the levels, or to a draw among them; what other specs are made of stays."""
    if dice.chance(30) and not any(value.name == "level" for value in world.params):
        world.say(f"variant fuzz/Level-v0: level = {dice.pick(['random', *names])}")


def _generator(world: World) -> str:
    dice = world.dice
    name = dice.weighted({"empty": 3, "room": 3, "maze": 2, "rooms": 0.7, "caves": 1})
    match name:
        case "rooms":
            world.width, world.height = 13, 7
            return "rooms(2, 1)"
        case "maze":
            world.width, world.height = 5, 5
            return dice.pick(("maze(5, 5)", "maze(7, 5)"))
        case "caves":
            world.width, world.height = 6, 6
            return "caves(6, 6)"
        case _:
            width, height = max(4, world.width), max(4, world.height)
            world.width, world.height = width, height
            return f"{name}({width}, {height})"


def _level_names(world: World) -> list[str]:
    names = ["small", '"a way"', "red", "of_level", "Level_2", '"2"']
    return world.dice.some(names, 2, 3)


def _legend(world: World) -> dict[str, str]:
    """Say what glyphs stand for; return the glyphs of each kind."""
    dice = world.dice
    letters, signs = dice.shuffled(LETTERS), dice.shuffled(SIGNS)
    glyphs: dict[str, str] = {}
    entries: list[str] = []
    for kind in world.kinds:
        for _ in range(1 if kind.is_unique or dice.chance(75) else 2):
            glyph = letters.pop() if dice.chance(80) else signs.pop()
            glyphs[glyph] = kind.name
            quoted = glyph if glyph.isalnum() else f'"{glyph}"'
            entries.append(f"{quoted} = {_thing(world, kind)}")
    if world.several:
        for kind in world.agents:
            if dice.chance(75):
                glyph = letters.pop()
                glyphs[glyph] = kind.name
                own = Dice(f"facing {glyph} {entries}")
                faces = f"(facing={own.pick(COMPASS_8)})" if world.has_facing and own.chance(8) else ""
                entries.append(f"{glyph} = {f'{kind.name}{faces}' if faces else kind.pattern(dice, 20)}")
    middle = dice.between(0, len(entries))
    for part in (entries[:middle], entries[middle:]):
        if part:
            world.say(f"legend: {', '.join(part)}")
    return glyphs


def _thing(world: World, kind: Kind) -> str:
    dice = world.dice
    text = _chosen(world, kind) or kind.pattern(dice, 40, random=kind.category == "object")
    inside = [
        thing for thing in world.objects if thing is not kind and not thing.is_unique and not thing.carries
    ]
    if kind.carries and inside and dice.chance(60):
        held = dice.pick(inside).name
        text = f"{text[:-1]}, carries={held})" if text.endswith(")") else f"{text}(carries={held})"
    if kind.category == "object" and dice.chance(20):
        ground = [tile for tile in world.tiles if not tile.is_unique and not tile.is_solid]
        text += f" on {dice.pick(ground).pattern(dice)}" if ground else ""
    return text


def _chosen(world: World, kind: Kind) -> str | None:
    """Return a kind with an attribute that setup chooses, or that a variable holds at the start."""
    dice, known = world.dice, [*world.chosen, *world.variables]
    pairs = [(mine, each) for mine in kind.values for each in known if mine.form == each.form]
    pairs = [(mine, each) for mine, each in pairs if set(each.words) <= set(mine.words)]
    if not pairs or not dice.chance(25):
        return None
    mine, each = dice.pick(pairs)
    given = f"{each.name} + {dice.between(0, 2)}" if mine.form == "number" and dice.chance(40) else each.name
    return f"{kind.name}({mine.name}={given})"


def _cells(world: World, glyphs: dict[str, str]) -> list[list[str]]:
    """Return the glyphs of a map: each that stands for something at least once, unique ones just once."""
    dice = world.dice
    cells = [(x, y) for y in range(world.height) for x in range(world.width)]
    free = dice.shuffled(cells)
    rows = [["."] * world.width for _ in range(world.height)]

    def put(glyph: str) -> None:
        if free:
            x, y = free.pop()
            rows[y][x] = glyph

    unique = {kind.name for kind in world.kinds if kind.is_unique}
    counts = {kind.name: kind.count for kind in world.agents}
    if world.several:
        drawn = set(glyphs.values())
        for kind in world.agents:
            glyph = next((glyph for glyph, name in glyphs.items() if name == kind.name), "@")
            for _ in range(
                counts[kind.name] + (dice.between(0, 1) if glyph == "@" and kind.name not in drawn else 0)
            ):
                put(glyph)
    else:
        for _ in range(dice.weighted({1: 6, 2: 1})):
            put("@")
    for glyph, name in glyphs.items():
        if name in counts:
            continue
        for _ in range(1 if name in unique else dice.weighted({1: 4, 2: 3, 3: 1})):
            put(glyph)
    for _ in range(dice.between(0, len(cells) // 6)):
        put("#")
    return rows


def _rows(cells: list[list[str]]) -> str:
    return "\n".join("    " + "".join(row) for row in cells)


def _walled(world: World, cells: list[list[str]]) -> str:
    """Draw walls between some of the cells."""
    dice = world.dice
    width = len(cells[0])
    border = "    +" + "-" * (2 * width - 1) + "+"
    lines = [border]
    for number, row in enumerate(cells):
        between = [dice.weighted({":": 3, " ": 2, "|": 1}) for _ in range(width - 1)]
        drawn = "".join(glyph + edge for glyph, edge in zip(row, [*between, ""], strict=True))
        lines.append(f"    |{drawn}|")
        if number + 1 < len(cells):
            edges = [dice.weighted({" ": 4, "-": 1}) for _ in range(width)]
            lines.append("    +" + "+".join(edges) + "+")
    return "\n".join([*lines, border])
