"""Measure environments of `griddsl.jax` beside those that others wrote for JAX, all inside `lax.scan`, in one process.

They want an environment of their own: `pip install 'griddsl[jax]' gymnax six jaxmarl xminigrid navix ludax`; what is
not there is left out, and said. Run it with `python benchmarks/jax_peers.py`, on one core (`taskset -c 0`), because JAX
takes all that there are;
`--platform gpu` measures on an accelerator, `--batches 64,1024,65536` with as many games at once, `--alone` ours
without the others, and `--native` puts our batch without JAX beside XLand-MiniGrid and NAVIX. `--write` puts the table
into the page on performance.

A game has compiled once its functions were traced and compiled and played their first steps, after JAX itself has
started. The observation is handed on from step to step, so that it is there; rewards are summed; actions are random
and drawn before. Where a game has a mask, the first allowed action from there on is taken, on both sides. On a
processor its time counts, of all threads; on an accelerator the time of the clock.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from jax_others import Functions, gymnax, ludax, navix, overcooked, xland
from timing import HEAD, Run, batch, compared, row, short, timed, versions, write

BATCH, ROLL = 1024, 64


@dataclass(frozen=True)
class Game:
    """A batch of games: ``run`` plays some steps of it."""

    run: Run
    compiling: float  # seconds
    size: int  # bytes of one state


@dataclass(frozen=True)
class Work:
    """What is measured: a game of ours and that of another, each made when its turn comes."""

    name: str
    ours: Callable[[], Functions]
    peer: str
    theirs: Callable[[], Functions]
    module: str  # that has to be installed
    goal: float = 1.0  # how many times as fast as the other


def scanned(count: int, game: Functions, clock: Callable[[], float] = time.process_time) -> Game:
    """Return many steps of a batch in one compiled call."""
    import jax

    jnp = jax.numpy
    keys = jax.random.split(jax.random.key(0), count)
    start = clock()
    kept = [jax.jit(jax.vmap(game.reset))(keys)]
    shape = (ROLL, count, game.agents) if game.agents else (ROLL, count)
    rows = jnp.asarray(np.random.default_rng(0).integers(0, game.actions, shape), np.int32)

    def taken(state: Any, wanted: Any) -> Any:
        """Return actions that are allowed: the first from the wanted ones on."""
        if game.allowed is None:
            return wanted
        order = (jnp.arange(game.actions, dtype=np.int32) + wanted[..., None]) % game.actions
        may = jnp.take_along_axis(game.allowed(state), order, -1)
        return (wanted + may.argmax(-1).astype(np.int32)) % game.actions

    @jax.jit
    def roll(kept: Any, key: Any, rows: Any) -> Any:
        def once(kept: Any, given: Any) -> tuple[Any, Any]:
            key, row = given
            keys = jax.random.split(key, count)
            row = jax.vmap(taken)(kept[1], row)
            observation, state, reward = jax.vmap(game.step)(keys, kept[1], row)
            return (observation, state), reward.sum()

        return jax.lax.scan(once, kept, (jax.random.split(key, ROLL), rows))

    def run() -> None:
        kept[0], gained = roll(kept[0], keys[0], rows)
        jax.block_until_ready(gained)

    run()
    compiling = clock() - start
    size = sum(leaf.nbytes for leaf in jax.tree.leaves(kept[0][1])) // count
    return Game((run, ROLL * count), compiling, size)


def ours(source: str, **params: Any) -> Callable[[], Functions]:
    """Return how an environment of ours is made; its chance comes from the stream that lives in the state."""

    def made() -> Functions:
        import griddsl.jax

        env = griddsl.jax.make(source, **params)

        def step(_: Any, state: Any, action: Any) -> Any:
            return env.step(None, state, action)[:3]

        allowed = env.action_mask if env.player.mask else None
        return Functions(env.reset, step, env.num_actions, allowed=allowed)

    return made


def ours_of_several(source: str, **params: Any) -> Callable[[], Functions]:
    """Return how an environment of ours for several is made: all act, and where they take turns one action counts."""

    def made() -> Functions:
        import griddsl.jax

        env = griddsl.jax.make_parallel(source, **params)
        agents = env.agents

        def step(_: Any, state: Any, row: Any) -> Any:
            actions = {name: row[k] for k, name in enumerate(agents)}
            seen, state, rewards, _, _ = env.step(None, state, actions)
            return seen, state, rewards[agents[0]]

        def allowed(state: Any) -> Any:
            masks = env.get_avail_actions(state)
            return import_module("jax").numpy.stack([masks[name] for name in agents])

        masked = any(player.mask for player in env.program.players)
        actions = int(env.action_space(agents[0]).n)
        return Functions(env.reset, step, actions, len(agents), allowed if masked else None)

    return made


GRID_WORLD = """
env: bench/LudaxGridWorld-v0
map:
    @....
    ####.
    ...#.
    .#.#.
    GO...
legend: G = goal, O = pit
actions: up, right, down, left
allow up: can up
allow right: can right
allow down: can down
allow left: can left
observe: grid as planes (agent, wall)
on enter goal: reward 1, end success
on enter pit: reward -1, end failure
limit: none
"""  # Ludax's example: the same map, and a step into a wall is not allowed


def works() -> list[Work]:
    """Return what is measured, in the order of the table."""
    door = ours("griddsl/DoorKey-v0", size=8)
    small = [
        ("Deep Sea", ours("griddsl/DeepSea-v0", size=8), "DeepSea-bsuite"),
        ("FrozenLake", ours("griddsl/FrozenLake-v0"), "FrozenLake-misc"),
        ("FourRooms", ours("griddsl/FourRooms-v0"), "FourRooms-misc"),
        ("Catch", ours("griddsl/Catch-v0"), "Catch-bsuite"),
        ("MetaMaze", ours("griddsl/MetaMaze-v0"), "MetaMaze-misc"),
    ]
    minatar = {"Breakout": 1.0, "Freeway": 1.0, "SpaceInvaders": 1.0, "Asterix": 1.0, "Seaquest": 10.0}
    boards = {"TicTacToe": "tic_tac_toe", "ConnectFour": "connect_four", "Reversi": "reversi"}
    return [
        Work("DoorKey-8x8", door, "XLand-MiniGrid", xland, "xminigrid", 1.5),
        Work("DoorKey-8x8", door, "NAVIX", navix, "navix", 2.5),
        *[Work(name, mine, "Gymnax", partial(gymnax, peer), "gymnax") for name, mine, peer in small],
        *[
            Work(
                f"MinAtar {name}",
                ours(f"griddsl/MinAtar-{name}-v1"),
                "Gymnax",
                partial(gymnax, f"{name}-MinAtar"),
                "gymnax",
                goal,
            )
            for name, goal in minatar.items()
        ],
        Work("Ludax's grid world", ours(GRID_WORLD), "Ludax", partial(ludax, "gridworld"), "ludax", 10.0),
        *[
            Work(name, ours_of_several(f"griddsl/{name}-v0"), "Ludax", partial(ludax, peer), "ludax")
            for name, peer in boards.items()
        ],
        Work(
            "Overcooked, cramped_room",
            ours_of_several("griddsl/Overcooked-v0", level="cramped_room"),
            "JaxMARL",
            overcooked,
            "jaxmarl",
        ),
    ]


TABLE = [
    "| work | games | a step | compiles | a state | against | its step | compiles | a state "
    "| ratio (middle half) | goal |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
]


ALONE = [
    "| work | games | a step of all of them | steps a second | a state | compiles |",
    "|---|---|---|---|---|---|",
]


def line(work: Work, count: int, given: Any, clock: Callable[[], float]) -> str:
    """Measure, and return a line of the table."""
    mine, theirs = scanned(count, work.ours(), clock), scanned(count, work.theirs(), clock)
    our, their, (low, median, high) = compared(mine.run, theirs.run, given.repeats, given.seconds, clock)
    first = f"| {work.name} | {count:,} | {short(our)} | {mine.compiling:.1f} s | {mine.size} B "
    other = f"| {work.peer} | {short(their)} | {theirs.compiling:.1f} s | {theirs.size} B "
    return f"{first}{other}| **{median:.2f}x** ({low:.2f} to {high:.2f}) | {work.goal:g}x |"


def alone(count: int, name: str, game: Functions, given: Any, clock: Callable[[], float]) -> str:
    """Measure a game of ours, and return a line of the table of those."""
    mine = scanned(count, game, clock)
    a_step = statistics.median(timed(mine.run, given.seconds, clock) for _ in range(given.repeats))
    for_all = f"{a_step * count / 1000:,.0f} us"
    return f"| {name} | {count:,} | {for_all} | {1e9 / a_step:.3g} | {mine.size} B | {mine.compiling:.1f} s |"


def native(given: Any) -> None:
    """Measure our batch without JAX beside the others' DoorKey, and write."""
    from griddsl.envs.batch.vector_env import GridVectorEnv
    from griddsl.registration.ids import spec_path

    lines = []
    for name, peer in (("xminigrid", xland), ("navix", navix)):
        if find_spec(name):
            theirs = scanned(BATCH, peer())
            ours = batch(lambda: GridVectorEnv(spec_path("DoorKey"), BATCH))
            found = compared(ours, theirs.run, given.repeats, given.seconds)
            against = f"{name} in `lax.scan` (compiles {theirs.compiling:.0f} s)"
            lines.append(row(f"DoorKey-8x8, batch of {BATCH:,}", against, found))
            print(lines[-1], flush=True)
    if given.write:
        write("jax", [*HEAD, *lines, "", f"{versions('jax', 'xminigrid', 'navix')}; time of the processor."])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of one timed run")
    parser.add_argument("--batches", default=str(BATCH), help="how many games at once, with commas")
    parser.add_argument("--platform", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--only", default="", help="works whose name has this in it")
    parser.add_argument("--alone", action="store_true", help="ours without the others")
    parser.add_argument("--native", action="store_true", help="our batch without JAX")
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    given = parser.parse_args()
    if given.platform == "cpu":
        os.environ["JAX_PLATFORMS"] = "cpu"
    elif import_module("jax").default_backend() == "cpu":
        parser.error("JAX finds no accelerator here: a GPU wants `pip install 'jax[cuda13]'`")
    if given.native:
        native(given)
        return
    clock = time.process_time if given.platform == "cpu" else time.perf_counter
    cliff = ours("griddsl/CliffWalking-v0")
    # What JAX itself needs the first time, a second and more, is no part of what the first game takes to compile.
    scanned(BATCH, cliff())
    counts = [int(count) for count in given.batches.split(",")]
    wanted = [work for work in works() if given.only.lower() in f"{work.name} {work.peer}".lower()]
    if given.alone:
        print("\n".join(ALONE), flush=True)
        for name, made in {"CliffWalking": cliff, **{work.name: work.ours for work in wanted}}.items():
            for count in counts:
                print(alone(count, name, made(), given, clock), flush=True)
        return
    print("\n".join(TABLE), flush=True)
    lines = []
    for work in wanted:
        if not find_spec(work.module):
            print(
                f"{work.name}: {work.module} is not installed, so it is left out", file=sys.stderr, flush=True
            )
            continue
        for count in counts:
            lines.append(line(work, count, given, clock))
            print(lines[-1], flush=True)
    used = f"{versions('jax', 'gymnax', 'xminigrid', 'navix', 'ludax', 'jaxmarl')}; {given.platform}."
    print(f"\n{used}")
    if given.write:
        write("jax in scan", [*TABLE, *lines, "", used])


if __name__ == "__main__":
    main()
