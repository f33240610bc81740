"""A clause that does not parse, and what was probably meant by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from griddsl.syntax.keywords import EVENTS

ANY_EVENT = "|".join(EVENTS)  # as a pattern
QUOTED = r'"(?:\\.|[^"\\])*"'
CELL = r"(?:\((?:[^()]|\([^()]*\))*\)|\w+)"  # a pair in brackets, or a name, as a pattern
LISTS = {
    *("effects", "properties", "legend", "regions", "actions", "slip", "names", "agents", "infos", "looks"),
    "observations",
}
CONDITIONS = {
    *("rule", "if_head", "else_if_head", "slip_head", "retry_head", "repeat_head", "expression"),
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A clause that does not parse: its start rule, its text, the place, and the terminals that would fit.

    ``whole`` is the text of the file that it stands in, which is asked what its words are declared as.
    """

    start: str
    text: str
    begin: int
    end: int
    expected: frozenset[str]
    whole: str = ""

    def around(self, wording: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield where a wording stands in the clause, if the mistake was found in it or right behind it."""
        return (said for said in wording.finditer(self.text) if said.start() <= self.begin <= said.end())

    def is_action(self, word: str) -> bool:
        """Whether the file lists an action of this name."""
        listed = re.findall(r"^actions\b[^:\n]*:(.*(?:\n[ \t]+.*)*)", self.whole, re.MULTILINE)
        return any(re.search(rf"(?:^|[,\n])\s*{re.escape(word)}\b", each) for each in listed)

    def is_kind(self, word: str) -> bool:
        """Whether the file declares a kind of this name, or draws one by a letter."""
        declared = rf"^(?:tile|object)\s+{word}\b|^legend\b[^:\n]*:(?:.*\n[ \t])*.*=\s*{word}\b"
        return bool(re.fullmatch(r"\w+", word)) and re.search(declared, self.whole, re.MULTILINE) is not None

    def singular(self, word: str) -> str | None:
        """Return the kind that a word names, be it in the plural; None where it names none."""
        singular = (word, re.sub(r"s\Z", "", word), re.sub(r"es\Z", "", word))
        return next((each for each in singular if self.is_kind(each)), None)

    def is_cell(self, name: str) -> bool:
        """Whether the file lets a name be a cell: the argument of an action, or of a loop through cells."""
        return re.search(rf"\b{re.escape(name)}\s+in\s+cells\b", self.whole) is not None

    def gone_through(self) -> str | None:
        """Return the kind of which the rule, or the line of a block, that a clause stands in speaks of each."""
        clause = re.escape(self.text.strip())
        deeper = r"\n(?P=indent)[ \t]+"
        line = rf"(?:{deeper}\S[^\n]*?)*?{deeper}{clause}[ \t]*$"
        head = rf"^(?P<indent>[ \t]*)each\s+(\w+)[^:\n]*:(?:[^\n]*\b{clause}|{line})"
        found = re.search(head, self.whole, re.MULTILINE)
        return found[2] if found is not None and self.is_kind(found[2]) else None

    def is_thing(self, word: str) -> bool:
        """Whether the file gives this name to a thing: by `let`, `choose`, or as it is placed."""
        named = rf"\blet\s+{word}\s*=\s*the\b|\bplace\b[^:\n]*\bas\s+{word}\b"
        drawn = re.search(rf"\bchoose\s+{word}\s+in\s+(\w+)", self.whole)
        return re.search(named, self.whole) is not None or (drawn is not None and self.is_kind(drawn[1]))

    def values_of(self, attribute: str, kind: str) -> list[str] | None:
        """Return the words that an attribute of a kind is declared to have; None where it has none."""
        declared = re.search(rf"^(?:tile|object)\s+{kind}\b(.*(?:\n[ \t]+.*)*)", self.whole, re.MULTILINE)
        domain = declared and re.search(rf"\b{attribute}(?:\s+\w+)?\s+in\s+([^,\n]+)", declared[1])
        return re.findall(r"[A-Za-z_]\w*|\d+", domain[1]) if domain else None

    def first_attribute(self, kind: str) -> str | None:
        """Return the first attribute that a kind is declared with; None where it has none."""
        declared = re.search(rf"^(?:tile|object)\s+{kind}\b(.*(?:\n[ \t]+.*)*)", self.whole, re.MULTILINE)
        found = declared and re.search(r"([A-Za-z_]\w*)(?:[ \t]+\w+)?[ \t]+in[ \t]", declared[1])
        return found[1] if found else None

    def gives(self, name: str) -> bool:
        """Whether the file declares a variable, a parameter or a kind of this name, or chooses or places one."""
        declared = rf"^(?:var|param|tile|object)\s+{name}\b|\b(?:choose\s[^\n]*?|as\s+|let\s+){name}\b"
        return re.search(declared, self.whole, re.MULTILINE) is not None

    def where_met(self, kind: str) -> str:
        """Return the condition that the agent is where it can reach a kind: on it, or beside what it cannot enter."""
        barred = rf"^(?:tile|object)\s+{kind}\b.*\b(?:solid|pushable)\b(?!\s+(?:if|unless)\b)"
        if re.search(barred, self.whole, re.MULTILINE) is None:
            return f"agent on {kind}"
        return f"{kind} ahead" if self.is_action("forward") else f"{kind} within 1 of agent"

    def barred_events(self, kind: str) -> tuple[str, ...]:
        """Return the events of coming up against what cannot be entered; none where it can be."""
        if kind in {"wall", "edge"}:
            return ("bump",)
        declared = re.search(rf"^(?:tile|object)\s+{kind}\b(.*(?:\n[ \t]+.*)*)", self.whole, re.MULTILINE)
        if declared is None:
            return ()
        if re.search(r"\bpushable\b", declared[1]):
            return ("push", "bump")
        return ("bump",) if re.search(r"\bsolid\b(?!\s+(?:if|unless)\b)", declared[1]) else ()

    def moves_by_itself(self, word: str) -> bool:
        """Whether the file declares an object of this name that moves, or an agent."""
        declared = rf"^object\s+{re.escape(word)}\b(.*(?:\n[ \t]+.*)*)"
        found = re.search(declared, self.whole, re.MULTILINE)
        return self.is_agent(word) or (found is not None and re.search(r"\bmoves\b", found[1]) is not None)

    def is_agent(self, word: str) -> bool:
        """Whether the file lists agents of this name."""
        return re.search(rf"^agents\s*:.*\b{re.escape(word)}\b", self.whole, re.MULTILINE) is not None

    def is_word_of(self, word: str, kind: str) -> bool:
        """Whether the file declares a kind with an attribute, or a word of an attribute, of this name."""
        if not re.fullmatch(r"\w+", word) or not re.fullmatch(r"\w+", kind):
            return False
        declared = re.search(rf"^(?:tile|object)\s+{kind}\b(.*(?:\n[ \t]+.*)*)", self.whole, re.MULTILINE)
        return declared is not None and re.search(rf"\b{word}\b", declared[1]) is not None

    def attribute_with(self, word: str, kind: str) -> str | None:
        """Return the attribute of a kind that the file declares with a word of this name; None where none is."""
        if not self.is_word_of(word, kind):
            return None
        declared = re.search(rf"^(?:tile|object)\s+{kind}\b(.*(?:\n[ \t]+.*)*)", self.whole, re.MULTILINE)
        assert declared is not None
        domains = re.finditer(r"([A-Za-z_]\w*)(?:[ \t]+\w+)?[ \t]+in[ \t]+([^,\n]+)", declared[1])
        return next((found[1] for found in domains if re.search(rf"\b{word}\b", found[2])), None)

    @property
    def found(self) -> str:
        """The wrong part of the text; empty at its end."""
        return self.text[self.begin : self.end]

    @property
    def before(self) -> str:
        """What stands before the wrong part."""
        return self.text[: self.begin].rstrip()

    @property
    def rest(self) -> str:
        """The wrong part and all that follows."""
        return self.text[self.begin :]

    def item_start(self) -> int:
        """Return where the item with the mistake starts: after the last comma outside of brackets."""
        depth = start = 0
        for match in re.finditer(rf"{QUOTED}|[(\[]|[)\]]|,\s*", self.text[: self.begin]):
            sign = match.group()[0]
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth <= 0:
                start = match.end()
        return start

    def item_end(self) -> int:
        """Return where the item with the mistake ends: before the next comma outside of brackets, or at the end."""
        depth = 0
        start = self.item_start()
        for match in re.finditer(rf"{QUOTED}|[(\[]|[)\]]|,", self.text[start:]):
            sign = match.group()[0]
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth <= 0 and start + match.start() >= self.begin:
                return start + len(self.text[start : start + match.start()].rstrip())
        return len(self.text.rstrip())

    def last_word(self) -> re.Match[str] | None:
        """Return the word right before the wrong part."""
        return re.search(r"\w+\Z", self.before)


@dataclass(frozen=True, slots=True)
class Meant:
    """What was probably meant: the help, and where given a better place and better words for it.

    A ``guess`` is told only where the clause is right with it, or goes wrong farther behind.

    What the help says to write takes the place of the clause's text from ``start`` to ``stop``; where they are not
    given, of what the message points at.
    """

    help: str | None
    begin: int | None = None
    end: int | None = None
    found: str | None = None
    expected: str | None = None
    unknown_effect: str | None = None
    start: int | None = None
    stop: int | None = None
    guess: bool = False


def of_item(
    mistake: Mistake, rows: Iterable[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]], expected: str
) -> Meant | None:
    """Return what the first wording that the item with the mistake is, as a whole, has to say; None for none."""
    start, stop = mistake.item_start(), mistake.item_end()
    for wording, answer in rows:
        said = wording.fullmatch(mistake.text[start:stop])
        if said is not None:
            return Meant(answer(said), start, stop, expected=expected, start=start, stop=stop)
    return None


Habits: TypeAlias = tuple[Callable[[Mistake], Meant | None], ...]


def blanks(text: str, at: int) -> int:
    """Return how many blanks stand at a place of a text."""
    return len(text[at:]) - len(text[at:].lstrip())


def hidden(text: str) -> str:
    """Return a text of the same length in which `_` stands for all that brackets and quotes hold."""
    shown, depth = list[str](), 0
    for part in re.findall(rf"{QUOTED}|.", text, re.DOTALL):
        depth -= part in ")]"
        shown.append(part if depth <= 0 and len(part) == 1 else "_" * len(part))
        depth += part in "(["
    return "".join(shown)
