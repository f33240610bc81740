"""The words of a text, each with the part that it plays, as the grammar of clauses has it.

What no table here speaks of is a name where the grammar reads a name, and a word of the language where it reads one: so
a new form of the language needs no line here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from griddsl.source import Fragment, Span
from griddsl.syntax.clauses import parser_of_clauses, tree_of
from griddsl.syntax.document import AXES, Document, Line, Statement
from griddsl.syntax.formatting.items import opening
from griddsl.syntax.keywords import STATEMENTS, leading_word
from griddsl.syntax.layout import BLOCK_WORDS, opens_block
from griddsl.syntax.toml.values import ALTERNATIVES
from griddsl.syntax.vocabulary.lexicon import grammar_words

# What a word stands for, by the rule of the grammar and its place among the rule's parts.
_PARTS: dict[tuple[str, int], str] = {
    ("attribute", 1): "attribute",
    ("attribute_item", 0): "new attribute",
    ("keyword", 0): "attribute",
    ("action", 0): "new action",
    ("named_primitive", 0): "action",
    ("move_primitive", 0): "direction",
    ("on_do", 0): "action",
    ("on_fail", 0): "action",
    ("can_", 0): "action",
    ("end", 0): "outcome",
    ("binding", 0): "new name",
    ("choose_name", 0): "new name",
    ("choose_more_name", 0): "new name",
    ("place_at", 2): "new name",
    ("agents_item", 0): "new name",
    ("let", 0): "new name",
    ("ranging", 0): "new name",
    ("info", 0): "entry",
    ("info_item", 0): "entry",
    ("named_observation", 0): "entry",
    ("legend_item", 0): "glyph",
    ("form", 0): "form",
    ("policy_name", 0): "policy",
    ("word_property", 1): "direction",
    ("slip_item", 1): "direction",
    ("look_color", 0): "look",
    ("look_shape", 0): "look",
    ("look_sprite", 0): "look",
    ("unknown_property", 0): "property",
}
_HEADS = {
    "tile": "new name",
    "object": "new name",
    "var": "new name",
    "param": "new name",
    "region": "new name",
    "allow": "action",
    "map": "new level",
}
# What a head without a meaning of its own in the grammar may be: a form, or one kind of agents.
HEAD_FORMS = frozenset({"flat", "tuple", "goal", "walled", "as", "multidiscrete"})
_WORD = re.compile(
    r'"(?:\\.|[^"\\\n])*"?|[0-9]+x[0-9]+|[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9.]*%?|[^\sA-Za-z0-9_"]'
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MARK = "cursor__"
# What a clause is brought to an end with, the likeliest first.
_CLOSING = ("RPAR", "RSQB", "IN", "EQUAL", "TO", "NAME", "NUMBER", "UNTIL", "AT", "ELSE", "OF")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, number, sign or quoted text of a spec.

    ``part`` says what it stands for: ``keyword``, ``number``, ``text``, ``sign``, ``name``, ``new name`` and so on, of
    the table above. ``beside`` is what it belongs to: the owner of an attribute, or what a value is compared with.
    """

    text: str
    span: Span
    part: str
    beside: str = ""
    path: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the word declares what it names."""
        return self.part.startswith("new ")


def clauses(statement: Statement) -> Iterator[tuple[str, Fragment]]:
    """Yield the clauses of a statement, each with the rule that reads it; an empty rule for texts as they are."""
    form = STATEMENTS[statement.keyword]
    if form.head == "rule":
        yield "rule", opening(statement)
    elif form.head in {"slip", "define", "look"} and statement.head.text:
        yield f"{form.head}_head", statement.head
    start = rule_of_items(
        form.items, statement.items.text or next((each.text.text for each in statement.block), "")
    )
    if statement.items.text:
        yield start, statement.items
    yield from _of_lines(statement.block, start)


def rule_of_items(items: str, text: str) -> str:
    """Return the rule that reads the items of a statement; empty for texts and drawings."""
    if items == "raw" and ALTERNATIVES.fullmatch(text):  # of a mission
        return "expression"
    if items == "meaning":
        return "expression" if tree_of("expression", text) is not None else "effects"
    return {"block": "effects", "raw": "", "rows": ""}.get(items, items)


def _of_lines(lines: tuple[Line, ...], start: str) -> Iterator[tuple[str, Fragment]]:
    for line in lines:
        if not line.is_head:
            yield start, line.text
            continue
        yield head_rule(line.text.text), line.text
        if line.tail is not None and line.tail.text:
            yield start, line.tail
        yield from _of_lines(line.block, start)


def head_rule(text: str) -> str:
    """Return the rule that reads the head of a nested block; empty for a bare `else`."""
    word = leading_word(text)
    if text.strip() == "else" or not opens_block(text.strip()):
        return ""
    return "else_if_head" if word == "else" else f"{word}_head"


def words_of(document: Document) -> Iterator[Word]:
    """Yield the words of a document, statement by statement; rows of maps, and comments, have none."""
    for statement in document.statements:
        yield from words_of_statement(statement)


def words_of_statement(statement: Statement) -> Iterator[Word]:
    """Yield the words of one statement, its keyword first."""
    form = STATEMENTS[statement.keyword]
    if form.head != "rule":
        yield Word(statement.keyword, statement.keyword_span, "keyword")
        if form.head not in {"slip", "define", "look"}:
            yield from _head_words(statement)
    for start, fragment in clauses(statement):
        yield from _clause_words(start, fragment, statement)


def _head_words(statement: Statement) -> Iterator[Word]:
    for found in _WORD.finditer(statement.head.text):
        text, span = found.group(), statement.head.span(*found.span())
        if not (_NAME.fullmatch(text) or text.startswith('"')):
            yield Word(text, span, "sign")
        elif STATEMENTS[statement.keyword].head == "id":
            yield Word(text, span, "id")
        elif text in HEAD_FORMS and _is_form(text, statement):
            yield Word(text, span, "keyword")
        else:
            default = "group" if statement.keyword == "actions" else "name"
            yield Word(text, span, _HEADS.get(statement.keyword, default))


def _is_form(text: str, statement: Statement) -> bool:
    """Whether a word of a head says how something is meant, and is no name there."""
    if statement.keyword == "actions":
        return text in {"as", "multidiscrete"} and AXES.search(statement.head.text) is not None
    return statement.keyword in {"map", "observe"} and text not in {"as", "multidiscrete"}


def _clause_words(start: str, fragment: Fragment, statement: Statement) -> Iterator[Word]:
    roles = _roles(start, fragment.text) if start else {}
    for found in _WORD.finditer(fragment.text):
        text, span = found.group(), fragment.span(*found.span())
        role = roles.get(found.start()) if roles is not None else None
        if role is not None and role[0] == "level" and statement.keyword != "level":
            yield Word(text, span, "choice")
        elif role is not None:
            yield Word(text, span, *role)
        elif text.startswith('"'):
            yield Word(text, span, "text")
        elif text[0].isdigit():
            yield Word(text, span, "number")
        elif not _NAME.fullmatch(text):
            yield Word(text, span, "sign")
        elif not start:
            part = {"level": "level", "use": "library", "env": "id"}.get(statement.keyword, "keyword")
            yield Word(text, span, part if text != "else" else "keyword")
        elif roles is None:  # it cannot be read as yet
            yield Word(text, span, "keyword" if text in language_words() else "name")
        else:
            yield Word(text, span, "keyword")


_Role = tuple[str, str, tuple[str, ...]]


@lru_cache(maxsize=8_192)
def _roles(start: str, text: str) -> dict[int, _Role] | None:
    """Return the parts of the words that the grammar reads as names, by their place; None for what it cannot read."""
    tree = tree_of(start, text)
    return (
        None if tree is None else {token.start_pos or 0: role for token, role in _tokens(tree, text, start)}
    )


# The trees around one, the outermost first, each with the place of the next in it.
_Above: TypeAlias = tuple[tuple[Tree[Token], int], ...]


def _tokens(tree: Tree[Token], text: str, start: str) -> Iterator[tuple[Token, _Role]]:
    pending: list[tuple[Tree[Token], _Above]] = [(tree, ())]
    while pending:
        node, above = pending.pop()
        for index, child in enumerate(node.children):
            if isinstance(child, Tree):
                pending.append((child, (*above, (node, index))))
            elif isinstance(child, Token) and child.type in {"NAME", "STRING", "OTHER"}:
                role = _role(node, index, above, text, start)
                if role is not None and (child.type != "STRING" or role[0] in {"glyph", "level"}):
                    yield child, role


def _role(node: Tree[Token], index: int, above: _Above, text: str, start: str) -> _Role | None:
    rule = str(node.data)
    path = (*(str(each.data) for each, _ in above), rule)
    part = _PARTS.get((rule, index), "name")
    if rule == "define_head":
        return "new name", "", path
    if rule == "names":
        return ("level", "", path)
    if rule == "attribute":
        return part, _text(node.children[0], text), path
    if rule == "keyword":
        owner = above[-1][0].children[0] if above else ""
        return part, str(owner), path
    if rule == "call" and index == 0:
        named = any(isinstance(each, Tree) and each.data == "keyword" for each in node.children)
        return ("name" if named else "function"), "", path
    if rule == "name":
        return _name_role(above, text, start, path)
    return part, "", path


def _name_role(above: _Above, text: str, start: str, path: tuple[str, ...]) -> _Role:
    """Return what a word in an expression is: one of a domain that is declared, a value beside another, or a name."""
    rules = [str(each.data) for each, _ in above]
    declaring = {"attribute_item", "variable"} & set(rules) or start == "variable"
    if rules and rules[-1] == "weighted" and declaring:
        return "new word", "", path
    if above:
        parent, index = above[-1]
        rule = str(parent.data)
        if rule in {"is_", "is_not", "becomes", "assign"} and index > 0:
            return "name", _text(parent.children[0], text), path
        if rule == "keyword":
            owner = above[-2][0].children[0] if len(above) > 1 else ""
            return "name", f"{owner}.{parent.children[0]}", path
        if rule in {"attribute_item", "variable"}:
            return "name", f".{parent.children[0]}" if rule == "attribute_item" else "", path
        if rule in {"is_", "is_not"} and index == 0:
            return "name", "", path
    return "name", "", path


def _text(node: Tree[Token] | Token, text: str) -> str:
    if isinstance(node, Token):
        return str(node)
    meta = node.meta
    return "" if getattr(meta, "empty", True) else text[meta.start_pos : meta.end_pos]


@lru_cache(maxsize=1)
def language_words() -> frozenset[str]:
    """Return every word of the language: of the grammar, and of the table of statements."""
    return frozenset({*grammar_words(), *STATEMENTS, *BLOCK_WORDS, *HEAD_FORMS})


@lru_cache(maxsize=1)
def _terminals() -> dict[str, str]:
    """Return the words that the grammar reads as themselves, by the names of their terminals."""
    found = {}
    for terminal in parser_of_clauses().terminals:
        value = getattr(terminal.pattern, "value", "")
        if terminal.pattern.type == "str" and _NAME.fullmatch(value):
            found[terminal.name] = value
    return found


@dataclass(frozen=True, slots=True)
class Expected:
    """What may follow the text of a clause: words of the language, and the part that a name would play, if one may."""

    keywords: tuple[str, ...]
    part: str = ""
    beside: str = ""
    path: tuple[str, ...] = ()


def expected(start: str, before: str) -> Expected | None:
    """Return what may follow the beginning of a clause; None where it cannot be read."""
    try:
        state = parser_of_clauses().parse_interactive(before, start=start)
        state.exhaust_lexer()
        accepted: set[str] = state.accepts()  # type: ignore[no-untyped-call]
    except UnexpectedInput:
        return None
    words = _terminals()
    keywords = tuple(sorted(words[name] for name in accepted if name in words))
    if "NAME" not in accepted:
        return Expected(keywords)
    tree = _finished(state, before)
    if tree is None:
        return Expected(keywords, "name")
    text = f"{before} {_MARK}"
    for token, role in _tokens(tree, text, start):
        if token == _MARK:
            return Expected(keywords, *role)
    return Expected(keywords, "name")


def _finished(state: Any, before: str) -> Tree[Token] | None:  # lark's interactive parser carries no types
    """Return the tree of a clause with a name at its end, brought to an end in the shortest way that is found."""
    at = len(before) + 1
    state = state.copy()
    token = Token("NAME", _MARK, at, 1, at + 1, 1, at + 1 + len(_MARK), at + len(_MARK))
    try:
        state.feed_token(token)
        for _ in range(8):
            accepted = state.accepts()
            if "$END" in accepted:
                tree: Tree[Token] = state.feed_eof(token)
                return tree
            following = next((name for name in _CLOSING if name in accepted), None) or min(accepted)
            value = {"NAME": "x", "NUMBER": "1"}.get(following, _terminals().get(following, following))
            state.feed_token(Token(following, value, at, 1, at + 1, 1, at + 2, at + 1))
    except UnexpectedInput:
        return None
    return None
