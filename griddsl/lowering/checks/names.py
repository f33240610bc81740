"""Names: kinds that are surely misspelt, and names that hide a word which the spec needs."""

from __future__ import annotations

from collections.abc import Iterator

from griddsl.diagnostics import Label, listing, near
from griddsl.lowering.checks.never import kinds_made
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.spec.clauses import clauses_of
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def misspelt_kinds(writer: Writer) -> None:
    """Report a kind that is never there and is spelt nearly as one that is, however often it is written so."""
    world = writer.world
    made = kinds_made(world)
    if made is None:
        return
    there = {name for name in made if name in world.kinds}
    told = {each.span for each in writer.report if each.code == "once-named"}
    for kind in world.kinds.values():
        if kind.name in made or not (kind.named or kind.declared) or kind.category == "agent":
            continue
        meant = [
            name for name in near(kind.name, there) if not (kind.declared and world.kinds[name].declared)
        ]
        if kind.declared and any(told & {*world.kinds[name].named} for name in meant):
            continue  # that name is said to be misspelt already
        span = _place(world, kind)
        if meant and span is not None:
            labels = [
                Label(other, "here too")
                for other in kind.named
                if other != span and other.source is span.source
            ]
            help = f"{listing(meant)} is there: correct the name, in each place"
            if kind.declared:
                help = (
                    f"{listing(meant)} is there, and nothing declares it: correct the one name or the other"
                )
            writer.report.add(
                "never-placed", span, name=kind.name, near=meant[0], help=help, labels=labels[:3]
            )


def _place(world: World, kind: Kind) -> Span | None:
    """Return where a kind stands first in the spec itself; None for one that a library declares."""
    spans = [kind.span] if kind.declared else sorted(kind.named, key=lambda span: span.start)
    return next((span for span in spans if span.source is world.spec.source and span.end > span.start), None)


# Words of the language that a name would keep from being read, and what they say.
EVERYWHERE = {"self": "the subject of a rule", "here": "the cell that is asked about"}
OF_KINDS = {"edge": "the border of the grid", "free": "cells with room, as in `at random free`"}
OF_SEVERAL = {"other": "the other agent"}
OF_NUMBERS = {
    "width": "the number of columns",
    "height": "the number of rows",
    "limit": "the number of steps of an episode",
}
OF_CELLS = {"x": "the column of the cell that is asked about", "y": "the row of that cell"}
OF_AREAS = {"border": "the cells at the border of the grid"}
OF_INFO = {  # what stands in `info` by itself, or is put there by batches and wrappers
    "outcome": "how the episode ended",
    "is_success": "whether the episode ended in success",
    "action_mask": "the allowed actions",
    "hidden_reward": "what rules give with `hidden`",
    "alive": "which agents of a batch are still there",
    "episode": "the sums of an episode, as Gymnasium's wrappers put it there",
    "final_obs": "the last observation of an episode, as batches put it there",
    "final_info": "the last info of an episode, as batches put it there",
    "terminated": "whether a rule ended the episode, as JAX environments put it there",
    "truncated": "whether the episode was cut short, as JAX environments put it there",
    "failed": "whether a setup found no place, as JAX environments put it there",
    "final_observation": "the last observation of an episode, as JAX environments put it there",
    "variant": "which of several games is played, as a curriculum puts it there",
}
OF_INFO_OF_SEVERAL = {"result": "whether the agent has won or lost", "turn": "whose turn it is"}
OF_SIGHTS = {
    "grid": "the board as the agent sees it",
    "pixels": "the picture of the board",
    "rays": "what straight lines from the agent hit",
}


def hidden_words(writer: Writer) -> None:
    """Report each name that hides a word: of a domain, where a value would be read for it, or of the language."""
    world = writer.world
    for name, span, meaning, use in _hiding(world):
        if span.source is world.spec.source:
            help = f"`{name}` is {meaning}; choose another name, such as `my_{name}`"
            labels = (
                [] if use is None or use.source is not span.source else [Label(use, "here the word is read")]
            )
            writer.report.add("hidden-word", span, name=name, of="the language", help=help, labels=labels)
    words = dict(_words(writer))
    for name, span in _names_of_values(world):
        of = [owner for owner in words.get(name, []) if owner != name]
        if of and span.source is world.spec.source:
            help = f"choose another name, such as `my_{name}`"
            writer.report.add("hidden-word", span, name=name, of=listing(of, "and"), help=help)


def _hiding(world: World) -> Iterator[tuple[str, Span, str, Span | None]]:
    """Yield the declared names that are words of the language too: what the word says, and where it may be meant."""
    spec = world.spec
    values = list(_names_of_values(world))
    kinds = [(each.name, each.span) for each in spec.kinds if each.name != "agent"]
    kinds += [(each.name, each.span.word(each.name)) for each in spec.agents]
    regions = [(region.name, region.span) for region in spec.regions]
    same, asked = set(_named_as_meant(world)), dict(_asked_of_cells(world))
    items = [item for observe in spec.observe for item in observe.items if isinstance(item, n.ObserveItem)]
    seen = {item.what: item.span for item in items}
    infos = [(item.name, item.span.word(item.name)) for item in spec.info]
    told = [node for rule in spec.rules for node in walk(rule.effects) if isinstance(node, n.Info)]
    infos += [(effect.name, effect.span.word(effect.name)) for effect in told]
    beside = {f"_{name}": f"which environments of a batch tell `{name}`" for name in (*dict(infos), *OF_INFO)}
    beside |= OF_INFO_OF_SEVERAL if world.several else {}
    for names, words, uses in (
        (infos, OF_INFO | beside, {}),
        ([*values, *kinds, *regions], EVERYWHERE, {}),
        ([*kinds, *regions], OF_KINDS, {}),
        ([*values, *kinds], OF_SEVERAL if world.several else {}, {}),
        ([*values, *kinds], {word: says for word, says in OF_NUMBERS.items() if word not in same}, {}),
        ([*values, *kinds], {word: says for word, says in OF_CELLS.items() if word in asked}, asked),
        (regions, OF_AREAS, {}),
        (values, {word: says for word, says in OF_SIGHTS.items() if word in seen}, seen),
    ):
        yield from ((name, span, words[name], uses.get(name)) for name, span in names if name in words)


def _named_as_meant(world: World) -> Iterator[str]:
    """Yield the parameters that are called by the very word whose value they give: `generate: empty(width, height)`."""
    spec = world.spec
    if isinstance(spec.generate, n.Call) and spec.generate.name != "rooms":
        for word, argument in zip(("width", "height"), spec.generate.arguments, strict=False):
            if isinstance(argument, n.Name) and argument.name == word:
                yield word
    if isinstance(spec.limit, n.Name) and spec.limit.name == "limit":
        yield "limit"


def _asked_of_cells(world: World) -> Iterator[tuple[str, Span]]:
    """Yield the names that are read where `x` and `y` are those of a cell that is gone through, drawn or shown."""
    nodes = list(clauses_of(world.spec))
    given = {name for node in nodes if isinstance(node, n.Given) for name, _ in node.names}
    for node in nodes:
        for part in walk(_asks_of_a_cell(node)):
            if isinstance(part, n.Name) and part.name not in given:
                yield part.name, part.span


def _asks_of_a_cell(node: n.Node) -> object:
    """Return what is asked of one cell after the other; None where nothing is."""
    if isinstance(node, n.CellChoice | n.Place):
        return node.where
    match node:
        case n.Each(over=n.Name(name="cell"), body=body):
            return (node.where, node.by, body)
        case n.Each(by=by):
            return by
        case n.Some(over=n.Name(name="cell"), where=where):
            return where
        case n.Superlative(over=n.Name(name="cell")):
            return (node.value, node.where)
        case n.Call(arguments=(n.Name(name="cell"), *_), where=where):
            return where
        case n.Call(each=n.Name(name="cell")):
            return (node.arguments, node.where)
        case n.Form(name="planes", entries=entries):
            return entries
    return None


def _words(writer: Writer) -> Iterator[tuple[str, list[str]]]:
    """Yield the words that the spec declares, each with the attributes and variables that can be it."""
    found: dict[str, list[str]] = {}
    states = _states(writer.world)
    for kind in writer.world.kinds.values():
        for attribute in kind.attributes.values():
            is_state = attribute.domain.form == "bool" and attribute.name in states
            words = (attribute.name,) if is_state else attribute.domain.words
            if attribute.name != "facing" and (is_state or attribute.domain.form == "words"):
                for word in words:
                    found.setdefault(word, []).append(f"{kind.name}.{attribute.name}")
    for variable in writer.variables.values():
        if variable.domain is not None and variable.domain.form == "words":
            for word in variable.domain.words:
                found.setdefault(word, []).append(variable.name)
    yield from found.items()


def _states(world: World) -> set[str]:
    """Return the names that stand where a truth attribute says what a thing is: `lamp is lit`, `solid if shut`."""
    spec = world.spec
    found: set[str] = set()
    for node in clauses_of(spec):
        match node:
            case n.Is(right=n.Name(name=name)) | n.Becomes(value=n.Name(name=name)):
                found.add(name)
    guards = (item for each in spec.kinds for item in each.items if not isinstance(item, n.AttributeItem))
    return found | {part.name for part in walk(tuple(guards)) if isinstance(part, n.Name)}


def _naming(world: World) -> list[object]:
    """Return the clauses that give names: setup, what actions take, and the effects of rules."""
    spec = world.spec
    return [spec.preparing, [group.items for group in spec.actions], [rule.effects for rule in spec.rules]]


def _names_of_values(world: World) -> Iterator[tuple[str, Span]]:
    """Yield what names a number, a word, a cell or a thing: parameters, variables, what is chosen, what `as` names."""
    for declaration in (*world.spec.params, *world.spec.variables):
        yield declaration.name, declaration.span
    for node in walk(_naming(world)):
        if isinstance(node, n.Choose):
            yield from ((name, node.span.word(name)) for name in node.names)
        elif isinstance(node, n.Place) and node.alias:
            yield node.alias, node.span.word(node.alias)
        elif isinstance(node, n.Let | n.Ranging):
            yield node.name, node.span.word(node.name)
