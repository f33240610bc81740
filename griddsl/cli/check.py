"""``griddsl check``: every diagnostic of each file."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from griddsl.cli.failures import ERRORS
from griddsl.cli.paint import diagnostics_text, is_colored, paint
from griddsl.cli.sources import spec_files
from griddsl.diagnostics import Diagnostic, to_github, to_json


class Format(StrEnum):
    """How diagnostics are printed."""

    text = "text"
    json = "json"
    github = "github"


def command(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Specs, or folders of specs.")],
    format: Annotated[Format, typer.Option(help="How diagnostics are printed.")] = Format.text,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail too.")] = False,
) -> None:
    """Check specs; exits with 1 where one has errors (or, if strict, warnings)."""
    paths = list(spec_files(files))
    found = [diagnostic for path in paths for diagnostic in _check(str(path))]
    errors = sum(diagnostic.is_error for diagnostic in found)
    warnings = len(found) - errors
    _print(found, format)
    if format is not Format.json:
        print(_summary(len(paths), errors, warnings), file=sys.stderr)
    if errors or (strict and warnings):
        raise typer.Exit(ERRORS)


def _check(path: str) -> list[Diagnostic]:
    from griddsl.compiler import check

    return check(path)


def _print(found: list[Diagnostic], format: Format) -> None:
    if format is Format.json:
        print(to_json(found))
    elif found and format is Format.github:
        print(to_github(found))
    elif found:
        print(diagnostics_text(found, is_colored(sys.stdout)), end="\n\n", flush=True)


def _summary(files: int, errors: int, warnings: int) -> str:
    color = is_colored(sys.stderr)
    checked = f"{_count(files, 'file')} checked: "
    parts = [paint(_count(errors, "error"), "red", color)] if errors else []
    parts += [paint(_count(warnings, "warning"), "yellow", color)] if warnings else []
    return checked + (", ".join(parts) or paint("no problems", "green", color))


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
