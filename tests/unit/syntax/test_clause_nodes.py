"""Each form of the grammar becomes something, and nothing is made of a form that is not there."""

from __future__ import annotations

import pytest

from griddsl.syntax.clause_nodes import ROWS, _Nodes
from griddsl.syntax.clauses import parser_of_clauses
from griddsl.syntax.document import unquote


def test_rows__are_the_forms_of_the_grammar() -> None:
    """Every form has one row or one method; where one part is the whole, the form is not asked."""
    rules = parser_of_clauses().rules
    named = {rule.alias or str(rule.origin.name) for rule in rules if rule.alias or not rule.options.expand1}
    forms = {name for name in named if not name.startswith("_")}
    methods = {name for name in vars(_Nodes) if not name.startswith("_")}
    assert len(forms) > 150
    assert not methods & ROWS.keys()
    assert methods | ROWS.keys() == forms, "a row of griddsl/syntax/clause_nodes.py for each form"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r'"a \"b\" \\ c\n\td"', 'a "b" \\ c\n\td'),
        (r'"levels\easy\u0041.txt"', r"levels\easy\u0041.txt"),
        ("bare", "bare"),
    ],
)
def test_unquote__leaves_a_backslash_that_escapes_nothing(text: str, said: str) -> None:
    """What has no meaning behind a backslash keeps it."""
    assert unquote(text) == said
