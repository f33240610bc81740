"""Habits: what people write that is not the language, and what they most likely mean by it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from griddsl.diagnostics import did_you_mean, listing, near
from griddsl.syntax.keywords import EFFECT_WORDS, RESERVED

EVENTS = ("enter", "leave", "bump", "push", "pickup", "drop", "toggle", "meet")
LISTS = {
    *("effects", "properties", "legend", "regions", "actions", "slip", "names", "agents", "infos", "looks"),
    "observations",
}
_QUOTED = r'"(?:\\.|[^"\\])*"'


@dataclass(frozen=True, slots=True)
class Mistake:
    """A clause that does not parse: its start rule, its text, the place, and the terminals that would fit."""

    start: str
    text: str
    begin: int
    end: int
    expected: frozenset[str]

    @property
    def found(self) -> str:
        """The wrong part of the text; empty at its end."""
        return self.text[self.begin : self.end]

    @property
    def before(self) -> str:
        """What stands before the wrong part."""
        return self.text[: self.begin].rstrip()

    @property
    def rest(self) -> str:
        """The wrong part and all that follows."""
        return self.text[self.begin :]

    def item_start(self) -> int:
        """Return where the item with the mistake starts: after the last comma outside of brackets."""
        depth = start = 0
        for match in re.finditer(rf"{_QUOTED}|[(\[]|[)\]]|,\s*", self.text[: self.begin]):
            sign = match.group()[0]
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth <= 0:
                start = match.end()
        return start

    def last_word(self) -> re.Match[str] | None:
        """Return the word right before the wrong part."""
        return re.search(r"\w+\Z", self.before)


@dataclass(frozen=True, slots=True)
class Meant:
    """What was probably meant: the help, and where given a better place and better words for it."""

    help: str | None
    begin: int | None = None
    end: int | None = None
    found: str | None = None
    expected: str | None = None
    unknown_effect: str | None = None


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
    for match in re.finditer(rf"{_QUOTED}|([(\[])|([)\]])", mistake.text):
        if match.group(1):
            opened.append(match.start())
        elif match.group(2) and opened:
            opened.pop()
    if not opened:
        return None
    at = opened[-1]
    sign = mistake.text[at]
    closing = ")" if sign == "(" else "]"
    return Meant(None, at, at + 1, f"`{sign}` that is never closed", f"its `{closing}`")


def _unopened_bracket(mistake: Mistake) -> Meant | None:
    if mistake.found not in {")", "]"}:
        return None
    opening = "(" if mistake.found == ")" else "["
    counted = re.sub(_QUOTED, "", mistake.text[: mistake.begin])
    if counted.count(opening) > counted.count(mistake.found):
        return None
    return Meant(f"no `{opening}` is open here")


def _lonely_if(mistake: Mistake) -> Meant | None:
    """`reward 1 if C`: a condition behind an effect."""
    if mistake.start not in {"effects", "infos", "observations"}:
        return None
    at = mistake.begin
    if mistake.found != "if":
        ifs = [match.start() for match in re.finditer(r"\bif\b", mistake.text[: mistake.begin])]
        if "ELSE" not in mistake.expected or not ifs:
            return None
        at = ifs[-1]
    start = mistake.item_start()
    if not mistake.text[start:at].strip():
        line = "`if C:` opens a line of its own in the rule's block: write its effects after the colon"
        return Meant(line, at, at + 2)
    help = "a condition stands in the rule's head (`on enter K if C: ...`) or opens a line (`if C: ...`)"
    if mistake.start != "effects":
        help = "write `A if C else B`"
    return Meant(help, at, at + 2, "`if` without `else`", "`,` or the end")


def _block_line(mistake: Mistake) -> Meant | None:
    """`on enter goal: if x: end`, `reward 1, if x: end`: a block's line among effects with commas."""
    at = mistake.item_start()
    word = re.match(r"(if|else|retry|repeat)\b" if at == 0 else r"(if|else)\b", mistake.text[at:])
    if mistake.start != "effects" or word is None:
        return None
    return Meant(
        f"`{word.group()}` starts a line of its own, indented below",
        at,
        at + word.end(),
        expected="an effect",
    )


# Words of rules


_EVENT_WORDS = {
    **dict.fromkeys(
        ("touch", "reach", "hit", "collide", "arrive", "step_on", "land", "visit", "in"), "enter"
    ),
    **dict.fromkeys(("exit", "left", "depart", "out"), "leave"),
    **dict.fromkeys(("take", "grab", "pick", "collect", "get"), "pickup"),
    **dict.fromkeys(("put", "release"), "drop"),
    **dict.fromkeys(("open", "use", "press", "activate", "interact"), "toggle"),
    **dict.fromkeys(("shove", "move"), "push"),
    **dict.fromkeys(("encounter", "catch"), "meet"),
}


def _event(mistake: Mistake) -> Meant | None:
    """`on entr cliff`: the event is misspelt, or not the word of the language."""
    if mistake.start != "rule" or not {"ENTER", "LEAVE"} <= mistake.expected:
        return None
    opening = re.match(r"on\s+(each|every|when|step)\b", mistake.text)
    if opening is not None:
        shown = f"each {mistake.text[3:40]}" if opening.group(1) == "step" else mistake.text[3:40]
        return Meant(f"write `{shown}`, without `on`", 0, 2, expected="`each`, `every` or `when`")
    places = [(mistake.begin, mistake.end)]
    if (word := mistake.last_word()) is not None:
        places.insert(0, word.span())
    expected = listing((*EVENTS, "act", "do", "fail"))
    for begin, end in reversed(places):
        written = mistake.text[begin:end]
        help = did_you_mean(written, EVENTS)
        if help is None and written in _EVENT_WORDS:
            help = f"did you mean `{_EVENT_WORDS[written]}`?"
        if help is not None:
            return Meant(help, begin, end, expected=expected)
    return None


def _several_kinds(mistake: Mistake) -> Meant | None:
    if (
        mistake.start != "rule"
        or not mistake.text.startswith("on")
        or mistake.found not in {",", "or", "and", "|"}
    ):
        return None
    return Meant("a rule names one kind: write one for each of them")


def _steps(mistake: Mistake) -> Meant | None:
    if mistake.start != "rule":
        return None
    count = re.match(r"(each|every)\s+(\w+)\s*", mistake.text)
    if count is None or mistake.text.startswith("each step"):
        return None
    if count.group(2).isdigit():
        return Meant(f"write `every {count.group(2)} steps`")
    if count.group(1) == "every":
        return Meant(f"write `each {count.group(2)}`; `every` counts steps: `every 5 steps`", 0, 5)
    return None


def _article(mistake: Mistake) -> Meant | None:
    word = mistake.last_word()
    articles = {"the", "a", "an"} if mistake.start in {"rule", "effects"} else {"the"}
    if word is None or word.group().lower() not in articles or not re.match(r"\w", mistake.found):
        return None
    return Meant(f"leave `{word.group()}` out", *word.span(), expected="a name")


# Effects


OTHER_EFFECTS = {
    "elif": "write `else if`",
    "elseif": "write `else if`",
    "elsif": "write `else if`",
    "for": "there are no loops: `each K: ...` is a rule for every K",
    "foreach": "there are no loops: `each K: ...` is a rule for every K",
    "while": "there are no loops: a rule fires in every step, as in `when C: ...`",
    "when": "inside a block a condition starts with `if`",
    "goto": "write `go to`",
    "teleport": "write `go to`",
    "jump": "write `go to`",
    "set": "write `NAME = VALUE`, or `K becomes WORD`",
    "let": "write `NAME = VALUE`",
    "change": "write `K becomes WORD`",
    "give": "write `reward`, or `pickup K`",
    "add": "write `NAME += VALUE`, or `place K at CELL`",
    "spawn": "write `place K at CELL`",
    "create": "write `place K at CELL`",
    "put": "write `place K at CELL`",
    "destroy": "write `remove K`",
    "delete": "write `remove K`",
    "kill": "write `remove K`, or `out` for an agent",
    "terminate": "write `end`",
    "stop": "write `end`, or `cancel` for an action",
    "finish": "write `end`",
    "win": "write `end success`",
    "lose": "write `end failure`",
    "done": "write `end`",
    "reset": "write `end`",
    "score": "write `reward`",
    "penalty": "write `reward -1`",
    "print": "write `info NAME = VALUE`",
    "random": "write `choose NAME in ...`",
    "pick": "write `pickup K`, or `choose NAME in ...`",
    "pass": "leave the line out",
}


def _unknown_effect(mistake: Mistake) -> Meant | None:
    """`rewrd 3`: the first word of the item is no effect."""
    if mistake.start != "effects":
        return None
    start = mistake.item_start()
    word = re.compile(r"[A-Za-z_]\w*").match(mistake.text, start)
    if word is None or word.group() in EFFECT_WORDS or mistake.text[word.end() : mistake.begin].strip():
        return None
    name = word.group()
    if mistake.found in {"=", "+=", "-=", "(", "."} or name in {"if", "else", "retry", "repeat"}:
        return None
    if re.match(r"[^\w\s\"(:-]", mistake.found) or _near_expected(mistake):
        return None
    help = OTHER_EFFECTS.get(name.lower()) or did_you_mean(name, EFFECT_WORDS)
    if help is None and re.match(r"[\w-]", mistake.found):
        help = f"write `{name} = {mistake.rest[:20].strip()}` to set a variable"
    return Meant(help, *word.span(), unknown_effect=name)


def _joined_effects(mistake: Mistake) -> Meant | None:
    """`reward 1 end`, `reward 1 and end success`: effects without their comma."""
    if mistake.start != "effects":
        return None
    joined = re.search(r"\b(and|then)\s+(\w+)\Z", mistake.before)
    if joined is not None and joined.group(2) in EFFECT_WORDS:
        return Meant("separate effects with `,`", *joined.span(1), expected="`,`")
    if mistake.found in EFFECT_WORDS and mistake.before:
        return Meant(f"separate effects with `,`: is one missing before `{mistake.found}`?")
    return None


def _placing(mistake: Mistake) -> Meant | None:
    """`place box on target`, `place key at column 3`, `place key in (1, 2)`."""
    item = mistake.text[mistake.item_start() :]
    if mistake.start != "effects" or not item.startswith("place "):
        return None
    word = mistake.last_word()
    if word is not None and word.group() in {"column", "row"} and re.search(r"\bat\s+\w+\Z", mistake.before):
        at = mistake.before.rindex("at", 0, word.start())
        return Meant("an area follows `in`, a cell follows `at`", at, at + 2, expected="`in`")
    if word is not None and word.group() == "in" and mistake.found == "(":
        return Meant("an area follows `in`, a cell follows `at`", *word.span(), expected="`at`")
    relation = re.match(r"place\s+\w+\s+(?:\w+\s+)?(on|to|near|by|inside|into|upon)\b", item)
    if relation is not None and "AT" in mistake.expected:
        begin = mistake.item_start() + relation.start(1)
        help = "a cell follows `at`, an area follows `in`: `place box at random target`"
        return Meant(help, begin, begin + len(relation.group(1)))
    return None


def _chance(mistake: Mistake) -> Meant | None:
    if mistake.start != "effects" or mistake.found != "with":
        return None
    return Meant("a chance stands in the rule's head: `on enter K with chance 0.5: ...`")


def _positional_kind(mistake: Mistake) -> Meant | None:
    """`place key (1, 2)`: what follows a kind in brackets are its attributes."""
    opened = re.search(r"(\w+)\s*\(\s*\Z", mistake.before + " ")
    if opened is None or mistake.expected != {"NAME"}:
        return None
    name = opened.group(1)
    return Meant(
        f"brackets behind `{name}` name attributes: `{name}(color=red)`; a cell follows `at` or `to`"
    )


# Domains and names of items


def _missing_in(mistake: Mistake) -> Meant | None:
    """`var n: 0..5`, `state open | closed`: a domain without its `in`."""
    if {"IN", "DISTINCT"} <= mistake.expected and re.search(r"\bchoose\b", mistake.before):
        return Meant("a domain follows `in`: `choose n in 1..6`")
    if mistake.start not in {"variable", "properties"}:
        return None
    if mistake.found == "or":
        return Meant("the values of a domain are joined by `|`")
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
    return Meant(
        f"a domain follows `in`: write `in {domain[:30]}`", start, start + len(written), expected="`in`"
    )


def _colon(mistake: Mistake) -> Meant | None:
    if not mistake.found.startswith(":"):
        return None
    word = mistake.last_word()
    name = word.group() if word is not None else "name"
    value = mistake.text[mistake.end :].strip().split(",")[0][:20]
    if mistake.start in {"legend", "infos", "observations", "actions"}:
        return Meant(f"write `{name} = {value}`")
    if mistake.start == "properties":
        return Meant(f"write `{name} in {value}`")
    if mistake.start == "effects" and name in EFFECT_WORDS:
        return Meant(f"an effect has no `:`: write `{name} {value}`")
    if mistake.start == "effects" and name in OTHER_EFFECTS:
        return None
    return Meant("one `:` stands in a statement, after its head")


def _attribute(mistake: Mistake) -> Meant | None:
    """`state = open | closed`, `solid = true`."""
    if mistake.start != "properties" or mistake.found != "=":
        return None
    word = mistake.last_word()
    name = word.group() if word is not None else "name"
    if name in {"solid", "opaque", "pushable", "portable", "slide"}:
        return Meant(f"a property stands by itself: write `{name}`")
    value = mistake.text[mistake.end :].strip().split(",")[0][:30]
    return Meant(f"write `{name} in {value}`")


def _missing_comma(mistake: Mistake) -> Meant | None:
    if mistake.start not in LISTS or "COMMA" not in mistake.expected or mistake.start == "effects":
        return None
    if not re.match(r"[\w\"]", mistake.found) or mistake.found in _WORDS or mistake.last_word() is None:
        return None
    if _near_expected(mistake):
        return None
    return Meant(f"is a `,` missing before `{mistake.found[:20]}`?")


# Words and signs of other languages


_WORDS = {
    "then": "write `:` in place of `then`",
    "equals": "compare numbers with `==`, words with `is`",
    "eq": "compare numbers with `==`, words with `is`",
    "isnt": "write `is not`",
    "isn": "write `is not`",
    "contains": "write `has`",
    "holds": "write `has`",
    "carries": "write `has`",
    "near": "write `within 1 of`",
    "touches": "write `on`, or `within 1 of`",
    "touching": "write `on`, or `within 1 of`",
    "inside": "write `on`",
    "unless": "write `if not`",
    "otherwise": "write `else`",
    "elif": "write `else if`",
    "xor": "write `is not`",
    "when": "write `if`",
    "while": "write `if`",
    "probability": "write `chance`",
    "prob": "write `chance`",
    "in": "compare with `>=` and `<=`, or with `is`",
    "exists": "write `any K ...` or `count(K) > 0`",
    "greater": "write `>`",
    "less": "write `<`",
}


def _superfluous_is(mistake: Mistake) -> Meant | None:
    """`agent is on goal`."""
    written = mistake.text[: mistake.end]
    relation = re.search(r"(\w+)\s+(is)\s+(not\s+)?(on|at|ahead|within|has|left)(\s+\S+)?\Z", written)
    if relation is None:
        return None
    subject, _, negation, word, _ = relation.groups()
    shown = f"not {subject[:20]} {word}" if negation else f"{subject[:20]} {word}"
    return Meant(f"leave `is` out: write `{shown} ...`", *relation.span(2), expected=f"`{word}`")


def _word(mistake: Mistake) -> Meant | None:
    if mistake.found in {"if", "else"} and mistake.start == "rule":
        return Meant("a rule's head has one `if`, after its trigger")
    help = _WORDS.get(mistake.found.lower())
    return Meant(help) if help is not None else None


_SIGNS = (
    (r"=>", "write `>=`"),
    (r"=<", "write `<=`"),
    (r"&", "write `and`"),
    (r"\|\|", "write `or`"),
    (r"!", "write `not`"),
    (r"\+\+", "write `NAME += 1`"),
    (r"--", "write `NAME -= 1`"),
    (r"[*/%]=", "write `NAME = NAME * 2`"),
    (r"%", "write `mod` for the remainder"),
    (r"//", "write `div` for whole division"),
    (r"\^", "there is no power: write `x * x`"),
    (r"\?", "write `A if C else B`"),
    (r"['‘’“”`]", 'texts stand in double quotes: "..."'),
    (r";", "separate items with `,`"),
    (r"[–—−]", "write `-`"),
    (r"×", "write `*`"),
    (r"≤", "write `<=`"),
    (r"≥", "write `>=`"),
    (r"≠", "write `!=`"),
    (r"∞", "there is no infinity"),
    (r"\{", "there are no braces: a block is indented"),
    (r"\.\d", "write the 0 before the point"),
    (r"[→⇒]", "effects follow `:`"),
    (r"\u00a0", "it looks like a blank; write a plain one"),
)
_SIGNS_AFTER = (
    ("<", r">", "write `!=`"),
    ("==", r"=", "write `==`"),
    ("-", r">", "`->` means nothing here; effects follow `:`"),
    ("*", r"\*", "there is no power: write `x * x`"),
    ("/", r"/", "write `div` for whole division"),
    ("..", r"\.", "write `..`"),
    ("reward +", r"=", "write `reward 1`: it adds to the step's reward"),
    ("reward -", r"=", "write `reward -1`: it adds to the step's reward"),
)


def _sign(mistake: Mistake) -> Meant | None:
    for pattern, help in _SIGNS:
        match = re.match(pattern, mistake.rest)
        if match is not None:
            return Meant(help, mistake.begin, max(mistake.end, mistake.begin + match.end()))
    for before, pattern, help in _SIGNS_AFTER:
        if mistake.text[: mistake.begin].endswith(before) and re.match(pattern, mistake.rest):
            return Meant(help, mistake.begin - len(before), mistake.end)
    if mistake.found == "=":
        return _equals(mistake)
    return None


def foreign_letter(text: str) -> str | None:
    """Return what to say of the first letter or digit that is not ASCII: it may look as one that is."""
    found = next((sign for sign in text if sign.isalnum() and not sign.isascii()), None)
    if found is None:
        return None
    from unicodedata import name

    called = name(found, "").lower()
    return f"`{found}` is U+{ord(found):04X}{called and f', {called}'}: names and numbers are ASCII"


def _foreign_letter(mistake: Mistake) -> Meant | None:
    word = re.match(r"\w+", mistake.rest)
    help = foreign_letter(word.group()) if word else None
    if word is None or help is None:
        return None
    started = re.search(r"\w*\Z", mistake.text[: mistake.begin])
    assert started is not None
    return Meant(help, started.start(), mistake.begin + word.end())


def _equals(mistake: Mistake) -> Meant | None:
    if mistake.start in {
        "rule",
        "if_head",
        "else_if_head",
        "slip_head",
        "retry_head",
        "repeat_head",
        "expression",
    }:
        return Meant("compare numbers with `==`, words with `is`")
    if mistake.start == "effects" and re.search(r"\b(if|where|until)\b", mistake.before):
        return Meant("compare numbers with `==`, words with `is`")
    return None


def _comparison_chain(mistake: Mistake) -> Meant | None:
    chain = re.search(r"(\S+)\s*(<=?|>=?|==)\s*(\S+)\Z", mistake.before)
    if chain is None or not re.fullmatch(r"<=?|>=?|==", mistake.found):
        return None
    left, sign, middle = (part[:20] for part in chain.groups())
    return Meant(f"write `{left} {sign} {middle} and {middle} {mistake.found} ...`")


def _list_in_brackets(mistake: Mistake) -> Meant | None:
    if mistake.found != "[" or "LSQB" in mistake.expected:
        return None
    return Meant("items stand without brackets, separated by `,`; a cell is `(x, y)`")


def _glyph(mistake: Mistake) -> Meant | None:
    at_start = not mistake.text[mistake.item_start() : mistake.begin].strip()
    if mistake.start != "legend" or not at_start or not re.match(r"[^\w\s\"=,(]", mistake.found):
        return None
    sign = mistake.found[0]
    return Meant(f'a glyph that is no letter or digit stands in quotes: `"{sign}" = ...`')


def _quoted_word(mistake: Mistake) -> Meant | None:
    quoted = re.fullmatch(r'"(\w+)"', mistake.found)
    if quoted is None or "NAME" not in mistake.expected:
        return None
    return Meant(f"a name stands without quotes: `{quoted.group(1)}`")


def _number(mistake: Mistake) -> Meant | None:
    thousands = re.search(r"(\d+),(\d{3})\Z", mistake.before)
    if thousands is not None and not mistake.found and mistake.start == "effects":
        return Meant(
            f"write `{thousands[1]}{thousands[2]}`", *thousands.span(), expected="a number without `,`"
        )
    if re.fullmatch(r"\d[\d_]*", mistake.found) and "_" in mistake.found:
        return Meant(f"write `{mistake.found.replace('_', '')}`")
    glued = re.fullmatch(r"(\d+(?:\.\d+)?)([A-Za-z_]\w*)", mistake.found)
    if glued is not None:
        return Meant(f"a name starts with a letter; a blank stands after a number: `{glued[1]} {glued[2]}`")
    return None


# Shapes of single statements


def _misspelt_move(mistake: Mistake) -> Meant | None:
    word = re.search(r"=\s*(\w+)\Z", mistake.before)
    if mistake.start != "actions" or word is None or not near(word.group(1), ["move"]):
        return None
    return Meant("did you mean `move`?", *word.span(1), expected="`move`")


def _slip_order(mistake: Mistake) -> Meant | None:
    order = re.match(r"(left|right|back)\s+(\d+(?:/\d+)?)", mistake.text[mistake.item_start() :])
    return Meant(f"write `{order[2]} {order[1]}`") if mistake.start == "slip" and order is not None else None


def _view_size(mistake: Mistake) -> Meant | None:
    if "SIZE" not in mistake.expected or not mistake.found.isdigit():
        return None
    return Meant(f"write `view {mistake.found[:4]}x{mistake.found[:4]}`")


def _color(mistake: Mistake) -> Meant | None:
    if mistake.start != "looks" or not mistake.before.endswith("color"):
        return None
    return Meant('a color is a name, or stands in quotes: `color "#222222"`')


def _rectangle(mistake: Mistake) -> Meant | None:
    if mistake.start != "regions" or "LPAR" not in mistake.expected or not mistake.found:
        return None
    return Meant("write each rectangle as `(1..3, 1..6)`")


def _third_coordinate(mistake: Mistake) -> Meant | None:
    if mistake.found != "," or not re.search(r"(?<!\w)\([^()]*,[^()]*\Z", mistake.before):
        return None
    return Meant("a cell has two coordinates, `(x, y)`")


def _called_attribute(mistake: Mistake) -> Meant | None:
    called = re.search(r"\.(\w+)\Z", mistake.before)
    if mistake.found != "(" or called is None:
        return None
    return Meant(f"nothing is called with a dot: write `agent {called[1]} key`, or `{called[1]}(...)`")


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
        return Meant(f"write `{words[0]}` before `{mistake.found[:20]}`")
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
    return None


_HABITS: tuple[Callable[[Mistake], Meant | None], ...] = (
    _unclosed_bracket,
    _unopened_bracket,
    _foreign_letter,
    _block_line,
    _lonely_if,
    _joined_effects,
    _placing,
    _chance,
    _glyph,
    _colon,
    _unknown_effect,
    _event,
    _several_kinds,
    _steps,
    _article,
    _missing_in,
    _attribute,
    _comparison_chain,
    _superfluous_is,
    _misspelt_move,
    _slip_order,
    _view_size,
    _color,
    _rectangle,
    _third_coordinate,
    _called_attribute,
    _word,
    _list_in_brackets,
    _sign,
    _number,
    _positional_kind,
    _quoted_word,
    _misspelt,
    _missing_comma,
    _reserved,
)
