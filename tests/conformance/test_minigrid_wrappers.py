"""MiniGrid's own wrappers around our environments: the habits of its users carry over."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("minigrid")

from minigrid import wrappers

from griddsl.envs.keyboard import key_of
from griddsl.wrappers import MiniGridCompatible
from tests.conformance.minigrid_families import FAMILIES, Family, put
from tests.typed import count_of, grid_env


def ours(spec: str = "griddsl/DoorKey-v0") -> gym.Env[Any, Any]:
    """Return an environment of ours, made as a user makes it."""
    return gym.make(spec, disable_env_checker=True)


def played(env: gym.Env[Any, Any], steps: int = 60) -> Any:
    """Return the last observation of some random steps, each checked to lie in the space."""
    observation, _ = env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(steps):
        observation, _, terminated, truncated, _ = env.step(int(rng.integers(count_of(env.action_space))))
        assert env.observation_space.contains(observation)
        if terminated or truncated:
            observation, _ = env.reset()
    return observation


@pytest.mark.parametrize("spec", ["griddsl/DoorKey-v0", "griddsl/Fetch-v0", "griddsl/MultiRoom-v0"])
def test_image_wrapper__gives_the_image(spec: str) -> None:
    """`ImgObsWrapper` works on our environment as it is."""
    assert played(wrappers.ImgObsWrapper(ours(spec))).shape == (7, 7, 3)


@pytest.mark.parametrize("spec", ["griddsl/DoorKey-v0", "griddsl/PutNear-v0", "griddsl/LavaGap-v0"])
def test_flat_wrapper__encodes_our_missions(spec: str) -> None:
    """`FlatObsWrapper` works on our environment as it is: missions keep to its letters."""
    assert played(wrappers.FlatObsWrapper(ours(spec))).shape == (147 + 28 * 96,)


@pytest.mark.parametrize("wrapper", [wrappers.OneHotPartialObsWrapper, wrappers.DictObservationSpaceWrapper])
def test_reshaping_wrappers__need_no_help(wrapper: Any) -> None:
    """Wrappers that only reshape observations take our environments as they are."""
    env = wrapper(ours())
    env.reset(seed=0)
    observation, *_ = env.step(2)
    assert set(observation) == {"image", "direction", "mission"}


def test_rgb_wrapper__draws_the_grid() -> None:
    """`RGBImgObsWrapper` gets frames of the whole grid through `MiniGridCompatible`."""
    env = wrappers.RGBImgObsWrapper(MiniGridCompatible(ours()), tile_size=8)
    image = played(env)["image"]
    assert image.shape == (64, 64, 3)
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 4


def test_rgb_partial_wrapper__draws_what_is_seen() -> None:
    """`RGBImgPartialObsWrapper` gets the view, ahead upwards: what is hidden is black, what is seen is not."""
    env = MiniGridCompatible(ours())
    rgb = wrappers.RGBImgPartialObsWrapper(env, tile_size=8)
    image = played(rgb)["image"]
    assert image.shape == (56, 56, 3)
    lit = image.reshape(7, 8, 7, 8, 3).any(axis=(1, 3, 4))
    codes = env._image[..., 0].T
    inside = [[_cell(env, x - 3, y - 6) is not None for x in range(7)] for y in range(7)]
    assert np.array_equal(lit, (codes != 0) & np.array(inside))


def _cell(env: Any, right: int, behind: int) -> tuple[int, int] | None:
    """Return the position so far to the agent's right and behind it; None off the grid."""
    (dx, dy), (x, y) = env.dir_vec.tolist(), env.agent_pos
    column, row = x - dx * behind - dy * right, y - dy * behind + dx * right
    return (column, row) if 0 <= column < env.width and 0 <= row < env.height else None


def test_pov__turns_with_the_agent() -> None:
    """The agent stands in the bottom middle of its view, looking up, in every direction."""
    env = MiniGridCompatible(ours("griddsl/EmptyRoom-v0"))
    env.reset(seed=0)
    frames = []
    for _ in range(4):
        frame = env.get_frame(tile_size=16, agent_pov=True)
        frames.append(frame[96:, 48:64])
        env.step(0)
    for frame in frames[1:]:
        assert np.abs(frame.astype(int) - frames[0].astype(int)).mean() < 12


@pytest.mark.parametrize("seed", range(6))
def test_highlight__lightens_what_is_seen(seed: int) -> None:
    """Cells in view are lighter in the highlighted frame, all others are the same."""
    env = MiniGridCompatible(ours())
    env.reset(seed=seed)
    plain, light = (env.get_frame(highlight=on, tile_size=8).astype(int) for on in (False, True))
    assert (light >= plain).all()
    changed = (light > plain).reshape(8, 8, 8, 8, 3).any(axis=(1, 3, 4))
    codes = env._image[..., 0].T
    seen = {_cell(env, x - 3, y - 6) for y in range(7) for x in range(7) if codes[y, x] != 0}
    assert {(int(x), int(y)) for y, x in np.argwhere(changed)} == {cell for cell in seen if cell is not None}


@pytest.mark.parametrize(
    "family", [f for f in FAMILIES if "8x8" in str(f) or "KeyCorridor" in str(f)], ids=str
)
def test_full_wrapper__encodes_as_the_original(family: Family) -> None:
    """`FullyObsWrapper` shows the same grid around our environment as around the original, bit for bit."""
    mine, theirs = family.make_ours(), family.make_theirs()
    mine.reset(seed=0)
    fresh = mine.get_state()
    env, other = wrappers.FullyObsWrapper(MiniGridCompatible(mine)), wrappers.FullyObsWrapper(theirs)
    for seed in range(5):
        theirs.reset(seed=seed)
        put(mine, theirs, family.names(theirs), fresh)
        image = env.observation({"image": None})["image"]
        assert np.array_equal(image, other.observation({"image": None})["image"])


def test_bonus_wrapper__counts_positions() -> None:
    """`PositionBonus` finds the agent's position."""
    env = wrappers.PositionBonus(MiniGridCompatible(ours()))
    env.reset(seed=0)
    rewards = [env.step(0)[1] for _ in range(3)]
    assert rewards == pytest.approx([1, 2**-0.5, 3**-0.5])


def test_keys__are_those_of_minigrid() -> None:
    """The keys of MiniGrid's manual control play the same actions."""
    found: dict[str | int | None, Any] = {
        key: action for (key,), action in grid_env(ours()).get_keys_to_action().items()
    }
    theirs = {
        "left": 0,
        "right": 1,
        "up": 2,
        "tab": 3,
        "page up": 3,
        "left shift": 4,
        "page down": 4,
        "space": 5,
    }
    assert {name: found[key_of(name)] for name in theirs} == theirs


def test_compatible__refuses_other_observations() -> None:
    """An environment without MiniGrid's image is refused with what is missing."""
    with pytest.raises(TypeError, match="needs `image = view NxN as minigrid`"):
        MiniGridCompatible(ours("griddsl/CliffWalking-v0"))
