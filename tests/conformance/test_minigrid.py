"""MiniGrid's and BabyAI's ids step by step: their layouts, both codes, the same random actions, everything compared.

A run compares some hundred steps of each id; ``GRIDDSL_CONFORMANCE=whole pytest tests/conformance -k minigrid`` thousands,
and the setups of all ids. With ``--update-cases`` it writes what it found into ``docs/conformance.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("minigrid")

from minigrid.utils.baby_ai_bot import BabyAIBot, DisappearedBoxError

from griddsl.registration.ids import ENTRY_POINT
from tests.conformance.conformance_rows import record, rows_of
from tests.conformance.minigrid_families import FAMILIES, IS_WHOLE, PLAYED, Family, put, scramble

STEPS = 4000 if IS_WHOLE else 300
LONGEST = 4000
LONG, SHORT = 40, 12
DONE = 6
PLANNED = 160  # of an episode that the bot plays
# The eight neighbours in the order of the language: east, south, west, north, then the diagonals between.
NEIGHBOURS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))


@pytest.mark.parametrize("original", [family.original for family in FAMILIES])
def test_id__is_the_originals_after_our_namespace(original: str) -> None:
    """Every id that MiniGrid registers is made by `gym.make` with our namespace before it."""
    assert gym.registry[f"griddsl/{original}"].entry_point == ENTRY_POINT


@pytest.mark.parametrize("family", PLAYED, ids=str)
def test_spaces__are_the_originals(family: Family) -> None:
    """The same actions; the same entries of an observation, a mission being any text."""
    ours, theirs = family.make_ours(), family.make_theirs()
    assert ours.action_space == theirs.action_space
    assert ours.observation_space.keys() == theirs.observation_space.keys()
    for name in ("image", "direction"):
        assert ours.observation_space[name] == theirs.observation_space[name]


@pytest.mark.parametrize("family", PLAYED, ids=str)
def test_steps__agree_with_the_original(request: pytest.FixtureRequest, family: Family) -> None:
    """Image, direction, mission, reward and both flags agree in every step, from their layouts, bit for bit."""
    ours, theirs = family.make_ours(), family.make_theirs()
    ours.reset(seed=0)
    fresh = ours.get_state()
    replayed = Replay(ours, theirs) if family.is_replayed else None
    rng = np.random.default_rng(7)
    steps, episode, rewarded, stopped = 0, 0, 0, 0
    while steps < STEPS or (steps < LONGEST and not (stopped and (rewarded or not family.is_won))):
        theirs.reset(seed=episode)
        names = family.names(theirs)
        if episode % 3 > 0:
            scramble(theirs, rng, family)
        put(ours, theirs, names, fresh)
        check_observation(ours._observe(), theirs.gen_obs())
        planned = Bot(theirs) if family.has_bot and episode % 3 == 0 else None
        for index in range(SHORT if episode % 3 > 0 else PLANNED if planned else LONG):
            action = planned.action() if planned else None
            if action is None:
                action = int(rng.choice(len(family.weights), p=family.weights if index else None))
            seen, reward, terminated, truncated, _ = theirs.step(action)
            if replayed is not None and replayed.rewind():
                break
            mine, my_reward, my_end, my_stop, _ = ours.step(action)
            where = f"{family}, episode {episode}, step {theirs.step_count}, action {action}"
            assert (my_end, my_stop) == (terminated, truncated), where
            assert my_reward == reward, where
            check_observation(mine, seen)
            steps += 1
            rewarded += reward > 0
            stopped += truncated
            if terminated or truncated:
                break
        episode += 1
    assert rewarded > 0 or not family.is_won, "no episode reached a reward, so that none was compared"
    assert stopped > 0, "no episode ran into its limit"
    found = f"{steps:,} steps of {episode} episodes, {rewarded} paid, {stopped} cut"
    record(
        request.config,
        family.table,
        family.row,
        {"step by step": found, "what differs, and why": family.differs},
    )


def test_page__has_a_row_for_every_id() -> None:
    """The page of conformance says what was compared of each id, and of no other."""
    rows = rows_of("minigrid") | rows_of("babyai")
    assert set(rows) == {family.row for family in FAMILIES}
    assert all("steps" in row["step by step"] for row in rows.values())
    assert all("apart" in row["setups"] for row in rows_of("minigrid").values())


def check_observation(mine: Any, seen: Any) -> None:
    """Compare two observations bit for bit."""
    assert np.array_equal(mine["image"], seen["image"]), (mine["image"][..., 0].T, seen["image"][..., 0].T)
    assert mine["image"].dtype == seen["image"].dtype
    assert mine["direction"] == seen["direction"]
    assert mine["mission"] == seen["mission"]


MOST_SEARCHES = 100  # in one step


class Bot:
    """The bot that comes with BabyAI; what it cannot plan is played at random."""

    def __init__(self, theirs: Any) -> None:
        self.bot: Any = BabyAIBot(theirs)
        self._search, self._searches = self.bot._shortest_path, 0
        self.bot._shortest_path = self._counted

    def _counted(self, *given: Any, **more: Any) -> Any:
        """Search a way, as the bot does; where it does so for ever, its plan has failed."""
        self._searches += 1
        if self._searches > MOST_SEARCHES:
            raise ValueError("the bot goes around in circles")
        return self._search(*given, **more)

    def action(self) -> int | None:
        """Return what it does next; None once its plan has failed or is done."""
        self._searches = 0
        try:
            action = None if self.bot is None else int(self.bot.replan())
        except (AssertionError, DisappearedBoxError, IndexError, TypeError, ValueError):
            action = None
        if action is None or action == DONE:
            self.bot = None
            return None
        return action


class Replay:
    """Gives our step the draws that theirs made: which of its free neighbours each ball went to."""

    def __init__(self, ours: Any, theirs: Any) -> None:
        self.drawn: list[tuple[int, int]] = []
        self.gave_up = False
        self.pending: Iterator[tuple[int, int]] = iter(())
        self.theirs, self.place_obj = theirs, theirs.place_obj
        theirs.place_obj = self.record
        ours._machine.functions["step"].__globals__["draw"] = self.draw

    def record(self, thing: Any, top: Any = None, size: Any = None, max_tries: float = np.inf) -> Any:
        """Place a thing as they do; note among how many free neighbours, and which."""
        if size != (3, 3):
            return self.place_obj(thing, top=top, size=size, max_tries=max_tries)
        x, y = thing.cur_pos
        cells = [(x + dx, y + dy) for dx, dy in NEIGHBOURS]
        agent_x, agent_y = map(int, self.theirs.agent_pos)
        free = [cell for cell in cells if self.theirs.grid.get(*cell) is None and cell != (agent_x, agent_y)]
        try:
            found = self.place_obj(thing, top=top, size=size, max_tries=max_tries)
        except RecursionError:
            self.gave_up = self.gave_up or bool(free)
            raise
        found_x, found_y = map(int, found)
        self.drawn.append((len(free), free.index((found_x, found_y))))
        return found

    def rewind(self) -> bool:
        """Hand out what was noted since the last step; say whether 100 tries missed the free neighbours of a ball."""
        gave_up, self.gave_up = self.gave_up, False
        self.pending, self.drawn = iter(self.drawn), []
        return gave_up

    def draw(self, stream: list[int], count: int) -> int:
        """Stand in for the random stream."""
        known, which = next(self.pending)
        assert count == known, "another number of free neighbours"
        return which
