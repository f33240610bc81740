"""Going: what a rule moves goes behind it, and surely unmeant is what counts on its having gone."""

from __future__ import annotations

from griddsl.lowering.checks.overwritten import lists_of
from griddsl.lowering.facts.sent import RAISED
from griddsl.lowering.state.writer import Writer
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text


def not_gone_yet(writer: Writer) -> None:
    """`each car:` asks `no car at CELL` while those before it, which it moved, still stand where they stood.

    And `on bump box: move box east, move agent east` lets the agent go nowhere, since the box is still there.
    """
    for rule in writer.world.spec.rules:
        if rule.span.source is not writer.world.spec.source:
            continue
        if rule.trigger.event == "each":
            _of_its_kind(writer, rule)
        elif rule.trigger.event in RAISED:
            for effects in lists_of(rule.effects):
                _after_another(writer, rule, effects)


def _of_its_kind(writer: Writer, rule: Rule) -> None:
    """Warn where a rule about each of a kind moves it, and asks where others of the kind are."""
    name = getattr(rule.trigger.object, "name", "")
    moved = [
        effect for effects in lists_of(rule.effects) for effect in effects if _moves(effect) in {name, "self"}
    ]
    if not moved or writer.world.kinds[name].category == "tile":
        return
    for part in walk((rule.condition, rule.effects)):
        match part:
            case n.Relation(name="at", left=n.Quantified(kind=n.Name(sought) | n.Pattern(sought)) as left):
                is_own = sought == name
            case n.Relation(name="at", left=n.Pattern(sought) as left):
                is_own = sought == name
            case _:
                continue
        if is_own:
            when = f"when the rule has been through every `{name}`"
            help = (
                f"in the block of `each step:`, a loop `each {name}:` lets each go before the next is asked"
            )
            writer.report.add("not-gone-yet", left.span, name=name, when=when, help=help)
            return


def _after_another(writer: Writer, rule: Rule, effects: tuple[n.Effect, ...]) -> None:
    """Warn where who bumped into a thing is to go the way that the thing is moved: it stands there still."""
    struck = getattr(rule.trigger.object, "name", "")
    ways = [
        to_text(effect.direction)
        for effect in effects
        if isinstance(effect, n.Move) and _moves(effect) == struck and effect.direction is not None
    ]
    who = {"self", getattr(rule.trigger.subject, "name", None) or "agent"}
    for effect in effects if rule.trigger.event == "bump" else ():
        if not isinstance(effect, n.Move) or effect.direction is None:
            continue
        if _moves(effect) in who and to_text(effect.direction) in ways:
            goes = f"move {to_text(effect.subject)} to {struck}"
            help = f"a `pushable` {struck} is moved on by who goes there; or ask whether it has room, and `{goes}`"
            when = "behind the last line of the rule"
            writer.report.add("not-gone-yet", effect.span, name=struck, when=when, help=help)


def _moves(effect: n.Effect) -> str | None:
    """Return what an effect moves by the name that it has."""
    match effect:
        case n.Move(subject=n.Name(name)):
            return name
    return None
