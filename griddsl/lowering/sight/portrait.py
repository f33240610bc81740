"""Portrait: what pictures, panels and missions need to know of a world."""

from __future__ import annotations

from griddsl.compass import COMPASS
from griddsl.diagnostics import Label, did_you_mean
from griddsl.lowering.clauses.meaning import names_of
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.constants import constant
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.letters import attribute_code, kind_of
from griddsl.lowering.world.maps.levels import glyph_count
from griddsl.lowering.world.values import CELL, TRUTH
from griddsl.lowering.world.world import World
from griddsl.program import keys
from griddsl.program.ir import Key
from griddsl.program.program import AttributeInfo, GlyphInfo, KindInfo, LookInfo, NameInfo, is_counter
from griddsl.spec.imports.libraries import inside
from griddsl.spec.models import Look
from griddsl.syntax import nodes as n

BUILT_IN_GLYPHS = {"floor": ".", "wall": "#", "agent": "@"}


def kind_infos(writer: Writer) -> tuple[KindInfo, ...]:
    """Return every kind with its look."""
    world = writer.world
    looks, narrow = _looks(writer)
    _tell_agents_apart(world, looks)
    attributes = {kind.name: _attributes(writer, kind) for kind in world.kind_list}
    listed = {
        kind.name: _listed_glyphs(writer, kind, {a.name for a in attributes[kind.name]}, attributes)
        for kind in world.kind_list
    }
    glyphs = _glyphs(world)
    return tuple(
        KindInfo(
            name=kind.name,
            category=kind.category,
            code=kind.code,
            glyph=glyphs[kind.name],
            glyphs=listed[kind.name],
            properties=kind.properties(),
            attributes=attributes[kind.name],
            direction=kind.drift[0]
            if kind.drift is not None
            else kind.carry
            if kind.carry is not None
            else kind.one_way,
            looks=tuple(narrow.get(kind.name, ())),
            **looks.get(kind.name, {}),
        )
        for kind in world.kind_list
    )


def _tell_agents_apart(world: World, looks: dict[str, dict[str, str]]) -> None:
    """Give kinds of agent that would look alike, as two that are both creatures do, colours of their own."""
    if not world.several:
        return
    from griddsl.render.colors import Rgb
    from griddsl.render.looks import AGENT_COLORS, look_of

    taken: set[Rgb] = set()
    for kind in dict.fromkeys(world.agents):
        said = looks.setdefault(kind.name, {})
        plain = look_of(kind.name, category="agent").color
        if "color" not in said and plain in taken:
            for name, rgb in AGENT_COLORS.items():
                if rgb not in taken:
                    said["color"], plain = name, rgb
                    break
        taken.add(plain)


def _glyphs(world: World) -> dict[str, str]:
    """Return a glyph a kind: its only or plain one in the legend, the built-in one, or a letter that is left."""
    glyphs: dict[str, str] = {}
    for item in world.spec.legend:
        if glyph_count(world.spec, item.kind.name) == 1 or (
            isinstance(item.kind, n.Name) and item.tile is None
        ):
            glyphs.setdefault(item.kind.name, item.glyph)
    for name, glyph in BUILT_IN_GLYPHS.items():
        glyphs.setdefault(name, glyph)
    taken = {item.glyph for item in world.spec.legend} | set(glyphs.values())
    declared = [declaration.name for declaration in world.spec.kinds]
    for name in (*declared, *(kind.name for kind in world.kind_list)):
        if name not in glyphs:
            letters = [
                c for c in (name + name.upper() + "abcdefghijklmnopqrstuvwxyz?") if c.isalnum() or c == "?"
            ]
            glyphs[name] = next((c for c in letters if c not in taken), "?")
            taken.add(glyphs[name])
    return glyphs


def _listed_glyphs(
    writer: Writer, kind: Kind, held: set[str], attributes: dict[str, tuple[AttributeInfo, ...]]
) -> tuple[GlyphInfo, ...]:
    """Return the glyphs that the legend gives to a kind with certain attributes or ground, most is asked first."""
    world = writer.world
    found: list[GlyphInfo] = []
    if glyph_count(world.spec, kind.name) < 2:
        return ()
    for item in world.spec.legend:
        if item.kind.name != kind.name or (isinstance(item.kind, n.Name) and item.tile is None):
            continue
        ground = world.kinds[item.tile.name] if item.tile is not None else None
        asked = _codes(writer, item.kind, kind, held)
        below = (
            _codes(writer, item.tile, ground, {a.name for a in attributes[ground.name]})
            if item.tile is not None and ground is not None
            else ()
        )
        found.append(GlyphInfo(item.glyph, asked, None if ground is None else ground.code, below))
    return tuple(
        sorted(found, key=lambda g: -len(g.attributes) - len(g.ground_attributes) - (g.ground is not None))
    )


def _codes(writer: Writer, node: n.KindName, kind: Kind, held: set[str]) -> tuple[tuple[str, int], ...]:
    """Return the codes of the attributes that a pattern asks for, those that it draws left out."""
    world = writer.world
    given = dict(node.arguments) if isinstance(node, n.Pattern) else {}
    found: list[tuple[str, int]] = []
    for name, value in given.items():
        if isinstance(value, n.Random) or (name not in held and name != "facing"):
            continue
        if name == "facing" and kind.category == "agent":
            word = constant(value, world.params, writer.report, "a facing")
            found.extend([(name, COMPASS.index(word))] if word in COMPASS else [])
        elif name in kind.attributes:
            found.append((name, attribute_code(value, kind, name, world.params, writer.report)))
    return tuple(found)


def _attributes(writer: Writer, kind: Kind) -> tuple[AttributeInfo, ...]:
    found: list[AttributeInfo] = []
    for name, attribute in kind.attributes.items():
        stem = {"tile": keys.TILE, "object": keys.OBJECT, "agent": keys.AGENT}[kind.category]
        is_facing = kind.category == "agent" and name == "facing"
        holder: Key = keys.FACING if is_facing else (stem, name)
        words = ("false", "true") if attribute.domain.form == "bool" else attribute.domain.words
        if kind.category == "tile" and holder not in writer.slots and holder not in writer.tables:
            writer.table(holder, writer.level_attribute(writer.world.levels[0], name))
        if holder in writer.slots or holder in writer.tables:
            found.append(AttributeInfo(name, words, holder, holder in writer.slots))
    return tuple(found)


def _looks(writer: Writer) -> tuple[dict[str, dict[str, str]], dict[str, list[LookInfo]]]:
    """Return what is said of how whole kinds look, and how those of them do that have certain attributes."""
    whole: dict[str, dict[str, str]] = {}
    narrow: dict[str, list[LookInfo]] = {}
    agents = [kind.name for kind in writer.world.agents]
    # What is said of `agent` holds for all of them, under what is said of each.
    for look in sorted(writer.world.spec.looks, key=lambda each: each.kind.name != "agent"):
        kind, asked = kind_of(look.kind, writer.world.kinds, writer.report, "`look`")
        chosen = _chosen(writer, look)
        if kind is None:
            continue
        codes = [_code(writer, kind, name, value) for name, value in asked.items()]
        for name in dict.fromkeys([kind.name, *(agents if kind.name == "agent" else ())]):
            if isinstance(look.kind, n.Pattern):
                found = tuple(code for code in codes if code is not None)
                narrow.setdefault(name, []).append(LookInfo(found, **chosen))
            else:
                whole.setdefault(name, {}).update(chosen)
    return whole, narrow


def _code(writer: Writer, kind: Kind, name: str, value: n.Expression) -> tuple[str, int] | None:
    """Return the code of an attribute that a look asks for; None, with a diagnostic, where it can have none."""
    world, report = writer.world, writer.report
    if name == "facing" and kind.category == "agent":
        word = constant(value, world.params, report, "a facing")
        return (name, COMPASS.index(word)) if word in COMPASS else None
    if name == "carries":
        report.add(
            "bad-value", value.span, reason="a look goes by a thing's attributes, and not by what it carries"
        )
        return None
    if isinstance(value, n.Random):
        help = "a look is of one value, and each value has a line"
        report.add("not-constant", value.span, what=f"`{kind.name}.{name}`", help=help)
        return None
    return name, attribute_code(value, kind, name, world.params, report)


def _chosen(writer: Writer, look: Look) -> dict[str, str]:
    chosen: dict[str, str] = {}
    seen: dict[str, n.LookItem] = {}
    for item in look.items:
        if seen.setdefault(item.name, item) is not item:
            labels = [Label(seen[item.name].span, "first here")]
            writer.report.add("duplicate-property", item.span, name=item.name, labels=labels)
        value = _look_value(writer, item)
        if value is not None:
            chosen["image" if item.name == "sprite" else item.name] = value
    return chosen


def _look_value(writer: Writer, item: n.LookItem) -> str | None:
    # Imported here: most specs say nothing of looks, and then checking one needs no pictures.
    from griddsl.render import COLORS, SHAPES, rgb_of

    match item.name:
        case "color":
            if rgb_of(item.value) is None:
                help = did_you_mean(item.value, COLORS) or 'write a name, or red, green and blue as "#22aa55"'
                writer.report.add("unknown-word", item.span, word=item.value, of="the colours", help=help)
                return None
        case "shape":
            if item.value not in SHAPES:
                help = did_you_mean(item.value, SHAPES) or f"shapes: {', '.join(sorted(SHAPES))}"
                writer.report.add("unknown-word", item.span, word=item.value, of="the shapes", help=help)
                return None
        case "sprite":
            return sprite_path(writer, item)
    return str(item.value)


def name_infos(writer: Writer) -> tuple[NameInfo, ...]:
    """Return the variables and chosen names that have a slot."""
    found: list[NameInfo] = []
    given = writer.world.spec.given
    for name, variable in writer.variables.items():
        if is_counter(variable.slot.key):
            continue
        words = names_of(variable.type)
        form = (
            "bool"
            if variable.type == TRUTH
            else "cell"
            if variable.type == CELL
            else "words"
            if words
            else "int"
        )
        label = given.get(name, name)
        if any(label == other.label for other in found):  # the definition is called several times
            label = f"{label.partition('.')[0]}.{name}"
        found.append(NameInfo(name, label, variable.slot.key, form, words))
    return tuple(found)


TRIED_PIXELS = 8


def sprite_path(writer: Writer, item: n.LookItem) -> str | None:
    """Return the absolute path of a sprite's picture, in the spec's own folder."""
    path = inside(item.value, item.span, writer.world.spec.folder, writer.report)
    if path is None:
        return None
    writer.report.seek(str(path))
    if not path.is_file():
        writer.report.add(
            "unreadable", item.span, reason=f"there is no picture `{item.value}` in the spec's folder"
        )
        return None
    from griddsl.render.pictures import MOST_PIXELS, picture

    try:
        picture(str(path), TRIED_PIXELS)
    except ValueError:
        reason = f"`{item.value}` is not a whole picture of at most {MOST_PIXELS:,} pixels"
        help = "PNG, JPEG, GIF and WebP are read, whatever the name of the file"
        writer.report.add("unreadable", item.span, reason=reason, help=help)
        return None
    return str(path)
