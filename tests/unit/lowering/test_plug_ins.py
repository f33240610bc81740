"""Plug-ins: generators and movers that installed packages bring, named in a spec."""

from __future__ import annotations

import importlib
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import griddsl
from griddsl.diagnostics import Refused
from griddsl.exact.draws import ExactError
from griddsl.lowering.plug_ins import plug_ins
from tests.playing import Game, completed, drawing, problems

PACKAGE = '''
"""A package of plug-ins, as a user would write it."""

from collections import deque

from griddsl.program.runtime import draw

WAYS = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}


def stripes(s, r, tile, width, height, floor, wall):
    """Draw columns of wall, each with one random gap."""
    for cell in range(width * height):
        s[tile + cell] = wall if cell % width % 2 else floor
    for x in range(1, width, 2):
        s[tile + draw(r, height) * width + x] = floor


def hunter(view):
    """Go the shortest way to the agent, around walls."""
    goal, start = (view.agents[0].x, view.agents[0].y), (view.me.x, view.me.y)
    came, queue = {goal: None}, deque([goal])
    while queue:
        x, y = queue.popleft()
        for dx, dy in WAYS.values():
            there = x + dx, y + dy
            inside = 0 <= there[0] < view.width and 0 <= there[1] < view.height
            if inside and there not in came and view.tiles[there[1]][there[0]] != "wall":
                came[there] = (x, y)
                queue.append(there)
    if came.get(start) is None:
        return None
    (x, y) = came[start]
    return next(word for word, way in WAYS.items() if way == (x - start[0], y - start[1]))


def drunk(view):
    """Go one of the free ways, those that its `taste` likes left out."""
    ways = [way for way in view.free if way != view.me.attributes["taste"]]
    return ways[view.draw(len(ways))] if ways else None


def ram(view):
    """Always go east, free or not."""
    return "east"


def lost(view):
    """Return what is no direction."""
    return "upwards"


def falls(*given):
    """Fail."""
    return {}["key"]


def strange(s, r, tile, width, height, floor, wall):
    """Write what is no ground."""
    s[tile + 1] = 99


def wide(s, r, tile, width, height, floor, wall):
    """Write into cells that there are not."""
    s[tile + width * height] = wall


def short(s, r, tile, width, height, floor, wall):
    """Write further than the state goes."""
    s[tile + 100_000] = wall


def odd(s):
    """Take another number of arguments."""


number = 5
'''
ENTRIES = """
[griddsl.generators]
stripes = bestiary:stripes
falls = bestiary:falls
strange = bestiary:strange
wide = bestiary:wide
short = bestiary:short
odd = bestiary:odd
number = bestiary:number
gone = bestiary:gone
nowhere = no_such_package:draw

[griddsl.movers]
hunter = bestiary:hunter
drunk = bestiary:drunk
ram = bestiary:ram
lost = bestiary:lost
falls = bestiary:falls
nowhere = no_such_package:move
"""
MAZE = """
map:
    @#...
    .#.#.
    ...#h
legend: h = hound
object hound: moves {policy}
actions: stay, right
on meet hound: end failure
"""


@pytest.fixture(autouse=True)
def bestiary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a package with plug-ins for one test."""
    (tmp_path / "bestiary.py").write_text(PACKAGE, encoding="utf-8")
    about = tmp_path / "bestiary-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bestiary\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(ENTRIES, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    plug_ins.cache_clear()
    yield
    plug_ins.cache_clear()


def test_mover__takes_the_way_that_its_plug_in_chooses() -> None:
    """A hound that knows the way around the walls comes, cell by cell, and meets the agent."""
    game = Game(MAZE.format(policy="hunter"))
    boards = [game.do("stay").board for _ in range(3)]
    assert boards[-1] == drawing("""
        @#.h.
        .#.#.
        ...#.
    """)
    game.do("stay stay stay stay stay stay")
    assert not game.terminated
    assert game.do("stay").terminated and game.info["outcome"] == "failure"


def test_mover__keeps_the_rest_of_the_language() -> None:
    """``if``, ``every``, ``with chance`` and ``avoiding`` stand beside a plug-in as beside any policy."""
    game = Game(MAZE.format(policy="hunter every 2 steps"))
    rows = [game.do("stay").board.replace("\n", "").index("h") for _ in range(4)]
    assert rows == [14, 9, 9, 4]
    still = Game(MAZE.format(policy="hunter if step > 2 else still"))
    assert [still.do("stay").board.replace("\n", "").index("h") for _ in range(3)] == [14, 14, 9]
    careful = Game(
        MAZE.format(policy="hunter avoiding web")
        .replace(".#.#.", ".#.#w")
        .replace("h = hound", "h = hound, w = web")
    )
    assert careful.do("stay stay").board.endswith("#h")


def test_mover__bumps_into_what_is_not_free() -> None:
    """A way that is not free is no move, and raises ``bump``."""
    game = Game("""
map:
    @.b.#
legend: b = bull
object bull: moves ram
actions: stay
on bull bump wall: reward 1
""")
    assert game.rewards("stay stay stay") == [0, 1, 1]
    assert game.board == "@..b#"


DRUNK = """
map:
    @....
    ..d..
    .....
legend: d = drinker(taste=north)
object drinker: moves drunk, taste in north | south
actions: stay
"""


def test_mover__draws_from_the_stream_of_its_environment() -> None:
    """Same seed, same way; the seven ways that it likes all come; a copy goes on alike."""
    first, second = Game(DRUNK, seed=4), Game(DRUNK, seed=4)
    assert [first.do("stay").board for _ in range(20)] == [second.do("stay").board for _ in range(20)]
    after = {Game(DRUNK, seed=seed).do("stay").board.replace("\n", "").index("d") for seed in range(60)}
    assert after == {1, 3, 6, 8, 11, 12, 13}
    copy = pickle.loads(pickle.dumps(first.env))
    copy.step(0)
    assert copy.get_state() == first.do("stay").env.get_state()


def test_mover__runs_as_python() -> None:
    """``auto`` takes the Python backend, one environment or many; the others say why they cannot."""
    text = completed(MAZE.format(policy="hunter"))
    assert griddsl.make(text).backend == "python"
    batch = griddsl.make_vec(text, 3)
    batch.reset(seed=0)
    assert batch.backend == "python"
    assert batch.step([0, 0, 0])[0].tolist() == [0, 0, 0]
    for backend in ("native", "table"):
        with pytest.raises(ValueError, match="the plug-in `hunter` moves creatures, as Python"):
            griddsl.make(text, backend=backend)
    with pytest.raises(ExactError, match="the plug-in `hunter` moves creatures, and what it draws"):
        griddsl.to_mdp(text)


def test_mover__that_returns_no_direction_is_an_error() -> None:
    """The message names the plug-in and what it may return."""
    with pytest.raises(ValueError, match="the plug-in 'lost' returned 'upwards'; a direction is one of east"):
        Game(MAZE.format(policy="lost")).do("stay")


def test_unknown_mover__is_answered_with_the_nearest() -> None:
    """Plug-ins stand among the policies that are suggested and listed."""
    (near,) = problems(MAZE.format(policy="huntr"))
    assert (near.code, near.help) == ("unknown-word", "did you mean `hunter`?")
    (far,) = problems(MAZE.format(policy="zzzzzz"))
    assert far.help is not None and far.help.endswith("`ram`")


STRIPES = """
generate: stripes(6, 3)
setup:
    place agent at (0, 0)
actions: stay
"""


def test_generator__draws_the_map() -> None:
    """Every reset draws anew, from the environment's own stream."""
    boards = [Game(STRIPES, seed=seed).board for seed in range(20)]
    assert len(set(boards)) > 5
    assert boards[3] == Game(STRIPES, seed=3).board
    for board in boards:
        rows = board.split("\n")
        assert [sum(row[x] == "#" for row in rows) for x in range(6)] == [0, 2, 0, 2, 0, 2]


def test_generator__runs_as_python_and_is_suggested() -> None:
    """Other backends say why not, and a name close to it is taken for a typing error."""
    assert griddsl.make(completed(STRIPES)).backend == "python"
    with pytest.raises(ValueError, match="the plug-in `stripes` draws the map, as Python"):
        griddsl.make(completed(STRIPES), backend="native")
    (found,) = problems(STRIPES.replace("stripes", "stripe"))
    assert found.help == "did you mean `stripes`?"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("falls", r"its `bestiary:falls` failed: KeyError: 'key' \(bestiary.py, line"),
        ("strange", r"and wrote 99 at \(1, 0\): a cell is `floor`, \d+, or `wall`, \d+"),
        ("wide", "and wrote outside of its 18 cells"),
        ("short", "its `bestiary:short` failed: IndexError"),
        ("odd", "its `bestiary:odd` failed: TypeError"),
        ("number", "its `bestiary:number` is 5, which is no function"),
        ("gone", "its `bestiary:gone` cannot be loaded: AttributeError"),
        ("nowhere", "its `no_such_package:draw` cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_generator__that_goes_wrong_is_named(name: str, said: str) -> None:
    """Whatever is wrong in the code of a package, its plug-in and the place are told."""
    text = STRIPES.replace("stripes", name)
    with pytest.raises(Refused, match=f"the plug-in `{name}` draws the map, (and )?{said}"):
        griddsl.make(completed(text)).reset(seed=0)
    (found,) = problems(text)
    assert re.match(f"the plug-in `{name}` draws the map, (and )?{said}", found.message)
    assert found.span.text == f"{name}(6, 3)"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("falls", "failed: KeyError"),
        ("nowhere", "cannot be loaded: ModuleNotFound"),
    ],
)
def test_mover__that_goes_wrong_is_named(name: str, said: str) -> None:
    """As of generators."""
    with pytest.raises(Refused, match=f"the plug-in `{name}` moves creatures, and its `.*{said}"):
        _stay(MAZE.format(policy=name))


def test_mover__that_cannot_be_loaded_is_told_by_check() -> None:
    """What only a step would show is not looked for."""
    (found,) = problems(MAZE.format(policy="nowhere"))
    assert "cannot be loaded: ModuleNotFound" in found.message and found.span.text == "nowhere"
    assert problems(MAZE.format(policy="falls")) == []


def _stay(text: str) -> None:
    env = griddsl.make(completed(text), backend="python")
    env.reset(seed=0)
    names = [action.name for action in env.program.groups[0].actions]
    env.step(names.index("stay"))


@pytest.mark.parametrize("name", ["falls", "strange", "wide", "odd", "number", "gone", "nowhere"])
def test_generator__that_goes_wrong_is_told_where_it_is_asked_for(name: str, tmp_path: Path) -> None:
    """What is wrong in the code of a package is told with the file and the line of the spec that names it."""
    path = tmp_path / "meadow.grid"
    path.write_text(completed(STRIPES.replace("stripes", name)), encoding="utf-8")
    line = 1 + path.read_text(encoding="utf-8").splitlines().index(f"generate: {name}(6, 3)")
    with pytest.raises(Refused, match=rf"\(asked for in meadow.grid, line {line}\)$"):
        griddsl.make(path).reset(seed=0)


@pytest.mark.parametrize("policy", ["falls", "nowhere", "lost"])
def test_mover__that_goes_wrong_is_told_where_it_is_asked_for(policy: str) -> None:
    """As of generators; a text has lines too."""
    text = completed(MAZE.format(policy=policy))
    line = 1 + text.splitlines().index(f"object hound: moves {policy}")
    with pytest.raises(Refused, match=rf"\(asked for in <text>, line {line}\)$"):
        _stay(MAZE.format(policy=policy))


def test_plug_in__that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program whose package is no longer installed says what is missing."""
    game = Game(STRIPES)
    kept = pickle.dumps(game.env)
    monkeypatch.undo()
    importlib.invalidate_caches()
    with pytest.raises(LookupError, match="no installed package brings it"):
        pickle.loads(kept)
