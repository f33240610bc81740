"""Games in which one points at a cell or a column, beside their rules written out again, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import griddsl

Spot = tuple[int, int]
LINES = ((1, 0), (0, 1), (1, 1), (-1, 1))


def chosen(mask: np.ndarray[Any, Any], rng: np.random.Generator) -> int:
    """Return an action, one of those that are allowed nine times of ten."""
    if rng.random() < 0.1:
        return int(rng.integers(len(mask)))
    return int(rng.choice(np.flatnonzero(mask)))


def around(spot: Spot, size: int) -> Iterator[Spot]:
    """Yield the up to eight cells around one."""
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            x, y = spot[0] + dx, spot[1] + dy
            if (dx or dy) and 0 <= x < size and 0 <= y < size:
                yield x, y


@pytest.mark.parametrize("size", [2, 5])
def test_lights_out__follows_its_rules(size: int) -> None:
    """A press changes a lamp and those beside it; all out is success. Every start can be put out."""
    env = griddsl.make("griddsl/LightsOut-v0", size=size)
    rng = np.random.default_rng(size)
    wins = 0
    for seed in range(30):
        observation, _ = env.reset(seed=seed)
        lamps = observation[:size].astype(bool)
        assert lamps.any()
        presses = _way_out(lamps)
        assert presses is not None
        todo = list(rng.permutation(np.flatnonzero(presses)))
        if seed % 2:
            todo = [*rng.integers(size * size, size=20)]
        for action in todo:
            observation, reward, terminated, _, info = env.step(int(action))
            y, x = divmod(int(action), size)
            for there in ((x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if 0 <= there[0] < size and 0 <= there[1] < size:
                    lamps[there[1], there[0]] ^= True
            assert (observation[:size] == lamps).all()
            assert (reward, terminated) == (-1, not lamps.any())
            if terminated:
                assert info["outcome"] == "success"
                wins += 1
                break
        assert seed % 2 or terminated
    assert wins >= 15


def _way_out(lamps: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """Return the presses that put all lamps out, by elimination over the field of two."""
    size = len(lamps)
    cells = [(x, y) for y in range(size) for x in range(size)]
    rows = np.array([[abs(x - a) + abs(y - b) <= 1 for a, b in cells] for x, y in cells], bool)
    table = np.column_stack([rows, lamps.reshape(-1)])
    pivots: list[int] = []
    for column in range(size * size):
        found = [row for row in range(len(pivots), size * size) if table[row, column]]
        if not found:
            continue
        row = len(pivots)
        table[[row, found[0]]] = table[[found[0], row]]
        for other in range(size * size):
            if other != row and table[other, column]:
                table[other] ^= table[row]
        pivots.append(column)
    if table[len(pivots) :, -1].any():
        return None
    presses = np.zeros(size * size, bool)
    presses[pivots] = table[: len(pivots), -1]
    return presses


@pytest.mark.parametrize("size", [2, 3, 4])
def test_sliding_tiles__follow_their_rules(size: int) -> None:
    """A piece beside the gap changes places with it; the order from 1 on is success. Every start has the right parity."""
    env = griddsl.make("griddsl/SlidingTiles-v0", size=size)
    rng = np.random.default_rng(size)
    ends = 0
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        board = observation[:size].astype(int)
        assert sorted(board.reshape(-1)) == list(range(size * size))
        assert _can_be_ordered(board)
        for _ in range(60):
            gap = tuple(int(place[0]) for place in np.nonzero(board == 0))
            mask = np.array(
                [abs(y - gap[0]) + abs(x - gap[1]) == 1 for y in range(size) for x in range(size)]
            )
            assert env.action_masks().tolist() == mask.tolist()
            action = chosen(mask, rng)
            observation, reward, terminated, _, _ = env.step(action)
            if mask[action]:
                y, x = divmod(action, size)
                board[gap], board[y, x] = board[y, x], 0
            assert (observation[:size] == board).all()
            ordered = [*range(1, size * size), 0]
            assert (reward, terminated) == (-1, board.reshape(-1).tolist() == ordered)
            if terminated:
                ends += 1
                break
    assert ends or size > 2


def _can_be_ordered(board: np.ndarray[Any, Any]) -> bool:
    """Whether a permutation has the parity of the gap's way home."""
    size = len(board)
    cells = [(int(n) - 1) % (size * size) for n in board.reshape(-1)]
    swaps, seen = 0, set[int]()
    for start in range(len(cells)):
        at, length = start, 0
        while at not in seen:
            seen.add(at)
            at, length = cells[at], length + 1
        swaps += max(length - 1, 0)
    y, x = (int(place[0]) for place in np.nonzero(board == 0))
    return (swaps + (size - 1 - y) + (size - 1 - x)) % 2 == 0


def test_minesweeper__follows_its_rules() -> None:
    """What is opened shows its number; where that is 0 all around opens too; a mine ends it, and so does the last field."""
    size, mines = 6, 5
    env = griddsl.make("griddsl/Minesweeper-v0", size=size, mines=mines)
    rng = np.random.default_rng(0)
    outcomes = {"success": 0, "failure": 0}
    for seed in range(60):
        env.reset(seed=seed)
        mined = _mines(env, size)
        assert len(mined) == mines
        numbers = {
            (x, y): sum(spot in mined for spot in around((x, y), size))
            for x in range(size)
            for y in range(size)
        }
        opened: set[Spot] = set()
        for _ in range(size * size):
            mask = np.array([(i % size, i // size) not in opened for i in range(size * size)])
            assert env.action_masks().tolist() == mask.tolist()
            safe = [i for i in np.flatnonzero(mask).tolist() if (i % size, i // size) not in mined]
            action = int(rng.choice(safe)) if rng.random() < 0.97 else chosen(mask, rng)
            observation, reward, terminated, _, info = env.step(action)
            spot = action % size, action // size
            expected = 0.0
            if spot not in opened:
                expected = -1.0 if spot in mined else 1.0
                border = [spot]
                while border:
                    here = border.pop()
                    if here not in opened:
                        opened.add(here)
                        border += around(here, size) if numbers[here] == 0 and here not in mined else ()
            shown = {(x, y) for y in range(size) for x in range(size) if observation[y, x, 0]}
            assert shown == opened
            assert all(observation[y, x, 1] == numbers[x, y] for x, y in opened)
            done = bool(opened & mined) or len(opened | mined) == size * size
            assert (reward, terminated) == (expected, done)
            if terminated:
                assert info["outcome"] == ("failure" if opened & mined else "success")
                outcomes[info["outcome"]] += 1
                break
    assert min(outcomes.values()) > 5


def _mines(env: griddsl.GridEnv, size: int) -> set[Spot]:
    """Return where the mines are: the fields that end the game, each tried from a copy of the state."""
    state = env.get_state()
    found: set[Spot] = set()
    for action in range(size * size):
        _, reward, *_ = env.step(action)
        if reward < 0:
            found.add((action % size, action // size))
        env.set_state(state)
    return found


class Line:
    """Two players put stones in turn, and who has ``length`` in a line has won."""

    def __init__(self, width: int, height: int, length: int) -> None:
        self.board: np.ndarray[Any, Any] = np.zeros((height, width), int)
        self.length = length

    def wins(self, player: int) -> bool:
        """Whether a player has a line."""
        height, width = self.board.shape
        for y in range(height):
            for x in range(width):
                for dx, dy in LINES:
                    spots = [(x + i * dx, y + i * dy) for i in range(self.length)]
                    if all(
                        0 <= a < width and 0 <= b < height and self.board[b, a] == player for a, b in spots
                    ):
                        return True
        return False


@pytest.mark.parametrize(
    ("name", "width", "height", "length", "names"),
    [("TicTacToe", 3, 3, 3, ("cross", "nought")), ("ConnectFour", 7, 6, 4, ("red", "yellow"))],
)
def test_line_games__follow_their_rules(
    name: str, width: int, height: int, length: int, names: tuple[str, str]
) -> None:
    """Stones, masks, whose turn it is, rewards that cancel, and who has won."""
    game = griddsl.make_aec(f"griddsl/{name}-v0")
    rng = np.random.default_rng(1)
    falls = name == "ConnectFour"
    outcomes: dict[str, int] = {}
    for seed in range(60):
        game.reset(seed=seed)
        line = Line(width, height, length)
        for turn in range(width * height):
            player = turn % 2 + 1
            assert game.agent_selection == names[player - 1]
            free = line.board[0] == 0 if falls else line.board.reshape(-1) == 0
            _, _, _, _, info = game.last()
            assert info["action_mask"].tolist() == free.tolist()
            action = int(rng.choice(np.flatnonzero(free)))
            y, x = divmod(action, width)
            if falls:
                x, y = action, max(row for row in range(height) if line.board[row, action] == 0)
            line.board[y, x] = player
            game.step(action)
            for other, agent in enumerate(names, 1):
                seen = game.observe(agent)[:height]
                assert (seen[:, :, 0] == (line.board == other)).all()
                assert (seen[:, :, 1] == (line.board == 3 - other)).all()
            won = line.wins(player)
            over = won or not (line.board == 0).any()
            assert all(game.terminations[agent] == over for agent in names)
            worth = {names[player - 1]: float(won), names[2 - player]: -float(won)}
            assert {agent: game.rewards[agent] for agent in names} == worth
            if over:
                outcome = f"{names[player - 1]}_wins" if won else "draw"
                assert game.infos[names[0]]["outcome"] == outcome
                outcomes[outcome] = outcomes.get(outcome, 0) + 1
                break
    assert outcomes.get(f"{names[0]}_wins", 0) > 5
    assert outcomes.get(f"{names[1]}_wins", 0) > 5


class Othello:
    """Reversi, as everybody plays it: ``board`` has 0 for an empty cell, 1 for black and 2 for white."""

    WAYS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)

    def __init__(self) -> None:
        self.board = np.zeros((8, 8), int)
        self.board[3, 3] = self.board[4, 4] = 2
        self.board[3, 4] = self.board[4, 3] = 1

    def taken(self, player: int, x: int, y: int) -> list[Spot]:
        """Return the stones that change sides when a player puts one into an empty cell."""
        found: list[Spot] = []
        for dx, dy in self.WAYS:
            row: list[Spot] = []
            a, b = x + dx, y + dy
            while 0 <= a < 8 and 0 <= b < 8 and self.board[b, a] == 3 - player:
                row.append((a, b))
                a, b = a + dx, b + dy
            if 0 <= a < 8 and 0 <= b < 8 and self.board[b, a] == player:
                found += row
        return found

    def mask(self, player: int) -> list[bool]:
        """Return what is allowed: a cell in which stones are taken, and to rest where there is none."""
        cells = [not self.board[y, x] and bool(self.taken(player, x, y)) for y in range(8) for x in range(8)]
        return [*cells, not any(cells)]

    @property
    def is_over(self) -> bool:
        """Whether neither can put a stone."""
        return self.mask(1)[-1] and self.mask(2)[-1]


def test_reversi__follows_its_rules() -> None:
    """Stones, masks, rests, whose turn it is, and who has won."""
    game = griddsl.make_aec("griddsl/Reversi-v0")
    names = ("black", "white")
    rng = np.random.default_rng(5)
    outcomes: dict[str, int] = {}
    rests = 0
    for seed in range(8):
        game.reset(seed=seed)
        othello, player = Othello(), 1
        while True:
            assert game.agent_selection == names[player - 1]
            mask = othello.mask(player)
            _, _, _, _, info = game.last()
            assert info["action_mask"].tolist() == mask
            action = int(rng.choice(np.flatnonzero(mask)))
            if action < 64:
                y, x = divmod(action, 8)
                for a, b in [(x, y), *othello.taken(player, x, y)]:
                    othello.board[b, a] = player
            else:
                rests += 1
            game.step(action)
            for other, agent in enumerate(names, 1):
                seen = game.observe(agent)[:8]
                assert (seen[:, :, 0] == (othello.board == other)).all()
                assert (seen[:, :, 1] == (othello.board == 3 - other)).all()
            assert all(game.terminations[agent] == othello.is_over for agent in names)
            if othello.is_over:
                break
            player = 3 - player
        ahead = int((othello.board == 1).sum() - (othello.board == 2).sum())
        outcome = "black_wins" if ahead > 0 else "white_wins" if ahead < 0 else "draw"
        assert game.infos["black"]["outcome"] == outcome
        assert [game.rewards[agent] for agent in names] == [float(np.sign(ahead)), -float(np.sign(ahead))]
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    assert rests and len(outcomes) > 1
