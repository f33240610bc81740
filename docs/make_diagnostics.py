"""Write ``docs/diagnostics.md``: every code with its meaning, an example, what is said of it and how to mend it.

``python docs/make_diagnostics.py`` writes the page; the test of the same name checks that it is up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

from griddsl.diagnostics import CODES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "diagnostics.md"
CASES = ROOT / "tests" / "cases" / "errors"
CHAPTERS = {
    "unreadable": "The file",
    "not-a-statement": "Layout",
    "syntax": "Clauses",
    "bad-id": "The model",
    "type": "Types and values",
    "never-fires": "What is legal and surely unmeant",
    "no-place": "At reset",
}
LONGEST_LINE = 100
HEAD = """\
# Diagnostics

<!-- Written by docs/make_diagnostics.py from the table of codes and tests/cases/errors: do not edit. -->

Every message names its code in brackets. An error keeps a spec from being used; a warning speaks of what is legal and
surely unmeant. What is broken in one statement hides no mistake of another, and one mistake is reported once.
`griddsl check --format json` and `--format github` say the same to tools; `griddsl.check(source)` returns the
diagnostics as values.

Which rules of one step see what others changed is no matter of warnings: `griddsl explain FILE` prints the order.
"""


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD, _contents()]
    for code, row in CODES.items():
        if code in CHAPTERS:
            parts.append(f"## {CHAPTERS[code]}\n")
        parts.append(f"### `{code}`\n\n{row.severity.capitalize()}. {row.meaning}\n")
        parts.extend(_example(code))
    return "\n".join(parts)


def _contents() -> str:
    lines = []
    for code, row in CODES.items():
        if code in CHAPTERS:
            lines.append(f"\n**{CHAPTERS[code]}**\n")
        lines.append(f"- [`{code}`](#{code}): {row.meaning}")
    return "\n".join(lines).lstrip() + "\n"


def _example(code: str) -> list[str]:
    """Show the case with the shortest text, and how its message says to mend it."""
    cases = [
        path
        for path in sorted((CASES / code).glob("*.*"))
        if path.suffix in {".grid", ".toml"} and path.name[0] != "_"
    ]
    if not cases:
        return []
    case = min(cases, key=lambda path: (path.suffix != ".grid", len(path.read_text(encoding="utf-8"))))
    text = case.read_text(encoding="utf-8").rstrip("\n")
    rendered = (
        case.with_suffix(".txt" if case.suffix == ".grid" else ".toml.txt")
        .read_text(encoding="utf-8")
        .rstrip("\n")
    )
    parts = [f"```{case.suffix[1:]}\n{_short(text)}\n```\n", f"```text\n{_short(rendered)}\n```\n"]
    mend = re.search(rf"\[{code}\](?:(?!\n\n).)*?\nhelp: ([^\n]*)", rendered, re.DOTALL)
    if mend is not None:
        parts.append(f"To mend it: {mend[1]}.\n")
    return parts


def _short(text: str) -> str:
    return "\n".join(
        line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + " ..." for line in text.split("\n")
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
