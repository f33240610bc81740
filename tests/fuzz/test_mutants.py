"""A short run of the fuzzer, and texts of any kind: nothing but diagnostics comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import griddsl
from tests.fuzz.mutate import Mutator, crash_of, expression, fuzz, seeds

SECONDS = 4.0
ALPHABET = st.sampled_from(list(":,=()|.#@\"'\\ \n\t*+-/<>[]{}0129aGx_\u00e9\U0001f600\0"))
WORDS = st.sampled_from(
    [
        "env",
        "map",
        "legend",
        "tile",
        "object",
        "agent",
        "actions",
        "observe",
        "limit",
        "on",
        "each",
        "when",
        "every",
        "enter",
        "goal",
        "reward",
        "end",
        "if",
        "else",
        "choose",
        "place",
        "at",
        "random",
        "floor",
        "in",
        "where",
        "with",
        "chance",
        "go",
        "to",
        "start",
        "cell",
        "grid",
        "view",
        "is",
        "not",
        "and",
        "or",
        "1",
        "0.5",
        "x",
        "y",
        ":",
        ",",
        "=",
        "(",
        ")",
        "|",
        "..",
        "\n",
    ]
)


@pytest.mark.parametrize("seed", [1, 2])
def test_mutants__raise_nothing_but_spec_errors(seed: int) -> None:
    """Specs broken in small ways are refused with diagnostics, or run."""
    result = fuzz(seed, SECONDS / 2)
    assert [crash.signature + "\n" + crash.text for crash in result.crashes] == []
    assert result.cases >= 3


def test_mutants__are_the_same_for_the_same_seed() -> None:
    """A crash can be found again by its seed."""
    first, second = Mutator(7, seeds()), Mutator(7, seeds())
    assert [first.mutant() for _ in range(20)] == [second.mutant() for _ in range(20)]


def test_seeds__compile() -> None:
    """The fuzzer's own specs are sound, so that what it breaks was whole; there are some in every folder it reads."""
    folder = Path(__file__).parent / "seeds"
    files = sorted(folder.glob("*.grid"))
    assert len(files) >= 5
    for file in files:
        assert [found.message for found in griddsl.check(file) if found.is_error] == []
        assert crash_of(file.read_text(encoding="utf-8")) is None
    assert len(seeds()) > 50


@settings(max_examples=150)
@given(st.text(max_size=300))
def test_check__takes_any_text(text: str) -> None:
    """Any text gets a verdict."""
    griddsl.check(text + "\n")


@settings(max_examples=150)
@given(st.text(ALPHABET, max_size=200))
def test_check__takes_any_text_of_signs(text: str) -> None:
    """Any mixture of the signs of the language gets a verdict, as a spec and as TOML."""
    griddsl.check("env: a/B-v0\n" + text)
    griddsl.check('env = "a/B-v0"\n' + text)


@settings(max_examples=150)
@given(st.lists(WORDS, max_size=40))
def test_check__takes_any_text_of_words(words: list[str]) -> None:
    """Any mixture of the words of the language gets a verdict."""
    griddsl.check("env: a/B-v0\n" + " ".join(words))


@settings(max_examples=100)
@given(st.randoms(use_true_random=False))
def test_check__takes_any_expression(chance: object) -> None:
    """Any expression of any type, wherever one stands, gets a verdict."""
    import random

    assert isinstance(chance, random.Random)
    names = ["goal", "agent", "light", "red", "n", "hall", "up"]
    base = (
        "env: a/B-v0\nmap:\n    @.G\nlegend: G = goal\nactions: up, left\nvar light: red in red | blue\nvar n: 3 in 0..9\n"
        "region hall: (0..1, 0..0)\nlimit: 9 steps\n"
    )
    first, second, third = (expression(chance, names) for _ in range(3))
    griddsl.check(f"{base}observe: {first}\nwhen {second}: reward {third}, end\n")
