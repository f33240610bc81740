"""Same ids: what several files of a folder are called, of which only one could be registered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from griddsl.diagnostics import Diagnostic, Report
from griddsl.diagnostics.diagnostic import Label
from griddsl.registration.naming import Clash, ids_of, text_of, told_apart
from griddsl.source import Source, Span


def same_ids(names: Sequence[str], files: Iterable[Path]) -> list[Diagnostic]:
    """Return an error for each id that a file has, and one before it in the same folder of those that are named."""
    report, files = Report(), list(files)
    for folder in (Path(name) for name in names if Path(name).is_dir()):
        inside = [file for file in files if file.is_relative_to(folder)]
        for clash in told_apart(named for file in inside for named in ids_of(file))[1]:
            _add(clash, report)
    return report.diagnostics


def _add(clash: Clash, report: Report) -> None:
    first, second = (_place(file, clash.id) for file in (clash.first, clash.second))
    help = f"give one of them another id: `griddsl.register` takes one spec an id, and {clash.first} has it"
    report.add("duplicate-name", second, name=clash.id, labels=[Label(first, "first here")], help=help)


def _place(file: Path, spec_id: str) -> Span:
    """Return where a file names an id."""
    source = Source(str(file), text_of(file) or "")
    start = max(0, source.text.find(spec_id))
    return Span(source, start, start + len(spec_id))
