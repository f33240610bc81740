"""Hooks of MkDocs: the pages that are made when the site is built, and those of the repository as pages of the site."""

from __future__ import annotations

import os
from typing import Any

from mkdocs.structure.files import File, Files

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import site_pages as pages


def on_config(config: Any) -> Any:
    """Put the pages of all environments and diagnostics into the navigation."""
    for entry in config.nav:
        if "Environments" in entry:
            entry["Environments"] += [f"environments/{file.stem}.md" for file in pages.spec_files()]
        if "Diagnostics" in entry:
            entry["Diagnostics"] += [f"diagnostics/{code}.md" for code in pages.CODES]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made from specs, from the table of codes and from files at the root."""
    texts = {"environments.md": pages.environments_page(), **dict(pages.diagnostic_pages())}
    for path, name in pages.PAGES.items():
        texts[name] = pages.page_of((pages.ROOT / path).read_text(encoding="utf-8"), path)
    for file in pages.spec_files():
        texts[f"environments/{file.stem}.md"] = pages.spec_page(file)
        files.append(File.generated(config, f"environments/{file.stem}.png", content=pages.picture(file)))
        game = File.generated(config, f"environments/{file.stem}_play.html", content=pages.playable(file))
        files.append(game)
    for name, text in texts.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn a page of the folder into one of the site."""
    if page.file.generated_by is not None:
        return markdown
    if page.file.src_uri == "diagnostics.md":
        markdown = pages.diagnostics_page(markdown)
    text: str = pages.page_of(markdown, page.file.src_uri)
    return text
