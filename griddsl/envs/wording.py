"""Wording: a mission with what its names are at the moment, remembered by the numbers that decide it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

import numpy as np

from griddsl.backends.interface import Array
from griddsl.program.program import NameInfo, Program
from griddsl.program.words import params_told

_NAMED = re.compile(r"\{([^{}]*)\}")
_MOST_REMEMBERED = 10_000


class Wording:
    """What a program's mission says; ``places`` are those of the state that it depends on."""

    places: tuple[int, ...]

    def __init__(self, program: Program) -> None:
        self._mission = program.mission or ""
        self._infos = {info.name: info for info in reversed(program.names)}
        self._params = params_told(program)
        self._offsets = program.layout.offsets
        self.places = tuple(dict.fromkeys(self._places_of(self._mission, set())))
        self._said: dict[tuple[int, ...], str] = {}
        self._numbers: Callable[[Sequence[int]], tuple[int, ...]] = (
            itemgetter(*self.places)
            if len(self.places) > 1
            else lambda state: tuple([state[place] for place in self.places])
        )

    def _places_of(self, text: str, seen: set[str]) -> Iterable[int]:
        """Yield the places of the names in a text, and of those in the texts that these may stand for."""
        for name in _NAMED.findall(text):
            info = self._infos.get(name)
            if info is None or name in seen:
                continue
            seen.add(name)
            yield self._offsets[info.slot]
            for words in info.words if info.form == "words" else ():
                yield from self._places_of(words, seen)

    def mission(self, state: Sequence[int]) -> str:
        """Return the mission in a state, its integers from the first on."""
        return self.of(self._numbers(state))

    def of(self, numbers: tuple[int, ...]) -> str:
        """Return the mission where the numbers at ``places`` are these."""
        said = self._said.get(numbers)
        if said is None:
            if len(self._said) >= _MOST_REMEMBERED:
                self._said.clear()
            state = dict(zip(self.places, numbers, strict=True))
            said = self._said[numbers] = self._in_words(self._mission, state)
        return said

    def _in_words(self, text: str, state: Sequence[int] | dict[int, int]) -> str:
        return _NAMED.sub(lambda match: self._in_words(self.value_of(match[1], state), state), text)

    def value_of(self, name: str, state: Sequence[int] | dict[int, int]) -> str:
        """Return a variable, a chosen name or a parameter in words."""
        info = self._infos.get(name)
        if info is not None:
            return _in_words(info, state[self._offsets[info.slot]])
        return self._params.get(name, name)


class Wordings:
    """What the missions of many games say: only those whose numbers changed since are put into words again."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording
        self._numbers: Array | None = None
        self._said: tuple[str, ...] = ()

    def of(self, numbers: Array) -> tuple[str, ...]:
        """Return what each game says whose numbers at the wording's places are a row of these, (games, places)."""
        is_new = (
            np.ones(len(numbers), bool) if self._numbers is None else (self._numbers != numbers).any(axis=1)
        )
        if is_new.any():
            said = list(self._said) or [""] * len(numbers)
            for index in is_new.nonzero()[0].tolist():
                said[index] = self._wording.of(tuple(numbers[index].tolist()))
            self._said, self._numbers = tuple(said), numbers
        return self._said


def _in_words(info: NameInfo, value: int) -> str:
    if info.form == "words":
        return info.words[value]
    return str(bool(value)).lower() if info.form == "bool" else str(value)
