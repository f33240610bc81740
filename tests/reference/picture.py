"""Pictures: the world as a scene, which the renderer draws (sections 12 and 15). How a look is drawn is not defined here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from griddsl.render.apart import told_apart
from griddsl.render.looks import AGENT_COLORS, ground_of, look_of
from griddsl.render.raster import Rasteriser
from griddsl.render.scene import Scene, Sprite
from griddsl.syntax import nodes as n
from tests.reference.compass import COMPASS
from tests.reference.kinds import Kind
from tests.reference.scope import Scope, matches
from tests.reference.text import shown_in
from tests.reference.world import Agent, World


def pixels(world: World, size: int) -> Any:
    """Return the picture, with so many pixels a cell."""
    stacks = tuple(_stack(cell, world) for cell in world.cells)
    walls = frozenset(_edge(wall, world) for wall in world.level.walls)
    return Rasteriser(size).draw(Scene(world.game.width, world.game.height, stacks, walls))


def _edge(wall: frozenset[tuple[int, int]], world: World) -> tuple[int, int]:
    (x, y), (_, below) = sorted(wall, key=lambda place: (place[1], place[0]))
    return y * world.game.width + x, int(below != y)


def _stack(cell: Any, world: World) -> tuple[Sprite, ...]:
    """Return what is drawn in a cell, the lowest first: a tile like a tree or a pot stands on ground of its own."""
    shown = shown_in(cell, world)
    agents = [being for being in shown if isinstance(being, Agent)]
    drawn = []
    for being in shown:
        sprite = _sprite(being, world)
        beside = being in agents and len(agents) > 1  # they stand side by side
        drawn.append(sprite.sharing(agents.index(being), len(agents)) if beside else sprite)
    return (*ground_of(drawn[0]), *drawn) if drawn else ()


def _sprite(being: Any, world: World) -> Sprite:
    kind: Kind = being.kind
    shown = {
        name: attribute.domain.code(being.attributes[name])
        if not attribute.domain.words and not attribute.domain.is_truth
        else str(being.attributes[name]).lower()
        for name, attribute in kind.attributes.items()
        if not (isinstance(being, Agent) and name == "facing")
    }
    direction = kind.drift[0] if kind.drift else kind.carry if kind.carry is not None else kind.one_way
    if isinstance(being, Agent) and world.game.has_facing:
        direction = being.facing
    elif shown.get("facing") in COMPASS[:4]:
        direction = COMPASS.index(str(shown["facing"]))
    return look_of(
        kind.name,
        category=kind.category,  # type: ignore[arg-type]
        properties=_properties(kind),
        attributes=shown,
        direction=direction,
        **_look(being, world),
    )


def _properties(kind: Kind) -> frozenset[str]:
    names = ("slide", "portable", "pushable")
    found = {name for name in names if getattr(kind, name)}
    others = ("solid", "opaque", "drift", "carry", "one_way", "moves")
    return frozenset(found | {name for name in others if getattr(kind, name) is not None})


def _look(being: Any, world: World) -> dict[str, str]:
    """Return what ``look K`` says, and over that what ``look K(NAME=VALUE)`` does, the last that fits.

    Kinds of agent that would look alike get colours of their own.
    """
    kind, spec = being.kind, world.game.spec
    names = {kind.name, "agent"} if kind.category == "agent" else {kind.name}
    looks = [look for look in spec.looks if look.kind.name in names]
    looks.sort(
        key=lambda look: look.kind.name != "agent"
    )  # what is said of all agents is under what is of each
    said = {item.name: item.value for look in looks if isinstance(look.kind, n.Name) for item in look.items}
    if world.game.several and kind in world.game.agents:
        color = _agent_color(kind, world)
        if color is not None:
            said.setdefault("color", color)
    for look in looks:
        asked = look.kind
        if isinstance(asked, n.Pattern) and matches(being, dict(asked.arguments), Scope(world)):
            given = {item.name: item.value for item in look.items}
            if "shape" in given:
                said.pop("sprite", None)
            said |= given
    if kind.category != "agent" and (color := _color_apart(being, world)) is not None:
        said.setdefault("color", color)
    if "sprite" in said:
        said["image"] = str(spec.folder / said.pop("sprite")) if spec.folder else said.pop("sprite")
    return said


@dataclass(frozen=True)
class _Shown:
    """What the renderer asks of a kind to tell it from the others."""

    name: str
    category: str
    properties: frozenset[str]
    attributes: tuple[Any, ...]
    shape: str | None
    color: str | None
    image: str | None
    looks: tuple[Any, ...]


def _color_apart(being: Any, world: World) -> str | None:
    """Return the colour of a thing that its word, or its kind among those with the same picture, has for its own."""
    shown: Any = [_shown(kind, world) for kind in world.game.kinds.values()]
    found = next(each for each in told_apart(shown) if each.name == being.kind.name)
    color = found.color
    for look in found.looks:
        for name, code in getattr(look, "attributes", ()):  # none of those that the spec says
            if being.kind.attributes[name].domain.words[code] == str(being.attributes[name]).lower():
                color = look.color
    return color


def _shown(kind: Kind, world: World) -> _Shown:
    looks = [look for look in world.game.spec.looks if look.kind.name == kind.name]
    said = {item.name: item.value for look in looks if isinstance(look.kind, n.Name) for item in look.items}
    narrow = tuple(look for look in looks if isinstance(look.kind, n.Pattern))
    attributes = tuple(_Words(name, tuple(each.domain.words)) for name, each in kind.attributes.items())
    given = said.get("shape"), said.get("color"), said.get("sprite")
    return _Shown(kind.name, kind.category, _properties(kind), attributes, *given, narrow)


@dataclass(frozen=True)
class _Words:
    name: str
    words: tuple[str, ...]


def _agent_color(wanted: Kind, world: World) -> str | None:
    taken: list[Any] = []
    for kind in dict.fromkeys(world.game.agents):
        whole = [look for look in world.game.spec.looks if isinstance(look.kind, n.Name)]
        said = any(look.kind.name in {kind.name, "agent"} and _colors(look) for look in whole)
        plain, name = look_of(kind.name, category="agent").color, None
        if not said and plain in taken:
            name, plain = next((each for each in AGENT_COLORS.items() if each[1] not in taken), (None, plain))
        if kind is wanted:
            return name
        taken.append(plain)
    return None


def _colors(look: Any) -> bool:
    return any(item.name == "color" for item in look.items)
