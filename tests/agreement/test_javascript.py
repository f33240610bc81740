"""The JavaScript module of a spec beside the Python backend, run by Node: the same episodes, bit for bit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import griddsl
from griddsl.backends.javascript.emit import Unsuitable, module
from griddsl.compiler import compiled
from tests.agreement.comparing import SPECS
from tests.agreement.in_node import NODE, assert_agrees

needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")


@needs_node
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_module__plays_as_python_does(path: Path, tmp_path: Path) -> None:
    """Observations, rewards, ends, infos, masks and states agree through whole episodes, from the same seeds."""
    assert_agrees(path, tmp_path)


FORMS = """env: docs/Forms-v0
object ghost: moves toward agent by path_distance if step mod 3 > 0 else random
object cart: layer rails, facing, edge wrap, moves forward (self.speed) every self.speed steps
    speed 2 in 1..3
object egg: layer nests, worth in 0..9
map:
    @..#..g.
    .#.#.#..
    ...w....
    c..#..c.
legend: g = ghost, w = wall, c = cart(speed=random)
setup:
    choose sea in 0..999
    place water at every floor where noise(x, y, 3, sea) > 0.7
    place 3 egg at random floor
    choose best in egg
    best.worth = 9
actions: up, right, down, left, stay
observe:
    board = grid as planes (water, ghost, cart, egg, any agent where agent sees here, noise(x, y, 4, sea + step))
    best = position of best
    near = distance(agent, the egg with least distance(egg, agent))
    seen = any ghost sees agent within 4
each step with chance 1/5:
    choose e in egg where e.worth < 9
    e.worth += 2
    move e west
each step if step mod 7 == 0: remove the egg with most egg.worth where egg.worth < 9
on meet cart: reward -1, go to start
on meet ghost: reward -2, end failure
limit: 60 steps
"""


@needs_node
def test_module__knows_things_that_move_and_see(tmp_path: Path) -> None:
    """What chooses, sees, goes by paths and makes terrain does the same there, bit for bit."""
    path = tmp_path / "forms.grid"
    path.write_text(FORMS, encoding="utf-8")
    assert_agrees(path, tmp_path)


LEFTOVERS = """env: docs/Leftovers-v0
tile ice: drift north -1 | 1
object box: pushable, weight 2 in 0..9, class 1 in 0..9
object const: moves random 8 avoiding ice with chance 0.7
object s: portable
tile crumb:
var total: 0 in -20..20
map walled:
    +-------------+
    |@:.:.|.:i:.:.|
    |.:b:.:.:i:l:.|
    +-+ + + + +-+ +
    |.:.:s:.:.:.:G|
    +-------------+
legend: b = box, l = const, s = s, i = ice, G = goal
setup:
    choose function in 1 0.25 | 2 0.75 where function > 0
    retry 50 until path_distance(crumb, box) > 2: place crumb at random floor
actions: up, right, down, left, pickup, drop, spin = stay
allow pickup: total < 15
slip: 0.1 left, 0.1 right
sticky: 0.15
edge: wrap
mission: "{function} of {total}"
observe:
    board = text
    task = mission
    tokens = mission as tokens
    seen = view 5x5 centered occluded as kinds
    number = total
    part = 1 / (1 + box.weight)
    maybe = total div 3 with chance 0.5 else total mod 3
each step: total += 3 if box.class > 0 else -3
each step if total > 10: total -= 13 mod 7 + function
on push box: box.weight += 1, reward exp(0 - box.weight) + sqrt(box.weight)
on bump wall: info bumped = step / 3
on enter goal: reward min(total, 5) / 3, end success
limit: 90 steps
"""


@needs_node
def test_module__holds_what_bundled_specs_leave_out(tmp_path: Path) -> None:
    """Thin walls, texts, noise, negative numbers, retries, reals, and names that JavaScript keeps for itself."""
    assert_agrees(LEFTOVERS, tmp_path)


MEMBERS_OF_OBJECTS = """env: docs/Members-v0
param __proto__: 3 in 1..5
agents: constructor, __proto__, driver
score __proto__: step
score toString: step
var valueOf: 2 in 0..5
object box: valueOf 1 in 0..3, __proto__ 2 in 0..3
map:
    1.b..23
legend: 1 = constructor, 2 = driver, 3 = __proto__, b = box
actions: left, right
observe:
    hasOwnProperty = position of self
    __proto__ = step
    board = text
mission: "{__proto__} of {valueOf}"
each constructor: reward 1
each step with chance 1/3: info isPrototypeOf = step
each constructor if step == 5: out
limit: 20 steps
"""


@needs_node
def test_module__takes_names_that_every_object_of_javascript_has(tmp_path: Path) -> None:
    """Agents, infos, attributes and parameters may be called `constructor` and `__proto__`; a missing action is missed."""
    assert_agrees(MEMBERS_OF_OBJECTS, tmp_path)
    script = """
import { make } from "./game.mjs";
const game = make();
console.log(game.reset({ seed: 1 }).infos.constructor.outcome === "");
try {
  game.step(JSON.parse('{"__proto__": 1, "driver": 0}'));
} catch (error) {
  console.log(error.message);
}
"""
    (tmp_path / "script.mjs").write_text(script, encoding="utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, "script.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["true", "the joint action has no action for constructor"]


def test_module__is_refused_with_the_reason() -> None:
    """What only Python can do is said, and no module is written."""
    pixels = "env: docs/P-v0\nmap:\n    @..G\nlegend: G = goal\nactions: left, right\nobserve: pixels\n"
    with pytest.raises(Unsuitable, match="pixels"):
        module(compiled(f"{pixels}on enter goal: end success\nlimit: 9 steps\n").program)


@needs_node
def test_page__shows_lines_that_run(tmp_path: Path) -> None:
    """The lines of `docs/program.md` play the module that `griddsl export` wrote."""
    from griddsl.cli import main

    page = (Path(griddsl.__file__).parents[1] / "docs" / "program.md").read_text(encoding="utf-8")
    lines = page.split("```js\n")[1].split("```")[0].replace("./cliff.js", "./cliff.mjs")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as done:
        patch.setattr("sys.argv", ["griddsl", "export", "CliffWalking", "--to", str(tmp_path / "cliff.mjs")])
        main()
    assert done.value.code in {0, None}
    (tmp_path / "page.mjs").write_text(
        f"{lines}\nconsole.log(observation, state.integers.length);", encoding="utf-8"
    )
    assert NODE is not None
    told = subprocess.run([NODE, "page.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    env = griddsl.make("griddsl/CliffWalking-v0", backend="python")
    env.reset(seed=0)
    assert told.split() == [str(env.step(1)[0]), str(len(env.get_state()[0]))]
