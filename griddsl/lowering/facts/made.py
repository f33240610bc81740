"""Made: of which kinds that can be which an effect brings into the world."""

from __future__ import annotations

from griddsl.lowering.traits import effects_in, traits
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.naming import kinds_named
from griddsl.lowering.world.world import World
from griddsl.spec.desugar.members import GROUPS
from griddsl.spec.desugar.ranging import local_names
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def may_make(world: World, effect: n.Effect, kind: Kind) -> bool:
    """Whether an effect can make a thing of a kind: by its name, or by a value that says one."""
    made = traits(effect).makes
    return made is not None and not sets_a_value(world, effect) and _may_be(world, made(effect), kind)


def may_bring(world: World, effect: n.Effect, kind: Kind) -> bool:
    """Whether an effect can make a thing of a kind, or something that carries one."""
    made = traits(effect).makes
    if made is None or sets_a_value(world, effect):
        return False
    carried = (
        dict(node.arguments).get("carries") for node in walk(made(effect)) if isinstance(node, n.Pattern)
    )
    return any(_may_be(world, each, kind) for each in (made(effect), *carried) if each is not None)


def takes_a_place(world: World, effect: n.Effect) -> bool:
    """Whether an effect can make an object with a place of its own: what an object becomes stays where that was."""
    made = traits(effect).makes
    if made is None:
        return False
    if any(isinstance(part, n.Pattern) and "carries" in dict(part.arguments) for part in walk(made(effect))):
        return True
    if isinstance(effect, n.Becomes) and not _may_be_ground(world, effect.target):
        return False
    named = [part for part in walk(made(effect)) if isinstance(part, n.KindName)]
    return any(_may_be(world, part, kind) for part in named for kind in world.object_kinds())


def turns_to_other_layers(world: World) -> bool:
    """Whether rules can turn an object into a kind that lies on another layer."""
    for effect, can in effects_in([rule.effects for rule in world.spec.rules]):
        if can.makes is None or can.sets is None or not can.loses(effect):
            continue
        named = kinds_named(world.spec, world.kinds, can.sets(effect))
        layers = {kind.layer for kind in world.object_kinds() if named is None or kind.name in named}
        made = {kind.layer for kind in world.object_kinds() if may_make(world, effect, kind)}
        if layers and made and len(layers | made) > 1:
            return True
    return False


def _may_be_ground(world: World, target: n.Expression) -> bool:
    """Whether what becomes something can be a tile."""
    if isinstance(target, n.Attribute) or getattr(target, "name", "") in GROUPS:
        return False
    named = kinds_named(world.spec, world.kinds, target)
    return named is None or any(world.kinds[name].category == "tile" for name in named)


def sets_a_value(world: World, effect: n.Effect) -> bool:
    """Whether it is an attribute or a variable that becomes something."""
    if not isinstance(effect, n.Becomes):
        return False
    if isinstance(effect.target, n.Attribute):
        return True
    variables = {each.name for each in world.spec.variables}
    is_kind = getattr(effect.value, "name", "") in world.kinds
    return getattr(effect.target, "name", "") in variables or (not is_kind and _is_word(world, effect.value))


def _may_be(world: World, value: n.Expression, kind: Kind) -> bool:
    """Whether what comes to be can be of a kind; a word of an attribute is none."""
    named = kinds_named(world.spec, world.kinds, value, made=True) if isinstance(value, n.KindName) else None
    return kind.name in named if named is not None else not _is_word(world, value)


def _is_word(world: World, value: n.Expression) -> bool:
    if not isinstance(value, n.Name):
        return False
    attributes = [
        (name, each.domain) for own in world.kinds.values() for name, each in own.attributes.items()
    ]
    words = {word for _, domain in attributes for word in domain.words}
    words |= {name for name, domain in attributes if domain.form == "bool"}
    effects = world.spec.blocks
    return value.name in words and value.name not in set(local_names(effects))
