"""Near names: what a misspelt word was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

MOST_SUGGESTED = 4
LEAST_RATIO = 0.6


def near(name: str, candidates: Iterable[str]) -> list[str]:
    """Return at most four candidates that look like ``name``, nearest first."""
    name = name[:100]
    matcher = SequenceMatcher(None, "", name.lower())
    scored = []
    for candidate in sorted(set(candidates) - {name}):
        matcher.set_seq1(candidate.lower())
        continues = len(name) >= 3 and candidate.lower().startswith(name.lower())
        if not continues and min(matcher.real_quick_ratio(), matcher.quick_ratio()) < LEAST_RATIO:
            continue
        ratio = matcher.ratio()
        if ratio >= LEAST_RATIO or continues:
            scored.append((-ratio, candidate))
    return [candidate for _, candidate in sorted(scored)[:MOST_SUGGESTED]]


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """Return a help line that names the near candidates, or None where nothing is near."""
    found = near(name, candidates)
    return f"did you mean {listing(found, 'or')}?" if found else None


def listing(words: Iterable[str], conjunction: str = "or", most: int = 12) -> str:
    """Return the words in backticks as an English list: `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) > most:
        quoted = [*quoted[:most], f"{len(quoted) - most} more"]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {conjunction} {quoted[-1]}"
