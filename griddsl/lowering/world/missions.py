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
    shown = re.fullmatch(r"\s*(\w+)\s*[:!][^{}]*", name)
    if not re.fullmatch(r"[\w .']*", name) or not name.strip():
        help: str | None = (
            f"braces compute nothing: a variable can hold `{name.strip()}`" if name.strip() else _BRACES
        )
        if shown is not None and shown[1] in known:
            help = write(f"{{{shown[1]}}}", ": how it is shown, is not said", place)
        found = f"`{name}`" if name.strip() else "braces around nothing"
        report.add("syntax", place, found=found, expected="a name or an attribute", help=help)
        return
    if (what := _untold(world, name)) is not None:
        found, help = what
        help = write(help, place=place) if help.startswith("{") else help
        report.add("type", place, found=found, expected="a name that a text can tell", help=help)
        return
    help = did_you_mean(name, known)
    parts = re.fullmatch(r"(\w+)(?:'s|s'|_|\s)\s*(\w+)", name)
    kind = world.kinds.get(parts[1]) if parts is not None else None
    if help is None and parts is not None and kind is not None and parts[2] in kind.attributes:
        help = write(f"{{{parts[1]}.{parts[2]}}}", place=place)
    owners = [each.name for each in world.kinds.values() if name in each.attributes]
    if help is None and len(owners) == 1:
        help = write(f"{{{owners[0]}.{name}}}", place=place)
    report.add("unknown-name", place, where=where, name=name, help=help or _BRACES)


def report_unpaired(world: World, text: str, span: Span, known: Collection[str], report: Report) -> None:
    """Report a brace before or behind a word that no other closes: a name that would be told as it is written."""
    left = re.sub(r"\{[^{}]*\}", lambda pair: " " * len(pair[0]), text)
    for lone in re.finditer(r"\{([\w.]*\w)|(\w[\w.]*)\}", left):
        name, (missing, there) = lone[1] or lone[2], ("}", "{") if lone[1] else ("{", "}")
        at = span.text.find(text)
        place = Span(span.source, span.start + at + lone.start(), span.start + at + lone.end(), span.through)
        place = span if at < 0 else place
        owner, _, attribute = name.partition(".")
        told = attribute in world.kinds[owner].attributes if owner in world.kinds else name in known
        help = write(f"{{{name}}}", place=place) if told and at >= 0 else _BRACES
        report.add("syntax", place, found=f"`{there}` alone", expected=f"a `{missing}` as well", help=help)


_BRACES = (
    "braces hold a variable, a parameter, a name that `setup` gives, a call, or an attribute: `{agent.x}`"
)
_COUNTED = "a variable can hold it: `var steps_so_far: 0 in 0..1000` and `each step: steps_so_far = step`"
_OF_THE_GAME = {
    "step": _COUNTED,
    "time": _COUNTED,
    "limit": "a parameter can hold it: `param most: 100 in 1..1000`, `limit: most steps` and `{most}`",
    **dict.fromkeys(("width", "height"), "a parameter can hold it, and stand in its place too"),
}


def _untold(world: World, name: str) -> tuple[str, str] | None:
    """Return what a name is that means something and that no text tells, and what to write; None for other names."""
    if name in world.kinds:
        first = next(iter(world.kinds[name].attributes), "x")
        plain = f"its name stands without braces, `{name}`; an attribute in them, `{{{name}.{first}}}`"
        return f"the {world.kinds[name].category} `{name}`", plain
    if name in _OF_THE_GAME:
        return f"`{name}`, a number of the game,", _OF_THE_GAME[name]
    if name in {"x", "y", "facing"}:
        return f"`{name}`, of nothing that is named,", f"{{agent.{name}}}"
    return None


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
