"""Missions: the names that stand in the braces of texts, and the texts that are chosen for such a name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def names_in(text: str) -> list[str]:
    """Return the names in the braces of a text, in their order, as often as they stand there."""
    return re.findall(r"\{([^{}]*)\}", text)


def chosen_texts(spec: GridSpec) -> dict[str, list[n.Text]]:
    """Return the texts that each name chosen before an episode may be."""
    found: dict[str, list[n.Text]] = {}
    for choice in walk(spec.preparing):
        if isinstance(choice, n.Choose):
            texts = [node for node in walk(choice.domain) if isinstance(node, n.Text)]
            for name in choice.names if texts else ():
                found.setdefault(name, []).extend(texts)
    return found


def longest(text: str, texts: Mapping[str, Sequence[str]], word: int, depth: int = 0) -> int:
    """Return the most characters that a text can have; a name that no text is chosen for has a ``word`` of them."""
    if depth > len(texts):  # texts that lead back to themselves, which is reported elsewhere
        return 0
    return len(text) + sum(
        max((longest(each, texts, word, depth + 1) for each in texts.get(name, ())), default=word)
        for name in names_in(text)
    )
