"""What a diagnostic is: a code, the words, the place, and the rewrites that mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from griddsl.diagnostics.codes import CODES
from griddsl.source import Span


@dataclass(frozen=True, slots=True)
class Label:
    """Another place that a diagnostic speaks of, with a word on its part in it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A rewrite that a help line states: the text that can stand in place of a span."""

    span: Span
    replacement: str

    def applied(self) -> str:
        """Return the text of the whole source, rewritten."""
        text = self.span.source.text
        return text[: self.span.start] + self.replacement + text[self.span.end :]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error or warning about a spec: a code of the table, the words, the place, the help and its rewrites.

    Each of the ``fixes`` is one way to mend it; where the help states no rewrite, there are none.
    """

    code: str
    message: str
    span: Span
    help: str | None = None
    labels: tuple[Label, ...] = ()
    picture: str | None = None
    fixes: tuple[Fix, ...] = ()

    @property
    def severity(self) -> str:
        """``"error"`` or ``"warning"``, as the table of codes says."""
        return CODES[self.code].severity

    @property
    def is_error(self) -> bool:
        """Whether the spec cannot be used."""
        return self.severity == "error"


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics by their place in the source."""
    return sorted(diagnostics, key=lambda d: (d.span.source.name, d.span.start, d.span.end))
