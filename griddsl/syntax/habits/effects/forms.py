"""Forms of effects in other words: what is placed, drawn, joined, left to chance or to come out."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, near, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS


def drawn_cell(mistake: Mistake) -> Meant | None:
    """`spot = random floor`: a cell is chosen, not set."""
    start, stop = mistake.item_start(), mistake.item_end()
    drawn = re.fullmatch(r"(\w+)\s*=\s*(random\s+[a-z_]\w*.*)", mistake.text[start:stop])
    if mistake.start != "effects" or drawn is None:
        return None
    if drawn[2].split()[1] == "in":
        return Meant(write(f"{drawn[1]} = random{drawn[2].partition(' in')[2]}"), start=start, stop=stop)
    return Meant(write(f"choose {drawn[1]} in {drawn[2]}", ": a cell is chosen"), start=start, stop=stop)


def handled_in_a_cell(mistake: Mistake) -> Meant | None:
    """`remove flag at spot`, `pickup ball at (1, 2)`: a condition finds what is in a cell."""
    item = mistake.text[mistake.item_start() : mistake.item_end()]
    said = re.fullmatch(r"(remove|pickup|drop)\s+(\w+)\s+(at|on)\s+(.+)", item)
    if mistake.start != "effects" or mistake.found not in {"at", "on"} or said is None:
        return None
    verb, kind, relation, cell = said.groups()
    if verb == "drop" and relation == "at":
        put = write(
            f"move {kind} to {cell}", f": `drop {kind}` puts it down ahead, or where the agent stands"
        )
        return Meant(put, expected="`,` or the end", start=mistake.item_start(), stop=mistake.item_end())
    if relation == "at" and mistake.is_kind(kind):
        one = write(f"{verb} the {kind} at {cell}")
        return Meant(one, expected="`,` or the end", start=mistake.item_start(), stop=mistake.item_end())
    line = f"if {kind} {relation} {cell}: {verb} {kind}"
    help = f"a condition finds it: `{line}` on a line of its own, or `if {kind} {relation} {cell}` in the rule's head"
    return Meant(help, expected="`,` or the end")


def moved_from_a_cell(mistake: Mistake) -> Meant | None:
    """`move peg at spot to (1, 2)`, `move box at (1, 2) east`: a condition finds what is in a cell."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(
        r"move\s+(\w+)\s+(at|on)\s+(.+?)\s+(to\s+.+|north|east|south|west|\w+)", mistake.text[start:stop]
    )
    if mistake.start != "effects" or said is None or mistake.begin < start + said.start(2):
        return None
    kind, relation, cell, way = said.groups()
    if not mistake.is_kind(kind):
        return None
    help = f"a condition finds it: `if {kind} {relation} {cell}: move {kind} {way}` on a line of its own"
    return Meant(help, start + said.start(2), start + said.end(3), expected="where it goes")


def handled_of_somebody(mistake: Mistake) -> Meant | None:
    """`remove agent.sack`, `drop self.key`: a thing is no attribute of who has it."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = re.fullmatch(r"(remove|pickup|drop)\s+[a-z_]\w*\.([a-z_]\w*)", mistake.text[start:stop])
    if mistake.start != "effects" or mistake.found != "." or said is None:
        return None
    line = write(f"{said[1]} {said[2]}", ": a thing goes by its kind, whoever has it")
    return Meant(line, expected="`,` or the end", start=start, stop=stop)


def joined_effects(mistake: Mistake) -> Meant | None:
    """`reward 1 end`, `reward 1 and end success`: effects without their comma."""
    if mistake.start != "effects":
        return None
    joined = re.search(r"\s*\b(and|then)\s+(\w+)\Z", mistake.before)
    if joined is not None and joined.group(2) in EFFECT_WORDS:
        help = Help("separate effects with `,`", (",",))
        return Meant(help, *joined.span(1), expected="`,`", start=joined.start(), stop=joined.end(1))
    if re.match(rf"(and|then)\s+({'|'.join(EFFECT_WORDS)})\b", mistake.rest):
        help = Help("separate effects with `,`", (",",))
        return Meant(help, expected="`,`", start=len(mistake.before), stop=mistake.end)
    word = re.search(r"(?:^|[,:])\s*(\w+)\Z", mistake.before)
    if mistake.found == "reward" and word is not None and (likely := near(word[1], ["hidden"])):
        help = Help(f"did you mean `{likely[0]}`?", (likely[0],))
        return Meant(help, *word.span(1), expected="an effect", start=word.start(1), stop=word.end(1))
    if mistake.found in EFFECT_WORDS and mistake.before:
        help = Help(
            f"separate effects with `,`: is one missing before `{mistake.found}`?", (f", {mistake.found}",)
        )
        return Meant(help, start=len(mistake.before), stop=mistake.end)
    return None


def paid_to_several(mistake: Mistake) -> Meant | None:
    """`reward -1 to blue and red`: one effect pays one, or all of a kind."""
    said = re.search(r"\b(?P<paid>reward\b[^,]*?\sto)\s+(?P<who>\w+(?:\s+and\s+\w+)+)", mistake.text)
    if mistake.start != "effects" or said is None or not said.start() <= mistake.begin <= said.end():
        return None
    names = re.split(r"\s+and\s+", said["who"])
    if set(names) & {*EFFECT_WORDS}:
        return None
    each = ", ".join(f"{said['paid']} {name}" for name in names)
    return Meant(write(each), start=said.start(), stop=said.end())


def chance(mistake: Mistake) -> Meant | None:
    """`reward 1 with chance 0.5`: a chance behind an effect."""
    if mistake.start != "effects" or mistake.found != "with":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    given = re.match(
        r"with\s+(?:an?\s+)?(?:reward\s+(?:of\s+)?)?([+-]\d[\d.]*|\d[\d.]*(?=\s+(?:points?|reward)))",
        mistake.rest,
    )
    given = given or re.match(r"with\s+(?:an?\s+)?reward\s+(?:of\s+)?(\d[\d.]*)", mistake.rest)
    if given is not None:
        item = mistake.text[start : mistake.begin].rstrip()
        return Meant(write(f"reward {given[1]}, {item}"), start=start, stop=stop)
    if mistake.text[start:].startswith("place") and re.match(
        r"with\s+(?!chance\b|probability\b)", mistake.rest
    ):
        return Meant(write("where"), stop=mistake.begin + len("with"))
    line = "on a line of its own in a block, `if true with chance 0.5: ...`"
    return Meant(f"a chance stands in the rule's head: `on enter K with chance 0.5: ...`; {line}")


def chance_line(mistake: Mistake) -> Meant | None:
    """`chance 0.2: reward 1`: a chance as a line of a block, where one stands behind a condition."""
    at = mistake.item_start()
    said = re.match(
        r"(?:with\s+)?(?:an?\s+)?(?:(?:chance|probability|prob)\s+(?:of\s+)?(?P<late>[\d./]+%?)"
        r"|(?P<early>\d[\d./]*%?)(?:\s+(?:chance|probability|prob)|(?<=%)))\s*:",
        mistake.text[at:],
    )
    if mistake.start != "effects" or said is None:
        return None
    stop, amount = at + said.end() - 1, said["late"] or said["early"]
    if re.search(rf"^[ \t]+{re.escape(said[0])}", mistake.whole, re.MULTILINE) is None:  # behind a head
        head = f"a chance stands in a rule's head, behind its trigger and its `if`: `each K with chance {amount}: ...`"
        return Meant(head, at, stop, expected="an effect")
    help = write(
        f"if true with chance {amount}", ": a chance stands behind a condition, or in the rule's head"
    )
    return Meant(help, at, stop, expected="an effect", start=at, stop=stop)


def aimed(mistake: Mistake) -> Meant | None:
    """`tree ahead becomes stump`: an effect is done to what a condition has found."""
    start, stop = mistake.item_start(), mistake.item_end()
    item = re.match(r"(\w+)\s+ahead\s+becomes\b", mistake.text[start:stop])
    if mistake.start != "effects" or item is None:
        return None
    begin = start + item.end(1)
    help = Help(f"leave `ahead` out: after `if {item[1]} ahead`, `{item[1]}` is that one", ("",))
    word = begin + mistake.text[begin:].index("ahead")
    return Meant(help, word, word + 5, expected="`becomes`", start=begin, stop=word + 5)


def outcome(mistake: Mistake) -> Meant | None:
    """`end red wins`: an outcome of several words."""
    start, stop = mistake.item_start(), mistake.item_end()
    ended = re.fullmatch(r"(end|truncate)\s*:?=\s*[\"']?(\w+)[\"']?", mistake.text[start:stop])
    if mistake.start == "effects" and ended is not None:
        word = "" if ended[1] == "truncate" or ended[2].lower() in {"true", "1"} else f" {ended[2]}"
        sign = mistake.text.index("=", start)
        return Meant(
            write(f"{ended[1]}{word}"), sign, sign + 1, expected="the outcome", start=start, stop=stop
        )
    words = re.fullmatch(r"end\s+(\w+(?:\s+\w+)+)", mistake.text[start:stop])
    if mistake.start != "effects" or words is None or re.search(r"\b(if|with|and|then)\b", words[1]):
        return None
    if any(word in EFFECT_WORDS for word in words[1].split()):
        return None
    if set(words[1].split()) <= {"the", "this", "episode", "game", "level", "round"}:
        return Meant(write("end"), start=start, stop=stop)
    whose = re.fullmatch(r"(success|failure|win|loss)\s+(?:for|of|to)\s+(?:the\s+)?(\w+)", words[1])
    if whose is not None and whose[2] in {"self", "agent", "player", "me", "all", "everyone", "both"}:
        word = {"win": "success", "loss": "failure"}.get(whose[1], whose[1])
        return Meant(
            write(f"end {word}", ": an episode ends for all; `out` retires one of several agents"),
            start=start,
            stop=stop,
        )
    rewrite = f"end {'_'.join(words[1].split())}"
    return Meant(write(rewrite, ": an outcome is one word"), start=start, stop=stop)


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (paid_to_several, joined_effects, chance, chance_line, aimed, outcome)
