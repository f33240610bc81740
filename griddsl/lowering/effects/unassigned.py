"""What was meant by what cannot be assigned: an end, a reward, a name for a value, a variable that is missing."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, did_you_mean, domain_around, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.things import is_superlative
from griddsl.lowering.clauses.unknown.values import of_a_value
from griddsl.lowering.world.values import Ref
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
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
    drawn = to_text(effect.value)
    if isinstance(effect.value, n.Random) and drawn.removeprefix("random ") in {*ctx.world.kinds, "free"}:
        return write(f"choose {name} in {drawn}", ": a cell is chosen", place=effect.span)
    if (chosen := _chosen_meant(effect)) is not None:
        return chosen
    if _is_thing(ctx, effect.value) and effect.operator == "=":
        return _let_meant(effect)
    if name == "facing" and ctx.writer.facts.has_facing:
        return write(f"{'self' if ctx.world.several else 'agent'}.facing", place=effect.target.span)
    help = _end_meant(effect) or did_you_mean(name, ctx.writer.variables)
    owners = [kind.name for kind in ctx.world.kinds.values() if name in kind.attributes]
    if owners and help is None:
        return (
            f"`{name}` is an attribute of `{owners[0]}`: `{owners[0]}.{name} {effect.operator} ...` sets it"
        )
    if help is None and _is_read_there_alone(ctx, effect):
        return _let_meant(effect)
    value = to_text(effect.value)
    domain = domain_around(value) if value.isdigit() else "0..9"
    return help or f"declare it, as in `var {name}: 0 in {domain}`"


def _is_thing(ctx: Context, node: n.Expression) -> bool:
    """Whether what is assigned is a thing, or a cell as a pair: no variable holds these."""
    if isinstance(node, n.Name):
        return node.name in ctx.world.kinds or isinstance(ctx.scope.get(node.name), Ref)
    return isinstance(node, n.Pattern | n.Other | n.Position) or is_superlative(ctx, node)


def _is_read_there_alone(ctx: Context, effect: n.Assign) -> bool:
    """Whether a name is given what is computed, and is read in that rule and in no other: a name for a value."""
    name = getattr(effect.target, "name", "")
    read = {
        number
        for number, rule in enumerate(ctx.world.spec.rules)
        for node in walk((rule.trigger, rule.condition, rule.effects))
        if isinstance(node, n.Name) and node.name == name and node.span != effect.target.span
    }
    computed = not isinstance(effect.value, n.Number | n.Truth | n.Name | n.Text | n.Random)
    again = any(isinstance(node, n.Name) and node.name == name for node in walk(effect.value))
    return effect.operator == "=" and computed and not again and len(read) == 1


def _let_meant(effect: n.Assign) -> Help:
    """Return that a name is given by `let`, to the end of its block."""
    return write(f"let {effect.span.text}", ": a name for it, to the end of the block", effect.span)


def shown(target: n.Expression) -> str:
    """Return a name as it is written: one that a definition gives itself has another where it is carried out."""
    written = target.span.text
    return written if re.fullmatch(r"\w+", written) else str(getattr(target, "name", written))


_SUMMED = r"\beach +(\w+(?: +in +[\w.()]+)?)(?: +where +([^:\n]+))? *:\s*{} *\+= *[^\n]*\Z"


def _given_once(name: str, effect: n.Assign) -> str:
    """Say what is meant by setting a name again that `let` gave: a variable, or a sum."""
    text = effect.span.source.text[: effect.span.end]
    given = list(re.finditer(rf"\blet +{name} *= *(-?\w+) *(?=[,#\n])", text))
    value = given[-1][1] if given else ""
    if not re.fullmatch(r"\d+|true|false", value):
        return "only variables change: declare one with `var`"
    declared = f"var {name}: {value}" + (f" in {domain_around(value)}" if value.isdigit() else "")
    help = f"a name is given once: declare `{declared}`, and leave `let` out"
    summed = re.search(_SUMMED.format(name), text)
    if effect.operator == "+=" and summed is not None:
        where = f" where {summed[2].strip()}" if summed[2] else ""
        help += (
            f"; or take the sum at once, `let {name} = sum({effect.value.span.text} for {summed[1]}{where})`"
        )
    return help


def set_meant(ctx: Context, effect: n.Assign) -> str:
    """Say what can be done to a kind, a parameter or a chosen name, which no value is set to."""
    name = getattr(effect.target, "name", "")
    kind = ctx.world.kinds.get(name)
    if kind is None and (meant := of_a_value(ctx, name, effect.target.span)) is not None:
        return meant
    if kind is None:
        return _given_once(shown(effect.target), effect)
    word = getattr(effect.value, "name", "")
    known = {word for attribute in kind.attributes.values() for word in attribute.domain.words}
    if word and effect.operator == "=" and (word in known or (word in ctx.world.kinds and word != name)):
        return write(f"{name} becomes {word}", place=effect.span)
    own = [each for each, attribute in kind.attributes.items() if attribute.domain.form == "int"]
    if len(own) == 1 and not word:
        return write(f"{name}.{own[0]} {effect.operator} {to_text(effect.value)}", place=effect.span)
    if isinstance(effect.value, n.Position):
        return write(f"move {name} to {to_text(effect.value)}", place=effect.span)
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


def _chosen_meant(effect: n.Assign) -> Help | None:
    """`answer = choice(red, blue)`, `n = randint(1, 6)`: what is drawn gets its name by `choose`."""
    call, name = effect.value, getattr(effect.target, "name", "")
    if not isinstance(call, n.Call) or effect.operator != "=" or not call.arguments:
        return None
    given = [to_text(argument) for argument in call.arguments]
    if call.name in {"choice", "choose", "pick", "sample", "one_of", "random_choice"} and len(given) > 1:
        return write(f"choose {name} in {' | '.join(given)}", place=effect.span)
    if call.name in {"randint", "rand_int", "random_int", "dice", "randrange"} and len(given) == 2:
        return write(f"choose {name} in {given[0]}..{given[1]}", ": both ends count", effect.span)
    return None
