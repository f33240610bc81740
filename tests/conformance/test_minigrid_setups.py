"""What our setups draw against what MiniGrid's generators draw, over many seeds: cells, colours, directions, missions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

import pytest

pytest.importorskip("minigrid")

from minigrid_families import FAMILIES, Family

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
    ours, theirs = family.make_ours(), family.make_theirs()
    mine: dict[str, Counter[Hashable]] = {}
    other: dict[str, Counter[Hashable]] = {}
    for seed in range(FEWER.get(str(family), EPISODES)):
        ours.reset(seed=seed)
        theirs.reset(seed=seed)
        for name, value in features(*layout_of_ours(ours), ours.mission()).items():
            mine.setdefault(name, Counter())[value] += 1
        for name, value in features(*layout_of_theirs(theirs), theirs.mission).items():
            other.setdefault(name, Counter())[value] += 1
    assert mine.keys() == other.keys()
    apart = {name: round(deviation(mine[name], other[name]), 2) for name in mine}
    wrong = {
        name: (value, mine[name], other[name])
        for name, value in apart.items()
        if value > STANDARD_NORMAL_BOUND
    }
    assert not wrong


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
    colors = [thing[1] for thing in layout.values() if thing[1]]
    found["pairs of one colour"] = len(colors) - len(set(colors))
    return found


def _extent(numbers: list[int]) -> int:
    return max(numbers) - min(numbers)


def _apart(first: int, second: int, width: int) -> int:
    return abs(first % width - second % width) + abs(first // width - second // width)


def deviation(first: Counter[Hashable], second: Counter[Hashable]) -> float:
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
