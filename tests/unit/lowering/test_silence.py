"""What the checker passes works as its reader expects: faults that were silent are told, each kind of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.cli.app import app
from tests.playing import NATIVE, Game, is_proved, problems

HALL = """
object key: portable
object chest: solid, carries 1
object lamp: layer air
map:
    @..k#
    .C..#
    #..l#
legend: k = key, C = chest, l = lamp
actions: left, right, up, down, stay
on enter key: reward 1
on bump chest: reward 1
on enter lamp: reward 1
"""


def codes(text: str) -> list[str]:
    """Return the codes of what is said, but for proofs about a fragment."""
    return [problem.code for problem in problems(text) if not is_proved(problem)]


@pytest.mark.parametrize(
    "line",
    [
        "place key at (4, 0)",  # onto what is solid
        "place agent at (4, 0)",
        "place lamp at (1, 1)",  # a solid object keeps other layers out too
        "place key at (3, 0)",  # a layer holds one object a cell
        "place 2 key at (1, 0)",
        "place key at (1, 0), place key at (1, 0)",
        "place key at key",
        "place key at random key",
        "place key at every wall",
        "place key at random wall",
        "place key in column 4",
        "place key in row 0 where x < 4",
        "repeat 2: place key in chest",
        "choose c in 4..4, place key at (c, 1)",
        "choose c in 2..4, place key at (c * 3 - 2, 1)",  # off the map
        "place wall at (2, 1), place key at (2, 1)",
        "if width > 3: place key at (4, 2)",
        "retry 3 until true: place key at (4, 2)",
        "place 20 key at random floor",
    ],
)
def test_place__that_cannot_succeed_is_an_error(line: str) -> None:
    """Whatever keeps setup from placing something is told by `check`, and `if free` leaves it out."""
    assert codes(HALL + f"setup: {line}\n" if ":" not in line else HALL + f"setup:\n    {line}\n") == [
        "no-place"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "place key at (4, 0) if free",
        "place agent at (4, 0) if free",
        "place key in column 4 if free",
        "place key at random wall if free",
        "place 3 key in chest if free",
        "place key at every wall if free",
        "choose c in 2..4, place key at (c * 3 - 2, 1) if free",
        "place floor at (4, 0), place key at (4, 0)",
        "place lamp at (3, 0)",
        "place wall at (2, 1), place floor at (2, 1), place key at (2, 1)",
    ],
)
def test_place__if_free_leaves_out_what_has_no_room(line: str) -> None:
    """What says `if free`, and what has room, is no error, and the game begins."""
    game = Game(HALL + f"setup: {line}\n")
    assert game.env.program.kinds


def test_place__of_the_agent_if_free_leaves_it_where_it_was() -> None:
    """An agent that finds no room stays in its place; one that does goes there."""
    stays = Game(HALL + "setup: place agent at (4, 1) if free\n")
    goes = Game(HALL + "setup: place agent at (2, 2) if free\n")
    assert stays.observation == 0 and goes.observation == 12


@pytest.mark.parametrize("backend", ["python", NATIVE])
def test_place__fails_at_reset_on_every_backend(backend: str) -> None:
    """A reset without room raises, with the line and the map; a rule's place does nothing there."""
    text = HALL + "setup:\n    choose c in 0..4 where c > 3\n    place key at (c, 1)\n"
    env = griddsl.make("env: a/B-v0\nobserve: cell\nlimit: 9 steps\n" + text, backend=backend)
    with pytest.raises(griddsl.SpecError, match=r"no-place.*\(c, 1\) is not free"):
        env.reset(seed=0)


def test_place__in_a_rule_does_nothing_where_there_is_no_room() -> None:
    """Neither on what is solid, nor off the map, nor for the agent; and `place agent` needs no other effect beside it."""
    game = Game(HALL + "on do stay: place key at (agent.x + 4, 1), place agent at (agent.x + 2, agent.y)\n")
    game.do("stay")
    assert game.observation == 2 and game.board == "..@k#\n.C..#\n#..l#"
    game.do("stay stay")
    assert game.observation == 2 and game.board == "..@k#\n.C..#\n#..l#"


CARS = """
object car:
map:
    .....
    .@..c
legend: c = car
actions: up, down, stay
on meet car: reward -1
on car meet agent: reward -10
"""


@pytest.mark.parametrize(
    ("rule", "actions", "rewards"),
    [
        ("each car: move car west", "stay stay stay stay", [0, 0, -11, 0]),
        ("on do up: move car to agent", "stay up", [0, -11]),
        ("on do stay: go to car", "stay", [-11]),
        ("on do stay: move agent to car", "stay", [-11]),
        ("on do stay: place agent at (4, 1)", "stay", [-11]),
        ("when step == 2: move car to (1, 1)", "stay stay stay", [0, -11, 0]),
    ],
)
def test_meet__is_raised_by_whatever_brings_them_together(
    rule: str, actions: str, rewards: list[float]
) -> None:
    """What rules put into a cell meets what is there, as what walks in does."""
    assert Game(CARS + rule + "\n").rewards(actions) == rewards


def test_meet__that_sends_on_comes_to_an_end() -> None:
    """A rule on a meeting that brings both together again does not run for ever."""
    chase = CARS + "on do stay: move car to agent\non meet car: go to (0, 0), move car to (0, 0)\n"
    game = Game(chase)
    assert game.rewards("stay stay")[0] < 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("tile ice: portable", "wrong-property"),
        ("tile ice: moves random", "wrong-property"),
        ("tile ice: layer air", "wrong-property"),
        ("tile ice: carries 2", "wrong-property"),
        ("object ice: slide", "wrong-property"),
        ("object ice: one_way north", "wrong-property"),
        ("object ice: carry east", "wrong-property"),
        ("agent: portable", "wrong-property"),
        ("agent: opaque", "wrong-property"),
        ("agent: slide", "wrong-property"),
    ],
)
def test_property__that_cannot_apply_is_an_error(line: str, code: str) -> None:
    """Each property is for tiles, objects or agents, and elsewhere it would be nothing."""
    text = "map:\n    @.i\nlegend: i = ice\nactions: left, right\non enter ice: reward 1\n"
    assert codes(line + text.replace("map", "\nmap", 1)) == [code]


HOME = "map:\n    @.h\nlegend: h = home\nactions: left, right\non enter home: reward 1\n"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("when no hoem left: reward 1\nwhen count(hoem) == 0: reward 1", "never-placed"),
        ("on enter hom: reward 1\non leave hom: reward 1", "never-placed"),
        ("var mood: sad in sad | glad\nparam glad: 2 in 0..3\nwhen mood is glad: reward glad", "hidden-word"),
        (
            "var mood: sad in sad | glad\nsetup: choose glad in 0..3\nwhen mood is sad: reward glad",
            "hidden-word",
        ),
        ("var mood: sad in sad | glad\non do left: choose sad in 0..3, reward sad", "hidden-word"),
    ],
)
def test_names__that_would_be_taken_for_others_are_errors(lines: str, code: str) -> None:
    """A kind misspelt twice, and a name of a number that hides a word, are told where they stand."""
    assert code in codes(HOME + lines + "\n")


def test_actions__near_a_known_one_are_asked_about() -> None:
    """An action that does nothing and is nearly another's name: `lef`."""
    (found,) = problems("map:\n    @..\nactions: lef, right\nwhen step == 3: reward 1\n")
    assert found.code == "no-effect" and "did you mean `left`?" in (found.help or "")


@pytest.mark.parametrize("form", ["flat: position of agent, facing", "tuple: cell, facing", "cell"])
def test_library__gives_way_to_an_observation_of_any_form(form: str) -> None:
    """`observe flat:` and `observe tuple:` replace the library's observation as `observe:` does."""
    keyword = f"observe {form}" if ":" in form else f"observe: {form}"
    text = f"use: minigrid\nmap:\n    ####\n    #@.#\n    ####\n{keyword}\nwhen step == 3: reward 1\n"
    assert [p.code for p in problems(text) if p.is_error] == []


def test_costs__are_bounded() -> None:
    """Counts within counts multiply: where a step would wait for seconds, it is said; two within each other are fine."""
    hill = (
        "generate: empty(40, 40)\nsetup: place agent at (0, 0), place 9 weed at random floor\nactions: left\n"
    )
    twice = "when count(weed where count(weed where weed.x > 1) > 1) > 1: reward 1\n"
    thrice = "when count(weed where count(weed where count(weed where weed.x > 1) > 1) > 1) > 1: reward 1\n"
    assert codes(hill + twice) in ([], ["ambiguous"]) and "too-costly" in codes(hill + thrice)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("on enter goal: end success", ["no-limit"]),
        ("on enter goal: end success\nlimit: none", []),
        ("on enter goal: end success\neach step with chance 0.1: end failure", []),
        (
            "var fuel: 5 in 0..5\neach step: fuel -= 1\nwhen fuel == 0: end failure\non enter goal: end success",
            [],
        ),
        ("on enter goal: reward 1\nlimit: none", []),
    ],
)
def test_limit__is_missed_where_play_can_go_on_for_ever(lines: str, found: list[str]) -> None:
    """Without a limit or a sure end it is said, and `limit: none` says that it is meant."""
    text = (
        "env: a/B-v0\nmap:\n    @.G\nlegend: G = goal\nactions: left, right\nobserve: cell\n" + lines + "\n"
    )
    assert [problem.code for problem in griddsl.check(text)] == found


@pytest.mark.parametrize(
    ("end", "found"),
    [
        ("each imp where imp.x == 1: end failure", []),
        ("each goal where agent.x == 3: end failure", ["no-limit"]),
    ],
)
def test_limit__is_not_missed_where_a_loop_ends_the_episode_by_itself(end: str, found: list[str]) -> None:
    """Where the states are too many to visit, an end in a loop counts as what is asked around it comes about."""
    text = (
        "env: a/B-v0\nobject imp: moves random\ngenerate: empty(40, 40)\nsetup:\n    place agent at random floor\n"
        "    place goal at random floor\n    place 3 imp at random floor\nactions: left, right, up, down\nobserve: grid\n"
        f"on enter goal: end success\neach step:\n    {end}\n"
    )
    assert [problem.code for problem in griddsl.check(text)] == found


MAZE = "generate: maze(11, 11)\nsetup:\n    place agent at random floor\n    place goal at {at}\nactions: {actions}\n"


@pytest.mark.parametrize(
    ("at", "actions", "more", "found"),
    [
        ("(0, 0)", "up, right, down, left", "", ["never-entered"]),
        ("random floor", "up, right, down, left", "", []),
        ("(0, 0)", "up, right, down, left, up_left", "", []),
        ("(0, 0)", "up, right, down, left", "edge: wrap\n", ["never-entered"]),
        ("(0, 0)", "up, right, down, left, dig", "on do dig: place floor at (0, 1)\n", []),
        ("(0, 0)", "up, right, down, left, jump = move north 2 through wall", "", []),
    ],
)
def test_goals__behind_walls_of_drawn_maps_are_found(
    at: str, actions: str, more: str, found: list[str]
) -> None:
    """Where the states are too many to visit, a few resets show what walls surely keep apart."""
    text = MAZE.format(at=at, actions=actions) + more + "on enter goal: end success\n"
    assert [problem.code for problem in problems(text)] == found


@pytest.mark.parametrize(
    ("moves", "more", "found"),
    [
        ("moves random", "", ["never-moves"]),
        ("moves random 8", "", []),
        ("moves random 8 avoiding floor", "", ["never-moves"]),
        ("moves random, pushable", "", []),
        ("moves random", "each step: place floor at (1, 1)\n", []),
    ],
)
def test_creatures__between_walls_are_found(moves: str, more: str, found: list[str]) -> None:
    """A creature with nowhere to go is told, but not where it may get out."""
    text = f"object cat: {moves}\nmap:\n    @....\n    ###..\n    #c#..\n    ##...\nlegend: c = cat\nactions: left, right\n"
    codes = [problem.code for problem in problems(text + more + "on meet cat: reward -1\n")]
    assert [code for code in codes if code == "never-moves"] == found


def test_ends__behind_walls_are_found_without_being_asked() -> None:
    """A walled-in goal, and a rule that nothing can make fire, are told by plain `check`, but not where parameters vary."""
    walled = "map:\n    @.#G\nlegend: G = goal\nactions: left, right\non enter goal: end success\n"
    assert [problem.code for problem in problems(walled)] == ["unreachable-end"]
    open_ = "param gate: 0 in 0..1\nsetup:\n    if gate == 1: place wall at (1, 0)\nmap:\n    @.G\nlegend: G = goal\n"
    open_ += "actions: left, right\non bump wall: end failure\non enter goal: end success\n"
    assert problems(open_) == []


def test_check__of_a_zero_sum_game_tries_its_setup_again() -> None:
    """A `retry` in setup and `rewards: zero_sum` together raise nothing, and the fault is found."""
    game = (
        "env: a/B-v0\nagents: red, blue\nmap:\n    ..\n    ..\nsetup:\n    retry 10 until red.x != blue.x:\n"
    )
    game += "        place red at random floor\n        place blue at random floor\nactions: left, right\nobserve: cell\n"
    game += "rewards: zero_sum\nlimit: 3 steps\n"
    assert griddsl.check(game + "each step: reward 1 to red\n") == []
    told = "each step:\n    reward 1 to red\n    if red.x == 0: reward 1 to blue\n"
    assert all(isinstance(problem.code, str) for problem in griddsl.check(game + told))


def test_library__with_a_name_too_long_for_the_system_is_an_error(tmp_path: Path) -> None:
    """A file's name of five thousand letters is not found, and nothing is raised."""
    spec = tmp_path / "long.grid"
    name = "x" * 5000
    spec.write_text(
        f'env: a/B-v0\nuse: "{name}"\nmap:\n    @.\nactions: left\nobserve: cell\nlimit: 3 steps\n'
    )
    assert [problem.code for problem in griddsl.check(spec)] == ["unreadable"]


def test_check_exact__of_a_folder_keeps_what_it_says_of_every_file(tmp_path: Path) -> None:
    """A spec of several agents among others is checked without its states, and those after it are visited."""
    one = "env: a/{}-v0\nmap:\n    @.#G\nlegend: G = goal\nactions: left, right\nobserve: cell\non enter goal: end success\n"
    two = "env: a/Two-v0\nagents: red, blue\nmap:\n    R.B\nlegend: R = red, B = blue\nvar idle: 0 in 0..3\n"
    two += "actions: left, right\nobserve: cell\nwhen step == 2: reward 1\nlimit: 5 steps\n"
    (tmp_path / "a.grid").write_text(one.format("A") + "limit: 9 steps\n")
    (tmp_path / "b.grid").write_text(two)
    (tmp_path / "c.grid").write_text(one.format("C") + "limit: 9 steps\n")
    found = CliRunner().invoke(app, ["check", "--exact", "--format", "json", str(tmp_path)])
    codes = [(Path(each["file"]).name, each["code"]) for each in json.loads(found.stdout)]
    assert ("a.grid", "unreachable-end") in codes and ("c.grid", "unreachable-end") in codes
    assert ("b.grid", "unused-name") in codes


@pytest.mark.parametrize("effect", ["info x = 1", "hidden reward 1", "n = 0"])
def test_rules_that_change_nothing_else__are_not_said_never_to_fire(effect: str) -> None:
    """What only decides whether a rule fires is part of the states that the proof visits."""
    text = f"""
var n: 0 in 0..9
map:
    @...G
legend: G = goal
actions: left, right
each step: n += 1
when n == 3: {effect}
on enter goal: end success
limit: 20 steps
"""
    assert "never-fires" not in [problem.code for problem in problems(text)]


def test_memories_of_several__are_part_of_what_is_visited() -> None:
    """A rule that asks for the lowest value so far, and pays for it, is not said never to fire."""
    text = """
agents: red, blue
map:
    1....
    ....2
legend: 1 = red, 2 = blue
actions: left, right, stay
each agent if lowest(self.x) < prev(lowest(self.x)): reward 10
observe: cell
limit: 50 steps
"""
    assert "never-fires" not in [problem.code for problem in problems(text)]


@pytest.mark.parametrize(
    "statement",
    [
        "limit: k * 9",
        "limit red: k",
        "score total: k",
        "info: total = k",
        "rewards: own, clip -k..k",
        "sticky: k / 10",
        "slip if k > 2: 1/3 left",
        "allow up: k > 2",
        "region yard: (0..k, 0..1)\nwhen red on yard: end",
        "var n: k in 0..9\nwhen n > 2: end",
        "object coin: moves random every k steps",
        "observe blue: k",
        "setup: place coin at (k, 0)",
    ],
)
def test_what_any_statement_speaks_of__is_not_said_to_be_unused(statement: str) -> None:
    """What is warned of is true: no statement is left out where uses are looked for."""
    text = f"""env: mine/Used-v0
agents: red, blue
param k: 3 in 1..4
map:
    r...
    b.o.
legend: o = coin, r = red, b = blue
actions: up, down, left, right
turns: alternate
on enter coin: reward 1
observe red: cell
{"" if "observe blue" in statement else "observe blue: cell"}
{statement}
"""
    found = griddsl.check(text)
    assert not [each for each in found if each.severity == "error" or each.code == "unused-name"], found


@pytest.mark.parametrize(
    "statement", ["info: waved = agent.action is wave", "score waves: agent.action is wave"]
)
def test_an_action_that_any_statement_asks_for__is_not_said_to_have_no_effect(statement: str) -> None:
    """It changes what is told, if nothing on the map."""
    text = f"""env: mine/Wave-v0
map:
    @.G
legend: G = goal
actions: left, right, wave
{statement}
observe: cell
on enter goal: end success
limit: 9 steps
"""
    assert griddsl.check(text) == []


def test_what_agents_share__is_said_to_be_unused_once() -> None:
    """An attribute of all agents is one declaration, and one warning."""
    text = """env: mine/Shared-v0
agents: red, blue
agent: luck 0 in 0..9
map:
    r.b
legend: r = red, b = blue
actions: left, right
turns: alternate
observe: cell
"""
    assert [each.code for each in griddsl.check(text)].count("unused-name") == 1


def test_an_attribute_that_another_is_set_to__is_read() -> None:
    """`taken = coin.worth` asks for what it is worth."""
    text = """env: mine/Worth-v0
object coin: worth 1 in 0..3
var taken: 0 in 0..3
map:
    @.cG
legend: c = coin, G = goal
actions: left, right
on enter coin: taken = coin.worth, coin.worth += 1
observe flat: cell, taken
on enter goal: end success
limit: 9 steps
"""
    assert griddsl.check(text) == []


def test_what_a_text_shows_by_its_letter__is_no_unused_attribute() -> None:
    """The legend has a letter for some of its values, and the agent sees letters; with another observation it is unused."""
    spec = """
object key: lit in false | true
map:
    @kl
legend: k = key, l = key(lit=true)
actions: left, right
observe: text
on enter key: key.lit = true
limit: 5 steps
"""
    assert codes(spec) == []
    assert codes(spec.replace("observe: text", "observe: cell")) == ["unused-name"]


def test_who_stays_and_is_carried__enters_all_the_same() -> None:
    """`on enter mud if self.action is stay` can fire beside a belt, and nothing is said of it; without one it is told."""
    spec = """
tile belt: carry east
tile mud:
map:
    @bm.
legend: b = belt, m = mud
actions: left, right, stay
observe: cell
on enter mud if self.action is stay: reward 1
limit: 5 steps
"""
    assert codes(spec) == []
    assert "enter-is-not-stay" in codes(spec.replace("tile belt: carry east", "tile belt:"))


def test_turn__in_a_loop_is_about_what_it_goes_through() -> None:
    """The crab turns, which has a facing, and not the agent."""
    game = Game("""
object crab: facing
agent: facing
map:
    @.c
legend: c = crab
actions: turn_left, spin
observe: cell
on do spin:
    each crab where crab.x > 1: turn around
info: crab = crab.facing, mine = agent.facing
limit: 5 steps
""")
    assert game.do("spin").info["crab"] == "west" and game.info["mine"] == "east"


def test_choose__distinct_cells_differ() -> None:
    """Each is drawn among the cells that are left; where none is left in a rule, there is none."""
    spec = """
map:
    @...
actions: left, right
observe: cell
setup: choose a, b, c distinct in random floor
info: same = a is b or b is c or a is c
limit: 5 steps
"""
    env = griddsl.make(f"env: t/Apart-v0{spec}")
    assert not any(env.reset(seed=seed)[1]["same"] for seed in range(60))


@pytest.mark.parametrize(
    "placed",
    [
        "place patch at every floor",
        "place patch in (1..3, 1..3)",
        "place patch in column 2",
        "place patch in border",
        "each c in (1..3, 1..3): place patch at c",
        "place patch at (2, 2)\n    place patch at (3, 3)",
        "repeat 3: place patch at random floor",
        "each i in 1..3: place patch at (i, 2)",
    ],
)
def test_name__of_which_setup_surely_makes_several_is_an_error(placed: str) -> None:
    """However setup places several of a kind, its bare name says of none which one is meant."""
    text = (
        "env: test/Several-v0\ntile patch: lit in false | true\ngenerate: room(6, 6)\n"
        "setup:\n    place agent at (1, 1)\n    {}\n"
        "actions: up, right\nobserve: grid as planes (agent, patch.lit)\neach step: patch.lit = true\nlimit: 9 steps\n"
    )
    assert codes(text.format(placed)) == ["ambiguous"]
    assert "ambiguous" not in codes(text.format("place patch at (2, 2)\n    place patch at (2, 2)"))


def test_second_list_of_an_agent__is_its_own() -> None:
    """`actions seeker hand: ...` is a list of the seeker's, as the page says, and no name of a list of all."""
    text = """
agents: seeker, blue
map:
    R..
    B..
legend: R = seeker, B = blue
actions: left, right
actions seeker: left, right
actions seeker hand: ping, quiet
on do ping: reward 1
"""
    assert "no-such-agent" not in codes(text)
