"""The pages leave nothing out, and their links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from griddsl.cli.verbs import VERBS
from griddsl.lowering.clauses.functions import FUNCTIONS
from griddsl.lowering.sight.values import BARE_WORDS
from griddsl.lowering.world.actions import KNOWN
from griddsl.lowering.world.kinds import PROPERTIES
from griddsl.lowering.world.maps.generators import GENERATORS
from griddsl.render import SHAPES
from griddsl.syntax.keywords import EFFECT_WORDS, GRID_FORMS, POLICIES, POSITION_FORMS, RESERVED, STATEMENTS
from tests.docs.doc_blocks import PAGES, ROOT, all_blocks

LANGUAGE = (ROOT / "docs/language.md").read_text(encoding="utf-8")
WORDS = {
    "statements": STATEMENTS,
    "effects": EFFECT_WORDS,
    "reserved words": RESERVED,
    "actions": KNOWN,
    "movers": POLICIES,
    "functions": FUNCTIONS,
    "generators": GENERATORS,
    "properties": PROPERTIES,
    "bare observations": BARE_WORDS,
    "forms of a position": POSITION_FORMS,
    "forms of a grid": GRID_FORMS,
}
LINK = re.compile(r"\]\(([^)\s]+)\)")
HOME = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Homepage"]
RAW = HOME.replace("https://github.com/", "https://raw.githubusercontent.com/")
OURS = re.compile(rf"{re.escape(HOME)}/(blob|tree)/main/|{re.escape(RAW)}/main/")


def test_readme__has_links_that_hold_everywhere() -> None:
    """The README is shown beside the package too, where a path of the repository leads nowhere."""
    links = LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 10
    assert [link for link in links if "://" not in link] == []


def test_readme__names_every_command() -> None:
    """Each verb of the command line stands in the README as code."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [verb.name for verb in VERBS if not re.search(rf"`(griddsl )?{verb.name}\b", text)]
    assert missing == [], "each stands in the table of commands of README.md"


@pytest.mark.parametrize("what", WORDS)
def test_language_reference__names_every_word(what: str) -> None:
    """Every word of the language stands in the reference as code."""
    code = " ".join(re.findall(r"`([^`\n]+)`", LANGUAGE))
    missing = [word for word in WORDS[what] if not re.search(rf"\b{word}\b", code)]
    assert missing == [], f"each stands as code among the {what} of docs/language.md"


def test_language_reference__has_a_row_for_each_function_and_observation() -> None:
    """A function stands with its brackets at the head of a row, a word that is observed by itself alone: elsewhere it may be a name."""
    heads = " ".join(line.split("|")[1] for line in LANGUAGE.split("\n") if line.startswith("|"))
    missing = [name for name in FUNCTIONS if f"`{name}(" not in heads]
    missing += [word for word in BARE_WORDS if f"`{word}`" not in heads]
    assert missing == [], "each stands at the head of a row in a table of docs/language.md"


def test_cheat_sheet__names_every_function() -> None:
    """Each function stands with its brackets on the sheet."""
    sheet = (ROOT / "docs" / "cheat_sheet.md").read_text(encoding="utf-8")
    assert [name for name in FUNCTIONS if not re.search(rf"`[^`\n]*\b{name}\(", sheet)] == []


def test_language_reference__lists_all_of_its_sections() -> None:
    """The contents at the top link to every section, in order."""
    sections = re.findall(r"^## (\d+)\. ", LANGUAGE, re.MULTILINE)
    listed = re.findall(r"\]\(#(\d+)-[\w-]+\)", LANGUAGE.partition("Contents:")[2].partition("\n\n")[0])
    assert listed == sections and len(sections) > 20


def test_language_reference__compiles_an_example_of_every_statement() -> None:
    """Every statement stands in a block of the reference: in a whole spec, but for what does not compile yet."""
    blocks = [
        block for block in all_blocks() if block.page == "docs/language.md" and block.language == "grid"
    ]
    shown = {
        line.split(":")[0].split()[0]
        for block in blocks
        for line in block.text.split("\n")
        if line[:1].isalpha()
    }
    missing = set(STATEMENTS) - shown
    assert missing == set(), "each stands in a `grid` block of docs/language.md"


def _anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links__lead_somewhere(page: str) -> None:
    """Every relative link is a file that exists, and its anchor a heading there."""
    missing: list[str] = []
    for link in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        if "://" in link and not OURS.match(link):
            continue
        link = OURS.sub("", link)
        name, _, anchor = link.partition("#")
        target = ((ROOT / page).parent / name).resolve() if name else ROOT / page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            missing.append(link)
    assert missing == []


def _make_images() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_images", ROOT / "docs/make_images.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_gallery__is_up_to_date() -> None:
    """The gallery is what `docs/make_images.py` writes, with a picture of every shape."""
    assert (ROOT / "docs/gallery.md").read_text(encoding="utf-8") == _make_images().gallery()
    assert {path.stem for path in (ROOT / "docs/images/shapes").glob("*.png")} == set(SHAPES)


def test_ci__finds_the_test_command_of_the_readme() -> None:
    """The block after the marker is one command that runs a part of the tests, and CI plays what that leaves out."""
    after = (ROOT / "README.md").read_text(encoding="utf-8").partition("<!-- test command -->\n```sh\n")[2]
    command = after.partition("\n```")[0]
    part = re.search(r"pytest -q -n auto --every (\d+)$", command)
    assert part is not None and "\n" not in command
    assert f"pytest -q -n auto --but-every {part[1]} " in (ROOT / ".ci/run").read_text(encoding="utf-8")
