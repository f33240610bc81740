"""Habits: what people write that is not the language, and what they most likely mean by it."""

from __future__ import annotations

from collections.abc import Callable

from griddsl.syntax.habits import (
    arguments,
    brackets,
    definitions,
    effects,
    foreign_words,
    kinds,
    loops,
    movers,
    rules,
    several,
    statements,
    words,
)
from griddsl.syntax.habits.mistake import Meant, Mistake

# The first that recognises a mistake is asked, so what is surest stands first.
_HABITS: tuple[Callable[[Mistake], Meant | None], ...] = (
    brackets.unclosed_bracket,
    brackets.unopened_bracket,
    arguments.argument_without_domain,
    arguments.argument_without_brackets,
    arguments.arguments_of_a_rule,
    foreign_words.foreign_letters,
    movers.moving,
    several.superlative,
    several.drawn_thing,
    several.lonely_article,
    loops.condition_of_each,
    loops.order_of_each,
    loops.nothing_asked,
    definitions.definition_head,
    definitions.returned,
    effects.block_line,
    effects.called_effect,
    effects.lonely_if,
    effects.placing,
    effects.bare_number,
    effects.joined_effects,
    effects.chance,
    effects.chance_line,
    effects.aimed,
    effects.outcome,
    effects.drawn_cell,
    statements.glyph,
    statements.legend_swapped,
    words.colon,
    effects.unknown_effect,
    rules.event_as_condition,
    rules.event_after_when,
    rules.action_as_event,
    rules.described_thing,
    rules.other_trigger,
    rules.other_condition,
    rules.distance,
    rules.chance_in_words,
    rules.event,
    rules.several_kinds,
    rules.missing_event,
    rules.steps,
    rules.article,
    kinds.mover,
    kinds.shown_colour,
    kinds.negated,
    kinds.missing_in,
    kinds.attribute,
    rules.comparison_chain,
    foreign_words.superfluous_is,
    foreign_words.in_domain,
    foreign_words.comparison_in_words,
    statements.misspelt_move,
    statements.action_steps,
    statements.generator,
    statements.number_of_agents,
    statements.slip_alone,
    statements.slip_order,
    statements.counted_actions,
    statements.bare_view,
    statements.position_after,
    statements.view_size,
    statements.whose_position,
    kinds.color,
    brackets.rectangle,
    brackets.third_coordinate,
    brackets.called_attribute,
    foreign_words.foreign_word,
    brackets.list_in_brackets,
    words.reserved,
    foreign_words.foreign_sign,
    foreign_words.number,
    brackets.positional_kind,
    foreign_words.quoted_word,
    brackets.asked_attribute,
    statements.limit,
    words.misspelt_before,
    words.misspelt,
    words.missing_comma,
)


def meant(mistake: Mistake) -> Meant | None:
    """Return what the first habit that recognises the mistake has to say, or None."""
    for habit in _HABITS:
        fix = habit(mistake)
        if fix is not None:
            return fix
    return None
