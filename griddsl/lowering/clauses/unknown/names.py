"""Names that nothing declares, or that stand for several: what was probably meant, by what could stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from griddsl.diagnostics import Help, Label, did_you_mean, listing, near, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.values import (
    action_asked,
    argument_meant,
    described_thing,
    none_left,
    of_a_value,
)
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.patterns import pattern_meant
from griddsl.lowering.world.mentions import AGENT_WORDS, NUMBER_WORDS
from griddsl.lowering.world.naming import asks_a_thing, drawn_cell, kinds_named, one_of_many
from griddsl.lowering.world.values import (
    CELL,
    DIRECTION,
    NUMBER,
    TRUTH,
    Cells,
    Kinds,
    Numbers,
    Ref,
    Truths,
    Value,
    ValueType,
)
from griddsl.lowering.world.world import World, domain_type
from griddsl.source import Span
from griddsl.spec.desugar.members import GROUPS
from griddsl.syntax import nodes as n

NUMBERS_OF_THE_GAME = ("step", "limit", "width", "height")
WORDS_OF_PYTHON = {
    "True": "true",
    "False": "false",
    "TRUE": "true",
    "FALSE": "false",
    "yes": "true",
    "on": "true",
    "off": "false",
    **dict.fromkeys(("timestep", "steps", "time", "step_count", "step_number", "num_steps", "tick"), "step"),
    "max_steps": "limit",
}
COMPASS_OF = {"up": "north", "down": "south", "left": "west", "right": "east"}
_BY_ITSELF = (
    "how something moves by itself is said of its kind: `object rat: moves toward agent if C else still`"
)


def report_unknown(
    ctx: Context, name: str, span: Span, expected: ValueType | None = None, is_kind: bool = False
) -> None:
    """Report a name that nothing declares, with the nearest that could stand there.

    It is reported once, and not where its declaration is at fault. ``expected`` is the type that is needed, where it
    is known; ``is_kind`` says that only a kind can stand there.
    """
    if name in ctx.writer.notes.reported:
        return
    ctx.writer.notes.reported.add(name)
    owned = is_kind and asks_a_thing(span)
    objects = {kind.name for kind in ctx.world.object_kinds()} if owned else set[str]()
    if owned and (drawn := drawn_cell(ctx.world.spec, objects, name)) is not None:
        found = f"`{drawn[0].span.text}`, a cell,"
        labels = [Label(span, f"`{name}` is meant to be a thing here")]
        ctx.error("type", drawn[0].span, found=found, expected="a thing", help=drawn[1], labels=labels)
        return
    if expected == NUMBER and name in DIRECTION.words:
        ctx.writer.notes.reported.remove(name)
        steps = "`dx` and `dy` of a direction are the columns and the rows that a step goes, as in `dx(east)`"
        ctx.error("type", span, found="a direction", expected="a number", help=steps)
        return
    if is_kind and (what := _declared(ctx, name)) is not None:
        help = of_a_value(ctx, name, span) or _kind_meant(ctx, name)
        ctx.error("type", span, found=f"the {what} `{name}`", expected="a kind", help=help)
        return
    help = (
        described_thing(ctx, name, span)
        or _group_meant(ctx, name, span)
        or one_of_many(ctx.world.agent_names, ctx.world.kinds, name)
        or argument_meant(ctx, name, span)
        or action_asked(ctx, name, span)
        or none_left(singular(ctx.world, name), span)
        or _of_two_words(span)
        or _chosen_behind(ctx, name)
        or (_BY_ITSELF if name in {"toward", "towards", "away"} else None)
    )
    if help is None:
        help = (
            of_a_value(ctx, name, span) or _kind_meant(ctx, name, owned)
            if is_kind
            else _value_meant(ctx, name, expected)
        )
    ctx.error("unknown-name", span, where=ctx.where, name=name, help=help)


def _group_meant(ctx: Context, name: str, span: Span) -> str | None:
    """Say that `object`, `portable` and `pushable` mean several kinds, where one is named."""
    if name not in GROUPS:
        return None
    several = [kind.name for kind in ctx.world.object_kinds() if name == "object" or getattr(kind, name)]
    if not several:
        return None
    before = span.source.text[: span.start].rstrip()
    if before.endswith(("toward", "away from")):
        own = ctx.where.split("`")[1].split(":")[0] if "`" in ctx.where else ""
        nearest = f"the {name} with least distance({name}, self)"
        return write(f"({nearest} where {name} is not self)" if own in several else nearest, ": the nearest")
    if before.endswith("position of") and "agent" in ctx.world.kinds:
        return write(f"the {name} with least distance({name}, agent)", ": the nearest")
    return f"one kind is named here, and `{name}` means all of {listing(several, 'and')}"


def _of_two_words(span: Span) -> Help | None:
    """`wanted is red or blue`: `or` joins conditions, each with both of its sides."""
    line = span.source.text[: span.start].rpartition("\n")[2]
    said = re.search(r"([\w.]+ is (?:not )?)\w+(?: or \w+)* or \Z", line)
    behind = span.source.text[span.end : span.end + 1]
    if said is None or behind in {".", "("}:
        return None
    return write(f"{said[1]}{span.text}", ": `or` joins conditions, each with both of its sides", span)


def _chosen_behind(ctx: Context, name: str) -> str | None:
    """Return where a name that setup gives is given, where that comes too late."""
    if ctx.stage != "setup" and ctx.where != "setup":  # a condition of `choose` is asked as in a rule
        return None
    spec = ctx.world.spec
    if not any(_gives(node, name) for node in n.walk(spec.preparing)):
        return None
    order = ", `once` before `setup`" if spec.once else ""
    return f"`{name}` is given further down: setup runs from top to bottom{order}"


def _gives(node: Any, name: str) -> bool:
    return (isinstance(node, n.Choose) and name in node.names) or (
        isinstance(node, n.Place) and node.alias == name
    )


def _declared(ctx: Context, name: str) -> str | None:
    """Return what a name is that is no kind: a region, a variable, a parameter; None where nothing declares it."""
    world, writer = ctx.world, ctx.writer
    if name in world.regions:
        return "region"
    if name in world.params:
        return "parameter"
    if name in writer.variables:
        return "name" if writer.variables[name].domain is None else "variable"
    return "name" if isinstance(ctx.scope.get(name), Value) else None


def is_unknown(ctx: Context, name: str) -> bool:
    """Whether a name means nothing in an expression."""
    world, writer = ctx.world, ctx.writer
    known = {*world.kinds, *writer.variables, *world.params, *ctx.scope, *NUMBERS_OF_THE_GAME}
    if name in known or name in {"start", "self", "other"}:
        return False
    domains = [a.domain for kind in world.kinds.values() for a in kind.attributes.values()]
    domains += [v.domain for v in writer.variables.values() if v.domain is not None]
    return not any(name in domain.words for domain in domains)


def no_kind(ctx: Context, node: Any, expected: str = "a kind") -> None:
    """Report what stands where a kind is needed."""
    help: Help | None = pattern_meant(node, ctx.world.kinds)
    before = node.span.source.text[: node.span.start]
    if isinstance(node, n.Position) and (on := re.search(r"\bon\s+\Z", before)) is not None:
        place = Span(node.span.source, on.start(), on.start() + len("on"))
        help = write("at", ": a thing is on a kind of ground, and at a cell", place)
    ctx.error("type", node.span, found="this", expected=expected, help=help)


def kind_called(ctx: Context, node: Any) -> Kind | None:
    """Return the kind that a node names; None, with a diagnostic, where it names none."""
    if not isinstance(node, n.KindName):
        no_kind(ctx, node)
        return None
    found = ctx.world.kinds.get(node.name)
    if found is None:
        report_unknown(ctx, node.name, node.span, is_kind=True)
    return found


def singular(world: World, name: str) -> Kind | None:
    """Return the kind whose plural a name is."""
    endings = (("ies", "y"), ("ves", "f"), ("es", ""), ("s", ""))
    for ending, end in endings:
        kind = world.kinds.get(name.removesuffix(ending) + end) if name.endswith(ending) else None
        if kind is not None:
            return kind
    return None


def _kind_meant(ctx: Context, name: str, owned: bool = False) -> str | None:
    """Return which kind is meant; where one is ``owned``, asked for what it has, names of things are as good."""
    world, writer = ctx.world, ctx.writer
    kind = singular(world, name)
    if kind is not None:
        return Help(f"did you mean `{kind.name}`? kinds are named in the singular", (kind.name,), name)
    if name in {"here", "ahead", "cell"}:
        return _cell_meant(ctx, name)
    if name == "other" and world.several:
        return write("agent", ": in a cell it looks for any other")
    if world.several and name in {"me", "opponent", "enemy", "others", "them", "partner"}:
        meant = "self" if name == "me" else "other"
        return Help(f"did you mean `{meant}`?", (meant,), name)
    if name in AGENT_WORDS and "agent" in world.kinds:
        return Help("did you mean `agent`?", ("agent",), name)
    alias = next(
        (node for node in n.walk((world.spec.preparing, [rule.effects for rule in world.spec.rules]))
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
        if name in writer.variables and _fits(ctx, name, NUMBER):
            return f"`{name}` is a number: `{name} == 0` compares it"
        if name in cells or (name in writer.variables and writer.variables[name].type == CELL):
            return f"`{name}` is a cell, and a kind is named here: `K at {name}` asks what is there"
        kinds = kinds_named(world.spec, world.kinds, n.Name(name, world.spec.place("env")), made=True) or ()
        if kinds and all(world.kinds[each].category == "object" for each in kinds):
            those = f"behind `each`, `object where object is {name}` are those"
            return f"it says which kind, now one and now the other: {those}"
        asked = re.search(rf"\blet\s+{name}\s*=\s*any\s+(\w+)(\s+where\b[^\n]*)?", world.spec.source.text)
        if asked is not None:
            drawn = f"choose {name} in {asked[1]}{asked[2] or ''}"
            return f"`{asked[0].strip()}` says whether there is one; `{drawn.strip()}` draws one"
        return f"`{name}` is a value, and a kind is named here; the condition `K is {name}` asks which it is"
    named = [each for each, meaning in ctx.scope.items() if owned and isinstance(meaning, Ref)]
    return did_you_mean(name, [*world.kinds, *named, *(("self", "other") if world.several else ())])


def _value_meant(ctx: Context, name: str, expected: ValueType | None) -> str | None:
    world, writer = ctx.world, ctx.writer
    for node in n.walk(_effects(world)):
        if (
            isinstance(node, n.Let)
            and node.name == name
            and writer.report.as_written(name) in writer.variables
        ):
            line = f"`let {name}` is another `{name}` than the variable, and has no value yet in its own line"
            return f"{line}: choose another name, such as `my_{writer.report.as_written(name)}`"
    drawn = [node for rule in world.spec.rules for node in n.walk(rule.effects) if isinstance(node, n.Choose)]
    if any(name in node.names for node in drawn):
        return (
            f"what a rule draws as `{name}` lasts to the end of its block: what others ask for is a variable"
        )
    if any(isinstance(node, n.Let) and node.name == name for node in n.walk(_effects(world))):
        return f"`let {name}` holds to the end of its own block: say `let` where both can see it"
    if any(isinstance(node, n.Ranging) and node.name == name for node in n.walk(_effects(world))):
        return (
            f"`{name}` means something in the block of its `each` alone: what is behind it, cannot ask for it"
        )
    meant = WORDS_OF_PYTHON.get(name)
    if meant is not None and _fits(ctx, meant, expected):
        return Help(f"did you mean `{meant}`?", (meant,), name)
    if name in {"here", "ahead", "cell"}:
        return _cell_meant(ctx, name)
    if name == "reward":
        return "a rule adds to the step's reward: `reward 1`; what it is so far, cannot be asked"
    if name == "carrying":
        return "what the agent holds is asked by `agent has key`, of any object"
    if name.lower() in {"none", "null", "nil", "nan", "inf", "infinity"}:
        return f"there is no `{name}`: a variable always has a value, such as a word `none` of its own"
    if name.lower() in NUMBER_WORDS and (expected is None or expected == NUMBER):
        return write(str(NUMBER_WORDS.index(name.lower())))
    if name in {"x", "y", "facing"} and "agent" in world.kinds and not isinstance(expected, Cells):
        looked_at = [each for each, meaning in ctx.scope.items() if isinstance(meaning, Ref)]
        return write(f"{looked_at[-1] if looked_at and name != 'facing' else 'agent'}.{name}")
    if name in COMPASS_OF and (expected is None or expected == DIRECTION):
        line = f": `{name}` is an action, directions are `north`, `south`, `east` and `west`"
        return write(COMPASS_OF[name], line)
    owned = _attribute_meant(ctx, name, expected)
    if owned is not None:
        return owned
    if expected == TRUTH and (asked := _word_meant(ctx, name)) is not None:
        return asked
    kind = singular(world, name)
    if kind is not None and (expected is None or expected == NUMBER):
        left = f"; `no {kind.name} left` asks whether there is none" if kind.category == "object" else ""
        return write(f"count({kind.name})", left)
    if expected == NUMBER:
        return _number_meant(ctx, name)
    return did_you_mean(name, [each for each in known_names(writer, ctx) if _fits(ctx, each, expected)])


_OF_A_CELL = re.compile(r"rule `on (?:enter|leave) (\w+)\b")


def _cell_meant(ctx: Context, name: str) -> str:
    """Return what `here`, `ahead` and `cell` are called where they mean nothing."""
    me = "self" if ctx.world.several else "agent"
    if name == "cell" or "here" in ctx.scope:
        return write("here") if "here" in ctx.scope else "where a cell is looked at, it is called `here`"
    if name == "ahead":
        ahead = f"({me}.x + dx({me}.facing), {me}.y + dy({me}.facing))"
        faces = "" if ctx.writer.facts.has_facing else ", of one with a facing: `agent: facing`"
        return f"`K ahead` asks what is there; the cell ahead is `{ahead}`{faces}"
    heard = _OF_A_CELL.match(ctx.where)
    if heard is not None and heard[1] in ctx.world.kinds:
        return write(heard[1], ": the event names the thing, and so its cell")
    asked = "behind `each K where`, `any K where` it is that of `K`: `K at (0, 0)`"
    return f"`here` is the cell that a place's `where` or `each cell` looks at; {asked}; the agent's own is `{me}`"


def _effects(world: World) -> list[Any]:
    return [world.spec.preparing, *(rule.effects for rule in world.spec.rules)]


def _attribute_meant(ctx: Context, name: str, expected: ValueType | None) -> Help | None:
    """Return the attribute that a name alone is: of a kind that the rule is about, or of the only one that has it."""
    having = [kind for kind in ctx.world.kinds.values() if name in kind.attributes]
    near_by = [kind for kind in having if isinstance(ctx.scope.get(kind.name), Ref)]
    everyone = [kind for kind in ctx.world.agents if name in kind.attributes]
    is_own = not near_by and ctx.world.several and ctx.self_ref is not None and bool(everyone)
    owners = near_by or (everyone[:1] if is_own else [])
    owners = owners or [kind for kind in having if kind.category == "agent" or len(having) == 1]
    if len(owners) != 1:
        return None
    (kind,) = owners
    domain, owner = kind.attributes[name].domain, "self" if is_own else kind.name
    if domain.form == "bool":
        of_a_cell = "here" in ctx.scope and not near_by and kind.category != "agent"
        asked = f"{kind.name}({name}=true) at here" if of_a_cell else f"{owner} is {name}"
        return write(asked) if expected in {None, TRUTH} else None
    if expected is not None and type(domain_type(domain)) is not type(expected):
        return None
    return write(f"{owner}.{name}")


def _word_meant(ctx: Context, name: str) -> Help | None:
    """Return the condition that a word alone stands for, where one attribute or variable has it."""
    kinds = [
        kind
        for kind in ctx.world.kinds.values()
        if any(name in each.domain.words for each in kind.attributes.values())
    ]
    stored = ctx.writer.variables.values()
    owners = [kind.name for kind in kinds]
    owners += [each.name for each in stored if each.domain is not None and name in each.domain.words]
    return write(f"{owners[0]} is {name}") if len(owners) == 1 else None


def _number_meant(ctx: Context, name: str) -> str | None:
    """Name what is near and a number; a kind that is near may be counted."""
    known = [each for each in known_names(ctx.writer, ctx) if _fits(ctx, each, NUMBER)]
    found = near(name, [*known, *ctx.world.kinds])
    rewrites = [each if each in known else f"count({each})" for each in found]
    return Help(f"did you mean {listing(rewrites)}?", rewrites, name) if rewrites else None


def known_names(writer: Writer, ctx: Context) -> Iterable[str]:
    """Return what a name may have been meant to be: what is declared, words of attributes, numbers of the game."""
    world = writer.world
    words = {
        word for kind in world.kinds.values() for a in kind.attributes.values() for word in a.domain.words
    }
    words |= {word for v in writer.variables.values() if v.domain for word in v.domain.words}
    names = (*world.kinds, *writer.variables, *world.params, *world.regions, *ctx.scope)
    return {*names, *words, *NUMBERS_OF_THE_GAME, "start", "true", "false"}


def _fits(ctx: Context, name: str, expected: ValueType | None) -> bool:
    """Whether a name can stand where a value of a type is needed."""
    world, writer = ctx.world, ctx.writer
    if name == "limit" and world.limit is None:
        return "limit" in world.spec.left_out
    if expected is None:
        return name not in world.regions
    bound = ctx.scope.get(name)
    if isinstance(bound, Value):
        return type(bound.type) is type(expected)
    if name in writer.variables:
        return type(writer.variables[name].type) is type(expected)
    if name in world.params:
        value = world.params[name]
        type_ = Truths if isinstance(value, bool) else None if isinstance(value, str) else Numbers
        return type_ is not None and isinstance(expected, type_)
    if name in {"true", "false"}:
        return expected == TRUTH
    if name in NUMBERS_OF_THE_GAME:
        return expected == NUMBER
    if name == "start" or name in world.kinds or bound is not None:
        return expected == CELL or (name != "start" and isinstance(expected, Kinds))
    return False
