"""Hostile input: what is too large, too deep or too sly is refused, or accepted, in under a second and little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SECONDS = 5.0  # of the processor; well under one on a quiet machine, with room for a busy one
MEGABYTES = 800
MOST_SHOWN = 200_000
LONGEST_MESSAGE = 500
HEAD = "env: evil/Spec-v0\n"
TAIL = "legend: G = goal\nactions: left, right\nobserve: cell\non enter goal: end success\nlimit: 20 steps\n"
MAP = "map:\n    @..G\n"
WARDEN = """
import json, os, resource, sys, time
import griddsl
from griddsl.diagnostics import to_text, to_json, to_github

def judge(source):
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    most = int((used + MEGABYTES) * 2**20) + 2**30
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
    start = time.process_time()
    found = griddsl.check(source)
    seconds = time.process_time() - start
    text = to_text(found)
    to_json(found), to_github(found)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - used
    if not any(d.is_error for d in found):
        try:
            griddsl.make(source).reset(seed=1)
        except griddsl.SpecError as error:
            assert str(error)
    return {"codes": [d.code for d in found], "errors": sum(d.is_error for d in found), "seconds": seconds,
            "shown": len(text), "messages": [d.message for d in found], "megabytes": megabytes}

griddsl.check("env: a/B-v0\\nmap:\\n    @G\\nlegend: G = goal\\nactions: right\\nobserve: cell\\non enter goal: end success\\n")
griddsl.check('env = "a/B-v0"')
for line in sys.stdin:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            answer = judge(json.loads(line))
        except BaseException as error:
            import traceback
            answer = {"raised": traceback.format_exc()[-2000:]}
        print(json.dumps(answer), flush=True)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status:
        print(json.dumps({"raised": f"killed: status {status}"}), flush=True)
"""
Verdict = dict[str, Any]
Judge = Callable[[str], Verdict]


@pytest.fixture(scope="module")
def verdict() -> Iterator[Judge]:
    """Return what checks a source in a process of its own, forked from one that has griddsl loaded, within limits."""
    script = WARDEN.replace("MEGABYTES", str(MEGABYTES))
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as warden:
        assert warden.stdin is not None and warden.stdout is not None
        asked, answered = warden.stdin, warden.stdout

        def judge(source: str) -> Verdict:
            asked.write(json.dumps(source) + "\n")
            asked.flush()
            answer: Verdict = json.loads(answered.readline())
            return answer

        yield judge
        asked.close()


def spec(*, head: str = "", map: str = MAP, rules: str = "", tail: str = TAIL) -> str:
    """Return a small sound spec with something added."""
    return HEAD + head + map + tail + rules


def without(keyword: str) -> str:
    """Return the end of a small spec without one of its statements."""
    return "".join(line + "\n" for line in TAIL.splitlines() if not line.startswith(keyword))


TEXTS: dict[str, Callable[[], str | bytes]] = {
    "long line": lambda: spec(rules="on enter goal: " + "x" * 1_000_000),
    "long line of brackets": lambda: spec(rules="each step: reward " + "(" * 1_000_000),
    "long word": lambda: spec(rules="z" * 1_000_000),
    "long statement name": lambda: spec(rules="tile " + "q" * 1_000_000 + ": slide\n"),
    "long comment": lambda: spec(rules="# " + "z" * 1_000_000),
    "long text": lambda: spec(rules='mission: "' + "z" * 1_000_000 + '"\n'),
    "parentheses": lambda: spec(rules="each step: reward " + "(" * 10_000 + "1" + ")" * 10_000 + "\n"),
    "short of the limit of parentheses": lambda: spec(
        rules="each step: reward " + "(" * 4_000 + "1" + ")" * 4_000 + "\n"
    ),
    "minus signs": lambda: spec(rules="each step: reward " + "-" * 9_000 + "1\n"),
    "nots": lambda: spec(rules="when " + "not " * 2_400 + "agent on goal: end\n"),
    "sum": lambda: spec(rules="each step: reward " + " + ".join("1" for _ in range(2_400)) + "\n"),
    "product": lambda: spec(rules="each step: reward " + " * ".join("999999999" for _ in range(800)) + "\n"),
    "ands": lambda: spec(rules="when " + " and ".join("agent.x > 0" for _ in range(600)) + ": end\n"),
    "conditionals": lambda: spec(rules="each step: reward " + "1 if step > 1 else " * 500 + "2\n"),
    "powers": lambda: spec(rules="each step: reward " + "exp(" * 60 + "9" + ")" * 60 + "\n"),
    "nested ifs": lambda: spec(
        rules="on enter goal:\n"
        + "".join(" " * (i + 1) + "if step > 1:\n" for i in range(10_000))
        + " " * 10_001
        + "end\n"
    ),
    "nested ifs on a line": lambda: spec(rules="on enter goal:\n    " + "if step > 1: " * 700 + "end\n"),
    "else ifs": lambda: spec(
        rules="on enter goal:\n    if step > 1: reward 1\n"
        + "".join(f"    else if step > {i}: reward {i}\n" for i in range(2, 9_000))
    ),
    "generated map": lambda: spec(map="generate: empty(100000, 100000)\n"),
    "generated rooms": lambda: spec(map="generate: rooms(10**9, 10**9)\n"),
    "generated map of a huge number": lambda: spec(map=f"generate: empty({'9' * 1000}, 2)\n"),
    "drawn map": lambda: spec(map="map:\n" + ("    " + "." * 1_996 + "\n") * 3_900),
    "wide map": lambda: spec(map="map:\n    @" + "." * 7_000_000 + "G\n"),
    "tall map": lambda: spec(map="map:\n" + "    .\n" * 1_300_000),
    "ragged blank map": lambda: spec(map="map:\n" + "    .\n" * 15_000 + "    " + " ." * 20_000 + "\n"),
    "walled map": lambda: spec(
        map="map walled:\n" + "    +" + "-+" * 2_000 + "\n" + ("    |" + ".:" * 2_000 + "\n") * 1_500
    ),
    "many maps": lambda: spec(map="".join(f"map m{i}:\n    @..G\n" for i in range(6_000))),
    "many glyphs": lambda: spec(
        rules="",
        tail=TAIL.replace(
            "G = goal", "G = goal" + "".join(f', "{chr(0x4E00 + i)}" = wall' for i in range(1_000))
        ),
    ),
    "use outside": lambda: spec(head='use: "../../../../etc/passwd"\n'),
    "use absolute": lambda: spec(head='use: "/etc/passwd"\n'),
    "use of a device": lambda: spec(head='use: "/dev/zero"\n'),
    "use of a library path": lambda: spec(head="use: ../minigrid\n"),
    "maps outside": lambda: spec(map='maps: "../*"\n'),
    "maps of a pattern that is none": lambda: spec(map='maps: "**a/[/***"\n'),
    "long word of parts": lambda: spec(rules="when " + "a_" * 2_000 + " b c: end\n"),
    "long attribute": lambda: spec(rules="when " + "a." * 2_000 + ": end\n"),
    "blanks in a clause": lambda: spec(rules="on enter goal: reward" + " " * 1_000 + "x y\n"),
    "blanks behind each word": lambda: spec(rules="on enter goal: " + ("reward" + " " * 50) * 60 + "x y\n"),
    "maps of nothing": lambda: spec(map='maps: ""\n'),
    "an action that is asked for where none is listed": lambda: (
        "agents blue\nactions blue:right\nwhen grid with self.action:if :0\n"
    ),
    "sprite outside": lambda: spec(rules='look goal: sprite "../../secret.png"\n'),
    "sprite with NUL": lambda: spec(rules='look goal: sprite "a\0.png"\n'),
    "NUL bytes": lambda: spec(rules="\0" * 1_000),
    "control characters": lambda: spec(rules="\x1b[2J\x07"),
    "UTF-16": lambda: spec().encode("utf-16"),
    "Latin-1": lambda: spec(rules="# caf\u00e9").encode("latin-1"),
    "half a character": lambda: spec().encode() + b"\xe2\x82",
    "random bytes": lambda: bytes(range(256)) * 1_000,
    "nothing": lambda: "",
    "blanks": lambda: " " * 1_000_000,
    "line breaks": lambda: "\n" * 5_000_000,
    "carriage returns": lambda: "\r" * 100_000,
    "huge exponent": lambda: spec(rules="each step: reward 1e999999999\n"),
    "huge number": lambda: spec(rules="each step: reward " + "9" * 1_000 + "\n"),
    "huge number in a condition": lambda: spec(rules="when step == " + "9" * 1_000 + ": end\n"),
    "huge fraction": lambda: spec(rules=f"each step: reward 1/{'7' * 1_000}\n"),
    "huge decimal": lambda: spec(rules=f"each step: reward 0.{'7' * 5_000}\n"),
    "huge chance": lambda: spec(rules=f"each step with chance 1/{'7' * 1_000}: reward 1\n"),
    "huge range": lambda: spec(head="var n: 0 in 0..1" + "0" * 30 + "\n", rules="each step: n += 1\n"),
    "huge range of numbers to choose": lambda: spec(
        head="setup: choose n in 0..1" + "0" * 30 + "\n", rules="each step: reward n\n"
    ),
    "huge domain": lambda: spec(
        head="var n: a in " + " | ".join(f"w{i}" for i in range(1_500)) + "\n", rules="when n is w9: end\n"
    ),
    "huge param": lambda: spec(head="param n: 5 in 1..1000000000\n", rules="each step: reward n\n"),
    "huge size param": lambda: spec(
        head="param n: 900000000 in 1..1000000000\n", map="generate: room(n, n)\n"
    ),
    "huge index": lambda: spec(
        head="".join(f"var v{i}: 0 in 0..2000000000\n" for i in range(9)),
        tail=without("observe") + "observe: index(" + ", ".join(f"v{i}" for i in range(9)) + ")\n",
    ),
    "huge count of agents": lambda: spec(head="agents: red * 1000000000000\n"),
    "huge count placed": lambda: spec(
        head="setup: place 1000000000 coin at random floor\nobject coin: portable\n",
        rules="on enter coin: reward 1\n",
    ),
    "huge count of retries": lambda: spec(
        head="setup:\n    retry 999999999999 until step > 1:\n        place goal at random floor\n"
    ),
    "huge joystick": lambda: spec(tail=without("actions") + "actions: joystick 999999\n"),
    "huge view": lambda: spec(tail=without("observe") + "observe: view 99999x99999\n"),
    "huge view ahead": lambda: spec(
        tail=without("observe") + "observe: view ahead 999999999 behind 1 aside 999999999\n"
    ),
    "huge pixels": lambda: spec(tail=without("observe") + "observe: pixels 100000\n"),
    "huge pixels written out": lambda: spec(tail=without("observe") + "observe: pixels " + "9" * 400 + "\n"),
    "huge drift": lambda: spec(
        head="tile gust: drift north " + "9" * 400 + "\n",
        map="map:\n    @WG\n",
        tail=TAIL.replace("G = goal", "G = goal, W = gust"),
    ),
    "huge push": lambda: spec(
        head="object box: pushable " + "9" * 400 + "\n",
        map="map:\n    @BG\n",
        tail=TAIL.replace("G = goal", "G = goal, B = box"),
    ),
    "huge carries": lambda: spec(head="agent: carries 999999999\n"),
    "huge run": lambda: spec(tail=without("actions") + "actions: left, run = move east 999999999999\n"),
    "huge limit": lambda: spec(tail=without("limit") + "limit: " + "9" * 400 + " steps\n"),
    "huge every": lambda: spec(rules="every " + "9" * 400 + " steps: reward 1\n"),
    "huge distance": lambda: spec(rules="when agent within " + "9" * 400 + " of goal: end\n"),
    "huge position": lambda: spec(rules="on enter goal: go to (" + "9" * 400 + ", 0)\n"),
    "huge region": lambda: spec(
        head="region r: (0.." + "9" * 400 + ", 0..0)\n", rules="when agent on r: end\n"
    ),
    "huge version": lambda: spec().replace("Spec-v0", "Spec-v" + "9" * 5_000),
    "huge id": lambda: spec().replace("Spec-v0", "S" * 9_000 + "-v0"),
    "numbers that double": lambda: spec(
        head="param p0: 9 in 1..9\n"
        + "".join(f"param p{i}: p{i - 1} * p{i - 1} in 1..9\n" for i in range(1, 40)),
        rules="each step: reward p39\n",
    ),
    "rewards that double": lambda: spec(
        rules="on enter goal:\n"
        + "".join(
            f"    choose c{i} in c{i - 1} | c{i - 1}\n" if i else "    choose c0 in 1 | 2\n"
            for i in range(300)
        )
    ),
    "rules": lambda: spec(rules="".join(f"when agent.x == {i % 4}: reward {i}\n" for i in range(10_000))),
    "rules of one event": lambda: spec(rules="".join(f"on enter goal: reward {i}\n" for i in range(10_000))),
    "many rules of one event": lambda: spec(
        rules="".join(f"on enter goal: reward {i}\n" for i in range(990))
    ),
    "many rewards set": lambda: spec(rules="".join(f"on enter goal: reward = {i}\n" for i in range(990))),
    "many steps": lambda: spec(rules="".join(f"each step: reward {i}\n" for i in range(990))),
    "wrong rules": lambda: spec(rules="".join(f"when agnt{i}.x == 1: reward {i}\n" for i in range(10_000))),
    "statements that are none": lambda: spec(rules="".join(f"q{i}: 1\n" for i in range(19_000))),
    "kinds": lambda: spec(head="".join(f"tile t{i}: solid\n" for i in range(5_000))),
    "variables": lambda: spec(head="".join(f"var v{i}: 0 in 0..9\n" for i in range(5_000))),
    "actions": lambda: spec(
        tail=without("actions") + "actions: " + ", ".join(f"a{i}" for i in range(1_600)) + "\n"
    ),
    "observations": lambda: spec(
        tail=without("observe") + "observe:\n" + "".join(f"    o{i} = agent.x\n" for i in range(3_000))
    ),
    "extremes": lambda: spec(rules="each step: reward " + "min(agent.x, " * 60 + "9" + ")" * 60 + "\n"),
    "differences": lambda: spec(rules="each step: reward " + "(agent.x - " * 60 + "9" + ")" * 60 + "\n"),
    "nested chains of else ifs": lambda: spec(
        rules="on enter goal:\n"
        + "".join(
            "    " * (i + 1)
            + "if step > 1: reward 1\n"
            + ("    " * (i + 1) + "else if step > 2: reward 2\n") * 40
            + "    " * (i + 1)
            + "else:\n"
            for i in range(30)
        )
        + "    " * 31
        + "end\n"
    ),
    "chains of several agents": lambda: spec(
        rules="on enter goal:\n    if no floor at (0, 0): reward 1\n"
        + "    else if any goal on floor: reward 1\n" * 60
    ),
    "nested quantifiers": lambda: spec(
        rules="when " + "count(floor where " * 60 + "true" + ")" * 60 + " > 0: end\n"
    ),
    "colons": lambda: ":" * 1_000_000,
    "quotes": lambda: spec(rules="mission: " + '"' * 999_999 + "\n"),
    "backslashes": lambda: spec(rules='mission: "' + "\\" * 9_001 + '"\n'),
    "commas": lambda: spec(rules="each step: " + "," * 9_000 + "\n"),
    "bars": lambda: spec(head="var n: a in " + "|" * 9_000 + "\n"),
}
TOML_HEAD = 'env = "evil/Spec-v0"\nmap = """\n@..G\n"""\nlegend = { G = "goal" }\nactions = ["left"]\nobserve = "cell"\n'
TOMLS: dict[str, Callable[[], str | bytes]] = {
    "TOML arrays": lambda: TOML_HEAD + "x = " + "[" * 100_000 + "]" * 100_000,
    "TOML tables": lambda: TOML_HEAD + "x = " + "{a=" * 100_000 + "1" + "}" * 100_000,
    "TOML dotted keys": lambda: TOML_HEAD + "a" + ".a" * 500_000 + " = 1\n",
    "TOML headers": lambda: TOML_HEAD + "".join(f"[a{'.b' * (i % 50)}.c{i}]\n" for i in range(15_000)),
    "TOML long string": lambda: TOML_HEAD + 'mission = "' + "z" * 5_000_000 + '"\n',
    "TOML escapes": lambda: TOML_HEAD + 'mission = "' + "\\u0041" * 500_000 + '"\n',
    "TOML quotes": lambda: TOML_HEAD + 'mission = """' + '"' * 1_000_000,
    "TOML number": lambda: TOML_HEAD + "limit = " + "9" * 100_000 + "\n",
    "TOML rules": lambda: TOML_HEAD + '[[rules]]\nwhen = "each step"\ndo = "reward 1"\n' * 6_000,
    "TOML long rule": lambda: (
        TOML_HEAD + '[[rules]]\nwhen = "each step"\ndo = "reward ' + "(" * 500_000 + '"\n'
    ),
    "TOML map": lambda: TOML_HEAD.replace("@..G\n", "." * 2_000 + "\n", 1).replace(
        "." * 2_000 + "\n", ("." * 2_000 + "\n") * 3_000
    ),
    "TOML NUL": lambda: TOML_HEAD + 'mission = "\\u0000"\n',
    "TOML surrogate": lambda: TOML_HEAD + 'mission = "\\ud800"\n',
    "TOML keys twice": lambda: TOML_HEAD + 'limit = "1 steps"\n' * 10_000,
    "TOML dates": lambda: TOML_HEAD + "limit = 9999-99-99T99:99:99.999999999999999999\n",
    "TOML infinity": lambda: TOML_HEAD + "limit = inf\nsticky = nan\n",
}


def assert_harmless(result: Verdict) -> None:
    """Fail unless a verdict came fast, in little memory, and short enough to be read."""
    assert "raised" not in result, result["raised"]
    assert result["seconds"] < SECONDS
    assert result["megabytes"] < MEGABYTES
    assert result["shown"] < MOST_SHOWN
    assert all(0 < len(message) < LONGEST_MESSAGE for message in result["messages"])


@pytest.mark.parametrize("name", [*TEXTS, *TOMLS])
def test_hostile__file_gets_a_verdict_in_a_second(name: str, tmp_path: Path, verdict: Judge) -> None:
    """A hostile file is refused or accepted in under a second, and nothing is raised."""
    path = tmp_path / ("evil.toml" if name in TOMLS else "evil.grid")
    content = (TOMLS.get(name) or TEXTS[name])()
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    assert_harmless(verdict(str(path)))


def test_hostile__circular_use_ends(tmp_path: Path, verdict: Judge) -> None:
    """Two files that use each other are refused."""
    (tmp_path / "a.grid").write_text(spec(head='use: "b.grid"\n'))
    (tmp_path / "b.grid").write_text(spec(head='use: "a.grid"\n'))
    result = verdict(str(tmp_path / "a.grid"))
    assert_harmless(result)
    assert result["codes"] == ["wrong-place"]


def test_hostile__link_out_of_the_folder_is_not_followed(tmp_path: Path, verdict: Judge) -> None:
    """A link in the folder that leads outside of it is refused as a path outside is."""
    (tmp_path / "secret.txt").write_text("@..G\n")
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "levels.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "kinds.grid").symlink_to(tmp_path / "secret.txt")
    (folder / "a.grid").write_text(spec(map='maps: "levels.txt"\n'))
    (folder / "b.grid").write_text(spec(head='use: "kinds.grid"\n'))
    assert verdict(str(folder / "a.grid"))["errors"] == 1
    assert verdict(str(folder / "b.grid"))["codes"] == ["outside-folder"]


@pytest.mark.parametrize(
    "path", ["/dev/zero", "/dev/stdin", "/proc/self/mem", "/", "nowhere.grid", "a" * 5_000 + ".grid"]
)
def test_hostile__path_gets_a_verdict_in_a_second(path: str, verdict: Judge) -> None:
    """A path that is no file of a spec is refused."""
    result = verdict(path)
    assert_harmless(result)
    assert result["errors"]
