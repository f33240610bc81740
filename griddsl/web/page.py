"""A page that plays a spec by itself: the game's modules, the player, and all that it has to know, in one file."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import griddsl
from griddsl.backends.javascript.emit import module
from griddsl.compiler import AnySpec
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import Refused, with_keywords
from griddsl.editor.lexer import CLASS_OF_TOKEN, GridLexer
from griddsl.playing.asking import cell_in
from griddsl.playing.keys import COMMANDS, Keys, keys_of
from griddsl.playing.moments import place_text
from griddsl.playing.traced import seats_of
from griddsl.program.form import to_json
from griddsl.program.program import ActionInfo, Program
from griddsl.render.pages.sealed import sealed_page
from griddsl.web.bundle import bundle, player_file
from griddsl.web.looks import looks_of
from griddsl.web.study import Study
from griddsl.web.variants import games_of

# Keys that a browser or those who use no mouse need for themselves.
BROWSERS_OWN = frozenset(
    {"tab", "escape", "ctrl+c", "ctrl+q", "quit", *(f"f{number}" for number in range(1, 13))}
)
ON_PAGES = ("undo", "restart", "new_seed", "auto", "next", "faster", "slower")
HINT_KEYS = ("h", "?", "/")
_CLASSES = {"comment": "c", "string": "s", "map": "m", "number": "m", "constant": "m", "builtin": "s"}
_KEYWORDS = frozenset({"statement", "rule", "word"})


@with_keywords
def page(
    source: AnySpec,
    /,
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    exact: bool = False,
    study: Study | None = None,
    post: str | None = None,
    **params: Any,
) -> str:
    """Return a page that plays a spec offline: HTML with nothing outside of it.

    ``vary`` lets players choose among values of parameters; ``exact`` puts the optimal values and moves in; ``study``
    makes it a page for participants; recordings go to the address ``post``, the only one that the page asks. Raises
    `SpecError` for a spec with errors, and `ValueError` for what no page can play, or be solved.
    """
    return page_of(source, params, vary=vary, exact=exact, study=study, post=post)


def page_of(
    source: AnySpec,
    params: Mapping[str, Any],
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    exact: bool = False,
    study: Study | None = None,
    post: str | None = None,
) -> str:
    """Return what `page` returns; here parameters may be called as its arguments are."""
    games = games_of(source, dict(params), vary)
    programs = [ready.program for _, _, ready in games]
    scripts = [
        f"{module(program, traced=True, pictured=True, short=True)}\n(globalThis.griddslMakers ??= []).push(make);\n"
        for program in programs
    ]
    data = {
        **described(games[0][2]),
        "games": [
            {**game(ready, exact and study is None), "label": label, "params": own}
            for label, own, ready in games
        ],
        "study": None if study is None else study.shown(),
        "post": None if post is None else address(post),
    }
    return document(str(data["title"]), data, [*scripts, bundle("page/page.js")], data["post"])


def described(ready: Compiled) -> dict[str, Any]:
    """Return what a page says of a spec as a whole."""
    source, program = ready.model.source, ready.program
    name = re.sub(r"[^\w-]+", "_", program.id.rpartition("/")[2]) or "game"
    return {
        "title": re.sub(r"-v\d+$", "", program.id.rpartition("/")[2]),
        "name": name,
        "description": program.description,
        "facts": {"id": program.id, "source": Path(source.name).name, "version": griddsl.__version__},
        "source": _coloured(source.text) if not source.name.endswith(".toml") else _plain_lines(source.text),
    }


def game(ready: Compiled, exact: bool = False) -> dict[str, Any]:
    """Return what a page has to know of one program beside its module."""
    program = ready.program
    looks = looks_of(program)
    codes = {kind.name: kind.code for kind in program.kinds}
    found = {
        "fingerprint": fingerprint(program),
        "looks": looks,
        "seats": [
            {
                "agent": seat.agent,
                "name": seat.group.name,
                "actions": [action.name for action in seat.group.actions],
                "cells": [cell_taken(action, program.width) for action in seat.group.actions],
            }
            for seat in seats_of(program)
        ],
        "keys": keys_on_page(program, exact),
        "directions": list(program.metadata.get("directions", ())),  # type: ignore[call-overload]
        "rules": [
            {
                "head": rule.head,
                "place": place_text(rule.span, ready.model.source),
                "line": rule.span.line if rule.span.source == ready.model.source else 0,
            }
            for rule in program.rules
        ],
        "agent_colors": [looks["kinds"][codes[name]]["color"] for name in program.agents],
        "exact": None,
        "action_names": [],
    }
    if exact:
        from griddsl.web.optimal import optimal_of

        found["exact"], found["action_names"] = optimal_of(program)
    return found


def cell_taken(action: ActionInfo, width: int) -> int:
    """Return the cell that is all that an action is given, which a click on it plays; -1 for other actions."""
    cell = cell_in(action.values[0]) if len(action.values) == 1 else None
    return -1 if cell is None else cell[1] * width + cell[0]


def keys_on_page(program: Program, hints: bool = False) -> dict[str, Any]:
    """Return the keys of the window without those that browsers need, and what each does."""
    keys = keys_of(program)
    actions = {key: place for key, place in keys.actions.items() if key not in BROWSERS_OWN}
    commands = {
        key: name for key, name in keys.commands.items() if key not in BROWSERS_OWN and name in ON_PAGES
    }
    shown = Keys(actions, commands).captions(program)
    hint = (
        next((key for key in HINT_KEYS if key not in actions and key not in commands), None)
        if hints
        else None
    )
    if hint is not None:
        commands[hint] = "hint"
        shown.append((hint, "the best move"))
    return {
        "actions": actions,
        "commands": commands,
        "captions": shown,
        "meanings": [meaning for _, meaning, _ in COMMANDS] + ["faster, slower"],
    }


def fingerprint(program: Program) -> str:
    """Return a word that is another one for a program that plays otherwise, however its text is laid out."""
    form = json.loads(to_json(program), object_hook=_without_texts)
    for of_text in ("sources", "rules", "description"):
        form.pop(of_text, None)
    return hashlib.sha256(json.dumps(form, sort_keys=True).encode()).hexdigest()[:16]


def _without_texts(node: dict[str, Any]) -> dict[str, Any]:
    """Return a node of a program without its place in the text, and a note without what it says."""
    node.pop("span", None)
    return {} if node.get("is") == "Note" else node


def address(url: str) -> str:
    """Return where recordings are posted, as a policy of contents can hold it. Raises `ValueError` for no address."""
    try:
        parts = urlsplit(url.strip())
        known = parts.hostname is not None and parts.port != 0
    except ValueError:
        known = False
    if not known or parts.scheme not in {"https", "http"} or parts.username is not None or parts.fragment:
        raise Refused(
            f"`{url}` is no address that a page can post to: write `https://example.org/recordings`"
        )
    query = f"?{quote(parts.query, safe='=&%+/:@-._~')}" if parts.query else ""
    return (
        f"{parts.scheme}://{quote(parts.netloc, safe=':[]-._~')}{quote(parts.path, safe='/%-._~+=:@')}{query}"
    )


def document(title: str, data: Any, scripts: Sequence[str], post: str | None = None) -> str:
    """Return an HTML document that runs these modules and nothing else, and asks no host but that of ``post``."""
    return sealed_page(
        title,
        player_file("page/page.css"),
        '<main id="griddsl" class="griddsl"><noscript>This game needs JavaScript.</noscript></main>',
        data,
        scripts,
        generator=f"griddsl {griddsl.__version__}",
        body_class="gd-page",
        asked="'none'" if post is None else post.partition("?")[0],
    )


def _coloured(text: str) -> list[list[list[str]]]:
    """Return the lines of a spec as runs of a class of colour and a text."""
    lines: list[list[list[str]]] = [[]]
    for token, value in GridLexer(stripnl=False, ensurenl=False).get_tokens(text):
        word = CLASS_OF_TOKEN.get(token, "other")
        kind = "k" if word in _KEYWORDS else _CLASSES.get(word, "")
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
            if part and lines[-1] and lines[-1][-1][0] == kind:
                lines[-1][-1][1] += part
            elif part:
                lines[-1].append([kind, part])
    return lines if lines[-1] or len(lines) == 1 else lines[:-1]


def _plain_lines(text: str) -> list[list[list[str]]]:
    return [[["", line]] for line in text.splitlines()]
