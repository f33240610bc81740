"""Names of a spec mean what they say, whatever the compiler calls its own things."""

from __future__ import annotations

import builtins
import keyword
import re
from functools import cache
from typing import Any

import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.syntax.keywords import EFFECT_WORDS, RESERVED, RULE_WORDS, STATEMENTS

ONE = """env: docs/Names-v0
param {param}: 2 in 0..9
object {box}: pushable, layer {layer}, {weight} 2 in 0..9, {tone} in red | blue
object {key}: portable, {weight} 1 in 0..9, carries 1
object {beast}: layer {air}, moves random, {weight} 3 in 0..9
tile {portal}: {pair} in 1 | 2
tile {belt}: carry east
agent: {energy} 9 in 0..9, carries 2
var {points}: 0 in 0..99
region {home}: (0..1, 0..1)
map:
    #########
    #@.b.k.1#
    #.e.k.b.#
    #.==..m.#
    #2..b...#
    #########
legend: b = {box}({weight}=4), e = {box}({tone}=random), k = {key}({weight}=random), m = {beast}
legend: 1 = {portal}({pair}=1), 2 = {portal}({pair}=2), "=" = {belt}
setup:
    choose {lucky} in 1..6
    choose {first}, {second} distinct in 1..4 where {first} + {second} > 3
    place {box} as {marked} at random floor where x > 3
actions: up, right, down, left, pickup, drop, {wave} = stay
allow {wave}: agent.{energy} > 2
observe:
    {seen} = grid
    {felt} = agent.{energy}
    {heard} = index({points} mod 10, {lucky}, {first}, {second})
    {told} = grid as planes ({box}.{weight} / 9, {key}, {beast}, {belt})
info:
    {here} = path_distance(agent, {beast})
    {gone} = prev(agent.x) + lowest(agent.y)
each {box} if {box}.{weight} < 9 and {box} on {belt}: {box}.{weight} += {param}
on do {wave}: agent.{energy} -= 1, info {said} = {points}, info {rest} = {lucky}
on push {box}:
    choose {roll} in 1 0.25 | 2 0.75 where {roll} > 0
    choose {again} in 1 0.75 | 2 0.25 where {again} > 0
    reward 10 * {roll} + {again}
    {points} += {box}.{weight}
on {beast} meet agent: reward -1
on pickup {key}: reward {key}.{weight}, {points} += 1
on enter {portal}: go to other {portal}({pair}=3 - {portal}.{pair})
each step if agent on {home}: reward 0.5
when count({box} where {box}.{tone} is blue) == 3 and {marked}.{weight} > 8: reward 5, end success
limit: 60 steps
"""
SEVERAL = """env: docs/Names-v0
agents: {red}, {blue} * 2, {green}
agent {green}: moves random
object {gem}: portable, {worth} 3 in 0..9
object {ghost}: layer {air}, moves toward {red}
map one:
    {R}..o..
    ..{B}..g
    .o{B}.{G}.
map two:
    o..{R}..
    .g{B}..o
    ..{B}.{G}.
level: random
legend: {R} = {red}, {B} = {blue}, {G} = {green}, o = {gem}({worth}=random), g = {ghost}
turns: alternate
actions {red}: turn_left, turn_right, forward, {grab} = pickup
actions {blue}: up, down, left, right, {grab} = stay
allow {grab}: step > 3
contested: share
on {red} pickup {gem}: reward {gem}.{worth}, info {took} = {gem}.{worth}
on {blue} meet {red}: reward 1 to {blue}, info {met} = step
on {ghost} meet {red}: reward -1 to {red}
each {blue}: reward 0.1 * {blue}.x
observe {red}: grid as planes ({gem}.{worth} / 9, {ghost}, {blue}, {green})
observe {blue}: view 3x3
info: {far} = distance(self, {ghost})
limit: 40 steps
"""
FIELDS = {text: tuple(dict.fromkeys(re.findall(r"\{([a-z]+)\}", text))) for text in (ONE, SEVERAL)}
GLYPHS = {"R": "R", "B": "B", "G": "G"}
PLAIN = {text: {name: f"{name}q" for name in fields} for text, fields in FIELDS.items()}
MEANT = {
    *(*RESERVED, *RULE_WORDS, *STATEMENTS, *EFFECT_WORDS),
    *("agent", "floor", "wall", "grid", "view", "x", "y", "cell", "edge", "other", "self", "here", "index"),
    *("red", "blue", "one", "two", "limit", "width", "height", "stay", "up", "down", "left", "right"),
    *("forward", "turn_left", "turn_right", "north", "east", "south", "west", "facing", "solid"),
    *("or", "to", "is", "and", "in", "if", "has", "on", "at", "with"),
    *("portable", "pushable", "layer", "carries", "carry", "moves", "action", "else", "elif", "do"),
    *("free", "enter", "leave", "bump", "push", "pickup", "drop", "toggle", "meet", "act", "do", "fail"),
    *("outcome", "is_success", "action_mask", "hidden_reward", "alive", "episode", "final_obs", "final_info"),
}  # what the specs below mean by these words
OWN = (
    "box",
    "box_2",
    "box_2_2",
    "the_box",
    "start",
    "kind",
    "kind_attribute",
    "agents",
    "of_level_red",
    "x_is_set",
    "x",
)


def filled(text: str, names: dict[str, str]) -> str:
    """Return the spec with these names."""
    return text.format(**GLYPHS, **names)


@cache
def printed(text: str) -> tuple[str, ...]:
    """Return every name in what the spec compiles to, as it is and in small letters: those a user might choose."""
    source = compiled(filled(text, PLAIN[text])).program.source()
    words = {*re.findall(r"[A-Za-z_]\w*", source), *dir(builtins), *keyword.kwlist, *OWN, "__debug__"}
    words |= {word.lower() for word in words} | {part for word in words for part in word.split("__")}
    return tuple(sorted(word for word in words - MEANT if re.fullmatch(r"[A-Za-z_]\w*", word)))


def told(info: dict[str, Any]) -> str:
    """Return what an info says, without the names of agents."""
    return str([value for value in info.values() if not isinstance(value, str)])


def trail(text: str, backend: str = "python") -> list[Any]:
    """Return what two episodes show, without the names."""
    found: list[Any] = []
    if "agents:" in text:
        game = griddsl.make_parallel(text, backend=backend)
        for seed in range(2):
            found.append(
                [
                    [seen.tolist(), told(info)]
                    for seen, info in zip(*map(dict.values, game.reset(seed=seed)), strict=True)
                ]
            )
            for space in map(game.action_space, game.possible_agents):
                space.seed(seed)
            while game.agents:
                acting = {name: int(game.action_space(name).sample()) for name in game.agents}
                seen, rewards, ended, cut, infos = game.step(acting)
                found.append([*rewards.values(), *ended.values(), *cut.values()])
                found.append([array.tolist() for array in seen.values()])
                found.append([told(info) for info in infos.values()])
        return found
    env = griddsl.make(text, backend=backend)
    for seed in range(2):
        seen, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        over = False
        while not over:
            found.append(
                (
                    [str(part.tolist() if hasattr(part, "tolist") else part) for part in seen.values()],
                    told(info),
                )
            )
            seen, reward, is_ended, is_cut, info = env.step(env.action_space.sample())
            found.append(reward)
            over = is_ended or is_cut
    return found


@pytest.mark.parametrize("shift", range(40))
@pytest.mark.parametrize("text", [ONE, SEVERAL], ids=["one", "several"])
def test_names__change_nothing(text: str, shift: int) -> None:
    """A spec whose names are those of the compiler's own slots, tables, functions and locals plays as any other."""
    words, fields = printed(text), FIELDS[text]
    names = {name: words[(shift * len(fields) + place) % len(words)] for place, name in enumerate(fields)}
    if len(set(names.values())) < len(fields):
        pytest.skip("the words are fewer than the names")
    assert trail(filled(text, names)) == plain(text)


@cache
def plain(text: str) -> list[Any]:
    """Return what the spec shows under names that nothing else has."""
    return trail(filled(text, PLAIN[text]))


BELT = """env: docs/Belt-v0
tile belt: carry east
object key: portable
map:
    .@b.
    k...
legend: b = belt, k = key
actions: up, right, down, left, pickup, drop, stay
observe: carrying
on drop key: reward 100
limit: 50 steps
"""
BOXES = """env: docs/Boxes-v0
object box: weight 2 in 0..9
object box_2: weight 5 in 0..9
map:
    @.a..b
legend: a = box, b = box_2
actions: right, stay
observe: cell
each step: reward 10 * box.x + box_2.x
limit: 50 steps
"""
KEPT = """env: docs/Kept-v0
object box: pushable, kind 3 in 0..9, kind_attribute 4 in 0..9, start 7 in 0..9
map:
    @b...
legend: b = box
actions: right, stay
observe: cell
each step: reward 100 * box.kind + 10 * box.kind_attribute + box.start
on box enter floor if box.x == 3: go to start
limit: 50 steps
"""
TOLD = """env: docs/Told-v0
map:
    @....
actions: right, stay
observe: cell
on do right: info x = 3
on do stay: info x_is_set = 5, info x_is_set_value = 7
limit: 50 steps
"""
COLORS = """env: docs/Colors-v0
object key: color in red | blue
object ball: color in green | grey
map:
    @kb
legend: k = key(color=blue), b = ball
actions: right, left
observe: grid as minigrid
limit: 50 steps
"""
CHANCES = """env: docs/Chances-v0
map:
    @....
actions: often, seldom
observe: cell
on do often:
    choose n in 1 0.9 | 2 0.1 where n > 0
    reward n
on do seldom:
    choose n in 1 0.1 | 2 0.9 where n > 0
    reward n
limit: 5000 steps
"""


def rewards(text: str, actions: str, backend: str = "python") -> list[float]:
    """Return the rewards of actions by their numbers."""
    env = griddsl.make(text, backend=backend)
    env.reset(seed=0)
    return [env.step(int(action))[1] for action in actions]


def test_belts__know_nothing_of_hands() -> None:
    """What rides on a belt is not carried, and cannot be dropped."""
    env = griddsl.make(BELT)
    assert env.reset(seed=0)[0] == 0
    seen = [env.step(action) for action in (1, 6, 5)]
    assert [(observation, reward) for observation, reward, *_ in seen] == [(0, 0.0)] * 3


def test_kinds_with_numbers__are_two() -> None:
    """`box` and `box_2` are found by their own names, in one expression too."""
    assert rewards(BOXES, "1") == [25.0]


def test_attributes__may_be_called_as_what_every_thing_has() -> None:
    """`kind`, `kind_attribute` and `start` are attributes, and `go to start` still knows where the box stood."""
    assert rewards(KEPT, "000") == [347.0] * 3


def test_info__may_be_called_as_the_flag_of_another() -> None:
    """What says that an entry was set is no entry."""
    env = griddsl.make(TOLD)
    env.reset(seed=0)
    infos = [env.step(action)[4] for action in (0, 1)]
    assert infos[0]["x"] == 3
    assert (infos[1]["x_is_set"], infos[1]["x_is_set_value"]) == (5, 7)


def test_domains_of_one_length__are_told_apart() -> None:
    """A blue key is blue for MiniGrid, and a green ball green."""
    seen = griddsl.make(COLORS).reset(seed=0)[0]
    assert seen[1, 0].tolist() == [5, 2, 0]
    assert seen[2, 0].tolist() == [6, 1, 0]


def test_choices_of_one_name__have_their_own_chances() -> None:
    """Two rules that choose `n` by other weights draw by their own."""
    often, seldom = (rewards(CHANCES, action * 1000).count(2.0) for action in "01")
    assert 60 < often < 140
    assert 860 < seldom < 940


def test_attributes_that_nothing_reads__can_be_drawn() -> None:
    """Pictures and texts know the attributes of tiles that no rule looks up."""
    text = BELT.replace("carry east", "carry east, height in 0..3").replace("carrying", "text")
    env = griddsl.make(text, render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render() is not None


def test_things_with_one_key__are_refused() -> None:
    """Two slots or tables that are given one key are a fault of the compiler, seen when it happens."""
    from griddsl.diagnostics import Report
    from griddsl.lowering.facts.facts import Facts
    from griddsl.lowering.state.writer import Writer
    from griddsl.lowering.world.resolve import resolve

    world = resolve(griddsl.load(BELT), Report())
    assert world is not None
    writer = Writer(Facts(world), Report())
    writer.slot("CARRIED", 2, -1, 0)
    with pytest.raises(AssertionError, match="two slots have the key 'CARRIED'"):
        writer.scratch("CARRIED", 4)
    writer.table(("FACES", 1), [1])
    with pytest.raises(AssertionError, match="two tables have the key"):
        writer.table(("FACES", 1), [2])
