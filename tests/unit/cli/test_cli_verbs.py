"""Verbs: what they write and refuse."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import griddsl
from griddsl.backends.native.library import is_installed
from griddsl.cli.app import app
from griddsl.cli.failures import Refusal
from griddsl.cli.sources import find_spec, parse_params, spec_files
from griddsl.cli.texts.new import names_of
from griddsl.cli.texts.toml_schema import toml_schema
from griddsl.cli.verbs import VERBS
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS

CASES = Path(__file__).parents[2] / "cases"
SPECS = sorted((Path(__file__).parents[3] / "specs").glob("*.grid"))
GAME = str(CASES / "cli" / "game.grid")


def _invoke(*arguments: str) -> Any:
    return CliRunner().invoke(app, arguments, prog_name="griddsl")


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_help__shows_the_examples_of_the_table(verb: Any) -> None:
    """Every verb's help has its summary and its examples."""
    result = _invoke(verb.name, "--help")
    assert result.exit_code == 0
    for command, words in verb.examples:
        assert command in result.output and words in result.output


def test_list_json__names_every_registered_spec() -> None:
    """`list --json` gives id, size, actions, parameters and observation of the bundled specs."""
    records = {record["id"]: record for record in json.loads(_invoke("list", "--json").stdout)}
    lake = records["griddsl/FrozenLake-v0"]
    assert lake["actions"] == [["left", "down", "right", "up"]]
    assert lake["levels"] == ["4x4", "8x8"]
    assert lake["params"]["slippery"] == {"default": True, "domain": "true | false"}
    assert records["griddsl/CliffWalking-v0"]["observation"] == "Discrete(48)"


def test_list__is_readable() -> None:
    """`list` prints a line for each id, with its size, agents and observation, below its family."""
    lines = _invoke("list").stdout.split("\n")
    (cliff,) = [line.split() for line in lines if line.startswith("  griddsl/CliffWalking-v0 ")]
    assert cliff == ["griddsl/CliffWalking-v0", "12", "x", "4", "1", "agent", "Discrete(48)"]
    assert {"griddsl", "MinAtar"} <= set(lines)


def test_list__takes_words_of_ids_and_descriptions() -> None:
    """What is listed has all the words; words that nothing has are said, with a way on."""
    found = [line.split()[0] for line in _invoke("list", "minatar", "Bricks").stdout.split("\n") if line]
    assert found == ["MinAtar", "griddsl/MinAtar-Breakout-v1"]
    records = json.loads(_invoke("list", "--json", "cliffwalking").stdout)
    assert [record["id"] for record in records] == ["griddsl/CliffWalking-v0"]
    missed = _invoke("list", "minatar", "chess")
    assert missed.exit_code == 1 and "no id and no description has `minatar` and `chess`" in missed.output


@pytest.mark.parametrize("ending", [".png", ".gif", ".svg"])
def test_show__writes_pictures(ending: str, tmp_path: Path) -> None:
    """`show -o` writes a file of each kind, with overlays."""
    values, policy, out = tmp_path / "v.npy", tmp_path / "p.npy", tmp_path / f"out{ending}"
    np.save(values, np.arange(8.0))
    np.save(policy, np.ones((2, 4), int))
    options = ("--values", str(values), "--policy", str(policy), "--cell-pixels", "20")
    result = _invoke("show", GAME, "-o", str(out), *options)
    assert result.exit_code == 0, result.stderr
    assert out.read_bytes()[:4] in {b"\x89PNG", b"GIF8", b"<svg"}


def test_show__draws_the_actions_of_a_policy_as_their_directions(tmp_path: Path) -> None:
    """A policy's numbers are actions of the spec, whatever their order."""
    np.save(tmp_path / "p.npy", np.array([[0, 1, 2, 3], [0, 0, 0, 0]]))
    assert "→ ↓ " in _invoke("show", GAME, "--policy", str(tmp_path / "p.npy")).stdout


def test_show__refuses_arrays_that_do_not_fit(tmp_path: Path) -> None:
    """An array of another size is an error in words."""
    np.save(tmp_path / "v.npy", np.zeros(3))
    result = _invoke("show", GAME, "--values", str(tmp_path / "v.npy"))
    assert result.exit_code == 1 and "one number a cell is needed" in result.stderr


@pytest.mark.parametrize(
    ("option", "array", "said"),
    [
        ("--values", np.full((2, 4), "high"), "values holds numbers, not <U4"),
        ("--values", np.full((2, 4), 1j), "values holds numbers, not complex128"),
        ("--policy", np.full((2, 4), "up"), "policy holds numbers, not <U2"),
        ("--policy", np.full((2, 4), 9), "policy has 9 in a cell, and actions are 0 to 3"),
        ("--policy", np.full((2, 4), -1), "policy has -1 in a cell"),
        ("--policy", np.full((2, 4), 0.5), "policy has 0.5 in a cell"),
        ("--policy", np.full((2, 4), np.inf), "policy has inf in a cell"),
        (
            "--values",
            np.zeros((4, 2)),
            "values has the shape (4, 2); one number a cell is needed, (2, 4) or (8,)",
        ),
        (
            "--policy",
            np.zeros((4, 2)),
            "policy has the shape (4, 2); one action a cell is needed, (2, 4) or (8,)",
        ),
        ("--policy", np.zeros((4, 2, 4)), "one row of 4 actions, (2, 4, 4) or (8, 4)"),
        ("--policy", np.ones((2, 4, 9)), "or one row of 4 actions, (2, 4, 4) or (8, 4)"),
    ],
)
def test_show__refuses_overlays_that_say_nothing(
    option: str, array: np.ndarray[Any, Any], said: str, tmp_path: Path
) -> None:
    """Texts, and actions that there are not, are told, and not drawn as something else."""
    np.save(tmp_path / "a.npy", array)
    result = _invoke("show", GAME, option, str(tmp_path / "a.npy"))
    assert result.exit_code == 1 and said in result.stderr, result.output


def test_show__draws_nothing_where_a_policy_says_nothing(tmp_path: Path) -> None:
    """NaN and None are cells without an arrow; values without end have a colour."""
    np.save(tmp_path / "p.npy", np.array([[0, 1, 2, np.nan], [np.nan] * 4]))
    np.save(tmp_path / "v.npy", np.array([[0, 1, -np.inf, np.nan], [np.inf] * 4]))
    given = ("--policy", str(tmp_path / "p.npy"), "--values", str(tmp_path / "v.npy"))
    shown = _invoke("show", GAME, *given)
    assert shown.exit_code == 0 and sum(shown.stdout.count(arrow) for arrow in "→↓←↑") == 3, shown.output
    assert _invoke("show", GAME, *given, "-o", str(tmp_path / "a.svg")).exit_code == 0
    env = griddsl.make(str(GAME))
    env.reset(seed=0)
    assert env.scene(policy=[None] * 8).policy == ((),) * 8
    assert env.scene(policy=[[-1e308, 1e308, 0.0, 0.0]] * 8).policy == env.scene(policy=[1] * 8).policy
    assert env.scene(policy=[[0.1, 0.6, 0.2, 0.1]] * 8).policy == env.scene(policy=[[1]] * 8).policy


@pytest.mark.parametrize("ending", [".gif", ".png"])
def test_run__records(ending: str, tmp_path: Path) -> None:
    """`--record` writes the game that a transcript tells."""
    from PIL import Image

    out = tmp_path / f"game{ending}"
    assert _invoke("run", GAME, "--actions", "right,right,up", "--record", str(out)).exit_code == 0
    with Image.open(out) as picture:
        assert getattr(picture, "n_frames", 1) == (3 if ending == ".gif" else 1)  # a bump changes no picture


def test_run__reads_actions_from_standard_input() -> None:
    """`--actions -` reads names or numbers, separated by commas or lines."""
    result = CliRunner().invoke(app, ["run", GAME, "--actions", "-"], input="right\n1,down\n")
    assert "step 3: down" in result.stdout


def test_explain_python__prints_the_source() -> None:
    """`explain --python` prints Python that compiles."""
    source = _invoke("explain", GAME, "--python").stdout
    compile(source, "explained", "exec")
    assert "def step(" in source


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_explain__tells_of_every_spec(path: Path) -> None:
    """Every bundled spec is explained, rule by rule."""
    result = _invoke("explain", str(path))
    assert result.exit_code == 0, result.output
    assert "A step, in order" in result.stdout and "Rules" in result.stdout


def test_convert__goes_there_and_back(tmp_path: Path) -> None:
    """A spec converted to TOML and back checks clean, and is the same model."""
    import griddsl

    toml, grid = tmp_path / "game.toml", tmp_path / "game.grid"
    assert _invoke("convert", GAME, "-o", str(toml)).exit_code == 0
    assert _invoke("convert", str(toml), "-o", str(grid)).exit_code == 0
    assert griddsl.load(grid) == griddsl.load(GAME) == griddsl.load(toml)


def test_convert__refuses_an_ending_that_says_no_format(tmp_path: Path) -> None:
    """What a file of another ending is to hold, `--to` says."""
    file = tmp_path / "game.txt"
    result = _invoke("convert", GAME, "-o", str(file))
    assert result.exit_code == 2 and "does not end in .toml" in result.stderr and not file.exists()
    assert _invoke("convert", GAME, "--to", "toml", "-o", str(file)).exit_code == 0


def test_new__refuses_to_overwrite(tmp_path: Path) -> None:
    """A file that exists stays as it is."""
    file = tmp_path / "coin_room.grid"
    file.write_text("mine")
    result = _invoke("new", "CoinRoom", "--in", str(tmp_path))
    assert result.exit_code == 1 and "exists already" in result.stderr
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "file", "spec_id"),
    [
        ("CoinRoom", "coin_room.grid", "mine/CoinRoom-v0"),
        ("coin_room", "coin_room.grid", "mine/CoinRoom-v0"),
        ("coin room", "coin_room.grid", "mine/CoinRoom-v0"),
        ("acme/MyMaze-v3", "my_maze.grid", "acme/MyMaze-v3"),
        ("maze.grid", "maze.grid", "mine/Maze-v0"),
    ],
)
def test_new__makes_file_and_id_of_a_name(name: str, file: str, spec_id: str) -> None:
    """A name in any spelling gives a file in snake case and an id."""
    assert names_of(name) == (file, spec_id)


@pytest.mark.parametrize("name", ["", "3d", "../x", "a/b/c", "é", "-v0"])
def test_new__refuses_what_cannot_be_a_name(name: str) -> None:
    """A name that gives no file or id is refused."""
    with pytest.raises(Refusal, match="cannot name a spec"):
        names_of(name)


def test_params__are_truth_values_numbers_or_words() -> None:
    """Values of parameters are read as what they look like."""
    found = parse_params(["a=true", "b=3", "c=-0.5", "d=1/4", "e=red", "f=1e3"], "8x8")
    assert found == {"a": True, "b": 3, "c": -0.5, "d": 0.25, "e": "red", "f": 1000.0, "level": "8x8"}
    written = parse_params(["a=True", "b=FALSE", "c=50%", "d=33.3%", "e=x%"])
    assert written == {"a": True, "b": False, "c": 0.5, "d": 0.333, "e": "x%"}


def test_folders__give_their_specs_and_no_other_files(tmp_path: Path) -> None:
    """Of a folder only specs are taken: not libraries, and not other TOML files."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    (tmp_path / "kinds.grid").write_text("object coin: portable\n")
    (tmp_path / "a.grid").write_text("env: a/A-v0\n")
    (tmp_path / "b.toml").write_text('env = "a/B-v0"\n')
    assert [path.name for path in spec_files([str(tmp_path)])] == ["a.grid", "b.toml"]


def test_levels__that_are_drawn_are_no_specs(tmp_path: Path) -> None:
    """A file of Tiled or LDtk in the place of a spec is told to be one, with the line that reads it."""
    (tmp_path / "cellar.tmx").write_text("<map/>")
    with pytest.raises(Refusal, match="is a drawn level, and no spec") as drawn:
        find_spec(str(tmp_path / "cellar.tmx"))
    assert 'import: "cellar.tmx"' in str(drawn.value.help)


def test_folders__without_specs_say_what_was_looked_for(tmp_path: Path) -> None:
    """An empty folder, one of libraries alone and a pattern are refused with what was looked for."""
    with pytest.raises(Refusal, match="no spec in the folder") as empty:
        list(spec_files([str(tmp_path)]))
    assert "ends with .grid or .toml" in str(empty.value.help)
    with pytest.raises(Refusal, match="there is no file") as pattern:
        list(spec_files([str(tmp_path / "*.grid")]))
    assert "a folder brings all specs in it" in str(pattern.value.help)
    (tmp_path / "kinds.grid").write_text("object coin: portable\n")
    with pytest.raises(Refusal, match="no spec in the folder") as libraries:
        list(spec_files([str(tmp_path)]))
    assert "`kinds.grid` has no `env:` statement" in str(libraries.value.help)


def test_schema__has_every_statement() -> None:
    """The schema has a property for every statement that is no rule, and the rules."""
    properties = toml_schema()["properties"]
    plain = {keyword for keyword in STATEMENTS if keyword not in RULE_WORDS}
    assert set(properties) == plain | {"description", "rules"}
    assert properties["edge"]["enum"] == ["stay", "clip", "wrap"]


def test_schema__fits_the_example_of_the_language() -> None:
    """The example's keys are properties, and its rules have the keys of a rule."""
    schema = toml_schema()
    example = tomllib.loads((CASES / "language" / "cliff_walking.toml").read_text())
    assert set(example) <= set(schema["properties"])
    assert set(schema["required"]) <= set(example)
    for rule in example["rules"]:
        assert set(rule) == set(schema["properties"]["rules"]["items"]["properties"])
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(schema).validate(example)


@pytest.mark.parametrize(
    ("spec", "step"), [("FourRooms", "one environment step"), ("HurdleRace", "a joint step")]
)
def test_bench__measures_specs_for_one_and_for_several(spec: str, step: str) -> None:
    """Every backend that can run a spec has its lines; those that cannot say why."""
    result = _invoke("bench", spec, "--num-envs", "3", "--repeats", "1")
    assert result.exit_code == 0
    assert step in result.stdout and "a batch of 3, python" in result.stdout
    assert ("native  " in result.stdout) == is_installed()


def test_run__opens_a_window_where_output_is_piped(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--window` plays in a window whatever standard output is; where there is no display, that is said."""
    from griddsl.cli.playing import run
    from griddsl.playing import window as play
    from griddsl.render import window

    played: list[Any] = []
    monkeypatch.setattr(play, "play_in_window", played.append)
    monkeypatch.setattr(window, "display_available", lambda: True)
    assert _invoke("run", GAME, "--window").exit_code == 0 and len(played) == 1
    monkeypatch.setattr(window, "display_available", lambda: False)
    monkeypatch.setattr(run, "_is_dummy", lambda: False)
    refused = _invoke("run", GAME, "--window")
    assert refused.exit_code == 1 and "there is no display to open a window on" in refused.output


def test_run__without_single_keys_plays_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a system has no `termios`, as Windows, a transcript is printed, and asking for the terminal is refused."""
    from griddsl.cli.playing import run
    from griddsl.render import window

    monkeypatch.setattr(run, "_is_terminal", lambda: True)
    monkeypatch.setattr(run, "_reads_keys", lambda: False)
    monkeypatch.setattr(window, "display_available", lambda: False)
    assert run._view() is run.View.text
    refused = _invoke("run", GAME, "--view", "terminal")
    assert refused.exit_code == 2 and "`--view window` plays here" in refused.output


def test_explain__tells_what_a_score_is(tmp_path: Path) -> None:
    """A score is an entry of info that says its expression; what rules tell by `info` is set by them."""
    path = tmp_path / "scored.grid"
    path.write_text(
        "env: test/Scored-v0\nmap:\n    @.G\nlegend: G = goal\nactions: left, right\nobserve: cell\n"
        "score gained: total reward\non enter goal: reward 1, info arrived = step, end\nlimit: 9 steps\n",
        encoding="utf-8",
    )
    told = CliRunner().invoke(app, ["explain", str(path)]).output
    assert re.search(r"gained +total reward\n", told) and re.search(r"arrived +set by a rule\n", told)


def test_run__takes_a_cell_with_and_without_its_brackets(tmp_path: Path) -> None:
    """As actions that take several things have them."""
    spec = "env: me/Mark-v0\nmap:\n    @.\n    ..\nregion bed: (0..1, 1)\nactions: mark(spot in bed), stay\nobserve: cell\non do mark: reward 1\nlimit: 9 steps\n"
    (tmp_path / "mark.grid").write_text(spec)
    for said in ("mark(0, 1)", "mark((0, 1))", "mark ((0,1))"):
        result = _invoke("run", str(tmp_path / "mark.grid"), "--actions", said)
        assert result.exit_code == 0, result.output
        assert "score 1" in result.output


def test_explain__shows_what_stands_in_which_block(tmp_path: Path) -> None:
    """Rules and definitions with blocks in blocks are told in lines."""
    spec = """
env: me/Blocks-v0
map:
    @.
actions: left, right
observe: cell
limit: 9 steps
define glow(c):
    if c.x > 0: reward 1
each step:
    if step > 1:
        each cell:
            if agent at here: glow(here)
        if step > 2: end
    else: reward -1
"""
    (tmp_path / "blocks.grid").write_text(spec)
    told = _invoke("explain", str(tmp_path / "blocks.grid")).output
    lines = [
        "In every step:",
        "  if step > 1:",
        "    each cell:",
        "      if agent at here: glow(here)",
        "    if step > 2: the episode ends",
        "  otherwise: -1 is added to the reward",
    ]
    first = told.index(lines[0])
    indent = first - told.rindex("\n", 0, first) - 1
    assert told[first:].split("\n")[: len(lines)] == [lines[0], *(" " * indent + line for line in lines[1:])]
    assert "  glow(c):\n    if c.x > 0: 1 is added to the reward\n" in told
