"""Write what editors read of the language, from the one table of its words.

``python editors/generate.py`` writes the TextMate grammar, the snippets, the Vim syntax, the tree-sitter grammar with
its queries and the JSON schema; a test checks that they are up to date.
"""

from __future__ import annotations

import json
from pathlib import Path

from griddsl.cli.texts.toml_schema import toml_schema
from griddsl.syntax.vocabulary import lexicon
from griddsl.syntax.vocabulary.glossary import SNIPPETS, meaning_of

HERE = Path(__file__).parent
TEXTMATE = {
    "comment": "comment.line.number-sign.grid",
    "string": "string.quoted.double.grid",
    "map": "string.unquoted.map.grid",
    "statement": "keyword.declaration.grid",
    "rule": "keyword.control.rule.grid",
    "word": "keyword.control.grid",
    "constant": "constant.language.grid",
    "builtin": "support.function.grid",
    "number": "constant.numeric.grid",
    "operator": "keyword.operator.grid",
}
VIM = {
    "comment": "Comment",
    "string": "String",
    "map": "Special",
    "statement": "Statement",
    "rule": "PreProc",
    "word": "Keyword",
    "constant": "Boolean",
    "builtin": "Identifier",
    "number": "Number",
    "operator": "Operator",
}
TREE_SITTER = {
    "comment": "comment",
    "string": "string",
    "map": "string.special",
    "statement": "keyword",
    "rule": "keyword.conditional",
    "word": "keyword.operator",
    "constant": "boolean",
    "builtin": "function.builtin",
    "number": "number",
    "operator": "operator",
}
# The names that Helix's themes know.
HELIX = TREE_SITTER | {
    "rule": "keyword.control.conditional",
    "constant": "constant.builtin.boolean",
    "number": "constant.numeric",
}
PLAIN = [word for word in lexicon.statements() if word not in lexicon.DRAWN]


def _any(words: list[str]) -> str:
    return "|".join(words)


def textmate() -> str:
    """Return the TextMate grammar, as JSON."""
    drawn = _any(list(lexicon.DRAWN))
    items = [
        {"name": TEXTMATE["comment"], "match": r"#.*$"},
        {"name": TEXTMATE["string"], "match": r'"(?:\\.|[^"\\])*"?'},
        {"name": TEXTMATE["number"], "match": rf"(?<![A-Za-z0-9_]){lexicon.NUMBER}"},
        {"name": TEXTMATE["constant"], "match": rf"\b(?:{_any(list(lexicon.CONSTANTS))})\b"},
        {"name": TEXTMATE["word"], "match": rf"\b(?:{_any(lexicon.words())})\b"},
        {"name": TEXTMATE["builtin"], "match": rf"\b(?:{_any(lexicon.builtins())})\b"},
        {"match": lexicon.NAME},
        {"name": TEXTMATE["operator"], "match": lexicon.OPERATOR},
    ]
    grammar = {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "griddsl",
        "scopeName": "source.grid",
        "fileTypes": ["grid"],
        "patterns": [
            {
                "begin": rf"^({drawn})\b",
                "beginCaptures": {"1": {"name": TEXTMATE["statement"]}},
                "end": r"^(?=\S)",
                "patterns": [{"name": TEXTMATE["map"], "match": r"^[ \t]+.*$"}, {"include": "#items"}],
            },
            {"name": TEXTMATE["statement"], "match": rf"^(?:{_any(PLAIN)})\b"},
            {"name": TEXTMATE["rule"], "match": rf"^(?:{_any(lexicon.rules())})\b"},
            {"include": "#items"},
        ],
        "repository": {"items": {"patterns": items}},
    }
    return json.dumps(grammar, indent=2) + "\n"


def snippets() -> str:
    """Return the snippets of VS Code."""
    found = {
        keyword: {"prefix": keyword, "body": text.split("\n"), "description": meaning_of(keyword) or ""}
        for keyword, text in SNIPPETS.items()
    }
    return json.dumps(found, indent=2) + "\n"


def vim() -> str:
    """Return the syntax file of Vim and Neovim."""
    lines = [
        '" Written by editors/generate.py from the words of griddsl: do not edit.',
        'if exists("b:current_syntax")',
        "  finish",
        "endif",
        "syntax case match",
        r"syntax match gridOperator /\.\.\|[=!<>+\-*\/|]\+/",
        r"syntax match gridName /\<[A-Za-z_][A-Za-z0-9_]*\>/",
    ]
    for name, words in (
        ("builtin", lexicon.builtins()),
        ("word", lexicon.words()),
        ("constant", list(lexicon.CONSTANTS)),
    ):
        lines.append(rf"syntax match {_group(name)} /\<\%({_vim_any(words)}\)\>/")
    lines += [
        r"syntax match gridNumber /\<[0-9]\+\%(x[0-9]\+\|\%(\.[0-9]\+\)\?\%([eE][+-]\?[0-9]\+\)\?%\?\)[A-Za-z_]\@!/",
        rf"syntax match gridRule /^\%({_vim_any(lexicon.rules())}\)\>/",
        rf"syntax match gridStatement /^\%({_vim_any(lexicon.statements())}\)\>/",
        r'syntax match gridString /"\%(\\.\|[^"\\]\)*"\?/',
        r"syntax match gridComment /#.*$/",
        rf"syntax region gridDrawing start=/^\%({_vim_any(list(lexicon.DRAWN))}\)\>/ end=/^\ze\S/ keepend transparent "
        "contains=gridMap,gridComment,gridString,gridNumber,gridRule,gridStatement,gridConstant,gridWord,gridBuiltin,gridName,gridOperator",
        r"syntax match gridMap /^[ \t]\+.*$/ contained",
        *(f"highlight default link {_group(name)} {link}" for name, link in VIM.items()),
        'let b:current_syntax = "grid"',
    ]
    return "\n".join(lines) + "\n"


def _group(name: str) -> str:
    return f"grid{name.capitalize()}"


def _vim_any(words: list[str]) -> str:
    return r"\|".join(words)


def tree_sitter() -> str:
    """Return the grammar of tree-sitter, as JavaScript."""

    def choice(words: list[str]) -> str:
        return "choice(" + ", ".join(json.dumps(word) for word in words) + ")"

    mixed = sorted(
        {*lexicon.statements(), *lexicon.rules()}
        - {*lexicon.words(), *lexicon.builtins(), *lexicon.CONSTANTS}
    )
    return f"""\
// Written by editors/generate.py from the words of griddsl: do not edit.
module.exports = grammar({{
  name: "grid",
  extras: () => [],
  word: ($) => $.identifier,
  rules: {{
    source_file: ($) => seq(repeat(seq(optional($._line), $._newline)), optional($._line)),
    _line: ($) => choice($.drawing, seq($._first, repeat($._item)), seq($._blank, repeat($._item))),
    drawing: ($) => seq(alias({choice(list(lexicon.DRAWN))}, $.statement), repeat($._head), optional($.map)),
    _head: ($) => choice($._head_text, alias($._head_string, $.string), alias($._head_comment, $.comment)),
    _head_text: () => /[^"#\\r\\n]+/,
    _head_string: () => /"(\\\\.|[^"\\\\\\n])*"?/,
    _head_comment: () => /#[^\\n]*/,
    map: () => token(prec(1, /((\\r?\\n)+[ \\t]+[^\\r\\n]*)+/)),
    _first: ($) => choice($.statement, $.rule, $._plain),
    statement: () => {choice(PLAIN)},
    rule: () => {choice(lexicon.rules())},
    _item: ($) => choice($._blank, $._plain, $.word, $.constant, $.builtin, alias($._other_word, $.identifier)),
    _plain: ($) => choice($.comment, $.string, $.number, $.operator, $.identifier, $._punctuation),
    word: () => {choice(lexicon.words())},
    constant: () => {choice(list(lexicon.CONSTANTS))},
    builtin: () => {choice(lexicon.builtins())},
    _other_word: () => {choice(mixed)},
    comment: () => /#[^\\n]*/,
    string: () => /"(\\\\.|[^"\\\\\\n])*"?/,
    number: () => /[0-9]+(x[0-9]+|(\\.[0-9]+)?([eE][+-]?[0-9]+)?%?)/,
    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
    operator: () => choice("..", /[=!<>+\\-*\\/|]+/),
    _punctuation: () => /[^\\sA-Za-z0-9_#"=!<>+\\-*\\/|]/,
    _blank: () => /[ \\t]+/,
    _newline: () => /\\r?\\n/,
  }},
}});
"""


def queries(captures: dict[str, str]) -> str:
    """Return the highlights of tree-sitter, by the names that an editor has for colours."""
    lines = ["; Written by editors/generate.py: do not edit.", "(identifier) @variable"]
    lines += [f"({name}) @{capture}" for name, capture in captures.items()]
    return "\n".join(lines) + "\n"


FILES = {
    "griddsl.schema.json": lambda: json.dumps(toml_schema(), indent=2, ensure_ascii=False) + "\n",
    "vscode/syntaxes/grid.tmLanguage.json": textmate,
    "vscode/snippets/grid.json": snippets,
    "vim/syntax/grid.vim": vim,
    "vim/ftdetect/grid.vim": lambda: "autocmd BufRead,BufNewFile *.grid setfiletype grid\n",
    "tree-sitter-grid/grammar.js": tree_sitter,
    "tree-sitter-grid/queries/highlights.scm": lambda: queries(TREE_SITTER),
    "helix/queries/grid/highlights.scm": lambda: queries(HELIX),
}


def main() -> None:
    """Write the files."""
    for name, content in FILES.items():
        path = HERE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content(), encoding="utf-8")


if __name__ == "__main__":
    main()
