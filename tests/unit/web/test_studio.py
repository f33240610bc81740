"""The studio: painting changes rows only, several tabs agree, and nobody but its page may ask."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import griddsl
from griddsl.diagnostics import Refused
from griddsl.source import Source
from griddsl.web.studio.documents import Document, rebased, spliced
from griddsl.web.studio.folder import Changed, Folder
from griddsl.web.studio.painting import maps_of, painted, resized
from griddsl.web.studio.reading import colours
from griddsl.web.studio.rooms import Rooms
from griddsl.web.studio.solving import solution

SPEC = """env: test/Pond-v0   # kept
map:   # so is this
    #####
    #@.w#
    #..G#
    #####
legend: w = pond, G = goal
actions: up, down,   left, right
on enter goal: end success
on enter pond: end failure
observe: grid
limit: 20
"""
WALLED = """env: test/Edges-v0
map walled:
    +-----+
    |@ . G|
    |. . .|
    +-----+
legend: G = goal
actions: up, down, left, right
on enter goal: end success
observe: cell
limit: 20
"""
TOML = """env = "test/Pond-v0"
actions = ["left", "right"]
observe = "cell"
limit = 9
map = '''
@..G
'''  # after
legend = { G = "goal" }
[[rules]]
when = "on enter goal"
do = "end success"
"""


@pytest.fixture
def rooms(tmp_path: Path) -> Rooms:
    """A folder with one spec."""
    (tmp_path / "pond.grid").write_text(SPEC)
    return Rooms(Folder(tmp_path))


def _rows(text: str) -> list[str]:
    return maps_of(Source("a.grid", text))[0].cells


# Painting


@pytest.mark.parametrize("name, text", [("a.grid", SPEC), ("a.toml", TOML), ("a.grid", WALLED)])
def test_painted__changes_nothing_but_the_cell(name: str, text: str) -> None:
    """One character of the file is another one."""
    new = painted(Source(name, text), 0, [(1, 0, "x")])
    assert [(a, b) for a, b in zip(text, new, strict=True) if a != b] == [(text[new.index("x")], "x")]
    assert maps_of(Source(name, new))[0].cells[0][1] == "x"


@pytest.mark.parametrize(
    "cell", [(5, 0, "."), (0, 4, "."), (-1, 0, "."), (0, 0, "ab"), (0, 0, "\n"), (0, 0, '"')]
)
def test_painted__refuses(cell: tuple[int, int, str]) -> None:
    """Cells off the map and what is no glyph change nothing."""
    with pytest.raises(Refused):
        painted(Source("a.grid", SPEC), 0, [cell])


@pytest.mark.parametrize(
    "width, height, rows",
    [
        (7, 4, ["#######", "#@.w..#", "#..G..#", "#######"]),
        (5, 6, ["#####", "#@.w#", "#..G#", "#...#", "#...#", "#####"]),
        (4, 3, ["####", "#@.#", "####"]),
        (6, 3, ["######", "#@.w.#", "######"]),
    ],
)
def test_resized__keeps_the_walls_around(width: int, height: int, rows: list[str]) -> None:
    """Floor comes and goes inside of the frame, and all other lines stay."""
    new = resized(Source("a.grid", SPEC), 0, width, height)
    assert _rows(new) == rows
    assert [line for line in new.split("\n") if not line.startswith("    ")] == [
        line for line in SPEC.split("\n") if not line.startswith("    ")
    ]


def test_resized__without_walls() -> None:
    """A map without walls around grows and shrinks at its right and lower ends; in TOML too."""
    wide = resized(Source("a.toml", TOML), 0, 6, 2)
    assert _rows_of_toml(wide) == ["@..G..", "......"]
    assert _rows_of_toml(resized(Source("a.toml", wide), 0, 4, 1)) == ["@..G"]
    assert resized(Source("a.toml", wide), 0, 4, 1) == TOML


def _rows_of_toml(text: str) -> list[str]:
    return maps_of(Source("a.toml", text))[0].cells


def test_resized__refuses_walls_between_cells() -> None:
    """A map with walls between its cells is resized by hand."""
    with pytest.raises(Refused):
        resized(Source("a.grid", WALLED), 0, 4, 4)


# Texts


@pytest.mark.parametrize(
    "base, mine, current, merged",
    [
        ("abc", "aXbc", "abc", "aXbc"),
        ("one two", "ONE two", "one TWO", "ONE TWO"),
        ("one two", "one two!", ">one two", ">one two!"),
        ("one", "two", "three", "two"),
    ],
)
def test_rebased__keeps_what_both_changed(base: str, mine: str, current: str, merged: str) -> None:
    """Two changes at different places are both there; at one place the last counts."""
    assert rebased(base, mine, current) == merged


def test_spliced__makes_one_of_the_other() -> None:
    """A splice is what differs."""
    start, end, put = spliced("hello there", "hello, there")
    assert "hello there"[:start] + put + "hello there"[end:] == "hello, there" and len(put) == 1


def test_document__undoes_what_was_typed_at_once() -> None:
    """Keys that follow each other are one change; another tab's change is one of its own."""
    document = Document("a.grid", "a", "")
    document.edit(0, "ab", typed=True)
    document.edit(1, "abc", typed=True)
    document.edit(2, "Xabc")
    assert document.undo() and document.text == "abc"
    assert document.undo() and document.text == "a"
    assert not document.undo() and document.redo() and document.text == "abc"


# Files


def test_folder__reads_and_writes_nothing_outside(tmp_path: Path) -> None:
    """Names that lead out, by dots or by a link, are refused; so are files that are no specs."""
    inside = tmp_path / "specs"
    inside.mkdir()
    (tmp_path / "secret.grid").write_text("secret")
    (inside / "pyproject.toml").write_text("[project]\n")
    (inside / "link.grid").symlink_to(tmp_path / "secret.grid")
    folder = Folder(inside)
    assert folder.specs() == []
    for name in (
        "../secret.grid",
        str(tmp_path / "secret.grid"),
        "link.grid",
        "a.py",
        ".hidden/a.grid",
        "a\0.grid",
    ):
        with pytest.raises(Refused):
            folder.read(name)
        with pytest.raises(Refused):
            folder.write(name, "gone", None)
    assert (tmp_path / "secret.grid").read_text() == "secret"


def test_save__never_overwrites_what_somebody_else_wrote(rooms: Rooms, tmp_path: Path) -> None:
    """A file that changed meanwhile is kept until it is asked for."""
    rooms.open("pond.grid")
    rooms.do("pond.grid", {"do": "edit", "base": 0, "text": SPEC + "# mine\n"})
    (tmp_path / "pond.grid").write_text(SPEC + "# theirs\n")
    [(name, [told])] = rooms.follow()
    assert name == "pond.grid" and told["contested"] and told["dirty"]
    rooms.do("pond.grid", {"do": "save"})
    assert (tmp_path / "pond.grid").read_text().endswith("# theirs\n")
    with pytest.raises(Changed):
        rooms.folder.write("pond.grid", "x", "another digest")
    rooms.do("pond.grid", {"do": "save", "forced": True})
    assert (tmp_path / "pond.grid").read_text().endswith("# mine\n")
    assert rooms.unsaved() == []


def test_follow__takes_what_another_editor_saved(rooms: Rooms, tmp_path: Path) -> None:
    """Where nothing was changed here, the text follows the file, and the game goes on with its moves."""
    rooms.open("pond.grid")
    rooms.do("pond.grid", {"do": "act", "seat": 0, "action": 3})
    (tmp_path / "pond.grid").write_text(SPEC.replace("limit: 20", "limit: 30"))
    [(_, [text, view])] = rooms.follow()
    assert "limit: 30" in text["text"] and not text["dirty"]
    assert view["moments"] == 1 and ("step", "1 of 30") in [tuple(fact) for fact in view["facts"]]


def test_edit__with_an_error_keeps_the_game(rooms: Rooms) -> None:
    """A half-typed text has problems with their places and fixes, and the game that was stays."""
    rooms.open("pond.grid")
    text = SPEC.replace("enter goal", "entr goal")
    told, view = rooms.do("pond.grid", {"do": "edit", "base": 0, "text": text})
    [problem] = [each for each in told["problems"] if each["error"]]
    assert text[problem["start"] : problem["end"]] == "entr" and problem["fixes"][0]["text"] == "enter"
    assert view["board"] and told["palette"]


def test_used_texts__count_as_they_are_here(tmp_path: Path) -> None:
    """A library that is open and not saved is what the specs that use it see."""
    (tmp_path / "main.grid").write_text(SPEC.replace("limit: 20", 'use: "lib.grid"\nlimit: 20'))
    (tmp_path / "lib.grid").write_text("each step: reward -1\n")
    rooms = Rooms(Folder(tmp_path))
    rooms.open("lib.grid")
    rooms.do("lib.grid", {"do": "edit", "base": 0, "text": "each step: reward -5\n"})
    rooms.open("main.grid")
    [view] = rooms.do("main.grid", {"do": "act", "seat": 0, "action": 0})
    assert ("last reward", "-5") in [tuple(fact) for fact in view["facts"]]


def test_complete__offers_what_may_stand(rooms: Rooms) -> None:
    """Statements come with the shape of the rest, and names from texts that are not saved; places count as pages do."""
    pytest.importorskip("lsprotocol", reason="pygls is not installed")
    rooms.open("pond.grid")
    text = SPEC + "# \N{ROCKET}\non enter go"
    asked = {"do": "complete", "text": text, "at": len(text) + 1}  # the rocket is two units
    [told] = rooms.do("pond.grid", asked)
    [goal] = [each for each in told["offered"] if each["label"] == "goal"]
    assert (goal["start"], goal["end"], goal["text"], goal["caret"]) == (
        len(text) - 1,
        len(text) + 1,
        "goal",
        4,
    )
    [told] = rooms.do("pond.grid", {"do": "complete", "text": "limi", "at": 4})
    assert next(each["text"] for each in told["offered"] if each["label"] == "limit").startswith("limit: ")
    assert not any("$" in each["text"] for each in told["offered"])
    assert rooms.open("pond.grid").document.text == SPEC
    for place in (-3, 10**9):
        assert rooms.do("pond.grid", {"do": "complete", "text": text, "at": place})
    with pytest.raises(Refused):
        rooms.do("pond.grid", {"do": "complete", "text": text})


def test_places__count_as_pages_do(rooms: Rooms) -> None:
    """A character beyond the first plane is two units for a page, in colours, problems and fixes."""
    rooms.open("pond.grid")
    text = "# \N{ROCKET}\n" + SPEC.replace("enter goal", "entr goal")
    told, _ = rooms.do("pond.grid", {"do": "edit", "base": 0, "text": text})
    [problem] = [each for each in told["problems"] if each["error"]]
    assert problem["start"] == problem["fixes"][0]["start"] == text.index("entr goal") + 1
    assert sum(length for _, length in told["colours"]) == len(text) + 1


def test_look__shows_an_earlier_board(rooms: Rooms) -> None:
    """The scrubber goes back and the game does not."""
    first = rooms.view(rooms.open("pond.grid"))["board"]
    [after] = rooms.do("pond.grid", {"do": "act", "seat": 0, "action": 3})
    [earlier] = rooms.do("pond.grid", {"do": "look", "moment": 0})
    assert earlier["board"] == first != after["board"] and earlier["moments"] == 1
    [now] = rooms.do("pond.grid", {"do": "look", "moment": 1})
    assert now["board"] == after["board"]


def test_solution_and_resets__are_pictures(rooms: Rooms) -> None:
    """What is best has a value on the map; resets have their seeds."""
    rooms.open("pond.grid")
    rooms.do(
        "pond.grid", {"do": "edit", "base": 0, "text": SPEC.replace("end success", "reward 1, end success")}
    )
    solved = solution(rooms.question("pond.grid"))
    assert solved["success"] == 1 and solved["board"].startswith("data:image/svg+xml")
    [drawn] = rooms.do("pond.grid", {"do": "resets", "first": 5})
    assert [each["seed"] for each in drawn["resets"]][:2] == [5, 6] and len(drawn["resets"]) == 64


def test_solution__of_too_many_boards_is_of_the_one_that_is_played(tmp_path: Path) -> None:
    """Where setup draws more boards than can be counted, the values are those of this episode's start, as Python has them."""
    spec = Path("specs/door_key.grid").read_text(encoding="utf-8")
    (tmp_path / "key.grid").write_text(spec, encoding="utf-8")
    rooms = Rooms(Folder(tmp_path))
    rooms.open("key.grid")
    found = solution(rooms.question("key.grid"))
    stage = rooms.rooms["key.grid"].stage
    assert stage.session is not None and found["seed"] == stage.session.seed
    shortest = shortest_of(stage.session.program, stage.session.state_at(0))
    assert found["length"] == shortest and found["success"] == 1
    assert found["return"] == pytest.approx(1 - 0.9 * shortest / 640)


def shortest_of(program: Any, state: Any) -> int:
    """Return the fewest steps to an end, by a search of our own over the functions of the program."""
    env = griddsl.make("griddsl/DoorKey-v0", backend="python")
    env.reset(seed=0)
    layout = program.layout
    skip = {layout.offsets[name] for name in ("STEP",) if name in layout.offsets}
    seen, ring, steps = set(), [state], 0
    while ring:
        steps, after = steps + 1, []
        for each in ring:
            for action in range(6):
                env.set_state(each)
                _, _, ended, _, _ = env.step(action)
                if ended:
                    return steps
                new = env.get_state()
                key = tuple(value for at, value in enumerate(new[0]) if at not in skip)
                if key not in seen:
                    seen.add(key)
                    after.append(new)
        ring = after
    raise AssertionError("no end")


@pytest.mark.parametrize(
    "message",
    [
        {"do": "fly"},
        {"do": "edit", "base": "0", "text": ""},
        {"do": "edit", "base": 0},
        {"do": "paint", "map": 0, "cells": "all"},
        {"do": "paint", "map": 7, "cells": []},
        {"do": "resize", "map": 0, "width": 1000, "height": 2},
        {"do": "act", "seat": 9, "action": 0},
        {"do": "choose", "params": [], "level": None},
        {},
    ],
)
def test_do__refuses_what_it_does_not_know(rooms: Rooms, message: dict[str, Any]) -> None:
    """Messages of the wrong shape are refused, and change nothing."""
    with pytest.raises(Refused):
        rooms.do("pond.grid", message)
    assert rooms.open("pond.grid").document.text == SPEC


@pytest.mark.parametrize(
    "name, text", [("a.grid", SPEC), ("a.toml", TOML), ("a.grid", "\n\n  half <b>typed"), ("a.grid", "")]
)
def test_colours__cover_the_text(name: str, text: str) -> None:
    """The pieces are the whole text."""
    assert sum(length for _, length in colours(name, text)) == len(text)


# The server


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    """A client of a studio at port 8000."""
    testclient = pytest.importorskip("starlette.testclient", reason="the studio's server is not installed")
    from griddsl.web.studio.server import Studio

    (tmp_path / "pond.grid").write_text(SPEC.replace("Pond-v0", 'Pond-v0\n    "<script>alert(1)</script>"'))
    studio = Studio(Folder(tmp_path), 8000, "token")
    with testclient.TestClient(studio.app(), base_url="http://127.0.0.1:8000") as client:  # all on one loop
        yield client


@pytest.mark.parametrize(
    "path, headers, status",
    [
        ("/token/", {}, 200),
        ("/token/files/studio.js", {}, 200),
        ("/token/files/..%2fserver.py", {}, 404),
        ("/token/files/server.py", {}, 404),
        ("/wrong/", {}, 403),
        ("/wrong/files/studio.js", {}, 403),
        ("/token/", {"host": "evil.example:8000"}, 403),
        ("/token/", {"origin": "http://evil.example"}, 403),
        ("/token/export/json/pond.grid", {}, 200),
        ("/token/export/json/..%2fpond.grid", {}, 422),
        ("/token/export/exe/pond.grid", {}, 422),
        ("/wrong/export/json/pond.grid", {}, 403),
    ],
)
def test_server__answers_its_own_page_only(
    client: Any, path: str, headers: dict[str, str], status: int
) -> None:
    """Without the token, from another host's name or another page, nothing is told."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == status
    if status == 200:
        assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null"])
def test_socket__needs_the_page_s_origin(client: Any, origin: str | None) -> None:
    """Another page that knows the address cannot open the socket."""
    from starlette.websockets import WebSocketDisconnect

    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(
            "/token/socket",
            headers={"host": "127.0.0.1:8000"} | ({} if origin is None else {"origin": origin}),
        ),
    ):
        pass


def test_tabs__agree(client: Any) -> None:
    """What one tab writes, the other sees; what cannot be done is told to the one that asked, and no text is lost."""
    headers = {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"}
    with (
        client.websocket_connect("/token/socket", headers=headers) as one,
        client.websocket_connect("/token/socket", headers=headers) as two,
    ):
        for tab in (one, two):
            assert tab.receive_json()["specs"] == ["pond.grid"]
            tab.send_json({"do": "open", "name": "pond.grid"})
            assert tab.receive_json()["is"] == "text" and tab.receive_json()["is"] == "view"
        one.send_json({"do": "paint", "map": 0, "cells": [[2, 1, "w"]]})
        assert one.receive_json()["text"] == (seen := two.receive_json())["text"] and "#@ww#" in seen["text"]
        assert one.receive_json()["is"] == two.receive_json()["is"] == "view"
        two.send_text("{" * 5)
        assert two.receive_json()["is"] == "refused"
        two.send_json({"do": "open", "name": "../x.grid"})
        assert two.receive_json()["is"] == "refused"
        two.send_json({"do": "undo", "name": "pond.grid"})
        assert "#@.w#" in one.receive_json()["text"]


def test_solving__keeps_nobody_waiting(client: Any) -> None:
    """What is typed while a game is solved is answered first, and then the question has lost its game."""
    headers = {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"}
    with client.websocket_connect("/token/socket", headers=headers) as tab:
        tab.receive_json()
        tab.send_json({"do": "open", "name": "pond.grid"})
        text = tab.receive_json()["text"]
        assert tab.receive_json()["is"] == "view"
        tab.send_json({"do": "solve", "name": "pond.grid", "number": 1})
        won = text.replace("end success", "reward 1, end success")
        tab.send_json({"do": "edit", "name": "pond.grid", "base": 0, "text": won, "number": 2})
        assert [tab.receive_json()["is"] for _ in range(2)] == ["text", "view"]
        answer = tab.receive_json()
        assert answer["is"] == "unsolved" and answer["number"] == 1 and "has changed" in answer["why"]
        for number in (3, 4):  # the second time it is known
            tab.send_json({"do": "solve", "name": "pond.grid", "number": number})
            answer = tab.receive_json()
            assert (answer["number"], answer["solution"]["return"]) == (number, 1)


def test_solving__says_why_there_is_no_solution(client: Any) -> None:
    """What the other process refuses is told in its words; a newer question takes the place of the one before."""
    headers = {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"}
    with client.websocket_connect("/token/socket", headers=headers) as tab:
        tab.receive_json()
        tab.send_json({"do": "open", "name": "pond.grid"})
        counting = "agent: tired 0 in 0..60000\neach step: agent.tired += 1\nwhen agent.tired == 60000: end\n"
        text = f"{counting}{tab.receive_json()['text'].replace('limit: 20', 'limit: 60000')}"
        tab.receive_json()
        tab.send_json({"do": "edit", "name": "pond.grid", "base": 0, "text": text})
        assert tab.receive_json()["problems"] == [] and tab.receive_json()["is"] == "view"
        for number in (1, 2):
            tab.send_json({"do": "solve", "name": "pond.grid", "number": number})
        first, second = sorted((tab.receive_json() for _ in range(2)), key=lambda told: told["number"])
        assert first["number"] == 1 and "asked again" in first["why"]
        assert second["number"] == 2 and "20,000 states" in second["why"]


def test_folder__says_what_is_wrong_with_its_path(tmp_path: Path) -> None:
    """A path that is no folder and no spec is refused in words."""
    (tmp_path / "a.py").write_text("")
    for path in (tmp_path / "nowhere", tmp_path / "a.py"):
        with pytest.raises(Refused):
            Folder(path)
    if os.name == "posix":
        (tmp_path / "only.grid").write_text(SPEC)
        assert Folder(tmp_path / "only.grid").specs() == ["only.grid"]
