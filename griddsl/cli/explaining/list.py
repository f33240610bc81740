"""``griddsl list``: the registered specs."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from griddsl.cli.explaining.records import record_of
from griddsl.cli.failures import ERRORS, Refusal
from griddsl.cli.paint import is_colored, paint
from griddsl.diagnostics import listing

_HEAD = 2_000  # characters of a file in which its description stands

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORD]...", help="What ids or descriptions have in them, all of these."),
]


def command(
    words: Words = None, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
) -> None:
    """List the registered specs, one a line, by family."""
    from griddsl.registration.ids import registered_specs

    wanted = [word.lower() for word in words or ()]
    found = [(id, path) for id, path in sorted(registered_specs().items()) if _has(id, path, wanted)]
    if wanted and not found:
        raise Refusal(
            f"no id and no description has {listing(wanted, 'and')}",
            "`griddsl list` shows all of them",
            ERRORS,
        )
    records = [record_of(spec_id, path) for spec_id, path in found]
    if as_json:
        print(json.dumps(records, indent=2, ensure_ascii=False))
        return
    color = is_colored(sys.stdout)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    print("\n\n".join("\n".join(family) for family in _families(records, color, width)))


def _has(spec_id: str, path: Path, words: list[str]) -> bool:
    """Whether an id, or what the file begins with, its description, has all of some words."""
    if not words:
        return True
    try:
        head = path.read_text(encoding="utf-8-sig", errors="replace").split("\nmap")[0][:_HEAD]
    except OSError:
        head = ""
    quoted = " ".join(re.findall(r'"([^"]*)"', head.split("\nparam")[0]))
    text = f"{spec_id} {quoted}".lower()
    return all(word in text for word in words)


def family_of(spec_id: str) -> str:
    """Return the family of an id: the suite that it is of (`MiniGrid`), or its namespace."""
    namespace, _, name = spec_id.rpartition("/")
    suite, _, rest = name.partition("-")
    return suite if "-" in rest else namespace or "others"


def _families(records: list[dict[str, Any]], color: bool, width: int | None) -> Iterator[list[str]]:
    """Yield the lines of each family: its name, and of each id its size, its agents and what they observe."""
    rows = [(family_of(record["id"]), _row(record)) for record in records]
    widths = [max((len(row[k]) for _, row in rows), default=0) for k in range(3)]
    for family, members in itertools.groupby(
        sorted(rows, key=lambda row: row[0].lower()), key=lambda row: row[0]
    ):
        lines = [paint(family, "bold", color)]
        for _, (spec_id, size, agents, seen) in members:
            line = f"  {spec_id:<{widths[0]}}  {size:<{widths[1]}}  {agents:<{widths[2]}}  {seen}"
            lines.append(line if width is None or len(line) <= width else f"{line[: width - 1]}…")
        yield lines


def _row(record: Mapping[str, Any]) -> tuple[str, str, str, str]:
    if "errors" in record:
        return record["id"], "", "", f"has errors: griddsl check {record['path']}"
    count = len(record["agents"])
    agents = f"{count} agent{'s' if count > 1 else ''}"
    return record["id"], f"{record['width']} x {record['height']}", agents, record["observation"]
