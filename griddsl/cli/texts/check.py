"""``griddsl check``: every diagnostic of each file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from griddsl.cli.failures import ERRORS, Refusal, harmless, tell
from griddsl.cli.options import Level, Params
from griddsl.cli.paint import diagnostics_text, is_colored, paint
from griddsl.cli.progress import Progress
from griddsl.cli.sources import alone, parse_params, spec_files, standard_input
from griddsl.cli.texts.same_ids import same_ids
from griddsl.diagnostics import CODES, Diagnostic, Refused, did_you_mean, to_github, to_json, to_sarif
from griddsl.source import unsaved, visible

MOST_STATES = 200_000
STANDARD_NAME = "<stdin>"


class Format(StrEnum):
    """How diagnostics are printed."""

    text = "text"
    json = "json"
    github = "github"
    sarif = "sarif"


@dataclass(frozen=True, slots=True)
class Wanted:
    """How specs are checked: with which parameters, whether all states are visited, and what is to fail."""

    params: dict[str, Any]
    format: Format
    strict: bool
    exact: bool
    failing: frozenset[str]
    max_states: int


def _explain(code: str | None) -> None:
    if code is None:
        return
    from griddsl.cli.explaining.explain_code import print_code

    try:
        print_code(code)
    except Refusal as refusal:
        tell(refusal)
        raise typer.Exit(refusal.code) from None
    raise typer.Exit


def command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", help="Specs, registered ids, or folders of specs; `-` is standard input."
        ),
    ],
    format: Annotated[Format, typer.Option(help="How diagnostics are printed.")] = Format.text,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail too.")] = False,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Visit every state: dead states, idle rules, the optimum, a report."),
    ] = False,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE", help="Let this warning fail, as `dead-states`; implies --exact."),
    ] = None,
    max_states: Annotated[
        int, typer.Option(min=1, help="The most states that --exact visits.")
    ] = MOST_STATES,
    param: Params = None,
    level: Level = None,
    stdin_name: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="The file that standard input stands for: its folder is where `use` looks.",
            show_default=False,
        ),
    ] = Path(STANDARD_NAME),
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Say what a diagnostic means, with an example and how it is mended.",
            callback=_explain,
            is_eager=True,
        ),
    ] = None,
) -> None:
    """Check specs; exits with 1 where one has errors (or, if strict, warnings; or what --fail-on names)."""
    failing, params = _known(fail_on or ()), parse_params(param or (), level)
    wanted = Wanted(params, format, strict, exact or bool(failing), failing, max_states)
    if alone(files):
        with unsaved({stdin_name: standard_input()}):
            _check_all([stdin_name], [], wanted)
        return
    paths = list(spec_files(files))
    if params and len(paths) > 1:
        raise Refusal(
            f"parameters are those of one spec, and {len(paths)} are named", "check one file, or one id"
        )
    _check_all(paths, same_ids(files, paths), wanted)


def _check_all(paths: Sequence[Path], between: Sequence[Diagnostic], wanted: Wanted) -> None:
    """Print what is wrong in each of the files, and what is between them; exit where that fails."""
    found = [*_found(paths, wanted), *between]
    errors = sum(diagnostic.is_error for diagnostic in found)
    warnings = len(found) - errors
    _print(found, wanted.format)
    if wanted.format not in {Format.json, Format.sarif}:
        print(_summary(len(paths), errors, warnings), file=sys.stderr)
    if found and wanted.format is Format.text:
        print(f"more of it: griddsl check --explain {found[0].code}", file=sys.stderr)
    fails = any(diagnostic.code in wanted.failing for diagnostic in found)
    if errors or (wanted.strict and warnings) or fails:
        raise typer.Exit(ERRORS)


def _found(paths: Sequence[Path], wanted: Wanted) -> Iterator[Diagnostic]:
    """Yield what is wrong in each file, and show on the terminal how far that is."""
    if wanted.exact:
        for path in paths:
            yield from _check_exactly(path, wanted, len(paths) > 1)
        return
    progress = Progress()
    try:
        for number, path in enumerate(paths):
            progress.checking(number, len(paths), visible(path.name))
            yield from _check_briefly(path, wanted, progress)
    finally:
        progress.clear()


def _check_briefly(path: Path, wanted: Wanted, progress: Progress) -> list[Diagnostic]:
    from griddsl.checking import checked

    return checked(path, wanted.params, progress=progress.variant)


def _known(codes: Iterable[str]) -> frozenset[str]:
    for code in codes:
        if code not in CODES:
            raise Refusal(f"there is no diagnostic `{code}`", did_you_mean(code, CODES))
    return frozenset(codes)


def _check_exactly(path: Path, wanted: Wanted, goes_on: bool) -> list[Diagnostic]:
    """Return the diagnostics of a spec after visiting all of its states, and print what is known of it.

    Among several files, one whose states cannot be visited is checked without, and it is said why.
    """
    from griddsl.checking import variant_errors
    from griddsl.cli.texts.analysis_report import report_of

    progress = Progress()
    try:
        from griddsl.exact.check.analysis import check_exactly

        found, analysis = check_exactly(path, wanted.params, max_states=wanted.max_states, progress=progress)
        found += variant_errors(path, progress.variant) if analysis is not None and not wanted.params else []
    except ImportError as error:
        raise Refusal(str(error), code=ERRORS) from None
    except Refused as error:
        if goes_on:
            progress.clear()
            print(f"{visible(str(path))}: checked without visiting its states: {error}", file=sys.stderr)
            return _check_briefly(path, wanted, progress)
        raise Refusal(f"{path}: {error}", getattr(error, "help", None), ERRORS) from None
    finally:
        progress.clear()
    if analysis is not None and wanted.format is Format.text:
        print(report_of(analysis, is_colored(sys.stdout)), end="\n\n")
    return found


def _print(found: list[Diagnostic], format: Format) -> None:
    if format is Format.json:
        print(to_json(found))
    elif format is Format.sarif:
        from griddsl import __version__

        print(to_sarif(found, __version__))
    elif found and format is Format.github:
        print(harmless(to_github(found)))
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
