"""``griddsl convert --from minigrid``: the grid of a live MiniGrid environment, drawn as a map with its objects."""

from __future__ import annotations

import re
from typing import Any

from griddsl.cli.failures import ERRORS, Refusal
from griddsl.compass import COMPASS
from griddsl.diagnostics import did_you_mean

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
PREFERRED = {"goal": "G", "lava": "L"}


def spec_of(name: str, seed: int) -> str:
    """Return the text of a spec whose map is the grid that MiniGrid draws for an id and a seed.

    What the map does not tell, the rules of another task than to reach a goal, is left to who asked, and a comment
    says so. Raises `Refusal` where MiniGrid is not installed, has no such id, or draws what the map cannot hold.
    """
    env = _opened(name, seed)
    glyphs: dict[str, str] = {}
    rows = []
    for y in range(env.grid.height):
        row = ""
        for x in range(env.grid.width):
            thing = env.grid.get(x, y)
            if (x, y) == tuple(int(part) for part in env.agent_pos):
                row += _agent(env, thing, glyphs)
            else:
                row += _sign(thing, glyphs)
        rows.append(row)
    return "\n".join([*_head(env, name, seed), *(f"    {row}" for row in rows), *_rest(env, glyphs), ""])


def _opened(name: str, seed: int) -> Any:
    try:
        import gymnasium
        import minigrid  # noqa: F401 (registers its ids)
    except ImportError:
        raise Refusal("minigrid is not installed", "pip install minigrid", ERRORS) from None
    ids = [each for each in gymnasium.registry if each.startswith(("MiniGrid-", "BabyAI-"))]
    if name not in ids:
        raise Refusal(f"MiniGrid has no environment `{name[:80]}`", did_you_mean(name, ids))
    env: Any = gymnasium.make(name).unwrapped
    env.reset(seed=seed)
    return env


def _head(env: Any, name: str, seed: int) -> list[str]:
    own = re.sub(r"\W+", "-", name).removeprefix("MiniGrid-")
    return [
        f"env: mine/{own}",
        f'    "The grid of {name} with seed {seed}."',
        "use: minigrid",
        "map:",
    ]


def _rest(env: Any, glyphs: dict[str, str]) -> list[str]:
    lines = [f"legend: {glyph} = {meant}" for meant, glyph in glyphs.items()]
    if any(meant.split(" on ")[-1] == "goal" for meant in glyphs):
        lines.append("on enter goal: succeed()")
    else:
        lines.append(
            "# what is a success is no part of a grid: say it here, as in `on pickup ball: succeed()`"
        )
    size, sees_through = env.agent_view_size, env.see_through_walls
    if size != 7 or sees_through:
        occluded = "" if sees_through else " occluded"
        view = f"view {size}x{size}{occluded} as minigrid"
        lines += ["observe:", f"    image = {view}", "    direction = facing", "    mission = mission"]
    mission = str(env.mission).replace("\\", "").replace('"', "'").replace("{", "(").replace("}", ")")
    return [*lines, f'mission: "{mission}"', f"limit: {int(env.max_steps)} steps"]


def _agent(env: Any, below: Any, glyphs: dict[str, str]) -> str:
    facing = COMPASS[int(env.agent_dir)]
    given = [] if facing == "east" else [f"facing={facing}"]
    if env.carrying is not None:
        given.append(f"carries={_meant(env.carrying)}")
    ground = "" if below is None or below.type == "floor" else f" on {_meant(below)}"
    if not given and not ground:
        return "@"
    return _glyph(f"agent({', '.join(given)}){ground}" if given else f"agent{ground}", glyphs)


def _sign(thing: Any, glyphs: dict[str, str]) -> str:
    if thing is None or thing.type == "floor":
        return "."
    return "#" if thing.type == "wall" else _glyph(_meant(thing), glyphs)


def _meant(thing: Any) -> str:
    """Return a thing of MiniGrid as the legend names it."""
    if thing.type in {"goal", "lava"}:
        return str(thing.type)
    if thing.type == "door":
        state = "open" if thing.is_open else "locked" if thing.is_locked else "closed"
        return f"door(state={state}, color={thing.color})"
    if thing.type not in {"key", "ball", "box"}:
        raise Refusal(f"`use: minigrid` has no {thing.type}", code=ERRORS)
    inside = getattr(thing, "contains", None)
    held = f", carries={_meant(inside)}" if inside is not None else ""
    return f"{thing.type}(color={thing.color}{held})"


def _glyph(meant: str, glyphs: dict[str, str]) -> str:
    """Return the glyph for what a cell holds, the same for the same: a letter of its name where one is free."""
    if meant not in glyphs:
        kind = meant.split("(")[0]
        color = re.search(r"color=(\w+)", meant)
        wished = [PREFERRED.get(kind, ""), *(color[1] if color else ""), *kind, *kind.upper(), *LETTERS]
        taken = set(glyphs.values())
        free = [sign for sign in wished if sign and sign not in taken]
        if not free:
            raise Refusal("the grid has more sorts of things than there are letters", code=ERRORS)
        glyphs[meant] = free[0]
    return glyphs[meant]
