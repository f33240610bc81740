"""A pair that a definition is given is asked for its numbers, on the grid and off it."""

from __future__ import annotations

import griddsl

TEXT = """
env: test/Pairs-v0
object man:
map:
    .m.
    ..@
legend: m = man
actions: left, right
define free(c): inside(c.x, c.y) and no man at c
define clear(c): inside(c.x, c.y) and not agent at c
info: speaks = free((man.x, man.y - 1)), does_not = clear((man.x, man.y - 1)), below = free((man.x, man.y + 1))
observe: grid
limit: 9 steps
"""


def test_pair__keeps_its_numbers_where_the_definition_speaks_of_the_same_kind() -> None:
    """What lies off the grid is no cell, whatever the definition looks for."""
    _, info = griddsl.make(TEXT).reset(seed=0)
    assert (info["speaks"], info["does_not"], info["below"]) == (False, False, True)


def test_pair__takes_no_name_of_another_parameter() -> None:
    """The numbers of `c` are told apart from a parameter that is called `c_x`, whether that is kept or not."""
    body = "define both(c, c_x): inside(c.x, c.y) and not any man at c and c_x == 7\n"
    text = TEXT.replace("define clear", body + "define clear")
    told = "kept = both((man.x, man.y + 1), man.x + 6), plain = both((man.x, man.y + 1), 7)"
    _, info = griddsl.make(text.replace("info: ", f"info: {told}, ")).reset(seed=0)
    assert (info["kept"], info["plain"]) == (True, True)
