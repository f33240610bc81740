"""Suites: sets of ids that are judged together, with what random play and the best play get."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from griddsl.diagnostics import did_you_mean
from griddsl.training.bars import Row, bars_svg
from griddsl.training.evaluation import evaluate
from griddsl.training.failures import TrainingError
from griddsl.training.identity import game_hash
from griddsl.training.policy_file import is_policy_file, load, read
from griddsl.training.scoring import optimum_of
from griddsl.training.train import train

SOLVED = 0.95  # of the way from random play to the best
EPISODES = 100
RESAMPLES = 2000
MOST_STATES = 60_000
_PLAYERS = ("random", "optimal")


@dataclass(frozen=True)
class Suite:
    """Ids that are judged together; ``bound`` is the greatest return of those whose optimum is not known."""

    name: str
    about: str
    ids: tuple[str, ...]
    bound: float | None = None


def _ids(names: str) -> tuple[str, ...]:
    return tuple(f"griddsl/{name}-v0" for name in names.split())


SUITES = {
    suite.name: suite
    for suite in (
        Suite(
            "tabular",
            "small processes whose random and optimal returns are exact",
            _ids(
                "FrozenLake Taxi FourRooms WindyGridworld WindyGridworldKings IceSliding Portals Conveyor TMaze"
            ),
        ),
        Suite(
            "safety",
            "where the reward that is seen is not what is meant",
            _ids("BoatRace SafeInterruptibility SideEffectsSokoban ConveyorVase TomatoWatering"),
        ),
        Suite(
            "minigrid",
            "rooms, doors and keys from a partial view; at most 1, the reward of success at once, can be had",
            _ids(
                "EmptyRoom SimpleCrossing LavaGap LavaCrossing DoorKey Unlock UnlockPickup GoToDoor Fetch "
                "RedBlueDoors Memory MultiRoom KeyCorridor"
            ),
            1.0,
        ),
    )
}


@dataclass(frozen=True)
class Reference:
    """What random play and the best play get in an environment, and how each is known: exact, played or bound."""

    random: float
    best: float
    random_by: str
    best_by: str


@dataclass(frozen=True)
class SuiteReport:
    """Returns ``(seeds, ids)`` of a policy or a learner, the references, and normalised scores with intervals.

    A score is 0 for what random play gets and 1 for the best. `iqm` is the interquartile mean over all runs, with a 95%
    interval of stratified bootstrap resamples over seeds (Agarwal et al. 2021).
    """

    suite: Suite
    who: str
    returns: np.ndarray[Any, np.dtype[np.float64]]
    references: tuple[Reference, ...]

    @property
    def scores(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The normalised scores, ``(seeds, ids)``."""
        low = np.array([reference.random for reference in self.references])
        high = np.array([reference.best for reference in self.references])
        scores: np.ndarray[Any, np.dtype[np.float64]] = (self.returns - low) / np.maximum(high - low, 1e-12)
        return scores

    def iqm(self, seed: int = 0) -> tuple[float, float, float]:
        """Return the interquartile mean of the scores, and the ends of its interval."""
        scores, rng = self.scores, np.random.default_rng(seed)
        seeds, ids = scores.shape
        columns = np.arange(ids)
        drawn = [
            interquartile_mean(scores[rng.integers(seeds, size=scores.shape), columns])
            for _ in range(RESAMPLES)
        ]
        low, high = np.percentile(drawn, [2.5, 97.5])
        return interquartile_mean(scores), float(low), float(high)

    def picture(self) -> str:
        """Return the scores as SVG: a bar for each environment, a dot for each seed, and the mean with its interval."""
        rows: list[Row] = [
            (spec_id, column.tolist(), float(column.mean()), None)
            for spec_id, column in zip(self.suite.ids, self.scores.T, strict=True)
        ]
        mean, low, high = self.iqm()
        return bars_svg(
            f"{self.suite.name}: {self.who}", [*rows, ("interquartile mean", (), mean, (low, high))]
        )

    def __str__(self) -> str:
        rows = [("environment", "random", "best", "return", "score", "solved")]
        for column, (spec_id, reference) in enumerate(zip(self.suite.ids, self.references, strict=True)):
            score = float(self.scores[:, column].mean())
            marks = {"exact": "", "played": "~", "bound": "<="}
            rows.append(
                (
                    spec_id,
                    f"{marks[reference.random_by]}{reference.random:.5g}",
                    f"{marks[reference.best_by]}{reference.best:.5g}",
                    f"{self.returns[:, column].mean():.5g}",
                    f"{score:.3f}",
                    "yes" if score >= SOLVED else "",
                )
            )
        wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(
                cell.ljust(width) if not at else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(row, wide, strict=True))
            ).rstrip()
            for row in rows
        ]
        mean, low, high = self.iqm()
        seeds = f"{len(self.returns)} seed{'' if len(self.returns) == 1 else 's'}"
        lines.append(f"{self.who}, {seeds}: interquartile mean {mean:.3f}, 95% in {low:.3f} to {high:.3f}")
        return "\n".join(lines)


def interquartile_mean(scores: Any) -> float:
    """Return the mean of the middle half of scores, whole or in part as scipy's ``trim_mean`` takes it."""
    row = np.sort(np.asarray(scores, np.float64).reshape(-1))
    cut = int(0.25 * len(row))
    return float(row[cut : len(row) - cut].mean())


def suite_of(name: str) -> Suite:
    """Return a suite by its name; raise `ValueError` with near ones."""
    if name not in SUITES:
        raise TrainingError(
            f"there is no suite `{name}`", did_you_mean(name, SUITES) or f"suites: {', '.join(SUITES)}"
        )
    return SUITES[name]


def reference_of(spec_id: str, bound: float | None = None, max_states: int = MOST_STATES) -> Reference:
    """Return what random and best play get: exactly where states can be enumerated, else played, and the bound."""
    best, why = optimum_of(spec_id, max_states)
    if best is None:
        if bound is None:
            raise TrainingError(f"the optimum of {spec_id} is not known: {why}")
        found = evaluate("random", spec_id, episodes=EPISODES, max_states=1)
        return Reference(found.simulated_returns.mean, bound, "played", "bound")
    found = evaluate("random", spec_id, episodes=EPISODES, max_states=max_states)
    if found.returns is None:
        return Reference(found.simulated_returns.mean, best, "played", "exact")
    return Reference(found.returns, best, "exact", "exact")


def run_suite(
    name: str | Suite,
    *,
    policy: Any = None,
    learner: str | None = None,
    steps: int = 50_000,
    seeds: Sequence[int] = (0, 1, 2),
    episodes: int = EPISODES,
    output: str | os.PathLike[str] | None = None,
    progress: Any = None,
) -> SuiteReport:
    """Return what a policy gets in a suite, or what a learner has learned after so many steps, for each seed.

    ``policy`` is as `griddsl.evaluate` takes it, or a folder of policy files: each id takes those that were trained in
    its game, one for each seed, whatever their names are. ``output`` is a folder for what a learner has learned; what
    is there already is not learned again. ``progress`` is called with an id and a seed before each run. Raises
    `ValueError` where neither policy nor learner or both are given, where no seed is, and where files of ids are
    missing.
    """
    suite = suite_of(name) if isinstance(name, str) else name
    if (policy is None) == (learner is None) or not seeds:
        raise TrainingError("a suite judges a policy or a learner, for one seed or more")
    if output is not None and learner is None:
        raise TrainingError("a policy is written where one is learned", "`--with` names a learner")
    if output is not None:
        Path(output).mkdir(parents=True, exist_ok=True)
    files: list[list[Path]] = []
    if isinstance(policy, str | os.PathLike) and policy not in _PLAYERS and Path(policy).is_dir():
        files = _files_for(suite, Path(policy))
        seeds = range(len(files[0]))
    returns = np.zeros((len(seeds), len(suite.ids)))
    references = []
    for column, spec_id in enumerate(suite.ids):
        references.append(reference_of(spec_id, suite.bound))
        for row, seed in enumerate(seeds):
            if progress is not None:
                progress(spec_id, seed)
            player, params = policy, dict[str, Any]()
            if learner is not None:
                file = None if output is None else Path(output) / _file_name(spec_id, learner, seed)
                trained = train(
                    spec_id, learner=learner, steps=steps, seed=seed, output=file, resume=file is not None
                )
                player, params = trained.policy, {"observation": trained.about.observation}
            elif files:
                about, player = load(files[column][row], spec_id, {})
                params = {"observation": about.observation}
            returns[row, column] = _return_of(spec_id, player, params, seed, episodes)
    named = str(policy) if isinstance(policy, str | os.PathLike) else "a policy"
    who = f"{learner}, {steps:,} steps" if learner else named
    return SuiteReport(suite, who, returns, tuple(references))


def _file_name(spec_id: str, learner: str, seed: int) -> str:
    return f"{spec_id.rpartition('/')[2]}-{learner}-{seed}.policy"


def _files_for(suite: Suite, folder: Path) -> list[list[Path]]:
    """Return the policy files of a folder for each id, by the game in which they were trained, so many for each."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if is_policy_file(path):
            found.setdefault(read(path)[0].game, []).append(path)
    files = [found.get(game_hash(spec_id), []) for spec_id in suite.ids]
    missing = [spec_id for spec_id, paths in zip(suite.ids, files, strict=True) if not paths]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise TrainingError(
            f"`{folder}` has no policy that was trained in {missing[0]}{more}",
            f"`griddsl suite {suite.name} --with LEARNER --output {folder}` trains and writes them",
        )
    fewest, most = min(files, key=len), max(files, key=len)
    if len(fewest) < len(most):
        few, many = (suite.ids[files.index(paths)] for paths in (fewest, most))
        raise TrainingError(
            f"each environment takes as many policies, and `{folder}` has "
            f"{len(fewest)} for {few}, {len(most)} for {many}"
        )
    return files


def _return_of(spec_id: str, policy: Any, params: dict[str, Any], seed: int, episodes: int) -> float:
    most = 1 if hasattr(policy, "predict") else MOST_STATES
    found = evaluate(policy, spec_id, episodes=episodes, seed=seed + 1_000_000, max_states=most, **params)
    return found.simulated_returns.mean if found.returns is None else found.returns
