"""Assignments to what is no variable: what was probably meant by them."""

from __future__ import annotations

from griddsl.diagnostics import Help, did_you_mean, write
from griddsl.lowering.clauses.context import Context
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

_SCORES = {"score", "points", "rewards", "return", "total", "reward_sum", "total_reward"}
_OVER = {"game", "episode", "done", "terminated", "finished", "game_over", "gameover", "over", "level"}
_OUTCOMES = {
    **dict.fromkeys(("win", "wins", "won", "success", "victory", "solved", "complete"), "success"),
    **dict.fromkeys(
        ("lose", "loses", "lost", "die", "dies", "dead", "died", "death", "failed", "killed"), "failure"
    ),
}


def declared_meant(ctx: Context, effect: n.Assign) -> str:
    """Say what an assignment to a name that nothing declares means: an end, a reward, a near variable, a new one."""
    name = getattr(effect.target, "name", "this")
    if name in _SCORES and effect.operator == "+=":
        return write(f"reward {to_text(effect.value)}", ", or declare it with `var`", place=effect.span)
    help = _end_meant(effect) or did_you_mean(name, ctx.writer.variables)
    owners = [kind.name for kind in ctx.world.kinds.values() if name in kind.attributes]
    if owners and help is None:
        return (
            f"`{name}` is an attribute of `{owners[0]}`: `{owners[0]}.{name} {effect.operator} ...` sets it"
        )
    return help or f"declare it, as in `var {name}: 0 in 0..9`"


def set_meant(ctx: Context, effect: n.Assign) -> str:
    """Say what can be done to a kind, a parameter or a chosen name, which no value is set to."""
    name = getattr(effect.target, "name", "")
    kind = ctx.world.kinds.get(name)
    if kind is None:
        return "only variables change: declare one with `var`"
    word = getattr(effect.value, "name", "")
    known = {word for attribute in kind.attributes.values() for word in attribute.domain.words}
    if word and effect.operator == "=" and (word in known or (word in ctx.world.kinds and word != name)):
        return write(f"{name} becomes {word}", place=effect.span)
    own = [each for each, attribute in kind.attributes.items() if attribute.domain.form == "int"]
    if len(own) == 1 and not word:
        return write(f"{name}.{own[0]} {effect.operator} {to_text(effect.value)}", place=effect.span)
    return (
        _end_meant(effect) or f"an attribute is set as in `{name}.NAME = VALUE`; any other value is a `var`"
    )


def _end_meant(effect: n.Assign) -> Help | None:
    """`game = over`, `done = true`, `agent = dead`: what says that the episode ends."""
    target, value = (getattr(node, "name", "") for node in (effect.target, effect.value))
    happens = getattr(effect.value, "value", True) not in {False}
    for word in (value, target):
        if word in _OUTCOMES and happens:
            return write(f"end {_OUTCOMES[word]}", place=effect.span)
    return write("end", place=effect.span) if target in _OVER and happens else None
