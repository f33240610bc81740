"""The warnings of the table of diagnostics: what is legal and surely unmeant, and what visiting every state shows."""

from __future__ import annotations

from griddsl.diagnostics.row import Code, warning

SUSPICIOUS: dict[str, Code] = {
    # What is legal and surely unmeant
    "never-fires": warning("this rule can never fire", "The condition is false whatever happens."),
    "never-true": warning("this is never true", "A condition is false whatever happens."),
    "always-true": warning("this is always true", "A condition holds whatever happens, and asks nothing."),
    "near-outcome": warning(
        "the outcome `{name}` is nearly `{near}`",
        "Any word can be an outcome, and only `success` makes `is_success` true.",
    ),
    "both-ends": warning(
        "`{name}` goes up to `{size}`, and the last {line} is `{size} - 1`",
        "Both ends of a range count, and columns and rows are counted from 0.",
    ),
    "ends-all": warning(
        "`end {name}` ends the whole episode, with the outcome `{name}`",
        "`end` ends an episode, of all agents; any word behind it is the name of its outcome.",
    ),
    "turned-sign": warning(
        "`{sign}` sets a value, and {does} nothing", "The sign belongs to the number: `x =+ 1` makes `x` 1."
    ),
    "any-names-none": warning(
        "`{name}` is {meant} here, and not the one that `{found}` found",
        "`any K` and `count(K)` ask whether there is one and give it no name; `K` alone names the one that is found.",
    ),
    "action-names-none": warning(
        "`{name}` is the first `{name}` there is, and not the one that `{action}` asks for",
        "What an action takes, and `allow`, ask whether there is one and give it no name; what the rule's own `if` "
        "finds has one.",
    ),
    "beside-itself": warning(
        "in the cell `{name}` is the `{name}` that is looked at, and none lies beside itself",
        "In `any K at CELL` the cell may speak of `K`: it is the one that is looked at. In a rule about "
        "a K, `K at CELL` asks for that very one. Another one needs a name, and `any`.",
    ),
    "in-two-cells": warning(
        "this `{name}` is the one that was found in another cell just before",
        "The first condition that finds a kind names it, and what `and` joins to it, `not K` as well, and the block "
        "behind it speak of that very thing, which is in one cell only. `any K` finds one for itself.",
    ),
    "placed-names-none": warning(
        "`{name}` is the first `{name}` there is, and not the one that was placed just before",
        "`place K at CELL` gives what it places no name; `place K as NAME at CELL` does. Of several K the bare name "
        "is the one that came to be first.",
    ),
    "no-candidate": warning(
        "`{name}` is the first `{name}` there is, the same for every cell that is asked about",
        "In the `where` of `random K` and `every K` the cell that is asked about is `here`, and its K is asked for by "
        "attributes in brackets. The bare name of K is no candidate.",
    ),
    "asked-while-lifted": warning(
        "`{name}` stands nowhere while setup seeks a place for it, and so its place is none here",
        "In setup an agent that is placed is lifted from its old cell first, so that it may be placed there again. "
        "Name its cell on the line before: `let home = agent.cell`, and then `place agent at random floor where "
        "distance(here, home) > 2`.",
    ),
    "of-the-caller": warning(
        "this `{name}` is the one that the caller speaks of, and not any `{name}`",
        "What a definition says stands in the place of its call: in a loop, a rule or behind a condition that speaks "
        "of a K, a bare K in the body is that very one. `any K` asks for any.",
    ),
    "hemmed-in": warning(
        "no `{name}` can go anywhere from where the map shows it: a `{by}` is in its way",
        "One object of a layer stands in a cell, solid or not, and all share one layer that name none. What others are "
        "to go over needs a layer of its own.",
    ),
    "of-the-subject": warning(
        "{what} here, once for each `{name}`",
        "In a block `each K` the subject stays that of the rule: `go to`, `reward` and `out` are about it. What names "
        "K is about each of them, and so is a rule that begins with `each K`. `pickup` and `drop` are an agent's.",
    ),
    "hidden-code": warning(
        "no cell shows this code: `{by}` behind it fits all that `{name}` does",
        "Of several entries of `as codes` that fit a thing the last one counts: that for all of a kind stands first.",
    ),
    "told-to-nobody": warning(
        "{what} here is for `{agent}`, which plays by itself: nobody is {told}",
        "In a rule about an agent its rewards and infos are that agent's. One with `moves` learns nothing: "
        "`reward E to NAME` pays a learner, and what a rule about no agent says, as on `each step`, is told to all.",
    ),
    "lies-there": warning(
        "this `{name}` is the one that lies there, and nobody has it",
        "The kinds of a trigger, of a loop and before `where` name the very things, and these are on the map. Whether "
        "one of the kind is held, `has any K` asks.",
    ),
    "same-thing": warning(
        "where a `{kind}` has raised this, `{name}` is the `{kind}` that is looked at here",
        "A rule for `portable` stands once for each kind, with the kind in the place of the word. In a condition that "
        "goes through things of that kind, the kind means the one that is looked at.",
    ),
    "no-such-agent": warning(
        "no agent is called `{name}`",
        "A list of actions is that of an agent, or all have it as another list; an outcome `NAME_wins` tells by the "
        "name of an agent who has won.",
    ),
    "idle": warning("this changes nothing: {reason}", "What is said has no effect, whatever happens."),
    "fails-with": warning(
        "with `{name}={value}` there is no environment: {reason}",
        "A parameter may have every value of its domain; one that the map cannot be made with is an error only then.",
    ),
    "taken-name": warning(
        "in Python `{call}` gives an argument of the function, and not the parameter `{name}`",
        "A parameter is a keyword of Python's functions, and some of those have an argument of the same name.",
    ),
    "no-effect": warning(
        "the action `{name}` has no effect anywhere", "No primitive and no rule gives it one."
    ),
    "reward-overwritten": warning(
        "this reward never counts: a `reward =` always replaces it",
        "Wherever this reward is given, a `reward =` of the same step follows, and the last of those is the reward.",
    ),
    "overwritten": warning(
        "this value of `{name}` never counts: it is set again at once",
        "Two assignments, or two draws of one name, stand in one list of effects.",
    ),
    "drawn-beyond": warning(
        "{drawn} is drawn for what lies in {domain}, and what is beyond becomes its nearest end",
        "A draw goes beyond the range of what it is given to, whose ends come more often then.",
    ),
    "ended-anyway": warning(
        "a rule of `{library}` ends the episode here, whether the condition holds or not",
        "A rule takes the place of one that `use` brings where both have the same head, `if` included; "
        "with another head both hold.",
    ),
    "moved-once": warning(
        "`{name}` moves once here, and not {often}",
        "What moves goes behind the rule, or behind the round of a loop, once: of several moves the last one counts.",
    ),
    "not-gone-yet": warning(
        "`{name}` has not gone yet: what this rule moves goes {when}",
        "What moves in a rule goes behind it: lines below see it where it was, and so do the others of its kind in "
        "`each K`.",
    ),
    "plane-of-two": warning(
        "this plane is 0 everywhere: no cell has a `{name}` and a `{other}`",
        "A plane that asks things for attributes is 0 where one of them is not in the cell.",
    ),
    "in-its-way": warning(
        "the `{name}` ahead has not gone yet, and is in the way of the one behind it",
        "Things go one after the other, in the order in which they came to be: of two side by side the one behind goes "
        "nowhere where it is the first. A rule about each of them, and the rule of an event, finds all where they "
        "stood before: there it goes nowhere in any order.",
    ),
    "repeated-rule": warning(
        "this rule is there already", "Two rules say the same, and both are carried out."
    ),
    "read-when-gone": warning(
        "`{name}` is asked for after its thing was removed: {then}",
        "What a name was given to is gone; the value that it had is read before it is removed.",
    ),
    "pair-is-cell": warning(
        "`{pair}` is a cell, and `{name}` may be beyond the grid: the number of the nearest cell is observed",
        "Two numbers in brackets are the column and the row of a cell; several values are entries of their own.",
    ),
    "reckoned-first": warning(
        "`{part}` is reckoned first, and is always the same",
        "`mod` and `div` come before `+` and `-`, as `*` and `/` do: a sum that they are about stands in brackets.",
    ),
    "not-there-yet": warning(
        "there is no `{name}` yet where this is asked: it is on no cell",
        "Setup is carried out line by line, and asks of things as they are at its line.",
    ),
    "enter-is-not-stay": warning(
        "`on enter` does not fire for staying", "`when agent on K` fires in every step that ends there."
    ),
    "where-of-another": warning(
        "this condition says nothing of {names}",
        "`where` limits the names that are drawn just before it, and those alone.",
    ),
    "asked-of-none": warning(
        "this belongs to `{asked}`, and asks nothing of a `{name}`",
        "What follows `where` belongs to it to its end: `no` turns it around as a whole, and once there is no K left "
        "it is asked of none.",
    ),
    "each-step-if": warning(
        "`each step if` reads better as `when`", "`when C` fires in every step in which C holds."
    ),
    "no-end": warning(
        "nothing ends an episode", "A spec without `end`, `truncate` and `limit` runs forever."
    ),
    "no-limit": warning(
        "an episode can go on for ever",
        "Some play reaches no end, and there is no `limit`; `limit: none` says that it is meant so.",
    ),
    "nothing-allowed": warning(
        "no action is allowed{whose} in some state, and the episode goes on",
        "Every action of a group has an `allow`, and none of them holds in a state that some play comes to.",
    ),
    # What visiting every state shows (`griddsl check --exact`)
    "unreachable-end": warning(
        "no episode can end in `{name}`", "Every state was visited; none leads there."
    ),
    "dead-states": warning(
        "from {count:,} states ({share}) no end can be reached",
        "An episode that comes there goes on to its limit.",
    ),
    "faces-too": warning(
        "`{name}` has a facing too, since `{other}` has one: {changed}",
        "All agents of a spec have a facing, or none: moves by the compass turn those that nothing else turns.",
    ),
    "comes-by-itself": warning(
        "`{name}` moves by itself: this does not fire when it comes to the agent",
        "`on enter K` is of the agent that comes to K; `on meet K` of the two in one cell, whoever came.",
    ),
    "never-entered": warning("the agent never stands on `{name}`", "It lies on the map, out of reach."),
    "never-moves": warning(
        "no `{name}` can ever move",
        "Walls stand on all sides of every creature of a kind, or its chance is 0.",
    ),
}
