"""Write ``docs/diagnostics.md``: every code with its meaning, an example, what is said of it and the same mended.

``python docs/make_diagnostics.py`` writes the page, and the examples that ``griddsl check --explain`` shows; the test
of the same name checks that they are up to date.
"""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from pathlib import Path
from shutil import copytree
from typing import Any

import griddsl
from griddsl.diagnostics import CODES

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests" / "cases" / "errors"
MENDED = ROOT / "tests" / "cases" / "mended.toml"
DATA = ROOT / "griddsl" / "diagnostics" / "examples.json"
LONGEST_LINE = 100
MOST_LINES = 40
MOST_FIXES = 6
# What the first lines of a case say to the tests, in words.
DIRECTIVES = {
    "expand": "shortened",
    "reset": "said when it is reset",
    "exact": "said by griddsl check --exact",
    "params": "with {}",
    "encoding": "saved as {}",
}
_REPEATED = re.compile(r"<<(.*?)\*(\d+)>>", re.DOTALL)
PAGE = ROOT / "docs" / "diagnostics.md"
CHAPTERS = {
    "unreadable": "The file",
    "not-a-statement": "Layout",
    "syntax": "Clauses",
    "bad-id": "The model",
    "type": "Types and values",
    "never-fires": "What is legal and surely unmeant",
    "no-place": "At reset",
}
HEAD = """\
# Diagnostics

<!-- Written by docs/make_diagnostics.py from the table of codes and tests/cases/errors: do not edit. -->

Every message names its code in brackets. An error keeps a spec from being used; a warning speaks of what is legal and
surely unmeant. What is broken in one statement hides no mistake of another, and one mistake is reported once.
`griddsl check --explain CODE` shows in a terminal what stands here of a code, `--format json`, `github` and `sarif` say
the same as text does to tools, and `griddsl.check(source)` returns the diagnostics as values.

Which rules of one step see what others changed is no matter of warnings: `griddsl explain FILE` prints the order.
"""


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD, _contents()]
    shown = json.loads(DATA.read_text(encoding="utf-8"))
    for code, row in CODES.items():
        if code in CHAPTERS:
            parts.append(f"## {CHAPTERS[code]}\n")
        parts.append(f"### `{code}`\n\n{row.severity.capitalize()}. {row.meaning}\n")
        parts.extend(_example(code, shown[code]))
    return "\n".join(parts)


def _contents() -> str:
    lines = []
    for code, row in CODES.items():
        if code in CHAPTERS:
            lines.append(f"\n**{CHAPTERS[code]}**\n")
        lines.append(f"- [`{code}`](#{code}): {row.meaning}")
    return "\n".join(lines).lstrip() + "\n"


def _example(code: str, found: dict[str, str]) -> list[str]:
    """Show what is wrong, what is said of it, and the same mended."""
    if not found:
        return []
    language = found["language"]
    parts = [f"```{language}\n{found['wrong']}\n```\n", f"```text\n{found['said']}\n```\n"]
    mend = re.search(rf"\[{code}\](?:(?!\n\n).)*?\nhelp: ([^\n]*)", found["said"], re.DOTALL)
    parts.append(f"To mend it: {mend[1]}. So it is right:\n" if mend is not None else "So it is right:\n")
    parts.append(f"```{language}\n{found['right']}\n```\n")
    return parts


def example_of(code: str) -> dict[str, str]:
    """Return the example of a code: ``language``, ``wrong``, ``said`` and ``right``; empty where there is no case."""
    case = case_of(code)
    if case is None:
        return {}
    said = case.with_suffix(".txt" if case.suffix == ".grid" else ".toml.txt").read_text(encoding="utf-8")
    return {
        "language": case.suffix[1:],
        "wrong": _short(_shown(case.read_text(encoding="utf-8"))),
        "said": _short(said),
        "right": right(code, case).rstrip("\n"),
    }


def right(code: str, case: Path) -> str:
    """Return a case mended: by what the table says, then by the rewrites of the help lines."""
    recipe: dict[str, Any] = recipes().get(code, {})
    text: str = recipe.get("text") or case.read_text(encoding="utf-8")
    for old, new in recipe.get("replace", ()):
        if old not in text:
            raise ValueError(f"{MENDED}: [{code}] replaces {old!r}, which {case} does not have")
        text = text.replace(old, new)
    text = "".join(line for line in text.splitlines(keepends=True) if not _is_directive(line))
    for _ in range(MOST_FIXES):
        fix = next((each.fixes[0] for each in found_in(text, case) if each.fixes), None)
        if fix is None:
            break
        text = fix.applied()
    return text


def found_in(text: str, case: Path) -> list[griddsl.Diagnostic]:
    """Return what is said of a text in the place of a case, the files beside it there as well."""
    with tempfile.TemporaryDirectory() as folder:
        home = copytree(case.parent, Path(folder) / "case")
        path = home / f"right{case.suffix}"
        path.write_text(text, encoding="utf-8")
        return griddsl.check(path)


def examples() -> str:
    """Return the examples of all codes as JSON: what ``griddsl check --explain`` shows, for packages have no tests."""
    found = {code: example_of(code) for code in CODES}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def recipes() -> dict[str, Any]:
    """Return how cases are mended, by code."""
    return tomllib.loads(MENDED.read_text(encoding="utf-8"))


def case_of(code: str) -> Path | None:
    """Return the case that the table names, or the shortest; without a row, the shortest that its help mends."""
    cases = [
        path
        for path in sorted((CASES / code).glob("*.*"))
        if path.suffix in {".grid", ".toml"} and path.name[0] != "_"
    ]
    if code in (rows := recipes()):
        return CASES / code / str(rows[code]["case"])
    cases.sort(key=lambda path: (path.suffix != ".grid", len(path.read_text(encoding="utf-8"))))
    mended = (case for case in cases if not found_in(right(code, case), case))
    return next(mended, cases[0] if cases else None)


def _is_directive(line: str) -> bool:
    return line.removeprefix("# ").partition(":")[0].strip() in DIRECTIVES and line.startswith("# ")


def _shown(text: str) -> str:
    """Return a case as its reader sees it: what it says to the tests in words, and what is written out written out."""
    if text.startswith("# expand"):
        text = _REPEATED.sub(lambda match: match[1].replace("\\n", "\n") * min(int(match[2]), 40), text)
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if not _is_directive(line):
            break
        word, _, value = line.removeprefix("# ").strip().partition(": ")
        lines[number] = f"# {DIRECTIVES[word].format(value)}\n"
    return "".join(lines)


def _short(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], "..."]
    return "\n".join(line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..." for line in lines)


if __name__ == "__main__":
    DATA.write_text(examples(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    for code in CODES:
        shown = case_of(code)
        if shown is not None and found_in(right(code, shown), shown):
            print(f"{code}: its help does not mend it all; say in tests/cases/mended.toml what does")
