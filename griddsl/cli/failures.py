"""What goes wrong, in words: refusals with a hint, diagnostics, and the codes a process exits with."""

from __future__ import annotations

import sys

from griddsl.cli.paint import diagnostics_text, is_colored, paint
from griddsl.diagnostics import SpecError
from griddsl.source import visible

ERRORS, USAGE = 1, 2
INTERRUPTED, BROKEN_PIPE = 130, 141
# What is an argument in Python, in words for both.
_OPTIONS = {
    'horizon="limit"': "--horizon limit",
    "horizon=50": "--horizon 50",
    "legal_only=True": "--legal-only",
}


class Refusal(Exception):
    """A command that cannot be done as it was asked; ``help`` says what can."""

    def __init__(self, message: str, help: str | None = None, code: int = USAGE) -> None:
        super().__init__(harmless(message))
        self.help, self.code = None if help is None else harmless(help), code


def harmless(text: str) -> str:
    """Return lines as a terminal may show them, whatever the names of files hold."""
    return "\n".join(visible(line) for line in text.split("\n"))


def note(text: str) -> None:
    """Write to standard error what was done, which names files."""
    print(harmless(text), file=sys.stderr)


def tell(error: Exception) -> None:
    """Write an error to standard error."""
    print(words_of(error, is_colored(sys.stderr)), file=sys.stderr)


def words_of(error: Exception, color: bool = False) -> str:
    """Return an error as a person reads it."""
    if isinstance(error, SpecError):
        return diagnostics_text(error.diagnostics, color)
    text = f"{paint('error:', 'red', color)} {harmless(_sentence(error))}"
    help = getattr(error, "help", None)
    help = help and harmless(help)
    for argument, option in _OPTIONS.items():
        help = help and help.replace(argument, option)
    return f"{text}\n{paint('help:', 'cyan', color)} {help}" if help else text


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror.lower()}" if error.filename else error.strerror.lower()
    return str(error) or type(error).__name__
