"""Habits in `tile`, `object` and `var`: domains, flags, movers and colours in other words."""

from __future__ import annotations

import re

from griddsl.compass import ARROWS
from griddsl.diagnostics import Help, domain_around, write
from griddsl.syntax.habits.kinds.movers import kind_described
from griddsl.syntax.habits.mistake import QUOTED, Habits, Meant, Mistake, blanks


def mover(mistake: Mistake) -> Meant | None:
    """`moves`, `move random`, `moves randomly`."""
    if mistake.start != "properties":
        return None
    item = mistake.text[mistake.item_start() : mistake.item_end()]
    if mistake.expected == {"ELSE"} and mistake.found in {"", ","} and re.search(r"\bmoves\b.*\bif\b", item):
        end = len(mistake.before)
        return Meant(
            Help("say how it moves otherwise: add `else still`", (" else still",)), start=end, stop=end
        )
    near = re.search(r"\bmoves\b.*\bif\b.*\bwithin\s+\w+\Z", mistake.before)
    if near is not None and mistake.found in {"", ","}:
        end = len(mistake.before)
        help = "say of whom, and how it moves otherwise: add `of self else still`"
        return Meant(Help(help, (" of self else still",)), start=end, stop=end)
    if re.search(r"\bmoves\Z", mistake.before) and mistake.found in {"", ","}:
        return Meant("say how: `moves random`, `moves toward agent`, `moves forward`, `moves patrol`")
    start = mistake.item_start()
    word = re.match(
        r"(move|moving|movement|walks|wanders)\s+(?!costs?\b|speed\b)(\w+)?", mistake.text[start:]
    )
    if word is None:
        return None
    return Meant(
        write("moves"), start, start + len(word[1]), expected="a property", stop=start + len(word[1])
    )


def drifting(mistake: Mistake) -> Meant | None:
    """`drift north`, `drift north 0..2`, `drift north 1 with chance 0.5`: how far is said by amounts."""
    start = mistake.item_start()
    said = re.match(r"drift\s+(\w+)(?:\s+(\d+)\s*\.\.\s*(\d+))?", mistake.text[start:])
    if mistake.start != "properties" or said is None:
        return None
    if said[3] is not None and int(said[2]) < int(said[3]) < 10:
        amounts = " | ".join(str(amount) for amount in range(int(said[2]), int(said[3]) + 1))
        help = write(f"drift {said[1]} {amounts}", ": equal chances")
        return Meant(help, start, start + said.end(), start=start, stop=start + said.end())
    if mistake.found in {"", ","} and said.end() == len(mistake.before) - start:
        return Meant(write(f"drift {said[1]} 1", ": how many cells"), start=start, stop=start + said.end())
    if mistake.found == "with":
        return Meant("amounts that are joined by `|` have equal chances: `drift north 0 | 1`")
    return None


def shown_colour(mistake: Mistake) -> Meant | None:
    """`tile pond: color blue`: how it looks, among its properties."""
    if mistake.start != "properties":
        return None
    start, end = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(rf"colou?r\s*=?\s*(\w+|{QUOTED})", mistake.text[start:end])
    if said is None or said[1] == "in":
        return None
    words = said[1] if said[1].isidentifier() else "red"
    look = f"how a kind looks is said by `look {kind_described(mistake)}: color {said[1]}`"
    line = f"an attribute has a domain, `color in {words} | other`; {look}"
    return Meant(line, start, end, expected="a property")


def shown_shape(mistake: Mistake) -> Meant | None:
    """`tile hut: looks like house`, `sprite "hut.png"`, `icon = hut`: how it looks, among its properties."""
    if mistake.start != "properties":
        return None
    start, end = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(rf"(?:{_LOOKS})\s*=?\s*(\w+|{QUOTED})", mistake.text[start:end])
    if said is None or said[1] == "in":
        return None
    look = f"shape {said[1]}" if said[1].isidentifier() else f"sprite {said[1]}"
    names = "; the gallery lists the shapes" if said[1].isidentifier() else ""
    kind = kind_described(mistake)
    return Meant(
        f"how a kind looks is said by `look {kind}: {look}`{names}", start, end, expected="a property"
    )


_LOOKS = r"looks?(?:\s+(?:like|as))?|shape|sprite|icon|image|picture|texture"


def negated(mistake: Mistake) -> Meant | None:
    """`not walkable`, `not solid`: properties are not negated."""
    said = re.match(r"(?:not|non|no)\s+(\w+)", mistake.text[mistake.item_start() :])
    if mistake.start != "properties" or said is None:
        return None
    begin = mistake.item_start()
    end = begin + said.end()
    meant = {**dict.fromkeys(_OPEN, "solid"), **dict.fromkeys(_CLEAR, "opaque")}.get(said[1])
    if meant is not None:
        return Meant(write(meant), begin, end, expected="a property", start=begin, stop=end)
    return Meant(
        f"a kind is not `{said[1]}` unless it says so: leave it out", begin, end, expected="a property"
    )


_OPEN = ("walkable", "passable", "traversable", "enterable", "free", "open")
_CLEAR = ("transparent", "see_through")


_PACES = {"speed", "pace", "velocity", "rate", "delay", "interval"}
WORDS_OF_PROPERTIES = {
    "moves",
    "drift",
    "carry",
    "one_way",
    "layer",
    "edge",
    "carries",
    "pushable",
    "solid",
    "opaque",
}


def _item(mistake: Mistake) -> tuple[int, int]:
    return mistake.item_start(), mistake.item_end()


_FLAGS = {"solid", "opaque", "pushable", "portable", "slide", "facing", "nowhere"}


def attribute(mistake: Mistake) -> Meant | None:
    """`state = open | closed`, `solid = true`, `solid true`, `is solid`."""
    if mistake.start != "properties":
        return None
    word = mistake.last_word()
    name = word.group() if word is not None else "name"
    end = mistake.item_end()
    if name in _FLAGS and word is not None and re.match(r"=?\s*(true|yes|1|True)\b", mistake.rest):
        help = Help(f"a property stands by itself: write `{name}`", (name,))
        return Meant(help, start=word.start(), stop=end)
    if name in _FLAGS and re.match(r"=", mistake.rest):
        return Meant(f"a property stands by itself: `{name}`; without it, leave it out")
    if re.fullmatch(r"is|not", name) and re.match(r"\w", mistake.found):
        return Meant(f"a property stands by itself: `{mistake.found}`")
    faces = re.fullmatch(r"facing\s+(\w+)", mistake.text[mistake.item_start() : end])
    if faces is not None and not mistake.found.strip(","):
        way = ARROWS.get(faces[1], faces[1])
        where = f"which way it faces at first is said where it is drawn or placed: `agent(facing={way})`"
        return Meant(where, *_item(mistake), expected="a property")
    alone = re.fullmatch(r"(\w+)\s+(-?\w+)", mistake.text[mistake.item_start() : end])
    if alone is not None and not mistake.found.strip(",") and alone[1] not in WORDS_OF_PROPERTIES:
        if alone[2] in {"false", "true"}:
            start = mistake.item_start()
            help = write(f"{alone[1]} {alone[2]} in false | true", ": an attribute has a domain")
            return Meant(help, *_item(mistake), expected="a property", start=start, stop=end)
        domain = f"as in `{alone[1]} in {alone[2]} | other`"
        if re.fullmatch(r"-?\d+", alone[2]):
            domain = f"`{alone[1]} {alone[2]} in {domain_around(alone[2])}`"
        how = "; how often one moves is said by `moves random every 2 steps`" if alone[1] in _PACES else ""
        return Meant(f"an attribute has a domain, {domain}{how}", *_item(mistake), expected="a property")
    if mistake.found != "=" or word is None:
        return None
    value = mistake.text[mistake.end : end].strip()
    if re.search(r"\||\.\.", value):
        return Meant(
            Help(f"write `{name} in {value[:30]}`", (" in ",)),
            start=word.end(),
            stop=mistake.end + blanks(mistake.text, mistake.end),
        )
    if re.fullmatch(r"-?\d+", value):
        return Meant(f"an attribute has a domain: `{name} {value} in {domain_around(value)}`")
    return Meant(f"an attribute has a domain, as in `{name} in {value[:20]} | other`")


def color(mistake: Mistake) -> Meant | None:
    """`look K: color #ff0000`, `color = red`, `look K: red`: a colour without its quotes, or without its word."""
    if mistake.start != "looks":
        return None
    if not mistake.before.endswith(("color", "shape")):
        return _look_alone(mistake)
    equals = re.match(r"[=:]\s*(?=[\"\w])", mistake.rest)
    if equals is not None:
        help = Help(f"nothing stands between: leave `{equals[0].strip()}` out", ("",))
        return Meant(help, start=mistake.begin, stop=mistake.begin + equals.end())
    hexed = re.match(r"#?([0-9a-fA-F]{6})\b", mistake.rest)
    said = 'a color is a name, or stands in quotes: `color "#222222"`'
    if hexed is not None:
        return Meant(Help(said, (f'"#{hexed[1]}"',)), stop=mistake.begin + hexed.end())
    unquoted = set(re.findall(r"\bcolor\s+#([0-9a-fA-F]{6})\b", mistake.whole))
    if not mistake.found and len(unquoted) == 1:  # what follows `#` was read as a comment
        return Meant(write(f'color "#{unquoted.pop()}"'), start=len(mistake.before) - len("color"))
    return Meant(said)


def _look_alone(mistake: Mistake) -> Meant | None:
    """`look coin: red`, `look coin: star`: a colour or a shape by itself."""
    word = re.match(r"[A-Za-z_]\w*(?=\s*(?:,|\Z))", mistake.rest)
    pictured = re.match(rf"(?:image|icon|picture|texture|file)\s*=?\s*({QUOTED})", mistake.rest)
    if pictured is not None:
        return Meant(write(f"sprite {pictured[1]}"), stop=mistake.begin + pictured.end())
    if re.match(r"(?:char|character|letter|emoji|glyph|symbol)\b", mistake.rest):
        return Meant("the letter that draws a kind stands in the legend, as in `legend: c = coin`")
    both = re.match(r"([a-z_]\w*)\s+([a-z_]\w*)(?=\s*(?:,|\Z))", mistake.rest)
    if (
        both is not None
        and mistake.begin == mistake.item_start()
        and both[1] not in {"color", "shape", "sprite"}
    ):
        return Meant(write(f"color {both[1]}, shape {both[2]}"), stop=mistake.begin + both.end())
    quoted = re.match(r"\"#[0-9a-fA-F]{6}\"", mistake.rest)
    if mistake.begin != mistake.item_start():
        return None
    if quoted is not None:
        return Meant(write(f"color {quoted[0]}"), stop=mistake.begin + quoted.end())
    if word is None:
        return None
    return Meant(f"say what it is: `color {word[0]}` or `shape {word[0]}`")


def numbered_layer(mistake: Mistake) -> Meant | None:
    """`layer 0`: a layer has a name."""
    number = re.match(r"\d+\b", mistake.rest)
    if mistake.start != "properties" or number is None or re.search(r"\blayer\Z", mistake.before) is None:
        return None
    help = "a layer has a name, as in `layer ground`: kinds of one layer share no cell"
    return Meant(help, stop=mistake.begin + number.end())


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (drifting, mover, shown_colour, shown_shape, negated)
