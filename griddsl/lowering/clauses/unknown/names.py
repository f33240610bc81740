"""Names that nothing declares, or that stand for several: what was probably meant, by what could stand there."""

from __future__ import annotations

import re
from dataclasses import replace

from griddsl.compass import ARROWS
from griddsl.diagnostics import Help, Label, did_you_mean, listing, near, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.fitting import (
    NUMBERS_OF_THE_GAME,
    cell_meant,
    fits,
    known_names,
)
from griddsl.lowering.clauses.unknown.kinds import kind_given, kind_meant, singular
from griddsl.lowering.clauses.unknown.values import (
    action_asked,
    argument_meant,
    argument_taken,
    compared_with_none,
    described_thing,
    none_left,
    of_a_value,
    there_is,
    turn_asked,
)
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.maps.patterns import pattern_meant
from griddsl.lowering.world.naming import asks_a_thing, drawn_cell, one_of_many
from griddsl.lowering.world.values import (
    DIRECTION,
    NUMBER,
    TRUTH,
    Cells,
    Ref,
    Value,
    ValueType,
)
from griddsl.lowering.world.world import World, domain_type
from griddsl.source import Span
from griddsl.spec.desugar.members import GROUPS
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import METRICS, NUMBER_WORDS
from griddsl.syntax.vocabulary.glossary import FUNCTIONS

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
_AT_THE_EDGE = (
    "what stands at an edge is in the first or last column or row: `agent.x == 0`, `agent.y == height - 1`"
)
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
        help = of_a_value(ctx, name, span) or kind_meant(ctx, name)
        ctx.error("type", span, found=f"the {what} `{name}`", expected="a kind", help=help)
        return
    help = (
        described_thing(ctx, name, span)
        or _group_meant(ctx, name, span)
        or one_of_many(ctx.world.agent_names, ctx.world.kinds, name)
        or argument_meant(ctx, name, span)
        or _nobody_moved(name, span)
        or action_asked(ctx, name, span)
        or turn_asked(ctx, name, span)
        or compared_with_none(ctx, name, span)
        or there_is(ctx, name, span)
        or none_left(singular(ctx.world, name), span)
        or _of_two_words(span)
        or _an_article(ctx, name, span)
        or _place_in_words(name, span)
        or _a_chance(name, span)
        or _chosen_behind(ctx, name)
        or (_BY_ITSELF if name in {"toward", "towards", "away"} else None)
        or (_AT_THE_EDGE if name in {"edge", "edges", "border", "boundary"} else None)
    )
    if help is None:
        help = (
            of_a_value(ctx, name, span) or kind_meant(ctx, name, owned) or kind_given(span)
            if is_kind
            else _value_meant(ctx, name, expected, span.source.text[span.end : span.end + 9])
        )
    if name == "self" and ctx.where.startswith("`allow"):
        help = write("agent", ": who acts is called so there", span)
    help = help or argument_taken(ctx, name, span)
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


def _an_article(ctx: Context, name: str, span: Span) -> str | None:
    """`place a coin at home`: how many come is a number, and one is meant anyway."""
    behind = re.match(r"\s+(?=(\w+))", span.source.text[span.end :])
    if (
        name not in {"a", "an", "the", "some", "another"}
        or behind is None
        or behind[1] not in ctx.world.kinds
    ):
        return None
    place = Span(span.source, span.start, span.end + behind.end(), span.through)
    return Help(f"leave `{name}` out", ("",), place=place)


def _place_in_words(name: str, span: Span) -> str | None:
    """`place coin at random border`: a cell of some ground, and in the border; `place coin at center`."""
    if name in {"center", "centre", "middle"} and re.search(r"\bat\s+\Z", span.source.text[: span.start]):
        return write("(width div 2, height div 2)", place=span)
    if name not in {"border", "edge"} or not re.search(r"\brandom\s+\Z", span.source.text[: span.start]):
        return None
    return write("floor in border", place=span)


def _a_chance(name: str, span: Span) -> str | None:
    """Return how a chance that a name stands for is declared: `each computer with chance p: ...`."""
    if name in {"rand", "rnd", "random_float", "uniform"}:
        return (
            "a chance stands behind the conditions: `if C with chance 0.1`, `each step with chance 0.1: ...`"
        )
    line = span.source.text[: span.start].rpartition("\n")[2]
    return (
        f"declare it: `param {name}: 0.1 in 0..1`" if re.search(r"\bchance\s+(?:1\s*-\s*)?\Z", line) else None
    )


def _of_two_words(span: Span) -> Help | None:
    """`wanted is red or blue`: `or` joins conditions, each with both of its sides."""
    line = span.source.text[: span.start].rpartition("\n")[2]
    said = re.search(r"([\w.]+ is (?:not )?)\w+(?: or \w+)* or \Z", line)
    behind = span.source.text[span.end : span.end + 1]
    if said is None or behind in {".", "("}:
        return None
    return write(f"{said[1]}{span.text}", ": `or` joins conditions, each with both of its sides", span)


_STEPS = {"east": ("x", 1), "west": ("x", -1), "south": ("y", 1), "north": ("y", -1)}


def _nobody_moved(name: str, span: Span) -> str | None:
    """`move west 2`, `move west -2`: who moves is not said, and farther off is a place."""
    text = span.source.text
    said = re.match(r"\s*(-?)\s*(\d+)", text[span.end : span.end + 40])
    before = re.search(r"\bmove\s+\Z", text[: span.start])
    if name not in _STEPS or said is None or before is None:
        return None
    axis, way = _STEPS[name]
    by = way * int(f"{said[1]}{said[2]}")
    other = f"agent.{axis} {'-' if by < 0 else '+'} {abs(by)}"
    cell = f"({other}, agent.y)" if axis == "x" else f"(agent.x, {other})"
    place = replace(span, start=before.start(), end=span.end + said.end())
    return write(f"move agent to {cell}", f"; `move agent {name}` goes one cell", place)


def _chosen_behind(ctx: Context, name: str) -> str | None:
    """Return where a name that setup gives is given, where that comes too late."""
    if ctx.stage != "setup" and ctx.where != "setup":  # a condition of `choose` is asked as in a rule
        return None
    spec = ctx.world.spec
    if not any(_gives(node, name) for node in n.walk(spec.preparing)):
        return None
    order = ", `once` before `setup`" if spec.once else ""
    return f"`{name}` is given further down: setup runs from top to bottom{order}"


def _gives(node: n.Node, name: str) -> bool:
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


def no_kind(ctx: Context, node: n.Node, expected: str = "a kind") -> None:
    """Report what stands where a kind is needed."""
    help: str | None = pattern_meant(node, ctx.world.kinds) or kind_given(node.span)
    before = node.span.source.text[: node.span.start]
    if isinstance(node, n.Position) and (on := re.search(r"\bon\s+\Z", before)) is not None:
        place = Span(node.span.source, on.start(), on.start() + len("on"))
        help = write("at", ": a thing is on a kind of ground, and at a cell", place)
    ctx.error("type", node.span, found="this", expected=expected, help=help)


def kind_called(ctx: Context, node: n.Expression) -> Kind | None:
    """Return the kind that a node names; None, with a diagnostic, where it names none."""
    if not isinstance(node, n.KindName):
        no_kind(ctx, node)
        return None
    found = ctx.world.kinds.get(node.name)
    if found is None:
        report_unknown(ctx, node.name, node.span, is_kind=True)
    return found


def _value_meant(ctx: Context, name: str, expected: ValueType | None, behind: str) -> str | None:
    world, writer = ctx.world, ctx.writer
    for node in n.walk(world.spec.blocks):
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
    if any(isinstance(node, n.Let) and node.name == name for node in n.walk(world.spec.blocks)):
        return f"`let {name}` holds to the end of its own block: say `let` where both can see it"
    if any(isinstance(node, n.Ranging) and node.name == name for node in n.walk(world.spec.blocks)):
        return (
            f"`{name}` means something in the block of its `each` alone: what is behind it, cannot ask for it"
        )
    meant = WORDS_OF_PYTHON.get(name)
    if meant is not None and fits(ctx, meant, expected):
        return Help(f"did you mean `{meant}`?", (meant,), name)
    if name in METRICS:
        whose = "here" if "here" in ctx.scope else _other_than_the_agent(world)
        return f"it is asked of two places, as in `{name}({whose}, agent)`"
    if name in FUNCTIONS:
        return f"a function has its values in brackets behind it; `{name}`: {FUNCTIONS[name].removeprefix(f'`{name}`')}"
    if name in {"here", "ahead", "cell"}:
        return cell_meant(ctx, name)
    if name in {"mask", "mission", "text"} and ctx.where.startswith("`observe"):
        return f"`{name}` is shown by an entry of its own, `observe: {name}`, and is no number to reckon with"
    if name == "reward":
        return "a rule adds to the step's reward: `reward 1`; what it is so far, cannot be asked"
    if name in _TIMES and expected in {None, TRUTH}:
        return write("step == limit", ": it holds in the last step")
    if name in {"score", "points"} and expected == NUMBER:
        return "what was gained so far cannot be asked: a variable counts it, as in `var points: 0 in 0..99`"
    if name in _ALWAYS and expected == TRUTH:
        return write("false" if name in {"never", "nobody"} else "true")
    if name in {"carrying", "inventory", "holding"}:
        return "what the agent holds is asked by `agent has key`; whether it holds anything, by `agent has object`"
    if name.lower() in {"none", "null", "nil", "nan", "inf", "infinity"}:
        return f"there is no `{name}`: a variable always has a value, such as a word `none` of its own"
    if name.lower() in NUMBER_WORDS and (expected is None or expected == NUMBER):
        return write(str(NUMBER_WORDS.index(name.lower())))
    if name in {"x", "y", "facing"} and "agent" in world.kinds and not isinstance(expected, Cells):
        looked_at = [each for each, meaning in ctx.scope.items() if isinstance(meaning, Ref)]
        return write(f"{looked_at[-1] if looked_at and name != 'facing' else 'agent'}.{name}")
    if name in ARROWS and (expected is None or expected == DIRECTION):
        line = f": `{name}` is an action, directions are `north`, `south`, `east` and `west`"
        return write(ARROWS[name], line)
    owned = _attribute_meant(ctx, name, expected)
    if owned is not None:
        return owned
    if expected == TRUTH and (asked := _word_meant(ctx, name)) is not None:
        return asked
    kind = singular(world, name)
    if kind is not None and expected is None and re.match(r"\s+is\s+[a-z]", behind):
        return Help(f"did you mean `{kind.name}`? kinds are named in the singular", (kind.name,), name)
    if kind is not None and (expected is None or expected == NUMBER):
        left = f"; `no {kind.name} left` asks whether there is none" if kind.category == "object" else ""
        return write(f"count({kind.name})", left)
    if expected == NUMBER:
        return _number_meant(ctx, name)
    return did_you_mean(name, [each for each in known_names(writer, ctx) if fits(ctx, each, expected)])


def _other_than_the_agent(world: World) -> str:
    """Return a kind that has a place: an object if there is one, else a tile."""
    objects = world.object_kinds()
    tiles = (
        each
        for each in world.kinds.values()
        if each.category == "tile" and each.name not in {"floor", "wall"}
    )
    return next((each.name for each in (*objects, *tiles)), "goal")


_TIMES = frozenset(("timeout", "time_up", "timelimit", "time_limit", "truncated", "truncation"))
_ALWAYS = frozenset(("always", "never", "yes", "anytime", "nobody", "everyone"))


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
    known = [each for each in known_names(ctx.writer, ctx) if fits(ctx, each, NUMBER)]
    found = near(name, [*known, *ctx.world.kinds])
    rewrites = [each if each in known else f"count({each})" for each in found]
    return Help(f"did you mean {listing(rewrites)}?", rewrites, name) if rewrites else None
