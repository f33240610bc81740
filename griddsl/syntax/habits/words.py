"""Words and signs that are nearly right: misspelt, reserved, without their comma."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, did_you_mean, listing, near, write
from griddsl.syntax.habits.effects.words.meant import effect_help
from griddsl.syntax.habits.kinds.properties import WORDS_OF_PROPERTIES
from griddsl.syntax.habits.mistake import ANY_EVENT, CONDITIONS, LISTS, QUOTED, Habits, Meant, Mistake, blanks
from griddsl.syntax.keywords import EFFECT_WORDS, RESERVED

# What somebody does with what is named behind it: no move or act of the language.
_DOING = frozenset(
    (
        "craft",
        "make",
        "build",
        "buy",
        "sell",
        "plant",
        "sow",
        "harvest",
        "cast",
        "throw",
        "eat",
        "drink",
        "use",
        "say",
        "cook",
        "mine",
        "chop",
        "open",
        "close",
        "play",
        "select",
        "choose",
        "water",
        "feed",
    )
)


def colon(mistake: Mistake) -> Meant | None:
    """`reward: 1`, `c: coin`: a colon inside a statement."""
    of_a_kind = mistake.expected == {"EQUAL"} and re.search(r"\w\([^()]*\Z", mistake.before)
    if not mistake.found.startswith(":") or of_a_kind:
        return None  # in the brackets of a kind it stands for `=`, of which another habit tells
    if mistake.found == ":" and mistake.before.endswith("="):
        stop = mistake.end + blanks(mistake.text, mistake.end)
        return Meant(Help("leave `:` out", ("",)), expected="a value", start=mistake.begin, stop=stop)
    word = mistake.last_word()
    name = word.group() if word is not None else "name"
    rest = mistake.text[mistake.end : max(mistake.end, mistake.item_end())].strip()
    value = rest[:20]
    if mistake.start in {"legend", "infos", "observations", "actions"}:
        item = re.compile(rf"({QUOTED}|\w+)\s*:\s*(?=\S)")
        rest = "".join(item.sub(r"\1 = ", mistake.text[mistake.item_start() :]))
        if mistake.start == "infos":  # as of a limit, whose number stands alone here
            value, rest = (re.sub(r"\b(\d+)\s+steps?\b", r"\1", each) for each in (value, rest))
        help = Help(f"write `{name} = {value}`", (rest,))
        return Meant(help, start=mistake.item_start(), stop=len(mistake.text))
    if (
        mistake.start in {"rule", "define_head"} and mistake.rest.strip() == ":"
    ):  # in TOML, where a head is a text of its own
        help = Help("a head stands here without its `:`: leave it out", ("",))
        return Meant(help, start=len(mistake.before), stop=len(mistake.text))
    if mistake.start == "rule":
        return Meant("what happens stands apart from the head, in `do`: leave it out behind the `:`")
    if mistake.start == "properties" and name in WORDS_OF_PROPERTIES:
        stop = mistake.begin + re.match(r":\s*", mistake.rest).end()  # type: ignore[union-attr]
        return Meant(Help(f"write `{name} {value}`", (" ",)), start=len(mistake.before), stop=stop)
    if mistake.start == "properties" and name in {"movement", "motion", "behavior", "behaviour", "policy"}:
        return Meant(write(f"moves {value}"), start=mistake.item_start(), stop=mistake.item_end())
    if mistake.start == "properties":
        return Meant(Help(f"write `{name} in {value}`", (" in",)), start=len(mistake.before))
    if mistake.start == "effects" and re.search(r"\blet\s+\w+\Z", mistake.before):
        return Meant(write(" ="), start=len(mistake.before), stop=mistake.begin + 1)
    if mistake.start == "effects" and name in EFFECT_WORDS:
        return Meant(Help(f"an effect has no `:`: write `{name} {value}`", ("",)))
    if mistake.start == "effects" and effect_help(name) is not None:
        return None
    return Meant("one `:` stands in a statement, after its head")


_FORMS = {
    "observations": ("position", "view", "pixels", "grid", "rays"),
    "properties": ("moves", "drift", "carry", "layer"),
}


def misspelt_before(mistake: Mistake) -> Meant | None:
    """`positon of agent`, `pixls 4`: the word before is misspelt, so that what follows it does not fit.

    `lift(spot in cells here peg at spot)`: so it is with `where` behind what an action takes.
    """
    word = mistake.last_word()
    forms = _FORMS.get(mistake.start, ())
    if mistake.start == "actions" and "WHERE" in mistake.expected:
        forms = ("where",)
    if word is None or not mistake.found or word.group() in forms:
        return None
    help = did_you_mean(word.group(), forms)
    return Meant(help, *word.span(), expected=listing(forms)) if help is not None else None


def missing_comma(mistake: Mistake) -> Meant | None:
    """`left right`: a list without its commas."""
    if mistake.start not in LISTS or "COMMA" not in mistake.expected or mistake.start == "effects":
        return None
    if not re.match(r"[\w\"]", mistake.found) or mistake.last_word() is None:
        return None
    if _near_expected(mistake):
        return None
    taken = re.search(r"\(([^()]* in [^()]*)\Z", mistake.text[: mistake.begin])
    is_next = re.match(
        r"\s*in\b", mistake.text[mistake.end :]
    )  # as behind a comma among what an action takes
    if mistake.start == "actions" and taken is not None and is_next is None:
        return Meant(
            f"a condition stands behind `where`: `{taken[1].split(',')[-1].split()[0]} in ... where C`"
        )
    if mistake.start == "agents" and re.match(r"\s*(?:moves|carries|facing)\b", mistake.text):
        return Meant(
            f"what one is like has a statement of its own: `agent NAME: {mistake.text.strip()[:40]}`"
        )
    if mistake.start == "observations" and mistake.before.strip() in {"flat", "tuple"}:
        form = mistake.before.strip()
        return Meant(f"`{form}` stands before the colon: `observe {form}: {mistake.found[:20]}`")
    if mistake.start == "properties" and mistake.found in {"if", "unless"}:
        ruled = (
            "only `solid`, `opaque` and `pushable` take a condition: what changes otherwise, a rule changes"
        )
        return Meant(ruled, expected=None)
    seen = re.fullmatch(r"(?:fov|local|window|vision|egocentric|partial|patch)\s*(\d+)\s*", mistake.text)
    if mistake.start == "observations" and seen is not None:
        return Meant(
            write(f"view {int(seen[1]) | 1}x{int(seen[1]) | 1}"), start=0, stop=len(mistake.text.rstrip())
        )
    if mistake.start == "slip" and re.match(r"\s*(?:if|when|while)\b", mistake.text):
        return Meant("a condition stands in the head: `slip if C: 1/4 left, 1/4 right`")
    named = re.search(r"(?:\A|,\s*)(\w+)\s*\Z", mistake.before)
    if (
        mistake.start == "actions"
        and named is not None
        and named[1] in _DOING
        and mistake.found.isidentifier()
    ):
        help = Help(
            f"an action's name is one word: `{named[1]}_{mistake.found}`", (f"{named[1]}_{mistake.found}",)
        )
        return Meant(help, start=named.start(1), stop=mistake.end)
    help = Help(f"is a `,` missing before `{mistake.found[:20]}`?", (f", {mistake.found}",))
    return Meant(help, start=len(mistake.before), stop=mistake.end, guess=True)


def misspelt(mistake: Mistake) -> Meant | None:
    """A word that is near one that could stand there."""
    if not re.fullmatch(r"[A-Za-z_]\w*", mistake.found):
        return None
    words = _expected_words(mistake)
    help = did_you_mean(mistake.found, words)
    if help is not None:
        return Meant(help, guess=True)
    if len(mistake.expected) == 1 and words:
        help = Help(f"write `{words[0]}` before `{mistake.found[:20]}`", (f"{words[0]} {mistake.found}",))
        return Meant(help, guess=True)
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


def reserved(mistake: Mistake) -> Meant | None:
    """`object if`: a word of the language as a name."""
    if "NAME" in mistake.expected and mistake.found in RESERVED:
        return Meant(f"`{mistake.found}` is a word of the language and cannot be a name here")
    word = mistake.last_word()
    if mistake.found == "=" and word is not None and word.group() in RESERVED:
        help = f"`{word.group()}` is a word of the language and cannot be a name here"
        return Meant(help, *word.span(), expected="a name")
    return None


def article(mistake: Mistake) -> Meant | None:
    """`on enter the coin`: an article."""
    word = mistake.last_word()
    articles = {"the", "a", "an"} if mistake.start in {"rule", "effects"} else {"the"}
    if mistake.start == "rule" and re.fullmatch(rf"on\s+(?:\w+\s+)?(?:{ANY_EVENT})\s+any", mistake.before):
        articles = {"any"}  # of a kind that an event names, each one is meant anyway
    if word is None or word.group().lower() not in articles or not re.match(r"\w", mistake.found):
        return None
    if re.search(r"\bchoose\s+\w+\Z", mistake.before) and mistake.found in {"from", "of", "distinct"}:
        return None  # there it is what is drawn that is called so
    help = Help(f"leave `{word.group()}` out", ("",))
    return Meant(help, *word.span(), expected="a name", start=word.start(), stop=mistake.begin)


def dangling(mistake: Mistake) -> Meant | None:
    """`when C and: ...`: a word that joins, with nothing behind it."""
    word = re.search(r"\s+(and|or|xor)\Z", mistake.before)
    if mistake.found or word is None or mistake.start not in CONDITIONS:
        return None
    help = Help(f"leave `{word[1]}` out, or say what else is asked", ("",))
    return Meant(
        help, *word.span(1), expected="a condition behind it", start=word.start(), stop=len(mistake.before)
    )


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (misspelt_before, misspelt, missing_comma)
