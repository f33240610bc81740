"""Every example runs, headless and at reduced size."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"


def _run(*command: object, cwd: Path, **more: str) -> str:
    """Run a command without a display; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    environment = {**kept, "SDL_VIDEODRIVER": "dummy", "PYTHONPATH": str(ROOT), **more}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def _module(name: str) -> Any:
    """Return an example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_q_learning__learns_the_cliff_and_saves_a_gif(tmp_path: Path) -> None:
    """300 episodes are enough for the best return, and each picture is in the GIF."""
    script = EXAMPLES / "q_learning.py"
    printed = _run(sys.executable, script, "--episodes", 300, "--every", 100, "--no-window", cwd=tmp_path)
    assert "the greedy policy's return: -13 " in printed
    assert (tmp_path / "q_learning.gif").read_bytes().startswith(b"GIF89a")


def test_sb3_ppo__trains_on_both_observations(tmp_path: Path) -> None:
    """PPO trains on the Dict and on the flat observation of one game."""
    pytest.importorskip("stable_baselines3")
    printed = _run(sys.executable, EXAMPLES / "sb3_ppo.py", "--steps", 256, cwd=tmp_path)
    assert "MultiInputPolicy on Dict" in printed and "MlpPolicy on Box" in printed
    assert printed.count("return") == 2


@pytest.mark.parametrize("learner", ["q_learning", "sarsa", "dyna_q", "monte_carlo", "value_iteration"])
def test_tabular__learns_any_spec_and_saves_a_film(learner: str, tmp_path: Path) -> None:
    """Each learner takes a spec by its id, says the exact optimum, and saves pictures."""
    printed = _run(
        *(sys.executable, EXAMPLES / "tabular.py", learner, "griddsl/CliffWalking-v0"),
        *("--episodes", 40, "--frames", 5, "--gif", "film.gif", "--png", "last.png"),
        cwd=tmp_path,
    )
    assert "exact optimum -13.0000" in printed
    assert (tmp_path / "film.gif").read_bytes().startswith(b"GIF89a")
    assert (tmp_path / "last.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_tabular__shows_what_it_learns_live(tmp_path: Path) -> None:
    """Where there is a display, the window has frames with the agent on its way, values and arrows."""
    program = (
        "import sys, runpy\n"
        "from griddsl.render import window\n"
        "shown = []\n"
        "window.display_available = lambda: True\n"
        "window.Window.show = lambda self, frame, panel: shown.append((frame.tobytes(), panel.rows))\n"
        f"sys.argv = ['tabular.py', 'q_learning', 'griddsl/CliffWalking-v0', '--episodes', '60', '--fps', '200']\n"
        f"runpy.run_path({str(EXAMPLES / 'tabular.py')!r}, run_name='__main__')\n"
        "print('different frames:', len({frame for frame, _ in shown}), dict(shown[-1][1])['episode'])\n"
    )
    printed = _run(sys.executable, "-c", program, cwd=tmp_path)
    frames = int(printed.partition("different frames: ")[2].split()[0])
    assert frames > 5


def test_tabular__compares_sarsa_and_q_learning(tmp_path: Path) -> None:
    """On the cliff SARSA's path is safer while it explores: its return is the better one."""
    printed = _run(
        *(sys.executable, EXAMPLES / "tabular.py", "compare", "griddsl/CliffWalking-v0"),
        *("--alpha", 0.1, "--episodes", 1000, "--png", "both.png"),
        cwd=tmp_path,
    )
    found = {
        line.split(":")[0]: float(line.split()[-1]) for line in printed.splitlines() if "mean return" in line
    }
    assert found["sarsa"] > found["q_learning"] + 10


def test_regret__measures_q_learning_against_the_exact_optimum(tmp_path: Path) -> None:
    """Two thousand steps take Q-learning near the optimum of the 4x3 world; the curves are a picture."""
    printed = _run(
        *(sys.executable, EXAMPLES / "regret.py", "--steps", 2000, "--points", 4, "--png", "curves.png"),
        cwd=tmp_path,
    )
    assert "the exact optimum: 0.7053" in printed
    regret = float(printed.partition("Q-learning: ")[2].partition("regret ")[2].split()[0])
    assert 0 <= regret < 0.05
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_regret__trains_dqn_too(tmp_path: Path) -> None:
    """With Stable-Baselines3 there, DQN has a curve of its own."""
    pytest.importorskip("stable_baselines3")
    printed = _run(
        *(sys.executable, EXAMPLES / "regret.py", "--steps", 400, "--points", 2, "--png", "curves.png"),
        cwd=tmp_path,
    )
    assert "DQN: return" in printed


def test_particle_filter__finds_the_good_rocks(tmp_path: Path) -> None:
    """Thirty steps tell most rocks' worth, and the particles are near the exact belief."""
    printed = _run(sys.executable, EXAMPLES / "particle_filter.py", "--particles", 1000, cwd=tmp_path)
    assert int(printed.partition("right about ")[2][0]) >= 3
    assert float(printed.partition("exact belief by ")[2].split()[0]) < 0.1


@pytest.mark.parametrize(
    ("arguments", "least"),
    [
        (["--games", 6, "--simulations", 60], 0.9),
        (["griddsl/DynamicObstacles-v0", "--games", 1, "--simulations", 60], 0.9),
    ],
    ids=["two in turns", "one"],
)
def test_mcts__beats_chance(arguments: list[object], least: float, tmp_path: Path) -> None:
    """The search wins against a random opponent, and alone where random play fails."""
    printed = _run(sys.executable, EXAMPLES / "mcts.py", *arguments, "--depth", 30, cwd=tmp_path)
    shares = {
        line.split(":")[0]: float(line.split("wins ")[1].split("%")[0]) / 100
        for line in printed.splitlines()
        if "wins" in line
    }
    assert shares["search"] >= least and shares["random"] < shares["search"]


def test_shared_ppo__learns_to_gather(tmp_path: Path) -> None:
    """A few thousand steps of all agents together are enough to gather more than at random."""
    pytest.importorskip("torch")
    printed = _run(
        *(sys.executable, EXAMPLES / "shared_ppo.py", "--steps", 12_000, "--envs", 16),
        *("--horizon", 32, "--rate", 0.003),
        cwd=tmp_path,
    )
    first, trained = (
        float(printed.partition("return of an agent: ")[2].split()[k].rstrip(",")) for k in (0, 3)
    )
    assert trained > 1.5 * first


@pytest.mark.parametrize("method", ["plr", "accel", "uniform"])
def test_curriculum_sb3__learns_in_levels_that_are_chosen(tmp_path: Path, method: str) -> None:
    """Each method trains, and the student is judged in mazes and hard rooms that it has never seen."""
    pytest.importorskip("stable_baselines3")
    options = ["--method", method, "--size", 5, "--envs", 4, "--games", 1, "--steps", 600, "--hard", 2]
    printed = _run(sys.executable, EXAMPLES / "curriculum_sb3.py", *options, cwd=tmp_path)
    assert f"{method}, seed 0:" in printed
    assert "% of 512 mazes," in printed and "% of 2 hard rooms solved" in printed


def test_rllib_multi_agent__trains_on_two_workers(tmp_path: Path) -> None:
    """Two workers make the spec from its id."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("ray is not installed")
    printed = _run(
        *(sys.executable, EXAMPLES / "rllib_multi_agent.py", "--iterations", 1, "--batch", 400), cwd=tmp_path
    )
    assert "workers: 2" in printed and "return of all agents together" in printed


def test_my_grids__is_known_by_its_entry_point(tmp_path: Path) -> None:
    """Where its metadata is, the package plays each of its environments by id."""
    value = "[griddsl.specs]\nmy_grids = my_grids.specs\n"
    (tmp_path / "my_grids-1.dist-info").mkdir()
    (tmp_path / "my_grids-1.dist-info" / "entry_points.txt").write_text(value)
    paths = os.pathsep.join([str(ROOT), str(EXAMPLES / "my_grids"), str(tmp_path)])
    printed = _run(sys.executable, "-m", "my_grids", "--steps", 30, cwd=tmp_path, PYTHONPATH=paths)
    assert "my_grids/Moat-v0: return" in printed and "my_grids/TeaHouse-v0: return" in printed


def test_my_grids__is_a_package_that_pip_installs(tmp_path: Path) -> None:
    """A wheel of the package holds the specs and the entry point, by which griddsl registers them."""
    with (EXAMPLES / "my_grids/pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["dependencies"] == ["griddsl"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", tmp_path / "site"]
    done = subprocess.run(
        [*map(str, pip), str(EXAMPLES / "my_grids")], capture_output=True, text=True, timeout=300
    )
    if done.returncode != 0 and "hatchling" in done.stderr:
        pytest.skip("the build backend cannot be fetched here")
    assert done.returncode == 0, done.stderr
    program = "\n".join(
        [
            "import gymnasium, griddsl",
            "print(gymnasium.make('my_grids/TeaHouse-v0', guests=3).reset(seed=0)[1])",
            "print(gymnasium.make('my_grids:my_grids/Moat-v0').spec.id)",
        ]
    )
    paths = os.pathsep.join([str(ROOT), str(tmp_path / "site")])
    printed = _run(sys.executable, "-c", program, cwd=tmp_path, PYTHONPATH=paths)
    assert printed == "{'served': 0, 'outcome': '', 'is_success': False}\nmy_grids/Moat-v0\n"


def test_jax_ppo__trains_on_the_device(tmp_path: Path) -> None:
    """A few updates of PPO run as one compiled function, and say what came of them."""
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    printed = _run(
        sys.executable, EXAMPLES / "jax_ppo.py", "griddsl/FrozenLake-v0", "--steps", 10_000, cwd=tmp_path
    )
    assert "last update: mean return 0." in printed


ON_DEVICE: dict[str, tuple[list[Any], str]] = {
    "jax_dqn.py": (["--steps", 400, "--games", 4], "always the best action: mean return -"),
    "jax_ippo.py": (["--steps", 40, "--games", 2, "--length", 10], "mean return of an agent"),
    "jax_plr.py": (
        [
            "--methods",
            "plr",
            "accel",
            "--size",
            "5",
            "--updates",
            "3",
            "--levels",
            "4",
            "--length",
            "8",
            "--hard",
            "4",
            "--seeds",
            "2",
        ],
        "hard rooms; 2 seeds, 3 updates in",
    ),
}


@pytest.mark.parametrize("name", ON_DEVICE)
def test_jax__other_loops_run_on_the_device(tmp_path: Path, name: str) -> None:
    """A few steps of Q-learning, of several agents and of levels that are replayed run as one compiled function."""
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    options, said = ON_DEVICE[name]
    assert said in _run(sys.executable, EXAMPLES / name, *options, cwd=tmp_path)


def test_jax_plr__regret_is_that_of_the_shortest_way() -> None:
    """Lengths are those of the search that setups ask, and nothing is regretted where they are walked or there is no way."""
    jax = pytest.importorskip("jax")
    pytest.importorskip("optax")
    import griddsl.jax
    from griddsl.exact.shortest import searcher
    from griddsl.jax import levels

    example = _module("jax_plr")
    env = griddsl.jax.make(example.ROOM, size=6, most=12, observation="flat")
    batch = jax.vmap(lambda key: levels.generated(env, key))(jax.random.split(jax.random.key(0), 40))
    found = jax.vmap(lambda level: example.lengths(env, level))(batch).tolist()
    search, best, limit = searcher(env.program), [], env.program.limit
    assert limit is not None
    for number, length in enumerate(found):
        level = jax.tree.map(lambda array, number=number: array[number], batch)
        state = env.to_state(env.reset(jax.random.key(1), level=level)[1])
        way = search(list(state[0]), list(state[1]))
        assert length == (way if way >= 0 else np.inf)
        walked = [example.GAMMA**k * (-1 / limit + (k + 1 == way)) for k in range(max(way, 0))]
        best.append(sum(walked))
    assert len(set(found)) > 4 and np.inf in found
    gained = jax.numpy.array(best)
    regrets = [np.asarray(example.regret(env, batch, gained - less)) for less in (0.0, 0.25)]
    can = np.isfinite(found)
    assert regrets[0] == pytest.approx(np.zeros(40), abs=1e-5)
    assert regrets[1] == pytest.approx(0.25 * can, abs=1e-5)
