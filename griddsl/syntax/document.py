"""Documents: what is read of a spec before its clauses are: statements, their lines, their comments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from griddsl.source import Fragment, Source, Span

# What says of actions that their arguments are axes of their own: `actions as multidiscrete`.
AXES = re.compile(r"(?:^|\s+)as\s+multidiscrete$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a block: items, or the head of a nested block (``tail`` is what follows its colon)."""

    text: Fragment
    tail: Fragment | None = None
    block: tuple[Line, ...] = ()
    comment: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

    @property
    def is_head(self) -> bool:
        """Whether the line opens a nested block: ``if``, ``else``, ``retry``, ``repeat`` or ``each``."""
        return self.tail is not None


@dataclass(frozen=True, slots=True)
class Statement:
    """``keyword [head]: items`` with its block, or its rows where it is a drawing.

    ``above`` stands before the statement, ``below`` at the end of its block. The rows of a drawing are those of its
    ``layers``, the lowest first; only a level file draws more than one.
    """

    keyword: str
    keyword_span: Span
    head: Fragment
    items: Fragment
    block: tuple[Line, ...] = ()
    rows: tuple[Fragment, ...] = ()
    comment: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    layers: int = 1

    @property
    def span(self) -> Span:
        """The span of keyword and head."""
        return self.keyword_span.to(self.head.span()) if self.head.text else self.keyword_span

    @property
    def name(self) -> str:
        """The name that the head gives, by which two statements say the same: without what else stands in a head."""
        head = " ".join(self.head.text.split())
        if self.keyword == "define":
            return head.partition("(")[0].strip()
        if self.keyword == "map":
            return re.sub(r"^walled( |$)", "", head).strip('"')
        if self.keyword == "actions":
            return AXES.sub("", head)
        return head

    def texts(self) -> list[Fragment]:
        """The items as texts: those of the first line, then one a line of the block."""
        return [text for text in (self.items, *(line.text for line in self.block)) if text.text]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole spec as statements; ``below`` holds the comments after the last of them.

    ``unread`` is where lines begin that no statement could be read from, in TOML.
    """

    source: Source
    statements: tuple[Statement, ...]
    below: tuple[str, ...] = ()
    unread: tuple[int, ...] = ()


def unquote(text: str) -> str:
    """Return what a quoted text says, its escapes resolved; a bare word is returned as it is.

    A backslash before anything else is one, as in the names of folders.
    """
    if not text.startswith('"'):
        return str(text)
    escapes = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
    return re.sub(r"\\(.)", lambda match: escapes.get(match.group(1), match.group()), text[1:-1])
