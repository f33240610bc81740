"""The table of diagnostics: every code with its severity, its words and what it means, once."""

from __future__ import annotations

from griddsl.diagnostics.row import Code, error, warning
from griddsl.diagnostics.suspicious import SUSPICIOUS

CODES: dict[str, Code] = {
    # The file
    "unreadable": error("{reason}", "The file cannot be read: it is missing, a folder, or not allowed."),
    "not-utf8": error(
        "the file is not UTF-8 text: byte {byte:#04x} at offset {offset}", "A spec is UTF-8 text."
    ),
    "bad-character": error(
        "the character U+{number:04X} cannot stand in a spec",
        "Control characters, NUL among them, are refused.",
    ),
    "tab": error(
        "a tab stands where blanks belong", "Indentation and maps are drawn with blanks, never tabs."
    ),
    "too-large": error(
        "the file has {size:,} bytes; at most {most:,} are read", "Specs have a largest size."
    ),
    "too-long": error(
        "this line has {length:,} characters; a clause has at most {most:,}", "Clauses have a longest length."
    ),
    "too-many-lines": error("the file has more than {most:,} lines", "Specs have a largest number of lines."),
    "too-many": error(
        "the spec has {count:,} {what}; at most {most:,} are read", "Specs have a largest size."
    ),
    "too-deep": error(
        "this is nested deeper than {most} levels", "Brackets, prefixes and blocks nest to a limit."
    ),
    "toml-syntax": error("{reason}", "The file is not valid TOML."),
    "toml-shape": error("{reason}", "A TOML value has a shape that no statement has."),
    # Layout
    "not-a-statement": error("a statement cannot start like this", "Each statement starts with its keyword."),
    "unknown-statement": error(
        "`{keyword}` is no statement", "The first word of a line is not a known keyword."
    ),
    "missing-colon": error("`{keyword}` is not followed by a `:`", "`:` says that items follow."),
    "unexpected-indent": error(
        "this line cannot stand at this indentation", "Only statements and blocks have lines below."
    ),
    "duplicate-statement": error(
        "`{what}` stands twice", "A statement that says one thing stands once; rules may repeat."
    ),
    "missing-statement": error("the spec has no `{keyword}`", "A spec needs an id, a map and actions."),
    "missing-items": error("`{what}` says nothing", "A statement needs at least one item."),
    "unexpected-head": error(
        "`{keyword}` takes no name before its `:`",
        "Only some statements are named between keyword and colon.",
    ),
    "missing-head": error(
        "`{keyword}` needs a name before its `:`", "A declaration needs the name it declares."
    ),
    "lost-else": error("this `else` belongs to no `if`", "`else` follows the lines of an `if`."),
    # Clauses
    "syntax": error("found {found}, expected {expected}", "The clause does not fit the grammar."),
    "open-text": error("this text is not closed", "A quoted text ends on its line."),
    "unknown-effect": error(
        "`{name}` is no effect", "What happens is said with the effects of the language."
    ),
    "choose-without-domain": error("`choose {name}` does not say from what", "`choose` draws from a domain."),
    # The model
    "bad-id": error(
        "`{id}` is not an environment id", "An id is `namespace/Name-v0`, of letters, digits, `_`, `-`."
    ),
    "bad-value": error("{reason}", "A value does not fit where it stands."),
    "bad-glyph": error("the glyph {glyph} is not one character", "The legend names one character at a time."),
    "duplicate-glyph": error("the glyph `{glyph}` has two meanings", "A glyph means one thing."),
    "unknown-glyph": error(
        "the map uses `{glyph}`, which the legend does not name", "Each character of a map has a meaning."
    ),
    "unused-glyph": warning("the glyph `{glyph}` stands in no map", "A legend entry that no map uses."),
    "ragged-map": error(
        "this row has {found} cells, {others} {expected}", "All rows of a map have the same length."
    ),
    "empty-map": error("the map has no rows", "A map has at least one row, drawn below it and indented."),
    "too-many-cells": error(
        "a map of {width:,} x {height:,} has {cells:,} cells; at most {most:,} are allowed",
        "Maps have a largest size.",
    ),
    "bad-walls": error("{reason}", "A drawing with its border alternates rows of edges and rows of cells."),
    "map-sizes": error(
        "{name} is {found}, but {first} is {expected}",
        "Maps that one environment can draw among have one size.",
    ),
    "unknown-level": error("there is no map `{name}`", "`level` names a map of the spec, or `random`."),
    "unknown-property": error(
        "`{name}` is no property of {of}", "Kinds have the properties of the language."
    ),
    "wrong-property": error(
        "`{name}` cannot apply to `{kind}`, {category}", "A property belongs to tiles, objects or agents."
    ),
    "never-placed": error(
        "`{name}` is on no map and never placed, and is nearly `{near}`",
        "A kind that is never there, and is spelt nearly as one that is, is taken for a typo.",
    ),
    "hidden-word": error(
        "`{name}` hides the word `{name}` of {of}",
        "A name keeps a word from being read: one of a domain that the spec declares, or one of the language.",
    ),
    "too-costly": error(
        "this looks at up to {count:,} things each time; at most {most:,} are allowed",
        "What is counted within what is counted multiplies.",
    ),
    "unknown-word": error("`{word}` is none of {of}", "A word is one of those that can stand there."),
    "unknown-name": error(
        "{where} names `{name}`, which is not declared", "Every name is declared or drawn."
    ),
    "unknown-action": error("there is no action `{name}`", "Rules and `allow` name actions of the spec."),
    "unknown-attribute": error(
        "`{kind}` has no attribute `{name}`", "Attributes are declared with their kind."
    ),
    "unknown-function": error(
        "there is no {what} `{name}`", "Expressions use the functions of the language."
    ),
    "unknown-library": error(
        "there is no library `{name}`", "`use` brings a bundled library or a file beside."
    ),
    "outside-folder": error(
        "`{path}` lies outside the spec's folder", "A spec reads no file outside its folder."
    ),
    "unknown-param": error(
        "the spec has no parameter `{name}`", "Keywords of `gym.make` are declared by `param`."
    ),
    "param-value": error(
        "`{name}={value}` is not in {domain}", "A parameter's value is checked against its domain."
    ),
    "reserved-name": error(
        "`{name}` is a word of the language and cannot be a name", "Reserved words name nothing."
    ),
    "circular-definition": error(
        "`{name}` is defined in a circle: {way}",
        "A definition is put in the place of its calls, so none calls itself.",
    ),
    "duplicate-name": error("`{name}` is declared twice", "A name means one thing."),
    "once-named": error("`{name}` is named only here", "A kind that is named only once is taken for a typo."),
    "duplicate-property": error("`{name}` stands twice", "A kind has a property once."),
    "duplicate-action": error("the action `{name}` stands twice", "Actions are numbered by their order."),
    "unused-name": warning(
        "{what} `{name}` is never used", "What is declared and never used is surely unmeant."
    ),
    # Types and values
    "type": error("{found} stands where {expected} is needed", "Types are checked before the first step."),
    "carries-nothing": error(
        "`{kind}` carries nothing", "Agents carry; an object does where it says `carries 1`."
    ),
    "words-with-equals": error("words are compared with `is`", "`==` is for numbers, `is` for words."),
    "numbers-with-is": error("numbers are compared with `==`", "`==` is for numbers, `is` for words."),
    "division-by-zero": error("this can divide by zero", "A divisor is never zero; its range shows it."),
    "fraction": error(
        "`{name}` holds whole numbers, and this can be a fraction",
        "Variables are whole numbers, words or true/false.",
    ),
    "never-in-range": error(
        "`{name}` lies in {domain}, and this would be {value}", "A value outside of a variable's range."
    ),
    "bad-domain": error("{reason}", "A domain is a range that is not empty, or words joined by `|`."),
    "bad-chance": error("a chance of {value} is not between 0 and 1", "Chances lie between 0 and 1."),
    "bad-chances": error("these chances add up to {total}, {wrong}", "Chances of alternatives add up to 1."),
    "not-constant": error(
        "{what} must be known before the first step", "Sizes are numbers and parameters only."
    ),
    "wrong-arguments": error(
        "`{name}` takes {expected}", "Functions and generators take a number of arguments."
    ),
    "wrong-place": error(
        "{what} cannot stand {where}", "Some effects and names have a meaning only in some places."
    ),
    "ambiguous": error(
        "`{name}` could be any of {count}: say which", "A kind stands for the only one of its kind."
    ),
    "no-agent": error("no agent is placed", "The map shows an agent, or setup places one."),
    "nowhere": error(
        "{what}, and {who} nowhere", "Who is declared `nowhere` has no cell: it neither moves nor is met."
    ),
    "no-facing": error("the agent has no facing", "A facing comes from a turning action or from `facing`."),
    "bad-offset": error("{reason}", "A cell lies on the grid."),
    "no-other": error("there is no {name}", "`other` is one of the same kind that the subject is not."),
    "agent-not-placed": error("`{name}` is never placed", "The map shows every agent, or setup places it."),
    "rewards-do-not-cancel": error(
        "these rewards sum to {total}, and `rewards: zero_sum` means that they cancel",
        "In a game of zero sum what one agent gets, the others lose.",
    ),
    "state-too-large": error("{reason}", "The state has a largest size."),
    **SUSPICIOUS,
    # At reset
    "no-place": error(
        "{what} has no place: {constraint}",
        "What setup places has to find room, unless `if free` follows; a random place is among the cells that qualify.",
    ),
    "retries": error("no layout was found in {count} tries", "`retry N until C` gave up."),
}

# What is wrong with a number, and not with what is said of it.
OF_NUMBERS = frozenset(
    {
        "bad-chance",
        "bad-chances",
        "bad-domain",
        "bad-offset",
        "division-by-zero",
        "fraction",
        "never-in-range",
    }
)
