"""What our setups draw against what MiniGrid's generators draw, over many seeds: cells, colours, directions, missions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable
from pathlib import Path
from typing import Any, TypeVar

import pytest

pytest.importorskip("minigrid")

import griddsl
from griddsl.files.variants import VariantFile
from tests.conformance.conformance_rows import record
from tests.conformance.minigrid_families import ALWAYS, FAMILIES, IS_WHOLE, Family

Value = TypeVar("Value", bound=Hashable)
EPISODES = 800
FEWER = {
    "BabyAI-GoTo-v0": 300,
    "BabyAI-GoToOpen-v0": 300,
    "KeyCorridorS6R3-v0": 200,
    "MultiRoom-N6-v0": 400,
    "MultiRoom-N4-S5-v0": 400,
}
# Two samples of one distribution differ more than this once in ten thousand features; the seeds are fixed.
STANDARD_NORMAL_BOUND = 3.72
Layout = dict[int, tuple[str, str, str]]
_PUT_TOGETHER = re.compile(
    r"put (?:the|a) (?:[a-z]+ )?(key|ball|box)\b.*? next to (?:the|a) (?:[a-z]+ )?(key|ball|box)\b"
)


@pytest.mark.parametrize("family", [f for f in FAMILIES if IS_WHOLE or str(f) in ALWAYS], ids=str)
def test_setup__draws_what_the_original_draws(request: pytest.FixtureRequest, family: Family) -> None:
    """Every feature of a fresh episode has the same distribution in both codes."""
    episodes = FEWER.get(str(family), EPISODES)
    found = distances(family.make_ours(), family.make_theirs(), episodes)
    assert not too_far(found)
    farthest = max(value for value, _, _ in found.values())
    cells = f"{episodes} episodes, {len(found)} features, {farthest:.2f} apart"
    record(request.config, family.table, family.row, {"setups": cells})


def test_setups__are_compared_for_every_spec() -> None:
    """No id is a slip, and every spec that restates some is among them."""
    assert {str(family) for family in FAMILIES} >= ALWAYS
    assert {f.file.stem for f in FAMILIES if str(f) in ALWAYS} == {f.file.stem for f in FAMILIES}


MUTANTS = [
    ("DoorKey-8x8-v0", "choose c in 2..size-3", "choose c in 2..size-4"),
    (
        "DoorKey-8x8-v0",
        "place key(color=yellow) at random floor where x < c",
        "place key(color=yellow) at random floor where x < c and y < 6",
    ),
    ("LavaGapS7-v0", "r in 1..size-2", "r in 2..size-2"),
    ("GoToDoor-8x8-v0", "choose wanted in a | b | c | d", "choose wanted in a | b | c"),
    ("RedBlueDoors-8x8-v0", "facing=random", "facing=east"),
    ("Fetch-8x8-N3-v0", '| "fetch a"', ""),
    ("FourRooms-v0", "south, east in 10..17", "south, east in 10..16"),
    (
        "LockedRoom-v0",
        "goal at random floor where x div 11 == locked_room mod 2",
        "goal at random floor where x div 11 == key_room mod 2",
    ),
    ("ObstructedMaze-2Dlhb-v0", "param keys_last: false", "param keys_last: true"),
    (
        "ObstructedMaze-Full-v1",
        "let h = hue(way + 6)\n    if key_in_box",
        "let h = hue(way + 7)\n    if key_in_box",
    ),
    ("Playground-v0", "a, b in 6*j+1..6*j+4", "a, b in 6*j+1..6*j+5"),
    ("GoToObject-6x6-N2-v0", "until not there(kind, c)", "until step == 0"),
]


@pytest.mark.parametrize(("name", "written", "instead"), MUTANTS)
def test_setup__that_is_a_little_off_is_found(tmp_path: Path, name: str, written: str, instead: str) -> None:
    """The comparison can fail: each of these slips in a spec stands out in some feature."""
    (family,) = (family for family in FAMILIES if str(family) == name)
    text = family.file.read_text(encoding="utf-8")
    assert text.count(written) == 1
    slipped = tmp_path / "slipped.grid"
    slipped.write_text(text.replace(written, instead), encoding="utf-8")
    ours = griddsl.make(VariantFile.of(slipped, family.spec_id))
    assert apart(ours, family.make_theirs(), EPISODES)


Distances = dict[str, tuple[float, Counter[Hashable], Counter[Hashable]]]


def apart(ours: Any, theirs: Any, episodes: int) -> Distances:
    """Return the features that lie too far apart."""
    return too_far(distances(ours, theirs, episodes))


def too_far(found: Distances) -> Distances:
    """Return those beyond the bound."""
    return {name: each for name, each in found.items() if each[0] > STANDARD_NORMAL_BOUND}


def distances(ours: Any, theirs: Any, episodes: int) -> Distances:
    """Return how far each feature lies apart, in standard deviations, and what both codes drew."""
    mine: dict[str, Counter[Hashable]] = {}
    other: dict[str, Counter[Hashable]] = {}
    for seed in range(episodes):
        ours.reset(seed=seed)
        theirs.reset(seed=seed)
        for name, value in features(*layout_of_ours(ours), ours.mission()).items():
            mine.setdefault(name, Counter())[value] += 1
        for name, value in features(*layout_of_theirs(theirs), theirs.mission).items():
            other.setdefault(name, Counter())[value] += 1
    assert mine.keys() == other.keys()
    return {name: (round(deviation(mine[name], other[name]), 2), mine[name], other[name]) for name in mine}


def layout_of_theirs(theirs: Any) -> tuple[Layout, int, int, int]:
    """Return what is in their cells, the agent's cell and direction, and the width."""
    layout: Layout = {}
    for y in range(theirs.height):
        for x in range(theirs.width):
            thing = theirs.grid.get(x, y)
            if thing is not None:
                state = ""
                if thing.type == "door":
                    state = "locked" if thing.is_locked else "open" if thing.is_open else "closed"
                if thing.contains is not None:
                    state = f"with {thing.contains.color} {thing.contains.type}"
                color = "" if thing.type in {"wall", "goal", "lava"} else thing.color
                layout[y * theirs.width + x] = (thing.type, color, state)
    x, y = (int(part) for part in theirs.agent_pos)
    return layout, y * theirs.width + x, int(theirs.agent_dir), theirs.width


def layout_of_ours(ours: Any) -> tuple[Layout, int, int, int]:
    """Return the same of ours."""
    program, state = ours.program, ours.get_state()[0]
    offsets = program.layout.offsets
    kinds = {kind.code: kind for kind in program.kinds}
    layout: Layout = {}
    for cell in range(program.cells):
        tile = state[offsets["TILE"] + cell] if "TILE" in offsets else program.ground[0][cell]
        name = kinds[tile].name
        if name not in {"floor", "doorway"}:
            layout[cell] = (name, "", "")
        index = state[offsets["OBJECT_AT"] + cell] if "OBJECT_AT" in offsets else -1
        if index >= 0:
            kind = kinds[state[offsets["OBJECT_KIND"] + index]]
            words = {a.name: a.words[state[offsets[a.holder] + index]] for a in kind.attributes if a.words}
            held = state[offsets["OBJECT_CARRIED"] + index] if "OBJECT_CARRIED" in offsets else -1
            inside = ""
            if held >= 0:
                its = kinds[state[offsets["OBJECT_KIND"] + held]]
                color = next(a.words[state[offsets[a.holder] + held]] for a in its.attributes)
                inside = f"with {color} {its.name}"
            layout[cell] = (kind.name, words["color"], words.get("state", inside))
    return layout, state[offsets["AGENT_CELL"]], state[offsets["FACING"]], program.width


def features(layout: Layout, agent: int, facing: int, width: int, mission: str) -> dict[str, Hashable]:
    """Return what is compared of one episode: each thing by itself, and some of them together."""
    ahead = agent + (1, width, -1, -width)[facing]
    found: dict[str, Hashable] = {
        "agent": agent,
        "facing": facing,
        "ahead": layout.get(ahead, ("empty", "", ""))[0],
        "mission": mission,
    }
    for word in ("pick", "open", "put", "and", "then", "after", "left", "front", "the", "a", "door", "red"):
        found[f"how often the mission says {word}"] = len(re.findall(rf"\b{word}\b", mission))
    together = _PUT_TOGETHER.findall(mission)
    found["how often a thing is put beside one of its kind"] = sum(one == other for one, other in together)
    for name in ("wall", "lava", "goal", "door", "key", "ball", "box"):
        cells = [cell for cell, thing in layout.items() if thing[0] == name]
        found[f"number of {name}"] = len(cells)
        for which, cell in (("first", min(cells, default=-1)), ("last", max(cells, default=-1))):
            found[f"{which} {name}"] = cell
            found[f"look of the {which} {name}"] = layout.get(cell)
            if name not in {"wall", "lava"} and cell >= 0:
                found[f"agent from the {which} {name}"] = _apart(agent, cell, width)
                found[f"{which} {name} and facing"] = (_apart(agent, cell, width) < 3, facing)
    found["empty in the middle row"] = sum(cell // width == width // 2 for cell in layout)
    found["empty in the middle column"] = sum(cell % width == width // 2 for cell in layout)
    walls = {cell for cell, thing in layout.items() if thing[0] == "wall"}
    height = 1 + max(layout) // width
    across = [x for x in range(width) if height // 2 * width + x not in walls]
    down = [y for y in range(height) if y * width + width // 2 not in walls]
    for name, gaps in (("row", across), ("column", down)):
        found[f"first gap of the middle {name}"] = min(gaps, default=-1)
        found[f"last gap of the middle {name}"] = max(gaps, default=-1)
    things = [cell for cell, thing in layout.items() if thing[0] != "lava"]
    found["width and height"] = (_extent([c % width for c in things]), _extent([c // width for c in things]))
    layout = {**layout, agent: ("agent", "", "")}
    for first, second in (
        ("door", "agent"),
        ("door", "goal"),
        ("door", "key"),
        ("door", "ball"),
        ("door", "box"),
        ("key", "ball"),
    ):
        pair = [
            max((c for c, thing in layout.items() if thing[0] == name), default=-1)
            for name in (first, second)
        ]
        if min(pair) >= 0:
            found[f"{second} from {first}"] = (
                pair[1] % width - pair[0] % width,
                pair[1] // width - pair[0] // width,
            )
    colored = sorted(cell for cell, thing in layout.items() if thing[1])
    found["which the mission names"] = tuple(
        rank for rank, cell in enumerate(colored) if all(word in mission for word in layout[cell][:2])
    )
    found |= _behind_locks(layout, width)
    colors = [thing[1] for thing in layout.values() if thing[1]]
    found["pairs of one colour"] = len(colors) - len(set(colors))
    return found


def _behind_locks(layout: Layout, width: int) -> dict[str, Hashable]:
    """Return where keys, open or in boxes, and the goal are, seen from the locked doors that they belong to."""
    doors = {thing[1]: cell for cell, thing in layout.items() if thing[2] == "locked"}
    keys = {thing[1]: cell for cell, thing in layout.items() if thing[0] == "key"}
    keys |= {thing[2].split()[1]: cell for cell, thing in layout.items() if thing[2].startswith("with ")}
    found: dict[str, Hashable] = {"keys without a locked door": len(keys.keys() - doors.keys())}
    by_cell = sorted(doors, key=lambda color: doors[color])
    for which, colors in (("first", by_cell[:1]), ("last", by_cell[-1:])):
        for door in colors:
            if door in keys:
                found[f"key from the {which} locked door"] = _across(keys[door], doors[door], width)
            for goal in (cell for cell, thing in layout.items() if thing[0] == "goal"):
                found[f"goal from the {which} locked door"] = _across(goal, doors[door], width)
    return found


def _across(first: int, second: int, width: int) -> tuple[int, int]:
    return first % width - second % width, first // width - second // width


def _extent(numbers: list[int]) -> int:
    return max(numbers) - min(numbers)


def _apart(first: int, second: int, width: int) -> int:
    return abs(first % width - second % width) + abs(first // width - second // width)


def deviation(first: Counter[Value], second: Counter[Value]) -> float:
    """Return how far two samples lie apart, in standard deviations: chi-square of two samples, rare values joined.

    The cube root of chi-square is nearly normal (Wilson and Hilferty 1931, "The distribution of chi-square").
    """
    counts: list[tuple[int, int]] = []
    rare = [0, 0]
    for value in first | second:
        pair = (first[value], second[value])
        if sum(pair) < 10:
            rare = [rare[0] + pair[0], rare[1] + pair[1]]
        else:
            counts.append(pair)
    if sum(rare) >= 10:
        counts.append((rare[0], rare[1]))
    freedom = len(counts) - 1
    if freedom < 1:
        return 0.0
    scale = (first.total() / second.total()) ** 0.5
    chi_square = sum((a / scale - b * scale) ** 2 / (a + b) for a, b in counts)
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def test_deviation__tells_other_distributions() -> None:
    """The measure is small for samples of one die, and large for a loaded one."""
    even = Counter({face: 130 + face for face in range(6)})
    loaded = Counter({face: 60 + 35 * face for face in range(6)})
    assert deviation(even, Counter({face: 135 - face for face in range(6)})) < 1
    assert deviation(even, loaded) > STANDARD_NORMAL_BOUND
