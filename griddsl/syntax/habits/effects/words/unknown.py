"""Unknown: the first word of an item is no effect, and what the whole item most likely says."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from griddsl.diagnostics import Help, did_you_mean, near, write
from griddsl.syntax.habits.effects.blocks import BEHIND_IF, ELSE_IF
from griddsl.syntax.habits.effects.words.meant import effect_help, end_meant, end_or_reward, is_known
from griddsl.syntax.habits.mistake import CELL, Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS

_SHAPES = "an effect starts with its word, as in `reward 1`, `end success`, `remove K`, or sets a value: `NAME = VALUE`"
_CALLING = {"call", "do", "run", "invoke", "perform", "execute", "apply", "use"}
_TAKEN = re.compile(
    r"(?:the\s+)?(?:agent|player)\s+(?:gets|takes|receives|collects|grabs|picks\s+up)\s+(?:the\s+|an?\s+)?(?P<got>\w+)"
    r"|(?:give|hand)s?\s+(?:the\s+|an?\s+)?(?P<given>\w+)\s+to\s+(?:the\s+)?(?:agent|player)"
)
_GONE = re.compile(
    r"(?:the\s+)?(\w+)\s+(?:disappears?|vanish(?:es)?|is\s+(?:removed|gone|destroyed|eaten|taken|collected))"
)
_DRAWN = re.compile(
    r"(?:random|randomi[sz]e)\s+(?:the\s+)?(agent|player)(?:\s+(?:start|position|cell))?|(agent|player)\s+random(?:ly)?"
)


@dataclass(frozen=True, slots=True)
class _Item:
    """An item whose first word, which ends at ``end``, is no effect; ``rest`` is what stands behind it."""

    mistake: Mistake
    name: str
    rest: str
    start: int
    end: int
    stop: int

    @property
    def text(self) -> str:
        return self.mistake.text[self.start : self.stop]

    def is_declared(self, statement: str, name: str, behind: str = r"\b") -> bool:
        """Whether the file has such a statement for a name."""
        return re.search(rf"^{statement}\s+{name}{behind}", self.mistake.whole, re.MULTILINE) is not None

    def meant(self, help: str | None, stop: int | None = None) -> Meant:
        """Return what stands in the place of the item, or of what ends before ``stop``; its first word is told."""
        stop = self.stop if stop is None else stop
        return Meant(help, self.start, self.end, unknown_effect=self.name, start=self.start, stop=stop)

    def written(self, help: str, name: str | None = None) -> Meant:
        """Return what stands in the place of the item, all of which is told."""
        name = self.name if name is None else name
        return Meant(help, self.start, self.stop, unknown_effect=name, start=self.start, stop=self.stop)


def unknown_effect(mistake: Mistake) -> Meant | None:
    """`rewrd 3`, `collect coin`, `energy is 5`: the first word of the item is no effect."""
    item = _item_of(mistake)
    if item is None:
        return None
    found = _first(_OF_DEFINITIONS, item)
    if found is not None or re.match(r"\+\+|--|[*/%]=", item.rest):
        return found
    found = _first(_SAID_OTHERWISE, item)
    if found is not None:
        return found
    if mistake.text[item.end : mistake.begin].strip() or mistake.found in {"=", "+=", "-=", "(", "."}:
        return None
    found = _first(_NEARLY, item)
    if found is not None:
        return found
    if re.match(r"[^\w\s\"(:-]", mistake.found) or near(mistake.found, ("becomes", "distinct")):
        return None
    return Meant(_SHAPES, item.start, item.end, unknown_effect=item.name)


def _item_of(mistake: Mistake) -> _Item | None:
    """Return the item in which a mistake is; None where it begins with an effect, or stands among what is chosen."""
    if mistake.start != "effects":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    word = re.compile(r"[A-Za-z_]\w*").match(mistake.text, start)
    if word is None or word.group() in {*EFFECT_WORDS, "if", "else", "retry", "repeat"}:
        return None
    if mistake.found in {"from", "of"} and {"IN", "DISTINCT"} <= mistake.expected:
        return None  # one more name behind `choose`, whose domain lacks its `in`
    return _Item(mistake, word.group(), mistake.text[word.end() : stop].strip(), start, word.end(), stop)


def _first(questions: tuple[Callable[[_Item], Meant | None], ...], item: _Item) -> Meant | None:
    return next((found for ask in questions if (found := ask(item)) is not None), None)


def _without_brackets(item: _Item) -> Meant | None:
    """`hit goal`: a definition with what it is given behind it."""
    given = re.fullmatch(r"-?[\w.]+(?:\s*,\s*-?[\w.]+)*", item.rest)
    if given is None or not item.is_declared("define", item.name, r"\s*\("):
        return None
    return item.written(write(f"{item.name}({item.rest})"))


def _called(item: _Item) -> Meant | None:
    """`call hit(goal)`: a definition is carried out by its name."""
    called = re.fullmatch(r"(\w+)\s*\(.*\)", item.rest)
    if called is None or item.name.lower() not in _CALLING or not item.is_declared("define", called[1]):
        return None
    return item.meant(write(item.rest, ": a definition is carried out by its name"))


def _taken(item: _Item) -> Meant | None:
    """`agent gets key`, `give key to agent`."""
    taken = _TAKEN.fullmatch(item.text)
    kind = "" if taken is None else taken["got"] or taken["given"]
    return item.meant(write(f"pickup {kind}")) if kind and item.mistake.is_kind(kind) else None


def _drawn(item: _Item) -> Meant | None:
    """`random agent start`: where the agent begins is drawn."""
    return item.meant(write("place agent at random free")) if _DRAWN.fullmatch(item.text) else None


_KILLING = {"kill", "destroy", "delete", "eliminate", "capture", "eat", "despawn", "discard"}


def _other_word(item: _Item) -> Meant | None:
    """`collect coin`, `spawn ghost`: a word of another language."""
    rest = item.rest
    state = re.fullmatch(r"(?:the\s+)?(\w+)\s+(?:to\s+)?([a-z]\w*)", rest)
    if state is not None and item.name.lower() == "set" and item.mistake.is_kind(state[1]):
        rest = f"{state[1]} {state[2]}"
    if not is_known(item.name) or item.is_declared("var", item.name):
        return None
    if item.name != "return" and re.match(r"[.=+-]", rest):
        return None
    gone = re.fullmatch(r"(?:the\s+)?(\w+)", rest)
    if item.name.lower() in _KILLING and gone is not None and item.mistake.is_agent(gone[1]):
        several = re.search(r"^agents\s*:", item.mistake.whole, re.MULTILINE)
        who = f"{gone[1]} " if several and gone[1] != "self" else ""
        return item.written(write(f"{who}out", ": an agent is no thing, and leaves the game"))
    help = effect_help(item.name, rest)
    is_whole = isinstance(help, Help) and item.name.lower() not in ELSE_IF
    return item.meant(help, item.stop if is_whole else item.end)


def _there(item: _Item) -> Meant | None:
    """`sheep at (1, 0).energy += 1`: the one in a cell is named in brackets."""
    said = re.fullmatch(rf"at\s+({CELL})\s*\.\s*(\w+)\s*((?:[-+]?=|becomes\b).*)", item.rest)
    if said is None or not item.mistake.is_kind(item.name):
        return None
    return item.written(write(f"(the {item.name} at {said[1]}).{said[2]} {said[3]}"))


def _over(item: _Item) -> Meant | None:
    """`agent dies`, `game over`: the episode ends."""
    over = re.fullmatch(r"(?:agent|player|game)\s+(?:is\s+)?(\w+)", item.text)
    end = None if over is None else end_meant(over[1])
    return None if end is None else item.meant(write(end))


def _gone(item: _Item) -> Meant | None:
    """`coin disappears`."""
    gone = _GONE.fullmatch(item.text)
    if gone is None or not (item.mistake.is_kind(gone[1]) or item.mistake.is_thing(gone[1])):
        return None
    return item.meant(write(f"remove {gone[1]}"))


def _won(item: _Item) -> Meant | None:
    """`red wins`: an outcome of a name."""
    won = re.fullmatch(r"(\w+)\s+(wins?|won|loses|lost)", item.text)
    if won is None or is_known(won[1]):
        return None
    return item.meant(write(f"end {won[1]}_{'wins' if won[2][0] == 'w' else 'loses'}"))


def _changed(item: _Item) -> Meant | None:
    """`energy - 1`: a variable is changed."""
    changed = re.fullmatch(r"([A-Za-z_]\w*(?:\.\w+)?)\s*([+-])\s*([\w.]+)", item.text)
    if changed is None or did_you_mean(item.name, EFFECT_WORDS) is not None:
        return None
    if end_or_reward(changed[1]) == "reward {}" and not item.mistake.gives(changed[1]):
        return item.meant(write(f"reward {'-' if changed[2] == '-' else ''}{changed[3]}"))
    return item.written(write(f"{changed[1]} {changed[2]}= {changed[3]}", " to change it"), changed[1])


def _misspelt(item: _Item) -> Meant | None:
    """`rewrd 3`."""
    help = did_you_mean(item.name, EFFECT_WORDS)
    return None if help is None else Meant(help, item.start, item.end, unknown_effect=item.name)


def _set(item: _Item) -> Meant | None:
    """`energy is 5`, `energy 5`, `lit to true`: a variable is set."""
    value = re.fullmatch(r"(?:is|==|to|:=)?\s*(-?[\w.]+(?:\s*[-+*/]\s*[\w.]+)*)", item.rest)
    said = re.match(r"is\b|==|to\b|:=|-?\d", item.rest)
    if value is None or said is None or re.search(r"\b(not|and|or|on|at|has)\b", value[1]):
        return None
    is_reckoned = re.match(r"-?\d|(true|false)\b", value[1]) or not value[1].isidentifier()
    why = BEHIND_IF if said[0] in {"is", "=="} else " to set a variable"
    return item.meant(write(f"{item.name} {'=' if is_reckoned else 'becomes'} {value[1]}", why))


_OF_DEFINITIONS = (_without_brackets, _called)
_SAID_OTHERWISE = (_taken, _drawn, _there, _other_word, _over, _gone, _won, _changed)
_NEARLY = (_misspelt, _set)
