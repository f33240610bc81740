"""The report: what is kept, in which order, and when it raises."""

from __future__ import annotations

import pickle

import pytest

from griddsl.diagnostics import CODES, Report, SpecError, did_you_mean, listing, near
from griddsl.diagnostics.report import MOST_KEPT
from griddsl.source import Source, Span

SOURCE = Source("a.grid", "one two three")


def test_report__keeps_the_same_diagnostic_once() -> None:
    """What is found twice is said once; another message at the same place is kept."""
    report = Report()
    for name in ("one", "one", "two"):
        report.add("duplicate-action", Span(SOURCE, 0, 3), name=name)
    assert [found.message for found in report] == [
        "the action `one` stands twice",
        "the action `two` stands twice",
    ]


def test_report__has_an_end() -> None:
    """A file full of mistakes is reported up to a limit."""
    report = Report()
    for at in range(1000):
        report.add("no-end", Span(SOURCE, at, at + 1))
    assert report.is_full
    assert len(list(report)) == MOST_KEPT


def test_report__raises_for_errors_only() -> None:
    """Warnings alone raise nothing; an error raises with all diagnostics, by place."""
    report = Report()
    report.add("no-end", Span(SOURCE, 4, 7))
    report.raise_errors()
    report.add("unknown-action", Span(SOURCE, 0, 3), name="one")
    with pytest.raises(SpecError, match=r"there is no action `one`(.|\n)*nothing ends an episode"):
        report.raise_errors()


def test_spec_error__survives_pickling() -> None:
    """An error raised in another process arrives with its text."""
    report = Report()
    report.add("unknown-action", Span(SOURCE, 0, 3), name="one")
    error = SpecError(list(report))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_codes__are_slugs_with_a_lowercase_message_and_a_meaning() -> None:
    """Every row of the table has a severity, a message that starts small without a full stop, and a sentence."""
    for code, row in CODES.items():
        assert code == code.lower() and " " not in code
        assert row.severity in {"error", "warning"}
        assert row.message[0] in "`{" or row.message[0].islower()
        assert not row.message.endswith(".")
        assert row.meaning.endswith(".")


def test_near__suggests_at_most_four_nearest_first() -> None:
    """Near names are sorted by likeness, and far ones left out."""
    assert near("gaol", ["goal", "wall", "agent"]) == ["goal"]
    assert len(near("aaaa", [f"aaa{letter}" for letter in "bcdefgh"])) == 4
    assert did_you_mean("xyz", ["goal"]) is None


def test_listing__reads_as_an_english_list() -> None:
    """Words stand in backticks, the last behind a conjunction; a long list is cut."""
    assert listing(["a", "b", "c"], "and") == "`a`, `b` and `c`"
    assert listing(["a"]) == "`a`"
    assert listing((str(i) for i in range(20)), "and").endswith("`11` and 8 more")


def test_span__finds_a_word_inside_it() -> None:
    """The span of a word is the smallest place to point at; without the word it is the whole."""
    span = Span(SOURCE, 0, 13)
    assert span.word("two") == Span(SOURCE, 4, 7)
    assert span.word("tw") == span
