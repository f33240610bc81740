"""How kinds look by default."""

import os
import subprocess
import sys

import pytest

import griddsl
from griddsl.render import COLORS, SHAPES, look_of
from griddsl.render.looks import _LOOKS, _NAMED, _words
from griddsl.render.painter import Painter


def test_table__names_only_shapes_that_exist() -> None:
    """Every row of the table names a shape of SHAPES, and no word stands in two rows."""
    words = [word for _, _, row in _NAMED for word in row.split()]
    assert {shape for shape, _ in _LOOKS.values()} <= set(SHAPES)
    assert sorted(words) == sorted(set(words))


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("cliff", "cliff"), ("red_door", "door"), ("keys", "key"), ("iron_ball", "ball"), ("Wall", "wall")],
)
def test_look_of__knows_a_kind_by_the_words_of_its_name(kind: str, shape: str) -> None:
    """A name, its last word, or its singular gives the shape."""
    assert look_of(kind, category="object").shape == shape


@pytest.mark.parametrize(
    ("category", "properties", "shape"),
    [
        ("tile", {"slide"}, "ice"),
        ("tile", {"drift"}, "wind"),
        ("tile", {"carry"}, "belt"),
        ("tile", {"one_way"}, "one_way"),
        ("tile", {"solid"}, "wall"),
        ("tile", set(), "ground"),
        ("object", {"pushable", "solid"}, "box"),
        ("object", {"moves"}, "creature"),
        ("object", {"portable"}, "diamond"),
        ("object", {"solid"}, "square"),
        ("object", set(), "circle"),
        ("agent", set(), "agent"),
    ],
)
def test_look_of__an_unknown_name_looks_as_it_behaves(
    category: str, properties: set[str], shape: str
) -> None:
    """A kind whose name says nothing has a shape by its properties, else by its category."""
    look = look_of("qwertz", category=category, properties=frozenset(properties))  # type: ignore[arg-type]
    assert look.shape == shape


def test_look_of__unknown_names_have_colours_of_their_own_in_every_process() -> None:
    """Ten unknown kinds have ten colours, and another process gives the same."""
    names = [f"kind{letter}" for letter in "abcdefghij"]
    colors = [look_of(name, category="object").color for name in names]
    assert len(set(colors)) == len(names)
    program = (
        "from griddsl.render import look_of; print([look_of('kind' + c, category='object').color for c in"
        " 'abcdefghij'])"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    other = subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
    )
    assert other.stdout.strip() == str(colors)


def test_look_of__attributes_colour_turn_and_open_a_thing() -> None:
    """A colour's word colours, a pictured state's word sets the state, a compass word turns."""
    look = look_of("door", category="object", attributes={"state": "locked", "tint": "blue", "side": "north"})
    assert (look.shape, look.color, look.state, look.direction) == ("door", COLORS["blue"], "locked", 3)


def test_look_of__an_attribute_named_color_wins_over_another_colour_word() -> None:
    """`color` decides, whatever stands before it."""
    look = look_of("key", category="object", attributes={"lock": "red", "color": "green"})
    assert look.color == COLORS["green"]


def test_look_of__numbered_portals_differ_in_colour_and_ages_do_not() -> None:
    """`pair` tells portals apart by colour; `age` does not repaint a body."""
    pairs = {look_of("portal", category="tile", attributes={"pair": pair}).color for pair in (1, 2, 3)}
    ages = {look_of("body", category="object", attributes={"age": age}).color for age in (1, 2, 3)}
    assert (len(pairs), len(ages)) == (3, 1)


def test_look_of__a_number_leaves_what_is_called_by_a_colour_as_it_is() -> None:
    """A team of `red * 3` is red, each with an `id` of its own; those of a kind without a colour differ by it."""
    teams = {
        (kind, look_of(kind, category="agent", attributes={"id": k}).color)
        for kind in ("red", "blue")
        for k in (1, 2)
    }
    assert teams == {("red", COLORS["red"]), ("blue", COLORS["blue"])}
    assert len({look_of("bomber", category="agent", attributes={"id": k}).color for k in (1, 2, 3)}) == 3


def test_look_of__a_true_attribute_is_a_state() -> None:
    """A true-or-false attribute named after a pictured state shows it only while it is true."""
    pressed, free = (look_of("button", category="object", attributes={"pressed": on}) for on in (1, 0))
    assert (pressed.state, free.state) == ("pressed", None)


def test_look_of__agents_named_after_colours_wear_them() -> None:
    """`agents: red, blue` are a red and a blue agent."""
    look = look_of("blue", category="agent")
    assert (look.shape, look.color) == ("agent", COLORS["blue"])


def test_look_of__what_the_spec_says_wins() -> None:
    """An explicit shape, colour, picture and direction are taken as they are."""
    look = look_of(
        "box",
        category="object",
        shape="star",
        color="#102030",
        image="/x.png",
        attributes={"color": "red"},
        direction=2,
    )
    assert (look.shape, look.color, look.image, look.direction) == ("star", (16, 32, 48), "/x.png", 2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"shape": "starr"}, "no shape `starr`"),
        ({"color": "#12"}, "`#12` is neither"),
        ({"color": "redd"}, "`redd` is neither"),
    ],
)
def test_look_of__refuses_unknown_shapes_and_colours(wrong: dict[str, str], message: str) -> None:
    """A shape or colour that does not exist is an error that names it."""
    with pytest.raises(ValueError, match=message):
        look_of("box", category="object", **wrong)  # type: ignore[arg-type]


def test_words__begin_with_the_whole_name_and_end_with_the_first_word() -> None:
    """The whole name is tried first, then its words from the last."""
    assert _words("red_doors") == ("red_doors", "red_door", "doors", "door", "red", "red")


def test_thing__that_moves_by_itself_looks_alive() -> None:
    """An object that `moves` and whose name has no look of its own is a creature in a picture, not a plain disc."""
    text = """env: test/Vex-v0
object vex: moves random
object dax:
map:
    @.vd
legend: v = vex, d = dax
actions: left, right
observe: grid
on meet vex: end failure
on enter dax: end success
limit: 9 steps
"""
    env = griddsl.make(text)
    env.reset(seed=0)
    shapes = {sprite.kind: sprite.shape for stack in env.scene().cells for sprite in stack}
    assert (shapes["vex"], shapes["dax"]) == ("creature", "circle")


def test_sprite__of_what_a_play_uncovers() -> None:
    """Fields of Minesweeper are drawn as they are opened, with their numbers: truths are states by their names."""
    env = griddsl.make("griddsl/Minesweeper-v0")
    env.reset(seed=0)
    painter = Painter(env.program)

    def shown() -> set[str | None]:
        return {sprite.state for stack in painter.scene(env._s).cells for sprite in stack}

    covered = shown()
    for action in (0, 40, 44, 8):
        env.step(action)
    assert covered == {None} and shown() >= {None, "opened", "opened 1", "opened 2"}


def test_cover__hides_the_number_below_it_in_its_colour_too() -> None:
    """Whole numbers called `number` colour a thing, but not one that covers them."""
    colors = {
        look_of(
            "plot", category="tile", shape="cover", attributes={"opened": "false", "number": number}
        ).color
        for number in range(1, 9)
    }
    assert len(colors) == 1
    opened = {
        look_of("plot", category="tile", shape="cover", attributes={"opened": "true", "number": number}).color
        for number in range(1, 9)
    }
    assert len(opened) > 1
