"""`no` as a word: what can be said, an attribute's value, a variable's first value."""

from __future__ import annotations

from tests.playing import Game

SPEC = """
var said: no in yes | no | maybe
tile lamp: lit_up no in yes | no
map:
    @lc
legend: l = lamp, c = coin
object coin:
actions:
    say(word in yes | no | maybe)
    right
observe tuple: said, said is no, lamp.lit_up
on do say: said = word
on do say if word is no: reward 1
on do say if said is not no and no coin left: reward 2
on do say if (word is no) or word is maybe: reward 4
on do right if lamp.lit_up is no: lamp.lit_up = yes if said is no else no
on enter coin: remove coin
"""


def test_no__is_a_word_wherever_a_value_stands() -> None:
    """It is said, compared, given and observed, and ``no coin left`` means none beside it."""
    game = Game(SPEC)
    yes, no, maybe, right = range(4)
    rewards, seen = [], []
    for action in (yes, right, no, right, maybe, no):
        observation, reward, *_ = game.env.step(action)
        rewards.append(reward)
        seen.append([int(entry) for entry in observation])
    # `said` is asked before it is set: the conditions of an event come first.
    assert rewards == [0, 0, 5, 0, 4, 2 + 5]
    assert seen == [[0, 0, 1], [0, 0, 1], [1, 1, 1], [1, 1, 0], [2, 0, 0], [1, 1, 0]]
