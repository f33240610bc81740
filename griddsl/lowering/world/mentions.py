"""Mentions: where a spec names kinds, which of them are declared by that alone, and what others were meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from griddsl.diagnostics import Help, Report, add, did_you_mean, listing, near, write
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.kinds import BUILT_IN, Kind
from griddsl.source import Span
from griddsl.spec.desugar.members import GROUPS
from griddsl.spec.models import GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.nodes import walk


def plain_tiles(spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Scalar]) -> None:
    """Make plain tiles of the names that stand where only a kind can stand."""
    taken = {
        *params,
        *(variable.name for variable in spec.variables),
        *(region.name for region in spec.regions),
    }
    taken |= set(chosen_names(spec)) | {"free", "self", "edge", "here", "start"}
    taken |= {"other"} if spec.agents else set()
    effects = (spec.preparing, [rule.effects for rule in spec.rules], [each.items for each in spec.observe])
    taken |= {node.called for node in walk((effects, spec.info)) if isinstance(node, n.OneOf)}
    words = {word for kind in kinds.values() for a in kind.attributes.values() for word in a.domain.words}
    for node in kind_positions(spec):
        if node.name in taken:
            continue
        if node.name not in kinds and (node.name not in words or node.span in _legend_spans(spec)):
            kinds[node.name] = Kind(node.name, "tile", node.span)


def _legend_spans(spec: GridSpec) -> list[Span]:
    return [item.kind.span for item in spec.legend]


def chosen_names(spec: GridSpec) -> Iterator[str]:
    """Yield the names given by ``choose`` and ``as``, anywhere, and by what calls of definitions give."""
    for node in walk(_everything(spec)):
        if isinstance(node, n.Choose):
            yield from node.names
        elif isinstance(node, n.Place) and node.alias:
            yield node.alias
        elif isinstance(node, n.Let | n.Ranging):
            yield node.name
        elif isinstance(node, n.Given):
            yield from (name for name, _ in node.names)


CELL = "cell"  # stands where a kind could: `any cell where C`, `each cell where C`


def kind_positions(spec: GridSpec) -> Iterator[n.KindName]:
    """Yield the nodes that stand where a kind stands: legend, triggers, places, relations, counts."""
    for item in spec.legend:
        yield from _kind_nodes(item.kind, item.tile)
    for node in walk(_everything(spec)):
        match node:
            case n.Trigger(event, subject, target):
                if event not in {"step", "every", "when", "act", "do", "fail"}:
                    yield from _kind_nodes(target)
                yield from _kind_nodes(subject)
            case n.Place(kind=kind) | n.RandomCell(kind=kind) | n.EveryCell(kind=kind):
                yield from _kind_nodes(kind)
            case n.Held(kind=kind) | n.Handle(kind=kind) | n.Quantified(kind=kind) | n.Other(kind=kind):
                yield from _kind_nodes(kind)
            case n.Relation(name="on" | "has" | "within" | "sees", right=right):
                yield from _kind_nodes(right)
            case n.Relation(name="ahead", left=left):
                yield from _kind_nodes(left)
            case n.Pattern():
                yield node
            case n.Call(name="count", arguments=(n.Name() as kind, *_)):
                yield from _kind_nodes(kind) if kind.name != CELL else ()
            case n.Each(over=over) | n.Some(over=over) | n.Superlative(over=over) | n.There(over=over):
                yield from _kind_nodes(over) if getattr(over, "name", "") != CELL else ()
            case n.Call(each=each, avoiding=avoiding):
                yield from _kind_nodes(each if getattr(each, "name", "") != CELL else None, avoiding)
            case n.Primitive(through=through):
                yield from _kind_nodes(through)
            case n.Code(kind=kind) | n.SeenAs(kind=kind) | n.CellsFor(over=kind):
                yield from _kind_nodes(kind)


def _everything(spec: GridSpec) -> tuple[object, ...]:
    return (
        spec.preparing,
        [(rule.trigger, rule.condition, rule.effects) for rule in spec.rules],
        [group.items for group in spec.actions],
        [allow.condition for allow in spec.allow],
        [observe.items for observe in spec.observe],
        spec.info,
        spec.tellings,
        [declaration.items for declaration in spec.kinds],
    )


def _kind_nodes(*nodes: n.Node | None) -> Iterator[n.KindName]:
    for node in nodes:
        if isinstance(node, n.KindName):
            yield node
        elif isinstance(node, n.Quantified | n.Other):
            yield from _kind_nodes(node.kind)
        elif isinstance(node, n.Logic):  # several kinds, as `avoiding` may have
            yield from _kind_nodes(*node.values)


def check_mentions(
    spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Scalar], report: Report
) -> None:
    """A kind that is not declared and named only once is taken for a typo."""
    for node in mentions(spec):
        if node.name in kinds:
            kinds[node.name].named.append(node.span)
    _check_reserved(kinds, report)
    lonely = {
        name: kind
        for name, kind in kinds.items()
        if not kind.declared and (len(kind.named) <= 1 or is_any_cell(kind))
    }
    in_legend = set(_legend_spans(spec))
    for name, kind in lonely.items():
        if name in RESERVED - STEP_WORDS or name in spec.left_out:
            continue
        is_drawn = kind.span in in_legend
        if is_drawn and any(lonely[other].span not in in_legend for other in near(name, lonely)):
            continue  # The other one of the pair is taken for the typo.
        once = _Once(name, kind.span, is_drawn, spec, kinds)
        help = next(filter(None, (meant(once) for meant in _MEANT)), None)
        help = help or f"declare it with `tile {name}:` or `object {name}:`, or correct the name"
        random = [span for span in kind.named if span.source.text[: span.start].endswith("random ")]
        for span in random if is_any_cell(kind) else [kind.span]:
            if len(kind.named) > 1:
                report.add("unknown-name", span, where="`random`", name=name, help=help)
            else:
                report.add("once-named", span, name=name, help=help)


def _check_reserved(kinds: Mapping[str, Kind], report: Report) -> None:
    for name, kind in kinds.items():
        if name in RESERVED - STEP_WORDS and not kind.declared and kind.named:
            line = f"one kind is named here, and `{name}` is none: write a rule for each of them"
            if name not in {"all", "any", "no"}:
                line = f"`{name}` is no kind; call the kind otherwise, such as `my_{name}`"
            report.add("reserved-name", kind.named[0], name=name, help=line)


@dataclass(frozen=True, slots=True)
class _Once:
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


def _letter_of_the_map(once: _Once) -> str | None:
    """`on enter g`, where the legend says `g = goal`."""
    kind = next((item.kind for item in once.spec.legend if item.glyph == once.name), None)
    if not isinstance(kind, n.KindName):
        return None
    help = f"`{once.name}` is drawn for `{kind.name}`: write `{kind.name}`"
    return Help(help, (kind.name,), once.name)


def _drawn_agent(once: _Once) -> str | None:
    """`p = player` in the legend of maps that place no agent."""
    if once.name not in AGENT_WORDS or not once.is_drawn:
        return None
    if any("@" in row for each in once.spec.maps for row in each.all_rows):
        return None
    return Help("did you mean `agent`? nothing else places it", ("agent",), once.name)


def _agent_otherwise(once: _Once) -> str | None:
    """`on coin meet player`."""
    is_agent = once.name in AGENT_WORDS and not once.is_drawn and "agent" in once.kinds
    return Help("did you mean `agent`?", ("agent",), once.name) if is_agent else None


def _what_it_is(once: _Once) -> str | None:
    """`on enter coin: remove it`."""
    for rule in once.spec.rules if once.name in {"it", "this", "that", "them"} else ():
        about = rule.trigger.object
        said = any(node.span == once.span for node in walk(rule.effects) if isinstance(node, n.KindName))
        if isinstance(about, n.KindName) and said:
            line = f"write `{about.name}`: what a rule is about is called by its kind"
            return Help(line, (about.name,), once.name)
    return None


def _plural(once: _Once) -> str | None:
    """`count(coins)` of `object coin`."""
    kind = next((name for name in once.kinds if once.name in {f"{name}s", f"{name}es"}), None)
    if kind is None or once.is_drawn:
        return None
    return Help(f"did you mean `{kind}`? kinds are named in the singular", (kind,), once.name)


def _free_cell(once: _Once) -> str | None:
    """`random cell`."""
    is_free = once.name in FREE_WORDS and once.before.endswith("random ")
    return Help("did you mean `free`?", ("free",)) if is_free else None


def _no_action(once: _Once) -> str | None:
    """`when no moves`: whether anything can be done is asked of each action."""
    if once.name not in _ACTIONS or not re.search(r"\bno \Z", once.before):
        return None
    taking = re.findall(r"\b(\w+)\(\w+ +in\b[^()]*\bwhere\b", once.spec.source.text)
    limited = dict.fromkeys([*(each.action for each in once.spec.allow), *taking])
    asked = " and ".join(f"not can {action}" for action in limited) or "not can ACTION"
    return f"whether something can be done, is asked of each action: `{asked}`"


def _loop_of_cells(once: _Once) -> str | None:
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


def _each_turn(once: _Once) -> str | None:
    """`each turn: ...`."""
    is_step = once.name in STEP_WORDS and once.before.endswith("each ")
    return Help("write `each step`", ("step",)) if is_step else None


def _no_other(once: _Once) -> str | None:
    is_other = once.name == "other" and not once.spec.agents
    return "there is no other agent: several are declared as in `agents: red, blue`" if is_other else None


def _group(once: _Once) -> str | None:
    """`object`, `portable` or `pushable`, where one kind is named."""
    if once.name not in GROUPS or once.is_drawn:
        return None
    objects = [kind for kind in once.kinds.values() if kind.category == "object" and kind.declared]
    several = [kind.name for kind in objects if once.name == "object" or getattr(kind, once.name)]
    if several:
        return f"one kind is named here, and `{once.name}` means all of {listing(several, 'and')}"
    none = "the spec has no objects: declare one, such as `object box:`"
    return none if once.name == "object" else f"no object is {once.name}: say `object K: {once.name}`"


def _near(once: _Once) -> str | None:
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


def _rule_forgotten(once: _Once) -> str | None:
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


def _glyph_forgotten(once: _Once) -> str | None:
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


def _held_at_all(once: _Once) -> str | None:
    """`agent has nothing`, `chest has something`, `agent has room`."""
    said = re.search(r"\b(\w+)\s+has\s+\Z", once.before)
    if said is None or once.name not in _HELD or said[1] not in {*once.kinds, "agent", "self"}:
        return None
    line = _HELD[once.name].format(said[1], once.kinds.get(said[1], once.kinds["agent"]).carries or 1)
    return write(line, place=replace(once.span, start=once.span.start - len(said[0])))


_MEANT: tuple[Callable[[_Once], str | None], ...] = (
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


def is_any_cell(kind: Kind) -> bool:
    """Whether a word is no kind, but any free cell in `random cell`: nothing declares, draws or places it."""
    if kind.declared or kind.name not in FREE_WORDS:
        return False
    before = [span.source.text[: span.start][-20:] for span in kind.named]
    return any(text.endswith("random ") for text in before) and not any(map(_AS_A_KIND.search, before))


_AS_A_KIND = re.compile(r"(?:[=|]|\b(?:place|enter|leave|bump|meet|on|becomes|tile|object))\s*\Z")


def _things_named(spec: GridSpec) -> set[str]:
    """Return the names that setup gives to things: a trigger may name one."""
    return {str(node.alias) for node in walk(spec.preparing) if isinstance(node, n.Place) and node.alias}


AGENT_WORDS = {"inventory", "player", "hero", "me", "robot", "character", "Player", "Agent", "you"}


LEAST_SURE = 0.77


FREE_WORDS = {"empty", "cell", "tile", "ground", "space", "blank", "spot", "place", "position", "location"}


STEP_WORDS = {"steps", "turn", "turns", "tick", "time", "timestep", "frame", "round", "move", "update"}
_ACTIONS = {"moves", "action", "actions"}


SURE = ("agent", "floor", "wall")  # every spec has them: a name that is only near may well be another


def _is_surely(kind: str, name: str) -> bool:
    return SequenceMatcher(None, kind, name).ratio() > LEAST_SURE


def mentions(spec: GridSpec) -> Iterator[n.KindName]:
    """Yield every name and pattern of a spec: what may be a mention of a kind."""
    everything: list[object] = [
        spec.legend,
        spec.preparing,
        spec.generate,
        [(rule.trigger, rule.condition, rule.chance, rule.effects) for rule in spec.rules],
        [group.items for group in spec.actions],
        [allow.condition for allow in spec.allow],
        [observe.items for observe in spec.observe],
        spec.info,
        spec.tellings,
        [slip.condition for slip in spec.slip],
        [declaration.items for declaration in spec.kinds],
    ]
    for node in walk(everything):
        if isinstance(node, n.KindName):
            yield node
    yield from spec.told_kinds
    for look in spec.looks:
        yield look.kind
