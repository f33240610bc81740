"""Recordings: what a page plays, undoes and keeps is played again in Python, bit for bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from griddsl.cli import main
from griddsl.compiler import compiled
from griddsl.diagnostics import Refused
from griddsl.training.plays import read_plays
from griddsl.training.policy_file import read
from griddsl.web.human_plays import plays_in
from griddsl.web.page import fingerprint
from griddsl.web.recordings import Mismatch, read_recording, recording_of, replayed
from griddsl.web.study import read_study
from tests.agreement.test_javascript import MEMBERS_OF_OBJECTS
from tests.unit.web.in_node import SPECS, in_node, needs_node

PLAYING = """
const session = new Session(make(), facts);
const controls = new Controls(session, data.game.seats);
const fired = new Set(), rewards = [];
for (let seed = 0; seed < 2; seed++) {
  session.start(seed);
  for (let k = 0; k < 60 && !session.isOver; k++) {
    if (pick(10) === 0) session.undo();
    else {
      session.act(controls.move());
      for (const { rule } of session.moment.fired) fired.add(rule);
      rewards.push(session.moment.rewards);
    }
  }
}
console.log(JSON.stringify({ transcript: session.transcript(), fired: [...fired], rewards, rules: data.game.rules.length }));
"""
TEXT = """env: docs/Walk-v0
map:
    @...G
legend: G = goal
actions: left, right
observe: cell
each step: reward -1
on enter goal: reward 10, end success
limit: 9 steps
"""


@needs_node
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_session__is_played_again_bit_for_bit(path: Path, tmp_path: Path) -> None:
    """Random games with steps that are taken back agree in state, reward and end, and rules that fired have numbers."""
    played = in_node(path, tmp_path, PLAYING)
    recording = recording_of(played["transcript"])
    assert len(recording.episodes) == 2
    told = [moment for episode in recording.episodes for moment in replayed(path, episode)]
    again = [list(moment.rewards) for moment in told if moment.action is not None]
    assert again == played["rewards"]
    assert set(played["fired"]) <= set(range(played["rules"]))


@needs_node
def test_session__takes_agents_named_like_members_of_objects(tmp_path: Path) -> None:
    """An agent `__proto__` chooses and is paid, and `constructor` gets nothing once it is out."""
    played = in_node(MEMBERS_OF_OBJECTS, tmp_path, PLAYING)
    recording = recording_of(played["transcript"])
    told = [moment for episode in recording.episodes for moment in replayed(MEMBERS_OF_OBJECTS, episode)]
    assert [list(moment.rewards) for moment in told if moment.action is not None] == played["rewards"]


def played(folder: Path) -> dict[str, Any]:
    """Return the recording of a walk in Node, as plain data."""
    script = """
const session = new Session(make(), facts);
session.start(3);
session.act([1]);
session.act([0]);
session.undo();
for (let k = 0; k < 3; k++) session.act([1]);
console.log(JSON.stringify(session.transcript()));
"""
    found: dict[str, Any] = in_node(TEXT, folder, script)
    return found


@needs_node
def test_replay__says_where_a_recording_is_wrong(tmp_path: Path) -> None:
    """A changed reward, state, end or action is found at its step."""
    value = played(tmp_path)
    list(replayed(TEXT, recording_of(value).episodes[0]))
    changes: list[tuple[list[Any], Any, str]] = [
        (["steps", 0, "reward"], 5, "step 1: the reward is -1.0 here, and 5.0"),
        (["steps", 1, "check"], "00000000", "step 2: the state is"),
        (["check"], "ffffffff", "the start: the state is"),
        (["outcome"], "failure", "the end: the outcome is True, success here, and True, failure"),
        (["steps", 0, "action"], 7, "step 1: `7` is no action"),
        (["steps", 0, "action"], {"agent": 0}, "is no action of docs/Walk-v0"),
        (["seed"], 4, "the start: the state is"),
    ]
    for path, wrong, message in changes:
        changed = json.loads(json.dumps(value["episodes"][0]))
        place = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = wrong
        episode = recording_of({**value, "episodes": [changed]}).episodes[0]
        with pytest.raises(Mismatch, match=message.replace("(", r"\(").replace(")", r"\)")):
            list(replayed(TEXT, episode))


@needs_node
def test_command__verifies_prints_and_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`griddsl replay` says what it verified, prints steps, writes a picture, and exits with 1 where something differs."""
    value = played(tmp_path)
    spec, file = tmp_path / "walk.grid", tmp_path / "walk.recording.json"
    spec.write_text(TEXT, encoding="utf-8")
    file.write_text(json.dumps(value), encoding="utf-8")

    def run(*arguments: str) -> tuple[Any, str, str]:
        monkeypatch.setattr(sys, "argv", ["griddsl", "replay", *arguments])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = capsys.readouterr()
        return done.value.code, out, err

    code, out, err = run(
        str(file), "--spec", str(spec), "--transcript", "--record", str(tmp_path / "walk.gif")
    )
    assert code in {0, None}, err
    assert "episode 1 (seed 3): 6 steps in" in out and "success, score 6: verified" in out
    assert "3: taken back" in out and "    ....@" in out
    assert (tmp_path / "walk.gif").read_bytes().startswith(b"GIF8")
    code, out, err = run(str(file))
    assert code == 2 and "no registered id" in err and "--spec" in err
    value["episodes"][0]["steps"][3]["reward"] = 2
    file.write_text(json.dumps(value), encoding="utf-8")
    code, out, err = run(str(file), "--spec", str(spec), "--json")
    assert code == 1 and json.loads(out)[0]["reason"].startswith("step 4: the reward")
    spec.write_text(TEXT.replace("reward 10", "reward 5"), encoding="utf-8")
    code, out, err = run(str(file), "--spec", str(spec))
    assert code == 1 and "the spec has changed since" in out
    file.write_text("[1, 2", encoding="utf-8")
    assert run(str(file))[0] == 1


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "the file is no table"),
        ({"format": "zip"}, "its `format` is not"),
        ({"format": "griddsl-recording", "version": 9}, "its version is 9"),
        (
            {"format": "griddsl-recording", "version": 1, "id": 3, "episodes": []},
            "`id` of the file is no text",
        ),
        ({"format": "griddsl-recording", "version": 1, "id": "x", "episodes": [3]}, "episode 1 is no table"),
        (
            {"format": "griddsl-recording", "version": 1, "id": "x", "episodes": [{"steps": [], "seed": -1}]},
            "`seed` of episode 1 is no whole number",
        ),
    ],
)
def test_recording__is_refused_with_what_is_wrong(value: Any, reason: str) -> None:
    """A file that is no recording is told by the entry that is wrong."""
    with pytest.raises(Refused, match=reason):
        recording_of(value)


def test_recording__of_no_json_is_refused(tmp_path: Path) -> None:
    """A file that holds no JSON, or far too deep, is refused by name."""
    for number, text in enumerate(("", "{", "[" * 100_000, "\xff")):
        file = tmp_path / f"{number}.json"
        file.write_bytes(text.encode("latin-1"))
        with pytest.raises(Refused, match=r"\.json is no recording"):
            read_recording(file)


def test_what_has_no_end__is_not_read(tmp_path: Path) -> None:
    """Devices and pipes are refused where files are read: recordings, studies, plays and policies."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for reads in (read_recording, read_study, read_plays, read):
        for place, said in ((pipe, "is a pipe, not a file"), (Path("/dev/zero"), "is a device, not a file")):
            with pytest.raises(Refused, match=said):
                reads(place)


@needs_node
def test_dataset__of_recordings_holds_what_people_played(tmp_path: Path) -> None:
    """Recordings become verified plays without what was taken back, and `griddsl dataset --recordings` keeps them."""
    value = played(tmp_path)
    spec, folder = tmp_path / "walk.grid", tmp_path / "answers"
    spec.write_text(TEXT, encoding="utf-8")
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(value), encoding="utf-8")
    practice = {**value["episodes"][0], "practice": True}
    (folder / "b.json").write_text(json.dumps({**value, "episodes": [practice]}), encoding="utf-8")
    plays, left_out = plays_in(folder, spec, {})
    assert [(play.seed, play.actions) for play in plays] == [(3, [1, 1, 1, 1])]
    assert left_out == 1
    with pytest.raises(Refused, match="none of 2 episodes"):
        plays_in(folder, spec, {"size": 3})
    value["episodes"][0]["steps"][0]["reward"] = 4
    (folder / "a.json").write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(Refused, match=r"a\.json: episode 1 does not agree: step 1: the reward"):
        plays_in(folder, spec, {})
    (tmp_path / "none").mkdir()
    with pytest.raises(Refused, match="no recording in"):
        plays_in(tmp_path / "none", spec, {})
    if find_spec("minari") is None or find_spec("h5py") is None:
        pytest.skip("Minari is not installed: what follows makes a dataset")
    (folder / "a.json").write_text(json.dumps(played(tmp_path)), encoding="utf-8")
    command = [sys.executable, "-m", "griddsl", "dataset", str(spec), "--recordings", str(folder)]
    done = subprocess.run(
        [*command, "--to", "mine/walk-people-v0"],
        env={**os.environ, "MINARI_DATASETS_PATH": str(tmp_path / "datasets")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1 episodes, 4 steps" in done.stdout and "left out: 1 episodes" in done.stderr


def test_fingerprint__is_of_what_is_played() -> None:
    """Spaces, comments and lines change no fingerprint, so that recordings of a spec that was laid out verify; rules do."""
    spec = (
        "env: docs/Print-v0\nmap:\n    @..G\nlegend: G = goal\nactions: left, right\nobserve: cell\n"
        "when agent at (1+1, 0):\n    reward 2\n    if step > 3: end failure\non enter goal: end success\nlimit: 9\n"
    )
    laid_out = spec.replace("(1+1, 0)", "(1 + 1,0)").replace("limit: 9", "# a game\n\nlimit:  9 steps")
    first, same, other = (
        fingerprint(compiled(text).program) for text in (spec, laid_out, spec.replace("reward 2", "reward 3"))
    )
    assert first == same != other
