"""Pruned: what is left of a rule, of a block of setup or of an `observe`, without the lines that do not parse.

A head that does not parse says nothing against what stands below it, and a broken line nothing against the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from griddsl.diagnostics import Diagnostic
from griddsl.source import Fragment
from griddsl.syntax.document import Line, Statement
from griddsl.syntax.keywords import RULE_WORDS

STAND_IN = "each step"  # the head of a rule whose own does not parse
BLOCKS = frozenset({*RULE_WORDS, "setup", "once", "observe"})
# Errors of one clause: what they leave unread is that clause, and no other line.
OF_ONE_CLAUSE = frozenset({"syntax", "unknown-effect", "open-text"})
# What can be said of an effect whatever makes it happen.
OF_EFFECTS = frozenset(
    {"bad-chance", "bad-chances", "near-outcome", "turned-sign", "unknown-function", "unknown-name"}
)


@dataclass(frozen=True, slots=True)
class Pruned:
    """The rest of a statement, from where to where it stands, and the words of what was left out.

    ``head`` is the head that was left out, as it was written; empty where it is there.
    """

    statement: Statement
    start: int
    end: int
    left_out: frozenset[str]
    head: str

    def tells(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return a diagnostic that names the rule as it was written."""
        if not self.head or not self.start <= diagnostic.span.start < self.end:
            return diagnostic
        message = diagnostic.message.replace(f"rule `{STAND_IN}`", f"rule `{self.head}`")
        return replace(diagnostic, message=message)

    def allows(self, diagnostic: Diagnostic) -> bool:
        """Whether something can be said of this statement without knowing what was left out of it."""
        place = diagnostic.span
        if not self.start <= place.start < self.end:
            return True
        words = set(re.findall(r"\w+", place.text))
        if words & self.left_out or (self.head and diagnostic.code not in OF_EFFECTS):
            return False
        # A head can bring names that stand elsewhere, as what an action is given: a slip of the fingers stands once.
        elsewhere = place.source.text[: self.start] + place.source.text[self.end :]
        return diagnostic.code != "unknown-name" or not words & set(re.findall(r"\w+", elsewhere))


def pruned(statement: Statement, end: int, errors: Iterable[Diagnostic]) -> Pruned | None:
    """Return what is left of a statement that ends before ``end``; None where that cannot be told."""
    errors = list(errors)
    if statement.keyword not in BLOCKS or any(each.code not in OF_ONE_CLAUSE for each in errors):
        return None
    places = {each.span.start for each in errors}
    words: set[str] = set()
    start = statement.keyword_span.start
    head, rest = "", statement
    if places & set(range(start, statement.span.end + 1)) - _places(statement.items):
        if statement.keyword not in RULE_WORDS:
            return None
        head = f"{statement.keyword} {statement.head.text}"
        words |= _words(statement.head)
        keyword, others = STAND_IN.split()
        rest = replace(rest, keyword=keyword, head=_instead(statement.head, others))
    if places & _places(statement.items):
        words |= _words(statement.items)
        rest = replace(rest, items=_instead(statement.items, ""))
    rest = replace(rest, block=tuple(_lines(statement.block, places, words)))
    if not rest.items.text and not rest.block:
        return None
    return Pruned(rest, start, end, frozenset(words), head)


def _lines(block: tuple[Line, ...], places: set[int], words: set[str]) -> Iterator[Line]:
    """Yield the lines of a block that can be read, and add the words of the others; a condition is left open."""
    without = False  # whether the `if` of an `else` was left out
    for line in block:
        text, is_else = line.text, line.text.text.split()[:1] == ["else"]
        if without and is_else:
            words |= _all_words(line)
            continue
        without = False
        if places & _places(text):
            words |= _words(text)
            condition = re.match(r"(else\s+)?if\b", text.text)
            if not line.is_head or condition is None:
                words |= _all_words(line)
                without = True
                continue
            text = _instead(text, f"{'else ' if is_else else ''}if true")
        if line.tail is None:
            yield line
            continue
        tail = line.tail
        if places & _places(tail):
            words |= _words(tail)
            tail = _instead(tail, "")
        inner = tuple(_lines(line.block, places, words))
        without = not tail.text and not inner
        if not without:
            yield replace(line, text=text, tail=tail, block=inner)


def _all_words(line: Line) -> set[str]:
    inner = {word for each in line.block for word in _all_words(each)}
    return _words(line.text) | inner | (_words(line.tail) if line.tail is not None else set())


def _words(text: Fragment) -> set[str]:
    return set(re.findall(r"\w+", text.text))


def _places(text: Fragment) -> set[int]:
    return set(range(text.offset(0), text.offset(len(text.text)) + 1)) if text.text else set()


def _instead(text: Fragment, words: str) -> Fragment:
    """Return other words at the place of a text."""
    return Fragment(text.source, words, [text.offset(0)] * (len(words) + 1))
