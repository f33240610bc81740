"""Asking: what an action takes is asked of the person who plays it, one argument after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from griddsl.compass import ARROWS, STEP_OF
from griddsl.playing.traced import Seat

_CELL = re.compile(r"\(([0-9]+), ([0-9]+)\)")
STEPS = {arrow: STEP_OF[direction] for arrow, direction in ARROWS.items()}
DIGITS = "1234567890"
PICKS = ("return", "space", "enter")
STOPS = ("escape", "backspace")


def cell_in(word: str) -> tuple[int, int] | None:
    """Return the cell that a value is written as; None for another value."""
    found = _CELL.fullmatch(word)
    return None if found is None else (int(found[1]), int(found[2]))


@dataclass(slots=True)
class Asking:
    """One action that is being given its arguments.

    ``seat`` and ``number`` are those of the action (the first of its numbers). ``names`` and ``words`` are what is
    asked for, and what it can be; ``answers`` are the places of the values that were picked, ``cursor`` is the place
    that is picked next.
    """

    seat: int
    number: int
    action: str
    names: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    axes: tuple[int, ...] = ()
    answers: list[int] = field(default_factory=list)
    cursor: int = 0

    @property
    def asked(self) -> tuple[str, ...]:
        """The values of the argument that is asked for now."""
        return self.words[len(self.answers)]

    @property
    def asks_for_cells(self) -> bool:
        """Whether a cell is asked for now."""
        return cell_in(self.asked[0]) is not None

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to ask."""
        return len(self.answers) == len(self.words)

    @property
    def chosen(self) -> int:
        """The number that stands for the action with its arguments."""
        if self.axes:
            return self.number
        place = 0
        for answer, words in zip(self.answers, self.words, strict=True):
            place = place * len(words) + answer
        return self.number + place

    def allowed(self, masks: Sequence[Sequence[bool]]) -> list[int]:
        """Return the places of the values that lead to an allowed action; all of them where none does."""
        every = list(range(len(self.asked)))
        if self.axes:
            mask = masks[self.axes[len(self.answers)]]
            return [place for place in every if mask[place]] or every
        rest = 1
        for words in self.words[len(self.answers) + 1 :]:
            rest *= len(words)
        before = 0
        for answer, words in zip(self.answers, self.words, strict=False):
            before = before * len(words) + answer
        first = self.number + before * len(self.asked) * rest
        mask = masks[self.seat]
        return [p for p in every if any(mask[first + p * rest : first + (p + 1) * rest])] or every

    def by_digit(self, allowed: Sequence[int]) -> dict[str, int]:
        """Return the digits that pick a value each, with its place: its own where all are digits, else 1, 2 and so on.

        Empty where there are more values than digits, and for cells.
        """
        if self.asks_for_cells or len(allowed) > len(DIGITS):
            return {}
        own = [self.asked[place] for place in allowed]
        keys = own if all(word in DIGITS and word for word in own) else DIGITS
        return dict(zip(keys, allowed, strict=False))

    def pick(self, place: int) -> None:
        """Take a value for the argument that is asked for."""
        self.answers.append(place)
        self.cursor = 0

    def pick_cell(self, cell: tuple[int, int]) -> bool:
        """Take a cell, where one is asked for that it can be."""
        word = f"({cell[0]}, {cell[1]})"
        if self.is_complete or word not in self.asked:
            return False
        self.pick(self.asked.index(word))
        return True

    def move(self, key: str, allowed: Sequence[int]) -> None:
        """Move the cursor: over the board to the next cell that way, or through the list of values."""
        if self.cursor not in allowed:
            self.cursor = allowed[0]
        here = cell_in(self.asked[self.cursor])
        across, down = STEPS[key]
        if here is None:
            step = 1 if key in {"right", "down"} else -1
            self.cursor = allowed[(allowed.index(self.cursor) + step) % len(allowed)]
            return
        ahead: list[tuple[int, int, int]] = []
        for place in allowed:
            x, y = cell_in(self.asked[place]) or here
            forth = (x - here[0]) * across + (y - here[1]) * down
            beside = abs((x - here[0]) * down) + abs((y - here[1]) * across)
            if forth > 0:
                ahead.append((forth + 2 * beside, beside, place))
        if ahead:
            self.cursor = min(ahead)[2]

    def said(self) -> str:
        """Return what was picked so far, and what is asked for, in words."""
        given = [words[answer] for answer, words in zip(self.answers, self.words, strict=False)]
        return f"{self.action}({', '.join([*given, *self.names[len(given) :]])})"


def asking(seats: Sequence[Seat], seat: int, number: int) -> Asking | None:
    """Return what is to be asked before an action is played; None for one that takes nothing."""
    group = seats[seat].group
    info = group.actions[number]
    if info.axes:
        first = next(index for index, each in enumerate(seats) if each.agent == seats[seat].agent)
        axes = tuple(first + axis for axis in info.axes)
        words = tuple(tuple(value.name for value in seats[axis].group.actions) for axis in axes)
        return Asking(seat, number, info.name, info.takes, words, axes)
    if not info.verb:
        return None
    own = [place for place, action in enumerate(group.actions) if action.verb == info.verb]
    values = zip(*(group.actions[place].values for place in own), strict=True)
    return Asking(seat, own[0], info.verb, info.takes, tuple(tuple(dict.fromkeys(each)) for each in values))
