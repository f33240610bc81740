"""``griddsl export``: a spec as a page that plays it, as a JavaScript module, or as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from griddsl.cli.failures import ERRORS, Refusal, note
from griddsl.cli.options import Level, Params, Spec
from griddsl.cli.progress import saying
from griddsl.cli.sources import find_spec, parse_params, value_of
from griddsl.files.writing import write

ENDINGS = (".html", ".js", ".mjs", ".json")


def command(
    spec: Spec,
    to: Annotated[
        Path,
        typer.Option("--to", metavar="FILE", help="What to write: a .html, .js (or .mjs) or .json file."),
    ],
    param: Params = None,
    level: Level = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="K=V,V", help="Values of a parameter that players of a page choose from; may be repeated."
        ),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Put the optimal values and moves into a page.")
    ] = False,
    study: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A study (.toml) that a page is for.", show_default=False),
    ] = None,
    post: Annotated[
        str | None, typer.Option(metavar="URL", help="Where a page posts recordings.", show_default=False)
    ] = None,
) -> None:
    """Write what a spec compiles to for another language, or a page that plays it."""
    from griddsl.backends.javascript.emit import Unsuitable, module
    from griddsl.compiler import compiled
    from griddsl.program.form import to_json

    if to.suffix not in ENDINGS:
        raise Refusal(f"`{to}` ends in none of .html, .js, .mjs and .json", "`--to game.html` writes a page")
    if not to.parent.is_dir():
        raise Refusal(f"there is no folder `{to.parent}`")
    path, params = find_spec(spec), parse_params(param or (), level)
    if to.suffix != ".html" and (vary or exact or study is not None or post is not None):
        raise Refusal(
            f"--vary, --exact, --study and --post are of pages; `{to}` is none", "write `--to game.html`"
        )
    try:
        if to.suffix == ".html":
            text = _page(path, params, vary or (), exact, study, post)
        else:
            program = compiled(path, **params).program
            text = to_json(program, with_paths=False) + "\n" if to.suffix == ".json" else module(program)
    except Unsuitable as reason:
        raise Refusal(f"{spec} is not one for JavaScript: {reason}") from None
    write(to, text)
    note(f"wrote {to} ({to.stat().st_size / 1000:.0f} kB)")


def _page(
    path: Path, params: dict[str, Any], vary: Sequence[str], exact: bool, study: Path | None, post: str | None
) -> str:
    from griddsl.web.page import page_of
    from griddsl.web.study import read_study

    plan = None if study is None else read_study(study)
    where = post or (plan.post if plan is not None else "") or None
    try:
        with saying("solving") if exact else nullcontext():
            return page_of(path, params, vary=_varied(vary), exact=exact, study=plan, post=where)
    except ImportError as error:
        raise Refusal(str(error), code=ERRORS) from None


def _varied(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Return ``name=value,value`` texts as lists of values."""
    found: dict[str, list[Any]] = {}
    for text in texts:
        ((name, values),) = parse_params([text], example="--vary slippery=true,false").items()
        found[name] = [
            value_of(value.strip()) for value in str(text.partition("=")[2]).split(",") if value.strip()
        ]
        if not found[name] or values == "":
            raise Refusal(f"`{text}` names no values", "write `--vary slippery=true,false`")
    return found
