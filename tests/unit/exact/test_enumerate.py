"""Enumerating: exact chances, as little of the step as matters, and refusals in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.compiler import compiled
from griddsl.exact.draws import ExactError, Script, TooManyStatesError
from griddsl.exact.enumerate import enumerate_states
from griddsl.exact.states.step_need import step_need_of
from griddsl.refused import Refused
from griddsl.training.scoring import score

LINE = """env: t/Line-v0
map:
    @..G
legend: G = goal
actions: left, right
observe: cell
"""


def spec(*lines: str) -> str:
    """Return a corridor of four cells with these statements."""
    return LINE + "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("lines", "need", "period"),
    [
        (["on enter goal: end success", "limit: 9 steps"], "none", 1),
        (["every 2 steps: reward 1", "every 3 steps: reward 2", "on enter goal: end success"], "phase", 6),
        (["on enter goal: reward 1 - 0.9 * step / limit, end success", "limit: 9 steps"], "reward", 1),
        (["when step > 3: reward 1", "on enter goal: end success", "limit: 9 steps"], "whole", 1),
        (["on enter goal: reward step * step, end success", "limit: 9 steps"], "whole", 1),
    ],
)
def test_step_need__is_no_more_than_matters(lines: list[str], need: str, period: int) -> None:
    """The limit needs nothing, `every` a phase, an even reward nothing in the state, and the rest the whole step."""
    step_need = step_need_of(compiled(spec(*lines)).program)
    assert (step_need.kind, step_need.period) == (need, period)


def test_states__count_the_step_only_where_it_matters() -> None:
    """Three cells and an end without the step; as many per phase; and all of them until the limit."""
    plain = griddsl.to_mdp(spec("on enter goal: end success", "limit: 9 steps"))
    phased = griddsl.to_mdp(spec("every 2 steps: reward 1", "on enter goal: end success"))
    whole = griddsl.to_mdp(spec("on enter goal: end success", "limit: 9 steps"), with_step=True)
    assert (plain.n_states, phased.n_states) == (4, 8)
    assert whole.n_states > 9
    assert {whole.outcome(int(i)) for i in np.flatnonzero(whole.terminal)} == {"success", "truncated"}


def test_reward_of_step__is_the_same_as_counting_the_step() -> None:
    """Rewards `a + b * step` solved backwards have the optimum of the process whose states count the step."""
    text = spec(
        "on enter goal: reward 1 - 0.9 * step / limit, end success", "slip: 1/4 back", "limit: 9 steps"
    )
    short = griddsl.to_mdp(text, reward_of_step=True)
    long = griddsl.to_mdp(text)
    assert short.n_states < long.n_states
    assert short.solve(horizon="limit").optimal_return == pytest.approx(
        long.solve().optimal_return, abs=1e-12
    )
    with pytest.raises(ExactError, match="rewards depend on `step`"):
        short.solve()


def test_chances__are_fractions() -> None:
    """Chances that a spec writes as fractions are those fractions."""
    mdp = griddsl.to_mdp(spec("slip: 1/7 back", "on enter goal: end success"))
    start = int(np.flatnonzero(mdp.initial)[0])
    assert {chance for chance, *_ in mdp.outcomes(start, 1)} == {Fraction(1, 7), Fraction(6, 7)}


def test_retry__leaves_the_chances_of_the_tries_that_succeed() -> None:
    """Of the three cells that a retried place may be in, two meet the condition and are equally likely."""
    text = """env: t/Retry-v0
map:
    ....G
legend: G = goal
actions: left, right
observe: cell
setup:
    retry 1000 until agent.x > 1:
        place agent at random floor
on enter goal: end success
"""
    mdp = griddsl.to_mdp(text)
    assert sorted(mdp.agent_cells[mdp.initial > 0].tolist()) == [2, 3]
    assert set(mdp.initial[mdp.initial > 0]) == {0.5}
    assert mdp.enumeration.setup_failure == 0


def test_maze__is_enumerated_through_its_own_loop() -> None:
    """A maze of 5 x 5 cells is a ring of four rooms with one passage closed: four mazes, whose chances add up."""
    text = """env: t/Maze-v0
generate: maze(5, 5)
actions: up, right, down, left
observe: grid
setup:
    place agent at (1, 1)
    place goal at (3, 3)
on enter goal: end success
"""
    mdp = griddsl.to_mdp(text)
    assert int((mdp.initial > 0).sum()) == 4
    assert mdp.initial.sum() == pytest.approx(1)


def test_idle_names__do_not_multiply_the_states() -> None:
    """A name that setup chose and nothing reads again is no part of the states; one that a rule reads is."""
    chosen = spec("setup:", "    choose lucky in 1..5", "on enter goal: end success")
    read = spec("setup:", "    choose lucky in 1..5", "on enter goal: reward lucky, end success")
    idle = chosen.replace(
        "choose lucky in 1..5", "choose lucky in 1..5\n    if lucky > 9: place wall at (0, 0)"
    )
    assert griddsl.to_mdp(idle).n_states == 4
    assert griddsl.to_mdp(read).n_states == 5 * 4


def test_bound__names_what_multiplies_the_states() -> None:
    """Beyond the bound the variables with the most values are named, most first."""
    text = spec("var n: 0 in 0..5000", "on act: n += 1", "each step: reward n", "on enter goal: end success")
    with pytest.raises(
        TooManyStatesError, match=r"more than 1,000 states.*`n` \([0-9,]+\), the agent's cell \(4\)"
    ):
        griddsl.to_mdp(text, max_states=1000)


def test_setups__are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setup with more outcomes than the bound is refused before it runs for ever."""
    monkeypatch.setattr("griddsl.exact.enumerate.MOST_SETUPS", 2000)
    named = (
        r"setup fall out in more than 2,000 ways; what multiplies them.*: the tiles of the map \([0-9,]+\)"
    )
    with pytest.raises(TooManyStatesError, match=named):
        enumerate_states(compiled(_holes()).program, most_states=2000)


def test_setups__of_which_there_are_surely_too_many_are_refused_at_once() -> None:
    """A setup of 2^35 ways is not run a thousand times to say so; one of 2^12 is, and it is not too many."""
    script = Script()
    runs: list[int] = []

    def of(draws: int) -> Callable[[], int]:
        def go() -> int:
            runs.append(draws)
            return sum(script.draw(None, 2) for _ in range(draws))

        return go

    assert script.surely_more(of(35), 200_000)
    assert len(runs) == 100
    assert script.surely_more(of(12), 200_000) is None
    assert len(runs) == 101
    lopsided = [1]  # one way of two goes on: 41 ways, most of which draw little

    def one_side() -> int:
        lopsided[0] = 0
        while lopsided[0] < 40 and script.draw(None, 2):
            lopsided[0] += 1
        return lopsided[0]

    assert script.surely_more(one_side, 1_000) is None
    assert len(set(script.ways(one_side, 1_000))) == 41


def test_setups__that_lead_to_few_states_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a `repeat` draws multiplies the ways and not the states: that is the reason given."""
    monkeypatch.setattr("griddsl.exact.enumerate.MOST_SETUPS", 2000)
    text = """env: t/Shuffled-v0
var n: 0 in 0..3
map:
    @G
legend: G = goal
setup:
    repeat 9:
        choose d in 0..3
        n = (n + d) mod 4
actions: right
observe: n
on enter goal: reward n, end success
"""
    with pytest.raises(
        TooManyStatesError, match=r"more than 2,000 ways, though \d?,?\d+ of them lead to only \d state"
    ):
        enumerate_states(compiled(text).program, most_states=2000)


def _holes() -> str:
    return """env: t/Holes-v0
generate: empty(6, 6)
setup:
    place hole at every floor with chance 1/2
    place agent at (0, 0)
actions: up, right
observe: grid
on enter hole: end failure
"""


def test_index__finds_the_state_of_an_environment() -> None:
    """The number of `get_state()` is found at every step, whatever the step counts."""
    mdp = griddsl.to_mdp("griddsl/FrozenLake-v0")
    env: Any = griddsl.make("griddsl/FrozenLake-v0")
    env.reset(seed=3)
    for _ in range(5):
        state = mdp.index(env.get_state())
        assert mdp.states[state][0][0] == env.get_state()[0][0]
        _, _, terminated, _, info = env.step(1)
        if terminated:
            assert mdp.terminal[mdp.index(env.get_state(), info["outcome"])]
            break


@pytest.mark.parametrize("numbers", [(0, 9), (0, -1), (999, 0), (-1, 0), (1.5, 0), (0, "up"), (True, 0)])
def test_outcomes__are_those_of_states_and_actions_that_there_are(numbers: tuple[Any, Any]) -> None:
    """The numbers of another state and action are those of no row of the table, and not of the next one."""
    mdp = griddsl.to_mdp("griddsl/CliffWalking-v0")
    numpy: Any = np.int64(2), np.int8(1)
    assert mdp.outcomes(*numpy) == mdp.outcomes(2, 1)
    with pytest.raises(ValueError, match=r"(a state|an action) is a whole number from 0 to (37|47|3), not"):
        mdp.outcomes(*numbers)


def test_too_many_states__say_nothing_of_what_is_not_known() -> None:
    """Where the first state is one too many, nothing is known that multiplies."""
    with pytest.raises(TooManyStatesError) as caught:
        griddsl.to_mdp("griddsl/CliffWalking-v0", max_states=1)
    assert str(caught.value) == "there are more than 1 state"


def test_index__of_what_is_never_come_to_is_told() -> None:
    """A state that cannot be reached, and an end that a state is not, are named."""
    mdp, env = griddsl.to_mdp("griddsl/FrozenLake-v0"), griddsl.make("griddsl/FrozenLake-v0")
    env.reset(seed=3)
    with pytest.raises(KeyError, match="griddsl/FrozenLake-v0 does not come to this state at the end 'lost'"):
        mdp.index(env.get_state(), "lost")


def test_P__is_numbered_as_toy_text_numbers_it() -> None:
    """``env.P`` of cliff walking has all 48 cells, with the chances, rewards and ends of the steps."""
    env: Any = griddsl.make("griddsl/CliffWalking-v0")
    assert sorted(env.P) == list(range(48))
    assert env.P[36][1] == [(1.0, 36, -100.0, False)]
    assert env.P[35][2] == [(1.0, 47, -1.0, True)]


def test_retry__leaves_the_chances_of_what_was_drawn_before() -> None:
    """A name drawn before a retry keeps its even chances, however much harder one of its values makes the tries."""
    text = """env: t/Before-v0
map:
    ....G
legend: G = goal
actions: left, right
observe: cell
setup:
    choose least in 0 | 2
    retry 1000 until agent.x > least:
        place agent at random floor
on enter goal: reward least, end success
"""
    mdp = griddsl.to_mdp(text)
    starts = {}
    for number in np.flatnonzero(mdp.initial).tolist():
        least = mdp.states[number][0][mdp.program.layout.offsets[("CHOSEN", "least")]]
        starts[least, int(mdp.agent_cells[number])] = mdp.enumeration.initial[number]
    sixth = Fraction(1, 6)
    assert starts == {(0, 1): sixth, (0, 2): sixth, (0, 3): sixth, (2, 3): Fraction(1, 2)}


def test_ends__are_told_apart_by_their_outcome() -> None:
    """Two ways to end in one cell are two states."""
    text = spec("on bump edge: end failure", "on do stay: end success", "on enter goal: end success")
    mdp = griddsl.to_mdp(text.replace("actions: left, right", "actions: left, right, stay"))
    ends = [(int(mdp.agent_cells[i]), mdp.outcome(int(i))) for i in np.flatnonzero(mdp.terminal)]
    assert (0, "failure") in ends and (0, "success") in ends


def test_idle_names__are_not_those_that_a_branch_asks() -> None:
    """A name that only the condition of an `if` line reads is a part of the states."""
    text = spec(
        "setup:",
        "    choose lucky in 1..5",
        "on enter goal:",
        "    if lucky > 2: reward 1",
        "    end success",
    )
    assert griddsl.to_mdp(text).n_states == 5 * 4


def test_bound__is_lower_where_states_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that memory sets is said to be one, and raising it is not what helps."""
    monkeypatch.setattr("griddsl.exact.enumerate.MOST_VALUES", 30)
    with pytest.raises(
        TooManyStatesError, match=r"each of [0-9]+ numbers, and no more fit in memory"
    ) as error:
        griddsl.to_mdp("griddsl/Taxi-v0")
    assert "max_states" not in str(error.value.help)


def test_draws__of_one_step_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws whose outcomes are few, but which fall out in too many ways to visit, are refused."""
    monkeypatch.setattr("griddsl.exact.explorer.MOST_RUNS", 500)
    text = """env: t/Coins-v0
object coin:
map:
    @ccccc
    ccccc.
legend: c = coin
actions: stay
observe: cell
each coin with chance 1/2: reward 1
"""
    with pytest.raises(TooManyStatesError, match="the draws of one step fall out in more than 500 ways"):
        griddsl.to_mdp(text)


def test_progress__is_told_how_far_it_is() -> None:
    """States found, states done and transitions only grow, and end at what there is."""
    told: list[tuple[int, ...]] = []
    mdp = griddsl.to_mdp("griddsl/Taxi-v0", progress=lambda *counts: told.append(counts))
    assert told[-1] == (404, 404, mdp.n_transitions)
    assert told == sorted(told)
    mdp = griddsl.to_mdp("griddsl/RockSample-v0", level="4x4", progress=lambda *counts: told.append(counts))
    assert len(told) > 3


def test_states__name_what_was_chosen_as_the_spec_does() -> None:
    """A thing that setup draws is named by its own name, not by the slot in which it is kept."""
    text = (
        "env: t/Flock-v0\nobject sheep: solid\nmap:\n    @.s.s\nlegend: s = sheep\nsetup: choose chief in sheep\n"
        "actions: left, right\nobserve: grid\non bump sheep if sheep is chief: end success\nlimit: 9 steps\n"
    )
    with pytest.raises(TooManyStatesError, match=r"`chief` \(2\)"):
        griddsl.to_mdp(text, max_states=4)


@pytest.mark.parametrize("given", ["5", -3, 0, 1.5, True])
def test_max_states__is_a_whole_number(given: Any) -> None:
    """Whoever asks for states says how many at the most; what is none is refused with what was given."""
    said = re.escape(f"`max_states`) is a whole number from 1 on, not {given!r}")
    for ask in (
        lambda: griddsl.to_mdp("griddsl/FrozenLake-v0", max_states=given),
        lambda: griddsl.evaluate("random", "griddsl/FrozenLake-v0", episodes=1, max_states=given),
        lambda: score("random", "griddsl/FrozenLake-v0", episodes=1, max_states=given),
    ):
        with pytest.raises(Refused, match=said):
            ask()


@pytest.mark.parametrize(
    ("declared", "taken"),
    [
        ("object coin: value in 0..9", "remove coin"),
        ("object coin: value in 0..9\nobject hole:", "coin becomes hole"),
        ("tile coin: value in 0..9", "coin becomes floor"),
        ("tile coin: value in 0..9", "place floor at coin"),
        ("tile coin: value in 0..9", "remove coin"),
    ],
)
def test_states__do_not_differ_by_what_is_gone(declared: str, taken: str) -> None:
    """What a thing was like that is no more tells no states apart: ten coins, and none."""
    text = (
        f"env: test/Gone-v0\n{declared}\nmap:\n    @\nactions: toss, wait = stay\nobserve: count(coin)\n"
        "on do toss:\n    if no coin left: place coin(value=random) at (0, 0)\n"
        f"    else:\n        each coin: reward coin.value, {taken}\nlimit: 20 steps\n"
    )
    mdp = griddsl.to_mdp(text)
    assert mdp.n_states == 10 + (2 if "hole" in declared else 1)
