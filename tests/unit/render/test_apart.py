"""Apart: kinds that share a picture, and things that differ in a word, have colours of their own."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import griddsl
from griddsl.render.colors import Rgb

MEN = """env: t/Men-v0
object man: side in dark | light | king
object monster: solid
object dog: solid
object imp: way in directions
object diver_west:
object diver_east:
map:
    @mnk.
    MdipG
    .we..
legend:
    m = man, n = man(side=light), k = man(side=king), M = monster, d = dog, i = imp
    p = man, w = diver_west, e = diver_east, G = goal
actions: left, right
observe: grid
on enter goal: reward 1, end success
limit: 9 steps
"""


def _colors(text: str) -> dict[str, list[Rgb]]:
    env: Any = griddsl.make(text, render_mode="rgb_array").unwrapped
    env.reset(seed=0)
    found: dict[str, list[Rgb]] = {}
    for stack in env.scene().cells:
        for sprite in stack:
            found.setdefault(sprite.kind, []).append(sprite.color)
    return found


def _far_apart(*colors: Rgb) -> bool:
    return all(math.dist(one, other) > 80 for one, other in combinations(colors, 2))


def test_words__have_colours_of_their_own() -> None:
    """The first word keeps the colour of the kind; a thing with the same word looks the same."""
    dark, light, king, again = _colors(MEN)["man"]
    assert dark == again
    assert _far_apart(dark, light, king)
    (plain,) = set(_colors(MEN.replace(": side in dark | light | king", ":").replace("(side=light)", "").replace("(side=king)", ""))["man"])  # fmt: skip
    assert plain == dark


def test_kinds__that_share_a_picture_differ_in_colour() -> None:
    """A dog is no monster; a diver that swims west is as one that swims east."""
    colors = _colors(MEN)
    assert _far_apart(*colors["monster"], *colors["dog"])
    assert colors["diver_west"] == colors["diver_east"]


def test_what_the_spec_says__stays() -> None:
    """A look of the spec, for the kind or for some of its things, is all that counts."""
    said = MEN.replace("actions:", "look dog: color blue\nlook man(side=light): color red\nactions:")
    colors = _colors(said)
    plain, light, king, _ = colors["man"]
    assert plain == king != light
    assert colors["dog"] != _colors(MEN)["dog"]


GROUND = """
env: test/Ground-v0
tile plot: alive in false | true
tile tree: state in well | ill
tile lamp: lit in false | true
tile ice: slide
map:
    @~#tT
    lLii.
legend: "~" = plot, "#" = plot(alive=true), t = tree, T = tree(state=ill), l = lamp, L = lamp(lit=true), i = ice
actions: right, left
observe: grid
limit: 9
"""


def test_tiles__that_differ_have_colours_of_their_own() -> None:
    """Ill trees and living plots are seen; a lamp shows its light by itself, and tiles without words are as ever."""
    colors = _colors(GROUND)
    assert _far_apart(*colors["plot"])
    assert _far_apart(*colors["tree"])
    assert len({*colors["lamp"]}) == len({*colors["ice"]}) == 1
