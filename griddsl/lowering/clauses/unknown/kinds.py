"""Kinds that are not declared, or are called otherwise: which was meant, or what the name is instead."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.fitting import cell_meant, fits
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.once_named import AGENT_WORDS
from griddsl.lowering.world.values import (
    CELL,
    NUMBER,
    Ref,
)
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.habits.mistake import hidden

MOST_FOR_OTHER = 2  # agents: of more than these, `other` alone may be one of one's own side

# How all, one or none of the agents are called.
_ALL_OF_THEM = {
    **dict.fromkeys(("everyone", "everybody", "both"), "all agent"),
    **dict.fromkeys(("anyone", "anybody", "someone", "somebody"), "any agent"),
    **dict.fromkeys(("nobody", "noone"), "no agent"),
}


def singular(world: World, name: str) -> Kind | None:
    """Return the kind whose plural a name is."""
    endings = (("ies", "y"), ("ves", "f"), ("es", ""), ("s", ""))
    for ending, end in endings:
        kind = world.kinds.get(name.removesuffix(ending) + end) if name.endswith(ending) else None
        if kind is not None:
            return kind
    return None


def kind_given(span: Span) -> str | None:
    """Return for which parameter of a definition a call gives what is no kind."""
    return parameter_given(span, "a kind")


def parameter_given(span: Span, what: str) -> str | None:
    """Return for which parameter of a definition, which stands for ``what``, a call gives something else."""
    for through in span.through:
        parameter = re.fullmatch(r"`(\w+)` stands here", through.text)
        before = through.span.source.text[: through.span.start]
        heads = re.findall(r'^(?:define\s+|")(\w+\([^()\n]*\))', before, re.MULTILINE)
        if parameter is not None and heads and re.search(rf"\b{parameter[1]}\b", heads[-1]):
            return f"it is defined as `{heads[-1]}`, and `{parameter[1]}` is {what}"
    return None


def kind_meant(ctx: Context, name: str, owned: bool = False) -> str | None:
    """Return which kind is meant; where one is ``owned``, asked for what it has, names of things are as good."""
    world, writer = ctx.world, ctx.writer
    kind = singular(world, name)
    if kind is not None:
        return Help(f"did you mean `{kind.name}`? kinds are named in the singular", (kind.name,), name)
    if name in {"here", "ahead", "cell"}:
        return cell_meant(ctx, name)
    if name in _ALL_OF_THEM and "agent" in world.kinds:
        return write(_ALL_OF_THEM[name])
    if name == "other" and world.several:
        return write("agent", ": in a cell it looks for any other")
    of_a_side = {"opponent", "enemy", "partner", "teammate", "ally", "friend", "foe", "rival"}
    if len(world.agents) > MOST_FOR_OTHER and name.removesuffix("s") in of_a_side:
        sides = listing([f"other {each}" for each in dict.fromkeys(agent.name for agent in world.agents)])
        return f"{sides} are the others of a kind, `other` is all of them"
    if world.several and name in {"me", "others", "them", *of_a_side}:
        meant = "self" if name == "me" else "other"
        return Help(f"did you mean `{meant}`?", (meant,), name)
    if name in AGENT_WORDS and "agent" in world.kinds:
        return Help("did you mean `agent`?", ("agent",), name)
    alias = next(
        (node for node in n.walk(world.spec.blocks)
         if isinstance(node, n.Place) and node.alias == name),
        None,
    )  # fmt: skip
    if alias is not None and isinstance(alias.kind, n.KindName):
        of = alias.kind.name
        return f"`{name}` is one thing, and a kind is named here: `{of}`, with the condition `{of} is {name}`"
    if name in world.regions:
        return f"a region is cells: `random free in {name}` draws one of them, `agent on {name}` asks for it"
    drawn = [node for node in n.walk(world.spec.preparing) if isinstance(node, n.Choose)]
    chosen = {each for node in drawn for each in node.names}
    cells = {each for node in drawn if isinstance(node.domain, n.RandomCell) for each in node.names}
    if name in chosen or name in ctx.scope or name in writer.variables or name in world.params:
        if name in writer.variables and fits(ctx, name, NUMBER):
            return f"`{name}` is a number: `{name} == 0` compares it"
        if name in cells or (name in writer.variables and writer.variables[name].type == CELL):
            return f"`{name}` is a cell, and a kind is named here: `K at {name}` asks what is there"
        kinds = kinds_named(world.spec, world.kinds, n.Name(name, world.spec.place("env")), made=True) or ()
        if kinds and all(world.kinds[each].category == "object" for each in kinds):
            those = f"`each object where object is {name}:` goes through those"
            one = f"`let one = the object with least object.x where object is {name}` names one of them"
            return f"it says which kind, now one and now the other: {those}, {one}"
        if kinds and name in chosen and all(world.kinds[each].category == "agent" for each in kinds):
            those = (
                "agent" if set(kinds) >= {each.name for each in world.agents} else f"({' or '.join(kinds)})"
            )
            return f"it says which kind: `choose {name} in {those}` draws the agent itself"
        asked = re.search(rf"\blet\s+{name}\s*=\s*any\s+(\w+)(\s+where\b[^\n]*)?", world.spec.source.text)
        if asked is not None:
            instead = f"choose {name} in {asked[1]}{asked[2] or ''}"
            return f"`{asked[0].strip()}` says whether there is one; `{instead.strip()}` draws one"
        found = re.search(
            rf"\blet\s+{name}\s*=\s*((\w+)(?:\([^()]*\))?)\s+(?:at|on)\b", world.spec.source.text
        )
        if found is not None and found[2] in world.kinds:
            rest = hidden(world.spec.source.text[found.start(1) :].partition("\n")[0])
            stop = found.start(1) + len(re.split(r",|#", rest)[0].rstrip())
            where = found[2] + world.spec.source.text[found.end(1) : stop]
            said = f"`{where}` asks whether there is one"
            line = f"let {name} = the {found[1]} with least {found[2]}.x where {where}"
            return write(line, f": {said}", place=Span(world.spec.source, found.start(), stop))
        return f"`{name}` is a value, and a kind is named here; the condition `K is {name}` asks which it is"
    named = [each for each, meaning in ctx.scope.items() if owned and isinstance(meaning, Ref)]
    return did_you_mean(name, [*world.kinds, *named, *(("self", "other") if world.several else ())])
