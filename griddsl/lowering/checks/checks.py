"""Checks: what is legal and surely unmeant. Each is a function of the world that adds to the report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from griddsl.diagnostics import Help, add, listing, write
from griddsl.lowering.checks.arithmetic import reckoned_first
from griddsl.lowering.checks.choosing import conditions_of_others
from griddsl.lowering.checks.circles import circles, circles_of_actions
from griddsl.lowering.checks.facing import faces_too
from griddsl.lowering.checks.impossible import impossible
from griddsl.lowering.checks.names import misspelt_kinds
from griddsl.lowering.checks.never import chances_of_zero, idle_statements, rules_that_never_fire
from griddsl.lowering.checks.overwritten import ended_anyway, overwritten, repeated_rules
from griddsl.lowering.checks.settled import (
    asks_nothing,
    never_obeyed,
    settled_otherwise,
    settled_with_reason,
    touches,
)
from griddsl.lowering.checks.sizes import beyond_the_grid, sizes_that_fail
from griddsl.lowering.checks.things.asked import asked_of_none
from griddsl.lowering.checks.things.candidates import first_for_candidate, lifted_and_asked
from griddsl.lowering.checks.things.captured import is_itself, named_by_the_caller
from griddsl.lowering.checks.things.exchanged import exchanged
from griddsl.lowering.checks.things.found import in_two_cells, named_by_no_action
from griddsl.lowering.checks.things.fresh import named_by_no_place
from griddsl.lowering.checks.things.going import not_gone_yet
from griddsl.lowering.checks.things.gone import asked_too_early, asked_while_away, read_when_gone
from griddsl.lowering.checks.things.held import dropped_by_another, dropped_in_vain, held_and_lying
from griddsl.lowering.checks.things.met import becomes_in_vain, comes_by_itself, met_in_one_cell
from griddsl.lowering.checks.things.misread import (
    beside_itself,
    in_no_cell,
    named_behind_any,
    nearly_agents,
    never_together,
    pairs_as_cells,
)
from griddsl.lowering.checks.things.placed import moved_in_vain, placed_in_vain
from griddsl.lowering.checks.things.rows import hemmed_in, in_their_way
from griddsl.lowering.checks.things.subjects import loops_of_others, taken_by_the_agent
from griddsl.lowering.checks.things.twice import moved_twice
from griddsl.lowering.checks.unread import (
    told_letter_by_letter,
    unread_attributes,
    unseen_opaque,
    untaken_portable,
)
from griddsl.lowering.checks.unused import (
    actions_without_effect,
    cancelled_in_vain,
    unused_names,
    unused_statements,
)
from griddsl.lowering.effects.assigning import turned_sign
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.traits import of_rules
from griddsl.lowering.world.domains import read_domain
from griddsl.lowering.world.missions import chosen_texts, names_in, report_unpaired, report_untold
from griddsl.source import Span
from griddsl.spec.models import Rule
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

OUTCOMES = ("success", "failure", "draw")
NEAR = 0.8  # the share of equal letters
NEAR_LETTERS = 2
STAYING = re.compile(
    r"\b(stay(s|ing)?|stand(s|ing)?|remain(s|ing)?|while|as long as|(each|every|per) (step|turn))\b", re.I
)


def check_spec(writer: Writer) -> None:
    """Run the checks that find errors."""
    for check in (
        _mission_names,
        _domains_of_arguments,
        circles,
        circles_of_actions,
        placed_in_vain,
        misspelt_kinds,
    ):
        check(writer)


def check_spelling(writer: Writer) -> None:
    """Run the checks that warn of how something is spelt, whatever else is wrong."""
    for check in (_near_outcomes, _turned_signs):
        check(writer)


def check_world(writer: Writer) -> None:
    """Run the checks that warn."""
    for check in (
        unused_names,
        unread_attributes,
        unseen_opaque,
        untaken_portable,
        told_letter_by_letter,
        actions_without_effect,
        cancelled_in_vain,
        unused_statements,
        overwritten,
        ended_anyway,
        repeated_rules,
        not_gone_yet,
        moved_twice,
        in_their_way,
        hemmed_in,
        read_when_gone,
        asked_while_away,
        asked_too_early,
        settled_with_reason,
        rules_that_never_fire,
        chances_of_zero,
        idle_statements,
        named_behind_any,
        never_together,
        in_no_cell,
        beside_itself,
        is_itself,
        in_two_cells,
        held_and_lying,
        dropped_in_vain,
        dropped_by_another,
        loops_of_others,
        taken_by_the_agent,
        first_for_candidate,
        lifted_and_asked,
        named_by_the_caller,
        named_by_no_place,
        named_by_no_action,
        nearly_agents,
        sizes_that_fail,
        beyond_the_grid,
        never_obeyed,
        moved_in_vain,
        exchanged,
        pairs_as_cells,
        met_in_one_cell,
        becomes_in_vain,
        comes_by_itself,
        reckoned_first,
        settled_otherwise,
        impossible,
        faces_too,
        _enter_for_staying,
        _each_step_if,
        conditions_of_others,
        asked_of_none,
        _no_end,
    ):
        check(writer)


_A_TURN = ("turn", "round", "move", "phase")
_WON = ("win", "wins", "won", "victory", "succeed", "succeeded", "solved", "complete", "completed")


def _near_outcomes(writer: Writer) -> None:
    """An outcome that is spelt nearly like one that means something, or means the same, is taken for it by a reader."""
    world = writer.world
    said = {
        node.outcome for rule in world.spec.rules for node in walk(rule.effects) if isinstance(node, n.End)
    }
    agents = {*world.agent_names, *(kind.name for kind in world.agents)} if world.several else set()
    for rule in world.spec.rules:
        for node in walk(rule.effects):
            if not isinstance(node, n.End) or node.outcome is None or node.outcome in OUTCOMES:
                continue
            meant = next((word for word in OUTCOMES if _is_near(node.outcome, word)), None)
            meant = meant or _winner_meant(node.outcome, agents)
            if meant is None and node.outcome in _WON and "success" not in said and not world.spec.left_out:
                meant = "success"
            if node.span.source is not world.spec.source:
                continue
            if node.outcome in _A_TURN:
                place = node.span.word(node.outcome)
                passes = (
                    "whose turn it is passes after each action, and "
                    if world.spec.turns == "alternate"
                    else ""
                )
                help = (
                    f"{passes}a step ends by itself: what is to end the episode has the name of its outcome"
                )
                writer.report.add("ends-all", place, name=node.outcome, help=help)
            elif meant is None:
                _nobody_wins(writer, node.span, node.outcome, agents)
            else:
                help = write(f"end {meant}", ", or give it a name of its own", node.span)
                place = node.span.word(node.outcome)
                writer.report.add("near-outcome", place, name=node.outcome, near=meant, help=help)


def _nobody_wins(writer: Writer, span: Span, outcome: str, agents: set[str]) -> None:
    """`green_wins` beside `red` and `blue`: whose win it is, nobody is told."""
    name = outcome.removesuffix("_wins")
    if not agents or name == outcome or name in agents:
        return
    winners = [f"{kind.name}_wins" for kind in writer.world.agents]
    told = f"`info` tells who has won by the name of an agent: {listing(winners)}"
    place = span.word(outcome)
    help = Help(
        f"{told}; another outcome has another name, as `{name}_won`", (*winners, f"{name}_won"), place=place
    )
    writer.report.add("no-such-agent", place, name=name, help=help)


def _turned_signs(writer: Writer) -> None:
    """`caught =+ 1` sets a value to +1, where adding is meant."""
    spec = writer.world.spec
    for node in walk(spec.blocks):
        if not isinstance(node, n.Assign) or node.operator != "=" or node.span.source is not spec.source:
            continue
        help = turned_sign(node.span)
        if help is not None and not touches(node.span, [each.span for each in writer.report]):
            sign = "=+" if "=+" in node.span.text else "=-"
            does = "adds" if sign == "=+" else "subtracts"
            writer.report.add("turned-sign", node.span.word(sign), sign=sign, does=does, help=help)


def _winner_meant(outcome: str, agents: set[str]) -> str | None:
    """`rde_wins`, `red_win`: whose win it is, is told by the exact name of an agent."""
    said = re.fullmatch(r"(\w+?)_(wins?|won|winner)", outcome)
    if said is None or outcome.removesuffix("_wins") in agents:
        return None
    called = said[1].lower()
    stems = [
        name
        for name in agents
        if called in {name.lower(), f"{name.lower()}s"} or (said[2] == "wins" and _is_near(said[1], name))
    ]
    letters = [name for name in agents if said[2] == "wins" and sorted(name) == sorted(said[1])]
    return next((f"{name}_wins" for name in sorted({*stems, *letters})), None)


def _is_near(name: str, word: str) -> bool:
    """Whether two words differ as by a slip of the fingers: nearly all letters the same."""
    return abs(len(name) - len(word)) <= NEAR_LETTERS and SequenceMatcher(None, name, word).ratio() >= NEAR


def _mission_names(writer: Writer) -> None:
    """The names in a mission's braces are chosen names, variables or parameters."""
    world = writer.world
    if writer.mission is None:
        return
    # What could not be drawn has its own message, and is told of nowhere else.
    known = {*writer.variables, *world.params, *writer.named_things, *writer.notes.reported}
    told = [(node.value, node.span) for node in walk(world.spec.tellings) if isinstance(node, n.Text)]
    told += [(world.spec.mission or "", world.spec.place("mission")), *_texts_of_missions(writer)]
    for text, span in told:
        report_unpaired(world, text, span, known, writer.report)
    texts = [(writer.mission, world.spec.place("mission"), "`mission`")]
    texts += [(text, span, "a text of the mission") for text, span in _texts_of_missions(writer)]
    for text, span, where in texts:
        for name in names_in(text):
            if name not in known:
                report_untold(world, name, (span, where), known, writer.report)


def _texts_of_missions(writer: Writer) -> Iterator[tuple[str, Span]]:
    """Yield the texts that are chosen for the mission; one that leads back to itself is an error."""
    chosen = chosen_texts(writer.world.spec)

    def told(name: str, path: tuple[str, ...]) -> Iterator[tuple[str, Span]]:
        for node in chosen.get(name, []):
            if circle := [inner for inner in names_in(node.value) if inner in (*path, name)]:
                place = node.span.word("{" + circle[0] + "}")
                way = " -> ".join((*path, name, circle[0]))
                writer.report.add("circular-definition", place, name=circle[0], way=way, help=None)
                continue
            yield node.value, node.span
            for inner in names_in(node.value):
                yield from told(inner, (*path, name))

    for name in names_in(writer.mission or ""):
        yield from told(name, ())


def _domains_of_arguments(writer: Writer) -> None:
    """Parameters have a domain that could be read; a second look costs nothing."""
    world = writer.world
    for declaration in world.spec.params:
        if declaration.name not in world.param_domains:
            read_domain(
                declaration.default, declaration.domain, world.params, writer.report, declaration.name, True
            )


def _enter_for_staying(writer: Writer) -> None:
    """``on enter K`` beside words that speak of staying: in its condition, or in a comment on its line."""
    world = writer.world
    if any(kind.drift is not None or kind.carry is not None for kind in world.kind_list):
        return  # who stays may be brought there all the same
    for rule in world.spec.rules:
        trigger = rule.trigger
        if (
            trigger.event != "enter"
            or trigger.subject is not None
            or rule.span.source is not world.spec.source
        ):
            continue
        if _speaks_of_staying(rule):
            help = f"for staying write `when agent on {to_text(trigger.object)}`"
            writer.report.add("enter-is-not-stay", rule.span, help=help)


def _speaks_of_staying(rule: Rule) -> bool:
    for node in walk(rule.condition):
        if isinstance(node, n.Relation) and node.name == "on" and node.right == rule.trigger.object:
            return True
        if isinstance(node, n.Is) and isinstance(node.right, n.Name) and node.right.name == "stay":
            return not node.negated
    line = rule.span.source.line(rule.span.line)
    comment = re.sub(r'"(?:\\.|[^"\\])*"', "", line).partition("#")[2]
    return STAYING.search(comment) is not None


def _each_step_if(writer: Writer) -> None:
    for rule in writer.world.spec.rules:
        if rule.trigger.event != "step" or rule.condition is None:
            continue
        if not asks_nothing(rule.condition):
            # As it is written: what it asks may have the name of a definition.
            head = re.sub(r"^each\s+step\s+if\b", "when", rule.head)
            writer.report.add("each-step-if", rule.span, help=write(head, place=rule.span))


def _no_end(writer: Writer) -> None:
    world = writer.world
    ends = any(can.ends for _, can in of_rules(world.spec))
    if not ends and world.limit is None and not world.spec.endless and world.spec.illegal != "end":
        writer.report.add(
            "no-end",
            world.spec.place("env"),
            help=add(
                "limit: 100 steps",
                world.spec.source,
                ", a rule with `end`, or `limit: none` if it is meant so",
            ),
        )
