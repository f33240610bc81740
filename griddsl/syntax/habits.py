"""Habits: what people write that is not the language, and what they most likely mean by it."""

from __future__ import annotations

import re
from collections.abc import Callable

from griddsl.diagnostics import Help, did_you_mean, listing, near, write
from griddsl.syntax import define_habits as defining
from griddsl.syntax import effect_habits as effects
from griddsl.syntax import foreign_words as foreign
from griddsl.syntax import loop_habits as loops
from griddsl.syntax import rule_habits as rules
from griddsl.syntax.keywords import EFFECT_WORDS, RESERVED
from griddsl.syntax.mistake import LISTS, QUOTED, Meant, Mistake

EVENTS = ("enter", "leave", "bump", "push", "pickup", "drop", "toggle", "meet")


def meant(mistake: Mistake) -> Meant | None:
    """Return what the first habit that recognises the mistake has to say, or None."""
    for habit in _HABITS:
        fix = habit(mistake)
        if fix is not None:
            return fix
    return None


# Brackets and conditions


def _unclosed_bracket(mistake: Mistake) -> Meant | None:
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


def _unopened_bracket(mistake: Mistake) -> Meant | None:
    if mistake.found not in {")", "]"}:
        return None
    opening = "(" if mistake.found == ")" else "["
    counted = re.sub(QUOTED, "", mistake.text[: mistake.begin])
    if counted.count(opening) > counted.count(mistake.found):
        return None
    return Meant(Help(f"no `{opening}` is open here: leave `{mistake.found}` out", ("",)))


# Words of rules


_EVENT_WORDS = {
    **dict.fromkeys(
        ("touch", "reach", "hit", "collide", "arrive", "step_on", "land", "visit", "eat", "in"), "enter"
    ),
    **dict.fromkeys(("exit", "left", "depart", "out"), "leave"),
    **dict.fromkeys(("take", "grab", "pick", "collect", "get"), "pickup"),
    **dict.fromkeys(("put", "release"), "drop"),
    **dict.fromkeys(("open", "use", "press", "activate", "interact"), "toggle"),
    "shove": "push",
    **dict.fromkeys(("encounter", "catch"), "meet"),
}


def _event(mistake: Mistake) -> Meant | None:
    """`on entr cliff`: the event is misspelt, or not the word of the language."""
    if mistake.start != "rule" or not {"ENTER", "LEAVE"} <= mistake.expected:
        return None
    opening = re.match(r"on\s+(each|every|when|step)\b", mistake.text)
    if opening is not None:
        shown = f"each {mistake.text[3:40]}" if opening.group(1) == "step" else mistake.text[3:40]
        stop = opening.end() if opening.group(1) == "step" else opening.start(1)
        without = ("each step" if opening.group(1) == "step" else "",)
        return Meant(
            Help(f"write `{shown}`, without `on`", without),
            0,
            2,
            expected="`each`, `every` or `when`",
            start=0,
            stop=stop,
        )
    places = [(mistake.begin, mistake.end)]
    if (word := mistake.last_word()) is not None:
        places.insert(0, word.span())
    expected = listing((*EVENTS, "act", "do", "fail"))
    for begin, end in reversed(places):
        written = mistake.text[begin:end]
        help: str | None = did_you_mean(written, EVENTS)
        about = re.match(r"\s+(\w+)(?=\s*\Z|\s+(?:if|with)\b)", mistake.text[end:])
        if (
            begin == len("on ")
            and about is not None
            and mistake.is_action(written)
            and mistake.is_kind(about[1])
        ):
            if re.match(r"\s+if\b", mistake.text[end + about.end() :]):
                return None
            help = write(f"on do {written} if agent on {about[1]}")
            return Meant(help, begin, end, expected="an event", start=0, stop=end + about.end())
        if mistake.is_kind(written) and begin == len("on "):
            help = write(f"on enter {written}")
            return Meant(help, begin, end, expected="an event before the kind", start=0, stop=end)
        if written in _EVENT_WORDS:
            help = Help(f"did you mean `{_EVENT_WORDS[written]}`?", (_EVENT_WORDS[written],))
        if help is not None:
            return Meant(help, begin, end, expected=expected)
    return None


_HAPPENS = {
    **dict.fromkeys(("enters", "reaches", "touches", "gets", "hits", "finds", "arrives", "lands"), "enter"),
    **dict.fromkeys(("leaves", "exits"), "leave"),
    **dict.fromkeys(("bumps", "crashes"), "bump"),
    **dict.fromkeys(("pushes", "shoves"), "push"),
    **dict.fromkeys(("meets", "catches", "collides"), "meet"),
    **dict.fromkeys(("picks", "takes", "collects", "grabs"), "pickup"),
}


def _event_as_condition(mistake: Mistake) -> Meant | None:
    """`when agent reaches goal`, `on collision with coin`: an event in other words."""
    if mistake.start != "rule":
        return None
    found = re.match(
        r"when\s+(?:the\s+)?(\w+)\s+(\w+)\s+(?:up\s+|to\s+|at\s+|on\s+|with\s+|into\s+)?(?:the\s+|an?\s+)?(\w+)\s*\Z",
        mistake.text,
    )
    if found is not None and found[2] in _HAPPENS:
        subject = "" if found[1] in {"agent", "player", "self"} else f"{found[1]} "
        return Meant(
            write(f"on {subject}{_HAPPENS[found[2]]} {found[3]}"), start=0, stop=len(mistake.text.rstrip())
        )
    contact = re.match(
        r"on\s+(?:collision|contact|collide|touching|touch)\s+(?:with|of)\s+(?:the\s+)?(\w+)", mistake.text
    )
    if contact is not None and mistake.begin <= contact.end():
        rewrites = (f"on enter {contact[1]}", f"on meet {contact[1]}")
        return Meant(Help(f"did you mean {listing(rewrites)}?", rewrites), start=0, stop=contact.end())
    return None


def _chance_in_words(mistake: Mistake) -> Meant | None:
    """`with 50% chance`, `with a chance of 0.5`, `with probability 0.5`."""
    said = re.match(r"(?:an?\s+)?([\d./]+%?)\s+(?:chance|probability|prob)\b", mistake.rest) or re.match(
        r"(?:an?\s+)?(?:chance|probability|prob)\s+(?:of\s+)?([\d./]+%?)", mistake.rest
    )
    if said is None or mistake.expected != {"CHANCE"}:
        return None
    return Meant(write(f"chance {said[1]}"), stop=mistake.begin + said.end())


_MOVERS = {
    **dict.fromkeys(("towards", "chase", "chases", "follow", "follows", "hunt", "hunts", "to"), "toward"),
    **dict.fromkeys(("flee", "flees", "away", "avoid", "avoids", "evade", "evades"), "away from"),
}


def _mover(mistake: Mistake) -> Meant | None:
    """`moves chase agent`, `move random`, `moves randomly`."""
    if mistake.start != "properties":
        return None
    if mistake.expected == {"ELSE"} and not mistake.found and re.search(r"\bmoves\b.*\bif\b", mistake.text):
        end = len(mistake.text.rstrip())
        return Meant(
            Help("say how it moves otherwise: add `else still`", (" else still",)), start=end, stop=end
        )
    mover = re.search(r"\bmoves?\s+(\w+)\Z", mistake.before)
    if mover is not None and mover[1] in _MOVERS and re.match(r"(from\s+)?\w", mistake.found):
        return Meant(
            write(f"moves {_MOVERS[mover[1]]}"), *mover.span(1), expected="a mover", start=mover.start()
        )
    start = mistake.item_start()
    word = re.match(r"(move|moving|movement|walks|wanders)\s+(\w+)?", mistake.text[start:])
    if word is None:
        return None
    return Meant(
        write("moves"), start, start + len(word[1]), expected="a property", stop=start + len(word[1])
    )


def _several_kinds(mistake: Mistake) -> Meant | None:
    if (
        mistake.start != "rule"
        or not mistake.text.startswith("on")
        or mistake.found not in {",", "or", "and", "|"}
    ):
        return None
    return Meant("a rule names one kind: write one for each of them")


def _missing_event(mistake: Mistake) -> Meant | None:
    """`on step_on goal`, `on goal`: a trigger without its event."""
    turned = re.fullmatch(rf"on\s+(\w+)\s+({'|'.join(EVENTS)})", mistake.text.strip())
    if mistake.start == "rule" and turned is not None and not mistake.found:
        return Meant(write(f"on {turned[2]} {turned[1]}"), start=0, stop=len(mistake.text.rstrip()))
    alone = re.fullmatch(r"on\s+(\w+)", mistake.text.strip())
    if mistake.start != "rule" or alone is None or mistake.found:
        return None
    word = alone[1]
    if word in EVENTS or word in {"do", "fail", "act"}:
        return None
    return Meant(write(f"on enter {word}", ", or another event"), start=0, stop=len(mistake.text.rstrip()))


def _steps(mistake: Mistake) -> Meant | None:
    if mistake.start != "rule":
        return None
    count = re.match(r"(each|every)\s+(\w+)(\s+\w+)?", mistake.text)
    if count is None or mistake.text.startswith("each step"):
        return None
    if count.group(2).isdigit():
        return Meant(write(f"every {count.group(2)} steps"), start=0, stop=count.end())
    if count.group(1) == "every":
        help = f"write `each {count.group(2)}`; `every` counts steps: `every 5 steps`"
        return Meant(Help(help, (f"each {count.group(2)}",)), 0, 5, start=0, stop=count.end(2))
    return None


def _article(mistake: Mistake) -> Meant | None:
    word = mistake.last_word()
    articles = {"the", "a", "an"} if mistake.start in {"rule", "effects"} else {"the"}
    if word is None or word.group().lower() not in articles or not re.match(r"\w", mistake.found):
        return None
    help = Help(f"leave `{word.group()}` out", ("",))
    return Meant(help, *word.span(), expected="a name", start=word.start(), stop=mistake.begin)


def _asked_attribute(mistake: Mistake) -> Meant | None:
    """`key(color is red)`: brackets behind a kind give attributes, and ask nothing."""
    alone = re.search(r"\b(\w+)\(\s*(\w+)\s*\Z", mistake.text[: mistake.begin])
    if mistake.expected == {"EQUAL"} and alone is not None and mistake.found in {")", ","}:
        line = f"brackets behind a kind give attributes by their names: `{alone[1]}(color={alone[2]})`"
        return Meant(line, *alone.span(2), expected="`NAME = VALUE`")
    if mistake.expected != {"EQUAL"} or mistake.found not in {"is", "==", "in", ":"}:
        return None
    within = re.search(r"\b(\w+)\((?:[^()]*,)?\s*\w+\s*\Z", mistake.text[: mistake.begin])
    if within is None:
        return None
    begin = len(mistake.before)
    stop = mistake.end + _blanks(mistake.text, mistake.end)
    return Meant(Help("an attribute of a kind is given with `=`", ("=",)), start=begin, stop=stop)


def _positional_kind(mistake: Mistake) -> Meant | None:
    """`place key (1, 2)`: what follows a kind in brackets are its attributes."""
    opened = re.search(r"(\w+)\s*\(\s*\Z", mistake.before + " ")
    if opened is None or mistake.expected != {"NAME"}:
        return None
    name = opened.group(1)
    if name in {"look", "on", "at", "in", "to"}:
        return None
    return Meant(
        f"brackets behind `{name}` name attributes: `{name}(color=red)`; a cell follows `at` or `to`"
    )


# Domains and names of items


def _missing_in(mistake: Mistake) -> Meant | None:
    """`var n: 0..5`, `state open | closed`: a domain without its `in`."""
    if {"IN", "DISTINCT"} <= mistake.expected and re.search(r"\bchoose\b", mistake.before):
        if re.match(r"(=|from\b|of\b|:)", mistake.rest):
            sign = re.match(r"(\w+|.)(\s+random\b(?=\s+\d))?", mistake.rest)
            assert sign is not None
            stop = mistake.begin + sign.end()
            return Meant(Help("a domain follows `in`: `choose n in 1..6`", ("in",)), stop=stop)
        return Meant("a domain follows `in`: `choose n in 1..6`")
    if mistake.start not in {"variable", "properties"}:
        return None
    if mistake.found in {"of", "from", "within", "between", "out"} and "IN" in mistake.expected:
        of = re.match(r"out\s+of\b|\w+", mistake.rest)
        assert of is not None
        return Meant(Help("a domain follows `in`: write `in`", ("in",)), stop=mistake.begin + of.end())
    if mistake.found == "or":
        start = mistake.item_start()
        named = r"(\w+\s+)?" if mistake.start == "properties" else "()"
        listed = re.fullmatch(
            rf"{named}(?:in\s+)?(\w+(?:\s+or\s+\w+)+)", mistake.text[start : mistake.item_end()]
        )
        help: str = "the values of a domain are joined by `|`"
        if listed is None:
            return Meant(help)
        values = " | ".join(re.split(r"\s+or\s+", listed[2]))
        domain = f"{listed[1] or ''}in {values}"
        return Meant(Help(help, (domain,)), start=start, stop=mistake.item_end())
    if mistake.found not in {"..", "|", "to", "("}:
        return None
    start = mistake.item_start()
    name = re.compile(r"\w+\s+").match(mistake.text, start)
    if mistake.found == "(":
        start = mistake.begin
    elif mistake.start == "properties" and name is not None:
        start = name.end()
    written = mistake.text[start:].split(",")[0].rstrip()
    if written.startswith("in "):
        word = next((word for word in re.finditer(r"\w+", written[2:]) if word.group() in RESERVED), None)
        if word is None:
            return None
        help = f"`{word.group()}` is a word of the language and cannot be a value here"
        return Meant(help, start + 2 + word.start(), start + 2 + word.end(), expected="a value")
    domain = re.sub(r"\s*\bto\b\s*", "..", written.strip("()"))
    stop = start + len(written)
    help = Help(f"a domain follows `in`: write `in {domain[:30]}`", (f"in {domain}",))
    return Meant(help, start, stop, expected="`in`", start=start, stop=stop)


def _colon(mistake: Mistake) -> Meant | None:
    if not mistake.found.startswith(":"):
        return None
    word = mistake.last_word()
    name = word.group() if word is not None else "name"
    rest = mistake.text[mistake.end :].strip().split(",")[0]
    value = rest[:20]
    if mistake.start in {"legend", "infos", "observations", "actions"}:
        item = re.compile(rf"({QUOTED}|\w+)\s*:\s*(?=\S)")
        rest = "".join(item.sub(r"\1 = ", mistake.text[mistake.item_start() :]))
        help = Help(f"write `{name} = {value}`", (rest,))
        return Meant(help, start=mistake.item_start(), stop=len(mistake.text))
    if mistake.start == "properties":
        return Meant(Help(f"write `{name} in {value}`", (" in",)), start=len(mistake.before))
    if mistake.start == "effects" and name in EFFECT_WORDS:
        return Meant(Help(f"an effect has no `:`: write `{name} {value}`", ("",)))
    if mistake.start == "effects" and effects.effect_help(name) is not None:
        return None
    return Meant("one `:` stands in a statement, after its head")


_FLAGS = {"solid", "opaque", "pushable", "portable", "slide", "facing"}


def _attribute(mistake: Mistake) -> Meant | None:
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
    if mistake.found != "=" or word is None:
        return None
    value = mistake.text[mistake.end : end].strip()
    if re.search(r"\||\.\.", value):
        return Meant(
            Help(f"write `{name} in {value[:30]}`", (" in ",)),
            start=word.end(),
            stop=mistake.end + _blanks(mistake.text, mistake.end),
        )
    if re.fullmatch(r"-?\d+", value):
        return Meant(f"an attribute has a domain: `{name} {value} in 0..9`")
    return Meant(f"an attribute has a domain, as in `{name} in {value[:20]} | other`")


def _blanks(text: str, at: int) -> int:
    return len(text[at:]) - len(text[at:].lstrip())


_FORMS = {
    "observations": ("position", "view", "pixels", "grid"),
    "properties": ("moves", "drift", "carry", "layer"),
}


def _misspelt_before(mistake: Mistake) -> Meant | None:
    """`positon of agent`, `pixls 4`: the word before is misspelt, so that what follows it does not fit."""
    word = mistake.last_word()
    forms = _FORMS.get(mistake.start, ())
    if word is None or not mistake.found or word.group() in forms:
        return None
    help = did_you_mean(word.group(), forms)
    return Meant(help, *word.span(), expected=listing(forms)) if help is not None else None


def _missing_comma(mistake: Mistake) -> Meant | None:
    if mistake.start not in LISTS or "COMMA" not in mistake.expected or mistake.start == "effects":
        return None
    if not re.match(r"[\w\"]", mistake.found) or mistake.last_word() is None:
        return None
    if _near_expected(mistake):
        return None
    help = Help(f"is a `,` missing before `{mistake.found[:20]}`?", (f", {mistake.found}",))
    return Meant(help, start=len(mistake.before), stop=mistake.end)


def _comparison_chain(mistake: Mistake) -> Meant | None:
    chain = re.search(r"(\S+)\s*(<=?|>=?|==)\s*(\S+)\Z", mistake.before)
    if chain is None or not re.fullmatch(r"<=?|>=?|==", mistake.found):
        return None
    left, sign, middle = (part[:20] for part in chain.groups())
    help = Help(
        f"write `{left} {sign} {middle} and {middle} {mistake.found} ...`",
        (f"and {chain.group(3)} {mistake.found}",),
    )
    return Meant(help)


def _list_in_brackets(mistake: Mistake) -> Meant | None:
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
    help: str = "items stand without brackets, separated by `,`; a cell is `(x, y)`"
    several = mistake.start == "observations" and inside is not None and "," in inside[1]
    if inside is not None and inside[1].strip() and mistake.start in LISTS and not several:
        items = re.sub(r'"(\w+)"', r"\1", inside[1]) if mistake.start in {"actions", "names"} else inside[1]
        help = Help(help, (items.strip(),))
        return Meant(help, start=mistake.begin, stop=len(mistake.text))
    return Meant(help)


def _glyph(mistake: Mistake) -> Meant | None:
    at_start = not mistake.text[mistake.item_start() : mistake.begin].strip()
    if mistake.start != "legend" or not at_start or not re.match(r"[^\w\s\"=,(]", mistake.found):
        return None
    quoted = re.match(r"'(.)'", mistake.rest)
    sign = quoted[1] if quoted else mistake.found[0]
    if quoted is not None:
        rest = re.sub(r"'(.)'(?=\s*=)", lambda found: f'"{found[1]}"', mistake.rest)
        line = "a glyph stands in double quotes, or, if it is a letter or digit, in none"
        return Meant(Help(line, (rest,)), stop=len(mistake.text))
    stop = mistake.begin + 1
    help = f'a glyph that is no letter or digit stands in quotes: `"{sign}" = ...`'
    return Meant(Help(help, (f'"{sign}"',)), start=mistake.begin, stop=stop)


def _legend_swapped(mistake: Mistake) -> Meant | None:
    """`coin = c`: the kind before its glyph; and `c -> coin`, `c: coin`."""
    if mistake.start != "legend" or mistake.found not in {"-", "is", "as", "means"}:
        return None
    arrow = re.match(r"->|-|\w+", mistake.rest)
    if arrow is None or mistake.last_word() is None:
        return None
    return Meant(Help("write `=`", ("=",)), stop=mistake.begin + arrow.end())


# Shapes of single statements


def _misspelt_move(mistake: Mistake) -> Meant | None:
    word = re.search(r"=\s*(\w+)\Z", mistake.before)
    if mistake.start != "actions" or word is None or not near(word.group(1), ["move"]):
        return None
    return Meant(Help("did you mean `move`?", ("move",)), *word.span(1), expected="`move`")


def _action_steps(mistake: Mistake) -> Meant | None:
    """`run = east 2`, `jump = right * 2`: an action of several cells without its `move`."""
    word = re.search(r"=\s*(east|west|north|south|up|down|left|right|forward|backward)\Z", mistake.before)
    if mistake.start != "actions" or word is None or not re.match(r"[*x]?\s*\d", mistake.rest):
        return None
    cells = re.match(r"[*x]?\s*(\d+)", mistake.rest)
    assert cells is not None
    help = write(f"move {word[1]} {cells[1]}")
    return Meant(help, start=word.start(1), stop=mistake.begin + cells.end())


_GENERATED = re.compile(r"(empty|room|maze|rooms|caves)\s+\(?(\w+)\s*(?:,|x|by|\s)\s*(\w+)\)?\s*\Z")


def _distance(mistake: Mistake) -> Meant | None:
    """`distance to guard`, `distance from agent to guard`."""
    said = re.search(
        r"\bdistance\s+(?:(?:from|between)\s+(?:the\s+)?(\w+)\s+)?(?:to|and)\s+(?:the\s+)?(\w+)", mistake.text
    )
    if said is None or not said.start() <= mistake.begin <= said.end():
        return None
    return Meant(write(f"distance({said[1] or 'agent'}, {said[2]})"), start=said.start(), stop=said.end())


def _generator(mistake: Mistake) -> Meant | None:
    """`generate: room 10 10`, `maze 9x9`."""
    size = _GENERATED.match(mistake.text)
    if mistake.start != "expression" or size is None:
        return None
    return Meant(write(f"{size[1]}({size[2]}, {size[3]})"), start=0, stop=len(mistake.text.rstrip()))


def _number_of_agents(mistake: Mistake) -> Meant | None:
    """`agents: 2`: agents have names."""
    if mistake.start != "agents" or not re.fullmatch(r"\d+\s*", mistake.text):
        return None
    help = write(f"player * {mistake.text.strip()}", ", or a name for each: `agents: red, blue`")
    return Meant(help, start=0, stop=len(mistake.text.rstrip()))


def _slip_order(mistake: Mistake) -> Meant | None:
    start = mistake.item_start()
    order = re.match(r"(left|right|back)\s*[:=]?\s*(\d+(?:\.\d+)?%?(?:/\d+)?)", mistake.text[start:])
    if mistake.start != "slip" or order is None:
        return None
    swapped = re.compile(r"(left|right|back)\s*[:=]?\s*(\d+(?:\.\d+)?%?(?:/\d+)?)")
    rest = swapped.sub(r"\2 \1", mistake.text[start:])
    help = Help(f"write `{order[2]} {order[1]}`", (rest,))
    return Meant(help, start=start, stop=len(mistake.text))


def _view_size(mistake: Mistake) -> Meant | None:
    if "SIZE" not in mistake.expected:
        return None
    shape = re.match(r"[(\[]?\s*(\d+)(?:\s*[,x*]\s*(\d+))?\s*[)\]]?", mistake.rest)
    if shape is None:
        return Meant("a view has a size: `view 7x7`") if not mistake.found else None
    size = f"{shape[1]}x{shape[2] or shape[1]}"
    return Meant(write(f"view {size}"), start=mistake.before.rindex("view"), stop=mistake.begin + shape.end())


def _whose_position(mistake: Mistake) -> Meant | None:
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


def _color(mistake: Mistake) -> Meant | None:
    if mistake.start != "looks" or not mistake.before.endswith("color"):
        return None
    hexed = re.match(r"#?([0-9a-fA-F]{6})\b", mistake.rest)
    help: str = 'a color is a name, or stands in quotes: `color "#222222"`'
    return Meant(Help(help, (f'"#{hexed[1]}"',)), stop=mistake.begin + hexed.end()) if hexed else Meant(help)


def _rectangle(mistake: Mistake) -> Meant | None:
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


def _third_coordinate(mistake: Mistake) -> Meant | None:
    if mistake.found != "," or not re.search(r"(?<!\w)\([^()]*,[^()]*\Z", mistake.before):
        return None
    return Meant("a cell has two coordinates, `(x, y)`")


def _called_attribute(mistake: Mistake) -> Meant | None:
    called = re.search(r"\.(\w+)\Z", mistake.before)
    if mistake.found != "(" or called is None:
        return None
    owner = re.search(r"(\w+)\.\w+\Z", mistake.before)
    given = re.match(r"\(([\w ,]*)\)", mistake.rest)
    if mistake.start == "effects" and called[1] in EFFECT_WORDS and owner and given and "," not in given[1]:
        help = write(f"{called[1]} {owner[1]} {given[1]}".strip())
        return Meant(help, start=owner.start(1), stop=mistake.begin + given.end())
    if called[1] == "has" and owner and given and re.fullmatch(r"\w+", given[1]):
        help = write(f"{owner[1]} has {given[1]}")
        return Meant(help, start=owner.start(1), stop=mistake.begin + given.end())
    return Meant(
        "nothing is called with a dot: a relation reads `agent has key`, a function `distance(a, b)`"
    )


def _limit(mistake: Mistake) -> Meant | None:
    """`limit: 100 turns`."""
    if mistake.start != "limit" or not re.match(r"[a-z]+\Z", mistake.rest.strip()):
        return None
    return Meant(write("steps")) if "STEPS" in mistake.expected else None


# The words of the grammar itself


def _misspelt(mistake: Mistake) -> Meant | None:
    """A word that is near one that could stand there."""
    if not re.fullmatch(r"[A-Za-z_]\w*", mistake.found):
        return None
    words = _expected_words(mistake)
    help = did_you_mean(mistake.found, words)
    if help is not None:
        return Meant(help)
    if len(mistake.expected) == 1 and words:
        help = Help(f"write `{words[0]}` before `{mistake.found[:20]}`", (f"{words[0]} {mistake.found}",))
        return Meant(help)
    return None


_CLASSES = {
    "NAME",
    "NUMBER",
    "PERCENT",
    "STRING",
    "COMPARE",
    "SIZE",
    "ASSIGN",
    "PLUS",
    "MINUS",
    "STAR",
    "SLASH",
}
_CLASSES |= {"LPAR", "RPAR", "LSQB", "RSQB", "COMMA", "EQUAL", "VBAR", "DOT"}


def _expected_words(mistake: Mistake) -> list[str]:
    return [name.lower() for name in mistake.expected if name.isalpha() and name not in _CLASSES]


def _near_expected(mistake: Mistake) -> bool:
    return bool(near(mistake.found, _expected_words(mistake)))


def _reserved(mistake: Mistake) -> Meant | None:
    if "NAME" in mistake.expected and mistake.found in RESERVED:
        return Meant(f"`{mistake.found}` is a word of the language and cannot be a name here")
    word = mistake.last_word()
    if mistake.found == "=" and word is not None and word.group() in RESERVED:
        help = f"`{word.group()}` is a word of the language and cannot be a name here"
        return Meant(help, *word.span(), expected="a name")
    return None


_HABITS: tuple[Callable[[Mistake], Meant | None], ...] = (
    _unclosed_bracket,
    _unopened_bracket,
    foreign.foreign_letters,
    loops.condition_of_each,
    loops.order_of_each,
    loops.nothing_asked,
    defining.definition_head,
    defining.returned,
    effects.block_line,
    effects.called_effect,
    effects.lonely_if,
    effects.placing,
    effects.bare_number,
    effects.joined_effects,
    effects.chance,
    effects.chance_line,
    effects.aimed,
    effects.outcome,
    effects.drawn_cell,
    _glyph,
    _legend_swapped,
    _colon,
    effects.unknown_effect,
    _event_as_condition,
    rules.action_as_event,
    rules.described_thing,
    rules.other_trigger,
    rules.other_condition,
    _distance,
    _chance_in_words,
    _event,
    _several_kinds,
    _missing_event,
    _steps,
    _article,
    _mover,
    _missing_in,
    _attribute,
    _comparison_chain,
    foreign.superfluous_is,
    foreign.in_domain,
    foreign.comparison_in_words,
    _misspelt_move,
    _action_steps,
    _generator,
    _number_of_agents,
    _slip_order,
    _view_size,
    _whose_position,
    _color,
    _rectangle,
    _third_coordinate,
    _called_attribute,
    foreign.foreign_word,
    _list_in_brackets,
    _reserved,
    foreign.foreign_sign,
    foreign.number,
    _positional_kind,
    foreign.quoted_word,
    _asked_attribute,
    _limit,
    _misspelt_before,
    _misspelt,
    _missing_comma,
)
