"""The ways in which a spec is played; each is compared with single environments on the Python backend."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium as gym
import numpy as np

import griddsl
from griddsl.backends.javascript.emit import Unsuitable
from griddsl.backends.table import enumeration as table
from griddsl.backends.table.suitable import refusal as no_table
from griddsl.compiling.cache import Compiled
from griddsl.envs.batch.parallel_vec import GridParallelVectorEnv
from griddsl.envs.batch.vector_env import GridVectorEnv
from griddsl.envs.single.grid_env import GridEnv
from griddsl.program.program import Program
from griddsl.program.verify import verify
from tests.agreement.asking import asking
from tests.agreement.comparing import MODES, assert_same
from tests.agreement.in_node import NODE, assert_agrees
from tests.fuzz.specs.traces import Case, base_trace, made, same_traces, sampled, trace
from tests.typed import grid_env

COUNT = 4


def check_base(case: Case) -> None:
    """Everything the Python backend gives lies in its spaces, and stays as it was given."""
    base_trace(case)


def check_pictures(case: Case) -> None:
    """Pictures, texts, missions and words are there at any moment."""
    env = made(case)
    for number, moment in enumerate(trace(env, replace(case, steps=8))):
        if moment[0] == "refused":
            return
        env.text(), env.mission()
        if number % 4 == 0:
            assert env.render().dtype == np.uint8
            env.scene()


def backends(case: Case) -> list[str]:
    """Return the other backends that run a spec."""
    native = ["native"] if case.native else []
    return ["table", *native] if not case.is_joint and _is_tabled(case.compiled.program) else native


def _is_tabled(program: Program) -> bool:
    if no_table(program) is not None:
        return False
    return isinstance(table.tabled(program, table.affordable(program, table.AUTO_BOUND)), table.Table)


def check_backends(case: Case) -> None:
    """Every backend has the same trace."""
    expected = base_trace(case)
    for backend in backends(case):
        env = made(case, backend)
        assert env.backend == backend
        same_traces(trace(env, case), expected, backend, case)


def check_javascript(case: Case) -> None:
    """The module that is written of a spec gives the same in Node, where that is installed."""
    if NODE is None:
        return
    with TemporaryDirectory() as folder:
        try:
            steps = assert_agrees(case.compiled, Path(folder), (case.seed, case.seed + 1), case.steps)
        except Unsuitable:
            return
    case.compared.append(steps)


def check_verified(case: Case) -> None:
    """All that the program claims is proved, in each of its forms."""
    program = case.compiled.program
    if any(table.key[0] == "AROUND" and len(table.values) > program.cells for table in program.tables):
        return  # a loop over more cells than the map has, which only the fuzzer asks for: it proves no count of them
    for form in (program, program.plain, program.structured):
        verify(form)


def check_structured(case: Case) -> None:
    """Without `Break`, and with one `Return` a function, a program has the same trace."""
    other = replace(case, compiled=Compiled(case.compiled.program.structured, case.compiled.model))
    same_traces(trace(made(other), case), base_trace(case), "structured", case)


def check_claims(case: Case) -> None:
    """A program that asks of each claim whether it holds has the same trace."""
    expected = base_trace(case)
    with asking():
        env = made(case)
    same_traces(trace(env, case), expected, "asking", case)


def check_copies(case: Case) -> None:
    """Copied, pickled, restored and anew: the same future."""
    for backend in ("python", *backends(case)):
        env = made(case, backend)
        moments = list(trace(env, replace(case, steps=7)))
        if moments[-1][0] == "refused":
            return
        copies = {"a copy": copy.deepcopy(env), "a pickle": pickle.loads(pickle.dumps(env))}
        if not case.is_joint:
            copies["restored"] = made(case)
            copies["restored"].set_state(env.get_state())
        env.set_state(env.get_state())
        later = replace(case, seed=case.seed + 1, steps=15)
        expected = list(trace(env, later, begin=False))
        for name, other in copies.items():
            same_traces(trace(other, later, begin=False), expected, f"{name} ({backend})", case)


# Batches


def check_batches(case: Case) -> None:
    """A batch is its environments, in every mode and for any number of threads."""
    if case.is_joint:
        _joint_batches(case)
        return
    for mode in MODES:
        for backend, threads in _runs(case):
            _batch(case, mode, backend, threads)


def _runs(case: Case) -> list[tuple[str, int]]:
    return [("python", 1), *((backend, threads) for backend in backends(case) for threads in (1, 2))]


def _batch(case: Case, mode: gym.vector.AutoresetMode, backend: str, threads: int) -> None:
    where = f"a batch ({backend}, {mode.name})"
    batch = GridVectorEnv(case.compiled, COUNT, backend=backend, autoreset_mode=mode, num_threads=threads)
    singles = gym.vector.SyncVectorEnv(
        [lambda: GridEnv(case.compiled, backend="python") for _ in range(COUNT)], autoreset_mode=mode
    )
    steps: list[Callable[[Any], Any]] = [lambda env: env.reset(seed=case.seed)]
    steps += [_stepping(sampled(batch.action_space, number)) for number in case.numbers]
    finished = np.zeros(COUNT, np.bool_)
    for number, act in enumerate(steps):
        if mode == gym.vector.AutoresetMode.DISABLED and finished.any():
            act = _masked(finished | (np.arange(COUNT) == number % COUNT))
        found, expected = _answer(batch, act), _answer(singles, act)
        if isinstance(expected, str) or isinstance(found, str):
            assert found == expected, f"{where}: {found} where {expected}"
            return
        for name, one, two in zip(_PARTS[len(expected)], found, expected, strict=True):
            assert_same(_told(one), _told(two), f"{where}: {name}")
        assert batch.get_state() == [grid_env(env).get_state() for env in singles.envs], f"{where}: states"
        masks = np.stack([grid_env(env).action_masks() for env in singles.envs])
        np.testing.assert_array_equal(batch.action_masks(), masks, err_msg=f"{where}: masks")
        if len(expected) == 5:
            begun = finished.sum() if mode == gym.vector.AutoresetMode.NEXT_STEP else 0
            case.compared.append(COUNT - int(begun))
        finished = expected[2] | expected[3] if len(expected) == 5 else np.zeros(COUNT, np.bool_)
    batch.close()
    singles.close()


_PARTS = {
    2: ("observation of a reset", "infos of a reset"),
    5: ("observation", "reward", "terminated", "truncated", "infos"),
}


def _told(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else value


def _stepping(actions: Any) -> Callable[[Any], Any]:
    return lambda env: env.step(actions)


def _masked(finished: Any) -> Callable[[Any], Any]:
    return lambda env: env.reset(options={"reset_mask": finished.copy()})


def _answer(env: Any, act: Callable[[Any], Any]) -> Any:
    """Return what an act gives; that a setup found no place, in words."""
    try:
        return copy.deepcopy(act(env))
    except griddsl.SpecError as error:
        return f"{error.diagnostics[0].code}: {error.diagnostics[0].message}"


def _joint_batches(case: Case) -> None:
    tabled = [("table", 1)] if _is_tabled(case.compiled.program) else []
    for backend, threads in (
        ("python", 1),
        *tabled,
        *((("native", 1), ("native", 2)) if case.native else ()),
    ):
        try:
            batch = GridParallelVectorEnv(case.compiled, COUNT, backend=backend, num_threads=threads)
        except ValueError as error:
            assert "cannot be played in batches" in str(error)
            return
        _games(case, batch, f"games ({backend})")


def _games(case: Case, batch: GridParallelVectorEnv, where: str) -> None:
    singles = [griddsl.make_parallel(case.compiled, backend="python") for _ in range(COUNT)]
    try:
        seen, _ = batch.reset(seed=case.seed)
    except griddsl.SpecError:
        return
    for number, env in enumerate(singles):
        _same_game(batch, number, env.reset(seed=case.seed + number)[0], seen, where)
    over = [False] * COUNT
    for number in case.numbers:
        actions = batch.sampled_actions(number)
        found = _answer(batch, _stepping(actions))
        for game, env in enumerate(singles):
            if over[game]:
                answer = _answer(env, lambda env: env.reset())
                over[game] = False
                rewards: dict[str, float] = {}
            else:
                chosen = {name: _action(batch, actions, game, name) for name in env.agents}
                answer = env.step(chosen)
                rewards, over[game] = answer[1], not env.agents
                case.compared.append(1)
            if isinstance(answer, str) or isinstance(found, str):
                assert isinstance(found, str), f"{where}: {answer}"
                return
            _same_game(batch, game, answer[0], found[0], where)
            given = dict(zip(batch.possible_agents, found[1][game].tolist(), strict=True))
            for name, reward in given.items():
                assert reward == rewards.get(name, 0.0), f"{where}: reward"
            ends = {info["outcome"] for info in answer[-1].values()} if over[game] else {None, ""}
            assert found[4]["outcome"][game] in ends, f"{where}: outcome"


def _party(batch: GridParallelVectorEnv, name: str) -> tuple[str, int]:
    row = batch.possible_agents.index(name)
    for party, rows in zip(batch._party_names(), batch._rows, strict=True):
        if row in rows:
            return party, rows.index(row)
    raise AssertionError(name)


def _action(batch: GridParallelVectorEnv, actions: Any, game: int, name: str) -> Any:
    party, row = _party(batch, name)
    return (actions[party] if isinstance(actions, dict) and party in actions else actions)[game, row]


def _same_game(
    batch: GridParallelVectorEnv, game: int, expected: dict[str, Any], seen: Any, where: str
) -> None:
    for name, value in expected.items():
        party, row = _party(batch, name)
        whole = seen[party] if len(batch._party_names()) > 1 else seen
        assert_same(_row(whole, game, row), _plain(value), f"{where}: observation")


def _row(seen: Any, game: int, row: int) -> Any:
    if isinstance(seen, dict):
        return {name: _row(value, game, row) for name, value in seen.items()}
    if isinstance(seen, tuple):
        return tuple(_row(value, game, row) for value in seen)
    return np.asarray(seen[game, row]).tolist()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    return np.asarray(value).tolist()
