"""Naming: of which kinds the things can be that a clause speaks of by a name of its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from griddsl.diagnostics import Help, listing, write
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.habits.mistake import CELL
from griddsl.syntax.nodes import walk

_TO_A_THING = re.compile(r"\b(?:remove|pickup|drop|move|has)\s+\Z")


def kinds_named(
    spec: GridSpec, kinds: Collection[str], node: n.Node | None, made: bool = False
) -> set[str] | None:
    """Return the kinds that a thing can be of which a clause speaks; None where it can be any, as `self` can.

    A variable is no thing, but a thing can be ``made`` of the kind that one says. Names are those of kinds, and those
    that ``let``, ``choose`` and ``as`` give anywhere: one name may mean several.
    """
    found: set[str] = set()
    seen: set[str] = set()
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, n.Superlative | n.There):
            node = node.over
        elif isinstance(node, n.Other):
            node = node.kind
        if isinstance(node, n.OneOf):
            pending += node.kinds
            continue
        name = getattr(node, "name", None)
        if not isinstance(node, n.KindName) or name is None:
            continue
        if name in kinds:
            found.add(name)
            continue
        values = [each for each in (*spec.variables, *spec.params) if each.name == name]
        if name in seen or (values and not made):
            continue
        seen.add(name)
        given = [part for each in values for part in walk(each.domain)] or _given(spec).get(name, ())
        if not given:
            return None
        pending += given
    return found


@lru_cache(maxsize=4)
def _given(spec: GridSpec) -> Mapping[str, Sequence[n.Node]]:
    """Return what each name is given to, wherever that is said."""
    given: dict[str, list[n.Node]] = {}
    for node in walk(spec.blocks):
        match node:
            case n.Let(name=name, value=value):
                given.setdefault(name, []).append(value)
            case n.Place(alias=str(alias), kind=kind):
                given.setdefault(alias, []).append(kind)
            case n.Choose(names=names, domain=domain):
                values = domain.values if isinstance(domain, n.ChoiceDomain) else (domain,)
                for name in {*names}:
                    given.setdefault(name, []).extend(values)
    for group in spec.actions:
        for taken in walk(group.items):
            if isinstance(taken, n.Taken) and isinstance(taken.over.domain, n.ChoiceDomain):
                given.setdefault(taken.over.name, []).extend(taken.over.domain.values)
    return given


def drawn_kind(
    kinds: Collection[str], domain: n.Domain | n.RandomCell, known: Collection[str] = ()
) -> n.KindName | n.OneOf | None:
    """Return the kind whose things are drawn from: ``choose t in alien``, ``in alien(color=red)``; else None."""
    if not isinstance(domain, n.ChoiceDomain) or len(domain.values) > 1 or domain.weights[0] is not None:
        return None
    (value,) = domain.values
    if isinstance(value, n.OneOf):
        return value
    if not isinstance(value, n.KindName) or value.name in known:
        return None
    return value if value.name in kinds else None


def asks_a_thing(place: Span) -> bool:
    """Whether a name stands where a thing is asked for something, or something is done to it."""
    before, behind = place.source.text[: place.start], place.source.text[place.end : place.end + 1]
    return behind == "." or _TO_A_THING.search(before[-20:]) is not None


def drawn_cell(spec: GridSpec, objects: Collection[str], name: str) -> tuple[n.RandomCell, Help | str] | None:
    """Return the cell that setup draws for a name, `choose wanted in random apple`, and how the thing is chosen."""
    for node in walk(spec.preparing):
        if not isinstance(node, n.Choose) or name not in node.names:
            continue
        cell = node.domain
        kind = getattr(cell.kind, "name", "") if isinstance(cell, n.RandomCell) else ""
        if isinstance(cell, n.RandomCell) and kind in objects:
            return cell, _thing_meant(name, kind, cell)
    return None


def _thing_meant(name: str, kind: str, cell: n.RandomCell) -> Help | str:
    cells = f"`random {kind}` draws a cell; `choose {name} in {kind}` draws a thing"
    if cell.area is not None or cell.reachable_from is not None or not cell.span.text.startswith("random "):
        return cells
    return write(cell.span.text.removeprefix("random ").strip(), f": {cells}", cell.span)


# Which of several

# What is asked of a thing, or done to it, behind its name.
_CHANGED = re.compile(r"\.\w+[ ]*(?:[-+*]=|=(?!=))[ ]*[^,;\n#\"]*[^,;\n#\"\s]")
_COMPARED = re.compile(r"\.\w+[ ]*(?:[<>]=?|[!=]=|is\b(?:[ ]+not\b)?)[ ]*[\w.]*\w")
_BETWEEN = re.compile(r"\b((?:path_)?distance|chebyshev|euclid)\(([\w.]+), *$")
_ASKED = re.compile(r"\.\w+")
_GIVEN = re.compile(r"\blet +(\w+) *= *$")
_IN_A_CELL = re.compile(rf"(\.\w+)[ ]+at[ ]+({CELL})")
_UNDER = re.compile(r"[ ]+on[ ]+(self|agent)\b")
_BECOMES = re.compile(r"\.\w+[ ]+becomes[ ]+\w+")


def of_candidate(span: Span) -> Help:
    """Say how a `where` asks for the cell in which it would place what it asks of."""
    place = Span(span.source, span.start, span.end + len(".x"))
    if place.text.endswith((".x", ".y")):
        return write(place.text[-1], ": it is that of the cell that is asked about", place)
    return write("here", ": it is the cell that is asked about", span)


def which_there(name: str, span: Span) -> Help | None:
    """Return what `gem.hue at c` asks: it of the one in that cell; None where something else is asked."""
    there = _IN_A_CELL.match(span.source.text[span.end : span.end + 200])
    if there is None:
        return None
    place = Span(span.source, span.start, span.end + there.end(), span.through)
    return write(f"(the {name} at {there[2]}){there[1]}", ": of the one that is there", place)


def which_one(name: str, span: Span, words: Collection[str] = ()) -> str:
    """Return what to write where the bare name of a kind could be any of several, by what is asked of it.

    ``words`` are its attributes that are no numbers: of them there is no sum, none is the least and none the most.
    """
    if (each := _around(name, span)) is not None:
        return each
    sought = sought_by_any(name, span)
    if sought is not None and sought.source.text[: sought.start].rstrip().endswith(" has"):
        return without_any(sought, name)  # what is held is on no cell, and a loop goes through those that are
    if (each := _each_found(name, span)) is not None:
        return each
    if sought is not None:
        return without_any(sought, name)
    if (filled := _each_filled(name, span)) is not None:
        return filled
    line = span.source.text[max(0, span.start - 200) : span.start].rpartition("\n")[2]
    if re.search(rf"\bplace (?:all )?{name}\b[^:,]*\bat (?:random|every|each)\b.*\bwhere\b", line):
        return of_candidate(span)
    behind = span.source.text[span.end : span.end + 200]
    if (standing := _UNDER.match(behind)) is not None:
        place = Span(span.source, span.start, span.end + standing.end())
        return write(f"{standing[1]} on {name}", ": who asks stands first, and finds it", place)
    if (become := _BECOMES.match(behind)) is not None:
        return f"{_each(name, name, become[0])}; or name one by a condition: `agent on {name}`"
    if changed := _CHANGED.match(behind):
        return _each(name, name, changed[0])
    if compared := _COMPARED.match(behind):
        return f"say `any {name} where {name}{_of_numbers(compared[0])}`, or `all {name} where ...`"
    if (asked := _ASKED.match(behind)) and asked[0][1:] in words:
        asks = f"any {name} where {name}{asked[0]} is ..."
        return f"say `{asks}`, or name one by a condition: `agent on {name}`"
    if asked := _ASKED.match(behind):
        one = f"(the {name} with most {name}{asked[0]}){asked[0]}"
        return f"say `sum({name}{asked[0]} for {name})` or `{one}`, or name one by a condition: `agent on {name}`"
    if (given := _GIVEN.search(line)) and not re.match(r"[ ]*[.(]", behind):
        return f"`choose {given[1]} in {name}` draws one, `the {name} with least E` is one by a number"
    if between := _BETWEEN.search(line):
        return f"say which, such as the nearest: `the {name} with least {between[1]}({between[2]}, {name})`"
    item = re.split(r"[:,]", line)[-1]
    is_done = re.search(r"\b(?:place|move|go)\b", item) or re.match(r"[ ]*[.(]", behind)
    if not is_done and (who := re.search(r"\b(agent|self)\s+at\s+\Z", item)):
        place = Span(span.source, span.start - len(who[0]), span.end, span.through)
        return write(f"{who[1]} on {name}", ", which finds the one that lies there", place)
    if re.search(r"\b(?:place\b.*|back\s+)at\s+\Z", line) and not re.match(r"[ ]*[.(]", behind):
        return write(f"random {name}", ": one of them is drawn", place=span)
    if re.search(r"\bremove\s+\Z", item):
        whole = f"`each {name}: remove {name}` removes all of them, `remove (the {name} with least E)` one"
        return f"{whole}; or name one by a condition: `agent on {name}`"
    if re.search(r"\bmove\s+\Z", item):
        way = (re.match(r"(?:\([^()\n]*\)|[^,:\n#()])*", behind) or [""])[0].rstrip()
        return f"`each {name}: move {name}{way}` moves all of them, `move (the {name} with least E){way}` one"
    return f"say `all {name}`, `any {name}` or `count({name})`, or name one by a condition: `agent on {name}`"


def named_twice(name: str, span: Span) -> str:
    """Return what to write where two conditions name one, each its own: `box has coin and agent has coin(old=true)`."""
    twice = f"two conditions find a `{name}`, and each names its own"
    return (
        _around(name, span)
        or _each_found(name, span)
        or f"{twice}: `any {name}` in one of them asks, and names nothing"
    )


_LINES_OF_A_BLOCK = 20
_RELATED = r"(?:within|at|on|ahead|is|has)\b"


def _around(name: str, span: Span) -> str | None:
    """Return how a condition about another one speaks of the one that a loop around it means.

    In `field(hue=field.hue) at (field.x + 1, field.y)` the name would mean both.
    """
    text, start = span.source.text, span.start
    lines = text[: text.find("\n", start) % (len(text) + 1)].split("\n")[-_LINES_OF_A_BLOCK:]
    asked = re.search(rf"\b{name}\(([^()\n]*)\) at (\w+|\([^\n:]*\))(?=[:, ]|$)", lines[-1])
    around = any(re.match(rf"[ ]*(?:each|on)\b[^\n:]*\b{name}\b", line) for line in lines[:-1])
    if asked is None or not around or not re.search(rf"\b{name}\.", asked[0]):
        return None
    attributes, cell = (re.sub(rf"\b{name}\.", "this.", part) for part in asked.groups())
    return (
        f"give the one around it a name: `let this = {name}` in its block, "
        f"then `each {name}({attributes}) where {name} at {cell}: ...`"
    )


def _each_found(name: str, span: Span) -> str | None:
    """Return the loop over all that an `if` may find: `if coin within 1 of agent: remove coin`.

    In a loop over things of one kind it is the inner loop that speaks of others of this kind.
    """
    before, behind = span.source.text[: span.start], span.source.text[span.start :]
    form = re.compile(
        rf"([ ]*)(each step if|when|if|(on [^\n:]*?) if) ([^\n:\"]*?)\b(any )?({name}(?:\([^()\n]*\))?) "
        rf"((?:{_RELATED}|where\b)[^\n:\"]*):(?:[^\n]*|[^\n]*(?:\n\1[ ]+[^\n]*)*)\Z",
    )
    lines = [found.end() for found in re.finditer(r"\A|\n", before)][-_LINES_OF_A_BLOCK:]
    head = next((found for at in reversed(lines) if (found := form.match(before, at)) is not None), None)
    if head is None or re.search(r"\b(?:or|not|with chance)\b", f"{head[4]} {head[7]}"):
        return None
    asked = f"{name} {head[7]}"
    if head[7].startswith("where"):
        asked = head[7].removeprefix("where").strip()
        if not head[5] or head[4]:
            return None
    if head[5] and head[7].startswith(("at", "ahead")):
        return None  # in one cell there is one, which a condition without `any` names
    near = re.match(r"within\s+\w+\s+of\s+(\w+)", head[7])
    nearest = near and f"`(the {name} with least distance({name}, {near[1]}))`"
    if re.match(rf"(?:{head[1]}[ ]+[^\n]*\n)*{head[1]}else\b", behind.partition("\n")[2]):
        return nearest and f"say which is meant, such as the nearest: {nearest}"  # a loop has no other side
    line = f"each {head[6]} {'where' if head[2] == 'if' or head[3] else 'if'} {head[4]}{asked}"
    rest = f"; {nearest} is the nearest" if nearest else ""
    if head[3]:
        return f"a line of a block does it to each of them, `{line}: ...`{rest}"
    if head[7].startswith(("at", "ahead")):
        rest = f", in which `{name}` is the one that is found"
    else:
        rest = f" to do it to each of them{rest}"
    return write(line, rest, replace(span, start=head.start(2), end=head.end(7)))


_KEEPS_OUT = re.compile(r"\b(?:solid|opaque)\s+(?:if|unless)\b[^,]*\Z")


def which_agent(name: str, span: Span, has_self: bool = True) -> str | Help:
    """Return what to write where the bare name of a kind could be any of several agents.

    In a rule about no agent, as `when C`, there is no `self` to say.
    """
    sought = sought_by_any(name, span)
    if sought is not None:
        return without_any(sought, name)
    if (filled := _each_filled(name, span)) is not None:
        return filled
    if _KEEPS_OUT.search(span.source.text[: span.start].rpartition("\n")[2]):
        return "what is solid keeps out all that would come: to keep out some, `on do ACTION if C: cancel`, or `allow`"
    if _PLACED.search(span.source.text[max(0, span.start - 200) : span.start]):
        return f"let the rule have it as its subject: `each {name}:`, `on enter K:`"
    if not has_self:
        return f"say `all {name}` or `any {name}`, or let a rule be about each of them: `each {name} if C:`"
    return f"say `self`, `all {name}`, `any {name}` or `other {name}`, or name one"


def one_of_many(agents: Collection[str], kinds: Collection[str], name: str) -> str | None:
    """`hunter_0`, the name that Python has for one of `hunter * 4`: rules know the kind."""
    kind = name.rpartition("_")[0]
    if name not in agents or kind not in kinds:
        return None
    most = sum(each.rpartition("_")[0] == kind for each in agents) - 1
    told = f"`agent {kind}: id in 0..{most}`"
    return f"that is its name in Python; rules tell one `{kind}` from another by an attribute: {told}"


_PLACED = re.compile(r"\bplace\s+\Z")
_PLACED_IN = re.compile(r"\bplace [^\n,:]*\bin +\Z")


def _each_filled(name: str, span: Span) -> str | None:
    """Return the loop that puts a thing into each of several: `each chest: place coin in chest`."""
    said = _PLACED_IN.search(span.source.text[max(0, span.start - 200) : span.start])
    return (
        said
        and f"to put one into each write `each {name}: {said[0]}{name}`, into some `each {name} where C: ...`"
    )


def sought_by_any(name: str, span: Span) -> Span | None:
    """Return the `any K` of a condition, on the same line or the one before, that a bare name of the kind follows."""
    before = span.source.text[max(0, span.start - 400) : span.start].split("\n")[-2:]
    said = re.search(
        rf"\b(?:if|when)\b[^\n]*?\b(any\s+{name})\b\s*(?:at|on|ahead|within)\b[^\n]*:\s*\n?(?:[^\n]*[,\s(])?\Z"
        rf"|\b(?:if|when)\b[^\n]*?\b(?:has|on|(?:of|sees)(?=[^\n()]*\())\s+(any\s+{name})\b[^\n]*:\s*\n?(?:[^\n]*[,\s(])?\Z",
        "\n".join(before),
    )
    if said is None or re.search(r"\bnot\b|\bor\b", said[0]):
        return None
    start = span.start - len("\n".join(before)) + said.start(said.lastindex or 0)
    return Span(span.source, start, start + len(said[said.lastindex or 0]), span.through)


def without_any(sought: Span, name: str) -> Help:
    """Return the help that a condition names what it finds where it stands without `any`."""
    return write(name, f" for `any {name}`: then it is the one that is found", sought)


def each_of(quantifier: str, kind: str, name: str, span: Span) -> str | Help:
    """Return what to write where `any K` or `all K` stands before an attribute, as in `any coin.worth > 2`."""
    asked, behind = f"{quantifier} {kind}", span.source.text[span.end : span.end + 200]
    if changed := _CHANGED.match(behind):
        return _each(kind, name, changed[0])
    if compared := _COMPARED.match(behind):
        place = replace(span, end=span.end + compared.end())
        return write(f"{asked} where {name}{_of_numbers(compared[0])}", "", place)
    return f"a condition on several stands behind `where`, as in `{asked} where {name}.x > 2`"


def _of_numbers(compared: str) -> str:
    """Return a comparison as numbers have it: `.nectar is 0` is `.nectar == 0`."""
    return re.sub(r"\bis(?= +-?\d)", "==", re.sub(r"\bis +not(?= +-?\d)", "!=", compared))


def _each(kind: str, name: str, change: str) -> str:
    whole = change if change.count("(") == change.count(")") else f"{change.partition('=')[0]}= ..."
    return f"for all of them write `each {kind}: {name}{whole}`, for some `each {kind} where C: ...`"


_PLANES = re.compile(r"\bas (?:planes|codes)\s*\([^)\n]*\Z")


def which_other(name: str, span: Span) -> str | Help:
    """Return what to write where `other` could be any of several agents."""
    others = f"{name} where {name} is not self"
    asked = re.match(r"\.(\w+)", span.source.text[span.end : span.end + 80])
    if asked is not None and _PLANES.search(span.source.text[: span.start]):
        whole = Span(span.source, span.start, span.end + asked.end(), span.through)
        return write(f"{name}{asked[0]}", f", of the {name} in the cell", whole)
    if given := re.fullmatch(r"(reward\b.*\bto )other\b.*", span.text):
        return f"a block gives it to each: `each {others}: {given[1]}{name}`, on a line of its own"
    asks = f"`any {others} and ...` asks whether one of them is so"
    return f"{asks}, a loop `each {others}:` goes through all; or name the one that is meant"


_HEARD = re.compile(r"on (?:agent )?((?:bump|enter|leave|meet|push|pickup|drop|toggle)\b.*)")


def of_some_agents(spec: GridSpec, name: str, place: Span) -> str | None:
    """Say which agents alone have an attribute that others are asked for; None where none is declared with it."""
    agents = {each.name for each in spec.agents}
    holders = {
        kind.name: item.span.text
        for kind in spec.kinds
        for item in kind.items
        if kind.name in agents and isinstance(item, n.AttributeItem) and item.name == name
    }
    if not holders:
        return None
    first, declared = next(iter(holders.items()))
    heads = (
        rule.head
        for rule in spec.rules
        for node in walk((rule.condition, rule.effects))
        if node.span.start <= place.start < node.span.end and node.span.source is place.source
    )
    rule = _HEARD.match(next(heads, ""))
    is_one = all(each.count is None for each in spec.agents if each.name == first)
    owner = first if is_one else f"(the {first} where {first} is self)"
    alone = f"`on {first} {rule[1]}` is about `{first}`" if rule else f"`{owner}.{name}` asks for it"
    if agents <= holders.keys() and len(set(holders.values())) > 1:
        domains = listing([f"{kind}: {said}" for kind, said in holders.items()], "and")
        return f"they have it in different domains, {domains}: write the same one for all"
    have = f"{listing(list(holders), 'and')} alone {'has' if len(holders) == 1 else 'have'} it"
    return f"{have}: {alone}, and `agent: {declared}` gives it to all"
