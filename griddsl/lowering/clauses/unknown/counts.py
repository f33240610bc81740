"""Words where it stands how many things are placed, and are no number."""

from __future__ import annotations

from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.names import is_unknown

_ONE_FOR_EACH = "a `place` places things of one kind: write one for each"
_DRAWN = "the kind is drawn before: `choose thing in key | box`, and `place thing at ...`"
_ALL = "`place` brings new things, one or so many, as in `place 3 key at ...`; what the map shows is there already"
_MEANT = {**dict.fromkeys(("random", "any", "some"), _DRAWN), **dict.fromkeys(("all", "every", "each"), _ALL)}


def no_count(ctx: Context, name: str) -> tuple[str, str] | None:
    """Return what a word is found to be, and what `place mud hole`, `place all key` and the like want to say."""
    if name in ctx.world.kinds:
        return f"`{name}`, a kind,", _ONE_FOR_EACH
    return (f"`{name}`", _MEANT[name]) if name in _MEANT and is_unknown(ctx, name) else None
