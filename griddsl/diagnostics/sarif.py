"""Diagnostics as SARIF 2.1.0, the form in which code hosts and editors take what checkers find."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from griddsl.diagnostics.codes import CODES
from griddsl.diagnostics.diagnostic import Diagnostic, Fix
from griddsl.diagnostics.examples import example_of
from griddsl.source import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
HOME = "https://github.com/griddsl/griddsl"
PAGE = f"{HOME}/blob/main/docs/diagnostics.md"


def to_sarif(diagnostics: Iterable[Diagnostic], version: str) -> str:
    """Return one SARIF run: the codes that were found, as rules, and a result a diagnostic."""
    found = list(diagnostics)
    codes = sorted({diagnostic.code for diagnostic in found})
    driver = {
        "name": "griddsl",
        "version": version,
        "informationUri": HOME,
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, codes) for diagnostic in found],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _rule(code: str) -> dict[str, Any]:
    row, page = CODES[code], f"{PAGE}#{code}"
    example = example_of(code)
    text, marked = [row.meaning], [row.meaning]
    for title, key in (("Wrong", "wrong"), ("What is said", "said"), ("Right", "right")):
        if key in example:
            text.append(f"{title}:\n\n{example[key]}")
            language = "text" if key == "said" else example["language"]
            marked.append(f"**{title}**\n\n```{language}\n{example[key]}\n```")
    return {
        "id": code,
        "shortDescription": {"text": row.meaning},
        "fullDescription": {"text": row.meaning},
        "help": {
            "text": "\n\n".join([*text, page]),
            "markdown": "\n\n".join([*marked, f"[More]({page})"]),
        },
        "helpUri": page,
        "defaultConfiguration": {"level": row.severity},
    }


def _result(diagnostic: Diagnostic, codes: Sequence[str]) -> dict[str, Any]:
    text = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": text},
        "locations": [_location(diagnostic.span)],
    }
    if diagnostic.labels:
        result["relatedLocations"] = [
            {"id": number, **_location(label.span), "message": {"text": label.text}}
            for number, label in enumerate(diagnostic.labels)
        ]
    if diagnostic.fixes:
        result["fixes"] = [_fix(fix, diagnostic.help or "") for fix in diagnostic.fixes]
    return result


def _fix(fix: Fix, description: str) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change = {"artifactLocation": _artifact(fix.span), "replacements": [replacement]}
    return {"description": {"text": description}, "artifactChanges": [change]}


def _location(span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(span), "region": _region(span)}}


def _artifact(span: Span) -> dict[str, str]:
    """Return the file as a URI: relative where its name is, so that it is found in any checkout."""
    path = Path(span.source.name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))}


def _region(span: Span) -> dict[str, int]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
