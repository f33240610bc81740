"""Once named: what was meant by a name that stands in the place of a kind, once, and is declared nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from griddsl.diagnostics import Help, add, did_you_mean, listing, write
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.kinds import BUILT_IN, Kind
from griddsl.source import Span
from griddsl.spec.desugar.members import GROUPS
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

AGENT_WORDS = {"inventory", "player", "hero", "me", "robot", "character", "Player", "Agent", "you"}


LEAST_SURE = 0.77


FREE_WORDS = {"empty", "cell", "tile", "ground", "space", "blank", "spot", "place", "position", "location"}


STEP_WORDS = {"steps", "turn", "turns", "tick", "time", "timestep", "frame", "round", "move", "update"}
_ACTIONS = {"moves", "action", "actions"}


SURE = ("agent", "floor", "wall")  # every spec has them: a name that is only near may well be another


def _is_surely(kind: str, name: str) -> bool:
    return SequenceMatcher(None, kind, name).ratio() > LEAST_SURE


@dataclass(frozen=True, slots=True)
class Once:
    """A name that stands once, where only a kind can stand, and whether that is in the legend."""

    name: str
    span: Span
    is_drawn: bool
    spec: GridSpec
    kinds: Mapping[str, Kind]

    @property
    def before(self) -> str:
        """What stands before it in its line, in the file that it stands in: the spec's, or a library's."""
        return self.span.source.text[: self.span.start].rpartition("\n")[2]


def _edge(once: Once) -> str | None:
    """`on car bump border`, `on sam bump EOS`: how the border of the grid is called."""
    is_border = once.name.lower() in {
        "border",
        "borders",
        "edges",
        "boundary",
        "boundaries",
        "eos",
        "bounds",
        "outside",
    }
    if not is_border or re.search(r"\bbump\s+\Z", once.before) is None:
        return None
    return Help("did you mean `edge`? the border of the grid is called so", ("edge",), once.name)


def _letter_of_the_map(once: Once) -> str | None:
    """`on enter g`, where the legend says `g = goal`."""
    kind = next((item.kind for item in once.spec.legend if item.glyph == once.name), None)
    if not isinstance(kind, n.KindName):
        return None
    help = f"`{once.name}` is drawn for `{kind.name}`: write `{kind.name}`"
    return Help(help, (kind.name,), once.name)


def _drawn_agent(once: Once) -> str | None:
    """`p = player` in the legend of maps that place no agent."""
    if once.name not in AGENT_WORDS or not once.is_drawn:
        return None
    if any("@" in row for each in once.spec.maps for row in each.all_rows):
        return None
    return Help("did you mean `agent`? nothing else places it", ("agent",), once.name)


def _agent_otherwise(once: Once) -> str | None:
    """`on coin meet player`."""
    is_agent = once.name in AGENT_WORDS and not once.is_drawn and "agent" in once.kinds
    return Help("did you mean `agent`?", ("agent",), once.name) if is_agent else None


def _what_it_is(once: Once) -> str | None:
    """`on enter coin: remove it`."""
    for rule in once.spec.rules if once.name in {"it", "this", "that", "them"} else ():
        about = rule.trigger.object
        said = any(node.span == once.span for node in walk(rule.effects) if isinstance(node, n.KindName))
        if isinstance(about, n.KindName) and said:
            line = f"write `{about.name}`: what a rule is about is called by its kind"
            return Help(line, (about.name,), once.name)
    return None


def _plural(once: Once) -> str | None:
    """`count(coins)` of `object coin`."""
    kind = next((name for name in once.kinds if once.name in {f"{name}s", f"{name}es"}), None)
    if kind is None or once.is_drawn:
        return None
    return Help(f"did you mean `{kind}`? kinds are named in the singular", (kind,), once.name)


def _free_cell(once: Once) -> str | None:
    """`random cell`."""
    is_free = once.name in FREE_WORDS and once.before.endswith("random ")
    return Help("did you mean `free`?", ("free",)) if is_free else None


def _no_action(once: Once) -> str | None:
    """`when no moves`: whether anything can be done is asked of each action."""
    if once.name not in _ACTIONS or not re.search(r"\bno \Z", once.before):
        return None
    taking = re.findall(r"\b(\w+)\(\w+ +in\b[^()]*\bwhere\b", once.spec.source.text)
    limited = dict.fromkeys([*(each.action for each in once.spec.allow), *taking])
    none = (
        "no agent can" if once.spec.agents and not re.match(r"\s*(?:each|on)\b", once.before) else "not can"
    )
    asked = " and ".join(f"{none} {action}" for action in limited) or f"{none} ACTION"
    return f"whether something can be done, is asked of each action: `{asked}`"


def _loop_of_cells(once: Once) -> str | None:
    """`each cell: ...`, where a rule stands."""
    line, span = once.before, once.span
    behind = span.source.text[span.end :].partition("\n")[0]
    if once.name != "cell" or line.strip() != "each":
        return None
    help = "a rule goes through things; cells are gone through in a block: `each step:`, and below it `each cell: ...`"
    if line != "each " or re.fullmatch(r"\s*:\s*[^\s#].*", behind) is None or span.source.is_toml:
        return help
    place = Span(span.source, span.start - len(line), span.end)
    return Help(help, ("each step:\n    each cell",), place=place)


def _each_turn(once: Once) -> str | None:
    """`each turn: ...`."""
    is_step = once.name in STEP_WORDS and once.before.endswith("each ")
    return Help("write `each step`", ("step",)) if is_step else None


def _no_other(once: Once) -> str | None:
    is_other = once.name == "other" and not once.spec.agents
    return "there is no other agent: several are declared as in `agents: red, blue`" if is_other else None


def members_of(group: str, kinds: Mapping[str, Kind]) -> list[str]:
    """Return the kinds that `object`, `portable` or `pushable` means."""
    objects = (kind for kind in kinds.values() if kind.category == "object" and kind.declared)
    return [kind.name for kind in objects if group == "object" or getattr(kind, group)]


def _group(once: Once) -> str | None:
    """`object`, `portable` or `pushable`, where one kind is named."""
    if once.name not in GROUPS or once.is_drawn:
        return None
    several = members_of(once.name, once.kinds)
    if several:
        return f"one kind is named here, and `{once.name}` means all of {listing(several, 'and')}"
    none = "the spec has no objects: declare one, such as `object box:`"
    return none if once.name == "object" else f"no object is {once.name}: say `object K: {once.name}`"


def _near(once: Once) -> str | None:
    """A name that looks like a kind's, a region's, or in a trigger like that of a thing."""
    others = [
        *(
            each
            for each in once.kinds
            if each not in SURE or (_is_surely(each, once.name) and not (once.is_drawn and each != "agent"))
        ),
        *(region.name for region in once.spec.regions),
        *(_things_named(once.spec) if re.fullmatch(r"on\s[^:]*", once.before) else ()),
        "edge",
        "free",
    ]
    return did_you_mean(once.name, others)


def _rule_forgotten(once: Once) -> str | None:
    """Say that what is drawn means nothing yet; where nothing ends an episode, it is taken for the goal."""
    if not once.is_drawn:
        return None
    if any(can.ends for _, can in of_rules(once.spec)):
        return (
            f"no rule speaks of it, as `on enter {once.name}: reward 1` does; "
            f"or declare it with `tile {once.name}:`"
        )
    added = add(f"on enter {once.name}: end success", once.spec.source)
    help = f"no rule speaks of it, and nothing ends an episode: {added}"
    return Help(help, added.rewrites, place=added.place) if isinstance(added, Help) else help


def _glyph_forgotten(once: Once) -> str | None:
    """Say which letter of a map was probably meant to be drawn for a kind; None where none surely was."""
    spec = once.spec
    drawn = {
        glyph for drawing in spec.maps for row in drawing.all_rows for glyph in row if not drawing.walled
    }
    unknown = sorted(drawn - set(BUILT_IN) - {item.glyph for item in spec.legend})
    meant = [glyph for glyph in unknown if glyph.lower() == once.name[0].lower()]
    if len(meant) != 1:
        return None
    line = f"{meant[0]} = {once.name}"
    if not spec.legend:
        return add(
            f"legend: {line}", spec.source, f": the map shows `{meant[0]}`, and no legend says what it is"
        )
    return f"add `{line}` to the legend: the map shows `{meant[0]}`, and the legend does not"


# What was meant by a name that stands once: the first that answers, the surest before the others.
_HELD = dict.fromkeys(("something", "anything", "things", "items"), "{0} has object")
_HELD |= {"nothing": "not {0} has object", "room": "count(object in {0}) < {1}"}


def _held_at_all(once: Once) -> str | None:
    """`agent has nothing`, `chest has something`, `agent has room`."""
    said = re.search(r"\b(\w+)\s+has\s+\Z", once.before)
    if said is None or once.name not in _HELD or said[1] not in {*once.kinds, "agent", "self"}:
        return None
    line = _HELD[once.name].format(said[1], once.kinds.get(said[1], once.kinds["agent"]).carries or 1)
    return write(line, place=replace(once.span, start=once.span.start - len(said[0])))


def _border(once: Once) -> str | None:
    """`agent on border`: a condition asks for columns and rows."""
    said = re.search(r"\b(\w+)\s+(?:on|at|in)\s+(?:the\s+)?\Z", once.before)
    if once.name not in {"border", "boundary"} or once.is_drawn or said is None:
        return None
    who = said[1]
    line = f"({who}.x == 0 or {who}.y == 0 or {who}.x == width - 1 or {who}.y == height - 1)"
    return write(line, place=replace(once.span, start=once.span.start - len(said[0])))


_MEANT: tuple[Callable[[Once], str | None], ...] = (
    _edge,
    _border,
    *(_letter_of_the_map, _drawn_agent, _plural, _free_cell, _no_action, _loop_of_cells, _each_turn),
    *(
        _no_other,
        _group,
        _what_it_is,
        _near,
        _held_at_all,
        _agent_otherwise,
        _rule_forgotten,
        _glyph_forgotten,
    ),
)


def meant_once(once: Once) -> str:
    """Return what was meant by a name, or how it is declared."""
    help = next(filter(None, (meant(once) for meant in _MEANT)), None)
    return help or f"declare it with `tile {once.name}:` or `object {once.name}:`, or correct the name"


def _things_named(spec: GridSpec) -> set[str]:
    """Return the names that setup gives to things: a trigger may name one."""
    return {str(node.alias) for node in walk(spec.preparing) if isinstance(node, n.Place) and node.alias}
