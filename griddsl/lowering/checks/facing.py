"""Facing: what one kind of agents gives all of them, whose views turn and whose hands reach ahead from then on."""

from __future__ import annotations

from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.actions import Action
from griddsl.lowering.world.kinds import Kind, goes_ahead
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import HANDLING
from griddsl.syntax.nodes import walk


def faces_too(writer: Writer) -> None:
    """Warn where an agent that nothing turns has a facing since another kind has one, and it matters to it.

    A line `agent: facing` says that it is meant.
    """
    world, spec = writer.world, writer.world.spec
    kinds = list(dict.fromkeys(world.agents))
    if not writer.facts.has_facing or len(kinds) < 2 or world.kinds["agent"].faces:
        return
    turning = [kind for kind in kinds if _turns(writer, kind)]
    if not turning or any("facing" in thing.attributes for level in world.levels for thing in level.starts):
        return
    if any(isinstance(node, n.Place) and _gives_facing(node) for node in walk(spec.blocks)):
        return
    for kind in kinds:
        where = None if kind in turning or kind.moves is not None else _matters(writer, kind)
        if where is not None:
            span, changed = where
            help = "`agent: facing` says that all are to have one, and ends this warning"
            writer.report.add(
                "faces-too", span, name=kind.name, other=turning[0].name, changed=changed, help=help
            )


def _turns(writer: Writer, kind: Kind) -> bool:
    """Whether a kind of agents has a facing by what is said of it: its actions, its declaration, how it moves."""
    turns = any(action.relative is not None or action.turn for action in _actions(writer, kind))
    return turns or kind.faces or goes_ahead(kind)


def _actions(writer: Writer, kind: Kind) -> list[Action]:
    """Return what the agents of a kind can do."""
    agents = {index for index, each in enumerate(writer.world.agents) if each is kind}
    roles = [role for role in writer.world.roles if agents & set(role.members)]
    return [action for role in roles for action in role.actions]


def _gives_facing(node: n.Place) -> bool:
    return isinstance(node.kind, n.Pattern) and "facing" in dict(node.kind.arguments)


def _sees_ahead(item: n.ObserveItem) -> bool:
    """Whether what an item shows turns with the facing."""
    if item.view is not None:
        return not item.view.keeps_north_up
    return item.what == "rays"


def _matters(writer: Writer, kind: Kind) -> tuple[Span, str] | None:
    """Return what a facing changes for a kind, and how; None where it changes nothing."""
    for observe in writer.world.spec.observe:
        for item in observe.items if observe.name in {None, "agent", kind.name} else ():
            if isinstance(item, n.ObserveItem) and _sees_ahead(item):
                return item.span, "what it sees turns with its moves"
    for action in _actions(writer, kind):
        if action.verb in HANDLING:
            return action.span, f"`{action.name}` reaches what is ahead of it"
    return None
