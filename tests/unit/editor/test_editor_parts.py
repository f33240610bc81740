"""The parts of the editor room that need no client: what words are, what a change reads again, the worker."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lsprotocol", reason="pygls is not installed")

from griddsl.diagnostics import Report
from griddsl.editor.names import Scope, occurrences
from griddsl.editor.questions import completion, tokens
from griddsl.editor.questions.problems import quick_check
from griddsl.editor.text import Library, SpecText
from griddsl.editor.worker import Answer, Job
from griddsl.editor.workshop import Workshop
from griddsl.lowering.clauses.functions import FUNCTIONS
from griddsl.lowering.sight.values import BARE_WORDS
from griddsl.lowering.world.actions import KNOWN
from griddsl.source import Source
from griddsl.syntax import clauses
from griddsl.syntax.clauses import remember_clauses
from griddsl.syntax.keywords import STATEMENTS
from griddsl.syntax.reader import read_document
from griddsl.syntax.vocabulary import glossary
from griddsl.syntax.vocabulary.glossary import SNIPPETS, meaning_of
from griddsl.syntax.vocabulary.words import expected, language_words, words_of

ROOT = Path(__file__).parents[3]
SPECS = sorted((ROOT / "specs").glob("*.grid"))


def long_spec(lines: int) -> str:
    """Return a spec of so many lines, no two of its rules alike."""
    rules = [
        f"on enter spot{number} if energy > {number} and not (agent.x == {number}):\n"
        f"    reward {number} / 10 if energy > 3 else 0\n"
        f"    if count(spot{number}) > 1: energy -= {number % 3}\n"
        for number in range(lines)
    ]
    text = "env: a/Long-v0\nvar energy: 9 in 0..99\nmap:\n    @....\n    .....\nactions: left, right, up, down\nobserve: grid\n"
    for rule in rules:
        if text.count("\n") + 4 > lines:
            break
        text += rule
    return text + "limit: 50 steps\n" * (lines - text.count("\n"))


def test_change__of_a_line_reads_the_clauses_of_that_line_alone() -> None:
    """A change of a spec of 200 lines is answered without reading the other lines again (`benchmarks/typing_along.py`)."""
    remember_clauses(16_384)
    text = long_spec(200).replace("limit: 50 steps\nlimit", "limit")
    assert text.count("\n") >= 198
    quick_check(SpecText("file:///a.grid", "/a.grid", text))
    trees: Any = clauses._trees
    for number in range(8):
        before = trees.cache_info().misses
        changed = text.replace("energy > 7 ", f"energy > 7{number} ")
        found = quick_check(SpecText("file:///a.grid", "/a.grid", changed))
        assert trees.cache_info().misses - before <= 2
        assert not [each for each in found if each.is_error and each.code != "duplicate-statement"]


def test_words__of_every_spec_have_parts() -> None:
    """Of every bundled spec each word is read by the grammar; keywords are words of the language."""
    assert len(SPECS) > 40
    known = language_words()
    for path in SPECS:
        source = Source(str(path), path.read_text(encoding="utf-8"))
        words = list(words_of(read_document(source, Report())))
        assert len(words) > 10
        for word in words:
            assert word.span.text == word.text
            if word.part == "keyword":
                assert word.text in known, (path.name, word)


def test_meanings__cover_the_words_of_the_language() -> None:
    """Whatever the grammar reads as itself, each function and each word of observations has a line that says what it means, and every statement has a snippet or needs none."""
    missing = {word for word in {*language_words(), *BARE_WORDS, *FUNCTIONS} if meaning_of(word) is None}
    assert missing == set(), "each wants a line in griddsl/syntax/vocabulary/glossary.py"
    assert set(SNIPPETS) <= set(STATEMENTS)
    assert set(FUNCTIONS) == set(glossary.FUNCTIONS), "the functions of the glossary, which editors offer"
    assert {*BARE_WORDS, "index", "flags"} == set(glossary.SEEN), "the glossary's words of observations"
    assert set(KNOWN) <= set(completion.ACTIONS), (
        "editors offer the actions of griddsl/editor/questions/completion.py"
    )


def test_names__of_every_form_are_declared_and_found() -> None:
    """What `define`, `let`, `choose`, `each` and `as` name is declared there, and found where it is named."""
    text = """\
env: a/B-v0
define near(thing): distance(agent, thing) < 3
object coin: value in 1..9
map:
    @cc.G
legend: c = coin, G = goal
setup:
    choose luck in 1..6
    place coin as prize at random floor
actions: left, right
observe: grid
on enter goal if near(coin):
    let gain = luck + prize.value
    each coin where coin.value > 1:
        reward gain
    each k in 1..3: reward k
limit: 9 steps
"""
    spec = SpecText("file:///a.grid", "/a.grid", text)
    scope = Scope(spec, Library({spec.uri: spec}))
    for name, count in {"near": 2, "thing": 2, "luck": 2, "prize": 2, "gain": 2, "k": 2, "coin": 6}.items():
        found = list(occurrences(spec, scope, "name", name))
        assert len(found) == count, (name, found)
        assert sum(word.is_new for word in found) == 1, name


def test_expected__follows_the_grammar() -> None:
    """What may follow is what the parser takes: words of the language, and what a name there would stand for."""
    after = expected("rule", "on ")
    assert after is not None
    assert {"enter", "act", "bump"} <= set(after.keywords)
    assert after.part == "name"
    value = expected("effects", "place key(color=")
    assert value is not None
    assert value.beside == "key.color"
    assert expected("effects", "place ) (") is None


@pytest.mark.parametrize("path", SPECS[:12], ids=lambda path: path.stem)
def test_tokens__are_in_order_and_do_not_overlap(path: Path) -> None:
    """The numbers of the protocol go forward only, and no two tokens share a place."""
    spec = SpecText(path.as_uri(), str(path), path.read_text(encoding="utf-8"))
    data = tokens.tokens(spec, Scope(spec, Library()))
    assert len(data) % 5 == 0
    assert data
    end = 0
    for at in range(0, len(data), 5):
        line, column, length = data[at : at + 3]
        assert line >= 0
        assert length > 0
        assert line > 0 or column >= end
        end = length


def test_workshop__outlives_a_worker_that_dies() -> None:
    """A job that the worker dies over is answered by nothing; the next one has a new worker."""
    answers: list[Answer] = []

    async def run() -> None:
        shop = Workshop(lambda job, answer: answers.append(answer))
        shop.warm_up()
        spec = b"env: a/B-v0\nmap:\n    @.\nactions: left\nobserve: cell\n"
        shop.ask(("checked", "a"), Job(1, "checked", "/a.grid", {"/a.grid": spec}))
        while not any(each.done for each in answers):
            await asyncio.sleep(0.05)
        assert shop._process is not None
        shop._process.kill()
        shop.ask(("checked", "a"), Job(2, "checked", "/a.grid", {"/a.grid": spec}))
        while not any(each.done and each.number == 2 for each in answers):
            await asyncio.sleep(0.05)
        shop.ask(("checked", "a"), Job(3, "checked", "/a.grid", {"/a.grid": spec + b"limt: 3\n"}))
        while not any(each.done and each.number == 3 for each in answers):
            await asyncio.sleep(0.05)
        await shop.close()

    asyncio.run(asyncio.wait_for(run(), 60))
    last = [each for each in answers if each.number == 3][-1]
    assert [each.code for each in last.found or ()] == ["unknown-statement"]


TWO = """\
env: a/Two-v0
var tries: 0 in 0..3
map:
    @@..
actions: left, right
observe: cell
each step if tries < 2: tries += 1, reward tries
limit: 9 steps
"""


@pytest.mark.parametrize(("most", "are_all"), [(1000, True), (3, False)], ids=["visited", "too_many_states"])
def test_facts__tell_the_ranges_of_games(most: int, are_all: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several agents too the values that play reaches are told: all, or those that a little play saw."""
    from griddsl.compiler import compile_spec
    from griddsl.editor import facts

    monkeypatch.setattr(facts, "MOST_STATES", most)
    report = Report()
    spec, program = compile_spec(TWO, {}, report)
    assert spec is not None and program is not None, list(report)
    found = facts.with_ranges(facts.Facts(), spec.plain, program)
    assert (found.are_all, found.ranges) == (are_all, {"tries": "0..2"})


def test_lsp__names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pygls, `griddsl lsp` says what to install."""
    import sys

    from typer.testing import CliRunner

    from griddsl.cli.app import app

    monkeypatch.setitem(sys.modules, "pygls", None)
    result = CliRunner().invoke(app, ["lsp"])
    assert result.exit_code == 1
    assert re.search(r"pip install 'griddsl\[lsp\]'", result.stderr)
