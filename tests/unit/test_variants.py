"""Variants: several ids of one file, each with its own parameters, known to all that takes an id."""

from __future__ import annotations

import pickle
from pathlib import Path

import gymnasium as gym
import pytest

import griddsl
from griddsl.diagnostics import Report, SpecError
from griddsl.files.variants import VariantFile
from griddsl.source import Source
from griddsl.syntax.formatting.convert import to_grid, to_toml
from griddsl.syntax.formatting.formatter import format_document
from griddsl.syntax.reader import read_document

TEXT = """env: variants/Room-v0
param size: 6 in 5..64
param side: left in left | right
variant variants/Room-5x5-v0: size = 5  # small
variant variants/Big-v0: size = 9, side = right, limit = 7
variant variants/Long-v0: level = long
map short:
    @....G
map long:
    @.......G
legend: G = goal
actions: left, right
observe: cell
info: size = size, side = side
on enter goal: reward 1, end success
limit: 4 * size steps
"""
IDS = ["variants/Room-v0", "variants/Room-5x5-v0", "variants/Big-v0", "variants/Long-v0"]


@pytest.fixture(params=["grid", "toml"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file with variants, in either spelling, registered."""
    path = tmp_path / f"room.{request.param}"
    document = read_document(Source("room.grid", TEXT), Report())
    path.write_text(to_toml(document) if request.param == "toml" else to_grid(document))
    assert griddsl.register(path) == IDS
    return path


def test_variant__sets_parameters_level_and_limit(file: Path) -> None:
    """Each id makes its own environment; a plain limit is known before."""
    made = {name: gym.make(name) for name in IDS}
    infos = {name: env.reset(seed=0)[1] for name, env in made.items()}
    assert [infos[name]["size"] for name in IDS] == [6, 5, 9, 6]
    assert [infos[name]["side"] for name in IDS] == ["left", "left", "right", "left"]
    assert [env.observation_space.n for env in made.values()] == [6, 6, 6, 9]  # type: ignore[attr-defined]
    assert [env.unwrapped.program.limit for env in made.values()] == [24, 20, 7, 24]  # type: ignore[attr-defined]
    assert [gym.spec(name).max_episode_steps for name in IDS] == [None, None, 7, None]


def test_variant__can_be_overridden(file: Path) -> None:
    """What a keyword says wins."""
    assert gym.make("variants/Room-5x5-v0", size=12).reset(seed=0)[1]["size"] == 12
    assert griddsl.make("variants/Long-v0", level="short").observation_space.n == 6  # type: ignore[attr-defined]


def test_variant__is_known_to_all_that_takes_an_id(file: Path) -> None:
    """Load, check, make, batches and the short name."""
    assert griddsl.load("variants/Big-v0").id == "variants/Big-v0"
    assert griddsl.load("Big").arguments == {"size": 9, "side": "right"}
    assert griddsl.check("variants/Big-v0") == []
    assert griddsl.make("variants/Big-v0").program.id == "variants/Big-v0"
    assert gym.make_vec("variants/Long-v0", num_envs=2).single_observation_space.n == 9  # type: ignore[attr-defined]
    spec = gym.make("variants/Room-5x5-v0").spec
    assert spec is not None
    assert gym.make(spec).reset(seed=0)[1]["size"] == 5


def test_variant__is_told_apart_where_compiled_specs_are_kept(file: Path) -> None:
    """The same file under two ids is not the same spec, also the second time."""
    for _ in range(2):
        assert [griddsl.make(name).reset(seed=0)[1]["size"] for name in IDS[:3]] == [6, 5, 9]


def test_variant_file__is_named_behind_its_file(file: Path) -> None:
    """`FILE:ID` is a variant of a file that nothing registered, by its short name too; others are refused."""
    for name in (IDS[1], IDS[1].rpartition("/")[2]):
        assert griddsl.make(f"{file}:{name}").reset(seed=0)[1]["size"] == 5
        assert griddsl.make_vec(f"{file}:{name}", 2).num_envs == 2
    with pytest.raises(SpecError, match="has no id `Nowhere`"):
        griddsl.make(f"{file}:Nowhere")
    with pytest.raises(SpecError, match="there is no file"):
        griddsl.make(f"{file.with_name('other.grid')}:{IDS[1]}")


def test_variant_file__survives_pickling() -> None:
    """Workers of other processes get the variant too."""
    again = pickle.loads(pickle.dumps(VariantFile.of(Path("a.grid"), "a/B-v0")))
    assert again.variant == "a/B-v0" and Path(again) == Path("a.grid")


def test_library__brings_no_variants(tmp_path: Path) -> None:
    """What is used is not another id."""
    (tmp_path / "kinds.grid").write_text("variant variants/Other-v0: size = 5\ntile ice: slide\n")
    text = TEXT.replace("variants/", "used/").replace("map short", 'use: "kinds.grid"\nmap short')
    (tmp_path / "room.grid").write_text(
        text.replace("....G", "..i.G").replace("G = goal", "G = goal, i = ice")
    )
    assert [each.id for each in griddsl.load(tmp_path / "room.grid").variants] == [
        "used/Room-5x5-v0",
        "used/Big-v0",
        "used/Long-v0",
    ]


ROOM = """env: test/Room-v0
param size: 8 in 3..64
variant test/Room-S-v0: size = 3
variant test/Room-L-v0: size = 12
generate: room(size, size)
setup: place agent at (1, 1), place goal at random floor where x > 2
actions: up, right, down, left
observe: cell
on enter goal: end success
limit: 100 steps
"""


def test_check__looks_at_every_variant(tmp_path: Path) -> None:
    """What only a variant cannot do, such as finding a place in a small room, is an error at its place, and named."""
    (tmp_path / "room.grid").write_text(ROOM)
    (found,) = griddsl.check(tmp_path / "room.grid")
    assert found.code == "no-place" and found.span.text == "random floor where x > 2"
    assert [each.span.text for each in found.labels] == ["test/Room-S-v0"]
    assert griddsl.check(ROOM, size=9) == []
    assert griddsl.check(ROOM.replace("size = 3", "size = 5")) == []


NAMES = [f"parameter_of_a_long_name_{number}" for number in range(6)]
LIMITS = {
    "plain": ("limit = 30", 30),
    "reckoned": ("limit = 4 * 10", 40),
    "less": ("limit = 2 * 5", 10),
    "brackets": ("limit = (30)", 30),
    "none": ("size = 7  # limit = 30", 20),
    "block": ("\n    size = 7\n\n    # longer than the file's\n    limit = 30", 30),
    "long": (", ".join([*(f"{name} = 1" for name in NAMES), "limit = 30"]), 30),
}


@pytest.mark.parametrize("ending", ["as written", "grid", "toml"])
@pytest.mark.parametrize("form", LIMITS)
def test_limit__is_that_of_the_variant(form: str, ending: str, tmp_path: Path) -> None:
    """However a limit is set, and however that is written again, `gym.make` cuts where the spec does."""
    settings, steps = LIMITS[form]
    text = f"""env: variants/Room-v0
param size: 6 in 5..64
{"".join(f"param {name}: 0 in 0..9{chr(10)}" for name in NAMES)}variant variants/Other-v0: {settings}
generate: empty(size, 1)
setup: place agent at (0, 0)
actions: left, right
observe: cell
limit: 20 steps
"""
    if ending != "as written":
        document = read_document(Source("room.grid", text), Report())
        text = to_toml(document) if ending == "toml" else format_document(document, Report())
    file = tmp_path / f"room.{'toml' if ending == 'toml' else 'grid'}"
    file.write_text(text)
    griddsl.register(file)
    env = gym.make("variants/Other-v0")
    env.reset(seed=0)
    ends = [any(env.step(0)[2:4]) for _ in range(steps)]
    assert ends == [False] * (steps - 1) + [True]
    assert gym.spec("variants/Other-v0").max_episode_steps in {None, steps}
