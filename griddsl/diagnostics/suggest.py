"""Help lines: what a misspelt word was probably meant to be, and what can be written instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from griddsl.source import Source, Span

MOST_SUGGESTED = 4
LEAST_RATIO = 0.62
LEAST_RATIO_ELSE = 0.72  # where the first letter is another one: few slips change that
MOST_BEHIND = 0.08  # what is so much farther than the nearest is not what was meant
SURE_RATIO = 0.77
LETTERS_TO_A_SLIP = 3
LETTERS_OF_A_STEM = 5
_VOWELS = re.compile("[aeiou]")
LONGEST_SHOWN = 240  # what is shown in part, nobody can type


class Help(str):
    """A help line that states a rewrite: any one of ``rewrites`` can stand in place of what is wrong.

    That is the ``place``; where none is given, the diagnostic's, or in it the word ``instead_of``.
    """

    rewrites: tuple[str, ...]
    instead_of: str
    place: Span | None

    def __new__(
        cls, text: str, rewrites: Iterable[str], instead_of: str = "", place: Span | None = None
    ) -> Help:
        """Return the line; as a text it is the line alone."""
        line = super().__new__(cls, text)
        line.rewrites, line.instead_of, line.place = tuple(rewrites), instead_of, place
        return line


def write(rewrite: str, rest: str = "", place: Span | None = None) -> Help:
    """Return the help line "write `...`", which shows a long rewrite only in part."""
    shown = " ".join(rewrite.split())
    shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}..."
    return Help(f"write `{shown}`{rest}", (rewrite,), place=place)


def add(line: str, source: Source, rest: str = "") -> str:
    """Return the help line "add `...`", whose rewrite is a statement at the end of a ``.grid`` text."""
    help = f"add `{line}`{rest}"
    if source.is_toml or not source.text.strip():
        return help
    before = "" if source.text.endswith("\n") else "\n"
    return Help(help, (f"{before}{line}\n",), place=Span(source, len(source.text), len(source.text)))


def near(name: str, candidates: Iterable[str]) -> list[str]:
    """Return at most four candidates that look like ``name``, nearest first."""
    name = name[:100]
    matcher = SequenceMatcher(None, "", name.lower())
    scored = []
    for candidate in sorted(set(candidates) - {name}):
        matcher.set_seq1(candidate.lower())
        continues = len(name) >= 3 and candidate.lower().startswith(name.lower())
        if not continues and 2 * abs(len(name) - len(candidate)) >= max(len(name), len(candidate)):
            continue  # a short word lies in many a long one
        if not continues and min(matcher.real_quick_ratio(), matcher.quick_ratio()) < LEAST_RATIO:
            continue
        ratio = matcher.ratio()
        begins = candidate[:1].lower() == name[:1].lower() or sorted(candidate.lower()) == sorted(
            name.lower()
        )
        least = LEAST_RATIO if begins else LEAST_RATIO_ELSE
        if continues or ratio >= SURE_RATIO or (ratio >= least and _is_slip(name.lower(), candidate.lower())):
            scored.append((-ratio, candidate))
    scored.sort()
    found = [candidate for score, candidate in scored[:MOST_SUGGESTED] if score - scored[0][0] <= MOST_BEHIND]
    if any(each.lower().startswith(name.lower()) for each in found):
        return found  # a word that is not typed to its end
    slips = {each: _slips(name.lower(), each.lower(), len(name) + len(each)) for each in found}
    return [each for each in found if slips[each] == min(slips.values())]


def _is_slip(name: str, meant: str) -> bool:
    """Whether few slips of the fingers lead from one word to another, or both begin alike, or one lacks its vowels.

    Few are one in three letters, and one at least.
    """
    if name[:LETTERS_OF_A_STEM] == meant[:LETTERS_OF_A_STEM] or name == _VOWELS.sub("", meant):
        return True
    most = max(1, max(len(name), len(meant)) // LETTERS_TO_A_SLIP)
    return _slips(name, meant, most) <= most


def _slips(name: str, meant: str, most: int) -> int:
    """Return how many slips lead from one word to another: a letter more, less or another, or two that changed places.

    Of more than ``most`` they are not counted any further.
    """
    before, row = list[int](), list(range(len(meant) + 1))
    for i, letter in enumerate(name, 1):
        older, before, row = before, row, [i]
        for j, other in enumerate(meant, 1):
            slips = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == meant[j - 2] and name[i - 2] == other:
                slips = min(slips, older[j - 2] + 1)
            row.append(slips)
        if min(row) > most:
            break
    return row[-1]


def did_you_mean(name: str, candidates: Iterable[str]) -> Help | None:
    """Return a help line that names the near candidates, or None where nothing is near."""
    found = near(name, candidates)
    return Help(f"did you mean {listing(found, 'or')}?", found, name) if found else None


def listing(words: Iterable[str], conjunction: str = "or", most: int = 12) -> str:
    """Return the words in backticks as an English list: `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) > most:
        quoted = [*quoted[:most], f"{len(quoted) - most} more"]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {conjunction} {quoted[-1]}"


def shortened(text: str, most: int = 60) -> str:
    """Return a text as it can be quoted in a line of help: cut, with dots, where it is longer."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def domain_around(number: str) -> str:
    """Return a domain with room around a whole number, for a help line; a number may be as long as somebody types."""
    try:
        return f"{min(0, 2 * int(number))}..{max(9, 2 * int(number))}"
    except ValueError:  # too many digits, or digits that are none in Python
        return "0..9"
