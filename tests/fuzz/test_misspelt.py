"""Misspelt specs: whatever word is written wrong, what a help line says to write is right where it stands."""

from __future__ import annotations

import random
import re

import pytest

import griddsl
from tests.fuzz.mutate import seeds
from tests.unit.diagnostics.test_fixes import faults

LONGEST = 2_500
TYPOS = 40
FEWEST_FIXES = 5


def misspelt(text: str, chance: random.Random) -> str:
    """Return a text with one letter of one word left out, doubled or swapped, or the word in the plural or in capitals."""
    word = chance.choice([*re.finditer(r"\b[a-z_]{4,}\b", text)])
    letters, at = word.group(), chance.randrange(len(word.group()))
    wrong = (
        letters[:at] + letters[at + 1 :],
        letters[: at + 1] + letters[at:],
        letters[:at] + letters[at + 1 : at + 2] + letters[at] + letters[at + 2 :],
        f"{letters}s",
        letters.capitalize(),
    )
    return text[: word.start()] + chance.choice(wrong) + text[word.end() :]


@pytest.mark.parametrize("seed", [1, 2])
def test_misspelt__specs_are_mended_by_what_is_suggested(seed: int) -> None:
    """Of specs with one misspelt word, each suggestion leaves no error on its line that was not there before."""
    chance = random.Random(seed)
    texts = [text for text in sorted(seeds()) if len(text) < LONGEST]
    fixes = 0
    for _ in range(TYPOS):
        text = chance.choice(texts)
        if any(found.is_error for found in griddsl.check(text)):
            continue
        wrong = misspelt(text, chance)
        found = griddsl.check(wrong)
        assert (list(faults(found, griddsl.check)), wrong) == ([], wrong)
        fixes += sum(len(diagnostic.fixes) for diagnostic in found)
    assert fixes >= FEWEST_FIXES
