"""Hints beside the text: what play reaches and the map shows, and what can be done with the spec."""

from __future__ import annotations

import sys
from pathlib import Path

from lsprotocol import types as lsp

from griddsl.editor.facts import Facts
from griddsl.editor.names import declarations
from griddsl.editor.text import SpecText

# What a lens over `env` does: its title, and the command that a terminal runs, before and after the file.
LENSES = {
    "griddsl.play": ("play", ("run",), ()),
    "griddsl.solve": ("solve", ("solve",), ("--values", "--policy")),
    "griddsl.export": ("export", ("export",), ("--to", "{stem}.js")),
}


def inlay_hints(spec: SpecText, facts: Facts | None, wanted: lsp.Range) -> list[lsp.InlayHint]:
    """Return the reached values behind variables and attributes, and the number on the map behind kinds."""
    if facts is None:
        return []
    found = []
    for declared in declarations(spec):
        key = f"{declared.owner}.{declared.name}" if declared.sort == "attribute" else declared.name
        label = facts.ranges.get(key) if declared.sort in {"attribute", "name"} else None
        tip = "the values that play reaches"
        if label is not None and not facts.are_all:
            label, tip = (
                f"{label} seen",
                "in a little random play: there are too many states to visit them all",
            )
        if label is None and declared.is_kind:
            count = facts.counts.get(declared.name)
            label, tip = (None if count is None else f"{count} on the map"), "at the start of an episode"
        position = spec.position(declared.word.span.end)
        if label is not None and wanted.start.line <= position.line <= wanted.end.line:
            found.append(lsp.InlayHint(position, f" {label}", tooltip=tip, padding_right=True))
    return found


def lenses(spec: SpecText) -> list[lsp.CodeLens]:
    """Return what can be done with a spec, over its `env`; nothing for a text without a file, or that is no spec."""
    statement = next((each for each in spec.document.statements if each.keyword == "env"), None)
    if statement is None or spec.folder is None:
        return []
    place = spec.range_of(statement.keyword_span)
    return [
        lsp.CodeLens(
            place, lsp.Command(title, name, arguments=[spec.uri, command_line(name, Path(spec.name))])
        )
        for name, (title, _, _) in LENSES.items()
    ]


def command_line(name: str, path: Path) -> list[str]:
    """Return the command of a lens for a file, as a list of words."""
    _, before, after = LENSES[name]
    options = [each.replace("{stem}", str(path.with_suffix(""))) for each in after]
    return [sys.executable, "-P", "-m", "griddsl", *before, str(path), *options]
