"""Options that no verb has: what was meant by one, where its name tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand

from griddsl.cli.failures import Refusal, tell
from griddsl.cli.sources import find_spec
from griddsl.registration.naming import ids_of, text_of

# Typer brings its own copy of click in some versions and not in others: its name is found from what typer shows.
_USAGE_ERROR: Any = typer.BadParameter.__base__


class VerbCommand(TyperCommand):
    """A verb that answers `--size 8` and `--variant NAME` with how parameters and variants are given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return what is left of the arguments; exits with 2 where an option is meant otherwise."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except _USAGE_ERROR as error:
            option = str(getattr(error, "option_name", "") or "")
            options = {option for parameter in self.params for option in parameter.opts}
            help = _meant(option, given, options) if option.startswith("--") else None
            if help is None:
                raise
            tell(Refusal(f"there is no option `{option}`", help))
            raise typer.Exit(2) from None


def _meant(option: str, args: Sequence[str], options: set[str]) -> str | None:
    name, _, value = option.lstrip("-").partition("=")
    at = next((i for i, each in enumerate(args) if each.partition("=")[0] == option), None)
    if at is not None and not value:
        value = args[at].partition("=")[2] or (args[at + 1] if at + 1 < len(args) else "")
    file = next(iter(_files(args)), None)
    if file is None:
        return None
    if name in {"variant", "id", "env"}:
        ids = [each.id for each in ids_of(file)][1:]
        return (
            f"a variant is named behind its file: `{file}:{ids[0]}`" if ids else f"`{file}` has no variants"
        )
    text = text_of(file) or ""
    word = re.escape(name)
    declared = re.search(rf"^param[.\s]+{word}\b|^\[param\](?:\n(?!\[).*)*?\n{word}\s*=", text, re.MULTILINE)
    if declared is not None and "--param" in options:
        return f"a parameter is given so: `--param {name}={value or '...'}`"
    return None


def _files(args: Sequence[str]) -> Any:
    for each in args:
        if not each.startswith("-"):
            try:
                yield find_spec(each)
            except Refusal:
                continue
