"""The table of diagnostics: every code with its severity, its words and what it means, once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A row of the table; ``message`` is a template filled by `Report.add`, ``meaning`` a sentence for the docs."""

    severity: str
    message: str
    meaning: str


def _error(message: str, meaning: str) -> Code:
    return Code("error", message, meaning)


def _warning(message: str, meaning: str) -> Code:
    return Code("warning", message, meaning)


CODES: dict[str, Code] = {
    # The file
    "unreadable": _error("{reason}", "The file cannot be read: it is missing, a folder, or not allowed."),
    "not-utf8": _error(
        "the file is not UTF-8 text: byte {byte:#04x} at offset {offset}", "A spec is UTF-8 text."
    ),
    "bad-character": _error(
        "the character U+{number:04X} cannot stand in a spec",
        "Control characters, NUL among them, are refused.",
    ),
    "tab": _error(
        "a tab stands where blanks belong", "Indentation and maps are drawn with blanks, never tabs."
    ),
    "too-large": _error(
        "the file has {size:,} bytes; at most {most:,} are read", "Specs have a largest size."
    ),
    "too-long": _error(
        "this line has {length:,} characters; a clause has at most {most:,}", "Clauses have a longest length."
    ),
    "too-many-lines": _error(
        "the file has more than {most:,} lines", "Specs have a largest number of lines."
    ),
    "too-many": _error(
        "the spec has {count:,} {what}; at most {most:,} are read", "Specs have a largest size."
    ),
    "too-deep": _error(
        "this is nested deeper than {most} levels", "Brackets, prefixes and blocks nest to a limit."
    ),
    "toml-syntax": _error("{reason}", "The file is not valid TOML."),
    "toml-shape": _error("{reason}", "A TOML value has a shape that no statement has."),
    # Layout
    "not-a-statement": _error(
        "a statement cannot start like this", "Each statement starts with its keyword."
    ),
    "unknown-statement": _error(
        "`{keyword}` is no statement", "The first word of a line is not a known keyword."
    ),
    "missing-colon": _error("`{keyword}` is not followed by a `:`", "`:` says that items follow."),
    "unexpected-indent": _error(
        "this line cannot stand at this indentation", "Only statements and blocks have lines below."
    ),
    "duplicate-statement": _error(
        "`{what}` stands twice", "A statement that says one thing stands once; rules may repeat."
    ),
    "missing-statement": _error("the spec has no `{keyword}`", "A spec needs an id, a map and actions."),
    "missing-items": _error("`{what}` says nothing", "A statement needs at least one item."),
    "unexpected-head": _error(
        "`{keyword}` takes no name before its `:`",
        "Only some statements are named between keyword and colon.",
    ),
    "missing-head": _error(
        "`{keyword}` needs a name before its `:`", "A declaration needs the name it declares."
    ),
    "lost-else": _error("this `else` belongs to no `if`", "`else` follows the lines of an `if`."),
    # Clauses
    "syntax": _error("found {found}, expected {expected}", "The clause does not fit the grammar."),
    "open-text": _error("this text is not closed", "A quoted text ends on its line."),
    "unknown-effect": _error(
        "`{name}` is no effect", "What happens is said with the effects of the language."
    ),
    "choose-without-domain": _error(
        "`choose {name}` does not say from what", "`choose` draws from a domain."
    ),
    # The model
    "bad-id": _error(
        "`{id}` is not an environment id", "An id is `namespace/Name-v0`, of letters, digits, `_`, `-`."
    ),
    "bad-value": _error("{reason}", "A value does not fit where it stands."),
    "bad-glyph": _error(
        "the glyph {glyph} is not one character", "The legend names one character at a time."
    ),
    "duplicate-glyph": _error("the glyph `{glyph}` has two meanings", "A glyph means one thing."),
    "unknown-glyph": _error(
        "the map uses `{glyph}`, which the legend does not name", "Each character of a map has a meaning."
    ),
    "unused-glyph": _warning("the glyph `{glyph}` stands in no map", "A legend entry that no map uses."),
    "ragged-map": _error(
        "this row has {found} cells, {others} {expected}", "All rows of a map have the same length."
    ),
    "empty-map": _error("the map has no rows", "A map has at least one row, drawn below it and indented."),
    "too-many-cells": _error(
        "a map of {width:,} x {height:,} has {cells:,} cells; at most {most:,} are allowed",
        "Maps have a largest size.",
    ),
    "bad-walls": _error("{reason}", "A drawing with its border alternates rows of edges and rows of cells."),
    "map-sizes": _error(
        "{name} is {found}, but {first} is {expected}",
        "Maps that one environment can draw among have one size.",
    ),
    "unknown-level": _error("there is no map `{name}`", "`level` names a map of the spec, or `random`."),
    "unknown-property": _error(
        "`{name}` is no property of {of}", "Kinds have the properties of the language."
    ),
    "wrong-property": _error(
        "`{name}` cannot apply to `{kind}`, {category}", "A property belongs to tiles, objects or agents."
    ),
    "never-placed": _error(
        "`{name}` is on no map and never placed, and is nearly `{near}`",
        "A kind that is never there, and is spelt nearly as one that is, is taken for a typo.",
    ),
    "hidden-word": _error(
        "`{name}` hides the word `{name}` of {of}",
        "A name keeps a word from being read: one of a domain that the spec declares, or one of the language.",
    ),
    "too-costly": _error(
        "this looks at up to {count:,} things each time; at most {most:,} are allowed",
        "What is counted within what is counted multiplies.",
    ),
    "unknown-word": _error("`{word}` is none of {of}", "A word is one of those that can stand there."),
    "unknown-name": _error(
        "{where} names `{name}`, which is not declared", "Every name is declared or drawn."
    ),
    "unknown-action": _error("there is no action `{name}`", "Rules and `allow` name actions of the spec."),
    "unknown-attribute": _error(
        "`{kind}` has no attribute `{name}`", "Attributes are declared with their kind."
    ),
    "unknown-function": _error(
        "there is no {what} `{name}`", "Expressions use the functions of the language."
    ),
    "unknown-library": _error(
        "there is no library `{name}`", "`use` brings a bundled library or a file beside."
    ),
    "outside-folder": _error(
        "`{path}` lies outside the spec's folder", "A spec reads no file outside its folder."
    ),
    "unknown-param": _error(
        "the spec has no parameter `{name}`", "Keywords of `gym.make` are declared by `param`."
    ),
    "param-value": _error(
        "`{name}={value}` is not in {domain}", "A parameter's value is checked against its domain."
    ),
    "reserved-name": _error(
        "`{name}` is a word of the language and cannot be a name", "Reserved words name nothing."
    ),
    "circular-definition": _error(
        "`{name}` is defined in a circle: {way}",
        "A definition is put in the place of its calls, so none calls itself.",
    ),
    "duplicate-name": _error("`{name}` is declared twice", "A name means one thing."),
    "once-named": _error(
        "`{name}` is named only here", "A kind that is named only once is taken for a typo."
    ),
    "duplicate-property": _error("`{name}` stands twice", "A kind has a property once."),
    "duplicate-action": _error("the action `{name}` stands twice", "Actions are numbered by their order."),
    "unused-name": _warning(
        "{what} `{name}` is never used", "What is declared and never used is surely unmeant."
    ),
    # Types and values
    "type": _error("{found} stands where {expected} is needed", "Types are checked before the first step."),
    "carries-nothing": _error(
        "`{kind}` carries nothing", "Agents carry; an object does where it says `carries 1`."
    ),
    "words-with-equals": _error("words are compared with `is`", "`==` is for numbers, `is` for words."),
    "numbers-with-is": _error("numbers are compared with `==`", "`==` is for numbers, `is` for words."),
    "division-by-zero": _error("this can divide by zero", "A divisor is never zero; its range shows it."),
    "fraction": _error(
        "`{name}` holds whole numbers, and this can be a fraction",
        "Variables are whole numbers, words or true/false.",
    ),
    "never-in-range": _error(
        "`{name}` lies in {domain}, and this would be {value}", "A value outside of a variable's range."
    ),
    "bad-domain": _error("{reason}", "A domain is a range that is not empty, or words joined by `|`."),
    "bad-chance": _error("a chance of {value} is not between 0 and 1", "Chances lie between 0 and 1."),
    "bad-chances": _error("these chances add up to {total}, {wrong}", "Chances of alternatives add up to 1."),
    "not-constant": _error(
        "{what} must be known before the first step", "Sizes are numbers and parameters only."
    ),
    "wrong-arguments": _error(
        "`{name}` takes {expected}", "Functions and generators take a number of arguments."
    ),
    "wrong-place": _error(
        "{what} cannot stand {where}", "Some effects and names have a meaning only in some places."
    ),
    "ambiguous": _error(
        "`{name}` could be any of {count}: say which", "A kind stands for the only one of its kind."
    ),
    "no-agent": _error("no agent is placed", "The map shows an agent, or setup places one."),
    "no-facing": _error("the agent has no facing", "A facing comes from a turning action or from `facing`."),
    "bad-offset": _error("{reason}", "A cell lies on the grid."),
    "no-other": _error("there is no {name}", "`other` is one of the same kind that the subject is not."),
    "agent-not-placed": _error("`{name}` is never placed", "The map shows every agent, or setup places it."),
    "rewards-do-not-cancel": _error(
        "these rewards sum to {total}, and `rewards: zero_sum` means that they cancel",
        "In a game of zero sum what one agent gets, the others lose.",
    ),
    "state-too-large": _error("{reason}", "The state has a largest size."),
    # What is legal and surely unmeant
    "never-fires": _warning("this rule can never fire", "The condition is false whatever happens."),
    "never-true": _warning("this is never true", "A condition is false whatever happens."),
    "always-true": _warning("this is always true", "A condition holds whatever happens, and asks nothing."),
    "near-outcome": _warning(
        "the outcome `{name}` is nearly `{near}`",
        "Any word can be an outcome, and only `success` makes `is_success` true.",
    ),
    "turned-sign": _warning(
        "`{sign}` sets a value, and {does} nothing", "The sign belongs to the number: `x =+ 1` makes `x` 1."
    ),
    "any-names-none": _warning(
        "`{name}` is {meant} here, and not the one that `any {name}` found",
        "`any K` asks whether there is one and gives it no name; `K` alone names the one that is found.",
    ),
    "action-names-none": _warning(
        "`{name}` is the first `{name}` there is, and not the one that `{action}` asks for",
        "What an action takes, and `allow`, ask whether there is one and give it no name; what the rule's own `if` "
        "finds has one.",
    ),
    "beside-itself": _warning(
        "in the cell `{name}` is the `{name}` that is looked at, and none lies beside itself",
        "In `any K at CELL` the cell may speak of `K`: it is the one that is looked at. In a rule about "
        "a K, `K at CELL` asks for that very one. Another one needs a name, and `any`.",
    ),
    "in-two-cells": _warning(
        "this `{name}` is the one that was found in another cell just before",
        "The first condition that finds a kind names it, and what `and` joins to it, `not K` as well, and the block "
        "behind it speak of that very thing, which is in one cell only. `any K` finds one for itself.",
    ),
    "placed-names-none": _warning(
        "`{name}` is the first `{name}` there is, and not the one that was placed just before",
        "`place K at CELL` gives what it places no name; `place K as NAME at CELL` does. Of several K the bare name "
        "is the one that came to be first.",
    ),
    "no-candidate": _warning(
        "`{name}` is the first `{name}` there is, the same for every cell that is asked about",
        "In the `where` of `random K` and `every K` the cell that is asked about is `here`, and its K is asked for by "
        "attributes in brackets. The bare name of K is no candidate.",
    ),
    "asked-while-lifted": _warning(
        "`{name}` stands nowhere while setup seeks a place for it, and so its place is none here",
        "In setup an agent that is placed is lifted from its old cell first, so that it may be placed there again. "
        "Name its cell on the line before: `let home = agent.cell`, and then `place agent at random floor where "
        "distance(here, home) > 2`.",
    ),
    "of-the-caller": _warning(
        "this `{name}` is the one that the caller speaks of, and not any `{name}`",
        "What a definition says stands in the place of its call: in a loop, a rule or behind a condition that speaks "
        "of a K, a bare K in the body is that very one. `any K` asks for any.",
    ),
    "hemmed-in": _warning(
        "no `{name}` can go anywhere from where the map shows it: a `{by}` is in its way",
        "One object of a layer stands in a cell, solid or not, and all share one layer that name none. What others are "
        "to go over needs a layer of its own.",
    ),
    "of-the-subject": _warning(
        "{what} here, once for each `{name}`",
        "In a block `each K` the subject stays that of the rule: `go to`, `reward` and `out` are about it. What names "
        "K is about each of them, and so is a rule that begins with `each K`.",
    ),
    "hidden-code": _warning(
        "no cell shows this code: `{by}` behind it fits all that `{name}` does",
        "Of several entries of `as codes` that fit a thing the last one counts: that for all of a kind stands first.",
    ),
    "told-to-nobody": _warning(
        "{what} here is for `{agent}`, which plays by itself: nobody is {told}",
        "In a rule about an agent its rewards and infos are that agent's. One with `moves` learns nothing: "
        "`reward E to NAME` pays a learner, and what a rule about no agent says, as on `each step`, is told to all.",
    ),
    "lies-there": _warning(
        "this `{name}` is the one that lies there, and nobody has it",
        "The kinds of a trigger, of a loop and before `where` name the very things, and these are on the map. Whether "
        "one of the kind is held, `has any K` asks.",
    ),
    "same-thing": _warning(
        "where a `{kind}` has raised this, `{name}` is the `{kind}` that is looked at here",
        "A rule for `portable` stands once for each kind, with the kind in the place of the word. In a condition that "
        "goes through things of that kind, the kind means the one that is looked at.",
    ),
    "no-such-agent": _warning(
        "no agent is called `{name}`",
        "A list of actions is that of an agent, or all have it as another list; an outcome `NAME_wins` tells by the "
        "name of an agent who has won.",
    ),
    "idle": _warning("this changes nothing: {reason}", "What is said has no effect, whatever happens."),
    "fails-with": _warning(
        "with `{name}={value}` there is no environment: {reason}",
        "A parameter may have every value of its domain; one that the map cannot be made with is an error only then.",
    ),
    "taken-name": _warning(
        "in Python `{call}` gives an argument of the function, and not the parameter `{name}`",
        "A parameter is a keyword of Python's functions, and some of those have an argument of the same name.",
    ),
    "no-effect": _warning(
        "the action `{name}` has no effect anywhere", "No primitive and no rule gives it one."
    ),
    "reward-overwritten": _warning(
        "this reward never counts: a `reward =` always replaces it",
        "Wherever this reward is given, a `reward =` of the same step follows, and the last of those is the reward.",
    ),
    "overwritten": _warning(
        "this value of `{name}` never counts: it is set again at once",
        "Two assignments, or two draws of one name, stand in one list of effects.",
    ),
    "moved-once": _warning(
        "`{name}` moves once here, and not {often}",
        "What moves goes behind the rule, or behind the round of a loop, once: of several moves the last one counts.",
    ),
    "not-gone-yet": _warning(
        "`{name}` has not gone yet: what this rule moves goes {when}",
        "What moves in a rule goes behind it: lines below see it where it was, and so do the others of its kind in "
        "`each K`.",
    ),
    "plane-of-two": _warning(
        "this plane is 0 everywhere: no cell has a `{name}` and a `{other}`",
        "A plane that asks things for attributes is 0 where one of them is not in the cell.",
    ),
    "in-its-way": _warning(
        "the `{name}` ahead has not gone yet, and is in the way of the one behind it",
        "Things go one after the other, in the order in which they came to be: of two side by side the one behind goes "
        "nowhere where it is the first. A rule about each of them, and the rule of an event, finds all where they "
        "stood before: there it goes nowhere in any order.",
    ),
    "repeated-rule": _warning(
        "this rule is there already", "Two rules say the same, and both are carried out."
    ),
    "read-when-gone": _warning(
        "`{name}` is asked for after its thing was removed: {then}",
        "What a name was given to is gone; the value that it had is read before it is removed.",
    ),
    "pair-is-cell": _warning(
        "`{pair}` is a cell, and `{name}` may be beyond the grid: the number of the nearest cell is observed",
        "Two numbers in brackets are the column and the row of a cell; several values are entries of their own.",
    ),
    "reckoned-first": _warning(
        "`{part}` is reckoned first, and is always the same",
        "`mod` and `div` come before `+` and `-`, as `*` and `/` do: a sum that they are about stands in brackets.",
    ),
    "not-there-yet": _warning(
        "there is no `{name}` yet where this is asked: it is on no cell",
        "Setup is carried out line by line, and asks of things as they are at its line.",
    ),
    "enter-is-not-stay": _warning(
        "`on enter` does not fire for staying", "`when agent on K` fires in every step that ends there."
    ),
    "where-of-another": _warning(
        "this condition says nothing of {names}",
        "`where` limits the names that are drawn just before it, and those alone.",
    ),
    "asked-of-none": _warning(
        "this belongs to `{asked}`, and asks nothing of a `{name}`",
        "What follows `where` belongs to it to its end: `no` turns it around as a whole, and once there is no K left "
        "it is asked of none.",
    ),
    "each-step-if": _warning(
        "`each step if` reads better as `when`", "`when C` fires in every step in which C holds."
    ),
    "no-end": _warning(
        "nothing ends an episode", "A spec without `end`, `truncate` and `limit` runs forever."
    ),
    "no-limit": _warning(
        "an episode can go on for ever",
        "Some play reaches no end, and there is no `limit`; `limit: none` says that it is meant so.",
    ),
    "nothing-allowed": _warning(
        "no action is allowed{whose} in some state, and the episode goes on",
        "Every action of a group has an `allow`, and none of them holds in a state that some play comes to.",
    ),
    # What visiting every state shows (`griddsl check --exact`)
    "unreachable-end": _warning(
        "no episode can end in `{name}`", "Every state was visited; none leads there."
    ),
    "dead-states": _warning(
        "from {count:,} states ({share}) no end can be reached",
        "An episode that comes there goes on to its limit.",
    ),
    "never-entered": _warning("the agent never stands on `{name}`", "It lies on the map, out of reach."),
    "never-moves": _warning(
        "no `{name}` can ever move",
        "Walls stand on all sides of every creature of a kind, or its chance is 0.",
    ),
    # At reset
    "no-place": _error(
        "{what} has no place: {constraint}",
        "What setup places has to find room, unless `if free` follows; a random place is among the cells that qualify.",
    ),
    "retries": _error("no layout was found in {count} tries", "`retry N until C` gave up."),
}
