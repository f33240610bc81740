"""Effects in the shapes of other languages: on several things, on two at once, and with what follows its place."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.brackets import value_alone
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake

_KIND = r"[A-Za-z_]\w*(?:\([^()]*\))?"
_OF_A_THING = r"[A-Za-z_]\w*\.[A-Za-z_]\w*"


def of_several(mistake: Mistake) -> Meant | None:
    """`remove all coin`, `pickup every coin where C`, `remove any coin`: a loop goes through them, or one is named."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        rf"(remove|pickup|drop)\s+(all|every|each|any)\s+(?:the\s+)?({_KIND})(\s+where\s+.+)?",
        mistake.text[start:stop],
    )
    if mistake.start != "effects":
        return None
    if said is None:
        return _some_of_them(mistake, start, stop) or _put_elsewhere(mistake, start, stop)
    several = _name(said[3])
    name = mistake.singular(several)
    if name is None:
        return None
    kind, where = said[3].replace(several, name, 1), re.sub(rf"\b{several}\b", name, said[4] or "")
    at = start + said.start(2)
    place = (at, at + len(said[2]), f"`{said[2]}`", "a thing")
    loop = f"each {kind}{where}: {said[1]} {name}"
    if said[1] == "drop":
        return Meant(f"`drop {kind}` puts down the first {name} that is carried", *place)
    if said[2] == "any":
        one = f"{said[1]} the {kind} with least distance({name}, agent){where}"
        return Meant(
            write(one, f" for the nearest; for all of them `{loop}`"), *place, start=start, stop=stop
        )
    line = re.search(rf"^[ ]+{re.escape(mistake.text)}[ ]*(?:#.*)?$", mistake.whole, re.MULTILINE)
    if line is None or mistake.text[:start].strip() or mistake.text[stop:].strip():
        return Meant(f"a line of a block goes through them: `{loop}`", *place)
    return Meant(write(loop), *place, start=start, stop=stop)


def _some_of_them(mistake: Mistake, start: int, stop: int) -> Meant | None:
    """`remove coin where C`, `remove first coin`: a loop says of which, or a number of which one."""
    text = mistake.text[start:stop]
    asked = re.fullmatch(rf"(remove|pickup)\s+({_KIND})\s+(?:where|with)\s+(.+)", text)
    if asked is not None and mistake.is_kind(_name(asked[2])):
        loop = f"each {asked[2]} where {asked[3]}: {asked[1]} {_name(asked[2])}"
        return Meant(f"a line of a block goes through them: `{loop}`", start, stop, f"`{text}`", "an effect")
    first = re.fullmatch(rf"(remove|pickup)\s+(?:the\s+)?(?:first|nearest|closest)\s+({_KIND})", text)
    if first is None or not mistake.is_kind(_name(first[2])):
        return None
    one = f"{first[1]} the {first[2]} with least distance({_name(first[2])}, agent)"
    named = write(one, ": one of several is named by a number")
    return Meant(named, start, stop, f"`{text}`", "a thing", start=start, stop=stop)


def _put_elsewhere(mistake: Mistake, start: int, stop: int) -> Meant | None:
    """`drop key in chest`, `remove coin in room`, `place coin at every floor in room`, `door becomes color red`."""
    text = mistake.text[start:stop]
    place = (start, stop, f"`{text}`", "an effect")
    put = re.fullmatch(rf"(?:drop|put)\s+({_KIND})\s+(?:in|into|inside)\s+(?:the\s+)?(\w+)", text)
    if put is not None and mistake.is_kind(_name(put[1])) and mistake.is_kind(put[2]):
        line = f"`place {put[1]} in {put[2]}` puts one there, and `remove {_name(put[1])}` takes it out of the hand"
        return Meant(line, *place)
    there = re.fullmatch(rf"(remove|pickup)\s+({_KIND})\s+(?:in|on)\s+(?:the\s+)?(\w+|\([^()]*\))", text)
    if there is not None and mistake.is_kind(_name(there[2])):
        relation = "at" if re.fullmatch(r"\([^.()]*\)", there[3]) else "on"
        loop = f"each {there[2]} where {_name(there[2])} {relation} {there[3]}: {there[1]} {_name(there[2])}"
        return Meant(f"a line of a block goes through them: `{loop}`", *place)
    area = re.match(r"in\s+(\w+|\([^()]*\))", mistake.rest)
    if area is not None and re.search(r"\bat\s+every\s+\w+\s*\Z", mistake.before):
        return Meant(write(f"where here on {area[1]}"), stop=mistake.begin + area.end())
    word = re.fullmatch(r"(\w+)\s+becomes\s+(\w+)\s+(\w+)", text)
    if word is not None and mistake.attribute_with(word[3], word[1]) == word[2]:
        return Meant(write(f"{word[1]} becomes {word[3]}"), *place)
    return None


def moved_several(mistake: Mistake) -> Meant | None:
    """`move all coins east`, `move every coin to start`: a loop goes through them."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"move\s+(?:all|every|each)\s+(?:the\s+)?(\w+)\s+(\w.*)", mistake.text[start:stop])
    name = None if said is None else mistake.singular(said[1])
    if mistake.start != "effects" or said is None or name is None:
        return None
    loop = f"each {name}: move {name} {said[2]}"
    line = re.search(rf"^[ ]+{re.escape(mistake.text)}[ ]*(?:#.*)?$", mistake.whole, re.MULTILINE)
    if line is None or mistake.text[:start].strip() or mistake.text[stop:].strip():
        return Meant(f"a line of a block goes through them: `{loop}`")
    return Meant(write(loop), start=start, stop=stop)


def _name(kind: str) -> str:
    """Return the name of a kind, without its attributes."""
    return kind.partition("(")[0]


def compared(mistake: Mistake) -> Meant | None:
    """`x.falling == true`: what sets a value has one sign."""
    said = re.fullmatch(rf"({_OF_A_THING})\s*==", mistake.text[mistake.item_start() : mistake.end])
    if mistake.start != "effects" or mistake.found != "==" or said is None:
        return None
    return Meant(write("=", ": `==` compares; what is asked stands behind `if`"))


def paid_to(mistake: Mistake) -> Meant | None:
    """`south.reward 1`, `south.reward += 1`: whose reward it is stands behind `to`."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        r"([A-Za-z_]\w*)\.rewards?\s*(\+=|-=|=|:)?\s*(-?[\w.]+(?:\([^()]*\))?)", mistake.text[start:stop]
    )
    if mistake.start != "effects" or said is None:
        return None
    amount = f"-{said[3]}" if said[2] == "-=" else f"= {said[3]}" if said[2] == "=" else said[3]
    several = re.search(r"^agents\b", mistake.whole, re.MULTILINE) is not None
    whose = "" if said[1] in {"agent", "self"} and not several else f" to {said[1]}"
    return Meant(write(f"reward {amount}{whose}"), start=start, stop=stop)


def both_at_once(mistake: Mistake) -> Meant | None:
    """`a.color, b.color = b.color, a.color`: values are set one by one, and the first is kept by a name."""
    side = r"[A-Za-z_][\w.]*"
    said = re.fullmatch(rf"({side})\s*,\s*({side})\s*=\s*([^,=]+?)\s*,\s*([^,=]+?)\s*", mistake.text)
    if mistake.start != "effects" or said is None or not ("." in said[1] or mistake.gives(said[1])):
        return None
    one, other = said[1], said[2]
    again = re.search(rf"\b{re.escape(one)}\b", said[4]) is not None
    kept = "old" if not mistake.gives("old") else "old_value"
    value = re.sub(rf"\b{re.escape(one)}\b", kept, said[4])
    line = f"{one} = {said[3]}, {other} = {value}"
    line = f"let {kept} = {one}, {line}" if again else line
    help = write(line, ": values are set one by one")
    return Meant(help, 0, said.end(2), f"`{one}, {other}`", "one of them", start=0, stop=said.end(4))


def described_behind(mistake: Mistake) -> Meant | None:
    """`place agent at (1, 1) facing north`, `place door at (3, 3) locked`: what it is like stands behind the kind."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        r"place\s+((?:\d+\s+)?(\w+))\s+(at\s+(?:\([^()]*\)|random\s+\w+|\w+))\s+(?:with\s+)?(?:(facing)\s+)?(\w+)",
        mistake.text[start:stop],
    )
    if mistake.start != "effects" or said is None:
        return None
    given = f"facing={said[5]}" if said[4] else value_alone(mistake, said[2], said[5])
    if given is None:
        return None
    at = start + said.start(4 if said[4] else 5)
    line = write(f"place {said[1]}({given}) {said[3]}", ": what it is like stands in brackets")
    return Meant(line, at, stop, f"`{mistake.text[at:stop]}`", "the end", start=start, stop=stop)


def placed_in_brackets(mistake: Mistake) -> Meant | None:
    """`place flame(there)`: a cell follows `at`."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"place\s+(\w+)\s*\(\s*(\w+)\s*\)", mistake.text[start:stop])
    if mistake.start != "effects" or said is None or value_alone(mistake, said[1], said[2]) is not None:
        return None
    cell = rf"\blet\s+{said[2]}\s*=\s*\(|\bchoose\s+{said[2]}\s+in\s+random\b|\b{said[2]}\s+in\s+cells\b"
    if said[2] not in {"here", "start"} and re.search(cell, mistake.whole) is None:
        return None
    help = write(f"place {said[1]} at {said[2]}", ": a cell follows `at`")
    at = start + said.start(2)
    return Meant(help, at, at + len(said[2]), expected="an attribute", start=start, stop=stop)


def found_and_changed(mistake: Mistake) -> Meant | None:
    """`tree at (1, 1) becomes burning`: what a condition finds, its effect speaks of."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        rf"(?:(?:the|any)\s+)?(({_KIND})\s+(?:at|on|within)\b.*?)\s+becomes\s+([\w()=]+)",
        mistake.text[start:stop],
    )
    if mistake.start != "effects" or said is None or not mistake.is_kind(name := _name(said[2])):
        return None
    asked, change = said[1], f"{name} becomes {said[3]}"
    line = re.search(rf"^[ ]+{re.escape(mistake.text)}[ ]*(?:#.*)?$", mistake.whole, re.MULTILINE)
    place = (start, start + said.end(1), f"`{said[1]}`", "an effect")
    if line is None or mistake.text[:start].strip() or mistake.text[stop:].strip():
        return Meant(f"a condition finds it: `if {asked}: {change}`, on a line of a block", *place)
    return Meant(write(f"if {asked}: {change}"), *place, start=start, stop=stop)


def most_by_a_condition(mistake: Mistake) -> Meant | None:
    """`the pit with most 1 if C else 0`: a number that is chosen stands in brackets."""
    said = re.search(
        r"\bthe\s+\w+\s+with\s+(?:least|most)\s+([^()]+?\s+if\s+.+?\s+else\s+-?[\w.]+)(?=\s*(?:\Z|,|\)|:|where\b))",
        mistake.text,
    )
    if said is None or mistake.found != "if" or not said.start() < mistake.begin < said.end():
        return None
    help = Help(f"a number with a condition stands in brackets: write `({said[1]})`", (f"({said[1]})",))
    return Meant(help, *said.span(1), f"`{said[1]}`", "a number", start=said.start(1), stop=said.end(1))


def drawn_between(mistake: Mistake) -> Meant | None:
    """`coin.worth = 1..3`, `coin.worth in 1..3`: one of several values is drawn."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        rf"({_OF_A_THING}|[A-Za-z_]\w*)\s*(=|in)\s*([\w.]+?\.\.[\w.]+)", mistake.text[start:stop]
    )
    if mistake.start != "effects" or said is None or not ("." in said[1] or mistake.gives(said[1])):
        return None
    at = start + said.start(2)
    help = write(f"= random {said[3]}", ": one of them is drawn")
    return Meant(help, at, stop, f"`{mistake.text[at:stop]}`", "a value", start=at, stop=stop)


def nobody_becomes(mistake: Mistake) -> Meant | None:
    """`on bump coin: reward 1, becomes box`: it is said what becomes another thing."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"(becomes)\s+([\w()=]+)", mistake.text[start:stop])
    if mistake.start != "effects" or said is None:
        return None
    place = (start, start + len("becomes"))
    return Meant(f"say what becomes it: `K becomes {said[2]}`", *place, "`becomes` alone", "a thing")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    of_several,
    moved_several,
    compared,
    paid_to,
    both_at_once,
    described_behind,
    placed_in_brackets,
    found_and_changed,
    most_by_a_condition,
    drawn_between,
    nobody_becomes,
)
