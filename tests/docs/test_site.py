"""The pages that the documentation site adds: of specs, of diagnostics, and those of the repository in its form.

The site itself is built by `.ci/run`, which has MkDocs; warnings are errors there.
"""

from __future__ import annotations

import re

import pytest

from docs import site_pages as pages
from griddsl.diagnostics import CODES
from tests.docs.doc_blocks import ROOT

NAV = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]


def test_spec_page__tells_all_of_a_spec() -> None:
    """The page of taxi has its text, spaces, parameters, source, and all four rows of what it was compared with."""
    page = pages.spec_page(ROOT / "specs" / "taxi.grid")
    assert page.startswith("# Taxi\n\nFetch the passenger") and "Dietterich 2000" in page
    assert "| actions | `Discrete(6)` |" in page and "| `rainy` | `false` | `true | false` |" in page
    assert (ROOT / "specs" / "taxi.grid").read_text(encoding="utf-8").rstrip() in page
    assert page.count("*Gymnasium: Taxi*") == 4
    assert pages.picture(ROOT / "specs" / "taxi.grid").startswith(b"\x89PNG")
    assert 'src="../taxi_play.html"' in page and "(taxi_play.html)" in page
    assert pages.playable(ROOT / "specs" / "taxi.grid").startswith("<!doctype html>")


def test_spec_page__of_several_agents_names_them() -> None:
    """Agents are listed, and the environment is made with PettingZoo."""
    page = pages.spec_page(ROOT / "specs" / "tag.grid")
    assert "| agents | `tagger`, `runner_0`" in page and "griddsl.make_parallel(" in page


def test_conformance__is_read_row_by_row() -> None:
    """Every spec that the page of conformance names in a first column is found in it, and no other."""
    text = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    named = {
        name
        for row in re.findall(r"^\| ([^|]*)\|", text, re.MULTILINE)
        for name in re.findall(r"`(\w+\.grid)`", row)
    }
    found = {file.name for file in pages.spec_files() if pages.compared(file)}
    assert found == named and len(found) > 30
    for file in pages.spec_files():
        assert all(len(row.cells) >= 3 and row.heading for row in pages.compared(file))


def test_diagnostic_pages__are_all_there() -> None:
    """Every code has a page with a wrong and a right example, and the index links to each."""
    found = dict(pages.diagnostic_pages())
    assert set(found) == {f"diagnostics/{code}.md" for code in CODES}
    assert all("## Wrong" in text and "## Right" in text for text in found.values())
    index = pages.diagnostics_page((ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8"))
    assert set(re.findall(r"\]\((diagnostics/[\w-]+\.md)\)", index)) == set(found) and "```" not in index


@pytest.mark.parametrize(
    ("link", "page", "leads_to"),
    [
        (
            "https://github.com/griddsl/griddsl/blob/main/docs/guide.md#2-check-it",
            "README.md",
            "guide.md#2-check-it",
        ),
        (
            "https://raw.githubusercontent.com/griddsl/griddsl/main/docs/images/a.gif",
            "README.md",
            "images/a.gif",
        ),
        (
            "https://github.com/griddsl/griddsl/tree/main/examples",
            "README.md",
            f"{pages.HOME}/tree/main/examples",
        ),
        ("../CHANGELOG.md", "versions.md", "changelog.md"),
        ("docs/program.md", "CONTRIBUTING.md", "program.md"),
        ("README.md", "CONTRIBUTING.md", "index.md"),
        ("../examples/mcts.py", "guide.md", f"{pages.HOME}/blob/main/examples/mcts.py"),
        ("../specs/taxi.grid", "guide.md", "environments/taxi.md"),
        ("diagnostics.md#no-limit", "guide.md", "diagnostics/no-limit.md"),
        ("#setup", "language.md", "#setup"),
        ("https://gymnasium.farama.org", "guide.md", "https://gymnasium.farama.org"),
    ],
)
def test_links__lead_to_pages_of_the_site(link: str, page: str, leads_to: str) -> None:
    """What is a page of the site is linked there, and all else in the repository."""
    assert pages.page_of(f"[a]({link})", page) == f"[a]({leads_to})"


def test_fences__keep_what_a_reader_needs() -> None:
    """The language stays, the name of a file becomes a title, and what only tests read goes."""
    assert (
        pages.page_of("```grid file=a.grid fragment\nx\n```", "guide.md") == '```grid title="a.grid"\nx\n```'
    )
    assert pages.page_of("```console run exit=1\n$ x\n```", "guide.md") == "```console\n$ x\n```"


def test_navigation__names_every_page() -> None:
    """Each page of the folder, and each that comes from elsewhere, stands in the navigation once."""
    listed = re.findall(r"([\w/]+\.md)$", NAV, re.MULTILINE)
    there = (
        {file.name for file in (ROOT / "docs").glob("*.md")} | set(pages.PAGES.values()) | {"environments.md"}
    )
    assert sorted(listed) == sorted(there)
