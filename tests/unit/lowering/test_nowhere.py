"""Agents that stand nowhere: they act on a board, and no part of the state, of a picture or of an answer has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.curriculum.changes import moved
from griddsl.program import keys

SPECS = Path(__file__).parents[3] / "specs"

LAMPS = """
env: test/Lamps-v0
agent: nowhere, presses 0 in 0..9
tile lamp: lit in false | true
map:
    *-
    -*
legend: "-" = lamp, "*" = lamp(lit=true)
actions: press(spot in cells), up
on do press:
    each lamp where distance(lamp, spot) <= 1: lamp.lit = not lamp.lit
    agent.presses = agent.presses + 1
on do up: reward 2
when no lamp(lit=true) left: reward 1, end success
observe: grid as planes (lamp.lit)
limit: 20 steps
"""
BOARDS = sorted(path.name for path in SPECS.glob("*.grid") if "agent: nowhere" in path.read_text("utf-8"))


@pytest.mark.parametrize("name", BOARDS)
def test_boards__have_no_cells_of_agents(name: str) -> None:
    """The state says nothing of where agents are, and nothing shows them."""
    program = compiled(SPECS / name).program
    assert keys.AGENT_CELL not in program.layout.offsets
    assert not any(slot.key == keys.AGENT_CELL for slot in program.slots)


def test_boards__are_the_bundled_ones() -> None:
    """Games on which nobody walks say so."""
    assert {"tic_tac_toe.grid", "minesweeper.grid", "game_2048.grid", "hex.grid"} <= set(BOARDS)


def test_known_actions__do_what_rules_say() -> None:
    """`up` moves nobody: it is a name, with its key, and its rule is all that it does."""
    env = griddsl.make(LAMPS, backend="python")
    before, _ = env.reset(seed=0)
    seen, reward, *_ = env.step(4)
    assert reward == 2 and np.array_equal(seen, before)
    assert env.program.players[0].groups[0].actions[4].keys == ("up", "w")


def test_agents__can_have_attributes_all_the_same() -> None:
    """What an agent has is kept, and told."""
    env = griddsl.make(LAMPS, backend="python")
    env.reset(seed=0)
    env.step(0)
    assert env.text() == "-*\n**"
    mdp = griddsl.to_mdp(LAMPS)
    assert mdp.agent_cells.tolist() == [-1] * mdp.n_states
    words = {mdp.describe(state) for state in range(mdp.n_states)}
    assert not any(" at no cell" in each for each in words)
    assert any(each.startswith("agent(presses=1), lamp") for each in words)


def test_solve__draws_no_arrows() -> None:
    """No cell has a value of its own: no agent is in any."""
    mdp = griddsl.to_mdp(LAMPS)
    best = mdp.solve(horizon="limit")
    assert mdp.initial @ best.values == pytest.approx(40)  # nothing is worth as much as twenty times `up`


def test_levels__let_nobody_begin_in_a_cell() -> None:
    """To let an agent begin elsewhere is refused."""
    env = griddsl.make(LAMPS, backend="python")
    env.reset(seed=0)
    with pytest.raises(ValueError, match="stand nowhere"):
        moved(env.program, np.random.default_rng(0), env.get_state())


def test_pictures__show_the_board_alone(tmp_path: Path) -> None:
    """A frame has the size of the board, and is the same whoever acts."""
    env = griddsl.make(LAMPS, backend="python", render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    env.step(4)
    assert np.array_equal(first, env.render())


def test_creatures__meet_nobody() -> None:
    """Creatures go about as if nobody was there, and belts carry what lies on them."""
    text = """
env: test/Belts-v0
agent: nowhere
object coin:
object fly: layer air, moves random
tile belt: carry east
map:
    c>>f
legend: c = coin on belt, f = fly, ">" = belt
actions: wait
on fly meet coin: reward 1, remove coin
observe: grid as planes (coin, fly)
limit: 50 steps
"""
    env = griddsl.make(text, backend="python")
    env.reset(seed=0)
    rewards = [env.step(0)[1] for _ in range(50)]
    assert sum(rewards) == 1


def test_region_cells__is_that_of_all() -> None:
    """`in cells` is in every cell; a region of that name is what it is declared as."""
    text = """
env: test/Cells-v0
agent: nowhere
tile dot:
{region}
generate: empty(3, 3)
setup: place dot in cells where x > 0
actions: wait
observe: count(dot)
limit: 5 steps
"""
    assert griddsl.make(text.format(region=""), backend="python").reset(seed=0)[0] == 6
    own = "region cells: (1, 0..1)"
    assert griddsl.make(text.format(region=own), backend="python").reset(seed=0)[0] == 2
