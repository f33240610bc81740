"""Moments: what one step of a game did, and its rules and rewards in words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from griddsl.playing.traced import Move
from griddsl.source import Source, Span


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that fired in a step: its words before the colon, its place, and how often."""

    head: str
    place: str
    times: int = 1

    def __str__(self) -> str:
        often = f", {self.times} times" if self.times > 1 else ""
        return f"{self.head} ({self.place}{often})"


@dataclass(frozen=True, slots=True)
class Moment:
    """What one step did, with a reward and a score for each player; the first moment of an episode has no move.

    ``movers`` are the seats whose numbers counted, and ``forbidden`` those of them whose action was not allowed;
    ``away`` are the agents that were away in this step.
    """

    step: int
    move: Move = ()
    rewards: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    movers: tuple[int, ...] = ()
    forbidden: tuple[int, ...] = ()
    away: tuple[str, ...] = ()
    terminated: bool = False
    truncated: bool = False
    outcome: str = ""
    fired: tuple[Fired, ...] = ()

    @property
    def reward(self) -> float:
        """The reward of the first player."""
        return self.rewards[0] if self.rewards else 0.0

    @property
    def score(self) -> float:
        """The score of the first player."""
        return self.scores[0] if self.scores else 0.0

    @property
    def is_over(self) -> bool:
        """Whether the episode ended here."""
        return self.terminated or self.truncated


def place_text(span: Span, source: Source) -> str:
    """Return where a rule stands: its line, and its file where that is another than the spec's own."""
    return f"line {span.line}" if span.source == source else f"{Path(span.source.name).name} line {span.line}"


def number_text(value: float) -> str:
    """Return a reward in at most six digits: ``-1``, ``0.28``."""
    text = f"{value:.6g}"
    return "0" if text == "-0" else text
