"""Habits in definitions: how other languages write them, and what is most likely meant."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import CONDITIONS, Habits, Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS


def definition_head(mistake: Mistake) -> Meant | None:
    """`define near goal`, `define hurt(n=1)`, `define hurt(n: int)`, `define hurt(n in 1..3)`, `define hurt n`."""
    if mistake.start != "define_head":
        return None
    text = mistake.text.strip()
    empty = re.fullmatch(r"(\w+)\s*(\(\s*\))", text)
    if empty is not None:
        line = write(empty[1], ": it takes nothing", None)
        return Meant(line, *empty.span(), expected="a name", start=empty.start(), stop=empty.end())
    twice = re.match(r"define\s+(?=\w)", text)
    if twice is not None:  # in TOML, where the table says so
        help = Help(f"write `{text[twice.end() :]}`: the table says that it is defined", ("",))
        return Meant(help, 0, twice.end(), expected="a name", start=0, stop=twice.end())
    default = re.search(r"(\w+)\s*=\s*[^,)]+", text)
    if default is not None:
        line = write(default[1], ": what a parameter is, each call says", None)
        return Meant(
            line,
            *default.span(),
            expected="the names of parameters",
            start=default.start(),
            stop=default.end(),
        )
    typed = re.search(r"(\w+)\s*:\s*\w+(?:\s*=[^,)]+)?(?=\s*[,)])", text)
    if typed is not None:
        line = write(typed[1], ": a parameter has no type, what is given has one")
        start, stop = typed.span()
        return Meant(line, start, stop, expected="the names of parameters", start=start, stop=stop)
    drawn = re.search(r"(\w+)\s+in\s+[^,()]+(?=\s*[,)])", text)
    if drawn is not None:
        line = write(drawn[1], ": what a parameter can be, is not said")
        start, stop = drawn.span()
        return Meant(line, start, stop, expected="the names of parameters", start=start, stop=stop)
    words = re.fullmatch(r"(\w+)((?:\s+\w+)+)", text)
    if words is not None:
        named = "_".join([words[1], *words[2].split()])
        given = f"{words[1]}({', '.join(words[2].split())})"
        said = f"a name is one word, `{named}`; what it is given stands in brackets, `{given}`"
        return Meant(said, 0, len(text), expected="one name, perhaps with parameters in brackets")
    return None


def condition_alone(mistake: Mistake) -> Meant | None:
    """`allow pickup: if C`, `define near(k): where C`: the condition stands there by itself."""
    said = re.match(r"((?:only\s+)?(?:if|when|where|while)|unless)\s+", mistake.text)
    if mistake.start != "expression" or said is None or mistake.begin > said.end():
        return None
    if re.search(r"\belse\b|\?", mistake.text):
        return None
    rest = mistake.text[said.end() :].rstrip()
    if said[1] == "if" and (done := re.search(r":\s*(\w+)", rest)) is not None and done[1] in EFFECT_WORDS:
        line = "what a definition does stands below it, indented, a line each"
        return Meant(line, 0, len(mistake.text.rstrip()), expected="an expression, or a block of effects")
    if said[1] == "unless":
        return Meant(
            write(f"not ({rest})"),
            *said.span(1),
            expected="a condition",
            start=0,
            stop=said.end() + len(rest),
        )
    help = Help(f"a condition stands here by itself: leave `{said[1]}` out", ("",))
    return Meant(help, *said.span(1), expected="a condition", start=0, stop=said.end())


def returned(mistake: Mistake) -> Meant | None:
    """`define low(n): return n < 3`: what is behind the colon is what is meant."""
    if mistake.start != "expression" or mistake.before != "return":
        return None
    line = write(mistake.rest.rstrip(), ": a definition is what stands behind its colon")
    return Meant(line, 0, len(mistake.text.rstrip()), found="`return`", expected="an expression", start=0)


def called_without_brackets(mistake: Mistake) -> Meant | None:
    """`when near coin`, `if tired and wall_at north`: what a definition is given stands in brackets."""
    word = mistake.last_word()
    given = re.match(r"\w+(?:\.\w+)?", mistake.rest)
    if mistake.start not in CONDITIONS or word is None or given is None:
        return None
    defined = re.search(rf"^define\s+{word[0]}\s*\(\s*\w+\s*\)", mistake.whole, re.MULTILINE)
    if defined is None or given[0] in {
        "and",
        "or",
        "xor",
        "not",
        "if",
        "else",
        "with",
        "is",
        "on",
        "at",
        "to",
    }:
        return None
    help = write(f"{word[0]}({given[0]})", ": what a definition is given stands in brackets")
    return Meant(help, expected="`(`", start=word.start(), stop=mistake.begin + given.end())


def joined_by_commas(mistake: Mistake) -> Meant | None:
    """`allow pickup: agent on coin, energy > 3`: conditions are joined by `and`."""
    if mistake.start != "expression" or mistake.found != ",":
        return None
    asks = re.compile(r"\b(?:on|at|has|is|ahead|within|sees|not|any|no|all|can)\b|[<>]=?|[=!]=")
    if not asks.search(mistake.before) or not asks.search(mistake.rest):
        return None
    return Meant(write(" and", ": conditions are joined by it, or by `or`"), expected="`and` or the end")


def pair_of_a_definition(mistake: Mistake) -> Meant | None:
    """`define spot: 2, 0`: a cell stands in brackets."""
    said = re.fullmatch(
        r"\s*(-?[\w.]+(?:\s*[-+]\s*\w+)?)\s*,\s*(-?[\w.]+(?:\s*[-+]\s*\w+)?)\s*", mistake.text
    )
    if mistake.start != "expression" or mistake.found != "," or said is None:
        return None
    help = write(f"({said[1]}, {said[2]})", ": a cell stands in brackets")
    return Meant(help, expected="the end", start=0, stop=len(mistake.text.rstrip()))


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (called_without_brackets, joined_by_commas, pair_of_a_definition, condition_alone, returned)
