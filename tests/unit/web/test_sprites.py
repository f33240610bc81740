"""Looks in pages: the sprites that `player/game/looks.js` chooses are those of griddsl's own pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.program.program import Program
from griddsl.render.colors import hex_of
from griddsl.render.looks import ground_of
from griddsl.render.scene import Scene, Stack
from griddsl.web.recordings import recording_of, replayed
from tests.unit.web.in_node import SPECS, in_node, needs_node

DRAWING = """
const session = new Session(make(), facts);
const controls = new Controls(session, data.game.seats);
const boards = [];
const board = () => {
  const scene = sceneOf(session.game, data.game.looks), cells = scene.ground.map((sprite) => [sprite]);
  for (const { cell, sprite } of scene.things) cells[cell].push(sprite);
  boards.push(cells.map((stack) => stack.map(({ kind, shape, color, direction, state }) => [kind, shape, color, direction, state])));
  cellInWords(session.game, scene, data.game.looks, 0);
  boardInWords(session.game, scene, data.game.looks);
  for (const player of session.program.players) {
    if (viewLeafOf(player)) viewOf(session.game, scene, player, session.observations[player.name]);
  }
};
session.start(5);
board();
for (let k = 0; k < 25 && !session.isOver; k++) {
  session.act(controls.move());
  board();
}
console.log(JSON.stringify({ boards, transcript: session.transcript() }));
"""
ATTRIBUTES = """env: docs/Looks-v0
agents: cat, dog
agent cat: mood in happy | sad
object lamp: on in false | true
object crate: team in 1..12
object door2: color in red | green | blue, state in open | closed
object arrow: way in north | south | east | west
tile ramp: pair in 1..4
tile plot: opened in false | true, number in 0..8
look plot: shape cover
map:
    clx.A
    dpDpr
legend: p = plot(number=3), c = cat, d = dog, l = lamp, x = crate(team=7), D = door2, A = arrow, r = ramp(pair=3)
actions: up, right, down, left
observe: position of self
on cat enter ramp: lamp.on = true, crate.team = 3
on cat enter plot: plot.opened = true
limit: 30 steps
"""
SAID = """env: docs/Said-v0
tile soil: alive in false | true
object king: rank in 2..9, side in dark | light
object arrow: facing, color in red | green
agent: facing, gold in 0..3
map:
    @.s.k
    ..a..
    .s...
legend: s = soil, k = king(rank=3), a = arrow
actions: turn_left, turn_right, forward, dig
observe: position of self
look agent(facing=east): shape robot
look agent(gold=2): color blue
look agent: color yellow
look agent(facing=south, gold=2): color "#aa1144"
look soil(alive=true): color green, shape flower
look king: shape gem
look king(rank=4): shape flag
look king(side=light, rank=5): color white
look arrow(facing=south): color pink
each step:
    each soil where distance(soil, agent) < 2: soil.alive = not soil.alive
    each arrow: arrow.facing = left_of(arrow.facing)
on do dig:
    agent.gold = (agent.gold + 1) mod 4
    each king: king.rank = 2 + (king.rank - 1) mod 8, king.side = opposite_side(king)
define opposite_side(k): dark if k.side is light else light
limit: 40 steps
"""


def stacks(program: Program, scene: Scene) -> list[Any]:
    """Return the stacks of a scene as the script tells them."""
    codes = {kind.name: kind.code for kind in program.kinds}
    return [
        [
            [
                codes[one.kind],
                one.shape,
                hex_of(one.color),
                -1 if one.direction is None else one.direction,
                one.state,
            ]
            for one in stack
        ]
        for stack in map(_without_ground, scene.cells)
    ]


def _without_ground(stack: Stack) -> Stack:
    """Return a stack without what trees and pots stand on: pages draw it with them."""
    return stack[1:] if len(stack) > 1 and stack[0] in ground_of(stack[1]) else stack


def assert_looks_agree(source: Any, folder: Path) -> None:
    """Play in Node and in Python, and compare what stands in each cell."""
    told = in_node(source, folder, DRAWING)
    program = compiled(source).program
    (episode,) = recording_of(told["transcript"]).episodes
    shown = [stacks(program, moment.env.scene()) for moment in replayed(source, episode)]
    assert len(shown) == len(told["boards"])
    for number, (ours, theirs) in enumerate(zip(told["boards"], shown, strict=True)):
        for cell, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            # A state that the shape has no picture for is told by Python only, and drawn by neither.
            kept = [
                [*one[:4], one[4] if mine[4] is not None else None]
                for one, mine in zip(right, left, strict=True)
            ]
            assert left == kept, (number, cell)


@needs_node
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_sprites__are_those_of_pictures(path: Path, tmp_path: Path) -> None:
    """Kinds, shapes, colours, directions and states of all cells agree through a random game."""
    assert_looks_agree(path, tmp_path)


@needs_node
def test_sprites__by_attributes_are_those_of_pictures(tmp_path: Path) -> None:
    """Colours, numbers, states and directions that attributes give agree."""
    assert_looks_agree(ATTRIBUTES, tmp_path)
    assert griddsl.check(ATTRIBUTES) is not None


@needs_node
def test_sprites__that_are_said_of_some_of_a_kind_are_those_of_pictures(tmp_path: Path) -> None:
    """What `look K(NAME=VALUE)` says holds for those that have the value, over what `look K` says, the last that fits."""
    assert_looks_agree(SAID, tmp_path)
    program = compiled(SAID).program
    assert sum(len(kind.looks) for kind in program.kinds) == 7
