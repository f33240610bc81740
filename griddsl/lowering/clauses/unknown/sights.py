"""Words for what is observed as other frameworks have them: what was probably meant."""

from __future__ import annotations

from griddsl.diagnostics import Help, did_you_mean, write
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.unknown.fitting import known_names
from griddsl.lowering.clauses.unknown.names import is_unknown
from griddsl.lowering.world.world import World
from griddsl.source import Span

# What is written for an observation, and what it is called here.
_SIGHTS = {
    **dict.fromkeys(
        ("image", "rgb", "screen", "frame", "picture", "pixel", "img", "render", "rgb_array"), "pixels"
    ),
    **dict.fromkeys(
        ("position", "pos", "location", "xy", "coordinates", "coords", "agent_position", "agent_pos"),
        "position of agent",
    ),
    **dict.fromkeys(("map", "board", "world", "full", "tiles", "state", "everything", "all_cells"), "grid"),
    **dict.fromkeys(("planes", "layers", "channels"), "grid as planes"),
    **dict.fromkeys(("local", "window", "fov", "partial", "egocentric", "surroundings"), "view 7x7"),
    **dict.fromkeys(("lidar", "raycast", "distances", "sensors", "rangefinder", "whiskers"), "rays 8"),
    **dict.fromkeys(("direction", "orientation", "heading", "dir", "rotation"), "facing"),
    **dict.fromkeys(("inventory", "holding", "hands", "carried", "held"), "carrying"),
    **dict.fromkeys(("action_mask", "legal_actions", "valid_actions", "actions"), "mask"),
    **dict.fromkeys(("index", "tabular", "discrete", "cell_index", "number"), "cell"),
    **dict.fromkeys(("ascii", "string", "ansi", "glyphs", "chars"), "text"),
    **dict.fromkeys(("instruction", "task", "instructions", "language"), "mission"),
}


# What the library for MiniGrid shows under its names.
_OF_MINIGRID = {"image": "view 7x7 occluded as minigrid", "direction": "facing"}


def _spans(world: World) -> list[Span]:
    return [kind.span for kind in world.spec.kinds]


def sight_meant(ctx: Context, name: str) -> str | None:
    """Return what an observation is called here; None for a name that is known, or means nothing known."""
    world, writer = ctx.world, ctx.writer
    if name in {"onehot", "one_hot"} and name not in writer.variables:
        return write("position of agent as onehot")
    if name in _OF_MINIGRID and any(each.source is not world.spec.source for each in _spans(world)):
        line = (
            "an `observe` of the spec replaces the library's, which shows `image`, `direction` and `mission`"
        )
        return Help(f"{line}: write `{_OF_MINIGRID[name]}`", (_OF_MINIGRID[name],), name)
    known = name in {*world.kinds, *writer.variables, *world.params, *ctx.scope}
    meant = _SIGHTS.get(name.lower())
    if meant is None and not known and is_unknown(ctx, name):
        words = {"grid", "cell", "pixels", "text", "mission", "mask", "carrying", "facing"}
        return did_you_mean(name, {*words, *known_names(writer, ctx)})
    if known or meant is None or (meant == "facing" and not writer.facts.has_facing):
        return None
    if (meant == "mission" and not world.spec.mission) or (meant == "mask" and not world.forbids):
        return None
    return Help(f"did you mean `{meant}`?", (meant,), name)
