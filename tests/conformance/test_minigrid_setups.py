"""What our setups draw against what MiniGrid's generators draw, over many seeds: cells, colours, directions, missions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any, TypeVar

import pytest

pytest.importorskip("minigrid")

import griddsl
from tests.conformance.minigrid_families import FAMILIES, SPECS, Family

Value = TypeVar("Value", bound=Hashable)
EPISODES = 800
FEWER = {"KeyCorridorS6R3": 200, "MultiRoom-N6": 400}
# Two samples of one distribution differ more than this once in ten thousand features; the seeds are fixed.
STANDARD_NORMAL_BOUND = 3.72
DRAWN_ONCE = {
    "Empty-Random-6x6",
    "FourRooms",
    "DoorKey-8x8",
    "LavaGapS7",
    "SimpleCrossingS11N5",
    "LavaCrossingS9N2",
    "Dynamic-Obstacles-Random-6x6",
    "MultiRoom-N6",
    "MultiRoom-N2-S4",
    "Unlock",
    "UnlockPickup",
    "BlockedUnlockPickup",
    "KeyCorridorS3R2",
    "KeyCorridorS6R3",
    "RedBlueDoors-8x8",
    "MemoryS17Random",
    "GoToDoor-8x8",
    "PutNear-8x8-N3",
    "Fetch-8x8-N3",
}
Layout = dict[int, tuple[str, str, str]]


@pytest.mark.parametrize("family", [f for f in FAMILIES if str(f) in DRAWN_ONCE], ids=str)
def test_setup__draws_what_the_original_draws(family: Family) -> None:
    """Every feature of a fresh episode has the same distribution in both codes."""
    episodes = FEWER.get(str(family), EPISODES)
    assert not apart(family.make_ours(), family.make_theirs(), episodes)


def test_setups__are_compared_for_every_spec() -> None:
    """No variant's name is a slip, and every spec that restates a family is among them."""
    assert {str(family) for family in FAMILIES} >= DRAWN_ONCE
    assert {f.spec for f in FAMILIES if str(f) in DRAWN_ONCE} == {f.spec for f in FAMILIES}


MUTANTS = [
    ("DoorKey-8x8", "choose c in 2..size-3", "choose c in 2..size-4"),
    (
        "DoorKey-8x8",
        "place key(color=yellow) at random floor where x < c",
        "place key(color=yellow) at random floor where x < c and y < 6",
    ),
    ("LavaGapS7", "r in 1..size-2", "r in 2..size-2"),
    ("GoToDoor-8x8", "choose wanted in a | b | c | d", "choose wanted in a | b | c"),
    ("RedBlueDoors-8x8", "facing=random", "facing=east"),
    ("Fetch-8x8-N3", '| "fetch a"', ""),
    ("FourRooms", "south, east in 10..17", "south, east in 10..16"),
]


@pytest.mark.parametrize(("name", "written", "instead"), MUTANTS)
def test_setup__that_is_a_little_off_is_found(name: str, written: str, instead: str) -> None:
    """The comparison can fail: each of these slips in a spec stands out in some feature."""
    (family,) = (family for family in FAMILIES if str(family) == name)
    text = (SPECS / f"{family.spec}.grid").read_text(encoding="utf-8")
    assert text.count(written) == 1
    slipped = griddsl.make(text.replace(written, instead), **family.params)
    assert apart(slipped, family.make_theirs(), EPISODES)


def apart(
    ours: Any, theirs: Any, episodes: int
) -> dict[str, tuple[float, Counter[Hashable], Counter[Hashable]]]:
    """Return the features that lie too far apart: by how many standard deviations, and what both codes drew."""
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
    found = {name: round(deviation(mine[name], other[name]), 2) for name in mine}
    return {
        name: (value, mine[name], other[name])
        for name, value in found.items()
        if value > STANDARD_NORMAL_BOUND
    }


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
        name = kinds[state[offsets["TILE"] + cell]].name
        if name not in {"floor", "doorway"}:
            layout[cell] = (name, "", "")
        index = state[offsets["OBJECT_AT"] + cell] if "OBJECT_AT" in offsets else -1
        if index >= 0:
            kind = kinds[state[offsets["OBJECT_KIND"] + index]]
            words = {a.name: a.words[state[offsets[a.holder] + index]] for a in kind.attributes}
            layout[cell] = (kind.name, words["color"], words.get("state", ""))
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
    colors = [thing[1] for thing in layout.values() if thing[1]]
    found["pairs of one colour"] = len(colors) - len(set(colors))
    return found


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
