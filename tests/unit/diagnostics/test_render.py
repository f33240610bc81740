"""The three renderings: text with carets, JSON, and GitHub's workflow commands."""

from __future__ import annotations

import json

from griddsl.diagnostics import Diagnostic, Label, Report, did_you_mean, to_github, to_json, to_text
from griddsl.source import Source, Span

TEXT = "env: a/B-v0\nlegend: G = goal, G = \u00e9tang\nlimit: 20 steps\n"
SOURCE = Source("pond.grid", TEXT)


def report() -> Report:
    """Return a report with an error that has a label and help, and a warning before it."""
    found = Report()
    second = Span(SOURCE, TEXT.rindex("G ="), TEXT.rindex("G =") + 1)
    first = Span(SOURCE, TEXT.index("G ="), TEXT.index("G =") + 1)
    found.add(
        "duplicate-glyph",
        second,
        glyph="G",
        labels=[Label(first, "first here")],
        help="100%: leave one, or both, out",
    )
    found.add("no-end", Span(SOURCE, 0, 3))
    return found


def test_text__shows_place_carets_labels_and_help_in_order_of_place() -> None:
    """Each diagnostic has its line and carets; the earlier place comes first."""
    assert to_text(report()).split("\n") == [
        "warning[no-end]: nothing ends an episode",
        " --> pond.grid:1:1",
        "  |",
        "1 | env: a/B-v0",
        "  | ^^^",
        "",
        "error[duplicate-glyph]: the glyph `G` has two meanings",
        " --> pond.grid:2:19",
        "  |",
        "2 | legend: G = goal, G = \u00e9tang",
        "  |                   ^",
        "2 | legend: G = goal, G = \u00e9tang",
        "  |         - first here",
        "help: 100%: leave one, or both, out",
    ]


def test_text__of_nothing_is_empty() -> None:
    """A clean spec has nothing to show, in any format."""
    assert to_text([]) == ""
    assert to_github([]) == ""
    assert json.loads(to_json([])) == []


def test_text__cuts_a_long_line_to_a_window_around_the_place() -> None:
    """The excerpt of a very long line is short, and its caret stands under the place."""
    source = Source("long.grid", "#" + " " * 5000 + "X" + " " * 5000)
    lines = to_text([Diagnostic("bad-value", "wrong", Span(source, 5001, 5002))]).split("\n")
    assert all(len(line) < 140 for line in lines)
    assert lines[3].index("X") == lines[4].index("^")


def test_text__shows_a_place_at_the_end_of_the_file() -> None:
    """A diagnostic behind the last character still has a line and one caret."""
    assert to_text([Diagnostic("bad-value", "wrong", Span(SOURCE, len(TEXT), len(TEXT)))]).endswith("  | ^")


def test_text__names_the_file_of_a_label_that_lies_elsewhere() -> None:
    """A label in another file is headed by that file's name and place."""
    other = Source("kinds.grid", "tile ice: slide\n")
    found = Diagnostic(
        "duplicate-name", "twice", Span(SOURCE, 0, 3), None, (Label(Span(other, 5, 8), "first here"),)
    )
    assert " ::: kinds.grid:1:6" in to_text([found]).split("\n")


def test_json__holds_every_part_with_one_based_places() -> None:
    """An object of the array holds code, severity, message, place, help and labels; ends are exclusive."""
    warning, error = json.loads(to_json(report()))
    assert warning["severity"] == "warning"
    assert error == {
        "code": "duplicate-glyph",
        "severity": "error",
        "message": "the glyph `G` has two meanings",
        "file": "pond.grid",
        "line": 2,
        "column": 19,
        "end_line": 2,
        "end_column": 20,
        "help": "100%: leave one, or both, out",
        "fixes": [],
        "labels": [
            {
                "text": "first here",
                "file": "pond.grid",
                "line": 2,
                "column": 9,
                "end_line": 2,
                "end_column": 10,
            }
        ],
    }


def test_github__is_one_escaped_command_a_line() -> None:
    """Each diagnostic is a workflow command; percent signs and line breaks in it are escaped."""
    warning, error = to_github(report()).split("\n")
    assert warning == (
        "::warning file=pond.grid,line=1,endLine=1,col=1,endColumn=4,title=griddsl no-end::nothing ends an episode"
    )
    assert error.startswith("::error file=pond.grid,line=2,")
    assert error.endswith("::the glyph `G` has two meanings%0Ahelp: 100%25: leave one, or both, out")


def test_github__escapes_what_separates_properties() -> None:
    """A file name with commas and colons stays one property."""
    source = Source("a,b:c.grid", "x")
    assert "file=a%2Cb%3Ac.grid," in to_github([Diagnostic("bad-value", "wrong", Span(source, 0, 1))])


def test_json__tells_each_rewrite_of_a_help_line_with_its_place() -> None:
    """A help line that states rewrites has them as fixes: what to put where."""
    found = Report()
    start = TEXT.index("goal")
    found.add("once-named", Span(SOURCE, start, start + 4), name="goal", help=did_you_mean("goal", ["goals"]))
    (record,) = json.loads(to_json(found))
    assert record["help"] == "did you mean `goals`?"
    place = {"file": "pond.grid", "line": 2, "column": 13, "end_line": 2, "end_column": 17}
    assert record["fixes"] == [{"replacement": "goals", **place}]
