"""The order of a step, in words: only the phases that a spec uses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from griddsl.compass import ARROWS, DIAGONAL_ARROWS
from griddsl.program.program import Program
from griddsl.spec.models import GridSpec, Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED
from griddsl.syntax.printer import to_text

_EVENTS = ("bump", "push", "leave", "enter", "meet")
_HANDLED = ("pickup", "drop", "toggle", "fail")
_TURNS = {
    "simultaneous": "all at once",
    "in_order": "one after the other in their order",
    "random_order": "one after the other in an order that is drawn",
    "alternate": "one in each step",
}
_ILLEGAL = {"stay": "is not carried out", "end": "ends the episode", "act": "is carried out all the same"}


def reset_phases(spec: GridSpec, program: Program) -> Iterator[str]:
    """Yield what happens at reset."""
    if spec.generate is not None:
        yield f"The map is drawn by {to_text(spec.generate)}."
    elif len(program.levels) > 1:
        yield "The map of the level is taken."
    if spec.once:
        yield "Once, at the first reset and at each with a seed, from top to bottom:"
        yield from (f"    {line}" for effect in spec.once for line in to_text(effect).splitlines())
    if spec.setup:
        yield "Setup, from top to bottom:"
        yield from (f"    {line}" for effect in spec.setup for line in to_text(effect).splitlines())
    elif any(
        isinstance(item, n.Property) and item.name == "nowhere" for kind in spec.kinds for item in kind.items
    ):
        yield "The board is as the map shows it; who acts stands nowhere."
    elif spec.generate is None and not spec.once:
        several = len(program.agents) > 1
        yield (
            "The agents stand where the map shows them."
            if several
            else "The agent stands where the map shows it."
        )


def step_phases(spec: GridSpec, program: Program) -> list[str]:
    """Return the phases of a step, in their order."""
    phases: list[str] = ["The step is counted."]
    phases.extend(_settling(spec))
    objects_first = spec.order == "objects, agents"
    moving = [_moving(spec)] if _movers(spec) else []
    acting = [_acting(spec, program)]
    phases.extend([*moving, *acting] if objects_first else [*acting, *moving])
    effects = n.walk([rule.effects for rule in spec.rules])
    if any(isinstance(node, n.Out) and node.steps is not None for node in effects):
        phases.append("Agents that were away are back, where their time is over.")
    timed = _rules(spec, TIMED)
    if timed:
        phases.append(f"Rules of every step, each seeing what those above it did: {timed}.")
    phases.append(_reward(spec, program))
    phases.append("The observation is made.")
    return phases


def _settling(spec: GridSpec) -> Iterator[str]:
    items = [item for group in spec.actions for item in group.items if isinstance(item, n.ActionItem)]
    limited = [item.name for item in items if any(taken.where is not None for taken in item.arguments)]
    if spec.allow or limited:
        names = ", ".join(dict.fromkeys([*limited, *(allow.action for allow in spec.allow)]))
        yield f"An action that is not allowed (of {names}) {_ILLEGAL[spec.illegal]}."
    if spec.sticky is not None:
        yield f"With the chance {to_text(spec.sticky)} the previous action is repeated."
    before = _rules(spec, ("act", "do"))
    if before:
        yield f"Rules before the action: {before}."
    for slip in spec.slip:
        ways = ", ".join(f"{to_text(item.chance)} {item.direction}" for item in slip.items)
        condition = f" (if {to_text(slip.condition)})" if slip.condition is not None else ""
        yield f"A move slips from its direction{condition}: {ways}; otherwise it goes as meant."


def _acting(spec: GridSpec, program: Program) -> str:
    several = len(program.agents) > 1
    text = "The agents act" if several else "The agent acts"
    if several:
        text += f", {_TURNS[spec.turns]}"
    details = [words.replace("it ", "each ") if several else words for test, words in _ACTING if test(spec)]
    if details:
        text += f": {'; '.join(details)}"
    movers = _movers(spec)
    own = (rule for rule in spec.rules if _subject(rule) not in movers)
    return f"{text}.{_at_once('Their' if several else 'Its', own)}"


def _moving(spec: GridSpec) -> str:
    movers = _movers(spec)
    own = (rule for rule in spec.rules if _subject(rule) in movers or _met(rule) in movers)
    return f"Objects that move do, in the order of their creation.{_at_once('Their', own)}"


def _subject(rule: Rule) -> str:
    return "" if rule.trigger.subject is None else rule.trigger.subject.name


def _met(rule: Rule) -> str:
    """Return the kind whom a rule meets: it runs when that one comes, too."""
    return getattr(rule.trigger.object, "name", "") if rule.trigger.event == "meet" else ""


def _at_once(whose: str, rules: Iterable[Rule]) -> str:
    lines = _lines(rule for rule in rules if rule.trigger.event in {*_HANDLED, *_EVENTS})
    return f" {whose} rules run at once: {lines}." if lines else ""


def _reward(spec: GridSpec, program: Program) -> str:
    sets = any(_sets_reward(rule.effects) for rule in spec.plain.rules)
    text = "The reward is what was added up" + (
        ", or the last `reward =` where there was one" if sets else ""
    )
    if program.limit is not None:
        text += f"; after {program.limit} steps the episode is truncated"
    for own in spec.limits:
        text += f"; after {to_text(own.steps)} steps {own.agent} is truncated, and out"
    return f"{text}."


def _sets_reward(effects: object) -> bool:
    if isinstance(effects, n.Reward):
        return effects.assigns and not effects.hidden
    if isinstance(effects, n.If):
        return any(_sets_reward(branch) for _, branch in effects.branches)
    return isinstance(effects, tuple) and any(_sets_reward(effect) for effect in effects)


def _rules(spec: GridSpec, events: Collection[str]) -> str:
    """Return the lines of the rules of some events."""
    return _lines(rule for rule in spec.rules if rule.trigger.event in events)


def _lines(rules: Iterable[Rule]) -> str:
    lines = [str(rule.span.line) for rule in rules]
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(lines)}" if lines else ""


def _movers(spec: GridSpec) -> set[str]:
    """Return the kinds of objects that move by themselves."""
    return {kind.name for kind in spec.kinds if any(isinstance(item, n.Mover) for item in kind.items)}


def _property(name: str) -> Callable[[GridSpec], bool]:
    def test(spec: GridSpec) -> bool:
        return any(getattr(item, "name", "") == name for kind in spec.kinds for item in kind.items)

    return test


def _acts(*names: str) -> Callable[[GridSpec], bool]:
    def test(spec: GridSpec) -> bool:
        items = [item for group in spec.actions for item in group.items if isinstance(item, n.ActionItem)]
        return any(item.name in names or (item.primitive and item.primitive.name in names) for item in items)

    return test


def _goes(spec: GridSpec) -> bool:
    """Whether an action moves the agent that has it, or an agent moves by itself."""
    items = [item for group in spec.actions for item in group.items]
    done = [item.primitive or item for item in items if isinstance(item, n.ActionItem)]
    moves = any(getattr(each, "cells", None) is not None or each.name in _MOVES for each in done)
    alone = any(
        isinstance(item, n.Mover) for kind in spec.kinds if kind.category == "agent" for item in kind.items
    )
    return moves or alone or len(done) < len(items)  # a joystick


_MOVES = {*ARROWS, *DIAGONAL_ARROWS, "forward", "backward", "strafe_left", "strafe_right"}
_ACTING: tuple[tuple[Callable[[GridSpec], bool], str], ...] = (
    (_acts("turn_left", "turn_right"), "it turns"),
    (_acts("pickup", "drop", "toggle"), "it picks up, drops, toggles"),
    (_goes, "it moves, cell by cell, through what is not solid"),
    (
        lambda spec: bool(spec.agents) and _goes(spec),
        "who gets a cell that several want, `contested` and `swap` say",
    ),
    (_property("pushable"), "it pushes what is pushable"),
    (_property("drift"), "the drift of the tile that it leaves is added to the move"),
    (_property("slide"), "it slides on"),
    (_property("carry"), "belts carry what stands on them one cell on"),
    (lambda spec: spec.edge == "clip", "at the border each coordinate stops by itself"),
    (lambda spec: spec.edge == "wrap", "over the border it comes back on the other side"),
)
