"""The words of the language: its statements, what their heads and items hold, what is reserved."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StatementForm:
    """One statement: its keyword, what may stand between keyword and colon, and what its items are.

    ``head`` is ``none``, ``name`` (needed), ``maybe`` (a name or nothing), ``define`` (a name, perhaps with
    parameters), ``id``, ``look`` (a kind, perhaps with values of attributes), ``rule`` or ``slip``; ``items`` is a
    start rule of the grammar, or ``raw`` (kept as text), ``rows`` (a drawing), ``block`` (effects) or ``meaning`` (an
    expression, or effects); ``many`` says whether the statement may stand more than once with the same name.
    """

    keyword: str
    head: str
    items: str
    many: bool
    meaning: str


_ALL = (
    StatementForm("env", "none", "raw", False, "the id, and a quoted description"),
    StatementForm("use", "none", "raw", True, "a bundled library or a file of the same folder"),
    StatementForm("param", "name", "variable", False, "a keyword of gym.make"),
    StatementForm("variant", "id", "infos", False, "another id of the spec, with parameters of its own"),
    StatementForm("define", "define", "meaning", False, "a name for what is said more than once"),
    StatementForm("map", "maybe", "rows", False, "a drawing of the grid"),
    StatementForm("maps", "none", "raw", False, "level files"),
    StatementForm("import", "none", "raw", True, "levels drawn in Tiled or LDtk"),
    StatementForm("generate", "none", "expression", False, "a generator of maps"),
    StatementForm("level", "none", "names", False, "the map that is used by default, or random"),
    StatementForm("legend", "none", "legend", True, "what the glyphs of the map stand for"),
    StatementForm("tile", "name", "properties", False, "a kind of ground"),
    StatementForm("object", "name", "properties", False, "a kind of thing"),
    StatementForm("agent", "maybe", "properties", False, "properties of the agents, or of one kind of agent"),
    StatementForm("agents", "none", "agents", False, "the agents, where there are several"),
    StatementForm("var", "name", "variable", False, "a variable of the state"),
    StatementForm("region", "name", "regions", False, "a named part of the grid"),
    StatementForm("once", "none", "block", False, "what is drawn once, for many episodes"),
    StatementForm("setup", "none", "block", False, "what happens at every reset"),
    StatementForm("actions", "maybe", "actions", False, "the actions, in order"),
    StatementForm("slip", "slip", "slip", True, "chances that a move goes another way"),
    StatementForm("sticky", "none", "expression", False, "the chance that the previous action is repeated"),
    StatementForm("edge", "none", "names", False, "what a move over the border does"),
    StatementForm("allow", "name", "expression", False, "when an action is legal"),
    StatementForm("illegal", "none", "names", False, "what an action that is not allowed does"),
    StatementForm("turns", "none", "names", False, "who acts when, with several agents"),
    StatementForm("contested", "none", "names", False, "who gets a cell that several agents want"),
    StatementForm("swap", "none", "names", False, "whether two agents may change places"),
    StatementForm("order", "none", "names", False, "whether agents or objects move first"),
    StatementForm(
        "rewards", "none", "rewards", False, "what a reward means for others, and what becomes of it"
    ),
    StatementForm("each", "rule", "block", True, "a rule"),
    StatementForm("every", "rule", "block", True, "a rule"),
    StatementForm("on", "rule", "block", True, "a rule"),
    StatementForm("when", "rule", "block", True, "a rule"),
    StatementForm("observe", "maybe", "observations", False, "what the agent sees"),
    StatementForm("info", "none", "infos", True, "entries of the info dictionary"),
    StatementForm("score", "name", "told", False, "an entry of info that is shown beside the board"),
    StatementForm("mission", "none", "raw", False, "the task in words"),
    StatementForm(
        "limit",
        "maybe",
        "limit",
        False,
        "the number of steps after which an episode, or an agent's part, ends",
    ),
    StatementForm(
        "look", "look", "looks", False, "how a kind is drawn, or those of it with certain attributes"
    ),
)
LEVEL_FILES = ("maps", "import")
# Heads that have to be there.
NAMED = frozenset({"name", "define", "id", "look"})
STATEMENTS = {statement.keyword: statement for statement in _ALL}
RULE_WORDS = tuple(statement.keyword for statement in _ALL if statement.head == "rule")

# Actions that handle a thing.
HANDLING = ("pickup", "drop", "toggle")
# What a rule hears of a kind, `on EVENT K`; `each K` asks for every one.
EVENTS = ("enter", "leave", "bump", "push", "pickup", "drop", "toggle", "meet")
# What happens between a move and what follows from it; and the triggers that no event fires.
AT_MOVES = frozenset({"bump", "enter", "leave", "meet"})
TIMED = frozenset({"step", "every", "each", "when"})
OF_KINDS = frozenset({*EVENTS, "each"})
EFFECT_WORDS = (
    "reward",
    "hidden",
    "end",
    "truncate",
    "out",
    "cancel",
    "again",
    "go",
    "move",
    "turn",
    "pickup",
    "drop",
    "remove",
    "place",
    "becomes",
    "choose",
    "let",
    "info",
)
RESERVED = frozenset(
    {
        *(
            "step",
            "start",
            "random",
            "all",
            "any",
            "no",
            "not",
            "can",
            "true",
            "false",
            "if",
            "walled",
            "the",
            "of",
        ),
        *EFFECT_WORDS,
    }
    - {"again"}  # which is an effect where it stands alone
)
# Distances between two places, by name, and how creatures move without a plug-in.
METRICS = ("distance", "chebyshev", "euclid", "path_distance")
POLICIES = ("random", "toward", "away from", "patrol", "forward", "still")
# What stands behind `as` where a grid or a view is observed, where a position is, and where a value is.
GRID_FORMS = ("kinds", "codes", "planes", "minigrid")
POSITION_FORMS = ("xy", "multidiscrete", "cell", "onehot", "unit")
VALUE_FORMS = ("onehot", "tokens")
NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
# `other (...)` is another one of several kinds, wherever it stands.
NEVER_DEFINED = RESERVED | {"other"}
# What is said where anything else stands in a variant.
ONE_LEVEL = (
    "a map is played for an episode: `end success`; the statement `level:` says which map the next one has"
)
VARIANT_SETS = (
    "a variant sets parameters, `level` and `limit`; what else differs asks for one, as in `if hard: ...`"
)


def leading_word(text: str) -> str:
    """Return the word at the start of a text, or an empty one."""
    match = re.match(r"\w*", text)
    return match.group() if match else ""
