"""The report in which the stages of the pipeline collect diagnostics."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from griddsl.diagnostics.codes import CODES
from griddsl.diagnostics.diagnostic import Diagnostic, Fix, Label, in_order
from griddsl.diagnostics.errors import SpecError, UnexpectedKeyword
from griddsl.diagnostics.suggest import Help
from griddsl.source import Span, state_of, visible

MOST_KEPT = 200
LONGEST_FIELD = 160
LONGEST_HELP = 400


MENDED = frozenset({"unknown-property"})  # read as what is nearest, so that the search for mistakes goes on


@dataclass(slots=True)
class Report:
    """The diagnostics of one spec so far; every stage adds to it, none raises.

    ``sought`` are the files and folders that were asked for, and what state they were in: see `state_of`.
    ``defined`` are the names that the spec gives by `define`, each with how it is called.
    ``called`` are the names that calls of definitions made up, each with the one that stands in the text for it.
    ``unexpected`` is a keyword that the spec declares no parameter for, with those that it has.
    ``lenient`` is true where the search for mistakes goes on behind errors, whatever becomes of it.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    sought: dict[tuple[str, str], str] = field(default_factory=dict)
    unexpected: tuple[str, list[str]] | None = None
    defined: dict[str, str] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)
    lenient: bool = False
    _seen: set[tuple[str, int, int, str]] = field(default_factory=set)

    def add(
        self,
        code: str,
        span: Span,
        *,
        help: str | None = None,
        labels: Sequence[Label] = (),
        picture: str | None = None,
        **fields: object,
    ) -> None:
        """Add the diagnostic ``code``, its template filled from ``fields``; the same one twice is kept once."""
        said = CODES[code].message.format(**{name: _short(value) for name, value in fields.items()})
        message = visible(self.as_written(said))
        # What a definition says is mended where it stands, and not by a rewrite of what it means at one call.
        fixes = _fixes(help, span) if isinstance(help, Help) and not span.through else ()
        labels = [*labels, *(Label(other.span, other.text) for other in span.through)]
        help = None if help is None else visible(self.as_written(_short(str(help), LONGEST_HELP)))
        self.take(Diagnostic(code, message, span, help, tuple(labels), picture, fixes))

    def as_written(self, text: str) -> str:
        """Return a text with names as they stand in definitions, and not as their calls made them up."""
        if not self.called:
            return text
        return re.sub(r"[A-Za-z_]\w*", lambda word: self.called.get(word[0], word[0]), text)

    def take(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic as it is; the same one twice is kept once."""
        span = diagnostic.span
        # What is wrong in a definition is said once, whoever calls it.
        said = diagnostic.code if span.through else diagnostic.message
        key = (span.source.name, span.start, span.end, said)
        if key in self._seen or self.is_full:
            return
        self._seen.add(key)
        self.diagnostics.append(diagnostic)

    def forget(self, since: int, codes: Collection[str]) -> None:
        """Take back what was added behind so many diagnostics, if it has one of these codes."""
        added = self.diagnostics[since:]
        self.diagnostics[since:] = [each for each in added if each.code not in codes]

    def seek(self, path: str, pattern: str = "") -> None:
        """Note that what is said of the spec depends on a file, or on the files of a folder that match a pattern."""
        self.sought[path, pattern] = state_of(path, pattern)

    @property
    def has_errors(self) -> bool:
        """Whether any diagnostic so far is an error."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)

    @property
    def is_stuck(self) -> bool:
        """Whether any is an error that was not mended, so that what comes after cannot be read."""
        return not self.lenient and any(
            diagnostic.is_error and diagnostic.code not in MENDED for diagnostic in self.diagnostics
        )

    @property
    def is_full(self) -> bool:
        """Whether no more diagnostics are kept, so that looking for them is in vain."""
        return len(self.diagnostics) >= MOST_KEPT

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(in_order(self.diagnostics))

    def raise_errors(self) -> None:
        """Raise `SpecError` with every diagnostic if one is an error; for a wrong keyword `UnexpectedKeyword`."""
        if self.unexpected is not None:
            raise UnexpectedKeyword(*self.unexpected, list(self))
        if self.has_errors:
            raise SpecError(list(self))


def _fixes(help: Help, span: Span) -> tuple[Fix, ...]:
    """Return the rewrites that a help line states; none where the source does not hold what they replace."""
    place = help.place or span.word(help.instead_of)
    if help.instead_of and place.text != help.instead_of:
        return ()
    return tuple(Fix(place, rewrite) for rewrite in help.rewrites)


def _short(value: Any, most: int = LONGEST_FIELD) -> Any:
    """Return a text cut to a length that can be read; other values as they are."""
    text = value if isinstance(value, int) else str(value)
    return f"{text[:most]}..." if isinstance(text, str) and len(text) > most else text
