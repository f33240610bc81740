"""MinAtar's games step by step beside their own code: one state, one action, the same draws, everything compared."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

pytest.importorskip("minatar")

from minatar import Environment

from tests.conformance.minatar_games import GAMES, Game, Ours, Recorder

STEPS = 6000


@pytest.mark.parametrize("ramping", [True, False], ids=["ramping", "steady"])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_steps__agree_with_the_original(game: Game, ramping: bool) -> None:
    """Planes, reward and end agree in every step, with what either draws handed over, sticky actions included."""
    name = re.sub(r"(?<!^)([A-Z])", r"_\1", game.name).lower()
    theirs = Environment(name, difficulty_ramping=ramping)
    random = Recorder(5)
    random.drawn = []
    theirs.random = theirs.env.random = random
    params = {"difficulty_ramping": ramping} if hasattr(theirs.env, "ramping") else {}
    ours = Ours(game, **params)
    letters = [theirs.env.action_map[number] for number in theirs.minimal_action_set()]
    assert ours.env.action_space.n == len(letters)
    rng = np.random.default_rng(3)
    steps = episode = scored = ended = stuck = crowded = 0
    while steps < STEPS:
        theirs.reset()
        if game.stir is not None and episode % 2:
            game.stir(theirs.env, rng)
        ours.put(game.tell(theirs.env))
        random.is_first, over, played = True, False, 0
        skill = (0.0, 0.6, 0.95)[episode % 3] if game.skilled else 0.0
        limit = 3000 if skill > 0.9 else 400
        while not over and played < limit:
            action = int(rng.integers(len(letters)))
            if game.skilled is not None and rng.random() < skill:
                action = letters.index(game.skilled(theirs.env))
            random.drawn = []
            last = theirs.last_action
            reward, over = theirs.act(theirs.env.action_map.index(letters[action]))
            sticky, *drawn = random.drawn
            repeats = played > 0 and sticky < 0.1
            stuck += repeats and theirs.env.action_map.index(letters[action]) != last
            ours.pending = iter([*([int(repeats)] if played else []), *game.hand(theirs.env, drawn)])
            if not game.is_told(theirs.env):
                crowded += 1
                break
            seen, my_reward, my_over, cut, _ = ours.env.step(action)
            where = f"{game}, episode {episode}, step {played}, {letters[action]}{' (sticky)' * repeats}"
            check(seen, theirs.state(), where)
            assert my_reward == float(reward), where
            assert my_over == bool(over) and not cut, where
            assert next(ours.pending, None) is None, f"{where}: they drew more than we"
            played, scored, ended = played + 1, scored + int(reward), ended + bool(over)
        steps, episode = steps + played, episode + 1
    assert scored > 20 and ended > (1 if game.name == "Freeway" else 5) and stuck > 100, (
        scored,
        ended,
        stuck,
    )


def check(seen: Any, state: Any, where: str) -> None:
    """Compare the planes bit for bit."""
    if not np.array_equal(seen, state):
        planes = [k for k in range(state.shape[2]) if not np.array_equal(seen[..., k], state[..., k])]
        shown = "\n".join(
            f"plane {k}: ours\n{seen[..., k]}\ntheirs\n{state[..., k].astype(int)}" for k in planes[:1]
        )
        raise AssertionError(f"{where}: planes {planes} differ\n{shown}")
