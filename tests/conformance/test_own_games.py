"""Tag, the heavy boxes and capture the flag against their rules written out again, joint step by joint step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.conformance.joint import Ours, draws

STEPS = 4000
WAYS = [(0, -1), (1, 0), (0, 1), (-1, 0), (0, 0)]

Spot = tuple[int, int]


def solid(ours: Ours) -> set[Spot]:
    """Return the walls of a game."""
    rows = ours.env.spec_model.maps[0].rows
    return {(x, y) for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph == "#"}


def beside(ours: Ours, walls: set[Spot], spot: Spot, action: int) -> Spot:
    """Return the cell that a move leads to; the same one where a wall or the border is in the way."""
    there = (spot[0] + WAYS[action][0], spot[1] + WAYS[action][1])
    inside = 0 <= there[0] < ours.width and 0 <= there[1] < ours.height
    return there if inside and there not in walls else spot


def toward(rng: np.random.Generator, spot: Spot, goal: Spot, chance: float) -> int:
    """Return a move that leads nearer to a place, with a chance; any action else."""
    dx, dy = goal[0] - spot[0], goal[1] - spot[1]
    good = [0] * (dy < 0) + [1] * (dx > 0) + [2] * (dy > 0) + [3] * (dx < 0)
    return int(rng.choice(good)) if good and rng.random() < chance else int(rng.integers(5))


def test_tag__follows_its_rules() -> None:
    """Places, views, rewards, who is out, and who wins."""
    ours = Ours("tag")
    walls = solid(ours)
    rng = draws(1)
    steps, caught = 0, 0
    outcomes = {"tagger_wins": 0, "runner_wins": 0}
    while steps < STEPS:
        ours.reset(steps)
        places, out = ours.places, [False] * 4
        lazy = outcomes["runner_wins"] < 3
        for step in range(1, 101):
            goal = next((places[i] for i in (1, 2, 3) if not out[i]), places[0])
            chance = 0.0 if lazy else 0.9
            joint = [toward(rng, places[0], goal, chance), *rng.integers(5, size=3).tolist()]
            before = places
            places = [
                spot if gone else beside(ours, walls, spot, action)
                for spot, action, gone in zip(places, joint, out, strict=True)
            ]
            rewards, gone_before = [0.0] * 4, list(out)
            for i in (1, 2, 3):
                swapped = places[i] == before[0] and places[0] == before[i] and places[0] != before[0]
                if not out[i] and (places[i] == places[0] or swapped):
                    rewards[0], rewards[i], out[i] = rewards[0] + 1, -1.0, True
                    caught += 1
            rewards = [r + 0.01 * (i > 0 and not out[i]) for i, r in enumerate(rewards)]
            over = all(out[1:])
            last = over or step == 100
            seen, mine, ended, cut, infos = ours.step(joint)
            assert ours.places == places
            assert mine == pytest.approx(rewards)
            assert ended == [last or gone for gone in out]
            for i, name in enumerate(ours.agents):
                if not gone_before[i]:
                    assert cut[i] == (step == 100)
                    check_board(seen[name], places, out)
            steps += 1
            if last:
                outcome = "tagger_wins" if over else "runner_wins"
                outcomes[outcome] += 1
                assert infos["tagger"]["outcome"] == outcome
                assert infos["tagger"]["result"] == ("win" if over else "loss")
                break
    assert caught > 50 and min(outcomes.values()) >= 3, (caught, outcomes)


def check_board(seen: Any, places: list[Spot], out: list[bool]) -> None:
    """Compare where the tagger and the runners that are in are seen."""
    taggers = {(int(x), int(y)) for y, x in np.argwhere(seen["board"][..., 1])}
    runners = {(int(x), int(y)) for y, x in np.argwhere(seen["board"][..., 2])}
    assert taggers == {places[0]}
    assert runners == {spot for spot, gone in zip(places[1:], out[1:], strict=True) if not gone}


def test_heavy_boxes__move_only_where_two_stand_beside_them() -> None:
    """Porters, boxes, rewards and ends; a box moves only where two stood beside it at the end of the step before."""
    ours = Ours("heavy_boxes")
    walls, targets = solid(ours), {(7, 2), (7, 3)}
    rng = draws(2)
    steps, pushes, scored, solved = 0, 0, 0, 0
    while steps < STEPS:
        ours.reset(steps)
        light: dict[Spot, bool] = dict.fromkeys(ours.things("box").values(), False)
        places = ours.places
        for step in range(1, 201):
            joint = [porter(rng, places, light, targets, who) for who in range(2)]
            old = list(light)
            places, light, moved = carried_on(ours, walls, places, light, joint)
            pushes += moved
            reward = -0.1 + len(set(light) & targets) - len(set(old) & targets)
            done = set(light) == targets
            seen, mine, ended, cut, _ = ours.step(joint)
            where = f"step {steps}: {joint} {old} -> {light}"
            assert ours.places == places, where
            assert set(ours.things("box").values()) == {
                box for box, is_light in light.items() if not is_light
            }, where
            assert set(ours.things("lifted").values()) == {box for box, is_light in light.items() if is_light}
            assert mine == pytest.approx([reward + 10 * done] * 2), where
            assert ended == [done] * 2 and cut == [step == 200] * 2
            for who, view in enumerate(seen.values()):
                assert (tuple(view["me"]), tuple(view["partner"])) == (places[who], places[1 - who])
            steps += 1
            scored += bool(set(light) & targets)
            solved += done
            if done:
                break
    assert pushes > 50 and scored > 5 and solved > 0, (pushes, scored, solved)


def carried_on(
    ours: Ours, walls: set[Spot], places: list[Spot], light: dict[Spot, bool], joint: list[int]
) -> tuple[list[Spot], dict[Spot, bool], int]:
    """Return where porters and boxes are after a joint step, and how many boxes were pushed."""
    wish = [beside(ours, walls, spot, action) for spot, action in zip(places, joint, strict=True)]
    wish = [spot if light.get(there) is False else there for spot, there in zip(places, wish, strict=True)]
    wish = settled(places, wish)
    moved = 0
    for who in range(2):
        box = wish[who]
        if box in light and box != places[who]:
            beyond = beside(ours, walls, box, joint[who])
            if beyond == box or beyond in light or beyond in places or beyond in wish:
                wish[who] = places[who]
            else:
                light = {(beyond if spot == box else spot): is_light for spot, is_light in light.items()}
                moved += 1
    wish = settled(places, wish)
    two_beside = {box: sum(abs(box[0] - x) + abs(box[1] - y) == 1 for x, y in wish) >= 2 for box in light}
    return wish, two_beside, moved


def settled(places: list[Spot], wish: list[Spot]) -> list[Spot]:
    """Return where two go that neither share a cell nor change places."""
    while wish != places and (wish[0] == wish[1] or (wish[0] == places[1] and wish[1] == places[0])):
        loser = 0 if wish[0] != places[0] else 1
        both = wish[0] != places[0] and wish[1] != places[1]
        wish = list(places) if both else [places[i] if i == loser else wish[i] for i in range(2)]
    return wish


def porter(
    rng: np.random.Generator, places: list[Spot], light: dict[Spot, bool], targets: set[Spot], who: int
) -> int:
    """Return an action that gets boxes to the right: one pushes from the left, the other walks beside it."""
    if rng.random() < 0.3:
        return int(rng.integers(5))
    boxes = [box for box in light if box not in targets] or list(light)
    box = max(boxes, key=lambda spot: (spot[0], spot[1]))
    up = 1 if (box[0], box[1] + 1) not in light else -1
    post = (box[0] - 1, box[1]) if who == 0 else (box[0], box[1] + up)
    if places[who] == post:
        return 1 if light[box] else 4
    return toward(rng, places[who], post, 1.0)


def test_capture_the_flag__follows_its_rules() -> None:
    """Places, flags, rewards to the teams, and who wins."""
    ours = Ours("capture_the_flag")
    walls = solid(ours)
    homes = {"red": (0, 3), "blue": (14, 3)}
    rng = draws(3)
    steps, tags, taken = 0, 0, 0
    outcomes = {"red_wins": 0, "blue_wins": 0, "truncated": 0}
    while steps < STEPS:
        ours.reset(steps)
        game = Flags(ours, walls, homes)
        assert {*game.places[:2]} == {(0, 0), (0, 6)} and {*game.places[2:]} == {(14, 0), (14, 6)}
        bold = int(rng.integers(3))
        for step in range(1, 101):
            joint = [game.wish(rng, who, 0.85 if bold == who // 2 else 0.1) for who in range(4)]
            outcome = game.step(joint)
            seen, rewards, ended, cut, infos = ours.step(joint)
            won = {"red_wins": [1.0, 1.0, -1.0, -1.0], "blue_wins": [-1.0, -1.0, 1.0, 1.0], None: [0.0] * 4}
            assert ours.places == game.places, f"step {steps}"
            assert rewards == won[outcome]
            assert ended == [outcome is not None] * 4 and cut == [step == 100] * 4
            for team in ("red", "blue"):
                lying = list(ours.things(f"{team}_flag").values())
                assert lying == [spot for spot in [game.flags[team]] if isinstance(spot, tuple)]
            for who, view in enumerate(seen.values()):
                assert tuple(view["me"]) == game.places[who]
            steps += 1
            if outcome or step == 100:
                outcomes[outcome or "truncated"] += 1
                for name, info in infos.items():
                    team = name.partition("_")[0]
                    assert info["outcome"] == (outcome or "truncated")
                    assert info["result"] == ("" if outcome is None else "win" if team in outcome else "loss")
                break
        tags, taken = tags + game.tags, taken + game.taken
    assert tags > 20 and taken > 20 and min(outcomes.values()) > 0, (tags, taken, outcomes)


class Flags:
    """Capture the flag: places, and each flag in a cell or in a hand."""

    def __init__(self, ours: Ours, walls: set[Spot], homes: dict[str, Spot]) -> None:
        self.ours, self.walls, self.homes = ours, walls, homes
        self.places = ours.places
        self.starts = list(self.places)
        self.flags: dict[str, Spot | int] = dict(homes)
        self.teams = ["red", "red", "blue", "blue"]
        self.tags = self.taken = 0
        self.ways: dict[Spot, dict[Spot, int]] = {}

    def foe(self, who: int) -> str:
        """Return the other team."""
        return "blue" if self.teams[who] == "red" else "red"

    def wish(self, rng: np.random.Generator, who: int, chance: float) -> int:
        """Return an action that goes for the flag, or home with it."""
        there = self.flags[self.foe(who)]
        home = self.homes[self.teams[who]]
        goal = there if isinstance(there, tuple) else home if there == who else self.places[there]
        if rng.random() > chance:
            return int(rng.integers(5))
        far = self.far(goal)
        moves = [beside(self.ours, self.walls, self.places[who], action) for action in range(5)]
        return int(np.argmin([far[spot] for spot in moves]))

    def far(self, goal: Spot) -> dict[Spot, int]:
        """Return the length of the way to a place from every other."""
        if goal not in self.ways:
            found, queue = {goal: 0}, [goal]
            for spot in queue:
                for action in range(4):
                    there = beside(self.ours, self.walls, spot, action)
                    if there not in found:
                        found[there] = found[spot] + 1
                        queue.append(there)
            self.ways[goal] = found
        return self.ways[goal]

    def enter(self, who: int) -> str | None:
        """Let an agent come into its cell; return the outcome where that wins."""
        spot, team, foe = self.places[who], self.teams[who], self.foe(who)
        won = spot == self.homes[team] and self.flags[foe] == who
        back = self.flags[team] == spot and spot != self.homes[team]
        if self.flags[foe] == spot:
            self.flags[foe] = who
            self.taken += 1
        if back:
            self.flags[team] = self.homes[team]
        return f"{team}_wins" if won else None

    def step(self, joint: list[int]) -> str | None:
        """Carry out a joint step; return the outcome where one wins."""
        before = list(self.places)
        self.places = [
            beside(self.ours, self.walls, spot, action) for spot, action in zip(before, joint, strict=True)
        ]
        after = list(self.places)
        outcome = None
        for who in range(4):
            if after[who] != before[who]:
                outcome = self.enter(who) or outcome
        for red in (0, 1):
            for blue in (2, 3):
                moved = after[red] != before[red] or after[blue] != before[blue]
                together = self.places[red] == self.places[blue] and moved
                swapped = self.places[red] == before[blue] and self.places[blue] == before[red] and moved
                if together or swapped:
                    sent = [who for who, far in ((red, self.east(red)), (blue, self.west(blue))) if far]
                    for who in sent:
                        outcome = self.sent_back(who) or outcome
        return outcome

    def east(self, who: int) -> bool:
        """Whether an agent is on the blue side."""
        return self.places[who][0] >= 8

    def west(self, who: int) -> bool:
        """Whether an agent is on the red side."""
        return self.places[who][0] <= 6

    def sent_back(self, who: int) -> str | None:
        """Let an agent drop what it holds, and go to its start."""
        self.tags += 1
        foe = self.foe(who)
        if self.flags[foe] == who and self.places[who] not in self.flags.values():
            self.flags[foe] = self.places[who]
        moved = self.places[who] != self.starts[who]
        self.places[who] = self.starts[who]
        return self.enter(who) if moved else None
