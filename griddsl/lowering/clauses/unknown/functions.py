"""Functions that there are not, or that are given what they do not take: what was probably meant."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, did_you_mean, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.kinds import singular
from griddsl.lowering.clauses.unknown.written import written_out
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

_MEANT = {
    **dict.fromkeys(("len", "number", "amount", "size", "num"), "count"),
    **dict.fromkeys(("manhattan", "dist", "manhattan_distance"), "distance"),
    **dict.fromkeys(("euclidean", "norm"), "euclid"),
    **dict.fromkeys(("shortest_path", "path", "bfs"), "path_distance"),
    **dict.fromkeys(("previous", "old", "last"), "prev"),
    **dict.fromkeys(("maximum",), "max"),
    **dict.fromkeys(
        ("pick", "select", "elt", "element", "item", "lookup", "switch", "case", "list", "array"), "nth"
    ),
    **dict.fromkeys(("minimum",), "min"),
    **dict.fromkeys(
        ("behind", "back", "back_of", "reverse", "inverse", "flip", "around", "turn_around"), "opposite"
    ),
    **dict.fromkeys(("left", "turn_left", "rotate_left", "ccw", "counterclockwise"), "left_of"),
    **dict.fromkeys(("right", "turn_right", "rotate_right", "cw", "clockwise"), "right_of"),
}


_RELATIONS = {
    **dict.fromkeys(("has", "holds", "carries", "owns", "contains"), "has"),
    **dict.fromkeys(("on", "is_on", "stands_on"), "on"),
    **dict.fromkeys(("near", "is_near", "adjacent", "next_to"), "within 1 of"),
}


# As RDDL and libraries of distributions call them.
_DRAWN = {
    "bernoulli": "a chance stands behind a condition, an effect's line or a head: `if C with chance 0.45: ...`, "
    "`each computer with chance 0.45: ...`",
    **dict.fromkeys(
        ("chance", "probability", "prob", "coin_flip", "flip_coin", "toss"),
        "a chance stands behind a condition, an effect's line or a head: `if C with chance 0.1: ...`, "
        "`each step with chance 0.1: ...`",
    ),
    **dict.fromkeys(
        ("neighbors", "neighbours", "adjacent", "neighborhood"),
        "those around are counted, or asked of, by how near they are: `count(coin where chebyshev(coin, agent) == 1)`",
    ),
    "discrete": "a number or a word is chosen by an effect: `choose n in 0..2`, `choose w in dry 0.7 | wet 0.3`",
    "categorical": "a word is chosen by an effect, with weights: `choose w in dry 0.7 | wet 0.3`",
    "krondelta": "a value stands for itself: leave `KronDelta` out",
    "diracdelta": "a value stands for itself: leave `DiracDelta` out",
    "normal": "what is drawn is a whole number or a word: `choose n in 1..6`, with weights or without",
    "poisson": "what is drawn is a whole number or a word: `choose n in 0 0.5 | 1 0.3 | 2 0.2`",
}


def function_meant(node: n.Call, known: list[str], world: World) -> str | None:
    """Return what is called so in other languages, or what is near."""
    name = node.name
    if name in {"onehot", "one_hot"} and len(node.arguments) == 1:
        return write(f"{to_text(node.arguments[0])} as onehot", place=node.span)
    if (weighted := _weight_in_brackets(node)) is not None:
        return weighted
    if (said := written_out(node)) is not None:
        return said
    if name in _MEANT:
        alone = node.arguments[0] if len(node.arguments) == 1 else None
        counted = singular(world, alone.name) if isinstance(alone, n.Name) else None
        if counted is not None and _MEANT[name] == "count":
            return write(f"count({counted.name})", ": kinds are named in the singular", node.span)
        return Help(f"did you mean `{_MEANT[name]}`?", (_MEANT[name],), name)
    if name in {"range", "randrange", "randint"} and 0 < len(node.arguments) <= 2:
        low, high = ("0", *map(to_text, node.arguments))[-2:]
        high = high if name == "randint" else str(int(high) - 1) if high.isdigit() else f"{high} - 1"
        if re.search(r"\bin\s*\Z", node.span.source.text[max(0, node.span.start - 20) : node.span.start]):
            return write(f"{low}..{high}", ": both ends count", node.span)
    mover = re.search(
        r"\bmove\s+(\w+)\s+\Z", node.span.source.text[max(0, node.span.start - 80) : node.span.start]
    )
    if name in {"toward", "towards"} and mover is not None:
        said = f"`object {mover[1]}: moves toward K`"
        return f"an effect moves one cell in a direction, or to a place; what goes toward one by itself says it: {said}"
    if (drawn := _DRAWN.get(name.lower())) is not None:
        return drawn
    if name.startswith("rand") or name in {"uniform", "choice", "dice"}:
        return "a random number is chosen by an effect: `choose n in 1..6`; behind it `n` is the number"
    if name == "at":
        source, start = node.span.source, node.span.start
        asked = re.search(r"\b(\w+)\s+is\s+(not\s+)?\Z", source.text[max(0, start - 80) : start])
        if asked is not None:
            place = Span(source, start - len(asked[0]), node.span.end, node.span.through)
            return write(f"{'not ' if asked[2] else ''}{asked[1]} {node.span.text}", place=place)
    if name in _RELATIONS and len(node.arguments) == 2:
        one, other = map(to_text, node.arguments)
        relation = _RELATIONS[name]
        if relation.startswith("within") and (one.isdigit() or other.isdigit()):
            steps, there = (one, other) if one.isdigit() else (other, one)
            relation, one, other = f"within {steps} of", "agent", there
        return write(f"{one} {relation} {other}", ": a relation stands between its sides", node.span)
    if name in {"nearest", "closest", "argmin", "argmax", "farthest"}:
        kind = next((part.name for part in n.walk(node.arguments) if isinstance(part, n.Name)), "K")
        most = "most" if name in {"argmax", "farthest"} else "least"
        return f"of several it is one by a number: `the {kind} with {most} distance({kind}, agent)`"
    if name in {"sees", "can_see", "visible", "line_of_sight", "los", "in_sight", "is_visible"}:
        one, other = (*(to_text(argument) for argument in node.arguments), "agent", "K")[:2]
        return write(f"{one} sees {other}", place=node.span)
    if (
        name in {"reachable", "is_reachable", "can_reach", "has_path", "path_exists", "connected"}
        and node.arguments
    ):
        one, other = ("agent", *map(to_text, node.arguments))[-2:]
        return write(f"path_distance({one}, {other}) < width * height", place=node.span)
    if name in {"vector", "array", "concat", "concatenate", "box", "tensor"} and node.arguments:
        return f"`observe flat: {', '.join(map(to_text, node.arguments))}` puts all into one `Box`"
    if (said := _whether_there_is(node, world)) is not None:
        return said
    if name in {"planes", "codes", "kinds"}:
        return write(f"grid as {name} ({', '.join(map(to_text, node.arguments))})", place=node.span)
    if name in {"int", "float", "bool", "round"}:
        return "numbers need no such function; whole division is written `div`"
    return did_you_mean(name, known)


_THERE_IS = frozenset({"exists", "exist", "some", "present", "has_any", "there_is", "is_there", "remaining"})
_THERE_IS_NONE = frozenset({"none", "nothing", "empty", "is_empty", "absent", "not_exists", "gone"})


def _whether_there_is(node: n.Call, world: World) -> str | None:
    """`exists(coin)`, `exists(coin at home)`, `none(coin)`: whether there is such a thing."""
    if node.name not in _THERE_IS | _THERE_IS_NONE or not node.arguments:
        return None
    first = node.arguments[0]
    word, text = "any" if node.name in _THERE_IS else "no", to_text(first)
    if isinstance(first, n.Name) and (kind_meant := singular(world, first.name)) is not None:
        text = kind_meant.name
    if len(node.arguments) == 1 and isinstance(first, n.KindName):
        none = f"no {text} left" if isinstance(first, n.Name) else f"count({text}) == 0"
        return write(f"count({text}) > 0" if word == "any" else none, place=node.span)
    if len(node.arguments) == 1 and isinstance(first, n.Relation) and isinstance(first.left, n.KindName):
        return write(f"{word} {text}", place=node.span)
    kind = next((part.name for part in n.walk(first) if isinstance(part, n.Name)), "K")
    if len(node.arguments) == 1 and not isinstance(first, n.KindName) and kind != "K":
        joined = re.match(r"[ ]*(?:\Z|[:),\n]|with\b)", node.span.source.text[node.span.end :]) is None
        asked = f"{word} {kind} where {text}"
        return write(f"({asked})" if joined else asked, place=node.span)
    return f"a condition on several stands behind `where`, as in `{word} {kind} where C`"


def _weight_in_brackets(node: n.Call) -> str | None:
    """Say how `good (p + 1) | bad (2 * p)` is written: what looks like a call is an alternative with its weight."""
    text, start = node.span.source.text, node.span.start
    is_alternative = re.search(r"(\bin|\|)\s*\Z", text[max(0, start - 20) : start]) is not None
    if not is_alternative or len(node.arguments) != 1 or not re.match(r"\w+\s+\(", text[start:]):
        return None
    # No rewrite: all alternatives are to be written so together.
    weight = to_text(node.arguments[0])
    if isinstance(node.arguments[0], n.IfElse):
        return f"a weight that depends has a name: `define share: {weight}`, and `{node.name} share`"
    return f"a weight stands behind its alternative, with no bracket first: `{node.name} {weight}`"


def arguments_meant(ctx: Context, node: n.Call) -> str | None:
    """Return how a call that a function does not take was probably meant."""
    if node.name == "count":
        return _counted(ctx, node)
    if node.name in {"min", "max"} and node.each is not None and len(node.arguments) > 1:
        *others, last = map(to_text, node.arguments)
        where = "" if node.where is None else f" where {to_text(node.where)}"
        inner = f"{node.name}({last} for {to_text(node.each)}{where})"
        return write(f"{node.name}({', '.join([*others, inner])})", place=node.span)
    if node.name in {"sum", "min", "max"}:
        return _summed(ctx, node)
    if node.each is not None:
        asked = f"{node.name}({', '.join(map(to_text, node.arguments))}) for {to_text(node.each)}"
        return f"of several it is `min({asked})`, `max({asked})` or `sum({asked})`"
    return _apart(ctx, node) if node.name in {"dx", "dy"} else None


def _apart(ctx: Context, node: n.Call) -> str | None:
    """`dx(rat)`, `dx(agent, rat)`: how far apart two places are in x."""
    names = [part.name for part in node.arguments if isinstance(part, n.Name)]
    if len(names) < len(node.arguments) or not 1 <= len(names) <= 2:
        return None
    if any(name not in (*ctx.world.kinds, "agent", "self") for name in names):
        return None
    first, last = names if len(names) == 2 else ("agent", names[0])
    axis = node.name[1]
    return write(
        f"({last}.{axis} - {first}.{axis})", f": how far {last} is from {first} in {axis}", node.span
    )


def _counted(ctx: Context, node: n.Call) -> str | None:
    """`count(crate on target)`: a condition on a kind, without its `where`."""
    if len(node.arguments) != 1:
        return None
    condition = node.arguments[0].span.text
    quantified = re.fullmatch(r"(?:all|any|every|each)\s+((\w+)(?:\s+where\s.+)?)", condition)
    if quantified is not None and quantified[2] in ctx.world.kinds and node.where is None:
        return write(f"count({quantified[1]})")
    if node.where is not None:
        return None
    match node.arguments[0]:
        case n.Relation(name="has", left=n.Name(holder), right=n.Name(held)) if held in ctx.world.kinds:
            return write(f"count({held} in {holder})", ": those that it holds", node.span)
    several = re.fullmatch(r"\w+(?:\s+and\s+\w+)+", condition)
    if several is not None and set(re.findall(r"\w+", condition)) <= {*ctx.world.kinds, "and"}:
        kinds = " or ".join(re.split(r"\s+and\s+", condition))
        return write(f"count({kinds})", ": things of any of these kinds are counted")
    kind = re.split(r"\W", condition, maxsplit=1)[0]
    if kind not in ctx.world.kinds and kind.removesuffix("s") in ctx.world.kinds:
        kind, condition = kind.removesuffix("s"), condition.replace(kind, kind.removesuffix("s"), 1)
    if kind == condition or kind not in ctx.world.kinds:
        return None
    asked = re.fullmatch(r"\w+\(\s*(\w+)\s*(==|!=|[<>]=?)\s*([\w.]+)\s*\)", condition)
    if asked is None:
        return write(f"count({kind} where {condition})") if not condition.startswith(f"{kind}(") else None
    if asked[2] == "==":
        return write(f"count({kind}({asked[1]}={asked[3]}))", ": an attribute of a kind is given with `=`")
    return write(f"count({kind} where {kind}.{asked[1]} {asked[2]} {asked[3]})")


def _summed(ctx: Context, node: n.Call) -> str | None:
    """`sum(coin.value)`, `min(distance(agent, coin))`: a number without the kind that it is asked of."""
    if node.each is not None:
        return None
    owners = {
        part.owner.name
        for part in n.walk(node.arguments)
        if isinstance(part, n.Attribute)
        and isinstance(part.owner, n.Name)
        and part.owner.name in ctx.world.kinds
    }
    owners = owners or {
        part.name
        for part in n.walk(node.arguments)
        if isinstance(part, n.Name) and part.name in ctx.world.kinds and part.name != "agent"
    }
    if len(node.arguments) != 1 or len(owners) != 1 or node.avoiding is not None:
        return None
    only = f" where {node.where.span.text}" if node.where is not None else ""
    asked = re.sub(r"\A(?:all|any)\s+", "", node.arguments[0].span.text)
    return write(f"{node.name}({asked} for {owners.pop()}{only})")
