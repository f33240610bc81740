"""What the documentation site shows beside the pages of this folder, and how these pages are turned into its own.

Nothing is written by hand twice: a page of a bundled spec is made from the spec and from the table of conformance, a
page of a diagnostic from the table of codes and its example.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from griddsl.cli.explaining.records import record_of
from griddsl.compiler import compiled
from griddsl.diagnostics import CODES
from griddsl.diagnostics.examples import example_of
from griddsl.envs.making import env_of
from griddsl.program.words import action_text, parties_of, space_text
from griddsl.render import Rasteriser, default_cell_pixels, save_png
from griddsl.web.page import page as game_page

ROOT = Path(__file__).parents[1]
HOME = "https://github.com/griddsl/griddsl"
RAW = HOME.replace("https://github.com", "https://raw.githubusercontent.com") + "/main/"
# Files outside of this folder that are pages of the site, and their names there.
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
_FENCE = re.compile(r"^```(\w+)(.*)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_ROW = re.compile(r"^\|(.*)\|$", re.MULTILINE)
_MOST_PIXELS = 900


@dataclass(frozen=True, slots=True)
class Compared:
    """A row of the table of conformance: the heading that it stands under, and what each column says."""

    heading: str
    cells: tuple[tuple[str, str], ...]


def page_of(text: str, page: str) -> str:
    """Return a page of the repository as a page of the site: its fences, and where its links lead."""
    text = _FENCE.sub(_fence, text)
    return _LINK.sub(lambda link: f"]({_target(link[1], page)})", text)


def _fence(fence: re.Match[str]) -> str:
    """Keep of an info string the language, and the name of a file as its title; the rest is for the tests."""
    name = re.search(r"\bfile=(\S+)", fence[2])
    return f"```{fence[1]}" + (f' title="{name[1]}"' if name is not None else "")


def _target(link: str, page: str) -> str:
    """Return where a link leads on the site: to one of its pages, or else to the repository."""
    for prefix in (f"{HOME}/blob/main/", f"{HOME}/tree/main/", RAW):
        if link.startswith(prefix):
            return _inside(link.removeprefix(prefix), page)
    if "://" in link or link.startswith("#"):
        return link
    path = ROOT / ("" if page in PAGES else "docs") / link.partition("#")[0]
    return _inside(f"{path.resolve().relative_to(ROOT)}{''.join(link.partition('#')[1:])}", page)


def _inside(link: str, page: str) -> str:
    path, sign, anchor = link.partition("#")
    if path == "docs/diagnostics.md" and anchor in CODES:
        return f"diagnostics/{anchor}.md"
    if path in PAGES or (path.startswith("docs/") and not path.endswith(".py")):
        here = PAGES.get(page, page)
        name = PAGES.get(path) or path.removeprefix("docs/")
        return f"{'' if name == here and anchor else name}{sign}{anchor}"
    if path.startswith("specs/") and path.endswith(".grid"):
        return f"environments/{Path(path).stem}.md"
    return f"{HOME}/{'blob' if (ROOT / path).is_file() else 'tree'}/main/{path}{sign}{anchor}"


def diagnostics_page(text: str) -> str:
    """Return the index of diagnostics: the page of the repository without its examples, linked to a page each."""
    index = text.partition("\n## ")[0]
    return re.sub(r"\]\(#([\w-]+)\)", r"](diagnostics/\1.md)", index)


def diagnostic_pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of the page of each code."""
    for code, row in CODES.items():
        example = example_of(code)
        parts = [f"# {code}", f"{row.severity.capitalize()}. {row.meaning}"]
        for title, key, language in (
            ("Wrong", "wrong", example.get("language")),
            ("What is said", "said", "text"),
            ("Right", "right", example.get("language")),
        ):
            if key in example:
                parts.append(f"## {title}\n\n```{language}\n{example[key]}\n```")
        parts.append(
            f"In a terminal: `griddsl check --explain {code}`. [All diagnostics](../diagnostics.md)."
        )
        yield f"diagnostics/{code}.md", "\n\n".join(parts) + "\n"


def spec_files() -> list[Path]:
    """Return the bundled specs."""
    return sorted((ROOT / "specs").glob("*.grid"))


def picture(file: Path) -> bytes:
    """Return the first state of a spec as a PNG, drawn with seed 0."""
    scene = env_of(file, 0).scene(None, None)
    pixels = min(default_cell_pixels(scene.width, scene.height), _MOST_PIXELS // scene.width)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "picture.png"
        save_png(target, Rasteriser(max(8, pixels)).draw(scene))
        return target.read_bytes()


def spec_page(file: Path) -> str:
    """Return the page of a bundled spec: its picture, text, spaces, parameters, and what it was compared with."""
    ready = compiled(file)
    model, program = ready.model, ready.program
    name = program.id.rpartition("/")[2]
    short = re.sub(r"-v\d+$", "", name)
    parts = [f"# {short}", model.description, _playable(file, short)]
    facts = [("id", f"`{program.id}`"), ("grid", f"{program.width} x {program.height}")]
    levels = [f"`{drawing.name}`" for drawing in model.maps if drawing.name]
    facts += [("levels", ", ".join(levels))] if 0 < len(levels) <= 20 else []
    if len(program.agent_names) > 1:
        facts.append(("agents", ", ".join(f"`{each}`" for each in program.agent_names)))
    parties = parties_of(program)
    for names, player in parties:
        facts.append((f"actions{f' of {names}' if len(parties) > 1 else ''}", f"`{action_text(player)}`"))
        listed = [", ".join(action.name for action in group.actions) for group in player.groups]
        facts.append(("", "; ".join(listed)))
    facts.append(("observation", f"`{space_text(program)}`"))
    facts.append(("limit", "none" if program.limit is None else f"{program.limit} steps"))
    parts.append(_table(("", ""), [(what, text.replace("\n", " ")) for what, text in facts]))
    params = _params(file)
    if params:
        parts.append("## Parameters\n\nKeywords of `gym.make`.")
        parts.append(_table(("parameter", "default", "domain"), params))
    make = (
        f'game = griddsl.make_parallel("{program.id}")  # PettingZoo'
        if len(program.agent_names) > 1
        else f'env = gym.make("{program.id}")'
    )
    imports = "import griddsl" if len(program.agent_names) > 1 else "import gymnasium as gym\nimport griddsl"
    parts.append(f"## Play it\n\n```sh\ngriddsl run {short}\n```\n\n```python\n{imports}\n\n{make}\n```")
    parts.append(f"## The spec\n\n```grid\n{file.read_text(encoding='utf-8').rstrip()}\n```")
    rows = compared(file)
    if rows:
        parts.append("## What it was compared with\n\nFrom the [page of conformance](../conformance.md).")
        for row in rows:
            lines = [f"- **{column}**: {text}" for column, text in row.cells if text not in {"-", ""}]
            parts.append(f"*{row.heading}*\n\n" + "\n".join(lines))
    else:
        parts.append(
            "## What it was compared with\n\nA game of our own: it restates no published environment."
        )
    return "\n\n".join(part for part in parts if part) + "\n"


def playable(file: Path) -> str:
    """Return the page that plays a bundled spec."""
    return game_page(file)


def _playable(file: Path, name: str) -> str:
    """Return the frame in which a spec is played on its page, and the way to a page of its own."""
    frame = f'<iframe class="game" src="../{file.stem}_play.html" title="{name}" loading="lazy"></iframe>'
    command = f"griddsl export {name} --to game.html"
    return f"{frame}\n\n[On a page of its own]({file.stem}_play.html), which `{command}` writes too."


def _params(file: Path) -> list[tuple[str, ...]]:
    record = record_of(compiled(file).program.id, file)
    return [
        (f"`{name}`", f"`{json.dumps(param['default'])}`".replace('"', ""), f"`{param['domain']}`")
        for name, param in record["params"].items()
    ]


def compared(file: Path) -> list[Compared]:
    """Return the rows of the page of conformance that name a spec in their first column."""
    text = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    found = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        rows = [tuple(cell.strip() for cell in row.split(" | ")) for row in _ROW.findall(section)]
        for row in rows[2:]:
            if f"`{file.name}`" in row[0]:
                columns = [(_plain(column), cell) for column, cell in zip(rows[0], row, strict=False)]
                rest = columns[1:] if row[0].strip() == f"`{file.name}`" else columns
                found.append(Compared(section.partition("\n")[0], tuple(rest)))
    return found


def _plain(cell: str) -> str:
    return cell.strip(" |")


def environments_page() -> str:
    """Return the table of all bundled specs."""
    rows: list[tuple[str, ...]] = []
    for file in spec_files():
        program = compiled(file).program
        short = re.sub(r"-v\d+$", "", program.id.rpartition("/")[2])
        rows.append((f"[{short}](environments/{file.stem}.md)", compiled(file).model.description or ""))
    head = "# Environments\n\nWhat comes with griddsl; `griddsl list` prints the same. Each page shows the spec itself."
    return f"{head}\n\n{_table(('environment', ''), rows)}\n"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
