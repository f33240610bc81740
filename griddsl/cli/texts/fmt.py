"""``griddsl fmt``: the canonical layout."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import Annotated

import typer

from griddsl.cli.failures import ERRORS, Refusal, tell
from griddsl.cli.paint import is_colored, paint
from griddsl.cli.sources import alone, spec_files, standard_input
from griddsl.diagnostics import Report, SpecError
from griddsl.files.writing import write
from griddsl.source import Source, unsaved, visible

STANDARD_NAME = "<stdin>"


def command(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Specs, or folders of specs; `-` is standard input.")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail where a file would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; print what would change.")] = False,
) -> None:
    """Lay out specs; exits with 1 where a spec has syntax errors, or (checking) where one would change."""
    if alone(files):
        _standard(check, diff)
        return
    paths = list(spec_files(files))
    named = {Path(name) for name in files}
    if not (check or diff):
        for path in paths:
            if path not in named and not any(path.is_relative_to(name) for name in named):
                raise Refusal(
                    f"`{path}` is registered, and is not rewritten by its id",
                    "name its file, or look with --check or --diff",
                )
    results = [_file(path, check, diff) for path in paths]
    print(_summary(results, check or diff), file=sys.stderr)
    if "broken" in results or ((check or diff) and "changed" in results):
        raise typer.Exit(ERRORS)


def _standard(check: bool, diff: bool) -> None:
    content = standard_input()
    with unsaved({STANDARD_NAME: content}):
        source = _read(Path(STANDARD_NAME))
    text, found = content.decode("utf-8"), _formatted(source)
    changed = found != text
    if diff:
        _print_diff(STANDARD_NAME, text, found)
    elif not check:
        sys.stdout.write(found)
    if changed and (check or diff):
        raise typer.Exit(ERRORS)


def _read(path: Path) -> Source:
    from griddsl.syntax.reader import read_source

    report = Report()
    source = read_source(path, report)
    report.raise_errors()
    assert source is not None
    return source


def _file(path: Path, check: bool, diff: bool) -> str:
    """Format a file; return ``same``, ``changed`` or ``broken``."""
    try:
        before, after = _before_and_after(path)
    except SpecError as error:
        tell(error)
        return "broken"
    if before == after:
        return "same"
    if diff:
        _print_diff(visible(str(path)), before, after)
    elif check:
        print(f"would change {visible(str(path))}")
    else:
        write(path, after)
        print(f"changed {visible(str(path))}")
    return "changed"


def _before_and_after(path: Path) -> tuple[str, str]:
    source = _read(path)
    with path.open(encoding="utf-8", newline="") as file:
        return file.read(), _formatted(source)


def _formatted(source: Source) -> str:
    """Return the canonical text; raise `SpecError` where the syntax has errors."""
    from griddsl.syntax.formatting.convert import laid_out
    from griddsl.syntax.reader import read_document

    report = Report()
    document = read_document(source, report)
    report.raise_errors()
    text = laid_out(document, report)
    report.raise_errors()
    return text


def _print_diff(name: str, before: str, after: str) -> None:
    color = is_colored(sys.stdout)
    styles = {"+": "green", "-": "red", "@": "cyan"}
    old, new = before.splitlines(), after.splitlines()
    for line in difflib.unified_diff(old, new, name, f"{name} (formatted)", lineterm=""):
        style = styles.get(line[:1])
        print(paint(line, style, color) if style else line)
    if old == new:
        print(f"{name}: line ends differ")


def _summary(results: list[str], only_looks: bool) -> str:
    words = {
        "changed": "would change" if only_looks else "changed",
        "same": "unchanged",
        "broken": "with errors",
    }
    counts = {key: results.count(key) for key in words}
    return ", ".join(f"{count} {words[key]}" for key, count in counts.items() if count)
