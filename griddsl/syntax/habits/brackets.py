"""Habits with brackets: left open, around what needs none, or with what does not stand in them."""

from __future__ import annotations

import re

from griddsl.compass import ARROWS
from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.kinds.values import ONE_VALUE
from griddsl.syntax.habits.mistake import CONDITIONS, LISTS, QUOTED, Habits, Meant, Mistake, blanks
from griddsl.syntax.keywords import EFFECT_WORDS


def unclosed_bracket(mistake: Mistake) -> Meant | None:
    """`on enter (goal`: opened and never closed."""
    if mistake.found:
        return None
    opened: list[int] = []
    for match in re.finditer(rf"{QUOTED}|([(\[])|([)\]])", mistake.text):
        if match.group(1):
            opened.append(match.start())
        elif match.group(2) and opened:
            opened.pop()
    if not opened:
        return None
    at = opened[-1]
    sign = mistake.text[at]
    closing = ")" if sign == "(" else "]"
    help = None
    if len(opened) == 1 and mistake.start not in {"actions", "legend"}:
        help = Help(f"close it with `{closing}`", (closing,))
    end = mistake.begin
    return Meant(help, at, at + 1, f"`{sign}` that is never closed", f"its `{closing}`", start=end, stop=end)


def unopened_bracket(mistake: Mistake) -> Meant | None:
    """`reward 1)`: closed and never opened."""
    if mistake.found not in {")", "]"}:
        return None
    opening = "(" if mistake.found == ")" else "["
    counted = re.sub(QUOTED, "", mistake.text[: mistake.begin])
    if counted.count(opening) > counted.count(mistake.found):
        return None
    return Meant(Help(f"no `{opening}` is open here: leave `{mistake.found}` out", ("",)))


def asked_attribute(mistake: Mistake) -> Meant | None:
    """`key(color is red)`: brackets behind a kind give attributes, and ask nothing."""
    drawn = re.search(r"\b\w+\([^()]*\b(random)\s*\Z", mistake.text[: mistake.begin])
    if mistake.expected == {"EQUAL"} and drawn is not None and mistake.found.isidentifier():
        return Meant(
            write(f"{mistake.found}=random"),
            expected="`NAME = VALUE`",
            start=drawn.start(1),
            stop=mistake.end,
        )
    alone = re.search(r"\b(\w+)\(\s*(\w+)\s*\Z", mistake.text[: mistake.begin])
    if alone is not None and alone[1] == "count" and mistake.start == "effects" and mistake.is_kind(alone[2]):
        line = "`count` says how many there are; a loop goes through them: "
        return Meant(
            f"{line}`each {alone[2]}: ... {alone[2]}`", alone.start(), alone.end(), expected="a thing"
        )
    if mistake.expected == {"EQUAL"} and alone is not None and mistake.found in {")", ","}:
        line = "brackets behind a kind give attributes by their names: "
        given = value_alone(mistake, alone[1], alone[2])
        if given is None:
            line += f"`{alone[1]}({mistake.first_attribute(alone[1]) or 'color'}={alone[2]})`"
            return Meant(line, *alone.span(2), expected="`NAME = VALUE`")
        return Meant(
            Help(f"{line}`{alone[1]}({given})`", (given,)),
            *alone.span(2),
            expected="`NAME = VALUE`",
            start=alone.start(2),
            stop=alone.end(2),
        )
    doubled = re.search(r"\b\w+\((?:[^()]*,)?\s*\w+\s*(=)\Z", mistake.text[: mistake.begin])
    if mistake.found.startswith("=") and doubled is not None and not mistake.found.strip("="):
        help = Help("an attribute of a kind is given with `=`", ("=",))
        return Meant(
            help,
            doubled.start(1),
            mistake.end,
            found="`==`",
            expected="`=`",
            start=doubled.start(1),
            stop=mistake.end,
        )
    if mistake.expected != {"EQUAL"} or mistake.found not in {"is", "==", "in", ":"}:
        return None
    within = re.search(r"\b(\w+)\((?:[^()]*,)?\s*\w+\s*\Z", mistake.text[: mistake.begin])
    if within is None:
        return None
    begin = len(mistake.before)
    stop = mistake.end + blanks(mistake.text, mistake.end)
    return Meant(Help("an attribute of a kind is given with `=`", ("=",)), start=begin, stop=stop)


def called_thing(mistake: Mistake) -> Meant | None:
    """`remove top(pile)`, of a definition that says which thing: effects take one that has a name."""
    for said in re.finditer(r"\b(move|remove|pickup|drop)\s+\(?\s*((\w+)\([^()]*\))", mistake.text):
        if not said.start() <= mistake.begin <= said.end() + 1:
            continue
        if re.search(rf"^define\s+{said[3]}\(", mistake.whole, re.MULTILINE) is not None:
            line = f"give it a name first: a line `let one = {said[2]}`, and then `{said[1]} one`"
            found, expected = f"the definition `{said[3]}`", "a thing that has a name"
            return Meant(line, *said.span(2), found, expected)
    return None


def value_alone(mistake: Mistake, kind: str, word: str) -> str | None:
    """Return how the value of an attribute is given that stands alone; None where the file declares none."""
    if set(mistake.values_of(word, kind) or ()) == {"true", "false"}:
        return f"{word}=true"
    attribute = mistake.attribute_with(word, kind)
    return None if attribute is None else f"{attribute}={word}"


def positional_kind(mistake: Mistake) -> Meant | None:
    """`place key (1, 2)`: what follows a kind in brackets are its attributes."""
    opened = re.search(r"(\w+)\s*\(\s*\Z", mistake.before + " ")
    if opened is None or mistake.expected != {"NAME"}:
        return None
    name = opened.group(1)
    if name in {"look", "on", "at", "in", "to"}:
        return None
    cell = re.match(r"[^()=]+,[^()=]+\)", mistake.rest)
    placed = re.search(r"\bplace\s+(?:\w+\s+)?\w+\s*\(\s*\Z", mistake.before + " ")
    if cell is not None and placed is not None and not mistake.found.startswith('"'):
        at, name = opened.end(1), opened[1]
        help = write(f"{name} at ({cell[0]}", ": a cell follows `at`")
        return Meant(help, start=at - len(name), stop=mistake.begin + cell.end())
    word = re.match(r"[\"']?([A-Za-z_]\w*)[\"']?\s*[,)]", mistake.rest)
    given = f"{name}(color={word[1] if word is not None else 'red'})"
    return Meant(f"brackets behind `{name}` name attributes: `{given}`; a cell follows `at` or `to`")


def list_in_brackets(mistake: Mistake) -> Meant | None:
    """`[a, b]`: a list, which needs no brackets."""
    if mistake.found != "[" or "LSQB" in mistake.expected:
        return None
    cell = re.match(r"\[\s*([^\[\],]+,[^\[\],]+?)\s*\]", mistake.rest)
    if cell is not None and mistake.start not in LISTS - {"effects", "regions"}:
        return Meant(write(f"({cell[1]})"), stop=mistake.begin + cell.end())
    inside = re.match(r"\[([^\[\]]*)\]\s*\Z", mistake.rest)
    if inside is not None and inside[1].strip() and re.search(r"\bchoose\b.*\bin\Z", mistake.before):
        values = re.findall(r"\([^()]*\)|[^,()]+", inside[1])
        joined = " | ".join(value.strip() for value in values if value.strip())
        return Meant(
            Help(f"alternatives are joined by `|`: write `{joined[:60]}`", (joined,)), stop=len(mistake.text)
        )
    if mistake.start == "variable" and inside is not None and "," in inside[1]:
        return Meant(ONE_VALUE)
    help: str = "items stand without brackets, separated by `,`; a cell is `(x, y)`"
    several = mistake.start == "observations" and inside is not None and "," in inside[1]
    if inside is not None and inside[1].strip() and mistake.start in LISTS and not several:
        items = re.sub(r'"(\w+)"', r"\1", inside[1]) if mistake.start in {"actions", "names"} else inside[1]
        help = Help(help, (items.strip(),))
        return Meant(help, start=mistake.begin, stop=len(mistake.text))
    return Meant(help)


def third_coordinate(mistake: Mistake) -> Meant | None:
    """`(1, 2, 3)`: a cell has two."""
    if mistake.found != "," or not re.search(r"(?<!\w)\([^()]*,[^()]*\Z", mistake.before):
        return None
    whole = re.fullmatch(r"\s*\((.*)\)\s*", mistake.text)
    if mistake.start == "observations" and whole is not None and re.fullmatch(r"[\w\s.,*/+-]+", whole[1]):
        entries = ", ".join(entry.strip() for entry in whole[1].split(","))
        return Meant(f"an observation of several is a Tuple, `observe tuple: {entries}`, or each has a name")
    listed = re.search(r"\bin\s+(\(([a-z_]\w*(?:\s*,\s*[a-z_]\w*)+)\))", mistake.text)
    if listed is not None and listed.start(1) < mistake.begin < listed.end(1):
        values = " | ".join(ARROWS.get(value.strip(), value.strip()) for value in listed[2].split(","))
        return Meant(write(values, ": values are joined by `|`"), start=listed.start(1), stop=listed.end(1))
    return Meant("a cell has two coordinates, `(x, y)`")


def called_attribute(mistake: Mistake) -> Meant | None:
    """`agent.has(key)`: called with a dot."""
    called = re.search(r"\.(\w+)\Z", mistake.before)
    if mistake.found != "(" or called is None:
        return None
    owner = re.search(r"(\w+)\.\w+\Z", mistake.before)
    given = re.match(r"\(([\w ,]*)\)", mistake.rest)
    if mistake.start == "effects" and called[1] in EFFECT_WORDS and owner and given and "," not in given[1]:
        help = write(f"{called[1]} {owner[1]} {given[1]}".strip())
        return Meant(help, start=owner.start(1), stop=mistake.begin + given.end())
    if called[1] in {"has", "sees", "on", "at"} and owner and given and re.fullmatch(r"\w+", given[1]):
        help = write(f"{owner[1]} {called[1]} {given[1]}")
        return Meant(help, start=owner.start(1), stop=mistake.begin + given.end())
    return Meant(
        "nothing is called with a dot: a relation reads `agent has key`, a function `distance(a, b)`"
    )


def rectangle(mistake: Mistake) -> Meant | None:
    """`1..3, 1..6`, `(1, 1) to (3, 6)`: a rectangle in other words."""
    if mistake.start != "regions":
        return None
    corners = re.fullmatch(r"\((\w+),\s*(\w+)\)\s*(?:\.\.|-|to|:)\s*\((\w+),\s*(\w+)\)", mistake.text.strip())
    if corners is not None:
        left, top, right, bottom = corners.groups()
        return Meant(write(f"({left}..{right}, {top}..{bottom})"), start=0, stop=len(mistake.text.rstrip()))
    if "LPAR" not in mistake.expected or not mistake.found:
        return None
    named = re.fullmatch(r"x\s*=?\s*(\d+(?:\.\.\d+)?)\s*,\s*y\s*=?\s*(\d+(?:\.\.\d+)?)\s*", mistake.text)
    if named is not None:
        return Meant(write(f"({named[1]}, {named[2]})"), start=0, stop=len(mistake.text.rstrip()))
    bare = re.fullmatch(r"(\w+(?:\.\.\w+)?)\s*,\s*(\w+(?:\.\.\w+)?)\s*", mistake.text)
    if bare is not None and mistake.begin == 0:
        return Meant(write(f"({bare[1]}, {bare[2]})"), stop=len(mistake.text.rstrip()))
    return Meant("write each rectangle as `(1..3, 1..6)`")


def compared_in_a_pattern(mistake: Mistake) -> Meant | None:
    """`count(box(weight > 1))`, `b = box(weight=1..3)`: brackets behind a kind give values by `=`."""
    named = re.search(r"\b(\w+)\(\s*(?:\w+\s*=\s*\w+\s*,\s*)*(\w+)\Z", mistake.before)
    compared = re.match(r"(?:[<>]=?|!=)\s*[\w.]+", mistake.rest)
    if mistake.expected == {"EQUAL"} and named is not None and compared is not None:
        asked = f"{named[1]} where {named[1]}.{named[2]} {compared[0]}"
        return Meant(
            f"brackets give values by `=`; what is compared stands behind `where`, as in `count({asked})`"
        )
    doubled = re.search(r"\b(\w+)\((?:[^()]*,)?\s*\w+\s*(=)\Z", mistake.text[: mistake.begin])
    if doubled is not None and mistake.found == "=" and mistake.is_kind(doubled[1]):
        help = write("=", ": brackets behind a kind give a value")
        return Meant(
            help, doubled.start(2), mistake.end, expected="`=`", start=doubled.start(2), stop=mistake.end
        )
    values = re.search(r"\w\([^()]*=\s*(-?\w+)\Z", mistake.before)
    end = re.match(r"\.\.\s*-?\w+", mistake.rest)
    if mistake.start not in {"legend", "effects"} or values is None or end is None:
        return None
    start, stop = values.start(1), mistake.begin + end.end()
    help = write(f"random {mistake.text[start:stop]}", ": one of them is drawn")
    return Meant(help, start, stop, expected="a value", start=start, stop=stop)


def superlative_in_a_relation(mistake: Mistake) -> Meant | None:
    """`the box with most box.weight on target`: what the number is of ends with the brackets around the whole."""
    said = re.search(
        r"\bthe\s+\w+\s+with\s+(?:least|most)\s+(?:(?!\b(?:and|or|if|the)\b)[^,:])+\Z", mistake.before
    )
    relations = {"on", "at", "is", "has", "within", "sees", "ahead"}
    if mistake.found not in relations or said is None or said[0].count("(") != said[0].count(")"):
        return None
    return Meant(write(f"({said[0]}) {mistake.found}"), start=said.start(), stop=mistake.end)


def word_first(mistake: Mistake) -> Meant | None:
    """`(and (at agent exit) (not (has agent key)))`, `(> n 3)`: the word or sign between two sides, and no bracket."""
    for said in re.finditer(
        r"\(\s*(and|or|xor|not|=|[<>]=?|on|at|has|within|sees|is)\s+(?=[\w(])", mistake.text
    ):
        if (
            mistake.start not in CONDITIONS
            or not said.start() <= mistake.begin
            or re.match(r"\(\s*not\b[^()]*\)", said[0])
        ):
            continue
        form = {"not": "`not C`", "=": "`A == B`"}.get(said[1], f"`A {said[1]} B`")
        line = (
            f"what joins two sides stands between them: {form}, as in `agent on exit and not agent has key`"
        )
        return Meant(line, *said.span(1), expected="a condition")
    return None


def list_in_braces(mistake: Mistake) -> Meant | None:
    """`observe: {type: grid}`, `actions: {up, down}`: items stand without braces."""
    inside = re.fullmatch(r"\{(.*)\}\s*", mistake.text, re.DOTALL)
    if mistake.start not in LISTS - {"effects"} or inside is None or mistake.begin > 0:
        return None
    items = [re.sub(r"[\"'](\w+)[\"']", r"\1", item.strip()) for item in inside[1].split(",") if item.strip()]
    if mistake.start == "observations" and len(items) == 1:
        items = [re.sub(r"\w+\s*:\s*", "", items[0])]
    written = ", ".join(re.sub(r"\A(\w+)\s*:\s*", r"\1 = ", item) for item in items)
    if not items or re.search(r"[{}:]", written):
        return Meant("items stand without braces, separated by `,`", expected="items")
    return Meant(write(written, ": there are no braces"), 0, 1, start=0, stop=len(mistake.text.rstrip()))


def valued_without_sign(mistake: Mistake) -> Meant | None:
    """`coin(worth 2)`, `coin(worth random)`: a pattern says `NAME=VALUE`."""
    said = re.search(r"(\w+)\s*\((?:[^()]*,)?\s*([A-Za-z_]\w*)\s*\Z", mistake.before)
    value = re.match(r"(?:random\b|-?\d+\b|[a-z_]\w*)(?=\s*[,)])", mistake.rest)
    if said is None or value is None or not mistake.is_word_of(said[2], said[1]):
        return None
    start, stop = said.start(2), mistake.begin + value.end()
    help = write(f"{said[2]}={value[0]}")
    return Meant(help, mistake.begin, stop, f"`{value[0]}`", "`=`", start=start, stop=stop)


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (compared_in_a_pattern, superlative_in_a_relation, word_first, valued_without_sign)
