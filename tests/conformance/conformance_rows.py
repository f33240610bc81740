"""The rows of ``docs/conformance.md`` that tests write: what each of them found, under ``--update-cases``."""

from __future__ import annotations

from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"
FOUND = pytest.StashKey[dict[str, dict[str, dict[str, str]]]]()


def record(config: pytest.Config, table: str, row: str, cells: dict[str, str]) -> None:
    """Note the cells of a row, by their columns; they are written when the run is over, if it is asked for.

    ``table`` is the marker ``<!-- TABLE -->`` above a table of the page, ``row`` what its first column holds.
    """
    if config.getoption("--update-cases"):
        tables = config.stash.setdefault(FOUND, {})
        tables.setdefault(table, {}).setdefault(row, {}).update(cells)


def write(config: pytest.Config) -> None:
    """Write what was noted into the page; what this run did not look at stays as it is."""
    for table, rows in config.stash.get(FOUND, {}).items():
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition(f"<!-- {table} -->\n\n")
        old, end, after = rest.partition(f"\n\n<!-- end {table} -->")
        assert end, f"{PAGE.name} has no table between <!-- {table} --> and <!-- end {table} -->"
        head, line, *lines = old.split("\n")
        columns = _cells(head)
        known = {_cells(each)[0]: dict(zip(columns, _cells(each), strict=True)) for each in lines}
        for row, cells in rows.items():
            known.setdefault(row, {columns[0]: row}).update(cells)
        drawn = [
            " | ".join(cells.get(column, "-") for column in columns) for _, cells in sorted(known.items())
        ]
        new = "\n".join([head, line, *(f"| {each} |" for each in drawn)])
        PAGE.write_text(f"{before}<!-- {table} -->\n\n{new}\n\n<!-- end {table} -->{after}", encoding="utf-8")


def rows_of(table: str) -> dict[str, dict[str, str]]:
    """Return the cells of a table of the page, by its first column and the others' names."""
    text = PAGE.read_text(encoding="utf-8")
    inside = text.partition(f"<!-- {table} -->\n\n")[2].partition(f"\n\n<!-- end {table} -->")[0]
    head, _, *lines = inside.split("\n")
    return {_cells(line)[0]: dict(zip(_cells(head), _cells(line), strict=True)) for line in lines}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("| ").split(" | ")]
