"""Processes on disk: the same states, transitions and values as in memory, whole where something stops in the middle."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.exact.draws import ExactError, TooManyStatesError

pytestmark = pytest.mark.skipif(find_spec("duckdb") is None, reason="duckdb is not installed")
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")

LAKE = """env: t/Shore-v0
map:
    @.H.
    .k.G
legend: G = goal, k = coin, H = hole
object coin: portable
actions: up, right, down, left
observe: cell
tile goal:
tile hole:
slip: 1/3 right, 1/7 back
on enter coin: reward 0.25
on enter goal: {reward}, end success
on enter hole: reward -1, end failure
limit: 12 steps
"""
PLAIN = (
    LAKE.format(reward="reward 1") + "each step: reward lowest(distance(agent, coin) * 0.1)\n"
)  # a saved real
OF_STEP = LAKE.format(reward="reward 1 - 0.5 * step / limit")


def _compared(text: str, folder: Path, how: dict[str, Any], **settings: Any) -> None:
    from griddsl.exact.disk import enumerate_on_disk

    process = enumerate_on_disk(text, folder, **settings)
    mdp = griddsl.to_mdp(text, reward_of_step=True)
    assert (process.n_states, process.n_transitions) == (mdp.n_states, mdp.n_transitions)
    found, best = process.solve(**how), mdp.solve(**how)
    assert found.optimal_return == pytest.approx(best.optimal_return, abs=1e-9)
    values, actions, keys = _values(process, found.values)
    for key, value, action in zip(keys, values, actions, strict=True):
        number = mdp.index((key[: mdp.program.layout.saved], key[mdp.program.layout.saved :]))
        assert value == pytest.approx(best.values[number], abs=1e-9)
        assert best.optimal[number, action]


def _in_blocks(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Let blocks be small."""
    from griddsl.exact.disk import process, sweeps, transitions

    monkeypatch.setattr(process, "AT_ONCE", rows)
    monkeypatch.setattr(sweeps, "_SHARE", 2)
    monkeypatch.setattr(transitions.write_transitions, "__defaults__", (rows,))


def _values(process: Any, folder: Path) -> tuple[Any, Any, list[Any]]:
    """Return values, actions and states of a solution, in the order of their numbers."""
    import pyarrow.parquet as pq

    states = {
        number: key
        for part in sorted(process.folder.glob("states/*/*.parquet"))
        for number, key in zip(
            *(pq.read_table(part)[name].to_pylist() for name in ("id", "key")), strict=True
        )
    }
    assert sorted(states) == list(range(process.n_states))
    rows = pq.read_table(folder)
    packed = np.array([np.frombuffer(states[number], np.uint8) for number in rows["id"].to_pylist()])
    return rows["value"].to_pylist(), rows["action"].to_pylist(), process.expansion.packing.unpack(packed)


def test_blocks_of_any_size__give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are those of memory where few states make a block, and where blocks wait for others to change."""
    from griddsl.exact.disk import transitions

    _in_blocks(monkeypatch, rows=7)
    for text, how in ((PLAIN, {"discount": 0.9}), (PLAIN, {"horizon": 30}), (OF_STEP, {"horizon": "limit"})):
        folder = tmp_path / f"{len(text)} {sorted(how)}"
        _compared(text, folder, how, backend="python")
        assert transitions.Transitions(folder / "transitions").blocks > 3


def test_states_that_nothing_more_changes__are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sweeps read what is still changing only, and what one sweep finds its later blocks know."""
    from griddsl.exact.disk import enumerate_on_disk, transitions

    read: list[int] = []
    plain = transitions.Transitions.read

    def counted(self: Any, number: int) -> Any:
        read.append(number)
        return plain(self, number)

    _in_blocks(monkeypatch, rows=8)
    monkeypatch.setattr(transitions.Transitions, "read", counted)
    corridor = LAKE.format(reward="reward 1").replace("slip: 1/3 right, 1/7 back\n", "")
    corridor = corridor.replace("    .k.G", "    .k" + "." * 12 + "G").replace("@.H.", "@.H." + "." * 11)
    process = enumerate_on_disk(corridor, tmp_path / "lake", backend="python")
    found, blocks = process.solve(discount=0.9), process.transitions.blocks
    assert blocks > 3 and 2 * blocks < len(read) < (found.sweeps - 1) * blocks
    assert found.error_bound <= 1e-10
    best = griddsl.to_mdp(corridor).solve(discount=0.9).optimal_return
    assert found.optimal_return == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_numba)])
@pytest.mark.parametrize("text", [PLAIN, OF_STEP], ids=["plain", "of the step"])
def test_states_on_disk__are_worth_what_they_are_in_memory(text: str, backend: str, tmp_path: Path) -> None:
    """Values and best actions of all states are those of backward induction in memory, reals and slopes included."""
    _compared(text, tmp_path / "lake", {"horizon": "limit"}, backend=backend)


@pytest.mark.parametrize("name", ["FourRooms", "FrozenLake", "IceSliding", "Portals", "Taxi", "TMaze"])
def test_bundled_specs_on_disk__are_worth_what_they_are_in_memory(name: str, tmp_path: Path) -> None:
    """Values and best actions of all states of specs with chances, several starts and ways that lead in circles."""
    _compared(f"griddsl/{name}-v0", tmp_path / "discounted", {"discount": 0.9}, backend="python")


def test_values_with_a_discount__are_within_their_bound(tmp_path: Path) -> None:
    """Value iteration stops where the bound is small enough, and says it."""
    from griddsl.exact.disk import enumerate_on_disk

    process = enumerate_on_disk(PLAIN, tmp_path / "lake", backend="python")
    found = process.solve(discount=0.8, tolerance=1e-4)
    best = griddsl.to_mdp(PLAIN).solve(discount=0.8).optimal_return
    assert 0 < found.error_bound <= 1e-4 and abs(found.optimal_return - best) <= found.error_bound


@pytest.mark.parametrize("how", [{"horizon": 9}, {"discount": 0.7}], ids=["horizon", "discount"])
def test_what_was_stopped__goes_on_where_it_was(
    how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped at any write, in levels or in sweeps, a second run ends with the same, and does nothing twice."""
    from griddsl.exact.disk import enumerate_on_disk, process
    from griddsl.exact.disk.by_duckdb import DuckEngine
    from griddsl.exact.disk.sweeps import Sweeps

    whole = enumerate_on_disk(PLAIN, tmp_path / "whole", backend="python")
    best = whole.solve(**how)
    calls = {"left": 0}

    def guarded(of: Any, name: str) -> Any:
        plain = getattr(of, name)

        def called(*given: Any) -> Any:
            if calls["left"] == 0:
                for part in given:  # half of a part stays behind
                    if isinstance(part, Path) and part.name.endswith(".draft"):
                        (part / "part.parquet").write_bytes(b"half")
                    if isinstance(part, np.memmap) and part.flags.writeable:
                        part[::2] = np.nan
                        part.flush()
                raise KeyboardInterrupt
            calls["left"] -= 1
            return plain(*given)

        return called

    places: list[tuple[Any, str]] = [(DuckEngine, name) for name in ("expand", "fresh", "join")]
    places += [(Sweeps, name) for name in ("in_place", "backwards", "write_best")]
    for of, name in [*places, (process, "write_transitions")]:
        monkeypatch.setattr(of, name, guarded(of, name))
    folder, stops = tmp_path / "stopped", 0
    while True:
        calls["left"] = 1
        try:
            again = enumerate_on_disk(PLAIN, folder, backend="python")
            found = again.solve(**how)
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops > 8 and found.optimal_return == pytest.approx(best.optimal_return, abs=1e-12)
    assert found.sweeps == best.sweeps or "discount" in how
    assert (again.n_states, again.n_transitions) == (whole.n_states, whole.n_transitions)
    assert not list(folder.rglob("*.draft"))
    assert not [*folder.glob("joined*"), *folder.glob("values-*.after-*")]


def test_an_interrupt_while_duckdb_works__breaks_it_off(tmp_path: Path) -> None:
    """DuckDB by itself goes on to the end of a query, however long, and tells of Ctrl+C as an error of its own."""
    from griddsl.exact.disk.by_duckdb import DuckEngine

    minutes = "SELECT range AS n FROM range(1_000_000_000) ORDER BY hash(n)"
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    # A shell lets what it starts in the background ignore interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    start = time.monotonic()
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            DuckEngine("1GB")._run(minutes, tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 60


def test_what_does_not_fit__is_told(tmp_path: Path) -> None:
    """Games of several, other folders, other games, bounds and engines are refused in a sentence."""
    from griddsl.exact.disk import enumerate_on_disk

    folder = tmp_path / "lake"
    process = enumerate_on_disk(PLAIN, folder, backend="python")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    for given, said in (
        ((OF_STEP, folder), "another game: t/Shore-v0"),
        ((PLAIN, tmp_path / "full"), "holds something else"),
        (("griddsl/HurdleRace-v0", tmp_path / "several"), "several agents"),
    ):
        with pytest.raises(ExactError, match=said):
            enumerate_on_disk(*given, backend="python")
    old = json.loads((folder / "process.json").read_text())
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "process.json").write_text(json.dumps({**old, "form": 1}))
    with pytest.raises(ExactError, match="another version of griddsl"):
        enumerate_on_disk(PLAIN, tmp_path / "old", backend="python")
    with pytest.raises(TooManyStatesError, match="more than 3 states"):
        enumerate_on_disk(PLAIN, tmp_path / "few", max_states=3, backend="python")
    with pytest.raises(ExactError, match="no engine `duck`"):
        enumerate_on_disk(PLAIN, folder, engine="duck")
    with pytest.raises(ExactError, match="no amount of memory"):
        enumerate_on_disk(PLAIN, folder, memory="much")
    wishes: list[tuple[dict[str, Any], str]] = [
        ({}, "without a discount and without a horizon"),
        ({"discount": 2}, "from 0 to 1"),
        ({"horizon": 0}, "a horizon is a whole number from 1 on, not 0"),
    ]
    for wish, said in wishes:
        with pytest.raises(ExactError, match=said):
            process.solve(**wish)


def test_what_did_not_fit_into_memory_once__is_no_hindrance(tmp_path: Path) -> None:
    """A table that went to the disk while it was made, and then one in another folder, are both written."""
    from griddsl.exact.disk.by_duckdb import DuckEngine

    engine, folders = DuckEngine("64MB"), [tmp_path / "states" / "one", tmp_path / "values"]
    for folder in folders:
        folder.mkdir(parents=True)
    many = "SELECT range AS id, hash(range) AS noise FROM range(4000000) ORDER BY noise"
    assert engine._run(many, folders[0]) == 4_000_000
    assert engine._run("SELECT 1 AS id", folders[1]) == 1


@needs_ray
@pytest.mark.filterwarnings("ignore")  # of Ray, about itself
def test_a_worker_that_dies__is_replaced(tmp_path: Path) -> None:
    """Ray Data runs the game on two workers, of which one is killed in the middle; the answer is that of memory."""
    import ray

    from griddsl.compiler import compiled
    from griddsl.exact.disk import enumerate_on_disk
    from griddsl.exact.disk.by_ray import RayEngine
    from griddsl.exact.disk.process import DiskProcess
    from griddsl.exact.states.step_need import step_need_of

    alone = enumerate_on_disk(PLAIN, tmp_path / "alone", backend="python")
    largest = max(alone.sizes)  # the one level that goes elsewhere: each costs Ray seconds
    ray.init("local", num_cpus=3, include_dashboard=False, log_to_driver=False)
    try:
        program = compiled(PLAIN).program
        expansion: Any = _mortal()(program, step_need_of(program), "python")
        expansion.mark, expansion.driver = tmp_path / "killed", os.getpid()
        process = DiskProcess(program, tmp_path / "lake", RayEngine("1GB", None, fewest=largest), expansion)
        process.find(1000)
        assert expansion.mark.exists()
        assert process.n_states == alone.n_states and process.n_transitions == alone.n_transitions
        best = griddsl.to_mdp(PLAIN).solve(horizon=9).optimal_return
        assert process.solve(horizon=9).optimal_return == pytest.approx(best, abs=1e-9)
    finally:
        ray.shutdown()


def _mortal() -> Any:
    from griddsl.exact.disk.expansion import Expansion

    class Mortal(Expansion):
        """An expansion whose first worker kills itself, as a machine that goes off would."""

        mark: Path
        driver: int

        def expand(self, keys: Any) -> Any:
            """Die once, in a worker."""
            if os.getpid() != self.driver and not self.mark.exists():
                self.mark.touch()
                time.sleep(0.2)
                os.kill(os.getpid(), signal.SIGKILL)
            return super().expand(keys)

    return Mortal
