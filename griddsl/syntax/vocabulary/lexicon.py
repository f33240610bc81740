"""The lexicon: every word of the language with its class, from the grammar and the tables; all colours come from it.

The lexers of editors (Pygments, TextMate, tree-sitter, Vim) are this table and these patterns, and nothing else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS
from griddsl.syntax.vocabulary.glossary import NAMES

CONSTANTS = ("false", "true")
# The classes of what a spec consists of, each with the letter that snapshots show it by.
CLASSES = {
    "comment": "#",
    "string": '"',
    "map": "m",
    "statement": "S",
    "rule": "R",
    "word": "w",
    "constant": "c",
    "builtin": "b",
    "number": "n",
    "operator": "o",
    "other": ".",
}
STRING = r'"(?:\\.|[^"\\\n])*"?'
COMMENT = r"#[^\n]*"
NUMBER = r"[0-9]+(?:x[0-9]+|(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?%?)(?![A-Za-z_])"
NAME = r"[A-Za-z_][A-Za-z0-9_]*"
OPERATOR = r"\.\.|[=!<>+\-*/|]+"
DRAWN = tuple(
    word for word, form in STATEMENTS.items() if form.items == "rows"
)  # rows of cells stand below them


@lru_cache(maxsize=1)
def grammar_words() -> frozenset[str]:
    """Return the words that the grammar of clauses reads as themselves."""
    grammar = Path(__file__).parents[1].joinpath("clause.lark").read_text(encoding="utf-8")
    text = "\n".join(line.partition("//")[0] for line in grammar.split("\n"))
    return frozenset(re.findall(r'"([a-z_]+)"', text)) | {"again", "free", "nowhere"}


def statements() -> list[str]:
    """Return the words that start a statement which is no rule, in the order of the alphabet."""
    return sorted(set(STATEMENTS) - set(RULE_WORDS))


def rules() -> list[str]:
    """Return the words that start a rule."""
    return sorted(RULE_WORDS)


def words() -> list[str]:
    """Return the words of clauses."""
    return sorted(grammar_words() - set(CONSTANTS))


def builtins() -> list[str]:
    """Return the names that the language has itself: kinds, values, functions, actions."""
    return sorted(set(NAMES) - grammar_words())
