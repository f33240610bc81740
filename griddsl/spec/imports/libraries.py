"""``use`` and ``maps``: what a spec brings from a bundled library or from files of its own folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from griddsl.diagnostics import Help, Report, did_you_mean, listing, write
from griddsl.files.matching import matches
from griddsl.files.packages import library_files, library_names
from griddsl.source import CONTROL, Fragment, Source, Span, is_file
from griddsl.spec.imports.drawn_levels import drawn_maps
from griddsl.spec.imports.level_files import ENDINGS as DRAWN
from griddsl.syntax.document import Document, Statement, unquote
from griddsl.syntax.keywords import LEVEL_FILES, STATEMENTS
from griddsl.syntax.layout import read_layout

BUNDLED = Path(__file__).parents[2] / "libraries"
BROUGHT = frozenset({"env", "use", "variant"})
MOST_TILE_SETS = 32
_TILE_SET = re.compile(r'<tileset\b[^>]{0,500}?\bsource="([^"&<>]{1,200})"')
FORMS = frozenset({"flat", "tuple"})


def merge_libraries(document: Document, folder: Path | None, report: Report) -> list[Statement]:
    """Return the statements of a document with those of the libraries it uses before them.

    What the spec says itself wins: a library's statement is left out where the spec has one of the same keyword
    and name (for a rule, of the same head).
    """
    brought: list[Statement] = []
    for statement in document.statements:
        if statement.keyword == "use":
            for text in statement.texts():
                brought.extend(_library(text, folder, report))
    own = {_key(statement) for statement in document.statements}
    own_keywords = {key for key, head in own if not head}
    merged = [
        statement
        for statement in brought
        if _key(statement) not in own
        and not (
            statement.keyword in own_keywords and STATEMENTS[statement.keyword].head in {"none", "maybe"}
        )
    ]
    merged.extend(document.statements)
    legends = [statement for statement in merged if statement.keyword == "legend"]
    return [*merged, *_levels(document, folder, legends, report)]


def _key(statement: Statement) -> tuple[str, str]:
    """Return what a statement says: `observe flat` and `observe tuple` say what `observe` does, in another form."""
    name = statement.name
    return statement.keyword, "" if statement.keyword == "observe" and name in FORMS else name


def _library(text: Fragment, folder: Path | None, report: Report) -> Iterator[Statement]:
    if text.text.startswith('"'):
        path = inside(unquote(text.text), text.span(), folder, report)
        if path is None:
            return
        suffix = path.suffix.lower()
        if suffix in DRAWN or (suffix == ".txt" and not is_file(path)):
            help: str | None = f"levels are read by `import: {text.text[:100]}`"
            report.add("unreadable", text.span(), reason="`use` reads statements, and no levels", help=help)
            return
        if not is_file(path):
            reason = f"there is no file `{unquote(text.text)[:100]}`"
            files = [
                file.name for file in matches(path.parent, "*").files if file.suffix in {".grid", ".toml"}
            ]
            help = did_you_mean(path.name, files)
            if path.stem in {file.stem for file in BUNDLED.glob("*.grid")}:
                named = f'"{path.stem}"' if text.source.is_toml else path.stem
                help = write(named, ": a bundled library is named without quotes and ending")
            report.add("unreadable", text.span(), reason=reason, help=help)
            return
    else:
        found = _named(text, report)
        if found is None:
            return
        path = found
    from griddsl.syntax.reader import read_document, read_source

    source = read_source(path, report)
    if source is None:
        return
    library = read_document(source, report) if path.suffix == ".toml" else read_layout(source, report)
    for statement in library.statements:
        if statement.keyword == "use":
            help = f"`use` what it needs beside it: `use: {statement.items.text[:40]}`"
            where = "in a file that is itself used"
            report.add("wrong-place", statement.keyword_span, what="`use`", where=where, help=help)
        elif statement.keyword not in BROUGHT:
            yield statement


def _named(name: Fragment, report: Report) -> Path | None:
    """Return the library of a name: a bundled one, or a file of an installed package of specs."""
    bundled = {file.stem: file for file in BUNDLED.glob("*.grid")}
    if name.text in bundled:
        return bundled[name.text]
    files = dict(library_files(name.text))
    if len(files) == 1:
        return next(iter(files.values()))
    if files:
        help = f"several packages have one: write {listing(sorted(files))}"
    else:
        help = did_you_mean(name.text, [*sorted(bundled), *library_names()]) or (
            f"bundled: {listing(sorted(bundled), 'and')}; `PACKAGE.FILE` is a file of an installed package of specs, "
            "and a file beside this one stands in quotes"
        )
    if "," in name.text:
        lines = [f"use: {each.strip()}" for each in name.text.strip("[](){} ").split(",")]
        help = f"each has a line of its own: {listing(lines, 'and')}"
    report.add("unknown-library", name.span(), name=name.text, help=help)
    return None


def brought_by(name: str) -> str | None:
    """Say which bundled library defines a name, where one does."""
    for file in sorted(BUNDLED.glob("*.grid")):
        if re.search(rf"^define {re.escape(name)}\b", file.read_text(encoding="utf-8"), re.MULTILINE):
            return f"`use: {file.stem}` brings a definition `{name}`"
    return None


def inside(path: str, span: Span, folder: Path | None, report: Report) -> Path | None:
    """Return a path of the spec's own folder; None, with a diagnostic, where it leads outside."""
    if folder is None:
        report.add(
            "outside-folder", span, path=path, help="a spec given as text reads no files; save it beside them"
        )
        return None
    root = folder.resolve()
    try:
        target = (root / path).resolve()
    except (OSError, ValueError, RuntimeError):
        target = Path("/")
    if target == root:
        reason = f"`{path[:100]}` is the spec's own folder" if path else "no file is named"
        report.add("unreadable", span, reason=reason, help="name a file in the spec's folder or below it")
        return None
    if "\0" in path or not target.is_relative_to(root):
        shown = path if len(path) <= 100 else f"{path[:100]}..."
        report.add("outside-folder", span, path=shown, help="files lie in the spec's own folder or below it")
        return None
    return folder / target.relative_to(root)


def _levels(
    document: Document, folder: Path | None, legends: Sequence[Statement], report: Report
) -> Iterator[Statement]:
    """Read ``maps: "levels/*.txt"`` as one ``map`` statement a level; the legend names what Tiled and LDtk draw."""
    from griddsl.syntax.reader import read_source

    for statement in document.statements:
        if statement.keyword not in LEVEL_FILES:
            continue
        for text in statement.texts():
            if re.fullmatch(r'"[^"]*"(\s*,\s*"[^"]*")+', text.text):
                lines = [f"{statement.keyword}: {each}" for each in re.findall(r'"[^"]*"', text.text)]
                reason = f"`{text.text[:100]}` names several files"
                help = f"each has a line of its own: {listing(lines[:9], 'and')}"
                report.add("unreadable", text.span(), reason=reason, help=help)
                continue
            pattern = unquote(text.text)
            if Path(pattern).suffix in {"", ".grid", ".toml"} and statement.keyword == "import":
                reason = f"`import` reads levels, which {text.text[:100]} are not"
                report.add("bad-value", text.span(), reason=reason, help=_used(statement, text))
                continue
            if inside(pattern, text.span(), folder, report) is None or folder is None:
                continue
            if ".." in Path(pattern).parts:
                report.add("outside-folder", text.span(), path=pattern)
                continue
            report.seek(str(folder), pattern)
            found = matches(folder, pattern)
            if found.limit is not None:
                reason = f"`{pattern[:100]}` has {found.limit} to look through"
                help = "name the folder that the levels are in, as in `levels/*.txt`"
                report.add("unreadable", text.span(), reason=reason, help=help)
                continue
            if not found.files:
                _report_none(pattern, folder, text, report)
            for file in found.files:
                if CONTROL.search(file.name):
                    reason = f"`{file.name}` has a character that cannot stand in the name of a level"
                    report.add("unreadable", text.span(), reason=reason, help="rename the file")
                    continue
                source = read_source(file, report, text.span())
                if source is None:
                    continue
                if file.suffix.lower() in DRAWN:
                    others = _tile_sets(source, file.parent, folder, report)
                    yield from drawn_maps(source, legends, text.span(), file.stem, report, others)
                else:
                    yield from _level_maps(source, file.stem, text.span())


def _report_none(pattern: str, folder: Path, text: Fragment, report: Report) -> None:
    """Report that no file is called so, with those that nearly are."""
    if re.search(r"[*?\[]", pattern):
        help: str | None = "`*` stands for any letters, as in `levels/*.txt`"
        report.add("unreadable", text.span(), reason=f"no file matches `{pattern[:100]}`", help=help)
        return
    path = folder / pattern
    there = [file for file in matches(path.parent, "*").files if file.suffix.lower() in {*DRAWN, ".txt"}]
    beside = path.parent.relative_to(folder)
    help = did_you_mean(path.name, [file.name for file in there]) if beside == Path() else None
    names = [(beside / file.name).as_posix() for file in there[:9]]
    help = help or (f"levels there: {listing(names, 'and')}" if names else None)
    report.add("unreadable", text.span(), reason=f"there is no file `{pattern[:100]}`", help=help)


def _used(statement: Statement, text: Fragment) -> Help:
    """Return what brings statements: a library, or a file beside the spec."""
    name = unquote(text.text)
    beside = Path(name).suffix != "" or text.text.strip('"') not in {
        file.stem for file in BUNDLED.glob("*.grid")
    }
    return write(f"use: {text.text if beside else name}", place=statement.keyword_span.to(text.span()))


def _tile_sets(source: Source, beside: Path, folder: Path, report: Report) -> dict[str, Source]:
    """Return the files of tiles that a map of Tiled names, by those names: none from outside of the spec's folder."""
    from griddsl.syntax.reader import read_source

    found: dict[str, Source] = {}
    root = folder.resolve()
    for name in dict.fromkeys(_TILE_SET.findall(source.text)[:MOST_TILE_SETS]):
        path = beside / name
        if path.resolve().is_relative_to(root) and is_file(path):
            tiles = read_source(path, report)
            if tiles is not None:
                found[name] = tiles
    return found


def _level_maps(source: Source, stem: str, place: Span) -> Iterator[Statement]:
    """Split a level file: levels stand apart by blank lines; a line with ``;`` is a title."""
    rows: list[Fragment] = []
    title = ""
    count = 0
    start = 0
    whole = source.whole()
    for line in [*source.text.split("\n"), ""]:
        fragment = whole.slice(min(start, len(source.text)), min(start + len(line), len(source.text)))
        start += len(line) + 1
        if line.startswith(";"):
            title = line[1:].strip()
        if line.strip() and not line.startswith(";"):
            rows.append(fragment)
        elif rows:
            name = f'"{stem} {title or count}"'
            yield Statement("map", place, Fragment(source, name, 0), whole.slice(0, 0), (), tuple(rows))
            rows, title, count = [], title if line.startswith(";") else "", count + 1
