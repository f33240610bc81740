"""Facts: what only a compiled spec tells: its spaces, what stands on its map, the values that play reaches."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from griddsl.diagnostics import Refused
from griddsl.program import keys
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

if TYPE_CHECKING:
    from griddsl.program.program import Program
    from griddsl.spec.models import GridSpec

MOST_STATES = 20_000
MOST_SECONDS = 3.0  # of the processor, to visit them
MOST_LISTED = 8


@dataclass(frozen=True)
class Facts:
    """``summary`` says what the environment is; ``counts`` what stands on its first map, ``ranges`` what is reached.

    ``are_all`` says that the ranges hold all that is reached; else they hold what a little play saw.
    """

    summary: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    ranges: dict[str, str] = field(default_factory=dict)
    are_all: bool = True


def facts_of(spec: GridSpec, program: Program) -> Facts:
    """Return what the program says at once."""
    return Facts(_summary(spec, program), _counts(spec))


def _summary(spec: GridSpec, program: Program) -> str:
    from griddsl.program.words import space_text

    lines = [f"**{spec.id}**"]
    if spec.description:
        lines.append(spec.description)
    agents = f", agents: {', '.join(program.agent_names)}" if len(program.players) > 1 else ""
    lines.append(f"- grid: {program.width} x {program.height}{agents}")
    for group in program.players[0].groups if program.players else ():
        name = f" ({group.name})" if group.name else ""
        lines.append(f"- actions{name}: {', '.join(action.name for action in group.actions)}")
    lines.append(f"- observation: `{space_text(program)}`")
    lines.append(f"- limit: {'none' if program.limit is None else f'{program.limit} steps'}")
    said = [line for line in lines if not line.startswith("- ")]
    return "\n\n".join(said) + "\n\n" + "\n".join(line for line in lines if line.startswith("- "))


def _counts(spec: GridSpec) -> dict[str, int]:
    """Return how many of each kind the drawing of the spec shows; empty where nothing is drawn, or several are."""
    if len(spec.maps) != 1 or spec.maps[0].walled:
        return {}
    glyphs = Counter("".join(spec.maps[0].all_rows))
    found: Counter[str] = Counter()
    named = {item.glyph: item for item in spec.legend}
    for glyph, count in glyphs.items():
        item = named.get(glyph)
        for node in (item.kind, item.tile) if item is not None else ():
            if node is not None:
                found[node.name] += count
    return dict(found)


def with_ranges(facts: Facts, spec: GridSpec, program: Program) -> Facts:
    """Return facts with the values of variables and attributes that play reaches.

    All are told where the states are few enough to visit; elsewhere those that a little random play saw.
    """
    from griddsl.exact.check.trying import states_in_play
    from griddsl.exact.enumerate import enumerate_states

    until = time.process_time() + MOST_SECONDS

    def in_time(*_: int) -> None:
        if time.process_time() > until:
            raise Refused("it takes too long to visit all states")

    try:
        found = enumerate_states(program, most_states=MOST_STATES, backend="python", progress=in_time)
    except Refused:
        return replace(facts, ranges=_ranges(spec, program, list(states_in_play(program))), are_all=False)
    return replace(facts, ranges=_ranges(spec, program, found.states, {place for place, _ in found.idle}))


def _ranges(
    spec: GridSpec, program: Program, states: Sequence[Sequence[Any]], idle: Collection[int] = ()
) -> dict[str, str]:
    """Return the values that some states have, by what holds them; of nothing on which play does not depend."""
    ranges: dict[str, str] = {}
    for slot in program.slots:
        name = slot.key[-1] if isinstance(slot.key, tuple) and slot.key[0] in _OWNERS else None
        if not slot.saved or slot.type == "real" or not isinstance(name, str):
            continue
        start = program.layout.offsets[slot.key]
        places = range(start, start + slot.length)
        if not states or not set(places).isdisjoint(idle):
            continue
        values = sorted({int(state[place]) for state in states for place in places})
        for owner, item in _declared(spec, str(slot.key[0]), name):
            ranges[owner] = _shown(values, item)
    return ranges


_OWNERS = (keys.VAR, keys.OBJECT, keys.AGENT, keys.TILE)


def _declared(spec: GridSpec, owner: str, name: str) -> Iterator[tuple[str, Any]]:
    """Yield what a slot holds, as hover calls it, with its declaration."""
    if owner == keys.VAR:
        yield from ((each.name, each) for each in spec.variables if each.name == name)
        return
    for kind in spec.kinds:
        if kind.category == owner.lower():
            for item in kind.items:
                if isinstance(item, n.AttributeItem) and item.name == name:
                    yield f"{kind.name}.{name}", item


def _shown(values: list[int], declared: Any) -> str:
    """Return values in the words of their domain: the two ends of a range, or the words."""
    domain = declared.domain
    if isinstance(domain, n.ChoiceDomain):
        words = [to_text(value) for value in domain.values]
        named = [words[value] for value in values if 0 <= value < len(words)]
        rest = f" and {len(named) - MOST_LISTED} more" if len(named) > MOST_LISTED else ""
        return ", ".join(named[:MOST_LISTED]) + rest
    if domain is None:
        return ", ".join("true" if value else "false" for value in values)
    return str(values[0]) if len(values) == 1 else f"{values[0]}..{values[-1]}"
