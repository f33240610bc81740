"""Missions: the names that stand in the braces of texts, and the texts that are chosen for such a name."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from griddsl.diagnostics import Report, did_you_mean, write
from griddsl.lowering.world.world import World
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk


def names_in(text: str) -> list[str]:
    """Return the names in the braces of a text, in their order, as often as they stand there."""
    return re.findall(r"\{([^{}]*)\}", text)


def report_untold(
    world: World, name: str, text: tuple[Span, str], known: Collection[str], report: Report
) -> None:
    """Report what stands in the braces of a text and is no name that can be told; ``text`` is where, and in what."""
    place, where = text[0].word("{" + name + "}"), text[1]
    help: str | None = did_you_mean(name, known)
    parts = re.fullmatch(r"(\w+)(?:'s|s'|_|\s)\s*(\w+)", name)
    kind = world.kinds.get(parts[1]) if parts is not None else None
    if help is None and parts is not None and kind is not None and parts[2] in kind.attributes:
        help = write(f"{{{parts[1]}.{parts[2]}}}", place=place)
    shown = re.fullmatch(r"\s*(\w+)\s*[:!][^{}]*", name)
    if shown is not None and shown[1] in known:
        help = write(f"{{{shown[1]}}}", ": how it is shown, is not said", place)
    elif help is None and not re.fullmatch(r"[\w .']*", name):
        help = (
            f"braces hold a name or an attribute, and compute nothing: a variable can hold `{name.strip()}`"
        )
    else:
        report.add("unknown-name", place, where=where, name=name, help=help)
        return
    report.add("syntax", place, found=f"`{name}`", expected="a name or an attribute", help=help)


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
