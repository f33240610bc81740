"""MiniGrid's families beside ours: which spec restates which id, and how a layout of theirs becomes a state of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import griddsl

SPECS = Path(__file__).parents[2] / "specs"


@dataclass(frozen=True)
class Family:
    """A spec, and an environment of MiniGrid that it restates with these parameters.

    ``names`` gives the words and numbers that our setup would have chosen for their layout; ``with_key`` lets
    episodes also start with the key in hand, ``through_doors`` with doors open, and beyond them; ``weights`` are the chances of the actions.
    """

    spec: str
    original: str
    params: dict[str, Any] = field(default_factory=dict)
    names: Callable[[Any], dict[str, Any]] = lambda theirs: {}
    with_key: bool = False
    through_doors: bool = True
    weights: tuple[float, ...] = (0.15, 0.15, 0.4, 0.1, 0.05, 0.15)

    def __str__(self) -> str:
        return self.original.removeprefix("MiniGrid-").removesuffix("-v0")

    @property
    def is_replayed(self) -> bool:
        """Whether each step draws: then ours is given the draws that theirs made."""
        return self.spec == "dynamic_obstacles"

    def make_ours(self) -> Any:
        """Return our environment, bare; where it is given draws, in Python, which takes them."""
        backend: Any = "python" if self.is_replayed else "auto"
        return griddsl.make(SPECS / f"{self.spec}.grid", backend=backend, **self.params)

    def make_theirs(self) -> Any:
        """Return MiniGrid's environment, bare."""
        return gym.make(self.original, disable_env_checker=True).unwrapped


def _memory(theirs: Any) -> dict[str, Any]:
    far, middle = int(theirs.success_pos[0]) - 1, theirs.height // 2
    return {
        "far": far,
        "cue": theirs.grid.get(1, middle - 1).type,
        "upper": theirs.grid.get(far + 1, middle - 2).type,
    }


def _fetch(theirs: Any) -> dict[str, Any]:
    phrase = theirs.mission.removesuffix(f" {theirs.targetColor} {theirs.targetType}")
    return {"kind": theirs.targetType, "hue": theirs.targetColor, "phrase": phrase}


def _put_near(theirs: Any) -> dict[str, Any]:
    return {
        "kind": theirs.move_type,
        "hue": theirs.moveColor,
        "target_kind": theirs.target_type,
        "target_hue": theirs.target_color,
        "target_x": int(theirs.target_pos[0]),
        "target_y": int(theirs.target_pos[1]),
    }


def _object(theirs: Any) -> dict[str, Any]:
    return {"b": theirs.obj.color}


MOVES = (0.3, 0.25, 0.45)
HANDS = (0.15, 0.15, 0.35, 0.15, 0.2)
LAST = (0.19, 0.19, 0.5, 0.03, 0.03, 0.02, 0.04)
FAMILIES = [
    Family("empty_room", "MiniGrid-Empty-8x8-v0"),
    Family("empty_room", "MiniGrid-Empty-5x5-v0", {"size": 5}),
    Family("empty_room", "MiniGrid-Empty-Random-6x6-v0", {"size": 6, "random_start": True}),
    Family("random_four_rooms", "MiniGrid-FourRooms-v0"),
    Family("door_key", "MiniGrid-DoorKey-8x8-v0", with_key=True),
    Family("door_key", "MiniGrid-DoorKey-5x5-v0", {"size": 5}, with_key=True),
    Family("lava_gap", "MiniGrid-LavaGapS7-v0"),
    Family("lava_gap", "MiniGrid-LavaGapS5-v0", {"size": 5}),
    Family("simple_crossing", "MiniGrid-SimpleCrossingS9N1-v0"),
    Family("simple_crossing", "MiniGrid-SimpleCrossingS11N5-v0", {"size": 11, "crossings": 5}),
    Family("lava_crossing", "MiniGrid-LavaCrossingS9N2-v0", {"crossings": 2}),
    Family("lava_crossing", "MiniGrid-LavaCrossingS11N5-v0", {"size": 11, "crossings": 5}),
    Family("dynamic_obstacles", "MiniGrid-Dynamic-Obstacles-8x8-v0", weights=MOVES),
    Family(
        "dynamic_obstacles", "MiniGrid-Dynamic-Obstacles-5x5-v0", {"size": 5, "obstacles": 2}, weights=MOVES
    ),
    Family(
        "dynamic_obstacles",
        "MiniGrid-Dynamic-Obstacles-Random-6x6-v0",
        {"size": 6, "obstacles": 3, "random_start": True},
        weights=MOVES,
    ),
    Family("multi_room", "MiniGrid-MultiRoom-N6-v0"),
    Family("multi_room", "MiniGrid-MultiRoom-N2-S4-v0", {"min_rooms": 2, "max_rooms": 2, "room_size": 4}),
    Family("unlock", "MiniGrid-Unlock-v0", with_key=True, through_doors=False),
    Family("unlock_pickup", "MiniGrid-UnlockPickup-v0", names=_object, with_key=True),
    Family("blocked_unlock_pickup", "MiniGrid-BlockedUnlockPickup-v0", names=_object, with_key=True),
    Family("key_corridor", "MiniGrid-KeyCorridorS6R3-v0", names=_object, with_key=True),
    Family(
        "key_corridor",
        "MiniGrid-KeyCorridorS3R2-v0",
        {"room_size": 3, "rows": 2},
        names=_object,
        with_key=True,
    ),
    Family("red_blue_doors", "MiniGrid-RedBlueDoors-8x8-v0"),
    Family("red_blue_doors", "MiniGrid-RedBlueDoors-6x6-v0", {"size": 6}),
    Family("memory", "MiniGrid-MemoryS13-v0", names=_memory),
    Family("memory", "MiniGrid-MemoryS7-v0", {"size": 7}, names=_memory),
    Family("memory", "MiniGrid-MemoryS17Random-v0", {"size": 17, "random_length": True}, names=_memory),
    Family(
        "go_to_door",
        "MiniGrid-GoToDoor-5x5-v0",
        names=lambda t: {"wanted": t.target_color},
        weights=LAST,
        through_doors=False,
    ),
    Family(
        "go_to_door",
        "MiniGrid-GoToDoor-8x8-v0",
        {"size": 8},
        names=lambda t: {"wanted": t.target_color},
        weights=LAST,
        through_doors=False,
    ),
    Family("put_near", "MiniGrid-PutNear-6x6-N2-v0", names=_put_near, weights=HANDS),
    Family(
        "put_near", "MiniGrid-PutNear-8x8-N3-v0", {"size": 8, "objects": 3}, names=_put_near, weights=HANDS
    ),
    Family("fetch", "MiniGrid-Fetch-8x8-N3-v0", names=_fetch),
    Family("fetch", "MiniGrid-Fetch-5x5-N2-v0", {"size": 5, "objects": 2}, names=_fetch),
]


def put(ours: Any, theirs: Any, names: dict[str, Any], fresh: Any) -> None:
    """Put our environment into the state of theirs, as it is now, with what our setup would have chosen.

    ``fresh`` is a state of ours after a reset: variables that nothing names keep what they are there.
    """
    program = ours.program
    offsets, lengths = program.layout.offsets, {slot.key: slot.length for slot in program.slots}
    codes = {kind.name: kind.code for kind in program.kinds}
    integers, reals, stream = fresh
    state = list(integers)

    def fill(slot: str, value: int) -> None:
        state[offsets[slot] : offsets[slot] + lengths[slot]] = [value] * lengths[slot]

    fill("TILE", codes["floor"])
    fill("STEP", theirs.step_count)
    for slot in ("OBJECT_KIND", "OBJECT_CELL", "OBJECT_AT", "CARRIED"):
        if slot in offsets:
            fill(slot, -1)
    things = []
    for y in range(theirs.height):
        for x in range(theirs.width):
            thing, cell = theirs.grid.get(x, y), y * theirs.width + x
            if thing is not None and thing.type in {"wall", "goal", "lava"}:
                state[offsets["TILE"] + cell] = codes[thing.type]
            elif thing is not None:
                things.append((thing, cell))
    order = {id(thing): index for index, thing in enumerate(getattr(theirs, "obstacles", []))}
    things.sort(key=lambda pair: order.get(id(pair[0]), 0))
    if theirs.carrying is not None:
        state[offsets["CARRIED"]] = len(things)
        things.append((theirs.carrying, -1))
    for index, (thing, cell) in enumerate(things):
        state[offsets["OBJECT_KIND"] + index] = codes[thing.type]
        state[offsets["OBJECT_CELL"] + index] = cell
        state[offsets[("OBJECT", "color")] + index] = _word(program, thing.type, "color", thing.color)
        if thing.type == "door":
            word = "locked" if thing.is_locked else "open" if thing.is_open else "closed"
            state[offsets[("OBJECT", "state")] + index] = _word(program, "door", "state", word)
        if cell >= 0:
            state[offsets["OBJECT_AT"] + cell] = index
    state[offsets["AGENT_CELL"]] = int(theirs.agent_pos[1]) * theirs.width + int(theirs.agent_pos[0])
    state[offsets["FACING"]] = int(theirs.agent_dir)
    known = {info.name: info for info in program.names}
    for name, value in names.items():
        info = known[name]
        state[offsets[info.slot]] = info.words.index(value) if isinstance(value, str) else value
    ours.set_state((tuple(state), reals, stream))


def _word(program: Any, kind: str, attribute: str, word: str) -> int:
    (found,) = [k for k in program.kinds if k.name == kind]
    (words,) = [a.words for a in found.attributes if a.name == attribute]
    return int(words.index(word))


def scramble(theirs: Any, rng: np.random.Generator, family: Family) -> None:
    """Let an episode start in the middle: the agent elsewhere, often before a thing, perhaps late, or with a key."""
    if rng.random() < 0.3:
        theirs.step_count = theirs.max_steps - int(rng.integers(1, 15))
    for thing in theirs.grid.grid:
        if getattr(thing, "type", None) == "door" and thing.color != "blue" and rng.random() < 0.2:
            thing.is_open, thing.is_locked = family.through_doors, False
    cells = _inside(theirs, family.through_doors)
    before: dict[str, list[tuple[tuple[int, int], int]]] = {}
    for x, y in cells:
        for facing, (dx, dy) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
            thing = theirs.grid.get(x + dx, y + dy)
            if getattr(thing, "type", "wall") != "wall":
                before.setdefault(thing.type, []).append(((x, y), facing))
    if before and rng.random() < 0.8:
        places = list(before.values())[int(rng.integers(len(before)))]
        theirs.agent_pos, theirs.agent_dir = places[int(rng.integers(len(places)))]
    else:
        theirs.agent_pos, theirs.agent_dir = cells[int(rng.integers(len(cells)))], int(rng.integers(4))
    keys = [
        (x, y) for x in range(theirs.width) for y in range(theirs.height) if _is_key(theirs.grid.get(x, y))
    ]
    if family.with_key and keys and rng.random() < 0.5:
        key = theirs.grid.get(*keys[0])
        other = {"red": "blue"}.get(key.color, "red")
        theirs.carrying = type(key)(other) if rng.random() < 0.3 else key
        theirs.grid.set(*keys[0], None)


def _is_key(thing: Any) -> bool:
    return getattr(thing, "type", None) == "key"


def _inside(theirs: Any, through_doors: bool) -> list[tuple[int, int]]:
    """Return the cells to stand on that no wall parts from the agent (nor a door, where doors lead out of the world)."""
    stops = {"wall"} if through_doors else {"wall", "door"}
    start = (int(theirs.agent_pos[0]), int(theirs.agent_pos[1]))
    found, pending = {start}, [start]
    while pending:
        x, y = pending.pop()
        for cell in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
            inside = 0 <= cell[0] < theirs.width and 0 <= cell[1] < theirs.height
            if inside and cell not in found and getattr(theirs.grid.get(*cell), "type", "") not in stops:
                found.add(cell)
                pending.append(cell)
    return sorted(cell for cell in found if _is_bare(theirs.grid.get(*cell)))


def _is_bare(thing: Any) -> bool:
    return thing is None or (thing.type == "door" and thing.is_open)
