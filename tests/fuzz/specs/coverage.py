"""Which forms of the language random specs have: the needed ones come from the grammar and the tables themselves."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from lark import Token, Tree

from griddsl.lowering.clauses.functions import FUNCTIONS
from griddsl.lowering.sight.values import BARE_WORDS
from griddsl.lowering.world.actions import KNOWN
from griddsl.lowering.world.maps.generators import GENERATORS
from griddsl.spec.statements.choices import CHOICES, ORDERS
from griddsl.syntax import clauses
from griddsl.syntax.keywords import GRID_FORMS, POLICIES, POSITION_FORMS, STATEMENTS

MOVERS = (*POLICIES, "random 8")
# Forms of no valid spec: what is read only to be refused with good words, and what only TOML or the formatter parse.
REFUSED = {"choose_name", "choose_more_name", "unknown_property", "legend_value", "names"}


@dataclass
class Seen:
    """What was seen in some specs."""

    forms: set[str] = field(default_factory=set)  # names of the grammar's rules and alternatives
    parts: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))  # filled places of each
    empty: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))  # places that were left out
    tokens: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)

    def add(self, tree: Tree[Any]) -> None:
        """Take note of a clause."""
        for part in tree.iter_subtrees():
            name = str(part.data)
            self.forms.add(name)
            for index, child in enumerate(part.children):
                (self.empty if child is None else self.parts)[name].add(index)
                if isinstance(child, Token):
                    self.tokens.add(child.type)

    def join(self, other: Seen) -> None:
        """Add what was seen elsewhere."""
        self.forms |= other.forms
        self.tokens |= other.tokens
        self.texts += other.texts
        for mine, others in ((self.parts, other.parts), (self.empty, other.empty)):
            for name, places in others.items():
                mine[name] |= places

    @property
    def missing(self) -> list[str]:
        """What the language has and no spec showed."""
        parser = clauses._parser()
        named = {
            rule.alias or rule.origin.name for rule in parser.rules if rule.alias or not rule.options.expand1
        }
        forms = {str(getattr(name, "value", name)) for name in named}
        forms = {name for name in forms if not name.startswith("_")} - REFUSED
        found = [f"the form {name}" for name in sorted(forms - self.forms)]
        found += [
            f"part {index} of {name}"
            for name, places in sorted(self.empty.items())
            for index in sorted(places - self.parts[name])
        ]
        terminals = {terminal.name for terminal in parser.terminals if not terminal.name.startswith("__")}
        kept = {name for name in terminals if name in _KEPT_TOKENS}
        found += [f"the token {name}" for name in sorted(kept - self.tokens)]
        whole = "\n".join(self.texts)
        for what, words in needed_words().items():
            found += [
                f"{what}: {word}"
                for word, pattern in words.items()
                if not re.search(pattern, whole, re.MULTILINE)
            ]
        return found


_KEPT_TOKENS = {
    "SOLID", "OPAQUE", "UNLESS", "IF", "SLIDE", "PORTABLE", "FACING", "CARRY", "ONE_WAY", "LAYER", "DRIFT", "PUSHABLE",
    "CARRIES", "PICKUP", "DROP", "REMOVE", "DISTINCT", "ALL", "ANY", "NO", "LEFT", "OTHER", "AHEAD", "CENTERED",
    "OCCLUDED", "DIV", "MOD", "PLUS", "MINUS", "STAR", "SLASH", "ASSIGN", "COMPARE", "SIZE", "PERCENT", "NUMBER", "STRING",
}  # fmt: skip


def needed_words() -> Mapping[str, dict[str, str]]:
    """Return the words that are no part of the grammar, each with a pattern of the place where it counts."""
    choices = {f"{name}:": {word: rf"^{name}: {word}$" for word in words} for name, words in CHOICES.items()}
    return {
        "statement": {word: rf"^{word}\b" for word in STATEMENTS},
        "function": {word: rf"\b{word}\(" for word in FUNCTIONS},
        "generator": {word: rf"^generate: {word}\(" for word in GENERATORS},
        "action": {word: rf"^(actions.*| +)\b{word}\b" for word in KNOWN},
        "policy": {word: rf"(moves|else) {word}\b" for word in MOVERS},
        "form of a position": {word: rf"position of \w+ as {word}\b" for word in POSITION_FORMS},
        "form of a board": {word: rf"(grid|view .*) as {word}\b" for word in GRID_FORMS},
        "observation": {word: rf"(^observe.*|= |^ +){word}\b" for word in (*BARE_WORDS, "index", "flags")},
        "observe": {word: rf"^observe {word}:" for word in ("flat", "tuple", "goal")},
        "order": {word: rf"^order: {word}$" for word in ORDERS},
        "operator": {
            word: rf" {re.escape(word)} " for word in ("==", "!=", "<", "<=", ">", ">=", "+=", "-=", "=")
        },
        "slip": {word: rf"^slip.*\b{word}\b" for word in ("left", "right", "back")},
        "place": {
            word: rf"\b{word}\b"
            for word in ("width", "height", "limit", "step", "here", "start", "solvable", "optimal_length")
        },
        "library": {"minigrid": r"^use: minigrid", "a file": r'^use: "'},
        "map": {
            "walled": r"^map walled:",
            "named": r"^map \w+:\n",
            "quoted": r'^map "',
            "layers": r"^map objects:",
        },
        "level": {"random": r"^level: random", "a name": r"^level: (?!random)"},
        "arguments": {
            word: rf"^actions.*(\n .*)*\(.*{word}"
            for word in ("in cells", "in directions", "where ", "false . true")
        },
        "axes": {"multidiscrete": r"^actions as multidiscrete:"},
        "joystick": {"4": r"joystick 4", "8": r"joystick 8"},
        "effect": {"end": r"\bend$", "end with a word": r"\bend \w", "turn to random": r"turn to random"},
        "attribute": {"random": r"=random\)"},
        "text": {
            "what kind a thing is of": r"^mission: .*\{\w+\.kind\}",
            "an attribute of a thing": r"^mission: .*\{\w+\.(?!kind)\w+\}",
            "of a definition": r'^define \w+\(.*: "',
        },
        "definition": {
            "by another": r"^define (\w+)(\((\w+)\))?: \w+(\(\3\))?$",
            "of an action's argument": r"^define \w+\(spare_",
        },
        "limit": {"an expression": r"^limit: \d+ \+ ", "none": r"^limit: none$"},
        "every": {"an expression": r"^every \("},
        "period": {"of each": r"every \(?(1 \+ abs\()?self\."},
        "variant": {"with a limit": r"^variant .*limit = ", "of a level": r"^variant .*level = "},
        "let": {"a word": r"let spare_\d+ = [a-z]\w*$"},
        "cell": {
            "of let": r"let \w+ = \(\d",
            "chosen": r"choose \w+ in \(\d+, \d+\) \|",
            "of an area": r"each \w+ in \(\d",
        },
        "value": {
            "that is a way": r"\b(carry|drift|one_way|move) spare_\d",
            "that is a kind": r"\bplace (\d )?spare_\d",
        },
        "turn": {
            "to an expression": r"turn to \(",
            "to a side": r"turn (left|right|around)",
            "of a direction": r"(left_of|right_of|opposite)\(",
        },
        "carried": {
            "by an agent that is given it": r"place \w+.* in (agent|self)\b",
            "by what is placed": r"place .*\(.*carries=",
            "by what something becomes": r"becomes \w+\(.*carries=",
        },
        "kind": {"of its own": r"\bbecomes \w+$"},
        "agent": {"placed by a rule": r"^(on|each|when|every) .*(\n .*)*\bplace agent\b"},
        "one of a kind": {"made again": r"remove (\w+)(\n *|, )place \1\b"},
        **choices,
    }


@contextmanager
def watched(seen: Seen) -> Iterator[None]:
    """Take note of every clause that is parsed in the block, of those too that a language server remembers."""
    parser = clauses._parser()
    original = parser.parse

    def parse(text: str, start: str | None = None, **options: Any) -> Any:
        tree = original(text, start=start, **options)
        seen.add(tree)
        return tree

    with patch.object(parser, "parse", parse), patch.object(clauses, "_trees", clauses._parse):
        yield
