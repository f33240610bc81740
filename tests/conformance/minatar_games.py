"""MinAtar's games beside ours: how a state of theirs becomes one of ours, and what their draws are in our words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import griddsl

SPECS = Path(__file__).parents[2] / "specs"
Thing = tuple[str, int, int, dict[str, int]]
WEST, EAST = 0, 1


@dataclass
class Situation:
    """A state in our words: variables, the agent's cell and attributes, and things with theirs."""

    at: tuple[int, int]
    variables: dict[str, int] = field(default_factory=dict)
    agent: dict[str, int] = field(default_factory=dict)
    things: list[Thing] = field(default_factory=list)
    tiles: list[tuple[str, int, int]] = field(default_factory=list)
    step: int = 0


@dataclass(frozen=True)
class Game:
    """One of MinAtar's games: its spec, how its state is told, how its draws are handed over, how it is played."""

    name: str
    spec: str
    tell: Callable[[Any], Situation]
    hand: Callable[[Any, list[Any]], Iterator[int]]
    skilled: Callable[[Any], str] | None = None
    stir: Callable[[Any, np.random.Generator], None] | None = None
    is_told: Callable[[Any], bool] = lambda env: True
    differs: str = "-"

    def __str__(self) -> str:
        return self.name

    @property
    def module(self) -> str:
        """What the game is called in the original's code."""
        return self.spec.removeprefix("minatar_")


class Ours:
    """Our environment in Python, which takes states and draws from outside."""

    def __init__(self, game: Game, source: Any = None, **params: Any) -> None:
        self.env = griddsl.make(source or SPECS / f"{game.spec}.grid", backend="python", **params)
        self.env.reset(seed=0)
        self.program = self.env.program
        self.fresh = self.env.get_state()
        self.codes = {kind.name: kind.code for kind in self.program.kinds}
        self.pending: Iterator[int] = iter(())
        run = self.env._machine.functions["step"].__globals__
        run.update(draw=self._draw, odds=self._odds, weighted=self._weighted)

    def _draw(self, stream: Any, count: int) -> int:
        drawn = next(self.pending)
        assert 0 <= drawn < count
        return drawn

    def _odds(self, stream: Any, wins: int, of: int) -> bool:
        return bool(next(self.pending))

    def _weighted(self, stream: Any, totals: Any) -> int:
        return next(self.pending)

    def put(self, told: Situation) -> None:
        """Set the state."""
        offsets = self.program.layout.offsets
        lengths = {slot.key: slot.length for slot in self.program.slots}
        integers, reals, stream = self.fresh
        state = list(integers)
        width = self.program.width
        for key in offsets:
            if key in ("OBJECT_KIND", "OBJECT_CELL", "OBJECT_AT") or key[0] == "OBJECT_AT":
                state[offsets[key] : offsets[key] + lengths[key]] = [-1] * lengths[key]
        for name, value in told.variables.items():
            state[offsets["VAR", name]] = int(value)
        for name, value in told.agent.items():
            state[offsets["AGENT", name]] = int(value)
        state[offsets["AGENT_CELL"]] = told.at[1] * width + told.at[0]
        if told.tiles:
            state[offsets["TILE"] : offsets["TILE"] + lengths["TILE"]] = [0] * lengths["TILE"]
        for kind, x, y in told.tiles:
            state[offsets["TILE"] + y * width + x] = self.codes[kind]
        for index, (kind, x, y, attributes) in enumerate(told.things):
            cell = y * width + x
            state[offsets["OBJECT_KIND"] + index] = self.codes[kind]
            state[offsets["OBJECT_CELL"] + index] = cell
            layer = next(key for key in self._layers(kind) if key in offsets)
            assert state[offsets[layer] + cell] == -1, f"two things of one layer at {x}, {y}"
            state[offsets[layer] + cell] = index
            for name, value in attributes.items():
                state[offsets["OBJECT", name] + index] = int(value)
        if "STEP" in offsets:
            state[offsets["STEP"]] = told.step
        if "OBJECTS" in offsets:
            state[offsets["OBJECTS"]] = len(told.things)
        self.env.set_state((tuple(state), reals, stream))

    def _layers(self, kind: str) -> Iterator[Any]:
        declared = next(each for each in self.env.spec_model.kinds if each.name == kind)
        layers = [item.word for item in declared.items if getattr(item, "name", "") == "layer"]
        yield from (("OBJECT_AT", layer) for layer in layers)
        yield "OBJECT_AT"


class Recorder(np.random.RandomState):
    """Their stream of random numbers, which notes what a step drew."""

    is_first = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.drawn: list[Any] = []

    def rand(self, *shape: int) -> Any:
        """Draw as they do; the first step of an episode never repeats the last action of the one before."""
        found: Any = super().rand(*shape)
        if not shape and self.is_first:
            self.is_first = False
            found = 0.99
        self.drawn.append(found)
        return found

    def randint(self, *args: Any, **kwargs: Any) -> Any:
        """Draw as they do."""
        found = super().randint(*args, **kwargs)
        self.drawn.append(np.copy(found))  # Freeway gives its speeds a sign in place
        return found


# Breakout -----------------------------------------------------------------------------------------------------


def tell_breakout(env: Any) -> Situation:
    """The ball's direction as two steps; the trail as a thing."""
    dx, dy = [(-1, -1), (1, -1), (1, 1), (-1, 1)][env.ball_dir]
    bricks = [("brick", x, y) for y in range(10) for x in range(10) if env.brick_map[y, x]]
    return Situation(
        (env.pos, 9),
        {"strike": env.strike},
        things=[
            ("ball", env.ball_x, env.ball_y, {"dx": dx, "dy": dy}),
            ("trail", env.last_x, env.last_y, {}),
        ],
        tiles=bricks or [("floor", 0, 0)],
    )


def play_breakout(env: Any) -> str:
    """Go below where the ball comes down."""
    dx = 1 if env.ball_dir in (1, 2) else -1
    where = min(9, max(0, env.ball_x + dx)) if env.ball_y == 8 else env.ball_x
    return "l" if where < env.pos else "r" if where > env.pos else "n"


def no_draws(env: Any, drawn: list[Any]) -> Iterator[int]:
    """Nothing but what is sticky is drawn."""
    assert not drawn
    yield from ()


# Freeway ------------------------------------------------------------------------------------------------------


def tell_freeway(env: Any) -> Situation:
    """A car's signed speed as a way and a period."""
    cars = [
        ("car", x, y, {"way": EAST if speed > 0 else WEST, "period": abs(speed), "timer": timer})
        for x, y, timer, speed in env.cars
    ]
    return Situation(
        (4, env.pos), agent={"rest": env.move_timer}, things=cars, step=2500 - env.terminate_timer
    )


def hand_freeway(env: Any, drawn: list[Any]) -> Iterator[int]:
    """All periods, then all ways, become a way and a period a car."""
    if drawn:
        speeds, ways = drawn
        for speed, way in zip(speeds, ways, strict=True):
            yield EAST if way > 0.5 else WEST
            yield int(speed) - 1


# Asterix ------------------------------------------------------------------------------------------------------


def tell_asterix(env: Any) -> Situation:
    """One thing a row."""
    things = [
        ("thing", each[0], each[1], {"way": EAST if each[2] else WEST, "color": int(each[3])})
        for each in env.entities
        if each is not None
    ]
    names = {"spawn_speed", "spawn_timer", "move_speed", "move_timer", "ramp_timer", "ramp_index"}
    return Situation(
        (env.player_x, env.player_y), {name: getattr(env, name) for name in names}, things=things
    )


def hand_asterix(env: Any, drawn: list[Any]) -> Iterator[int]:
    """Side, gold or not, and the row."""
    if drawn:
        side, gold, *row = drawn
        yield EAST if side < 1 / 2 else WEST
        yield 0 if gold < 1 / 3 else 1
        yield from (int(number) for number in row)


def stir_asterix(env: Any, rng: np.random.Generator) -> None:
    """Let all be as fast as it becomes late in an episode."""
    env.spawn_speed, env.move_speed = int(rng.integers(1, 11)), int(rng.integers(1, 6))
    env.ramp_index, env.ramp_timer = 10 - env.spawn_speed, int(rng.integers(-1, 10))


# Space Invaders -----------------------------------------------------------------------------------------------


def tell_invaders(env: Any) -> Situation:
    """Aliens, shots and bombs, row by row."""
    maps = (("alien", env.alien_map), ("shot", env.f_bullet_map), ("bomb", env.e_bullet_map))
    things: list[Thing] = [
        (kind, int(x), int(y), {}) for kind, found in maps for y, x in np.argwhere(np.asarray(found) > 0)
    ]
    return Situation(
        (env.pos, 9),
        {
            "march": EAST if env.alien_dir > 0 else WEST,
            "pace": env.enemy_move_interval,
            "move_timer": env.alien_move_timer,
            "bomb_timer": env.alien_shot_timer,
            "reload": env.shot_timer,
        },
        things=things,
    )


def play_invaders(env: Any) -> str:
    """Go below an alien, shoot, and keep out of the way of bombs."""
    if env.e_bullet_map[6:9, env.pos].any():
        return "l" if env.pos > 4 else "r"
    if env.shot_timer == 0:
        return "f"
    columns = np.flatnonzero(env.alien_map.any(axis=0))
    nearest = min(columns, key=lambda x: abs(x - env.pos))
    return "l" if nearest < env.pos else "r" if nearest > env.pos else "n"


# Seaquest -----------------------------------------------------------------------------------------------------


def tell_seaquest(env: Any) -> Situation:
    """Everything that swims, with the way it goes."""
    things: list[Thing] = [("shot", x, y, {"way": int(way)}) for x, y, way in env.f_bullets]
    # Two bombs in one cell that go one way are one from then on.
    things += [("bomb", x, y, {"way": int(way)}) for x, y, way in dict.fromkeys(map(tuple, env.e_bullets))]
    things += [("fish", x, y, {"way": int(way), "rest": rest}) for x, y, way, rest in env.e_fish]
    things += [
        ("sub", x, y, {"way": int(way), "rest": rest, "reload": reload})
        for x, y, way, rest, reload in env.e_subs
    ]
    things += [
        (f"diver_{'east' if way else 'west'}", x, y, {"way": int(way), "rest": rest})
        for x, y, way, rest in env.divers
    ]
    return Situation(
        (env.sub_x, env.sub_y),
        {
            "oxygen": max(0, env.oxygen),
            "rescued": env.diver_count,
            "surfaced": env.surface,
            "reload": env.shot_timer,
            "enemy_timer": env.e_spawn_timer,
            "diver_timer": env.d_spawn_timer,
            "enemy_speed": env.e_spawn_speed,
            "swim_speed": env.move_speed,
            "ramp": env.ramp_index,
        },
        {"way": int(env.sub_or)},
        things,
    )


def hand_seaquest(env: Any, drawn: list[Any]) -> Iterator[int]:
    """Side, submarine or fish, row; then a diver's side and row."""
    left = list(drawn)
    if len(left) in (3, 5):
        side, sub, row = left[:3]
        yield EAST if side < 1 / 2 else WEST
        yield 0 if sub < 1 / 3 else 1
        yield int(row) - 1
        del left[:3]
    if left:
        side, row = left
        yield EAST if side < 1 / 2 else WEST
        yield int(row) - 1


def play_seaquest(env: Any) -> str:
    """Shoot often, go to a diver, and come up for air with one."""
    if env.shot_timer == 0 and env.sub_y > 0:
        return "f"
    if env.diver_count and (env.oxygen < 60 or env.diver_count == 6):
        return "u"
    if env.divers:
        x, y = min(env.divers, key=lambda each: abs(each[0] - env.sub_x) + abs(each[1] - env.sub_y))[:2]
        return "u" if y < env.sub_y else "d" if y > env.sub_y else "l" if x < env.sub_x else "r"
    return "d" if env.sub_y < 4 else "n"


def is_apart(env: Any) -> bool:
    """Whether no two of a kind are in one cell, which a state of ours cannot tell."""
    return all(
        len({(each[0], each[1]) for each in crowd}) == len(crowd) for crowd in (env.e_fish, env.e_subs)
    )


def stir_seaquest(env: Any, rng: np.random.Generator) -> None:
    """Let all be nearly as fast as it becomes, and some divers be aboard."""
    env.ramp_index = int(rng.integers(0, 13))
    env.e_spawn_speed = 20 - env.ramp_index
    env.move_speed = max(2, 5 - env.ramp_index // 2)
    env.diver_count = int(rng.choice([-1, 0, 1, 5, 6]))
    env.oxygen = int(rng.integers(1, 201))


GAMES = [
    Game("Breakout", "minatar_breakout", tell_breakout, no_draws, play_breakout),
    Game("Freeway", "minatar_freeway", tell_freeway, hand_freeway, lambda env: "u"),
    Game("Asterix", "minatar_asterix", tell_asterix, hand_asterix, stir=stir_asterix),
    Game("SpaceInvaders", "minatar_space_invaders", tell_invaders, no_draws, play_invaders),
    Game(
        "Seaquest",
        "minatar_seaquest",
        tell_seaquest,
        hand_seaquest,
        play_seaquest,
        stir_seaquest,
        is_apart,
        "two fish (or submarines) that are in one cell in the original, which happens once they come faster than they "
        "swim, after fourteen surfacings, are one here; such states are left out",
    ),
]
