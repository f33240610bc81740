"""Draw every picture in README.md and docs/, and write the page docs/gallery.md: `python docs/make_images.py`.

The README's pictures are made by the commands `griddsl run` and `griddsl show`, the gallery's by the same rasteriser.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import gymnasium as gym
import numpy as np

import griddsl
from griddsl.render import COLORS, SHAPES, Rasteriser, Scene, Sprite, look_of, save_png
from griddsl.render.looks import _BY_PROPERTY, _NAMED, Category
from griddsl.render.shapes.grounds import GROUNDS

DOCS = Path(__file__).parent
IMAGES = DOCS / "images"
CELL_PIXELS = 40
FLOOR = look_of("floor", category="tile")
SHOWN = (
    ("FrozenLake", "8x8", "frozen_lake"),
    ("DoorKey", None, "door_key"),
    ("Portals", None, "portals"),
    ("Conveyor", None, "conveyor"),
)


def main() -> None:
    """Draw all pictures and write the gallery."""
    (IMAGES / "shapes").mkdir(parents=True, exist_ok=True)
    draw_readme()
    draw_shapes()
    (DOCS / "gallery.md").write_text(gallery(), encoding="utf-8")


# The README


def draw_readme() -> None:
    """Draw what the README shows: a game, what was learned of it, and other games."""
    fall = "up,right,right,down"
    walk = "up,up,right,right,down,right,up" + 8 * ",right" + ",down,down"
    path = f"{fall},{walk}"
    griddsl_command(
        "run", "CliffWalking", "--actions", path, "--record", IMAGES / "cliff_walking.gif", "--speed", "5"
    )
    with tempfile.TemporaryDirectory() as folder:
        values, policy = Path(folder, "values.npy"), Path(folder, "policy.npy")
        for file, array in zip((values, policy), solved("griddsl/CliffWalking-v0"), strict=True):
            np.save(file, array)
        learned = IMAGES / "cliff_walking_learned.png"
        griddsl_command(
            "show",
            "CliffWalking",
            "--values",
            values,
            "--policy",
            policy,
            "-o",
            learned,
            "--cell-pixels",
            "48",
        )
    for name, level, stem in SHOWN:
        chosen = ["--level", level] if level else []
        griddsl_command(
            "show", name, *chosen, "--seed", "3", "-o", IMAGES / f"{stem}.png", "--cell-pixels", "28"
        )


def griddsl_command(*arguments: object) -> None:
    """Run the command line as a user does."""
    command = [sys.executable, "-m", "griddsl", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def solved(spec_id: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the best value of each cell and the best actions there, by tabular Q-learning to the end.

    Every cell and action is tried in turn: `set_state` puts the environment anywhere.
    """
    env = griddsl.make(spec_id)
    start, _ = env.reset(seed=0)
    states = {start: env.get_state()}
    transitions: dict[tuple[int, int], tuple[int, float, bool]] = {}
    cells, actions = env.observation_space, env.action_space
    assert isinstance(cells, gym.spaces.Discrete) and isinstance(actions, gym.spaces.Discrete)
    while pending := [(cell, a) for cell in states for a in range(actions.n) if (cell, a) not in transitions]:
        for cell, action in pending:
            env.set_state(states[cell])
            after, reward, terminated, _, _ = env.step(action)
            transitions[cell, action] = after, reward, terminated
            if not terminated:
                states.setdefault(after, env.get_state())
    values = np.full(int(cells.n), np.nan)
    values[list(states)] = -1000.0
    for _ in range(len(values)):
        for cell in states:
            values[cell] = max(worth(transitions[cell, a], values) for a in range(actions.n))
    policy = np.zeros((len(values), int(actions.n)), np.bool_)
    for cell in states:
        policy[cell] = [worth(transitions[cell, a], values) == values[cell] for a in range(actions.n)]
    return values, policy


def worth(transition: tuple[int, float, bool], values: np.ndarray) -> float:
    """Return the reward of a transition and what follows it."""
    after, reward, terminated = transition
    return reward + (0.0 if terminated else float(values[after]))


# The gallery


def draw_shapes() -> None:
    """Draw one strip a shape: by itself, then in each of its states."""
    rasteriser = Rasteriser(CELL_PIXELS)
    for shape in SHAPES:
        stacks = tuple((sprite,) if shape in GROUNDS else (FLOOR, sprite) for sprite in sprites(shape))
        save_png(IMAGES / "shapes" / f"{shape}.png", rasteriser.draw(Scene(len(stacks), 1, stacks)))


def sprites(shape: str) -> Iterator[Sprite]:
    """Yield a shape as it looks by itself, then in its states that look differently."""
    category: Category = "tile" if shape in GROUNDS else "agent" if shape == "agent" else "object"
    plain = look_of(named_as(shape), category=category, shape=shape, direction=0)
    yield plain
    seen = [SHAPES[shape].states.get("")]
    for state, variant in SHAPES[shape].states.items():
        if variant not in seen and (not state.isdigit() or int(state) < 10):
            seen.append(variant)
            yield Sprite(plain.kind, shape, plain.color, plain.direction, state)


def named_as(shape: str) -> str:
    """Return a kind's name whose default look is the shape; the shape's own name where there is none."""
    return next((words.split()[0] for name, _, words in _NAMED if name == shape), shape)


def gallery() -> str:
    """Return the page: shapes with the names that take them, looks by property, colours."""
    return "\n".join(
        [
            "# Gallery",
            "",
            "<!-- written by docs/make_images.py -->",
            "",
            "How things look. A kind takes its look from its name: `object gold_key:` is a key, for its last word is",
            "one, and it is gold, for that is a colour. A name that says nothing takes the look of a property, and",
            "otherwise a shape in a colour of its own. `look NAME: shape ..., color ...` says it otherwise, and",
            "`look NAME(ATTRIBUTE=VALUE): ...` that of some",
            "([language](language.md#15-looks)).",
            "",
            "## Shapes",
            "",
            "| | shape | names that look like this | states shown |",
            "|---|---|---|---|",
            *shape_rows(),
            "",
            "## Looks by property",
            "",
            "| property | looks like |",
            "|---|---|",
            *(
                f"| {' and '.join(f'`{word}`' for word in sorted(words))} | `{shape}` |"
                for words, shape in _BY_PROPERTY
            ),
            "| `pushable` | `box` |",
            "| `portable` | `diamond` |",
            "",
            "## Colours",
            "",
            "An attribute with one of these words for its value colours its thing.",
            "",
            *color_lines(),
            "",
        ]
    )


def shape_rows() -> Iterator[str]:
    """Yield one row of the table a shape."""
    names = {shape: words for shape, _, words in _NAMED}
    for shape in (*names, *(shape for shape in SHAPES if shape not in names)):
        words = ", ".join(names.get(shape, "").split()) or "(by `look` only, or by properties)"
        words_of_states = [sprite.state for sprite in sprites(shape) if sprite.state]
        most = max((int(state) for state in SHAPES[shape].states if state.isdigit()), default=0)
        states = f"`0` to `{most}`" if most > 9 else ", ".join(f"`{state}`" for state in words_of_states)
        yield f"| ![{shape}](images/shapes/{shape}.png) | `{shape}` | {words} | {states} |"


def color_lines() -> Iterator[str]:
    """Yield the names of the colours with their values."""
    for name, (red, green, blue) in COLORS.items():
        yield f"`{name}` #{red:02x}{green:02x}{blue:02x}" + ("" if name == list(COLORS)[-1] else " ·")


assert griddsl.__version__  # importing griddsl registers its environments

if __name__ == "__main__":
    main()
