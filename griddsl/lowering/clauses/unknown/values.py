"""Values where kinds belong, and kinds where values do: `spot becomes mud`, `way.x`, `coin.count`."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.kinds import parameter_given, singular
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.values import CELL, DIRECTION, Ref, Words
from griddsl.source import Span
from griddsl.syntax import nodes as n


def of_a_value(ctx: Context, name: str, span: Span) -> str | None:
    """Return what `spot becomes mud` and `way.x` say of a name that is a cell, or a direction."""
    value = ctx.scope.get(name) or ctx.writer.variables.get(name)
    type = getattr(value, "type", None)
    behind = span.source.text[span.end : span.end + 80]
    turned = re.match(r"\s+(?:becomes|=)\s+(\w+)\b(?!\s*\()", behind)
    if type == CELL and turned is not None and turned[1] in ctx.world.kinds:
        whole = Span(span.source, span.start, span.end + turned.end(), span.through)
        return write(f"place {turned[1]} at {name}", ": what is in a cell is placed there", whole)
    if type == CELL and (ground := _ground_meant(ctx, name, span)) is not None:
        return ground
    if (removed := _removed_by_kind(ctx, name, span)) is not None:
        return removed
    if name == "facing" and "agent" in ctx.world.kinds and ctx.writer.facts.has_facing:
        return write("agent.facing")
    asked = re.match(r"\.(x|y)\b", behind)
    directions = isinstance(type, Words) and set(type.words) <= set(DIRECTION.words)
    if asked is not None and directions:
        whole = Span(span.source, span.start, span.end + asked.end(), span.through)
        return write(f"d{asked[1]}({name})", ": the columns or rows of a step that way", whole)
    return None


def _removed_by_kind(ctx: Context, name: str, span: Span) -> Help | None:
    """Return the loop for `remove who`, where a name says of which kind it is."""
    world = ctx.world
    remove = re.search(r"(?:^|[,:])[ ]*(remove[ ]+)\Z", span.source.text[: span.start].rpartition("\n")[2])
    kinds = kinds_named(world.spec, world.kinds, n.Name(name, world.spec.place("env")), made=True) or ()
    if remove is None or not kinds or any(world.kinds[each].category != "object" for each in kinds):
        return None
    whole = Span(span.source, span.start - len(remove[1]), span.end, span.through)
    return write(f"each object where object is {name}: remove object", f": `{name}` says which kind", whole)


def _ground_meant(ctx: Context, name: str, span: Span) -> str | None:
    """Return how the ground in a cell is asked for what it has, or given another value: `spot.burning = true`."""
    behind = span.source.text[span.end :].partition("\n")[0]
    asked = re.match(r"\.(\w+)\b(?:\s*[-+]?=(?!=)[^,\n#]*[^,\n#\s])?", behind)
    kinds = [each for each in ctx.world.kinds.values() if asked is not None and asked[1] in each.attributes]
    if asked is None or len(kinds) != 1 or kinds[0].category != "tile":
        return None
    kind = kinds[0].name
    is_line = not span.source.text[: span.start].rpartition("\n")[2].strip()
    if asked[0] != f".{asked[1]}" and is_line and not re.search(rf"\b{name}\b", asked[0]):
        whole = Span(span.source, span.start, span.end + asked.end(), span.through)
        return write(f"each {kind} where {kind} at {name}: {kind}{asked[0]}", f": `{name}` is a cell", whole)
    return f"`{name}` is a cell: behind the condition `{kind} at {name}` it is `{kind}.{asked[1]}`"


def action_asked(ctx: Context, name: str, span: Span) -> Help | None:
    """Return what `action == left or action == right` asks: which action the agent chose."""
    if name not in {"action", "last_action", "chosen_action"}:
        return None
    one = r"\s*(==|!=|is\s+not\b|is\b)\s*([A-Za-z_]\w*)"
    chain = re.match(rf"{one}(?:\s+(?:or|and)\s+{name}\b{one})*", span.source.text[span.end : span.end + 200])
    if chain is None:
        return None
    whole = Span(span.source, span.start, span.end + chain.end(), span.through)

    def asked(said: re.Match[str]) -> str:
        ctx.writer.notes.reported.add(said[2])  # an action has its name there, and means nothing elsewhere
        return f"self.action {'is' if said[1] in {'==', 'is'} else 'is not'} {said[2]}"

    return write(re.sub(rf"\b{name}\b{one}", asked, f"{name}{chain[0]}"), place=whole)


_TURNS = r"(?:current_?|active_?|whose_?)?(?:turn|player|agent|to_?(?:move|play|act))"


def turn_asked(ctx: Context, name: str, span: Span) -> str | None:
    """Return what `turn == red` and `current_player is self` ask, where each acts in its own turn."""
    if not ctx.writer.facts.has_turns or re.fullmatch(_TURNS, name) is None:
        return None
    asked = re.match(r"\s*(==|!=|is\s+not\b|is\b)\s*(\w+)", span.source.text[span.end : span.end + 80])
    kinds = {kind.name for kind in ctx.world.agents}
    if asked is None or asked[2] not in {*kinds, "self", "agent"}:
        return "`self.turn` asks whether it is the turn of the one that the clause is about"
    ctx.writer.notes.reported.add(asked[2])
    whole = Span(span.source, span.start, span.end + asked.end(), span.through)
    return write(f"{'not ' if asked[1] not in {'==', 'is'} else ''}{asked[2]}.turn", place=whole)


def whether_there(name: str, is_gone: bool, place: Span) -> Help:
    """Return how it is asked whether there is what a name of `let` or `choose` was given to."""
    return write(f"{name}.x {'<' if is_gone else '>='} 0", ": what is nowhere is at (-1, -1)", place)


def named_there(ctx: Context, node: n.Name) -> Help | None:
    """Return what `if next` asks, where `let` or `choose` gave a thing that name."""
    is_thing = node.name not in ctx.world.kinds and isinstance(ctx.scope.get(node.name), Ref)
    return whether_there(node.name, False, node.span) if is_thing else None


def compared_with_none(ctx: Context, name: str, span: Span) -> Help | None:
    """Return what `next == none` asks of such a thing."""
    line = span.source.text[: span.start].rpartition("\n")[2]
    compared = re.search(r"\b(\w+)\s*([=!]=)\s*\Z", line)
    if compared is None or name.lower() not in {"none", "null", "nil", "nothing"}:
        return None
    whole = Span(span.source, span.start - len(compared[0]), span.end, span.through)
    is_thing = isinstance(ctx.scope.get(compared[1]), Ref)
    return whether_there(compared[1], compared[2] == "==", whole) if is_thing else None


def number_given(span: Span) -> str | None:
    """Return for which parameter of a definition a call gives a kind instead of a number."""
    return parameter_given(span, "a number")


def none_left(kind: Kind | None, span: Span) -> Help | None:
    """Return what `not coins` and `not coin` ask: whether none is left; None for what else stands there."""
    negated = re.search(r"\bnot\s+\Z", span.source.text[: span.start][-20:])
    if kind is None or kind.category != "object" or negated is None:
        return None
    whole = Span(span.source, span.start - len(negated[0]), span.end, span.through)
    where = f"; `not agent on {kind.name}` and `not agent has {kind.name}` ask where"
    return write(f"no {kind.name} left", where, whole)


def there_is(ctx: Context, name: str, span: Span) -> Help | None:
    """Return what `there is no coin` and `there is a coin` ask: of a kind alone."""
    said = re.match(
        r"\s+(?:is|are|exists?)\s+(?:(no|not|an?|any)\s+)?(\w+)(?:\s+left)?",
        span.source.text[span.end : span.end + 80],
    )
    if name != "there" or said is None:
        return None
    kind = ctx.world.kinds.get(said[2]) or singular(ctx.world, said[2])
    if kind is None:
        return None
    whole = Span(span.source, span.start, span.end + said.end(), span.through)
    asked = f"no {kind.name} left" if said[1] in {"no", "not"} else f"count({kind.name}) > 0"
    return write(asked, place=whole)


def described_thing(ctx: Context, name: str, span: Span) -> Help | None:
    """Return what `place red key` says: the word before a kind is no number, and what a thing is like has brackets."""
    text = span.source.text
    kind = re.match(r"\s+(\w+)\b(?!\s*\()", text[span.end : span.end + 80])
    if (
        kind is None
        or kind[1] not in ctx.world.kinds
        or not re.search(r"\bplace\s+\Z", text[: span.start][-20:])
    ):
        return None
    attributes = ctx.world.kinds[kind[1]].attributes.items()
    having = next((each for each, attribute in attributes if name in attribute.domain.words), None)
    if having is None:
        return None
    whole = Span(span.source, span.start, span.end + kind.end(), span.through)
    return write(f"{kind[1]}({having}={name})", ": what it is like stands in brackets", whole)


def asks_how_many(ctx: Context, node: n.Attribute) -> bool:
    """Report `coin.count`, of a kind that has no such attribute: how many there are is asked by a function."""
    kind = ctx.world.kinds.get(node.owner.name) if isinstance(node.owner, n.Name) else None
    if node.name not in {"count", "number", "amount", "total", "length", "size"} or kind is None:
        return False
    if node.name in kind.attributes or (isinstance(node.owner, n.Name) and node.owner.name in ctx.scope):
        return False
    help = write(f"count({kind.name})", place=node.span)
    ctx.error("unknown-attribute", node.span, name=node.name, kind=kind.name, help=help)
    return True


def argument_meant(ctx: Context, name: str, span: Span) -> str | None:
    """Return where a name means something that an action takes."""
    for action in ctx.world.actions:
        if name in {argument.name for argument in action.arguments}:
            where = f"`on do {action.name}` and `allow {action.name}`"
            return f"`{name}` is what `{action.name}` takes: it means something in {where}"
        heard = re.search(rf"\bwhen\s+{name}\s*:?\Z", span.source.text[max(0, span.start - 9) : span.end + 1])
        if name == action.name and heard is not None:
            ctx.writer.notes.reported.update(argument.name for argument in action.arguments)
            head = Span(span.source, span.source.text.rindex("when", 0, span.start), span.end, span.through)
            return write(f"on do {name}", ": an action is an event", head)
        if name == action.name and action.arguments:
            taken = listing([argument.name for argument in action.arguments], "and")
            return f"`{name}` is the action, and what it takes is {taken}"
    return None


def argument_taken(ctx: Context, name: str, span: Span) -> str | None:
    """Return what the action takes of whose rule or `allow` a name stands in that nothing else explains."""
    for action in ctx.world.actions:
        own = [argument.name for argument in action.arguments]
        if own and re.match(rf"(?:rule `on do|`allow) {action.name}\b", ctx.where):
            near = did_you_mean(name, own)
            if near is None and name in {"action", "args", "argument", "arguments", "value"}:
                dotted = re.match(rf"\.({'|'.join(own)})\b", span.source.text[span.end :])
                whole = (
                    Span(span.source, span.start, span.end + dotted.end(), span.through) if dotted else None
                )
                near = write(dotted[1], ": it stands by itself", whole) if dotted else None
            return near or f"what `{action.name}` takes is called {listing(own, 'and')}"
    return None
