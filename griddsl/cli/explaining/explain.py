"""``griddsl explain``: what a spec means, in plain words."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from griddsl.cli.failures import harmless
from griddsl.cli.options import Level, Params
from griddsl.cli.paint import is_colored, paint
from griddsl.cli.sources import find_spec, parse_params

if TYPE_CHECKING:
    from griddsl.program.program import ActionGroup, KindInfo, Player, Program
    from griddsl.spec.models import GridSpec

WIDTH = 100
MARGIN = "  "
FEW_VALUES = 8


def command(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="A file, a registered id, or the code of a diagnostic.")
    ],
    param: Params = None,
    level: Level = None,
    python: Annotated[
        bool, typer.Option("--python", help="Print the Python that the spec is compiled to.")
    ] = False,
) -> None:
    """Explain a spec, or a diagnostic."""
    from griddsl.diagnostics import CODES

    if spec in CODES and not Path(spec).exists():
        from griddsl.cli.explaining.explain_code import print_code

        print_code(spec)
        return
    from griddsl.compiler import compiled

    found = compiled(find_spec(spec), **parse_params(param or (), level))
    model, program = found.model, found.program
    if python:
        sys.stdout.write(program.source())
        return
    color = is_colored(sys.stdout)
    sections = [(title, list(lines)) for title, lines in _sections(model, program)]
    print(paint(program.id, "bold", color))
    if model.description:
        print(textwrap.fill(model.description, WIDTH))
    print(paint(harmless(model.source.name), "faint", color))
    for title, lines in sections:
        if lines:
            print(f"\n{paint(title, 'cyan', color)}")
            print("\n".join(f"{MARGIN}{line}" for line in lines))


def _sections(model: GridSpec, program: Program) -> Iterator[tuple[str, Iterable[str]]]:
    from griddsl.cli.explaining.phases import reset_phases, step_phases
    from griddsl.program.words import action_text, parties_of

    yield "Grid", _grid(model, program)
    yield "Parameters (keywords of gym.make)", _params(model)
    yield "Variants", _variants(model)
    if len(program.agents) > 1:
        yield "Agents", _agents(model, program)
    parties = parties_of(program)
    for names, player in parties:
        whose = f" of {names}" if len(parties) > 1 else ""
        yield f"Actions{whose}: {action_text(player)}", _actions(program, player)
    yield "Observation", _observation(model, program)
    yield "Info", _info(model, program)
    yield "Kinds", _table([_kind(kind, model) for kind in program.kinds])
    yield "Regions", _regions(model)
    yield "Variables", _table([_variable(declaration) for declaration in model.variables])
    yield "At reset", reset_phases(model, program)
    yield "A step, in order", _numbered(step_phases(model, program))
    yield "Rules", _rules(model, len(program.agents))
    yield "Definitions", _definitions(model)
    yield "Ends", _ends(model, program)


def _grid(model: GridSpec, program: Program) -> Iterator[str]:
    yield f"{program.width} x {program.height} cells; (0, 0) is at the top left"
    names = [drawing.name for drawing in model.maps if drawing.name]
    if names:
        yield f"levels: {', '.join(names)}" + (f"; by default {model.level}" if model.level else "")
    if model.mission:
        yield from _mission(model)


def _mission(model: GridSpec) -> Iterator[str]:
    """Yield the mission, and what its parts are that the game decides."""
    from griddsl.spec.missions import told
    from griddsl.syntax.printer import to_text

    parts = {told(number): to_text(node) for number, node in enumerate(model.tellings, 1)}
    text = model.mission or ""
    while (part := re.search(r"\{(told_\d+__)\}", text)) is not None:  # texts among them may hold others
        text = text.replace(part[0], f"{{{parts[part[1]]}}}")
    yield f'mission: "{text}"'


def _variants(model: GridSpec) -> Iterator[str]:
    from griddsl.syntax.printer import to_text

    for variant in model.variants:
        yield f"{variant.id}: {', '.join(to_text(item) for item in variant.items)}"


def _params(model: GridSpec) -> list[str]:
    from griddsl.diagnostics import Report
    from griddsl.lowering.world.parameters import bind_params

    values, domains = bind_params(model, Report())
    return _table([(name, _value(values[name]), f"in {domains[name]}") for name in domains])


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool | str) else f"{float(value):g}"


def _agents(model: GridSpec, program: Program) -> Iterator[str]:
    players = {player.name for player in program.players}
    rows = [
        (name, "" if name == kind else f"a {kind}", "" if name in players else "plays by itself")
        for name, kind in zip(program.agent_names, program.agents, strict=True)
    ]
    yield from _table(rows)
    yield f"turns: {model.turns}; contested cells: {model.contested}; swaps: {model.swap}; rewards: {model.rewards}"


def _actions(program: Program, player: Player) -> Iterator[str]:
    from griddsl.playing.keys import keys_of
    from griddsl.playing.traced import seats_of

    keys = keys_of(program)
    first = [seat.agent for seat in seats_of(program)].index(player.name)
    for index, group in enumerate(player.groups, first):
        if group.name:
            yield f"{group.name}:"
        rows: list[tuple[str, ...]] = []
        for first, last in _numbers(group):
            action = group.actions[first]
            played = [key for key, target in keys.actions.items() if target == (index, first)]
            name = action.name if first == last else f"{action.name} .. {group.actions[last].name}"
            if action.axes:
                name = f"{action.name}({', '.join(action.takes)})"
            number = str(first) if first == last else f"{first}..{last}"
            rows.append((number, name, f"keys: {', '.join(played)}" if played else ""))
        yield from _table(rows)


def _numbers(group: ActionGroup) -> Iterator[tuple[int, int]]:
    """Yield the first and the last number of each action; the values of an axis are one row, and few words one each."""
    if group.axis and len(group.actions) > FEW_VALUES:
        yield 0, len(group.actions) - 1
        return
    rows: list[list[int]] = []
    for number, action in enumerate(group.actions):
        if action.verb and number and group.actions[number - 1].verb == action.verb:
            rows[-1].append(number)
        else:
            rows.append([number])
    for numbers in rows:
        if len(numbers) > FEW_VALUES:
            yield numbers[0], numbers[-1]
        else:
            yield from ((number, number) for number in numbers)


def _observation(model: GridSpec, program: Program) -> Iterator[str]:
    from griddsl.program.words import space_text
    from griddsl.syntax.printer import to_text

    yield space_text(program)
    for observe in model.observe:
        for item in observe.items:
            yield f"{MARGIN}{f'{observe.name}: ' if observe.name else ''}{to_text(item)}"


def _info(model: GridSpec, program: Program) -> list[str]:
    from griddsl.syntax.printer import to_text

    own = {item.name: to_text(item.value) for item in (*model.info, *model.scores)}
    rows = [(entry.name, own.get(entry.name, "set by a rule")) for entry in program.info]
    if program.has_mask:
        rows.append(("action_mask", "which actions are allowed, one 0 or 1 each"))
    return _table(
        [*rows, ("outcome", "at the end: how it ended"), ("is_success", "at the end: whether in success")]
    )


def _kind(kind: KindInfo, model: GridSpec) -> tuple[str, str, str]:
    """Return a kind, its glyph, and what the spec says of it: properties, then attributes."""
    from griddsl.syntax import nodes as n
    from griddsl.syntax.printer import to_text

    name = kind.name if kind.name == kind.category else f"{kind.category} {kind.name}"
    names = {kind.name, "agent"} if kind.category == "agent" else {kind.name}
    said = [item for each in model.kinds if each.name in names for item in each.items]
    told = [to_text(item) for item in said if not isinstance(item, n.AttributeItem)]
    attributes = [to_text(item) for item in said if isinstance(item, n.AttributeItem)]
    told = told or sorted(kind.properties)
    return name, kind.glyph, "; ".join(filter(None, [", ".join(told), *attributes]))


def _regions(model: GridSpec) -> list[str]:
    from griddsl.syntax.printer.items import cells_text

    return _table(
        [(each.name, ", ".join(cells_text(part) for part in each.rectangles)) for each in model.regions]
    )


def _definitions(model: GridSpec) -> Iterator[str]:
    from griddsl.spec.plain_words import block_lines
    from griddsl.syntax.printer import to_text

    for each in model.definitions:
        if each.span.source is not model.source:
            continue  # what a library defines, its own file shows
        head = f"{each.name}({', '.join(each.parameters)})" if each.parameters else each.name
        lines = block_lines(head, each.effects) if each.value is None else [f"{head}: {to_text(each.value)}"]
        yield from _wrapped(lines, WIDTH - 4)


def _variable(declaration: Any) -> tuple[str, str, str]:
    from griddsl.syntax.printer import to_text

    default = to_text(declaration.default) if declaration.default is not None else ""
    return (
        declaration.name,
        default,
        f"in {to_text(declaration.domain)}" if declaration.domain is not None else "",
    )


def _rules(model: GridSpec, agents: int) -> Iterator[str]:
    from griddsl.playing.moments import place_text
    from griddsl.spec.plain_words import rule_lines

    numbers = [place_text(rule.span, model.source) for rule in model.rules]
    wide = max(map(len, numbers), default=0)
    for number, rule in zip(numbers, model.rules, strict=True):
        pad = " " * (wide + 2)
        first, *rest = _wrapped(rule_lines(rule, agents), WIDTH - wide - 4)
        yield f"{number:<{wide}}  {first}"
        yield from (pad + line for line in rest)


def _wrapped(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines cut to a width; where there are several, what is left of one further in than the blocks below it."""
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip())) + 2 * MARGIN if len(lines) > 1 else ""
        yield from textwrap.wrap(line, width, subsequent_indent=indent)


def _ends(model: GridSpec, program: Program) -> Iterator[str]:
    from griddsl.syntax.nodes import Out, walk
    from griddsl.syntax.printer import to_text

    effects = [node for rule in model.rules for node in walk(rule.effects)]
    leave = any(isinstance(node, Out) and node.steps is None for node in effects)
    if leave and len(program.agents) > 1:
        yield "terminated once every agent is out, with the outcome: out"
    if program.outcomes:
        yield f"terminated, with the outcome: {', '.join(program.outcomes)}"
    if program.limit is not None:
        yield f"truncated after {program.limit} steps"
    yield from (f"{own.agent} truncated after {to_text(own.steps)} steps" for own in model.limits)
    if not program.outcomes and program.limit is None and not model.limits:
        yield "never by itself"


def _numbered(lines: list[str]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        first, *rest = textwrap.wrap(line, WIDTH - 6)
        yield f"{number}. {first}"
        yield from (f"   {more}" for more in rest)


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows with their columns below each other."""
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
