"""MinAtar's games step by step beside their own code: one state, one action, the same draws, everything compared.

Each game writes its row of `docs/conformance.md` with ``--update-cases``, and asks for that very row without.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("minatar")

from minatar import Environment

from tests.conformance.minatar_games import GAMES, Game, Ours, Recorder

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"
STEPS = 4000
SKILLS = (0.0, 0.6, 0.95)  # how often an action is not random but what a player would do, episode by episode
AGREES = "planes, reward, end, exactly"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_steps__agree_with_the_original(game: Game, request: pytest.FixtureRequest) -> None:
    """Planes, reward and end agree in every step, with what either draws handed over, sticky actions included."""
    found: Counter[str] = Counter()
    for ramping in (True, False):
        Comparison(game, ramping).run(found)
    assert found["reward"] > 40 and found["sticky"] > 100, found
    assert found["ended"] >= (2 if game.name == "Freeway" else 20), found
    check_row(game, found, request.config.getoption("--update-cases"))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_action_sets__are_those_of_both_versions(game: Game) -> None:
    """Version 1 has the actions that do something, version 0 all six; both in the order of the original."""
    theirs = Environment(game.module)
    smaller = [theirs.env.action_map[number] for number in theirs.minimal_action_set()]
    for version, letters in (("v1", smaller), ("v0", theirs.env.action_map)):
        ours = Ours(game, f"griddsl/MinAtar-{game.name}-{version}")
        assert [action.name for action in ours.program.groups[0].actions] == letters
        assert ours.env.observation_space.shape == tuple(theirs.state_shape())


class Comparison:
    """Both codes, side by side through episodes that one and the same policy plays."""

    def __init__(self, game: Game, ramping: bool) -> None:
        self.game = game
        self.theirs = Environment(game.module, difficulty_ramping=ramping)
        self.random = Recorder(5)
        self.theirs.random = self.theirs.env.random = self.random
        ramps = {"difficulty_ramping": ramping} if hasattr(self.theirs.env, "ramping") else {}
        self.ours = Ours(game, **ramps)
        self.actions: list[int] = self.theirs.minimal_action_set()
        self.rng = np.random.default_rng(3)

    def run(self, found: Counter[str]) -> None:
        """Play episodes until enough steps were compared; count what there was in them."""
        steps = episode = 0
        while steps < STEPS:
            self.theirs.reset()
            if self.game.stir is not None and episode % 2:
                self.game.stir(self.theirs.env, self.rng)
            self.ours.put(self.game.tell(self.theirs.env))
            skill = SKILLS[episode % 3] if self.game.skilled is not None else 0.0
            played = self.episode(episode, skill, 3000 if skill > 0.9 else 400, found)
            steps, episode = steps + played, episode + 1
        found["steps"] += steps
        found["episodes"] += episode

    def episode(self, number: int, skill: float, most: int, found: Counter[str]) -> int:
        """Play one episode; return how many steps of it were compared."""
        self.random.is_first = True
        for played in range(most):
            action = self.wish(skill)
            last, self.random.drawn = self.theirs.last_action, []
            reward, over = self.theirs.act(self.actions[action])
            sticky, *drawn = self.random.drawn
            repeats = played > 0 and sticky < 0.1
            if not self.game.is_told(self.theirs.env):
                return played
            draws = [*([int(repeats)] if played else []), *self.game.hand(self.theirs.env, drawn)]
            self.ours.pending = iter(draws)
            seen, my_reward, my_over, cut, _ = self.ours.env.step(action)
            where = f"{self.game}, episode {number}, step {played}, action {action}{' (sticky)' * repeats}"
            check(seen, self.theirs.state(), where)
            assert (my_reward, my_over, cut) == (float(reward), bool(over), False), where
            assert next(self.ours.pending, None) is None, f"{where}: they drew more than we"
            found["reward"] += int(reward)
            found["sticky"] += repeats and self.actions[action] != last
            found["ended"] += bool(over)
            if over:
                return played + 1
        return most

    def wish(self, skill: float) -> int:
        """Return what a player would do, with a chance, else anything."""
        if self.game.skilled is None or self.rng.random() >= skill:
            return int(self.rng.integers(len(self.actions)))
        letter = self.game.skilled(self.theirs.env)
        return self.actions.index(self.theirs.env.action_map.index(letter))


def check(seen: Any, state: Any, where: str) -> None:
    """Compare the planes bit for bit."""
    if not np.array_equal(seen, state):
        plane = next(k for k in range(state.shape[2]) if not np.array_equal(seen[..., k], state[..., k]))
        mine, theirs = seen[..., plane], state[..., plane].astype(int)
        raise AssertionError(f"{where}: plane {plane} differs\nours\n{mine}\ntheirs\n{theirs}")


def check_row(game: Game, found: Counter[str], update: bool) -> None:
    """Ask the page for the row of a game, or write it there."""
    compared = (
        f"{found['steps']:,} steps in {found['episodes']} episodes with and without ramping: "
        f"{found['reward']} rewards, {found['ended']} ends, {found['sticky']} actions that stuck"
    )
    start = f"| `{game.spec}.grid`, v0 and v1 | MinAtar 1.0.15, its own code"
    row = f"{start} | {AGREES} | {compared} | {game.differs} |"
    page = PAGE.read_text(encoding="utf-8")
    if update:
        page = re.sub(rf"^\| `{game.spec}\.grid`.*$", lambda _: row, page, flags=re.MULTILINE)
        PAGE.write_text(page, encoding="utf-8")
    assert row in page, f"docs/conformance.md does not say so: {row}"
