"""MiniGrid's ids beside ours: how a layout of theirs becomes a state of ours, and what our setup would have chosen."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym
import minigrid  # noqa: F401  # registers its ids
import numpy as np

import griddsl
from griddsl.registration.ids import spec_path

# What is compared of each id in every run, and what `GRIDDSL_CONFORMANCE=whole` asks for.
IS_WHOLE = os.environ.get("GRIDDSL_CONFORMANCE") == "whole"
MARKS = "marks"  # what things are marked with: attribute -> value by the id of the thing
GROUND = "ground"  # what cells are marked with: attribute -> value by the cell
SAYS = "says"  # what the mission says, by whatever texts are chosen for it


@dataclass(frozen=True)
class Family:
    """An id of MiniGrid, restated under our namespace.

    ``names`` gives the words and numbers that our setup would have chosen for their layout; ``with_key`` lets
    episodes also start with the key in hand, ``through_doors`` with doors open, and beyond them; ``weights`` are the chances of the actions;
    ``is_won`` is false where nothing is paid for, ``has_bot`` true where every third episode is played by BabyAI's bot.
    """

    original: str
    names: Callable[[Any], dict[str, Any]] = lambda theirs: {}
    with_key: bool = False
    through_doors: bool = True
    weights: tuple[float, ...] = (0.15, 0.15, 0.4, 0.1, 0.05, 0.15)
    is_won: bool = True
    has_bot: bool = False
    differs: str = "-"

    def __str__(self) -> str:
        return self.original.removeprefix("MiniGrid-")

    @property
    def spec_id(self) -> str:
        """Our id: theirs after our namespace."""
        return f"griddsl/{self.original}"

    @property
    def file(self) -> Path:
        """The spec that restates it."""
        found = spec_path(self.spec_id)
        assert found is not None, f"{self.spec_id} is not registered"
        return found

    @property
    def table(self) -> str:
        """The table of the page of conformance that it has a row in."""
        return "babyai" if self.original.startswith("BabyAI") else "minigrid"

    @property
    def row(self) -> str:
        """What its row of the page of conformance begins with."""
        return f"`{self.file.name}`, {self}"

    @property
    def is_replayed(self) -> bool:
        """Whether each step draws: then ours is given the draws that theirs made."""
        return "Dynamic-Obstacles" in self.original

    def make_ours(self) -> Any:
        """Return our environment, bare; where it is given draws, in Python, which takes them."""
        backend: Any = "python" if self.is_replayed else "auto"
        return griddsl.make(self.spec_id, backend=backend)

    def make_theirs(self) -> Any:
        """Return MiniGrid's environment, bare."""
        with warnings.catch_warnings():  # of ids that have a newer version
            warnings.simplefilter("ignore", DeprecationWarning)
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


def _go_to_object(theirs: Any) -> dict[str, Any]:
    x, y = (int(part) for part in theirs.target_pos)
    return {"wanted": theirs.targetType, "hue": theirs.target_color, "spot": y * theirs.width + x}


def _locked_room(theirs: Any) -> dict[str, Any]:
    words = theirs.mission.split()
    return {"c": words[2], "k": words[6]}


def _baby(theirs: Any) -> dict[str, Any]:
    """Return what a level of one instruction asks for."""
    wanted = theirs.instrs.desc
    return {"kind": wanted.type, "hue": wanted.color, "article": "a" if len(wanted.obj_set) > 1 else "the"}


def _instructions(theirs: Any) -> list[Any]:
    """Return the instructions that a mission is made of, in the order in which they are said."""
    found, pending = [], [theirs.instrs]
    while pending:
        each = pending.pop()
        if hasattr(each, "instr_a"):
            pending += [each.instr_b, each.instr_a]
        else:
            found.append(each)
    return found


TOGETHER = "put the {hue} {kind} next to the {hue_2} {kind_2}"
TOGETHER_TOO = TOGETHER + ", then put the {hue_3} {kind_3} next to the {hue_4} {kind_4}"


def _put_next(theirs: Any) -> dict[str, Any]:
    """Return the objects that are to be put together, pair by pair."""
    pairs = [(each.desc_move, each.desc_fixed) for each in _instructions(theirs)]
    found: dict[str, Any] = {"task": TOGETHER if len(pairs) == 1 else TOGETHER_TOO}
    for number, wanted in enumerate([each for pair in pairs for each in pair], 1):
        suffix = "" if number == 1 else f"_{number}"
        found |= {f"kind{suffix}": wanted.type, f"hue{suffix}": wanted.color}
    return found


def _nothing(theirs: Any) -> dict[str, Any]:
    """Return what a mission that tells of nothing chosen needs."""
    return {}


def _act(theirs: Any) -> dict[str, Any]:
    """Return what is to be done with what."""
    act = theirs.instrs.surface(theirs).partition(" the ")[0].partition(" a ")[0]
    return {**_baby(theirs), "act": act, "only_go": act == "go to"}


def _unlock(theirs: Any) -> dict[str, Any]:
    return {name: value for name, value in _act(theirs).items() if name != "only_go"}


def _pick_one(theirs: Any) -> dict[str, Any]:
    wanted = theirs.instrs.desc
    named = "both" if wanted.type and wanted.color else "sort" if wanted.type else "color"
    task = {"both": "{hue} {kind}", "sort": "{kind}", "color": "{hue} object"}[named]
    article = "a" if len(wanted.obj_set) > 1 else "the"
    found = {"named": named, "task": task, "article": article, "kind": wanted.type, "hue": wanted.color}
    return {name: value for name, value in found.items() if value is not None}


WAYS = {
    "front": "in front of you",
    "behind": "behind you",
    "left": "on your left",
    "right": "on your right",
}


def _pick_there(theirs: Any) -> dict[str, Any]:
    """Return the description of what is to be picked up, and what fits it."""
    wanted = theirs.instrs.desc
    told = {None: "", "front": " in front of you", "behind": " behind you"}.get(wanted.loc, " on your {way}")
    names = {
        "kind": wanted.type,
        "colored": wanted.color is not None,
        "way": wanted.loc or "nowhere",
        "article": "a" if len(wanted.obj_set) > 1 else "the",
        "name": "{article} {hue} {kind}" if wanted.color else "{article} {kind}",
        "told_way": told,
        MARKS: {"asked": {id(thing): 1 for thing in wanted.obj_set}},
    }
    return {**names, "hue": wanted.color} if wanted.color else names


def _open_doors(theirs: Any) -> dict[str, Any]:
    """Return which doors are to be opened, in which order, and how the mission tells it."""
    parts = _instructions(theirs)
    said = {"BeforeInstr": "then", "AfterInstr": "after"}.get(type(theirs.instrs).__name__, "single")
    if said == "after":
        parts.reverse()
    first = parts[0].desc
    tasks = {
        "single": "open the {hue_1} door",
        "then": "open the {hue_1} door, then open the {hue_2} door",
        "after": "open the {hue_2} door after you open the {hue_1} door",
    }
    names: dict[str, Any] = {"said": said, "named_by": "side" if first.loc else "color", "task": tasks[said]}
    if first.loc:
        names |= {"way": first.loc, "told_way": WAYS[first.loc], "task": "open {article} door {told_way}"}
    for number, part in enumerate(parts, 1):
        if part.desc.color:
            names[f"hue_{number}"] = part.desc.color
    names["article"] = "a" if len(first.obj_set) > 1 else "the"
    asked = {
        id(door): f"{word}_part"
        for part, word in zip(parts, ("first", "second"), strict=False)
        for door in part.desc.obj_set
    }
    return {**names, MARKS: {"asked": asked}}


VERBS = {"GoToInstr": "go_to", "PickupInstr": "pick_up", "OpenInstr": "open", "PutNextInstr": "put"}


def _sentence(theirs: Any) -> dict[str, Any]:
    """Return the tasks of a sentence, numbered 1, 2, 4 and 8, and what each of them is about."""
    order = {"BeforeInstr": "then", "AfterInstr": "after"}.get(type(theirs.instrs).__name__, "alone")
    halves = [theirs.instrs] if order == "alone" else [theirs.instrs.instr_a, theirs.instrs.instr_b]
    pairs = [hasattr(half, "instr_a") for half in halves] + [False]
    names: dict[str, Any] = {"order": order, "pair_1": pairs[0], "pair_2": pairs[1], SAYS: theirs.mission}
    asked: dict[int, int] = {}
    ground: dict[int, int] = {}
    to_do = 0
    for half, numbers in zip(halves, ((1, 2), (3, 4)), strict=False):
        parts = [half.instr_a, half.instr_b] if hasattr(half, "instr_a") else [half]
        for number, part in zip(numbers, parts, strict=False):
            task = 2 ** (number - 1)
            to_do += task
            names[f"verb_{number}"] = VERBS[type(part).__name__]
            wanted = part.desc_move if hasattr(part, "desc_move") else part.desc
            beside = part.desc_fixed.obj_set if hasattr(part, "desc_fixed") else ()
            for things, bit in ((wanted.obj_set, task), (beside, 16 * task)):
                for thing in things:
                    asked[id(thing)] = asked.get(id(thing), 0) + bit
            for x, y in wanted.obj_poss:
                cell = int(y) * theirs.width + int(x)
                ground[cell] = ground.get(cell, 0) + task
    navs = theirs.num_navs_needed(theirs.instrs)
    return {**names, "to_do": to_do, "navs": navs, MARKS: {"asked": asked}, GROUND: {"asked": ground}}


def _object(theirs: Any) -> dict[str, Any]:
    return {"b": theirs.obj.color}


MOVES = (0.3, 0.25, 0.45)
HANDS = (0.15, 0.15, 0.35, 0.15, 0.2)
LAST = (0.19, 0.19, 0.5, 0.03, 0.03, 0.02, 0.04)
FARTHER = (
    "that things keep their distance from the middle of their room, which the original does only because the agent "
    "stood there before it was placed, is written down as it is"
)
CARRIED = {
    "differs": "the original's observation at a reset shows what the agent carries where it lay before; ours shows it in its hand, "
    "as both do from then on"
}
# What is particular of the ids that begin so.
PARTICULARS: dict[str, dict[str, Any]] = {
    "DoorKey": {"with_key": True},
    "Dynamic-Obstacles": {
        "weights": MOVES,
        "differs": "the original tries 100 cells for a ball, so that one with a single free neighbour stays with a chance of "
        "7e-6: ours always goes. Which neighbour a ball drew is handed from the original's step to ours",
    },
    "Unlock-": {"with_key": True, "through_doors": False},
    "UnlockPickup": {"names": _object, "with_key": True, "differs": FARTHER},
    "BlockedUnlockPickup": {"names": _object, "with_key": True, "differs": FARTHER},
    "KeyCorridor": {"names": _object, "with_key": True},
    "Memory": {"names": _memory},
    "GoToDoor": {
        "names": lambda theirs: {"wanted": theirs.target_color},
        "weights": LAST,
        "through_doors": False,
    },
    "GoToObject": {"names": _go_to_object, "weights": LAST},
    "PutNear": {
        "names": _put_near,
        "weights": HANDS,
        "differs": "a setup that has no place left for an object is an error; the original tries for ever",
    },
    "Fetch": {"names": _fetch},
    "LockedRoom": {"names": _locked_room, "with_key": True},
    "ObstructedMaze": {"with_key": True},
    "ObstructedMaze-1D": {"with_key": True, "differs": FARTHER},
    "Playground": {"is_won": False},
    "BabyAI-": {"names": _baby, "has_bot": True},
    "BabyAI-FindObj": {"names": lambda theirs: {"kind": theirs.instrs.desc.type}},
    "BabyAI-OneRoom": {},
    "BabyAI-UnlockLocal": {"with_key": True, "has_bot": True},
    "BabyAI-KeyInBox": {},
    "BabyAI-UnlockToUnlock": {"with_key": True, "has_bot": True},
    "BabyAI-MoveTwo": {"names": _put_next, "weights": HANDS, "has_bot": True},
    "BabyAI-KeyCorridor": {"names": _nothing, "with_key": True, "has_bot": True},
    "BabyAI-BlockedUnlockPickup": {
        "names": _nothing,
        "with_key": True,
        "has_bot": True,
        "differs": FARTHER,
    },
    "BabyAI-UnlockPickup": {
        "names": lambda theirs: {"b": theirs.instrs.desc.color},
        "with_key": True,
        "has_bot": True,
        "differs": FARTHER,
    },
    "BabyAI-OpenDoor": {"names": _open_doors, "has_bot": True},
    "BabyAI-OpenTwoDoors": {"names": _open_doors, "has_bot": True},
    "BabyAI-OpenRedBlue": {"names": _open_doors, "has_bot": True},
    "BabyAI-PickupDist": {"names": _pick_one, "has_bot": True},
    "BabyAI-PickupLoc": {"names": _pick_there, "has_bot": True},
    "BabyAI-ActionObjDoor": {"names": _act, "has_bot": True},
    "BabyAI-Unlock-": {"names": _unlock, "with_key": True, "has_bot": True},
    "BabyAI-GoToImpUnlock": {"names": _unlock, "with_key": True, "has_bot": True},
    "BabyAI-PutNext": {"names": _put_next, "weights": HANDS, "has_bot": True},
    "BabyAI-PutNextS5N2Carrying": {"names": _put_next, "weights": HANDS, "has_bot": True, **CARRIED},
    "BabyAI-PutNextS6N3Carrying": {"names": _put_next, "weights": HANDS, "has_bot": True, **CARRIED},
    "BabyAI-PutNextS7N4Carrying": {"names": _put_next, "weights": HANDS, "has_bot": True, **CARRIED},
    "BabyAI-OpenRedDoor": {},
    **{
        name: {"names": _sentence, "weights": HANDS, "has_bot": True}
        for name in ("BabyAI-GoToSeq", "BabyAI-Synth", "BabyAI-MiniBoss", "BabyAI-Boss")
    },
}
# Their method of drawing levels learns from pictures, with packages that are not among what griddsl needs.
WITHOUT_ORIGINAL = re.compile(r"MiniGrid-WFC-")


def _family(original: str) -> Family:
    name = original.removeprefix("MiniGrid-")
    kept = [prefix for prefix in PARTICULARS if name.startswith(prefix)]
    return Family(original, **(PARTICULARS[max(kept, key=len)] if kept else {}))


PUBLISHED = sorted(name for name in gym.registry if name.startswith("MiniGrid-"))
BABY = sorted(name for name in gym.registry if name.startswith("BabyAI-"))
# Of each making one or two, in every run; the setups of the others, and BabyAI's other ids, in a whole one.
ALWAYS = {
    "Empty-Random-6x6-v0",
    "FourRooms-v0",
    "DoorKey-8x8-v0",
    "LavaGapS7-v0",
    "SimpleCrossingS11N5-v0",
    "LavaCrossingS9N2-v0",
    "Dynamic-Obstacles-Random-6x6-v0",
    "DistShift2-v0",
    "MultiRoom-N6-v0",
    "MultiRoom-N2-S4-v0",
    "Unlock-v0",
    "UnlockPickup-v0",
    "BlockedUnlockPickup-v0",
    "KeyCorridorS3R2-v0",
    "KeyCorridorS6R3-v0",
    "RedBlueDoors-8x8-v0",
    "MemoryS17Random-v0",
    "GoToDoor-8x8-v0",
    "GoToObject-6x6-N2-v0",
    "PutNear-8x8-N3-v0",
    "Fetch-8x8-N3-v0",
    "LockedRoom-v0",
    "ObstructedMaze-1Dlhb-v0",
    "ObstructedMaze-2Dlhb-v0",
    "ObstructedMaze-Full-v1",
    "Playground-v0",
    "BabyAI-GoToObj-v0",
    "BabyAI-GoToLocalS5N2-v0",
    "BabyAI-GoTo-v0",
    "BabyAI-FindObjS5-v0",
    "BabyAI-OneRoomS8-v0",
    "BabyAI-Open-v0",
    "BabyAI-OpenRedDoor-v0",
    "BabyAI-GoToRedBallGrey-v0",
    "BabyAI-GoToRedBlueBall-v0",
    "BabyAI-GoToDoor-v0",
    "BabyAI-GoToObjDoor-v0",
    "BabyAI-PutNextS5N2-v0",
    "BabyAI-PickupAbove-v0",
    "BabyAI-UnlockLocalDist-v0",
    "BabyAI-UnlockToUnlock-v0",
    "BabyAI-OpenDoorsOrderN2-v0",
    "BabyAI-PickupDist-v0",
    "BabyAI-PickupLoc-v0",
    "BabyAI-ActionObjDoor-v0",
    "BabyAI-Unlock-v0",
    "BabyAI-MiniBossLevel-v0",
}
FAMILIES = [_family(name) for name in (*PUBLISHED, *BABY) if not WITHOUT_ORIGINAL.match(name)]
PLAYED = [family for family in FAMILIES if IS_WHOLE or family.table == "minigrid" or str(family) in ALWAYS]


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

    if "TILE" in offsets:  # else ground that never changes
        fill("TILE", codes["floor"])
    fill("STEP", theirs.step_count)
    for slot in ("OBJECT_KIND", "OBJECT_CELL", "OBJECT_AT", "OBJECT_CARRIED", "CARRIED"):
        if slot in offsets:
            fill(slot, -1)
    things: list[tuple[Any, int]] = []
    for y in range(theirs.height):
        for x in range(theirs.width):
            thing, cell = theirs.grid.get(x, y), y * theirs.width + x
            if thing is not None and thing.type in {"wall", "goal", "lava"}:
                if "TILE" in offsets:
                    state[offsets["TILE"] + cell] = codes[thing.type]
            elif thing is not None:
                things.append((thing, cell))
    order = {id(thing): index for index, thing in enumerate(getattr(theirs, "obstacles", []))}
    things.sort(key=lambda pair: order.get(id(pair[0]), 0))
    if theirs.carrying is not None:
        state[offsets["CARRIED"]] = len(things)
        things.append((theirs.carrying, -1))
    for holder, (thing, _) in enumerate(things[:]):
        if thing.contains is not None:
            state[offsets["OBJECT_CARRIED"] + holder] = len(things)
            things.append((thing.contains, -1))
    if "OBJECTS" in offsets:
        state[offsets["OBJECTS"]] = len(things)
    for index, (thing, cell) in enumerate(things):
        state[offsets["OBJECT_KIND"] + index] = codes[thing.type]
        state[offsets["OBJECT_CELL"] + index] = cell
        state[offsets[("OBJECT", "color")] + index] = _word(program, thing.type, "color", thing.color)
        for attribute, marked in names.get(MARKS, {}).items():
            value = marked.get(id(thing), 0)
            number = _word(program, thing.type, attribute, value) if isinstance(value, str) else value
            state[offsets[("OBJECT", attribute)] + index] = number
        if thing.type == "door":
            word = "locked" if thing.is_locked else "open" if thing.is_open else "closed"
            state[offsets[("OBJECT", "state")] + index] = _word(program, "door", "state", word)
        if cell >= 0:
            state[offsets["OBJECT_AT"] + cell] = index
    state[offsets["AGENT_CELL"]] = int(theirs.agent_pos[1]) * theirs.width + int(theirs.agent_pos[0])
    state[offsets["FACING"]] = int(theirs.agent_dir)
    known = {info.name: info for info in program.names}
    for attribute, by_cell in names.get(GROUND, {}).items():
        fill_ground = offsets[("TILE", attribute)]
        for cell in range(theirs.width * theirs.height):
            state[fill_ground + cell] = by_cell.get(cell, 0)
    if SAYS in names:
        texts = {info.name: info.words for info in program.names}
        names = {**(_said(program.mission, names[SAYS], texts) or {}), **names}
    for name, value in names.items():
        if name in {MARKS, GROUND, SAYS}:
            continue
        info = known[name]
        state[offsets[info.slot]] = info.words.index(value) if isinstance(value, str) else value
    ours.set_state((tuple(state), reals, stream))


def _said(pattern: str, text: str, words: dict[str, tuple[str, ...]]) -> dict[str, Any] | None:
    """Return which texts and words the names in the braces of a mission stand for, where it says this."""
    start, brace, rest = pattern.partition("{")
    if not brace:
        return {} if pattern == text else None
    if not text.startswith(start):
        return None
    name, _, rest = rest.partition("}")
    for word in words[name]:
        found = _said(start + word + rest, text, words)
        if found is not None:
            return {**found, name: word}
    return None


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
