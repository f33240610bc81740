"""Rules: when each trigger fires, and what the effects do."""

from __future__ import annotations

from typing import Any

import pytest

import griddsl
from tests.playing import Game, completed, problems

WALK = "actions: left, right\n"


def cell(game: Game) -> int:
    """Return the agent's cell."""
    return int(game.env._s[game.env.program.layout.offsets["AGENT_CELL"]])


def test_each_step__fires_once_a_step() -> None:
    """``each step`` fires in every step, whatever is done."""
    assert (
        Game("map:\n    @.\nactions: left, right\neach step: reward -1\n").rewards("left right right")
        == [-1] * 3
    )


def test_every__fires_every_nth_step() -> None:
    """``every 3 steps`` fires in steps 3, 6 and so on."""
    game = Game("map:\n    @.\nactions: left, right\nevery 3 steps: reward 1\n")
    assert game.rewards("left " * 7) == [0, 0, 1, 0, 0, 1, 0]


def test_each_kind__fires_for_every_tile() -> None:
    """``each K`` fires once for every one there is, each by its own attributes."""
    text = (
        "map:\n    @ab\nlegend: a = crop(worth=2), b = crop(worth=3)\n"
        "tile crop: worth in 0..9\nactions: left, right\neach crop: reward crop.worth\n"
    )
    assert Game(text).rewards("left right") == [5, 5]


def test_when__fires_as_long_as_it_holds() -> None:
    """``when`` fires in each step that ends with the condition true, also for who stays."""
    text = (
        "map:\n    @s\nlegend: s = stove\ntile stove:\nactions: left, right\nwhen agent on stove: reward -1\n"
    )
    assert Game(text).rewards("right right left") == [-1, -1, 0]


def test_enter_and_leave__fire_for_moving_only() -> None:
    """``enter`` and ``leave`` fire for a move, not for staying or bumping."""
    text = (
        "map:\n    .@s\nlegend: s = stove\ntile stove:\nactions: left, right\n"
        "on enter stove: reward 1\non leave stove: reward 10\n"
    )
    assert Game(text).rewards("right right left left") == [1, 0, 10, 0]


def test_bump__names_the_kind() -> None:
    """``bump K`` fires for that kind, with its attributes."""
    text = (
        "map:\n    @r\nlegend: r = rock(weight=4)\ntile rock: solid\n    weight in 0..9\n"
        "actions: left, right\non bump rock: reward rock.weight\n"
    )
    assert Game(text).rewards("right left") == [4, 0]


def test_toggle__is_of_the_own_cell_without_a_facing() -> None:
    """Without a facing ``toggle`` acts on the agent's cell; where it finds nothing to do, it fails."""
    text = (
        "map:\n    @s\nlegend: s = switch\ntile switch:\nactions: right, toggle\n"
        "on toggle switch: reward 1\non fail toggle: reward -1\n"
    )
    assert Game(text).rewards("toggle right toggle") == [-1, 0, 1]


def test_do__fires_before_the_action() -> None:
    """``on do`` sees where the agent was; ``on act`` fires for every action."""
    text = (
        "map:\n    @s\nlegend: s = stove\ntile stove:\nactions: left, right\n"
        "on do right if agent on stove: reward 5\non act: reward 1\n"
    )
    assert Game(text).rewards("right right left") == [1, 6, 1]


def test_conditions__of_one_event_are_decided_together() -> None:
    """An effect of one rule does not make another rule of the same event fire."""
    text = (
        "map:\n    @\nvar rock in good | bad\nactions: look\n"
        "on do look if rock is good: rock becomes bad, reward 1\n"
        "on do look if rock is bad: rock becomes good, reward -1\nobserve: rock\n"
    ).replace("var rock in", "var rock: good in")
    game = Game(text)
    assert game.rewards("look look look") == [1, -1, 1]


def test_after_rules__see_what_those_above_did() -> None:
    """``each`` and ``when`` rules run in file order, each on what those above left."""
    text = (
        "map:\n    @.\nvar n: 0 in 0..9\nactions: left, right\neach step: n += 1\n"
        "when n == 1: n += 1, reward 1\nwhen n == 2: reward 10\nobserve: n\n"
    )
    game = Game(text)
    assert game.rewards("left") == [11]
    assert game.observation == 2


def test_reward__assigned_replaces_the_sum() -> None:
    """The last ``reward =`` counts instead of all sums of its step."""
    text = (
        "map:\n    @ab\nlegend: a = ash, b = berry\ntile ash:\ntile berry:\n"
        "actions: left, right\neach step: reward -1\non enter ash: reward = 7\n"
        "on enter berry: reward 2\n"
    )
    assert Game(text).rewards("right right") == [7, 1]


def test_hidden_reward__is_in_info_only() -> None:
    """A hidden reward is told in info and not in the reward."""
    game = Game("map:\n    @.\nactions: left, right\neach step: hidden reward 3, reward 1\n")
    assert game.rewards("left") == [1]
    assert game.info["hidden_reward"] == 3


def test_hidden_reward__goes_to_whom_it_says() -> None:
    """As a reward does, a hidden one may say which of several agents it is told."""
    text = "agents: red, blue\nmap:\n    R..B\nlegend: R = red, B = blue\nactions: left, right\n"
    env = griddsl.make_parallel(
        f"env: test/To-v0\n{text}observe: cell\non do right if self is red: hidden reward 2 to blue\n"
    )
    env.reset(seed=0)
    infos = env.step({"red": 1, "blue": 1})[4]
    assert [infos[name]["hidden_reward"] for name in ("red", "blue")] == [0, 2]


def test_end__keeps_the_first_outcome() -> None:
    """The first ``end`` names the outcome; later rules of the step still run."""
    game = Game(
        "map:\n    @.\nactions: left, right\neach step: end failure\neach step: end success, reward 2\n"
    )
    assert game.rewards("left") == [2]
    assert game.terminated and game.info["outcome"] == "failure" and game.info["is_success"] is False


def test_end__can_have_a_name_of_its_own() -> None:
    """An outcome may have any name; success is told apart."""
    game = Game("map:\n    @.\nactions: left, right\non do left: end success\non do right: end drowned\n")
    assert game.do("right").info["outcome"] == "drowned"
    assert game.reset().do("left").info["is_success"] is True


def test_truncate__and_limit_can_meet_an_end() -> None:
    """``terminated`` and ``truncated`` may both be true."""
    game = Game(
        "map:\n    @.\nactions: left, right\non do right: truncate\n"
        "on do left: end success, truncate\nlimit: 5 steps\n"
    )
    game.do("right")
    assert (game.terminated, game.truncated) == (False, True)
    game.reset().do("left")
    assert (game.terminated, game.truncated) == (True, True)


def test_limit__truncates() -> None:
    """The step that reaches the limit is truncated."""
    game = Game("map:\n    @.\nactions: left, right\nlimit: 3 steps\n")
    assert [game.do("left").truncated for _ in range(3)] == [False, False, True]
    assert game.info["outcome"] == "truncated"


def test_go__to_start_is_where_setup_put_it() -> None:
    """``go to start`` returns to where the agent stood after setup."""
    text = (
        "map:\n    ....t\nlegend: t = trap\nsetup:\n    place agent at (2, 0)\n"
        "actions: left, right\non enter trap: go to start\n"
    )
    assert cell(Game(text).do("right right")) == 2


def test_go__to_a_random_tile_draws_among_them() -> None:
    """``go to random K`` goes to each with equal chances."""
    text = (
        "map:\n    @tn.n.n\nlegend: t = trap, n = nest\ntile nest:\nactions: left, right\n"
        "on enter trap: go to random nest\n"
    )
    ends = [cell(Game(text, seed=seed).do("right")) for seed in range(60)]
    assert {2, 4, 6} == set(ends)
    assert min(ends.count(end) for end in (2, 4, 6)) > 8


def test_go__raises_leave_and_enter() -> None:
    """Being sent away is leaving and entering, after the running event's rules."""
    text = (
        "map:\n    @tg\nlegend: t = trap, g = goal\nactions: left, right\n"
        "on enter trap: go to goal, reward 1\non leave trap: reward 10\n"
        "on enter goal: reward 100, end success\n"
    )
    game = Game(text)
    assert game.rewards("right") == [111]
    assert game.terminated and cell(game) == 2


def test_go__to_a_cell_stops_the_rest_of_the_move() -> None:
    """A ``go to`` ends a slide."""
    text = (
        "map:\n    @iii.\n    .....\nlegend: i = ice\ntile ice: slide\n"
        "actions: left, right\non enter ice if agent.x == 2: go to (0, 1)\n"
    )
    assert cell(Game(text).do("right")) == 5


def test_move__pushes_the_agent_one_cell() -> None:
    """``move agent east`` moves it unless something solid stands there."""
    text = "map:\n    @p.#\nlegend: p = pad\ntile pad:\nactions: left, right\non enter pad: move agent east\n"
    game = Game(text)
    assert cell(game.do("right")) == 2
    assert cell(game.do("left")) == 2


def test_turn__changes_the_facing() -> None:
    """``turn to`` makes the agent look a way."""
    text = "map:\n    @.\nagent: facing\nactions: left, right\neach step: turn to north\nobserve: facing\n"
    assert Game(text).do("right").observation == 3


def test_variables__stay_in_their_range() -> None:
    """A variable is clamped to its domain, both ways."""
    text = (
        "map:\n    @.\nvar fuel: 2 in 0..3\nactions: left, right\non do left: fuel -= 2\n"
        "on do right: fuel += 2\nobserve: fuel\n"
    )
    game = Game(text)
    assert [game.do(way).observation for way in ("right", "left", "left", "right")] == [3, 1, 0, 2]


def test_words__become_others() -> None:
    """A variable of words changes by ``becomes``."""
    text = (
        "map:\n    @.\nvar light in red | green\nactions: left, right\n"
        "every 2 steps: light becomes green if light is red else red\nobserve: light\n"
    ).replace("var light in", "var light: red in")
    game = Game(text)
    assert [game.do("left").observation for _ in range(4)] == [0, 1, 1, 0]


def test_blocks__branch() -> None:
    """``if``, ``else if`` and ``else`` run the first branch that holds."""
    text = """
map:
    @..
actions: left, right
each step:
    if agent.x == 0: reward 1
    else if agent.x == 1: reward 2
    else:
        reward 3
        reward 30
"""
    assert Game(text).rewards("left right right") == [1, 2, 33]


def test_chance__fires_that_often() -> None:
    """``with chance`` draws each time."""
    game = Game("map:\n    @.\nactions: left, right\neach step with chance 20%: reward 1\n")
    assert 60 < sum(game.rewards("left " * 400)) < 100


def test_choose__in_a_rule_lasts_the_block() -> None:
    """A name chosen in a rule is known in its block."""
    text = "map:\n    @.\nactions: left, right\neach step:\n    choose n in 3..5\n    reward n * n\n"
    assert set(Game(text).rewards("left " * 60)) == {9, 16, 25}


def test_info__tells_in_the_step_that_sets_it() -> None:
    """``info NAME = E`` in a rule tells for one step, and is silent in all others."""
    text = (
        "map:\n    @s\nlegend: s = stove\ntile stove:\nactions: left, right\n"
        "on enter stove: info heat = 3 * step\n"
    )
    game = Game(text)
    assert game.info["heat"] == 0 and game.do("right").info["heat"] == 3
    assert game.do("right").info["heat"] == 0


def test_prev__is_the_value_before_this_step() -> None:
    """``prev(E)`` lets a reward be a difference."""
    text = (
        "map:\n    @..g\nlegend: g = goal\nactions: left, right\n"
        "each step: reward prev(distance(agent, goal)) - distance(agent, goal)\n"
        "on enter goal: end success\n"
    )
    assert Game(text).rewards("left right right left") == [0, 1, 1, -1]


def test_prev__of_what_no_step_keeps_is_of_the_step_before() -> None:
    """``prev`` of ``prev`` and of the action lie one step further back, and a state that is put back has them."""
    text = (
        "map:\n    @...\nactions: left, right\n"
        "each step: reward prev(prev(agent.x)) + (10 if prev(self.action is right) else 0)\n"
    )
    game = Game(text)
    assert game.rewards("right right left left") == [0, 10, 11, 2]
    twin = Game(text)
    twin.env.set_state(game.env.get_state())
    assert twin.rewards("right left") == game.rewards("right left") == [1, 10]


def test_prev__of_what_is_gone_through_is_of_each() -> None:
    """A cellular automaton sees all cells as the step began: a bar of three turns over and back."""
    text = (
        "tile plot: alive in false | true\n"
        "map:\n    ~~~~~\n    ~***~\n    @~~~~\n"
        'legend: "~" = plot, "*" = plot(alive=true), "@" = agent on plot\nactions: stay, left\n'
        "each plot:\n    let this = plot\n"
        "    let near = count(plot where prev(plot.alive) and chebyshev(plot, this) == 1)\n"
        "    plot.alive = near == 3 or (near == 2 and plot.alive)\n"
        "observe: grid as planes (plot.alive)\n"
    )
    game = Game(text)
    first = game.observation.tolist()
    assert first == [[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    second = game.do("stay").observation.tolist()
    assert second == [[0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0]]
    assert game.do("stay").observation.tolist() == first


def test_prev__of_what_may_be_none_is_of_none() -> None:
    """A neighbour that is off the grid has the first value of its domain, as everywhere."""
    text = (
        "tile plot: n 4 in 2..9\nmap:\n    ~~~\n    @~~\n"
        'legend: "~" = plot, "@" = agent on plot\nactions: stay, left\n'
        "each plot:\n    let west = the plot at (plot.x - 1, plot.y)\n    plot.n = prev(west.n + west.x)\n"
        "observe: grid as planes (plot.n / 9)\n"
    )
    game = Game(text)
    values = [(9 * game.do("stay").observation[0]).round().tolist() for _ in range(2)]
    assert values == [[2, 4, 5], [2, 2, 5]]


def test_lowest__is_the_lowest_of_the_episode() -> None:
    """``lowest(E)`` keeps the lowest value, this moment included, and starts anew."""
    text = (
        "map:\n    @..g\nlegend: g = goal\nactions: left, right\n"
        "observe: lowest(distance(agent, goal))\non enter goal: end success\n"
    )
    game = Game(text)
    assert [float(game.do(way).observation[0]) for way in ("right", "right", "left")] == [2, 1, 1]
    assert game.reset().observation[0] == 3


def test_path_distance__goes_around() -> None:
    """``path_distance`` goes around what is solid, and around what it avoids; width * height means no way."""
    text = (
        "map:\n    @#g\n    .C.\n    ...\nlegend: g = goal, C = cliff\nactions: down, up\n"
        "observe: near = path_distance(agent, goal), safe = path_distance(agent, goal avoiding cliff)\n"
    )
    game = Game(text)
    assert {name: float(value[0]) for name, value in game.observation.items()} == {"near": 4, "safe": 6}
    cut = Game("map:\n    @#g\nlegend: g = goal\nactions: left, right\nobserve: path_distance(agent, goal)\n")
    assert cut.observation[0] == 3


EXPRESSIONS = [
    ("7 div 2", 3),
    ("-7 div 2", -4),
    ("-7 mod 3", 2),
    ("1/4", 0.25),
    ("20%", 0.2),
    ("2 + 3 * 4 - 1", 13),
    ("min(3, 1, 2)", 1),
    ("max(3, 1, 2)", 3),
    ("abs(-4)", 4),
    ("exp(0)", 1),
    ("sqrt(16)", 4),
    ("step", 1),
    ("limit", 50),
    ("agent.x", 1),
    ("agent.y", 0),
    ("width * height", 8),
    ("5 if agent.x == 1 else 6", 5),
    ("1 if agent on stove else 0", 1),
    ("1 if agent on stove and not agent.y == 0 else 0", 0),
    ("1 if agent at (1, 0) else 0", 1),
    ("1 if agent within 1 of goal else 0", 0),
    ("1 if agent within 2 of goal else 0", 1),
    ("distance(agent, goal)", 3),
    ("chebyshev(agent, goal)", 2),
    ("euclid(agent, goal)", 5**0.5),
    ("count(ash)", 3),
    ("count(ash where ash.y == 1)", 2),
    ("sum(ash.x for ash)", 3),
    ("sum(ash.x for ash where ash.y == 1)", 1),
    ("1 if no cliff left else 0", 1),
    ("1 if any ash within 1 of agent else 0", 1),
    ("1 if all ash within 1 of agent else 0", 1),
]


@pytest.mark.parametrize(("text", "value"), EXPRESSIONS)
def test_expression__has_its_value(text: str, value: float) -> None:
    """An expression means what it says, after one move to the right."""
    spec = (
        f"map:\n    @sa.\n    aa.g\nlegend: s = stove, a = ash, g = goal\ntile stove:\n"
        f"tile cliff:\ntile goal:\ntile ash:\nactions: left, right\n"
        f"each step: reward {text}\nlimit: 50 steps\n"
    )
    import griddsl
    from tests.playing import completed

    env = griddsl.make(completed(spec))
    env.reset(seed=0)
    assert env.step(1)[1] == pytest.approx(value)


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("on enter stov: reward 1", "unknown-name"),
        ("each step: reward 1 / n", "division-by-zero"),
        ("when n is 3: reward 1", "numbers-with-is"),
        ("when light == red: reward 1", "words-with-equals"),
        ("each step: n = 1 / 2", "fraction"),
        ("on do jump: reward 1", "unknown-action"),
        ("each step: turn to north", "no-facing"),
        ("each step: cancel", "wrong-place"),
        ("each step with chance 3: reward 1", "bad-chance"),
        ("each step if n == 1: reward 1", "each-step-if"),
    ],
)
def test_mistake__is_found(rule: str, code: str) -> None:
    """What is wrong in a rule is found before the first step."""
    text = (
        f"map:\n    @s\nlegend: s = stove\ntile stove:\nvar n: 0 in 0..5\n"
        f"var light: red in red | green\nactions: left, right\nobserve: a = n, b = light\n"
        f"{rule}\n"
    )
    assert code in [diagnostic.code for diagnostic in problems(text)] or (code, "once-named") == (
        "unknown-name",
        problems(text)[0].code,
    )


WORD_PARAM = (
    "param kind: red in red | blue\nparam other: blue in blue | red | green\nparam loud: false\nmap:\n    @..\nactions: right\n"
    "when kind is blue: reward 1\nwhen kind is not blue: reward 2\nwhen kind is other: reward 4\nwhen other is green: reward 8\n"
    "when loud: reward 16\n"
)


@pytest.mark.parametrize(
    ("params", "reward"),
    [
        ({}, 2),
        ({"kind": "blue"}, 5),
        ({"other": "red", "loud": True}, 22),
        ({"kind": "blue", "other": "green"}, 9),
    ],
)
def test_word_parameter__is_compared_with_all_it_could_be(params: dict[str, Any], reward: float) -> None:
    """A parameter's word may be compared with any word of its domain; rules that another value lets fire are no mistake."""
    assert problems(WORD_PARAM) == []
    env = griddsl.make(completed(WORD_PARAM), **params)
    env.reset(seed=0)
    assert env.step(0)[1] == reward


def test_each__is_for_those_that_were_there() -> None:
    """What the rule itself makes waits for the next step: seeds and fire double, they do not fill the map at once."""
    seeds = Game("""
object seed:
map:
    @s......
    ........
legend: s = seed
actions: stay
each seed: place seed at random floor
each step: reward count(seed)
""")
    assert seeds.rewards("stay stay stay") == [2, 4, 8]
    fire = Game("""
map:
    @f......
    ........
legend: f = fire
actions: stay
each fire: place fire at random floor
each step: reward count(fire)
""")
    assert fire.rewards("stay stay") == [2, 4]
    flips = Game("""
object egg:
object hen:
map:
    @eeh
legend: e = egg, h = hen
actions: stay
each egg: egg becomes hen
each hen if step == 2: hen becomes egg
each step: reward 10 * count(egg) + count(hen)
""")
    assert flips.rewards("stay stay stay") == [3, 30, 3]


def test_meet__is_raised_where_a_rule_may_listen_and_nowhere_else() -> None:
    """Of three layers only the pairs that rules speak of are told that they met, and nobody is sent where none is."""
    text = (
        "object shot: layer shots\nobject fish: layer fish\nobject weed: layer weeds\n"
        "map:\n    s.f@w\nlegend: s = shot, f = fish, w = weed\nactions: left, right\n"
        "on shot meet fish: reward 1, remove fish\neach step:\n    each shot: move shot east\n"
    )
    # The shot is told of the fish, whichever of them came to the other.
    for more, meetings in ("", 1), ("    each fish: move fish south\n", 2):
        game = Game(text + more)
        source = game.env.program.source()
        assert source.count("    thing_meet(") == meetings and "on_meet" not in source
        assert "s[GOTO]" not in source
        assert game.rewards("right right left") == [0, 1, 0]


def test_rules__on_actions_of_one_agent_alone_are_not_said_never_to_fire() -> None:
    """The other agents do not know the action; a rule that fires for nobody is told all the same."""
    text = (
        "env: t/Own-v0\nagents: light, dark\nmap:\n    @@.\nactions light: shine(far in 0..2), rest\nactions dark: hide\n"
        "on do shine: reward far\non do hide: reward 1\non do rest if width == 9: reward 2\n"
        "observe: mask\nallow hide: step > 2\nlimit: 9 steps\n"
    )
    found = [each.span.text for each in griddsl.check(text) if each.code == "never-fires"]
    assert found == ["on do rest if width == 9"]
