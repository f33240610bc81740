"""Several agents: who gets a contested cell, whose turn it is, who is out, what a reward means for the others."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import griddsl
from griddsl.compiler import compiled
from tests.playing import completed
from tests.reference.beside import assert_plays_as_defined

GLYPHS = {"1": "red", "2": "blue", "3": "green", "G": "goal", "b": "box"}
LEGEND = "legend: ?\n"
WALK = "actions: up, right, down, left, stay\n"


class Several:
    """A game of several that is played: ``do`` takes joint steps, by the names of the actions."""

    def __init__(self, text: str, seed: int = 0, **params: Any) -> None:
        text = completed(with_legend(text))
        found = [f"{d.code}: {d.message}" for d in griddsl.check(text)]
        assert not found, found
        self.env = griddsl.make_parallel(text, **params)
        self.reset(seed)

    def reset(self, seed: int) -> Several:
        """Start an episode."""
        self.seen, self.infos = self.env.reset(seed=seed)
        return self

    def do(self, steps: str) -> Several:
        """Take joint steps: the actions of those that take part, in order, joined by ``+``."""
        for joint in steps.split():
            agents = list(self.env.agents)
            actions = {}
            for name, action in zip(agents, joint.split("+"), strict=True):
                names = [known.name for known in self.env.players[name].groups[0].actions]
                actions[name] = names.index(action)
            self.seen, self.rewards, self.ended, self.cut, self.infos = self.env.step(actions)
        return self

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where the agents are, in order of declaration."""
        at, width = self.env._offsets["AGENT_CELL"], self.env.program.width
        cells = self.env._s[at : at + len(self.env.program.agents)]
        return [(cell % width, cell // width) for cell in cells]

    @property
    def paid(self) -> list[float]:
        """The rewards of the last step, in order."""
        return [round(reward, 9) for reward in self.rewards.values()]


def with_legend(text: str) -> str:
    """Return a text whose open legend explains the glyphs of its map."""
    drawn = text.partition("map:")[2].partition("\nlegend")[0]
    known = ", ".join(f"{glyph} = {kind}" for glyph, kind in GLYPHS.items() if glyph in drawn)
    return text.replace("legend: ?", f"legend: {known}")


def columns(text: str, steps: str, **params: Any) -> list[int]:
    """Return the columns of the agents after these steps."""
    return [x for x, _ in Several(text, **params).do(steps).places]


# Who gets a cell

RIVALS = f"""
agents: red, blue, green
map:
    1.2
    .3.
{LEGEND}{WALK}"""


@pytest.mark.parametrize(
    ("policy", "places"),
    [
        ("block", [(0, 0), (2, 0), (0, 1)]),
        ("first", [(1, 0), (2, 0), (0, 1)]),
        ("freeze_all", [(0, 0), (2, 0), (1, 1)]),
        ("share", [(1, 0), (1, 0), (0, 1)]),
    ],
)
def test_contested__says_who_gets_a_cell(policy: str, places: list[tuple[int, int]]) -> None:
    """Two want the cell between them, a third goes elsewhere: nobody, the first, nobody at all, or both move."""
    assert Several(f"{RIVALS}contested: {policy}").do("right+left+left").places == places


def test_contested__block_is_the_default() -> None:
    """Where nothing is said, those that want one cell stay."""
    assert Several(RIVALS).do("right+left+left").places == [(0, 0), (2, 0), (0, 1)]


def test_contested__random_draws_one_of_the_rivals() -> None:
    """Of three rivals exactly one gets the cell, each about as often."""
    winners: Counter[int] = Counter()
    game = Several(f"{RIVALS}contested: random")
    for seed in range(300):
        places = game.reset(seed).do("right+left+up").places
        assert places.count((1, 0)) == 1
        winners[places.index((1, 0))] += 1
    assert sorted(winners) == [0, 1, 2] and min(winners.values()) > 70, winners


@pytest.mark.parametrize("policy", ["block", "first", "random", "freeze_all"])
def test_contested__who_stays_keeps_the_cell(policy: str) -> None:
    """Nobody moves into the cell of one that stays, under any policy but `share`."""
    assert Several(f"{RIVALS}contested: {policy}").do("stay+stay+up right+stay+stay").places[0] == (0, 0)


def test_contested__who_is_turned_back_keeps_its_cell() -> None:
    """One that follows another goes where that one leaves, and stays where that one is turned back."""
    line = f"""
agents: red, blue
map:
    12.#
{LEGEND}{WALK}"""
    assert columns(line, "right+right") == [1, 2]
    assert columns(line, "right+right right+right") == [1, 2]


def test_contested__goes_cell_by_cell() -> None:
    """A runner of two cells is met in the cell where it is in that round."""
    text = f"""
agents: red, blue
map:
    1..2
{LEGEND}actions: run = move east 2, back = move west 1, stay
contested: """
    assert columns(f"{text}block", "run+back") == [1, 2]
    assert columns(f"{text}share", "run+back") == [2, 2]


PAIR = f"""
agents: red, blue
map:
    .12.
{LEGEND}{WALK}"""


def test_swap__is_allowed_or_not() -> None:
    """Two that change places do so under `allow`, and stay under `block`, the default."""
    assert columns(PAIR, "right+left") == [1, 2]
    assert columns(f"{PAIR}swap: block", "right+left") == [1, 2]
    assert columns(f"{PAIR}swap: allow", "right+left") == [2, 1]


def test_swap__raises_meet() -> None:
    """Those that change places meet, and so do those that come together."""
    met = "on red meet blue: reward 1, reward 10 to blue\nswap: allow\ncontested: share"
    assert Several(f"{PAIR}{met}").do("right+left").paid == [1, 10]
    assert Several(f"{PAIR}{met}").do("right+stay").paid == [1, 10]
    assert Several(f"{PAIR}{met}").do("left+right").paid == [0, 0]


def test_push__leaves_a_cell_to_the_agent_that_enters_it() -> None:
    """A box is not pushed into a cell that another agent gets in the same round, whoever is declared first."""
    text = f"""
agents: red, blue
object box: pushable
map:
    1b.2
{LEGEND}{WALK}"""
    assert columns(text, "right+left") == [0, 2]
    assert columns(text.replace("1b.2", "2b.1"), "left+right") == [2, 0]
    assert columns(text, "right+stay") == [1, 3]


# Whose turn it is


def test_round__raises_its_events_part_by_part() -> None:
    """Of moves at once first the bumps into what stands there, then the pushes, then who came and who lost a cell."""
    text = completed(
        "agents: red, blue, green, gold\nobject box: pushable\nvar order_of: 0 in 0..999999\n"
        "map:\n    1bg..\n    2#...\n    3g4..\n"
        "legend: 1 = red, 2 = blue, 3 = green, 4 = gold, b = box on carpet, g = grass\n"
        "actions: right, left\nobserve: order_of\ncontested: first\n"
        "on bump agent: order_of = 10 * order_of + 6\n"
        "on enter grass: order_of = 10 * order_of + 5\n"
        "on enter carpet: order_of = 10 * order_of + 4\n"
        "on box enter grass: order_of = 10 * order_of + 3\n"
        "on push box: order_of = 10 * order_of + 2\n"
        "on bump wall: order_of = 10 * order_of + 1\n"
    )
    env = griddsl.make_parallel(text)
    env.reset(seed=0)
    seen = env.step({"red": 0, "blue": 0, "green": 0, "gold": 1})[0]
    assert seen["red"] == 123456
    assert_plays_as_defined(compiled(text).model, steps=60, seeds=(0, 1))


def test_turns__in_order_one_after_the_other() -> None:
    """The first goes first: what it does is there when the second's turn comes."""
    assert columns(f"{PAIR}turns: in_order", "right+right") == [1, 3]
    assert columns(f"{PAIR}turns: in_order", "left+left") == [0, 1]
    assert columns(PAIR, "right+right") == [2, 3]


def test_turns__in_random_order_drawn_anew() -> None:
    """Either can be first."""
    game = Several(f"{PAIR}turns: random_order")
    found = {tuple(x for x, _ in game.reset(seed).do("right+right").places) for seed in range(40)}
    assert found == {(1, 3), (2, 3)}


def test_turns__alternate() -> None:
    """One acts a step, and the turn goes on to the next that takes part."""
    game = Several(f"{PAIR}turns: alternate")
    assert game.env.turn == "red"
    assert [x for x, _ in game.do("left+right").places] == [0, 2]
    assert game.env.turn == "blue"
    assert [x for x, _ in game.do("right+right").places] == [0, 3]


@pytest.mark.parametrize("turns", ["in_order", "random_order"])
def test_turns__stop_at_the_end(turns: str) -> None:
    """Who has not had its turn when the episode ends stays where it is."""
    text = f"""
agents: red, blue
map:
    1G.
    2G.
{LEGEND}{WALK}turns: {turns}
on enter goal: end success"""
    game = Several(text)
    for seed in range(10):
        assert sorted(x for x, _ in game.reset(seed).do("right+right").places) == [0, 1]


# Leaving, limits, ends

LEAVERS = f"""
agents: red, blue
map:
    1G..
    2..G
{LEGEND}{WALK}"""


def test_out__retires_one_and_the_rest_go_on() -> None:
    """Who is out ends with its own reward and last place, frees its cell, and the last one out ends the episode."""
    game = Several(f"{LEAVERS}on enter goal: reward 5, out\ncontested: block")
    game.do("right+right")
    assert game.ended == {"red": True, "blue": False} and game.paid == [5, 0]
    assert int(game.seen["red"]) == 1 and game.infos["red"]["outcome"] == "out"
    assert game.env.agents == ["blue"]
    game.do("up")
    assert game.places[1] == (1, 0)  # on the goal's cell, which nobody holds: another may enter it
    assert game.env.agents == [] and game.ended == {"blue": True}


def test_out__is_nowhere_for_the_others() -> None:
    """Counts, distances of kinds and `any` speak of those that are in."""
    game = Several(f"""{LEAVERS}
on enter goal: out
info:
    agents = count(agent)
    reds = count(red)
    near = any red within 9 of self
""")
    told = {"agents": 2, "reds": 1, "near": True}
    assert game.infos["blue"] == {**told, "outcome": "", "is_success": False, "result": ""}
    info = game.do("right+right").infos["blue"]
    assert {name: info[name] for name in told} == {"agents": 1, "reds": 0, "near": False}


def test_limit__of_one_kind() -> None:
    """An agent whose own limit is reached is cut short; the others go on to theirs."""
    game = Several(f"{PAIR}limit red: 2 steps\nlimit: 4 steps")
    assert not any(game.do("stay+stay").cut.values())
    game.do("stay+stay")
    assert game.cut == {"red": True, "blue": False} and game.infos["red"]["outcome"] == "truncated"
    assert game.env.agents == ["blue"]
    assert game.do("stay stay").cut == {"blue": True}


@pytest.mark.parametrize(
    ("word", "results"),
    [
        ("red_wins", ["win", "loss"]),
        ("blue_wins", ["loss", "win"]),
        ("draw", ["draw"] * 2),
        ("bell", [""] * 2),
    ],
)
def test_end__says_who_wins(word: str, results: list[str]) -> None:
    """The outcome is the word, the result what it means for each."""
    game = Several(f"{PAIR}each step: end {word}").do("stay+stay")
    assert [info["outcome"] for info in game.infos.values()] == [word] * 2
    assert [info["result"] for info in game.infos.values()] == results


# Rewards

PAYING = f"""
agents: red, blue, green
map:
    1G23
{LEGEND}{WALK}
on enter goal: reward 3
each blue: reward 1
"""


def test_rewards__own_shared_and_zero_sum() -> None:
    """A reward is the agent's own, or that of all, or taken from the others."""
    assert Several(PAYING).do("right+stay+stay").paid == [3, 1, 0]
    assert Several(f"{PAYING}rewards: shared").do("right+stay+stay").paid == [4, 4, 4]
    duel = PAYING.replace(", green", "").replace("23\n", "2.\n", 1)
    assert Several(f"{duel}rewards: zero_sum").do("right+stay").paid == [2, -2]


def test_reward__to_one_to_a_team_to_the_other() -> None:
    """`to` names an agent, a kind with all its members, or the other."""
    text = f"""
agents: red * 2, blue
map:
    1.1.2
{LEGEND}{WALK}
each step: reward 1 to red, reward 10 to blue"""
    assert Several(text).do("stay+stay+stay").paid == [1, 1, 10]
    assert Several(f"{PAIR}on bump edge: reward 5 to other").do("stay+right stay+right").paid == [5, 0]


def test_reward__of_no_subject_goes_to_all() -> None:
    """In `when` and `each step` a plain reward is everybody's; in an event it is the subject's."""
    assert Several(f"{PAIR}each step: reward 1\non bump edge: reward 5").do("stay+right stay+right").paid == [
        1,
        6,
    ]


# Naming, observing, remembering


def test_other__is_the_one_that_looks_not() -> None:
    """Of two, each sees itself and the other."""
    game = Several(f"{PAIR}observe:\n    me = position of self\n    them = position of other")
    assert [view["me"].tolist() for view in game.seen.values()] == [[1, 0], [2, 0]]
    assert [view["them"].tolist() for view in game.seen.values()] == [[2, 0], [1, 0]]


def test_planes__show_the_attributes_of_the_agent_in_a_cell() -> None:
    """`red.level` is the level of the red one in the cell, `self.level` that of the one that looks."""
    game = Several(f"""
agents: red, blue
agent: level in 0..9
map:
    12
legend: 1 = red(level=4), 2 = blue(level=7)
{WALK}
observe: grid as planes (red.level, agent.level, self.level, blue(level=7), blue(level=6))
""")
    assert game.seen["red"][0].T.tolist() == [[4, 0], [4, 7], [4, 4], [0, 1], [0, 0]]
    assert game.seen["blue"][0].T.tolist() == [[4, 0], [4, 7], [7, 7], [0, 1], [0, 0]]


def test_memory__is_each_agents_own() -> None:
    """`prev` and `lowest` of what the subject is remember it for each agent apart."""
    game = Several(f"""
agents: red, blue
map:
    1....
    ....2
{LEGEND}{WALK}
each agent: reward prev(self.x) - self.x
each agent if lowest(self.x) < prev(lowest(self.x)): reward 10
""")
    assert game.do("right+left").paid == [-1, 11]
    assert game.do("left+right").paid == [1, -1]
    assert game.do("stay+left").paid == [0, 1]
    assert game.do("stay+left").paid == [0, 11]


def test_joint_condition__needs_two_at_once() -> None:
    """Two beside one thing in one step: one alone, or one after the other, is not enough."""
    text = f"""
agents: red, blue
object box: solid
map:
    1...2
    ..b..
{LEGEND}{WALK}
each box if count(agent where distance(agent, box) == 1) >= 2: reward 1"""
    one_by_one = "down+stay right+stay stay+stay left+down stay+left"
    assert Several(text).do(one_by_one).paid == [0, 0]
    assert Several(text).do("down+down right+left").paid == [1, 1]


def test_joint_condition__of_actions() -> None:
    """`agent.action` in a count is what each did in this step."""
    text = f"""
agents: red, blue
map:
    1.2
{LEGEND}actions: lift, stay
when count(agent where agent.action is lift) == 2: reward 1"""
    assert [Several(text).do(joint).paid[0] for joint in ("lift+stay", "stay+lift", "lift+lift")] == [0, 0, 1]


# Those that play by themselves


def test_scripted__plays_by_itself() -> None:
    """A guard that patrols turns back at the wall; two learners are asked for actions, not it."""
    text = f"""
agents: red, guard, blue
agent guard: moves patrol
map:
    1.2
    g.#
legend: 1 = red, 2 = blue, g = guard
{WALK}"""
    game = Several(text)
    assert game.env.possible_agents == ["red", "blue"]
    assert [game.do("stay+stay").places[1][0] for _ in range(4)] == [1, 0, 1, 0]


def test_scripted__makes_a_game_for_one() -> None:
    """With one learner it is an environment of Gymnasium."""
    env = griddsl.make(
        completed(f"""
agents: red, hound
agent hound: moves toward red
map:
    1...h
legend: 1 = red, h = hound
{WALK}
contested: share
on hound meet red: reward -1 to red, end failure""")
    )
    env.reset(seed=0)
    assert [env.step(4)[1:3] for _ in range(4)] == [(0, False), (0, False), (0, False), (-1, True)]


def test_movers__flee_from_the_nearest_of_their_own_kind() -> None:
    """`away from` the own kind means the nearest other one, also of those that setup placed."""
    text = f"""
agents: red, blue
object hare: moves away from hare
map:
    1.......2
{LEGEND}{WALK}
setup:
    place hare at (3, 0)
    place hare at (4, 0)
info: hares = sum(hare.x * hare.x for hare)"""
    assert Several(text).do("stay+stay").infos["red"]["hares"] == 2 * 2 + 5 * 5


# Starts


def test_starts__are_dealt_each_to_one() -> None:
    """On `@` all are dealt at random, each to a cell of its own; own glyphs go to their kind."""
    game = Several(f"""
agents: red * 2, blue
map:
    @@@.
    ...2
{LEGEND}{WALK}""")
    seen: Counter[tuple[int, int]] = Counter()
    for seed in range(120):
        *reds, blue = game.reset(seed).places
        assert blue == (3, 1) and len(set(reds)) == 2 and all(y == 0 and x < 3 for x, y in reds)
        seen[reds[0]] += 1
    assert len(seen) == 3 and min(seen.values()) > 20, seen


def test_starts__give_what_their_glyph_says() -> None:
    """Each start gives its own facing and attributes; `random` draws them for each agent."""
    text = f"""
agents: red * 2
agent: facing, level in 0..9
map:
    1.2
legend: 1 = red(facing=north, level=3), 2 = red(facing=west, level=5)
{WALK}
observe: index(facing, self.level, self.x)"""
    found = set()
    for seed in range(20):
        found |= set(Several(text, seed).seen.values())
    assert found == {(3 * 10 + 3) * 3 + 0, (2 * 10 + 5) * 3 + 2}
    drawn = text.replace("level=3", "level=random")
    assert len({value for seed in range(60) for value in Several(drawn, seed).seen.values()}) > 6


def test_starts__in_setup_keep_the_default_attributes() -> None:
    """An agent that setup places has the defaults of its attributes."""
    text = f"""
agents: red, blue
agent: level 7 in 3..9
map:
    ....
setup:
    place red at random floor
    place blue at random floor
{WALK}
observe: self.level"""
    assert list(Several(text).seen.values()) == [7, 7]


# Moves as far as the agent says


def test_moves__go_as_far_as_an_attribute_says() -> None:
    """`(self.speed)` cells, and backwards where that is less than 0."""
    text = f"""
agents: red, blue
agent: facing, speed in -1..2
map:
    1.....
    ..2...
{LEGEND}actions:
    faster = move forward (self.speed)
    slower = move forward (self.speed)
on do faster: self.speed += 1
on do slower: self.speed -= 1
"""
    for turns in ("simultaneous", "in_order"):
        game = Several(f"{text}turns: {turns}")
        assert [x for x, _ in game.do("faster+slower").places] == [0, 1]
        assert [x for x, _ in game.do("faster+slower").places] == [1, 0]
        assert [x for x, _ in game.do("faster+slower").places] == [3, 0]


def test_parameter__says_how_many_there_are() -> None:
    """`red * n` uses the parameter, and makes that many, each with a name of its own."""
    text = f"""
param n: 2 in 1..4
agents: red * n, blue
map:
    @@@@@
{WALK}"""
    assert Several(text).env.possible_agents == ["red_0", "red_1", "blue"]
    assert Several(text, n=4).env.possible_agents == ["red_0", "red_1", "red_2", "red_3", "blue"]


def test_attribute__that_each_kind_of_agents_has_is_that_of_whoever_acts() -> None:
    """`self.side` in what actions of all take and in `allow` needs no declaration for `agent` as well."""
    env = griddsl.make_parallel(
        "env: t/Sides-v0\nagents: red, blue\n"
        "agent red: side left in left | right\nagent blue: side right in left | right\n"
        "map:\n    R.\n    B.\nlegend: R = red, B = blue\n"
        "actions: point(x_of in 0..1 where x_of == (0 if self.side is left else 1)), wait\n"
        "allow wait: self.side is right\non do point: reward 1\nobserve: cell\nlimit: 9 steps\n"
    )
    _, infos = env.reset(seed=0)
    assert infos["red"]["action_mask"].tolist() == [1, 0, 0]
    assert infos["blue"]["action_mask"].tolist() == [0, 1, 1]


def test_any_at__looks_into_the_cell() -> None:
    """What lies in a cell is asked without a loop over all things; off the grid there is nothing."""
    text = (
        "env: t/Any-v0\nmap:\n    @cc\n    ..d\nlegend: c = coin(worth=1), d = coin(worth=2)\n"
        "object coin: worth in 1..3\n"
        "tile mud:\nactions: left, right\nobserve: flags(any coin at (1, 0), any coin(worth=2) at (2, 0),"
        " no coin at (0, 1), any coin at (agent.x - 1, 0), no mud at (0, 0), any coin at (coin.x, coin.y),"
        " any coin(worth=coin.worth) at (2, 1))\nlimit: 9 steps\n"
    )
    env = griddsl.make(text.replace(", any coin at (coin.x, coin.y)", ""))
    assert env.reset(seed=0)[0].tolist() == [1, 0, 1, 0, 1, 1]
    assert env.step(1)[0].tolist() == [1, 0, 1, 0, 1, 1]
    assert griddsl.make(text).reset(seed=0)[0].tolist() == [1, 0, 1, 0, 1, 1, 1]
