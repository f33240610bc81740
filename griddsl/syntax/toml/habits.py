"""Habits in TOML: lines that are none, and what is most likely meant by them."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, domain_around, write
from griddsl.source import Source, Span
from griddsl.syntax.habits.kinds.properties import WORDS_OF_PROPERTIES
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS
from griddsl.syntax.toml.tree import Array, Entry, Literal, String, Value


def meant(source: Source, wrong: int) -> str | None:
    """Return what to write in place of a line, or of a part of it, that goes wrong at an offset."""
    return (
        _quoted(source, wrong)
        or _quoted_key(source, wrong)
        or _as_grid(source.line(source.whole().span(wrong, wrong).line))
    )


def _quoted(source: Source, wrong: int) -> str | None:
    """`limit = 50 steps`, `key: "portable"`: say how a line is written that lacks its quotes, or its sign."""
    begin = source.text.rfind("\n", 0, wrong) + 1
    line = source.line(source.whole().span(wrong, wrong).line)
    said = re.match(r"([\w-]+|\"[^\"]*\")(\s*=\s*)([^\s\"'\[\]{}#][^\"'\[\]{}#]*?)\s*(?:#|\Z)", line)
    if said is not None and wrong >= begin + said.start(3):
        place = Span(source, begin + said.start(3), begin + said.end(3))
        return write(f'"{said[3]}"', ": a text stands in quotes", place)
    sign = re.match(r"(?:[\w-]+|\"[^\"]*\")\s*(:)\s*[\"'\[{]", line)
    inside = re.search(r"[{,]\s*(?:[\w-]+|\"[^\"]*\")\s*\Z", line[: wrong - begin]) is not None
    if (sign is not None and begin + sign.start(1) == wrong) or (
        inside and source.text[wrong : wrong + 1] == ":"
    ):
        return write("=")
    return None


_LINE = re.compile(r"[ \t]*(?:[a-z]+\.(?=\S))?([^\s\"'=\[\]{}#][^\"'=\[\]{}#\n]*?)\s*=\s*(?=[\"'\[{\d])")
_GLYPH = re.compile(r"([^\s\w\"'=,{}\[\]])\s*=\s*(?=[\"'])")


def _quoted_key(source: Source, wrong: int) -> Help | None:
    """`variant.u/Easy-v0 = "size = 7"`, `f(n) = "n + 1"`, `{ $ = "box" }`: a key that is no plain word is quoted."""
    begin = source.text.rfind("\n", 0, wrong) + 1
    glyph = _GLYPH.match(source.text, wrong)
    if glyph is not None and re.search(r"(?:[{,]|\A)\s*\Z", source.text[begin:wrong]):
        place = Span(source, *glyph.span(1))
        return write(f'"{glyph[1]}"', ": a key that is no plain word stands in quotes", place)
    line = _LINE.match(source.text, begin)
    if line is None or not line.start(1) <= wrong <= line.end(1) or re.fullmatch(r"[\w.-]*", line[1]):
        return None
    if "\\" in line[1]:
        return None
    return write(
        f'"{line[1]}"', ": a key that is no plain word stands in quotes", Span(source, *line.span(1))
    )


_PAIR = re.compile(
    r"\s*([\w-]+|\"[^\"]*\")\s*=\s*(?:\"((?:\\\\.|[^\"\\\\])*)\"|'([^']*)'|([^,{}\"'\[\]]+?))\s*(?:,|\Z)"
)


def in_a_text(keyword: str, owner: Span) -> Help | None:
    """Return the text, or the list of texts, that says what a table in braces says; None where that is not known.

    `variant."mine/X-v0" = {size = 7, enemies = 1}` is one text, `info = {a = "step"}` a list of them.
    """
    source = owner.source
    braces = re.compile(r"\s*=\s*(\{([^\n{}]*)\})").match(source.text, owner.end)
    if braces is None or keyword not in {"variant", "info", "observe", "actions", "param", "var"}:
        return None
    pairs = list(_PAIR.finditer(braces[2]))
    if "".join(pair[0] for pair in pairs) != braces[2] or not pairs:
        return None
    if keyword in {"param", "var"}:
        return _domain(pairs, Span(source, braces.start(1), braces.end(1)))
    said = [f"{pair[1]} = {pair[2] or pair[3] or pair[4]}" for pair in pairs]
    if any('"' in each for each in said):
        return None
    texts = [f'"{each}"' for each in said]
    whole = f'"{", ".join(said)}"' if keyword == "variant" else f"[{', '.join(texts)}]"
    return write(whole, place=Span(source, braces.start(1), braces.end(1)))


def _domain(pairs: list[re.Match[str]], place: Span) -> Help | None:
    """`size = {default = 5, min = 1, max = 9}`: one text, its first value and its domain."""
    said = {pair[1]: pair[2] or pair[3] or pair[4] for pair in pairs}

    def first_of(*names: str) -> str | None:
        return next((said[name] for name in names if name in said), None)

    value = first_of("default", "value", "initial", "start", "init")
    low, high = first_of("min", "low", "minimum", "from"), first_of("max", "high", "maximum", "to")
    if value is None or not re.fullmatch(r"-?\d+", value) or (low is None) != (high is None):
        return None
    if low is None or high is None:
        return write(f'"{value} in {domain_around(value)}"', place=place)
    return write(f'"{value} in {low}..{high}"', place=place)


def property_said(part: str, value: Value) -> str:
    """Return the text that says a property, of which a key of its own was made: `moves = "random"`, `solid = true`."""
    text = value.fragment.text if isinstance(value, String | Literal) else "..."
    if isinstance(value, Literal) and text == "true":
        return part
    if part in WORDS_OF_PROPERTIES or re.match(r"\s*(?:\S+\s+)?in\s", text):
        return f"{part} {text}"
    return f"{part} in ..."


_RULE = re.compile(rf"((?:{'|'.join(RULE_WORDS)})\b[^:\"]*?)\s*:\s*([^\"]+)")


def rule_of_a_text(value: Value) -> str | None:
    """`rules = ["on enter goal: end success"]`: how the first one is written as a table; None for what is no rule."""
    first = next((item.value for item in value.items), None) if isinstance(value, Array) else value
    said = _RULE.fullmatch(first.fragment.text.strip()) if isinstance(first, String) else None
    if said is None:
        return None
    return f'each is a table: `[[rules]]`, and below it `when = "{said[1]}"` and `do = "{said[2]}"`'


def trigger_meant(part: Entry) -> Help | None:
    """`on = "enter goal"`, `each = "step"`, `on = "each step"`: a trigger stands in `when`, with its first word."""
    key, value = part.path[0], part.value
    if key.text not in {*RULE_WORDS, "trigger", "event", "condition"} or not isinstance(value, String):
        return None
    said = value.fragment.text.strip()
    if '"' in said or "\n" in said or len(part.path) > 1:
        return None
    if said.split(" ")[0] not in RULE_WORDS:
        if key.text not in RULE_WORDS:
            return None
        said = f"{key.text} {said}"
    return write(f'when = "{said}"', ": the trigger, with its first word", key.span.to(value.span))


def _as_grid(line: str) -> str | None:
    """Say how a line that reads as in a ``.grid`` file is written in TOML."""
    said = re.match(r"([a-z]+)(?:\s+([^:=\"]+?))?\s*:\s*(.*)", line)
    if said is None or (said[1] not in STATEMENTS and said[1] not in RULE_WORDS):
        return None
    head, items = f"{said[1]} {said[2]}" if said[2] else said[1], said[3].partition("#")[0].strip() or "..."
    if said[1] in RULE_WORDS:
        written = f'`[[rules]]`, and below it `when = "{head}"` and `do = "{items}"`'
    elif said[2]:
        written = f'`[{said[1]}]`, and below it `{said[2]} = "{items}"`'
    else:
        written = f'`{said[1]} = "{items}"`'
    return f"a `.grid` file says it so, and its `env:` too; in TOML it is {written}"
