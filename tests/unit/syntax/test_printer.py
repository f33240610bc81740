"""The printer: its text parses to an equal node, and has no bracket that can be left out."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings

import tests.unit.syntax.trees as trees
from griddsl.diagnostics import Report
from griddsl.diagnostics import to_text as report_to_text
from griddsl.source import Source
from griddsl.syntax import nodes
from griddsl.syntax.clauses import parse_clause, parse_effects
from griddsl.syntax.printer import effects_to_text, to_text


def parsed(start: str, text: str) -> Any:
    """Parse a text that must fit."""
    report = Report()
    fragment = Source("<printed>", text).whole()
    result = parse_effects(fragment, report) if start == "effects" else parse_clause(start, fragment, report)
    assert not report.has_errors, f"{text}\n{report_to_text(report)}"
    return result


def check(start: str, node: Any, several: bool = True) -> None:
    """Print a node, parse the text, and compare."""
    text = to_text(node)
    assert "\n" not in text
    assert parsed(start, text) == ((node,) if several else node), text


@given(trees.expressions)
@settings(max_examples=200)
def test_to_text__expression(node: Any) -> None:
    """An expression comes back from its text."""
    check("expression", node, several=False)


@given(trees.effects)
@settings(max_examples=200)
def test_to_text__effect(node: Any) -> None:
    """An effect comes back from its text."""
    check("effects", node)


@given(trees.some(trees.effects, 2, 4))
def test_effects_to_text__list(effects: Any) -> None:
    """A list of effects comes back from its text, `choose` after `choose` too."""
    assert parsed("effects", effects_to_text(effects)) == effects


@given(trees.rule_heads)
@settings(max_examples=100)
def test_to_text__rule_head(node: Any) -> None:
    """A trigger with condition and chance comes back from its text."""
    check("rule", node, several=False)


@pytest.mark.parametrize(
    "start",
    ["properties", "legend", "actions", "slip", "regions", "agents", "infos", "looks", "observations"],
)
def test_to_text__items(start: str) -> None:
    """Each item of a statement comes back from its text."""
    strategies = {"legend": trees.legend_items, "slip": trees.slips}

    @given(strategies[start] if start in strategies else getattr(trees, start))
    @settings(max_examples=60)
    def comes_back(node: Any) -> None:
        check(start, node)

    comes_back()


@given(trees.variables)
def test_to_text__variable(node: Any) -> None:
    """A domain with its default comes back from its text."""
    check("variable", node, several=False)


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("((a + b)) * c", "(a + b) * c"),
        ("a + (b * c)", "a + b * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a and b) or c", "a and b or c"),
        ("a and (b or c)", "a and (b or c)"),
        ("not (a == b)", "not a == b"),
        ("(not a) == b", "(not a) == b"),
        ("(a if b else c) + 1", "(a if b else c) + 1"),
        ("(size-2,size - 2)", "(size-2, size-2)"),
        ("1 / 3", "1/3"),
        ("-(-x)", "--x"),
        ("agent   is   not red", "agent is not red"),
        ('"a\\"b"', '"a\\"b"'),
    ],
)
def test_to_text__canonical(written: str, canonical: str) -> None:
    """Brackets that change nothing are left out, and blanks stand where they always stand."""
    assert to_text(parsed("expression", written)) == canonical


def test_to_text__if_and_retry() -> None:
    """Blocks are printed as lines, indented by four."""
    end = parsed("effects", "end")
    test = parsed("expression", "a > 1")
    choice = nodes.If(((test, end), (None, end)), trees.HERE)
    count = parsed("expression", "9")
    retry = nodes.Retry(count, test, (choice,), trees.HERE)
    assert to_text(retry) == "retry 9 until a > 1:\n    if a > 1: end\n    else: end"


def test_to_text__knows_every_node() -> None:
    """There is a printer for every dataclass of `nodes`, and for nothing else."""
    from griddsl.syntax.printer.binding import PRINTERS

    classes = {
        value for _, value in inspect.getmembers(nodes, inspect.isclass) if issubclass(value, nodes.Node)
    }
    assert set(PRINTERS) == classes - {nodes.Node}, "how each is written: griddsl/syntax/printer"
    with pytest.raises(TypeError, match="str is no node"):
        to_text("text")


def test_trees__have_every_effect_and_expression() -> None:
    """The trees that are drawn have every node of the two unions, but blocks and what the compiler alone makes."""
    drawn = set(re.findall(r"\bn\.(\w+)", Path(trees.__file__).read_text(encoding="utf-8")))
    blocks, made = {"If", "Retry", "Repeat", "Each"}, {"Given", "OneOf", "ByChance", "Extreme"}
    every = {node.__name__ for union in (nodes.Effect, nodes.Expression) for node in get_args(union)}
    assert every - drawn == blocks | made, "how each is drawn: tests/unit/syntax/trees.py"


@pytest.mark.parametrize(
    "text", ["x becomes (random + 0)", "x = (random - 1)", "place car(way=(random + 1)) at (0, 0)"]
)
def test_to_text__keeps_random_apart(text: str) -> None:
    """What begins with `random` where a domain could follow stands in brackets, as it was written."""
    (node,) = parsed("effects", text)
    assert to_text(node) == text
    check("effects", node)


def test_to_text__keeps_a_where_in_its_condition() -> None:
    """A condition with a `where` of its own stays apart from that of the call around it."""
    node = parsed("expression", "count((any key where step > 1) where step > 2)")
    assert to_text(node) == "count((any key where step > 1) where step > 2)"


@pytest.mark.parametrize("start", ["view 5x5", "view 3x4 centered", "view ahead 2 behind 1 aside 1"])
def test_to_text__writes_a_cone_before_occluded(start: str) -> None:
    """What a view sees of its cells is read in either order."""
    for said in ("cone 2 occluded", "occluded cone 2"):
        (node,) = parsed("observations", f"{start} {said} as kinds")
        assert to_text(node) == f"{start} cone 2 occluded as kinds"
