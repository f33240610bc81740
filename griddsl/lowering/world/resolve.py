"""Resolve: a spec becomes a world; whatever its clauses name is found and checked here, or reported."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from griddsl.diagnostics import Label, Report, did_you_mean, write
from griddsl.lowering.world.actions import Group, read_actions
from griddsl.lowering.world.arguments import ArgumentReader
from griddsl.lowering.world.constants import constant_number
from griddsl.lowering.world.declared import collect_kinds
from griddsl.lowering.world.domains import read_domain
from griddsl.lowering.world.kinds import Kind, who_stands
from griddsl.lowering.world.maps.generators import generated_level
from griddsl.lowering.world.maps.level import Level
from griddsl.lowering.world.maps.levels import read_levels
from griddsl.lowering.world.parameters import bind_params
from griddsl.lowering.world.variants import check_variants
from griddsl.lowering.world.world import Role, Variable, World
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n

MOST_AGENTS = 200
ALL_CELLS = "cells"


def resolve(spec: GridSpec, report: Report) -> World | None:
    """Return everything that clauses can speak of; None where errors keep them from being read."""
    params, domains = bind_params(spec, report)
    check_variants(spec, domains, report)
    if report.is_stuck:
        return None
    kinds = collect_kinds(spec, params, report)
    if report.is_stuck:
        return None
    levels = read_levels(spec, kinds, params, report)
    if spec.generate is not None:
        level = generated_level(spec.generate, kinds, params, report)
        levels = [level] if level is not None else []
    if not levels or report.is_stuck:
        if not report.is_stuck:
            report.add("missing-statement", spec.place("env"), keyword="map")
        return None
    agents, names = _agents(spec, kinds, params, report)
    _check_nowhere(spec, agents, levels, report)
    width, height = levels[0].width, levels[0].height
    numbers = {**params, "width": Fraction(width), "height": Fraction(height)}
    limit, own_limits = _limits(spec, agents, numbers, report)
    variables, unread = _variables(spec, params, kinds, report)
    regions = _regions(spec, numbers, (width, height), kinds, {*variables, *params}, report)
    if report.is_stuck:
        return None
    arguments = ArgumentReader(spec, numbers, kinds, regions, (width, height), report)
    groups = read_actions(spec, agents, params, report, arguments)
    return World(
        spec,
        params,
        domains,
        kinds,
        tuple(levels),
        tuple(agents),
        tuple(names),
        limit,
        own_limits,
        variables,
        unread,
        regions,
        groups,
        _roles(spec, agents, kinds, groups, report),
    )


def _agents(
    spec: GridSpec, kinds: dict[str, Kind], params: Mapping[str, Scalar], report: Report
) -> tuple[list[Kind], list[str]]:
    """Return the kind of each agent and its name; those of ``hunter * 2`` are ``hunter_0`` and ``hunter_1``."""
    listed = [item.name for item in spec.agents]
    for declaration in spec.kinds:
        if declaration.category == "agent" and declaration.name not in {"agent", *listed}:
            help = (
                did_you_mean(declaration.name, listed)
                or f"list it: `agents: {', '.join([*listed, declaration.name])}`"
            )
            if declaration.name == "facing" and not declaration.items:
                whole = declaration.span.source.line(declaration.span.line)
                place = declaration.span.source.whole()
                start = declaration.span.source.text.index(whole) + len(whole) - len(whole.lstrip())
                help = write("agent: facing", place=place.span(start, start + len(whole.strip())))
            report.add("unknown-name", declaration.span, where="`agent`", name=declaration.name, help=help)
    if not spec.agents:
        alone = kinds["agent"]
        if alone.moves is not None:
            help = "the only agent goes by its actions: what moves by itself is an object, or one of several agents"
            report.add(
                "bad-value",
                alone.moves.span,
                reason="the agent moves by itself, so none can learn",
                help=help,
            )
            alone.moves = None  # so that what else is wrong is found
        return [alone], ["agent"]
    agents: list[Kind] = []
    names: list[str] = []
    for item in spec.agents:
        count = _count(item, params, report)
        agents.extend([kinds[item.name]] * count)
        own = [item.name] if item.count is None else [f"{item.name}_{i}" for i in range(count)]
        twice = [name for name in own if name in names]
        if twice or "__all__" in own:
            reason = (
                f"two agents are called `{twice[0]}`"
                if twice
                else "in JaxMARL `__all__` means the whole game"
            )
            help = f"the agents of `K * 2` are `K_0` and `K_1`; choose another name than `{item.name}`"
            report.add("bad-value", item.span, reason=reason, help=help if twice else None)
        names.extend(own)
    if len(agents) > MOST_AGENTS:
        reason = f"there are {len(agents):,} agents; at most {MOST_AGENTS} are allowed"
        report.add("bad-value", spec.agents[0].span, reason=reason)
    elif all(kind.moves is not None for kind in agents):
        help = "leave out `moves` of the one that learns"
        reason = "every agent moves by itself, so none can learn"
        report.add("bad-value", spec.agents[0].span, reason=reason, help=help)
        agents[0].moves = None  # so that what else is wrong is found
    return agents, names


def _check_nowhere(spec: GridSpec, agents: Sequence[Kind], levels: Sequence[Level], report: Report) -> None:
    """Report agents that stand nowhere where others stand somewhere, move by themselves, or are on a map."""
    some = [kind for kind in agents if kind.nowhere]
    if not some:
        return
    others = [kind for kind in agents if not kind.nowhere]
    if others:
        reason = f"`{some[0].name}` stands nowhere, and `{others[0].name}` somewhere"
        help = "`agent: nowhere` says it of all; or leave it out, and let each have a cell"
        report.add("bad-value", spec.agents[0].span, reason=reason, help=help)
        return
    who = who_stands(len(agents) > 1)
    help = "leave `nowhere` out, or leave this out"
    for kind in dict.fromkeys(agents):
        if kind.moves is not None:
            report.add("nowhere", kind.moves.span, what=f"`{kind.name}` moves by itself", who=who, help=help)
    for slip in spec.slip:
        report.add("nowhere", slip.span, what="`slip` turns moves", who=who, help=help)
    for level in levels:
        for thing in level.starts[:1]:
            x, y = thing.cell % level.width, thing.cell // level.width
            what = f"the map shows `{thing.kind.name}` at ({x}, {y})"
            help = "leave its glyph out of the map; or leave `nowhere` out, and it stands there"
            report.add("nowhere", level.span, what=what, who=who, help=help)


def _count(item: n.AgentsItem, params: Mapping[str, Scalar], report: Report) -> int:
    if item.count is None:
        return 1
    value = constant_number(item.count, params, report, "the number of agents")
    if value is None:
        return 1
    if value.denominator != 1 or not 1 <= value <= MOST_AGENTS:
        reason = f"the number of agents is a whole number from 1 to {MOST_AGENTS}"
        report.add("bad-value", item.count.span, reason=reason)
        return 1
    return int(value)


def _limits(
    spec: GridSpec, agents: Sequence[Kind], numbers: Mapping[str, Scalar], report: Report
) -> tuple[int | None, dict[str, int]]:
    """Return how many steps an episode has, and how many the agents of each kind have that has a limit of its own."""
    limit = None if spec.limit is None else _steps(spec.limit, numbers, report)
    names = {kind.name for kind in agents} if len(agents) > 1 else set()
    own_limits: dict[str, int] = {}
    for own in spec.limits:
        if own.agent not in names:
            help = did_you_mean(own.agent, sorted(names)) or "`limit: N steps` is for the whole episode"
            report.add("unknown-name", own.span, where="`limit`", name=own.agent, help=help)
            continue
        steps = _steps(own.steps, numbers, report)
        if steps is not None:
            own_limits[own.agent] = steps
    return limit, own_limits


_ENDLESS = frozenset(
    ("forever", "infinite", "infinity", "inf", "unlimited", "never", "no", "off", "null", "unbounded")
)


def _steps(node: n.Expression, numbers: Mapping[str, Scalar], report: Report) -> int | None:
    if isinstance(node, n.Name) and node.name.lower() in _ENDLESS and node.name not in numbers:
        report.add(
            "not-constant",
            node.span,
            what="the limit",
            help=write("none", ": no number of steps ends it", node.span),
        )
        return None
    value = constant_number(node, numbers, report, "the limit")
    if value is None:
        return None
    if value.denominator != 1 or value < 1 or value > 2**40:
        help = "`div` divides and rounds down" if value.denominator != 1 else None
        report.add("bad-value", node.span, reason="a limit is a whole number of steps, 1 or more", help=help)
        return None
    return int(value)


def _variables(
    spec: GridSpec, params: Mapping[str, Scalar], kinds: Mapping[str, Kind], report: Report
) -> tuple[dict[str, Variable], frozenset[str]]:
    """Return the variables that are declared, and the names of those whose domains cannot be read."""
    found: dict[str, Variable] = {}
    unread: set[str] = set()
    for declaration in spec.variables:
        name = declaration.name
        if name in found or name in params or name in kinds:
            _report_twice(spec, kinds, name, declaration.span, report)
            continue
        domain, default = read_domain(declaration.default, declaration.domain, params, report, name)
        if domain is None:
            unread.add(name)
        else:
            found[name] = Variable(name, domain, int(default), declaration.span)
    return found, frozenset(unread)


def _report_twice(spec: GridSpec, kinds: Mapping[str, Kind], name: str, span: Span, report: Report) -> None:
    """Report a name that is declared a second time; what it names first is shown."""
    places = {declaration.name: declaration.span for declaration in (*spec.variables, *spec.params)}
    first = kinds[name].span if name in kinds else places.get(name, span)
    labels = [Label(first, "first here")] if first is not span and first.end > first.start else []
    built_in = name in kinds and kinds[name].span.end <= kinds[name].span.start
    help = f"`{name}` is a kind, and built in: choose another name, such as `my_{name}`" if built_in else None
    if name in kinds and not built_in:
        help = f"a name means one thing: call one of them otherwise, such as `my_{name}`"
    report.add("duplicate-name", span, name=name, labels=labels, help=help)


def _regions(
    spec: GridSpec,
    numbers: Mapping[str, Scalar],
    size: tuple[int, int],
    kinds: Mapping[str, Kind],
    taken: set[str],
    report: Report,
) -> dict[str, NDArray[np.bool_]]:
    """Return the cells of each region, as one truth a cell; ``cells`` is all, where nothing else has the name."""
    found: dict[str, NDArray[np.bool_]] = {}
    for region in spec.regions:
        mask = np.zeros(size[::-1], dtype=bool)
        for rectangle in region.rectangles:
            _fill(mask, rectangle, numbers, report)
        is_kind = region.name in kinds and kinds[region.name].declared
        if region.name in found or region.name in taken or is_kind:
            _report_twice(spec, kinds, region.name, region.span, report)
        found[region.name] = mask.reshape(-1)
    if ALL_CELLS not in {*taken, *kinds, *found}:
        found[ALL_CELLS] = np.ones(size[0] * size[1], dtype=bool)
    return found


def _fill(
    mask: NDArray[np.bool_], rectangle: n.Rectangle, numbers: Mapping[str, Scalar], report: Report
) -> None:
    """Add a rectangle to the cells of a region; one that is not on the grid is reported."""
    sides = [
        constant_number(side, numbers, report, "a region")
        for side in (rectangle.left, rectangle.right, rectangle.top, rectangle.bottom)
    ]
    if any(side is None for side in sides):
        return
    if any(side is not None and side.denominator != 1 for side in sides):
        report.add("type", rectangle.span, found="a fraction", expected="a whole number of cells")
        return
    left, right, top, bottom = (int(side) for side in sides if side is not None)
    height, width = mask.shape
    if not (0 <= left <= right < width and 0 <= top <= bottom < height):
        report.add(
            "bad-offset",
            rectangle.span,
            reason=f"this rectangle does not lie on the {width} x {height} grid",
            help=_with_ranges(rectangle)
            or f"columns are 0..{width - 1}, rows 0..{height - 1}; a range grows",
        )
        return
    mask[top : bottom + 1, left : right + 1] = True


def _with_ranges(rectangle: n.Rectangle) -> str | None:
    """Return what a rectangle is whose ranges are written `0-4`; None for others."""
    text = rectangle.span.text
    return write(re.sub(r"(\d+)\s*-\s*(\d+)", r"\1..\2", text)) if re.search(r"\d\s*-\s*\d", text) else None


def _roles(
    spec: GridSpec,
    agents: Sequence[Kind],
    kinds: Mapping[str, Kind],
    groups: Sequence[Group],
    report: Report,
) -> tuple[Role, ...]:
    """Return the roles of the agents: those of a kind with something of its own play one of their own."""
    common = tuple(group for group in groups if group.agent is None)
    if len(agents) == 1:
        return (Role("agent", agents[0], (0,), common),)
    own_kinds = [kind for kind in dict.fromkeys(agents) if _has_its_own(spec, kinds["agent"], groups, kind)]
    shared = [kind for kind in dict.fromkeys(agents) if kind not in own_kinds]
    members: dict[str, list[int]] = {}
    for index, kind in enumerate(agents):
        members.setdefault("" if kind in shared else kind.name, []).append(index)
    roles: list[Role] = []
    for name, numbers in members.items():
        kind = kinds[name] if name else shared[0] if len(shared) == 1 else kinds["agent"]
        own = tuple(group for group in groups if group.agent == name)
        played = () if kind.moves is not None and name else own or common
        moves = kind.moves if name else None
        roles.append(Role(kind.name, kind, tuple(numbers), played, moves))
    for role in roles:
        if not role.groups and role.moves is None:
            help = f"write `actions:` for all agents, or `actions {role.name}:`"
            report.add("missing-statement", spec.agents[0].span, keyword="actions", help=help)
    return tuple(roles)


def _has_its_own(spec: GridSpec, common: Kind, groups: Sequence[Group], kind: Kind) -> bool:
    """Whether a kind of agent has actions, observations or properties that other agents do not have."""
    return (
        any(group.agent == kind.name for group in groups)
        or any(observe.name == kind.name for observe in spec.observe)
        or kind.attributes.keys() != common.attributes.keys()
        or any(kind.attributes[name] is not common.attributes[name] for name in kind.attributes)
        or (kind.carries, kind.moves) != (common.carries, common.moves)
        or kind.moves is not None
    )
