"""The Pygments lexer of specs, by the name `grid`."""

from __future__ import annotations

import re

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from griddsl.syntax.vocabulary import lexicon

_STATEMENTS = "|".join(word for word in lexicon.statements() if word not in lexicon.DRAWN)

_ITEMS = (
    (r"[ \t\r]+", Whitespace),
    (lexicon.COMMENT, Comment.Single),
    (lexicon.STRING, String.Double),
    (lexicon.NUMBER, Number),
    (words(lexicon.CONSTANTS, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
    (words(lexicon.words(), prefix=r"\b", suffix=r"\b"), Keyword),
    (words(lexicon.builtins(), prefix=r"\b", suffix=r"\b"), Name.Builtin),
    (lexicon.NAME, Name),
    (lexicon.OPERATOR, Operator),
    (r"[^\s]", Punctuation),
)


class GridLexer(RegexLexer):
    """Lexer of `.grid` files."""

    name = "griddsl"
    aliases = ("grid", "griddsl")
    filenames = ("*.grid",)
    mimetypes = ("text/x-grid",)
    url = "https://github.com/griddsl/griddsl"
    version_added = ""
    flags = re.MULTILINE

    tokens = {  # noqa: RUF012 - as Pygments wants it
        "root": [
            (rf"^(?:{'|'.join(lexicon.DRAWN)})\b", Keyword.Declaration, "drawing"),
            (rf"^(?:{_STATEMENTS})\b", Keyword.Declaration),
            (rf"^(?:{'|'.join(lexicon.rules())})\b", Keyword.Type),
            (r"\n", Whitespace),
            *_ITEMS,
        ],
        "drawing": [
            (r"(\n+)([ \t]+[^\n]*)", bygroups(Whitespace, String.Other)),
            (r"\n", Whitespace, "#pop"),
            *_ITEMS,
        ],
    }


CLASS_OF_TOKEN = {
    Comment.Single: "comment",
    String.Double: "string",
    String.Other: "map",
    Keyword.Declaration: "statement",
    Keyword.Type: "rule",
    Keyword: "word",
    Keyword.Constant: "constant",
    Name.Builtin: "builtin",
    Number: "number",
    Operator: "operator",
    Name: "other",
    Punctuation: "other",
    Whitespace: "other",
}
