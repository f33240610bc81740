"""Events that are misspelt, in other words, or missing from a trigger, and what is most likely meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from griddsl.diagnostics import Help, did_you_mean, listing, write
from griddsl.syntax.habits.mistake import ANY_EVENT, Meant, Mistake
from griddsl.syntax.keywords import EVENTS

EVENT_WORDS = {
    **dict.fromkeys(("touch", "reach", "hit", "collide", "arrive", "step_on", "land"), "enter"),
    **dict.fromkeys(("visit", "eat", "in", "fall", "stand"), "enter"),
    **dict.fromkeys(("exit", "left", "depart", "out"), "leave"),
    **dict.fromkeys(("take", "grab", "pick", "collect", "get"), "pickup"),
    **dict.fromkeys(("put", "release"), "drop"),
    **dict.fromkeys(("open", "use", "press", "activate", "interact"), "toggle"),
    "shove": "push",
    **dict.fromkeys(("encounter", "catch"), "meet"),
}
HAPPENS = {
    **dict.fromkeys(("enters", "reaches", "touches", "gets", "hits", "finds", "arrives", "lands"), "enter"),
    **dict.fromkeys(("leaves", "exits"), "leave"),
    **dict.fromkeys(("bumps", "crashes"), "bump"),
    **dict.fromkeys(("pushes", "shoves"), "push"),
    **dict.fromkeys(("meets", "catches", "collides"), "meet"),
    **dict.fromkeys(("picks", "takes", "collects", "grabs"), "pickup"),
}
_COMING_TOGETHER = {"touch", "hit", "collide", "reach", "encounter", "catch"}


def event(mistake: Mistake) -> Meant | None:
    """`on entr cliff`: the event is misspelt, or not the word of the language."""
    if mistake.start != "rule" or not {"ENTER", "LEAVE"} <= mistake.expected:
        return None
    places = [(mistake.begin, mistake.end)]
    if (word := mistake.last_word()) is not None:
        places.insert(0, word.span())
    words = [_Word(mistake, begin, end) for begin, end in reversed(places)]
    found = (meant(word) for word in words for meant in _MEANT)
    return _without_on(mistake) or next(filter(None, found), None) or _no_event(mistake)


def _without_on(mistake: Mistake) -> Meant | None:
    """`on each coin`, `on when C`, `on step`."""
    opening = re.match(r"on\s+(each|every|when|step(?!\s+\d))\b", mistake.text)
    if opening is None:
        return None
    is_step = opening[1] == "step"
    shown = f"each {mistake.text[3:40]}" if is_step else mistake.text[3:40]
    help = Help(f"write `{shown}`, without `on`", ("each step" if is_step else "",))
    stop = opening.end() if is_step else opening.start(1)
    return Meant(help, 0, 2, expected="`each`, `every` or `when`", start=0, stop=stop)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word that stands where an event could."""

    mistake: Mistake
    begin: int
    end: int

    @property
    def text(self) -> str:
        """The word."""
        return self.mistake.text[self.begin : self.end]

    @property
    def behind(self) -> str:
        """What stands behind it."""
        return self.mistake.text[self.end :]

    @property
    def is_first(self) -> bool:
        """Whether it follows `on`."""
        return self.begin == len("on ")

    @property
    def about(self) -> re.Match[str] | None:
        """What it is about, where that is one word."""
        return re.match(r"\s+(\w+)(?=\s*\Z|\s+(?:if|with)\b)", self.behind)

    def meant(self, line: Help | str, stop: int, expected: str = "an event") -> Meant:
        """Return what was meant by the trigger, up to a place behind this word."""
        return Meant(line, self.begin, self.end, expected=expected, start=0, stop=self.end + stop)


def _action_about(word: _Word) -> Meant | None:
    """`on open chest`, where `open` is an action."""
    mistake, about = word.mistake, word.about
    if not (
        word.is_first and about is not None and mistake.is_action(word.text) and mistake.is_kind(about[1])
    ):
        return None
    place, stop = mistake.where_met(about[1]), about.end()
    further = re.match(r"\s+if\s+(.*\S)", word.behind[stop:])
    if further is not None and re.search(r"\b(?:or|else|with)\b", further[1]):
        help = f"say where: `on do {word.text} if {place}`"
        return Meant(help, word.begin, word.end, expected="an event")
    if further is not None:
        place, stop = f"{place} and {further[1]}", stop + further.end()
    return word.meant(write(f"on do {word.text} if {place}"), stop)


def _action_of_a_kind(word: _Word) -> Meant | None:
    """`on red do fire`."""
    acts = re.match(r"\s+do\s+(\w+)(?=\s*\Z)", word.behind)
    if not (word.is_first and acts is not None and word.mistake.is_kind(word.text)):
        return None
    if not word.mistake.is_action(acts[1]):
        return None
    return word.meant(write(f"on do {acts[1]} if self is {word.text}"), acts.end())


def _kind_happens(word: _Word) -> Meant | None:
    """`on guard catches agent`."""
    happens = re.match(r"\s+(\w+)\s+(?:with\s+|into\s+|the\s+)*(\w+)", word.behind)
    if not (word.is_first and happens is not None and happens[1] in HAPPENS):
        return None
    if not word.mistake.is_kind(word.text):
        return None
    help = write(f"on {word.text} {HAPPENS[happens[1]]} {happens[2]}")
    return Meant(help, start=0, stop=word.end + happens.end())


def _called_of_a_kind(word: _Word) -> Meant | None:
    """`on guard.meet(agent)`."""
    called = re.match(rf"\s*\.\s*({ANY_EVENT})\s*\(\s*(\w+)\s*\)", word.behind)
    if called is None or not word.mistake.is_kind(word.text):
        return None
    stop = word.end + called.end()
    return Meant(write(f"on {word.text} {called[1]} {called[2]}"), word.begin, stop, start=0, stop=stop)


def _kind_alone(word: _Word) -> Meant | None:
    """`on coin`."""
    if not (word.is_first and word.mistake.is_kind(word.text)):
        return None
    return word.meant(write(f"on enter {word.text}"), 0, "an event before the kind")


def _other_word(word: _Word) -> Meant | None:
    """`on entr coin`, `on touch coin`, `on collide wall`."""
    help: str | None = did_you_mean(word.text, EVENTS)
    about = word.about if word.text in _COMING_TOGETHER else None
    if about is not None and word.mistake.moves_by_itself(about[1]):
        help = Help("did you mean `meet`?", ("meet",))
    elif about is not None and (barred := word.mistake.barred_events(about[1])):
        help = Help(f"did you mean {listing(barred)}?", barred)
    elif word.text in EVENT_WORDS:
        help = Help(f"did you mean `{EVENT_WORDS[word.text]}`?", (EVENT_WORDS[word.text],))
    return None if help is None else Meant(help, word.begin, word.end, expected=_ALL)


# What a word was meant as: the first that answers.
_MEANT: tuple[Callable[[_Word], Meant | None], ...] = (
    *(_action_about, _action_of_a_kind, _kind_happens, _called_of_a_kind, _kind_alone, _other_word),
)
_ALL = listing((*EVENTS, "act", "do", "fail"))


def _no_event(mistake: Mistake) -> Meant | None:
    """`on has key`, `on frobnicate coin`."""
    first = re.match(r"on\s+(\w+)\s+(\w+)\s*(?=\Z|\bif\b|\bwith\b)", mistake.text)
    if first is None:
        return None
    if first[1] in {"has", "have", "holding", "carrying"} and mistake.is_kind(first[2]):
        help = write(f"when agent has {first[2]}")
        return Meant(help, *first.span(1), expected="an event", start=0, stop=first.end(2))
    if first.start(2) != mistake.begin or mistake.is_kind(first[1]):
        return None
    if mistake.is_kind(first[2]) or first[2] in {"agent", "wall", "edge"}:
        return Meant(f"`{first[1]}` is none of the events", *first.span(1), expected=_ALL)
    return None
