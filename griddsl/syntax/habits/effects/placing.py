"""`place` in other words: where something is put, and how that is said."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake

_PLACE = r"place\s+(?:\d+\s+)?\w+(?:\([^()]*\))?"
_KIND = r"place\s+\w+(?:\([^()]*\))?"
_IN_BRACKETS = r"\((?:[^()]|\([^()]*\))*\)"


def placing(mistake: Mistake) -> Meant | None:
    """`place box on target`, `place key at column 3`, `place key in column 3 row 2`."""
    if mistake.start != "effects" or not re.match(r"place\b", mistake.text[mistake.text.rfind("place") :]):
        return None
    item = _Item(mistake, mistake.item_start())
    return next(filter(None, (meant(item) for meant in _MEANT)), None)


@dataclass(frozen=True, slots=True)
class _Item:
    """What is placed, from where it starts in its clause to the clause's end."""

    mistake: Mistake
    start: int

    @property
    def text(self) -> str:
        """What is written."""
        return self.mistake.text[self.start :]

    @property
    def alone(self) -> str:
        """What is written, where it ends too soon: before a comma, or the clause's end."""
        return self.mistake.before[self.start :] if self.mistake.found in {"", ","} else ""

    def wrong_in(self, stop: int) -> bool:
        """Whether the mistake stands before a place in the item."""
        return self.mistake.begin <= self.start + stop

    def meant(self, line: Help, stop: int, expected: str | None = None) -> Meant:
        """Return what was meant by the item up to a place in it."""
        return Meant(line, expected=expected, start=self.start, stop=self.start + stop)

    def word(
        self, line: Help | str, span: tuple[int, int], stop: int = 0, expected: str | None = None
    ) -> Meant:
        """Return what was meant by a word of the item, and by what follows it up to a place in it, if any."""
        begin, end = self.start + span[0], self.start + span[1]
        if not stop:
            return Meant(line, begin, end, expected=expected)
        return Meant(line, begin, end, expected=expected, start=begin, stop=self.start + stop)


def _at_a_line(item: _Item) -> Meant | None:
    """`place key at column 3`."""
    mistake = item.mistake
    word = mistake.last_word()
    if word is None or word.group() not in {"column", "row"}:
        return None
    if not re.search(r"\bat\s+\w+\Z", mistake.before):
        return None
    at = mistake.before.rindex("at", 0, word.start())
    return Meant(Help("an area follows `in`, a cell follows `at`", ("in",)), at, at + 2, expected="`in`")


def _on_a_cell(item: _Item) -> Meant | None:
    """`place box on (1, 2)`."""
    found = re.match(rf"{_KIND}\s+(?:as\s+\w+\s+)?(on|to|in|by)\s*\(\s*\w+\s*,\s*\w+\s*\)", item.text)
    if found is None or found[1] == "in":
        return None
    return item.word(Help("a cell follows `at`", ("at",)), found.span(1), expected="`at`")


def _named_behind(item: _Item) -> Meant | None:
    """`place box at (1, 2) as first`."""
    found = re.match(rf"({_KIND})\s+((?:at|in)\s+(?:{_IN_BRACKETS}|[^,()])*?)\s+as\s+(\w+)", item.text)
    if found is None or item.mistake.found != "as":
        return None
    help = write(f"{found[1]} as {found[3]} {found[2]}", ": the name stands before the place")
    return item.meant(help, found.end(), "`,` or the end")


def _random_in(item: _Item) -> Meant | None:
    """`place box in room at random`, `place box at random in room`."""
    found = re.match(rf"({_PLACE})\s+(?:in\s+(\w+)\s+at\s+random|at\s+random\s+in\s+(\w+))", item.text)
    if found is None or not item.wrong_in(found.end()):
        return None
    return item.meant(write(f"{found[1]} at random free in {found[2] or found[3]}"), found.end())


def _other_relation(item: _Item) -> Meant | None:
    """`place box on target`, `place box on a random floor`."""
    found = re.match(rf"{_KIND}\s+(?:\w+\s+)?(on|to|near|by|inside|into|upon)\b", item.text)
    if found is None or "AT" not in item.mistake.expected:
        return None
    drawn = re.compile(r"(?:on|in|to|inside)\s+(?:an?\s+|the\s+)?random\s+(\w+)").match(
        item.text, found.start(1)
    )
    if drawn is None:
        line = "a cell follows `at`, an area follows `in`: `place box at random target`"
        return item.word(line, found.span(1))
    where = drawn[1] if item.mistake.is_kind(drawn[1]) or drawn[1] == "floor" else "free"
    return item.word(write(f"at random {where}"), found.span(1), drawn.end())


def _backwards(item: _Item) -> Meant | None:
    """`place at (1, 2) box`."""
    form = r"place\s+((?:at|in)\s*(?:\([^()]*\)|random\s+\w+|\w+))\s+(\w+(?:\([^()]*\))?)"
    found = re.match(form, item.text)
    if found is None:
        return None
    return Meant(write(f"place {found[2]} {found[1]}"), item.start, item.start + found.end())


def _without_brackets(item: _Item) -> Meant | None:
    """`place box at 1, 2`."""
    cell = re.search(r"(\bplace\s[^,]*\bat\s+)(\w+\s*,\s*\w+)\s*\Z", item.mistake.text)
    if cell is None or item.mistake.found:
        return None
    return Meant(write(f"({cell[2]})"), *cell.span(2), expected="a cell, `(x, y)`")


def _anywhere(item: _Item) -> Meant | None:
    """`place box anywhere`, `place box where C`."""
    form = rf"({_PLACE})\s+(?:(?:at\s+)?(randomly|anywhere|somewhere)|(?=where\b))"
    found = re.match(form, item.text)
    if found is None or not item.wrong_in(found.end() + len("where ")):
        return None
    stop = len(item.text[: found.end()].rstrip())
    return item.meant(write(f"{found[1]} at random free"), stop)


def _without_at(item: _Item) -> Meant | None:
    """`place box random floor`."""
    found = re.match(rf"({_PLACE}(?:\s+as\s+\w+)?)\s+((random|every)\s+\w+)", item.text)
    if found is None or found[1].split()[-1] in {"at", "in"}:
        return None
    if item.start + found.end(1) >= item.mistake.end or not item.wrong_in(found.end()):
        return None
    begin, end = item.start + found.start(3), item.start + found.end(3)
    stop = item.start + found.end()
    help = write(f"{found[1]} at {found[2]}")
    return Meant(help, begin, end, expected="`at`", start=item.start, stop=stop)


def _nothing(item: _Item) -> Meant | None:
    """`place in column 1`: what is placed is named."""
    found = re.fullmatch(
        r"place\s+(?:in|at)\s+((?:column|row)\s+\S+|border|\([^()]*\)|random\s+\w+)", item.text
    )
    if found is None:
        return None
    return Meant(
        f"what is placed stands before: `{found[0].replace('place', 'place K', 1)}`",
        expected="what is placed",
    )


def _two_words(item: _Item) -> Meant | None:
    """`place 3 boxes`, `place box target`."""
    found = re.fullmatch(r"place\s+(\w+(?:\([^()]*\))?)\s+(\w+)", item.alone)
    if found is None:
        return None
    if found[1].isdigit():
        kind = item.mistake.singular(found[2]) or found[2]
        help = write(f"place {found[1]} {kind} at random free", ", or say at which cells")
    else:
        drawn = "random " if found[2] in {"free", "floor"} else ""
        help = write(f"place {found[1]} at {drawn}{found[2]}")
    return item.meant(help, len(item.alone))


def _nowhere(item: _Item) -> Meant | None:
    """`place box`."""
    found = re.fullmatch(_KIND, item.alone)
    if found is None:
        return None
    help = write(f"{found[0]} at random free", ", or say at which cell")
    return Meant(help, start=item.start, stop=item.start + len(item.alone))


# What was meant: the first that answers.
_MEANT: tuple[Callable[[_Item], Meant | None], ...] = (
    *(_nothing, _at_a_line, _on_a_cell, _named_behind, _random_in, _other_relation, _backwards),
    *(_without_brackets, _anywhere, _without_at, _two_words, _nowhere),
)
