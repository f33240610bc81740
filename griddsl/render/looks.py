"""How a kind looks by default: by its name, else its properties, else by what it is, in its own colour."""

import colorsys
import re
import zlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

from griddsl.compass import COMPASS
from griddsl.diagnostics import Refused
from griddsl.render.colors import COLORS, Rgb, brightness, rgb_of
from griddsl.render.scene import Sprite
from griddsl.render.shapes import SHAPES

Category = Literal["tile", "object", "agent"]


# shape, colour, and the words that kinds of this look are called by.
_NAMED: tuple[tuple[str, str, str], ...] = (
    ("floor", "#f4f1e9", "floor empty ground tile hall corridor room path"),
    ("wall", "#66728a", "wall block barrier pillar edge"),
    ("bricks", "#a4685a", "brick bricks chimney"),
    ("goal", "#3fae6a", "goal finish flag end"),
    ("target", "#e0605a", "target spot bullseye storage slot"),
    ("exit", "#3fa58c", "exit"),
    ("home", "#5b9bd0", "home house base nest hotel depot station"),
    ("start", "#6d8fd6", "start spawn origin entrance"),
    ("cliff", "#59504e", "cliff chasm abyss gap ravine void"),
    ("hole", "#6c7f96", "hole well drain"),
    ("pit", "#7a6a60", "pit"),
    ("trap", "#a8555d", "trap spike spikes hazard danger thorn thorns"),
    ("lava", "#e8622c", "lava magma"),
    ("fire", "#e8622c", "fire flame"),
    ("water", "#5aa9e2", "water river lake sea pond puddle"),
    ("ice", "#a6d4ee", "ice snow frost frozen"),
    ("mud", "#a98762", "mud swamp dirt soil bog earth clay"),
    ("sand", "#ecdcae", "sand desert beach"),
    ("grass", "#b5d99c", "grass field lawn meadow garden"),
    ("road", "#8b929c", "road street bridge track"),
    ("stairs", "#9a8f84", "stairs stair ladder step"),
    ("plate", "#c2a878", "plate pressure_plate pedestal"),
    ("pad", "#e39c4f", "pad zone dock drop_off checkpoint rubber"),
    ("belt", "#6b7280", "belt conveyor"),
    ("wind", "#6fa9bd", "wind gust breeze windy draft current fan"),
    ("one_way", "#5a86c9", "one_way gate turnstile valve"),
    ("portal", "#8e63d6", "portal teleport teleporter warp wormhole"),
    ("key", "#eab32f", "key"),
    ("door", "#b5763f", "door lock"),
    ("ball", "#3d7fd9", "ball marble"),
    ("box", "#cf9b5b", "box crate parcel package cargo"),
    ("chest", "#b5763f", "chest treasure"),
    ("coin", "#f0bd38", "coin money gold token penny"),
    ("gem", "#43bfd0", "gem jewel crystal ruby emerald sapphire diamond"),
    ("apple", "#df4b45", "apple food snack"),
    ("fruit", "#d9405c", "fruit cherry cherries berry berries grape"),
    ("pellet", "#e7a93c", "pellet dot crumb"),
    ("pill", "#e7a93c", "pill energizer"),
    ("mushroom", "#d8504a", "mushroom"),
    ("ghost", "#ef7fb0", "ghost spirit phantom"),
    ("creature", "#7e68c8", "monster enemy creature alien beast goblin zombie guard hunter wolf cat dog"
                            " mouse rat spider bug bat chaser predator prey sheep cow pig"),
    ("robot", "#7d93b2", "robot bot drone vacuum machine"),
    ("taxi", "#f3c03c", "taxi car cab truck bus vehicle van"),
    ("person", "#4f86c6", "passenger person human villager customer child visitor patient princess"
                         " diver swimmer cook"),
    ("agent", "#f0545a", "agent player hero"),
    ("hurdle", "#e2504c", "hurdle fence obstacle roadblock"),
    ("rock", "#9aa0a8", "rock stone boulder ore"),
    ("tree", "#58a866", "tree forest wood bush pine"),
    ("plant", "#5fae62", "plant leaf crop seed"),
    ("flower", "#ea7fb1", "flower rose tulip"),
    ("tomato", "#e24b3f", "tomato"),
    ("body", "#5cab5c", "body tail segment"),
    ("snake", "#4b9a4f", "snake head worm"),
    ("button", "#e2504c", "button"),
    ("lever", "#e2504c", "lever switch"),
    ("lamp", "#c9c4b4", "lamp light lantern candle torch"),
    ("bomb", "#3a3d47", "bomb mine"),
    ("skull", "#e6e2d6", "skull death poison"),
    ("sword", "#c99b3f", "sword weapon knife"),
    ("potion", "#c65ad0", "potion medicine elixir flask"),
    ("bucket", "#8fa3b5", "bucket watering_can cup"),
    ("battery", "#57b66b", "battery charger energy fuel charge"),
    ("onion", "#d8a24a", "onion onions"),
    ("pot", "#7b8794", "pot kettle cauldron pan stove"),
    ("dish", "#d8dde3", "dish dishes bowl"),
    ("counter", "#c79a6b", "counter shelf table desk"),
    ("hatch", "#58a866", "hatch"),
    ("fish", "#f08a4b", "fish shark whale"),
    ("submarine", "#c94f5d", "submarine sub"),
    ("cannon", "#4fae6d", "cannon turret tank"),
    ("bullet", "#f5d76e", "bullet shot missile laser"),
    ("paddle", "#4f86c6", "paddle"),
    ("chicken", "#f7f3e8", "chicken hen duck bird"),
    ("tool", "#8a94a3", "hammer axe pickaxe shovel tool"),
    ("star", "#f0bd38", "star prize reward trophy bonus"),
    ("heart", "#e8506a", "heart life health"),
)  # fmt: skip
_LOOKS: Mapping[str, tuple[str, Rgb]] = MappingProxyType(
    {
        word: (shape, rgb_of(color) or COLORS["grey"])
        for shape, color, words in _NAMED
        for word in words.split()
    }
)
# Looks by property, the first that a kind has; `wall` for what can be neither entered nor seen through.
_BY_PROPERTY: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"slide"}), "ice"),
    (frozenset({"drift"}), "wind"),
    (frozenset({"carry"}), "belt"),
    (frozenset({"one_way"}), "one_way"),
    (frozenset({"solid", "opaque"}), "wall"),
)
_PLAIN: Mapping[Category, str] = MappingProxyType({"tile": "ground", "object": "circle", "agent": "agent"})

_STANDS_ON: Mapping[str, tuple[Sprite, ...]] = MappingProxyType(
    {
        shape: (Sprite(ground, ground, _LOOKS[ground][1]),)
        for ground, shapes in (("grass", ("tree", "plant", "flower")), ("counter", ("pot", "onion", "dish")))
        for shape in shapes
    }
)

# An attribute of this name tells things of a kind apart by number, and so by colour.
NUMBERED = frozenset(
    {"pair", "id", "group", "channel", "number", "team", "owner", "sign", "color", "colour"}
    | {"hue", "tint", "suit", "type", "sort", "variety"}
)
# Every eye can tell them apart (tests/unit/render/test_color_vision.py), and the first eight from an agent's red.
_SERIES_NAMES = (
    "purple", "orange", "lightblue", "blue", "yellow", "maroon", "slate", "navy", "green", "scarlet",
)  # fmt: skip
SERIES: tuple[Rgb, ...] = tuple(COLORS[name] for name in _SERIES_NAMES)
# Colours that tell kinds of agent apart.
AGENT_COLORS: Mapping[str, Rgb] = MappingProxyType({name: COLORS[name] for name in _SERIES_NAMES[1:]})


def look_of(
    kind: str,
    *,
    category: Category,
    properties: frozenset[str] = frozenset(),
    shape: str | None = None,
    color: str | None = None,
    image: str | None = None,
    attributes: Mapping[str, str | int] = MappingProxyType({}),
    direction: int | None = None,
    glyph: str | None = None,
) -> Sprite:
    """How a thing of this kind looks.

    `shape`, `color` and `image` are what the spec says about it; what it does not say is found from the
    kind's name, then its properties, then its category. Of `attributes`, one named `color` or with a colour's
    word colours it (a number only where the kind's name says no colour), one whose word the shape has a picture
    for is its state, and one with a compass word is its direction.
    Raises ValueError for an unknown shape or colour.
    """
    default_shape, default_color = _default_look(kind, category, properties)
    if shape is not None and shape not in SHAPES:
        raise Refused(f"there is no shape `{shape}`")
    chosen = shape or default_shape
    state = _state(chosen, attributes)
    # What is under a cover is for nobody to see.
    hides = chosen == "cover" and not (state or "").startswith("opened")
    own = None if hides else _color_by_attribute(kind, attributes)
    rgb = rgb_of(color) if color is not None else own or default_color
    if rgb is None:
        raise Refused(f"`{color}` is neither the name of a colour nor #rrggbb")
    if direction is None:
        direction = next((COMPASS.index(v) for v in attributes.values() if v in COMPASS), None)
    return Sprite(kind, chosen, rgb, direction, state, image, glyph)


def ground_of(sprite: Sprite) -> tuple[Sprite, ...]:
    """What a tile of this look stands on where that is not the plain floor: trees in grass, pots on a counter."""
    return ground_below(sprite.shape)


def ground_below(shape: str) -> tuple[Sprite, ...]:
    """What a tile of this shape stands on where that is not the plain floor."""
    return _STANDS_ON.get(shape, ())


def look_word(kind: str) -> str | None:
    """Return the word of a name that its look is found by; None where no word of it has one."""
    return next((word for word in _words(kind) if word in _LOOKS), None)


def own_color(kind: str, category: Category = "object") -> Rgb:
    """A pleasant colour that a name keeps in every process: pale for ground, strong for things.

    Ground is dark enough to be told from the floor by its lightness alone, as not every eye sees its hue.
    """
    hue = zlib.crc32(kind.encode()) * 0.618033988749895 % 1.0
    if category != "tile":
        return _of_hue(hue, 0.56, 0.56)
    return next(c for c in (_of_hue(hue, k / 100, 0.5) for k in range(84, 0, -1)) if brightness(c) <= 0.66)


def _of_hue(hue: float, lightness: float, saturation: float) -> Rgb:
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, saturation)
    return round(red * 255), round(green * 255), round(blue * 255)


@cache
def _default_look(kind: str, category: Category, properties: frozenset[str]) -> tuple[str, Rgb]:
    words = _words(kind)
    named = next((_LOOKS[word] for word in words if word in _LOOKS), None)
    if named is not None and category != "tile" and named[0] in ("floor", "ground", "start"):
        named = None
    said = next((COLORS[word] for word in words if word in COLORS and word not in _LOOKS), None)
    if named is not None:
        return named[0], said or named[1]
    if said is not None and category == "agent":
        return "agent", said
    for needed, name in _BY_PROPERTY:
        if needed <= properties:
            return name, said or _LOOKS[name][1]
    if category == "agent" and kind == "agent":
        return _LOOKS["agent"]
    shape = _PLAIN[category]
    if category == "tile" and "solid" in properties:
        shape = "wall"
    if category == "object":
        shape = _plain_object(properties)
    return shape, said or own_color(kind, "object" if shape == "wall" else category)


def _plain_object(properties: frozenset[str]) -> str:
    if "moves" in properties:
        return "creature"
    if "pushable" in properties:
        return "box"
    if "portable" in properties:
        return "diamond"
    return "square" if "solid" in properties else "circle"


def _words(kind: str) -> tuple[str, ...]:
    """The name, then its words, last first (`red_door` is a door), each also without a plural's s."""
    parts = [kind.lower(), *reversed(re.findall(r"[a-z]+", kind.lower()))]
    return tuple(word for part in parts for word in (part, part.removesuffix("s")))


def _color_by_attribute(kind: str, attributes: Mapping[str, str | int]) -> Rgb | None:
    # Those of `red * 3` stay red, each with an `id`.
    numbered = NUMBERED if _LOOKS.keys() >= COLORS.keys() & {*_words(kind)} else {"color", "colour"}
    for name in sorted(attributes, key=lambda name: name not in ("color", "colour")):
        value = attributes[name]
        if isinstance(value, str) and value in COLORS:
            return COLORS[value]
        if isinstance(value, int) and not isinstance(value, bool) and name in numbered:
            return SERIES[(value - 1) % len(SERIES)]
    return None


def _state(shape: str, attributes: Mapping[str, str | int]) -> str | None:
    pictured = SHAPES[shape].states
    for value in attributes.values():
        if isinstance(value, str) and value in pictured:
            return value
    # A true-or-false attribute (`open`, `pressed`) is a state by its name, with what it uncovers where that is
    # pictured: the number declared behind it (`opened 3`).
    said = list(attributes.items())
    for place, (name, value) in enumerate(said):
        if value in {1, "true"} and name in pictured:
            behind = (f"{name} {number}" for _, number in said[place + 1 :] if not isinstance(number, str))
            return next((both for both in behind if both in pictured), name)
    for number in attributes.values():
        if not isinstance(number, str) and str(number) in pictured:
            return str(number)
    state = attributes.get("state")
    return state if isinstance(state, str) else None
