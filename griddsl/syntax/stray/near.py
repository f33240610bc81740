"""Words for what a statement does, and the statement that is meant by each."""

from __future__ import annotations

from collections.abc import Iterable

from griddsl.diagnostics import Help, did_you_mean, near
from griddsl.syntax.keywords import STATEMENTS

_MEANT = {
    **dict.fromkeys(("reset", "start", "init"), "setup"),
    **dict.fromkeys(("grid", "world", "board", "layout", "drawing"), "map"),
    **dict.fromkeys(("name", "id", "environment", "game"), "env"),
    **dict.fromkeys(("include", "library"), "use"),
    **dict.fromkeys(("mask", "action_mask"), "allow"),
    **dict.fromkeys(("observation", "observations", "obs", "see"), "observe"),
    **dict.fromkeys(("variable", "let", "state", "counter"), "var"),
    **dict.fromkeys(("parameter", "option"), "param"),
    **dict.fromkeys(("macro", "function", "func", "fn", "alias", "predicate"), "define"),
    **dict.fromkeys(("kind", "item", "entity", "thing", "sprite"), "object"),
    **dict.fromkeys(("terrain", "ground", "cell"), "tile"),
    **dict.fromkeys(("max_steps", "timeout", "horizon", "time_limit", "steps"), "limit"),
    **dict.fromkeys(("glyphs", "symbols", "key"), "legend"),
    **dict.fromkeys(("controls", "inputs", "commands", "moveset"), "actions"),
    **dict.fromkeys(("always", "step", "tick", "update"), "each step"),
    **dict.fromkeys(("task", "text", "instruction"), "mission"),
    **dict.fromkeys(("color", "colour", "draw"), "look"),
    **dict.fromkeys(("zone", "room", "area"), "region"),
    **dict.fromkeys(("noise", "stochastic", "slippery"), "slip"),
}


def near_statement(word: str, known: Iterable[str] = tuple(STATEMENTS)) -> Help | None:
    """Return a help line with the statements that a word may stand for: near ones, or the one it means."""
    found = did_you_mean(word, known) if word not in _MEANT else None
    if found is not None and len(word) > 2:
        return found
    meaning = _MEANT.get(word) or next((_MEANT[near_one] for near_one in near(word, _MEANT)[:1]), None)
    return Help(f"did you mean `{meaning}`?", (meaning,), word) if meaning else None
