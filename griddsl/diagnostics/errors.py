"""What is raised: a spec that cannot be used, and a keyword that is no parameter of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar, cast

from griddsl.diagnostics.diagnostic import Diagnostic
from griddsl.diagnostics.render import to_text
from griddsl.diagnostics.suggest import near
from griddsl.refused import Refused

_F = TypeVar("_F", bound=Callable[..., Any])


class SpecError(Refused):
    """A spec that cannot be used; ``diagnostics`` holds everything that was found, and the text shows it."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n" + to_text(self.diagnostics)

    def __reduce__(self) -> tuple[type[SpecError], tuple[list[Diagnostic]]]:
        return (SpecError, (self.diagnostics,))


class UnexpectedKeyword(SpecError, TypeError):
    """A keyword that is no parameter of the spec, said as Python says it of any function.

    Frameworks try a keyword, look for Python's words in a `TypeError`, and go on without it. ``known`` are the
    keywords that there are. Gymnasium raises such an error again with a text of its own, which is ``name`` then.
    """

    def __init__(
        self, name: str, known: Sequence[str] | None = None, diagnostics: Sequence[Diagnostic] = ()
    ) -> None:
        super().__init__(diagnostics)
        self.name, self.known = name, known

    def beside(self, others: Sequence[str]) -> UnexpectedKeyword:
        """Return the same error, where a function takes other keywords beside the spec's parameters."""
        known = None if self.known is None else [*self.known, *others]
        return UnexpectedKeyword(self.name, known, self.diagnostics)

    def __str__(self) -> str:
        if self.known is None:
            return self.name
        subject = Path(self.diagnostics[0].span.source.name).name if self.diagnostics else "the spec"
        said = f"{subject} got an unexpected keyword argument {self.name!r}"
        found = near(self.name, self.known)
        if found:
            return f"{said}. Did you mean {' or '.join(repr(each) for each in found)}?"
        return f"{said}; it takes {', '.join(repr(each) for each in sorted(set(self.known))) or 'none'}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (UnexpectedKeyword, (self.name, self.known, self.diagnostics))


def with_keywords(function: _F) -> _F:
    """Let the keywords that a function itself takes be among those that `UnexpectedKeyword` suggests."""
    own = [each.name for each in signature(function).parameters.values() if each.kind is each.KEYWORD_ONLY]

    @wraps(function)
    def called(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except UnexpectedKeyword as error:
            raise error.beside(own) from None

    return cast(_F, called)
