"""Habits in the other statements: legends, actions, maps that are drawn, slip, what is observed, limits."""

from __future__ import annotations

import re

from griddsl.compass import ARROWS
from griddsl.diagnostics import Help, near, write
from griddsl.syntax.habits.mistake import Meant, Mistake


def glyph(mistake: Mistake) -> Meant | None:
    """`legend: . = floor`: a glyph that needs quotes."""
    at_start = not mistake.text[mistake.item_start() : mistake.begin].strip()
    bare = re.match(r"([,=(])\s*=", mistake.rest)
    if (
        mistake.start == "legend"
        and bare is not None
        and re.search(r"(?:\A|,)\s*\Z", mistake.text[: mistake.begin])
    ):
        given = write(f'"{bare[1]}" =', ": such a glyph stands in quotes")
        return Meant(given, stop=mistake.begin + bare.end())
    if mistake.start != "legend" or not at_start or not re.match(r"[^\w\s\"=,(]", mistake.found):
        return None
    if (two := re.match(r"([^\w\s\"=,(])\w(?=\s*=)", mistake.rest)) is not None:
        without = Help(f"a glyph is one character: leave `{two[1]}` out", ("",))
        return Meant(without, mistake.begin, mistake.begin + 1, stop=mistake.begin + 1)
    quoted = re.match(r"'(.)'", mistake.rest)
    sign = quoted[1] if quoted else mistake.found[0]
    if quoted is not None:
        rest = re.sub(r"'(.)'(?=\s*=)", lambda found: f'"{found[1]}"', mistake.rest)
        line = "a glyph stands in double quotes, or, if it is a letter or digit, in none"
        return Meant(Help(line, (rest,)), stop=len(mistake.text))
    rest = re.sub(r'(\A|,)(\s*)([^\w\s"=,(])(?=\s*=)', r'\1\2"\3"', mistake.rest)
    help = f'a glyph that is no letter or digit stands in quotes: `"{sign}" = ...`'
    return Meant(
        Help(help, (rest,)), mistake.begin, mistake.begin + 1, start=mistake.begin, stop=len(mistake.text)
    )


def passing(mistake: Mistake) -> Meant | None:
    """`jump = move north 2 over rock`, `through rock 0.5`: a move goes `through`, and a chance has its words."""
    if mistake.start != "actions" or not re.search(r"=\s*move\b[^,]*\Z", mistake.before):
        return None
    computed = re.search(r"(\w+)\s*=\s*move\s*\Z", mistake.before)
    if computed is not None and (way := re.match(r"\(.*\)(?=\s*\d*\s*(?:,|\Z))", mistake.rest)):
        line = f"`{computed[1]}` alone is an action, and a rule moves: `on do {computed[1]}: move agent {way[0]}`"
        return Meant(f"the way that a move goes is a word: {line}")
    if mistake.found in {"over", "across", "past", "passing", "into"} and "THROUGH" in mistake.expected:
        return Meant(write("through"))
    if "WITH" in mistake.expected and re.match(r"[\d.]+%?\s*(?:,|\Z)", mistake.rest):
        return Meant(write(f"with chance {mistake.found}"))
    return None


def legend_of_two(mistake: Mistake) -> Meant | None:
    """`$ = box + target`, `box and target`: what lies on a tile."""
    said = re.match(r"(?:\+|&&?|and\b|over\b)\s*(?=\w)", mistake.rest)
    if mistake.start != "legend" or said is None or re.search(r"=\s*[\w(=)]+\Z", mistake.before) is None:
        return None
    stop = mistake.begin + said.end()
    help = Help("write `on` between a thing and the tile that it stands on: `box on target`", ("on ",))
    return Meant(help, expected="`,`, `on` or the end", start=mistake.begin, stop=stop)


def legend_with_a_word(mistake: Mistake) -> Meant | None:
    """`k = key red`, `k = red key`: what a thing is like stands in brackets."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"(.+?=\s*)(\w+)\s+(\w+)", mistake.text[start:stop])
    if mistake.start != "legend" or said is None:
        return None
    for kind, word in (said.group(2, 3), said.group(3, 2)):
        attribute = mistake.attribute_with(word, kind)
        if attribute is not None:
            begin = start + said.start(2)
            help = write(f"{kind}({attribute}={word})")
            return Meant(help, begin, stop, f"`{said[2]} {said[3]}`", "one kind", start=begin, stop=stop)
    return None


def legend_of_a_holder(mistake: Mistake) -> Meant | None:
    """`c = chest with key`, `c = chest holding key(color=red)`: what a thing holds stands in brackets."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        r"(.+?=\s*)(\w+)\s+(?:with|has|having|holding|holds|contains|containing|carries|carrying|of)\s+"
        r"(?:an?\s+|the\s+)?(\w+(?:\([^()]*\))?)",
        mistake.text[start:stop],
    )
    if mistake.start != "legend" or said is None or mistake.begin < start + said.end(2):
        return None
    begin = start + said.start(2)
    help = write(f"{said[2]}(carries={said[3]})", ": what a thing holds stands in brackets")
    return Meant(help, expected="`,`, `on` or the end", start=begin, stop=stop)


def legend_swapped(mistake: Mistake) -> Meant | None:
    """`coin = c`: the kind before its glyph; and `c -> coin`, `c: coin`."""
    if mistake.start != "legend" or mistake.found not in {"-", "is", "as", "means"}:
        return None
    arrow = re.match(r"->|-|\w+", mistake.rest)
    if arrow is None or mistake.last_word() is None:
        return None
    return Meant(Help("write `=`", ("=",)), stop=mistake.begin + arrow.end())


def misspelt_move(mistake: Mistake) -> Meant | None:
    """`actions: go = mve north`: `move`, misspelt."""
    word = re.search(r"=\s*(\w+)\Z", mistake.before)
    if mistake.start != "actions" or word is None or not near(word.group(1), ["move"]):
        return None
    return Meant(Help("did you mean `move`?", ("move",)), *word.span(1), expected="`move`")


def action_steps(mistake: Mistake) -> Meant | None:
    """`run = east 2`, `jump = right * 2`: an action of several cells without its `move`."""
    word = re.search(r"=\s*(east|west|north|south|up|down|left|right|forward|backward)\Z", mistake.before)
    if mistake.start != "actions" or word is None or not re.match(r"[*x]?\s*\d", mistake.rest):
        return None
    cells = re.match(r"[*x]?\s*(\d+)", mistake.rest)
    assert cells is not None
    help = write(f"move {word[1]} {cells[1]}")
    return Meant(help, start=word.start(1), stop=mistake.begin + cells.end())


def number_of_agents(mistake: Mistake) -> Meant | None:
    """`agents: 2`: agents have names."""
    if mistake.start != "agents" or not re.fullmatch(r"\d+\s*", mistake.text):
        return None
    help = write(f"player * {mistake.text.strip()}", ", or a name for each: `agents: red, blue`")
    return Meant(help, start=0, stop=len(mistake.text.rstrip()))


_BEHIND = r"(\w+)\s*(?:(?:x|X|×|times|:|=)?\s*(\d+)|[(\[]\s*(\d+)\s*[)\]])"
_BEFORE = r"(\d+)\s*(?:x|X|×|times|\*)?\s*([A-Za-z_]\w*)"


def many_agents(mistake: Mistake) -> Meant | None:
    """`agents: red x 2`, `red(2)`, `2 red`, `red: 2`: how many have a name."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(rf"{_BEHIND}|{_BEFORE}", mistake.text[start:stop])
    if mistake.start != "agents" or said is None:
        return None
    name, number = said[1] or said[5], said[2] or said[3] or said[4]
    if not re.match(r"[A-Za-z_]", name):
        return None
    return Meant(write(f"{name} * {number}"), expected="`*` and a number", start=start, stop=stop)


def agents_with_more(mistake: Mistake) -> Meant | None:
    """`agents: red at (1, 1), blue (keys wasd)`: where they begin and their keys are said elsewhere."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"(\w+)\s+(?:(at|in|on)\s+(.+)|\(\s*keys?\b.*\))", mistake.text[start:stop])
    if mistake.start != "agents" or said is None:
        return None
    line = f"keys stand behind actions: `actions {said[1]}: up [w], left [a]`"
    if said[2] is not None:
        line = (
            f"where each begins is drawn in the map, or placed: `setup: place {said[1]} {said[2]} {said[3]}`"
        )
    return Meant(line, start + said.end(1) + 1, stop, expected="a name alone")


_UNITS = frozenset({"steps", "step", "turns", "ticks", "cells", "cell", "points", "point", "times", "units"})


def unit(mistake: Mistake) -> Meant | None:
    """`variant mine/Long-v0: limit = 100 steps`, `var energy: 20 points in 0..20`: a number has no unit."""
    if mistake.start not in {"infos", "variable"} or mistake.found not in _UNITS:
        return None
    if re.search(r"(?:=|\.\.|\A)\s*-?\d[\d.]*\Z", mistake.before) is None:
        return None
    help = Help(f"a number stands by itself: leave `{mistake.found}` out", ("",))
    comma_or_end = "`,` or the end" if mistake.start == "infos" else None
    return Meant(help, expected=comma_or_end, start=len(mistake.before), stop=mistake.end)


def slip_alone(mistake: Mistake) -> Meant | None:
    """`slip: 0.1`: a chance without where it leads."""
    if mistake.start != "slip" or not re.fullmatch(r"[\d./]+%?\s*", mistake.text):
        return None
    chance = mistake.text.strip()
    return Meant(
        f"each way has its own chance: `slip: {chance} left, {chance} right`",
        expected="`left`, `right` or `back`",
    )


_COUNTED = re.compile(
    r"\d+\s*|(?:\w+\.)*(?:Multi)?Discrete\s*\(?.*|(?:compass|moves?|directions?)\s*[48]\s*"
    r"|(?:4|8|four|eight|all)[ -]*(?:directions?|ways?|moves?|actions?)\s*",
    re.IGNORECASE,
)


def counted_actions(mistake: Mistake) -> Meant | None:
    """`actions: 4`, `actions: Discrete(4)`, `actions: four directions`: how many there are instead of what they are."""
    if mistake.start != "actions" or not _COUNTED.fullmatch(mistake.text):
        return None
    aside = ", up_right, up_left, down_right, down_left" if re.search("8|eight", mistake.text, re.I) else ""
    return Meant(f"actions are named: `actions: up, down, left, right{aside}`")


def moved_action(mistake: Mistake) -> Meant | None:
    """`actions: move up, move down`: what moves is named by its direction alone."""
    ways = "up|down|left|right|forward|backward|north|south|east|west"
    moved = re.search(r"(?:\A|,)\s*((?:move|go|walk|step)\s+)\Z", mistake.before + " ")
    if mistake.start != "actions" or moved is None or not re.match(rf"(?:{ways})\b\s*(?:,|\Z)", mistake.rest):
        return None
    word = re.match(r"\w+", mistake.rest)
    assert word is not None
    known = _AS_ACTIONS.get(word[0], word[0])
    help = write(known, f": `{known}` is an action by itself")
    return Meant(help, start=moved.start(1), stop=mistake.begin + word.end())


_AS_ACTIONS = {direction: arrow for arrow, direction in ARROWS.items()}


def bare_joystick(mistake: Mistake) -> Meant | None:
    """`actions: joystick`: in how many directions."""
    if mistake.start != "actions" or not re.fullmatch(r"joystick\s*", mistake.text):
        return None
    return Meant(write("joystick 8", ", or `joystick 4`"), start=0, stop=len(mistake.text.rstrip()))


def priced(mistake: Mistake) -> Meant | None:
    """`rewards: goal: 10, step: -1`: what things are worth."""
    if mistake.start != "rewards" or not re.search(r":\s*[+-]?\d", mistake.text):
        return None
    return Meant(priced_by_rules(mistake.text))


def priced_by_rules(text: str) -> str:
    """Return where the worth of a step or a place is said, for `rewards: step -0.1`."""
    step = re.search(r"\bstep\s*:?\s*([+-]?\d[\d.]*)", text)
    amount = "-1" if step is None else step[1]
    return f"what a step or a place is worth is said by rules: `each step: reward {amount}`"


_AHEAD = r"(?:forward|forwards|straight|ahead|intended|front)"
_CHANCE = r"\d+(?:\.\d+)?%?(?:/\d+)?"


def slip_ahead(mistake: Mistake) -> Meant | None:
    """`slip: forward 0.8, left 0.1, right 0.1`: the chance to go as chosen, which is what the others leave."""
    items = [each.strip() for each in mistake.text.split(",")]
    ahead = [
        each for each in items if re.fullmatch(rf"{_AHEAD}\s*[:=]?\s*{_CHANCE}|{_CHANCE}\s+{_AHEAD}", each)
    ]
    if mistake.start != "slip" or not ahead:
        return None
    others = [
        re.sub(rf"\A(left|right|back)\s*[:=]?\s*({_CHANCE})\Z", r"\2 \1", each)
        for each in items
        if each not in ahead
    ]
    line = "what is left over goes as chosen"
    if not others:
        return Meant(f"{line}: say where it slips instead, as in `slip: 1/10 left, 1/10 right`")
    return Meant(write(", ".join(others), f": {line}"), start=0, stop=len(mistake.text))


def slip_order(mistake: Mistake) -> Meant | None:
    """`slip: left 0.1`: the chance stands first."""
    start = mistake.item_start()
    swapped = re.compile(rf"(left|right|back)\s*[:=]?\s*({_CHANCE})")
    order = swapped.match(mistake.text[start:])
    if mistake.start != "slip" or order is None:
        return None
    rest = swapped.sub(r"\2 \1", mistake.text[start:])
    help = Help(f"write `{order[2]} {order[1]}`", (rest,))
    return Meant(help, start=start, stop=len(mistake.text))


def view_size(mistake: Mistake) -> Meant | None:
    """`view 7`: a size has two sides."""
    if "SIZE" not in mistake.expected:
        return None
    shape = re.match(r"[(\[]?\s*(\d+)(?:\s*[,x*]\s*(\d+))?\s*[)\]]?", mistake.rest)
    if shape is None:
        return Meant("a view has a size: `view 7x7`") if not mistake.found else None
    size = f"{shape[1]}x{shape[2] or shape[1]}"
    stop = mistake.begin + len(shape[0].rstrip())
    return Meant(write(f"view {size}"), start=mistake.before.rindex("view"), stop=stop)


def size_of_parameter(mistake: Mistake) -> Meant | None:
    """`view farxfar`, `view far x far`, `pixels far`: parameters, where the language asks for numbers."""
    named = re.findall(r"^param\s+(\w+)", mistake.whole, re.MULTILINE)
    word = re.fullmatch(r"pixels|view", (mistake.last_word() or [""])[0])
    is_size = any(re.fullmatch(rf"{name}(x\w+)?|\w+x{name}", mistake.found) for name in named)
    if mistake.start != "observations" or word is None or not is_size:
        return None
    if word[0] == "pixels":
        return Meant(
            "how large a cell is drawn is a number here, and no parameter: `pixels 8`", expected="a number"
        )
    line = "its size is two numbers, as `view 7x7`; parameters stand in `view ahead N behind N aside N`"
    return Meant(line, expected="a size such as 7x7")


def rays_count(mistake: Mistake) -> Meant | None:
    """`rays`, `rays of wall`: their number stands behind the word."""
    said = re.search(r"\brays(?=\s*(of\b|within\b|as\b|\Z))", mistake.text[mistake.item_start() :])
    if mistake.start != "observations" or said is None:
        return None
    end = mistake.item_start() + said.end()
    return Meant(Help("say how many: `rays 8`", ("rays 8",)), start=end - len("rays"), stop=end)


def bare_view(mistake: Mistake) -> Meant | None:
    """`observe: 5x5`: the size of a view without its word."""
    size = re.match(r"\d+\s*x\s*\d+", mistake.rest)
    if mistake.start != "observations" or size is None or mistake.begin != mistake.item_start():
        return None
    return Meant(write(f"view {size.group()}"), stop=mistake.begin + size.end())


def position_after(mistake: Mistake) -> Meant | None:
    """`agent position`, `where = agent's position`: the word stands first."""
    said = re.match(
        r"(?:\w+\s*=\s*)?(?P<who>\w+?)(?:'s)?\s+(?:position|pos|location|coordinates)\b",
        mistake.text[mistake.item_start() :],
    )
    if mistake.start != "observations" or said is None:
        return None
    start = mistake.item_start()
    return Meant(
        write(f"position of {said['who']}"), start=start + said.start("who"), stop=start + said.end()
    )


def whose_position(mistake: Mistake) -> Meant | None:
    """`observe: position`: without whose it is."""
    if (
        mistake.start != "observations"
        or mistake.found not in {"", ",", "as"}
        or "OF" not in mistake.expected
    ):
        return None
    word = mistake.last_word()
    assert word is not None
    return Meant(
        write("position of agent"), *word.span(), expected="what it is the position of", start=word.start()
    )


_LIMITED = re.compile(
    r"(?:(?:at\s+most|max(?:imum)?|up\s+to|(?:no|not)\s+more\s+than|within|after|<=?)\s+(?:of\s+)?)?"
    r"(?P<steps>\d+|[A-Za-z_]\w*)\s*(?:steps?|turns?|moves?|actions?|ticks?)?"
    r"(?:\s+(?:(?:per|each|every|for\s+each|in\s+an?|an?)\s+(?:episode|game|level|round|run)|at\s+most|max(?:imum)?|in\s+total))?"
)


def limited(mistake: Mistake) -> Meant | None:
    """`limit: at most 100 steps`, `limit: 100 steps per episode`."""
    said = _LIMITED.fullmatch(mistake.text.strip()) if mistake.start == "limit" else None
    if said is None or not (said["steps"].isdigit() or mistake.gives(said["steps"])):
        return None
    return Meant(write(f"{said['steps']} steps"), start=0, stop=len(mistake.text.rstrip()))


def limit(mistake: Mistake) -> Meant | None:
    """`limit: 100 turns`, `limit: red 10 steps`."""
    whose = re.fullmatch(r"([A-Za-z_]\w*)\s*[:=]?\s+(\d+)(?:\s+steps?)?\s*", mistake.text)
    listed = whose is not None and re.search(rf"^agents\b.*\b{whose[1]}\b", mistake.whole, re.MULTILINE)
    if mistake.start == "limit" and whose is not None and listed:
        return Meant(f"whose limit it is stands before the colon: `limit {whose[1]}: {whose[2]} steps`")
    if mistake.start != "limit" or not re.match(r"[a-z]+\Z", mistake.rest.strip()):
        return None
    return Meant(write("steps")) if "STEPS" in mistake.expected else None


def one_hot(mistake: Mistake) -> Meant | None:
    """`grid as one-hot`, `facing as one-hot`: planes of a board, `onehot` of a value."""
    form = re.search(r"\bas\s+(one)\Z", mistake.before)
    if mistake.start != "observations" or form is None or not re.match(r"\s*-?\s*hot\b", mistake.rest):
        return None
    item = mistake.text[mistake.item_start() :]
    word = "planes" if re.match(r"(?:\w+\s*=\s*)?(?:grid|view)\b", item) else "onehot"
    stop = mistake.begin + mistake.rest.index("hot") + len("hot")
    return Meant(write(f"as {word}"), form.start(1), stop, expected="a form", start=form.start(), stop=stop)
