"""Checking: everything there is to say of a spec, what only its states can tell among it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from griddsl.compiler import AnySpec, compile_spec, lower_spec
from griddsl.diagnostics import Diagnostic, Label, Report, SpecError, add
from griddsl.diagnostics.suggest import Help
from griddsl.loading import resolve
from griddsl.lowering.traits import effects_in, traits
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED
from griddsl.syntax.nodes import walk

if TYPE_CHECKING:
    from griddsl.exact.check.trying import Tried, Wanted
    from griddsl.exact.check.versions import Version
    from griddsl.program.program import Program
    from griddsl.program.runtime import SetupFailure
    from griddsl.spec.models import GridSpec, Rule

# Told of how many versions are checked, of how many, and which is next.
Progress: TypeAlias = "Callable[[int, int, str], None]"
LEFT_OUT = frozenset({"truncated", "illegal"})


def check(source: AnySpec, /, **params: Any) -> list[Diagnostic]:
    """Return everything there is to say about a spec, by place; empty for a clean one. Never raises for a bad spec.

    ``source`` is a path, a text, a registered id or a `GridSpec`.

    A few resets are tried, and where the states are few, all of them are visited: so setups that fail, ends that no
    play reaches and rules that never fire are found. That the rewards of ``rewards: zero_sum`` cancel is proved where
    the states are few, and else tried out. Each variant, a map of each size and each word that a parameter can be are
    compiled, and a few of their resets are tried.
    """
    return checked(source, params)


def checked(
    source: AnySpec, params: dict[str, Any], with_variants: bool = True, progress: Progress | None = None
) -> list[Diagnostic]:
    """Return what `check` does; without what is wrong with variants alone where many answers are asked for soon."""
    report = Report()
    try:
        spec, program = compile_spec(resolve(source), params, report)
    except SpecError as error:
        return error.diagnostics
    if program is None or spec is None:
        return list(report)
    check_states(spec, program, report)
    if with_variants and not params:
        check_versions(spec, program, report, progress)
    return list(report)


def variant_errors(source: AnySpec, progress: Progress | None = None) -> list[Diagnostic]:
    """Return what is wrong with another version of a spec alone: a variant, a map, a word of a parameter."""
    report = Report()
    spec, program = compile_spec(resolve(source), {}, report)
    said = len(report.diagnostics)
    if spec is not None and program is not None:
        check_versions(spec, program, report, progress)
    return report.diagnostics[said:]


def check_versions(
    spec: GridSpec, program: Program, report: Report, progress: Progress | None = None
) -> None:
    """Add the errors of a spec's variants and of its maps of another size, each with its place.

    A word of a parameter with which no environment can be made, or a reset fails, is a warning.
    """
    if report.has_errors or any(variant.id == spec.id for variant in spec.variants):
        return
    from griddsl.exact.check.versions import MOST_VERSIONS, maps_of, variants_of, words_of

    known = {(each.code, each.span, each.message) for each in report.diagnostics}
    variants = list(variants_of(spec))
    others = [
        *islice(maps_of(spec, program), MOST_VERSIONS),
        *(islice(words_of(spec), MOST_VERSIONS) if not variants else ()),
    ]
    for number, version in enumerate([*variants, *others]):
        if progress is not None:
            progress(number, len(variants) + len(others), version.called)
        if number == len(variants):  # what a variant on such a map showed was told
            known |= {(each.code, each.span, each.message) for each in report.diagnostics}
        errors, proved = _errors_of(version.spec)
        new = [each for each in errors if (each.code, each.span, each.message) not in known]
        if version.form == "word":
            _report_word(version, new, proved, report)
            continue
        for place, each in enumerate(new):
            inside = version.span.start <= each.span.start < version.span.end
            # A reset that failed may fail in the spec as it stands too, only more rarely.
            where = "in this variant" if version.form == "variant" else "on this map"
            label = Label(version.span, f"{'only' if place < proved else 'seen'} {where}")
            is_told = version.form == "map" and inside
            report.diagnostics.append(replace(each, labels=each.labels if is_told else (*each.labels, label)))


def _report_word(version: Version, errors: list[Diagnostic], proved: int, report: Report) -> None:
    """Warn of a word of a parameter that has errors; ``proved`` are those that do not hang on what was drawn."""
    if not errors:
        return
    name, _, value = version.called.partition("=")
    first = errors[0]
    here = [Label(first.span, "here")] if first.span.source is version.span.source else []
    reason = first.message if proved else f"a reset fails: {first.message}"
    report.add(
        "fails-with", version.span, name=name, value=value, reason=reason, labels=here, help=first.help
    )


def _errors_of(spec: GridSpec) -> tuple[list[Diagnostic], int]:
    """Return the errors of a spec that was built before, and how many of them do not hang on what was drawn."""
    from griddsl.exact.check.trying import Wanted, tried

    own = Report()
    varied, program = lower_spec(spec, own)
    errors = [each for each in own if each.is_error]
    proved = len(errors)
    if varied is not None and program is not None:
        found = tried(program, Wanted(set(), set()))
        if found.failure is not None:
            failed = Report()
            _report_failure(varied.plain, program, found.failure, failed)
            errors += failed.diagnostics
    return errors, proved


def check_states(spec: GridSpec, program: Program, report: Report) -> None:
    """Add what a few resets, and a visit of its states where they are few, show of a spec that was compiled."""
    spec = spec.plain
    _try_out(spec, program, report)
    if program.rewards == "zero_sum" and len(program.players) > 1 and not report.has_errors:
        from griddsl.exact.check.cancelling import diagnose_cancelling

        diagnose_cancelling(spec, program, report)


def _try_out(spec: GridSpec, program: Program, report: Report) -> None:
    """Add what a short search through the states shows."""
    from griddsl.exact.check.plug_ins import failing
    from griddsl.exact.check.trying import comes_back, tried

    failed = failing(program)
    if isinstance(failed, tuple):
        report.add("bad-value", failed[0].span or spec.place("env"), reason=failed[1])
        return
    if failed is not None:
        _report_failure(spec, program, failed, report)
        return
    rules = _rules(spec, program, report)
    wanted = _wanted(spec, program, rules, report)
    found = tried(program, wanted)
    if found.failure is not None:
        _report_failure(spec, program, found.failure, report)
        return
    if found.complete:
        _report_unseen(spec, program, rules, wanted, found, report)
    _report_walled(spec, program, found, report)
    _report_forbidden(spec, program, found, report)
    if not wanted.endless:
        return
    if found.endless if found.complete else comes_back(program, with_luck=_may_not_end(spec)):
        _report_endless(spec, report)


def _report_failure(spec: GridSpec, program: Program, failure: SetupFailure, report: Report) -> None:
    from griddsl.envs.base_env import setup_diagnostic

    report.diagnostics.append(setup_diagnostic(spec, program, failure))


def _rules(spec: GridSpec, program: Program, report: Report) -> dict[int, Rule]:
    """Return the rules of the spec itself of which nothing was said yet, by number."""
    said = _missing_kinds(program, report)
    return {
        number: rule
        for number, rule in enumerate(spec.rules)
        if rule.span.source is spec.source and not said & _named(rule) and not _is_spoken_of(rule, report)
    }


def _wanted(spec: GridSpec, program: Program, rules: dict[int, Rule], report: Report) -> Wanted:
    """Return what is worth looking for.

    With other parameters or another map rules may fire and ends be reached that do not here: where there are some,
    only a game without any end is spoken of.
    """
    from griddsl.exact.check.forbidding import forbidding_groups
    from griddsl.exact.check.trying import Wanted

    varies = bool(spec.params) or len(spec.maps) > len(program.levels)
    outcomes = set(_ends(rules, set(program.outcomes) - LEFT_OUT))
    said = any(diagnostic.code == "no-end" for diagnostic in report.diagnostics)
    endless = program.limit is None and not spec.endless and not said
    groups = set() if spec.illegal == "act" else forbidding_groups(program)
    return Wanted(outcomes, set() if varies else set(rules), any_end=varies, endless=endless, groups=groups)


def _report_unseen(
    spec: GridSpec, program: Program, rules: dict[int, Rule], wanted: Wanted, found: Tried, report: Report
) -> None:
    """Add the ends that no play reaches, and the rules that never fire, each with the proof.

    What a variant, or a map of another size, shows is nothing that never comes about.
    """
    from griddsl.exact.check.versions import seen_in_versions

    more = seen_in_versions(spec, program, wanted) if wanted.outcomes or wanted.rules else []
    if more is None:
        return
    proof = _proof([(program, found), *more])
    ends = _ends(rules, wanted.outcomes)
    for _, end in ends.values():
        report.add("unreachable-end", end.span, name=end.outcome, help=proof)
    silent = {number for number, _ in ends.values()}
    fired = {rules[number].span for number in rules.keys() - wanted.rules}  # of a group, for some kind
    unfired = {rules[number].span: number for number in sorted(wanted.rules - silent, reverse=True)}
    for span in sorted(unfired.keys() - fired, key=lambda each: unfired[each]):
        report.add("never-fires", span, help=proof)


def _proof(visited: list[tuple[Program, Tried]]) -> str:
    """Say what was visited to show that something never comes about."""
    states = sum(found.states for _, found in visited)
    proof = "proved by visiting " + (f"all {states:,} states" if states > 1 else "the only state")
    proof += " of the spec and its variants" if len(visited) > 1 else ""
    limits = {program.limit for program, found in visited if found.cut}
    if len(limits) > 1:
        return proof + " that the steps of their limits come to: an episode has no more"
    for limit in limits:
        proof += f" that {limit:,} step{'s' if limit != 1 else ''} come to: an episode has no more"
    return proof


def _report_walled(spec: GridSpec, program: Program, found: Tried, report: Report) -> None:
    """Add goals that no way leads to, where more could not be proved, and creatures between walls."""
    from griddsl.exact.check.walled import number_of_goals, stuck_creatures, walled_goals

    if len(spec.maps) > len(program.levels) or (len(program.levels) > 1 and not spec.draws_level):
        return  # on another level that may be asked for there may be ways
    fixed = len(set(map(tuple, found.starts))) == 1
    tried = "walls stand between" if fixed else "in all resets that were tried walls stood between"
    goals = list(walled_goals(spec, program, found.starts)) if not found.complete else []
    if spec.params and len(goals) < number_of_goals(spec):
        goals = []  # with other parameters that goal may be one of those that can be entered
    for span, name in goals:
        if not any(each.span.line == span.line for each in report.diagnostics):
            help = f"{tried} the agent and every `{name}`; `at random floor reachable from agent` chooses another place"
            help = f"with the parameters as they are {help}" if spec.params else help
            report.add("never-entered", span, name=name, help=help)
    if spec.params:
        return
    beside = "walls stand" if fixed else "in all resets that were tried walls stood"
    for span, name, avoided in stuck_creatures(spec, program, found.starts):
        if span.source is spec.source:
            walls = f"{beside} on all sides of every `{name}`"
            around = f"`avoiding {avoided[0]}` leaves it no cell to go to" if avoided else walls
            report.add("never-moves", span, name=name, help=around)


def _report_forbidden(spec: GridSpec, program: Program, found: Tried, report: Report) -> None:
    """Add the groups of actions of which some play comes to where none is allowed, at their first `allow`."""
    from griddsl.exact.check.forbidding import first_of

    for place, number in first_of(found.forbidden, program).values():
        player, steps = program.players[place], found.forbidden[place, number]
        actions = player.groups[number].actions
        names = list(dict.fromkeys(action.verb or action.name for action in actions))
        span = next((each for each in _limits_of(spec, names) if each.source is spec.source), None)
        if span is None:
            continue
        whose = f" to `{player.name}`" if len(program.players) > 1 else ""
        when = "at the start" if steps == 0 else f"after {steps} step{'s' if steps > 1 else ''}"
        plain = [action.name for action in actions if not action.values]
        rest = "stay" if "stay" in plain else plain[-1] if plain else None
        go_on = f"`allow {rest}: true`" if rest is not None else "an action `stay` beside them"
        help = f"some play comes there {when}: {go_on} lets one go on, or end the episode then"
        report.add("nothing-allowed", span, whose=whose, help=help)


def _limits_of(spec: GridSpec, names: list[str]) -> Iterator[Span]:
    """Yield what says when actions are allowed: lines `allow`, then what they take, `where` a condition holds."""
    yield from (each.span for each in spec.allow if each.action in names)
    for item in (item for group in spec.actions for item in group.items):
        if isinstance(item, n.ActionItem) and item.name in names:
            yield from (taken.where.span for taken in item.arguments if taken.where is not None)


def _ends(rules: dict[int, Rule], outcomes: set[str]) -> dict[str, tuple[int, n.End]]:
    """Return the first ``end`` with each of these outcomes, and the number of its rule."""
    found: dict[str, tuple[int, n.End]] = {}
    for number, rule in rules.items():
        for node in walk(rule.effects):
            if isinstance(node, n.End) and node.outcome in outcomes:
                found.setdefault(str(node.outcome), (number, node))
    return found


def _missing_kinds(program: Program, report: Report) -> set[str]:
    """Return the kinds of which it was said that they are on no map: that is why what speaks of them cannot happen."""
    missing = [
        found.span.text
        for found in report.diagnostics
        if found.code == "unused-glyph"
        or (found.code == "never-fires" and "no map shows" in (found.help or ""))
    ]
    words = {word for text in missing for word in re.findall(r"\w+", text)}
    return words & {kind.name for kind in program.kinds} - {"agent", "floor", "wall"}


def _named(rule: Rule) -> set[str]:
    nodes = walk((rule.trigger, rule.condition))
    return {node.name for node in nodes if isinstance(node, n.KindName)}


def _is_spoken_of(rule: Rule, report: Report) -> bool:
    """Whether something was said already of why the rule does not fire, or does not come to its end."""
    parts = [rule.span, *(node.span for node in walk((rule.trigger, rule.condition, rule.effects)))]
    start, end = min(part.start for part in parts), max(part.end for part in parts)
    return any(
        found.code in {"never-fires", "never-true", "enter-is-not-stay"}
        and found.span.source is rule.span.source
        and start <= found.span.start < end
        for found in report.diagnostics
    )


def _may_not_end(spec: GridSpec) -> bool:
    """Whether every end hangs on something that need not happen: an event, or what only events change."""
    clocked = _clocked(spec)
    ends = [
        (rule, guards) for rule in spec.rules for node, guards in _guarded(rule.effects) if traits(node).ends
    ]
    return bool(ends) and not any(
        rule.trigger.event in TIMED and _comes_by_itself((rule.trigger, rule.condition, guards), clocked)
        for rule, guards in ends
    )


def _guarded(
    effects: tuple[n.Effect, ...], guards: tuple[object, ...] = ()
) -> Iterator[tuple[n.Effect, tuple[object, ...]]]:
    """Yield the effects of a block, each with what is asked around it: the conditions, and what loops go through."""
    for effect in effects:
        if isinstance(effect, n.If):
            tests = tuple(test for test, _ in effect.branches if test is not None)
            for _, block in effect.branches:
                yield from _guarded(block, (*guards, *tests))
        else:
            yield effect, guards
            asked = tuple(getattr(effect, name) for name in n.PARTS[type(effect)] if name != "body")
            yield from _guarded(getattr(effect, "body", ()), (*guards, *asked))


def _comes_by_itself(conditions: object, clocked: set[str]) -> bool:
    """Whether conditions may come to hold whatever is done: they ask nothing, or what time changes."""
    names = {node.name for node in walk(conditions) if isinstance(node, n.KindName)}
    return not names or bool(names & clocked)


def _clocked(spec: GridSpec) -> set[str]:
    """Return the names of what changes with time: by rules that run by themselves, or by moving."""
    found = {"step"}
    found |= {kind.name for kind in spec.kinds if any(isinstance(item, n.Mover) for item in kind.items)}
    for rule in spec.rules:
        if rule.trigger.event in TIMED | {"act", "do"}:
            changes = [
                node
                for node, can in effects_in(rule.effects)
                if can.moves or can.changes or can.sets is not None
            ]
            found |= {part.name for node in changes for part in walk(node) if isinstance(part, n.KindName)}
            found |= {"agent", "self"} if any(isinstance(node, n.Go) for node in changes) else set()
    return found


def _report_endless(spec: GridSpec, report: Report) -> None:
    help = add("limit: 100 steps", spec.source, "; or say that it is meant so: `limit: none`")
    if spec.source.is_toml:  # where a key of the whole stands before all tables
        line, end = 'limit = "100 steps"', spec.source.text.find("\n", spec.place("env").end)
        end = len(spec.source.text) if end < 0 else end
        words = f'add `{line}`; or say that it is meant so: `limit = "none"`'
        help = Help(words, (f"\n{line}",), place=Span(spec.source, end, end))
    report.add("no-limit", spec.place("env"), help=help)
