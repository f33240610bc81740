"""Overwritten: rewards, values, draws, ends and moves that never count: something always replaces them.

Only what is certain is said: the other one stands in the same list of effects, or in a rule with the same trigger
that has neither condition nor chance, or, for rewards, in such an ``each step`` rule. So the idiom of ``each step:
reward -1`` beside ``on enter cliff: reward = -100`` is not spoken of: in most steps the first one counts. And what
stands in a spec twice, so that it happens twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from griddsl.diagnostics import Label
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import block_of, effects_in, traits
from griddsl.lowering.world.missions import names_in
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

STEP = "step"


def overwritten(writer: Writer) -> None:
    """Warn of each reward, assignment, draw, end and move that is certain never to count."""
    world = writer.world
    rules = [rule for rule in world.spec.rules if rule.span.source is world.spec.source]
    _draws(writer, world.spec.preparing)
    for rule in rules:
        _draws(writer, rule.effects)
        for effects in lists_of(rule.effects):
            _in_list(writer, effects)
        if rule.trigger.event not in TIMED:
            _moves_in_rounds(writer, rule)
    always = [
        rule
        for rule in rules
        if rule.condition is None and rule.chance is None and any(map(_sets_reward, rule.effects))
    ]
    last = {_key(rule): rule for rule in always}
    place = {id(rule): at for at, rule in enumerate(rules)}
    for at, other in enumerate(rules):
        for key in {STEP, _key(other)} & last.keys():
            rule = last[key]
            if rule is not other and rule.trigger.event != "each":
                before = key == STEP and other.trigger.event not in TIMED
                earlier = before or at < place[id(rule)]
                _in_rule(writer, other.effects, rule.effects, earlier)


def ended_anyway(writer: Writer) -> None:
    """Warn of `on enter goal if C: end`, where a rule that `use` brings ends at every goal: heads that differ."""
    spec = writer.world.spec
    brought = {
        _key(rule): rule
        for rule in spec.rules
        if rule.span.source is not spec.source and rule.condition is None and rule.chance is None
    }
    for rule in spec.rules:
        other = None if rule.span.source is not spec.source else brought.get(_key(rule))
        if other is None or rule.condition is None or rule.trigger.event == "step":
            continue
        if any(isinstance(effect, n.End) for effect in other.effects) and any(_ends(rule.effects)):
            head, asked = rule.span.text.partition(":")[0].partition(" if ")[0], to_text(rule.condition)
            help = f"the head `{head}:` takes its place, with `if {asked}:` as a line of its block"
            shown = (Label(other.span, "this one, without a condition"),)
            writer.report.add(
                "ended-anyway", rule.span, labels=shown, library=other.span.source.name, help=help
            )


def _ends(effects: tuple[n.Effect, ...]) -> Iterator[bool]:
    return (isinstance(part, n.End) for part in walk(effects))


def _moves_in_rounds(writer: Writer, rule: Rule) -> None:
    """Warn of a move that every round of a loop asks for, of one thing: it goes after the rules, and once."""
    heard = {part.name for part in walk((rule.trigger, rule.condition)) if isinstance(part, n.Name)}
    for loop in walk(rule.effects):
        if isinstance(loop, n.Each):
            if not isinstance(loop.over, n.Ranging):
                continue  # its rounds are of another thing each
        elif not isinstance(loop, n.Repeat):
            continue
        own = {part.name for part in walk(loop) if isinstance(part, n.Let | n.Ranging)}
        own |= {name for part in walk(loop.body) if isinstance(part, n.Choose) for name in part.names}
        own |= {
            part.alias for part in walk(loop.body) if isinstance(part, n.Place) and part.alias is not None
        }
        found = _found_anew(loop) - heard
        own |= {
            name
            for name in found
            if name in writer.world.kinds and writer.world.kinds[name].category != "agent"
        }
        again = list(_moves_of_all(loop)) if isinstance(loop, n.Repeat) else []
        for effects in [*lists_of(loop.body), again]:
            for effect in effects:
                subject = getattr(effect, "subject", None)
                is_same = effects is again or getattr(subject, "name", None) not in own
                if isinstance(effect, n.Move) and isinstance(subject, n.Name) and is_same:
                    help = "in `each step`, `each K` and `when` every round of a loop moves it"
                    is_apart = loop.span.line != effect.span.line
                    labels = [Label(loop.span, "the loop of these rounds")] if is_apart else []
                    writer.report.add(
                        "moved-once",
                        effect.span,
                        name=subject.name,
                        often="in every round",
                        labels=labels,
                        help=help,
                    )


def _moves_of_all(loop: n.Repeat) -> Iterator[n.Move]:
    """Yield what moves each of a kind in a round that leaves all else as it was: the next one asks for the same."""
    if any(can.changes or can.sets or isinstance(effect, n.Choose) for effect, can in effects_in(loop.body)):
        return
    if any(isinstance(part, n.ByChance) for part in walk(loop.body)):
        return
    for each in walk(loop.body):
        if isinstance(each, n.Each) and isinstance(each.over, n.KindName):
            called = {each.over.name} | {
                part.name
                for part in walk(each.body)
                if isinstance(part, n.Let) and getattr(part.value, "name", None) == each.over.name
            }
            for part in walk(each.body):
                if isinstance(part, n.Move) and getattr(part.subject, "name", None) in called:
                    yield part


def _found_anew(loop: n.Repeat | n.Each) -> set[str]:
    """Return the kinds that the conditions in a loop find, in each round another thing."""
    sides = [
        side
        for part in walk(loop.body)
        if isinstance(part, n.If)
        for relation in walk([test for test, _ in part.branches])
        if isinstance(relation, n.Relation)
        for side in (relation.left, relation.right)
    ]
    return {side.name for side in sides if isinstance(side, n.Name | n.Pattern)}


def _key(rule: Rule) -> str:
    """Return what two rules share that fire together; ``each step`` fires with every other."""
    trigger = rule.trigger
    if trigger.event == "step":
        return STEP
    kinds = [to_text(node) if node is not None else "" for node in (trigger.subject, trigger.object)]
    return f"{trigger.event}: {', '.join(kinds)}"


def lists_of(effects: tuple[n.Effect, ...]) -> Iterator[tuple[n.Effect, ...]]:
    """Yield a list of effects, and those of the blocks in it."""
    yield effects
    for effect in effects:
        if isinstance(effect, n.If):
            for _, branch in effect.branches:
                yield from lists_of(branch)


def _in_list(writer: Writer, effects: tuple[n.Effect, ...]) -> None:
    for at, effect in enumerate(effects):
        if _sets_reward(effect):
            for lost in _rewards(effects, effect.to):
                if not lost.assigns or lost in effects[:at]:
                    _report_reward(writer, lost, effect)
        if isinstance(effect, n.Assign) and effect.operator == "=":
            _assignments_before(writer, effects[:at], effect)


def _in_rule(
    writer: Writer, effects: tuple[n.Effect, ...], replacing: tuple[n.Effect, ...], earlier: bool
) -> None:
    """Warn of what the effects of another rule always replace."""
    for effect in replacing:
        if _sets_reward(effect):
            for lost in _rewards(effects, effect.to):
                if not lost.assigns or earlier:
                    _report_reward(writer, lost, effect)


def _sets_reward(effect: n.Effect) -> TypeGuard[n.Reward]:
    return isinstance(effect, n.Reward) and effect.assigns and not effect.hidden


def _rewards(effects: tuple[n.Effect, ...], to: str | None) -> Iterator[n.Reward]:
    for node in walk(effects):
        if isinstance(node, n.Reward) and not node.hidden and node.to == to:
            yield node


def _report_reward(writer: Writer, lost: n.Reward, by: n.Reward) -> None:
    if lost is by:
        return
    help = "the last `reward =` of a step is its reward; without one, the others are added up"
    writer.report.add("reward-overwritten", lost.span, labels=[Label(by.span, "this replaces it")], help=help)


def _assignments_before(writer: Writer, effects: tuple[n.Effect, ...], last: n.Assign) -> None:
    """Warn of assignments to the same variable in the same list, if nothing between them reads it."""
    name = to_text(last.target)

    def is_it(node: n.Node) -> bool:
        return isinstance(node, n.Name | n.Attribute) and to_text(node) == name

    if any(is_it(node) for node in walk(last.value)):
        return
    for at in range(len(effects) - 1, -1, -1):
        effect = effects[at]
        if isinstance(effect, n.Assign) and to_text(effect.target) == name:
            labels = [Label(last.span, "this replaces it")]
            writer.report.add(
                "overwritten", effect.span, name=name, labels=labels, help="leave one of them out"
            )
            return
        can = traits(effect)
        reads = any(is_it(node) for node in walk(effect))
        if reads or can.moves or can.changes or can.holds or can.draws:
            return


def _draws(writer: Writer, effects: tuple[n.Effect, ...]) -> None:
    """Warn of what is chosen, and chosen again in the same list before anything asks for it."""
    unasked: dict[str, n.Choose] = {}
    for effect in effects:
        asked = set(_speaks_of(effect.domain if isinstance(effect, n.Choose) else effect))
        for name in asked & unasked.keys():
            del unasked[name]
        if isinstance(effect, n.Choose):
            for at, name in enumerate(effect.names):
                first = effect if name in effect.names[:at] else unasked.get(name)
                if first is not None and first.span.source is writer.world.spec.source:
                    labels = (
                        [Label(effect.span.word(name), "this replaces it")] if first is not effect else []
                    )
                    help = f"a name means what was drawn for it last: choose another, such as `{name}_2`"
                    writer.report.add(
                        "overwritten", first.span.word(name), name=name, labels=labels, help=help
                    )
                unasked[name] = effect
            # A condition may hang one of several on the first value, so that it was not drawn in vain.
            for name in set(_speaks_of(effect.where)) - set(effect.names):
                unasked.pop(name, None)
        elif isinstance(effect, n.If):
            for _, branch in effect.branches:
                _draws(writer, branch)
        else:
            _draws(writer, block_of(effect))


def _speaks_of(clauses: object) -> Iterator[str]:
    """Yield the names in clauses, those in the braces of a text among them."""
    for node in walk(clauses):
        if isinstance(node, n.Text):
            yield from names_in(node.value)
        yield from (name for name in (getattr(node, "name", None),) if isinstance(name, str))


def repeated_rules(writer: Writer) -> None:
    """Warn of a rule that says what an earlier one says. Those that draw are meant: they draw once more."""
    earlier: dict[Rule, Rule] = {}
    for rule in writer.world.spec.rules:
        if rule.span.source is not writer.world.spec.source or rule.span.through:
            continue
        first = earlier.setdefault(rule, rule)
        draws = rule.chance is not None or any(can.draws for _, can in effects_in(rule.effects))
        if first is not rule and first.span != rule.span and not draws:
            labels = [Label(first.span, "it stands here too")]
            help = "both are carried out, one after the other: leave one of them out"
            writer.report.add("repeated-rule", rule.span, labels=labels, help=help)
