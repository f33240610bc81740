"""Habits in `info` and in what a mission says: entries without a name or a sign, and sums in other words."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import ANY_EVENT, Habits, Meant, Mistake
from griddsl.syntax.keywords import EFFECT_WORDS, STATEMENTS, VARIANT_SETS


def _is_named(mistake: Mistake, said: re.Match[str]) -> bool:
    """Whether what is told needs no name, as in `score`, or has one."""
    return mistake.start == "told" or "=" in mistake.text[mistake.item_start() : said.start()]


def _told(mistake: Mistake, said: re.Match[str], name: str, told: str) -> Meant:
    """Return how what is told is asked for; an entry of `info` that has no name is given one."""
    if _is_named(mistake, said):
        return Meant(write(told), *said.span(), expected="a value", start=said.start(), stop=said.end())
    help = write(f"{name} = {told}", ": each entry has a name")
    return Meant(help, *said.span(), expected="`NAME = VALUE`", start=said.start(), stop=said.end())


def unnamed(mistake: Mistake) -> Meant | None:
    """`info: mood`, `info: distance(agent, goal)`, `info: agent.x`: an entry has a name."""
    start, stop = mistake.item_start(), mistake.item_end()
    item = mistake.text[start:stop].strip()
    value = re.fullmatch(r"(?:\w+\.)?(\w+)(?:\(.*\))?", item)
    reckoned = re.fullmatch(r"[\w.()]+(?:\s*[-+*/]\s*[\w.()]+)+", item)
    is_id = re.search(r"-v\d", item) is not None
    if mistake.start != "infos" or mistake.expected != {"EQUAL"} or (value or reckoned) is None or is_id:
        return None
    help = write(f"{value[1] if value is not None else 'number'} = {item}", ": each entry has a name")
    return Meant(help, start, stop, found=f"`{item}`", expected="`NAME = VALUE`", start=start, stop=stop)


def without_equals(mistake: Mistake) -> Meant | None:
    """`info: open count(card)`, `variant mine/X-v0: size 4`: `=` stands between a name and its value."""
    start, stop = mistake.item_start(), mistake.item_end()
    name = re.fullmatch(r"\s*(\w+)\s+", mistake.text[start : mistake.begin])
    if mistake.start != "infos" or mistake.expected != {"EQUAL"} or name is None:
        return None
    line = rf"^(?:variant\b|\"?[\w./-]+-v[0-9]+\b)(?:.*\n[ \t])*.*{re.escape(mistake.text)}"
    is_of_variant = re.search(line, mistake.whole, re.MULTILINE) is not None
    if is_of_variant and name[1] != "limit" and name[1] in {*STATEMENTS, *EFFECT_WORDS, "add"}:
        return Meant(VARIANT_SETS, start, stop, found=f"`{name[1]}`", expected="`NAME = VALUE`")
    if is_of_variant and mistake.found in {"in", "+=", "-=", "*=", "/="}:
        line = f"a variant sets one value, as in `{name[1]} = 9`: what it can be, `param {name[1]}` says"
        return Meant(line, expected="`=`")
    if not re.match(r"[\w(\"-]", mistake.found) or mistake.found in {"is", "to", "as", "in", "at", "on"}:
        return None
    help = write(f"{name[1]} = {mistake.text[mistake.begin : stop]}")
    return Meant(help, expected="`=`", start=start + name.start(1), stop=stop)


def of_rewards(mistake: Mistake) -> Meant | None:
    """`total rewards`, `sum of rewards`, `cumulative reward`, `episode return`; and `total reward` in a rule."""
    words = r"\b(total|sum|cumulative|accumulated|episode)\s+(of\s+)?(the\s+|all\s+)?(rewards?|returns?)\b"
    said = re.search(words, mistake.text)
    if said is None or not mistake.item_start() <= said.start() < mistake.item_end():
        return None  # what stands beside the mistake is as it should be
    swapped = re.compile(r"\s*=\s*([A-Za-z_]\w*)").fullmatch(mistake.text, said.end(), mistake.item_end())
    if mistake.start == "infos" and swapped is not None and not _is_named(mistake, said):
        help = write(f"{swapped[1]} = total reward", ": the name stands first")
        return Meant(help, *said.span(), expected="a name", start=said.start(), stop=swapped.end())
    whose = re.compile(r"\s+(?:of|for|to)\s+\w+").fullmatch(mistake.text, said.end(), mistake.item_end())
    if mistake.start in {"infos", "told"} and said[0] == "total reward" and whose is not None:
        help = Help(f"leave `{whose[0].strip()}` out: each agent is told its own", ("",))
        return Meant(
            help, said.end() + 1, whose.end(), expected="`,` or the end", start=said.end(), stop=whose.end()
        )
    if mistake.start in {"infos", "told"}:
        return _told(mistake, said, "gained", "total reward")
    if mistake.start not in {"effects", "expression", "rule", "if_head", "observations"}:
        return None
    line = "no rule asks for it, it is told: `info: gained = total reward`; a rule can count in a variable of its own"
    return Meant(line, *said.span(), found=f"`{said[0]}`", expected="a value of the game")


def of_events(mistake: Mistake) -> Meant | None:
    """`count of pickup coin`, `count on pickup coin`, `number of pickup coin`, `count of coin`."""
    if mistake.start not in {"infos", "told"}:
        return None
    events = re.compile(rf"\b(count|number|times)\s+(of\s+|on\s+)+(({ANY_EVENT})\s+\w+)")
    said = events.search(mistake.text, mistake.item_start(), mistake.item_end())
    if said is not None:
        return _told(mistake, said, "times", f"count of on {said[3]}")
    things = re.search(r"\b(count|number)\s+of\s+(\w+)\s*\Z", mistake.text[: mistake.item_end()])
    if things is None or not mistake.is_kind(things[2]):
        return None
    return _told(mistake, things, "number", f"count({things[2]})")


def of_moments(mistake: Mistake) -> Meant | None:
    """`count when C`, `count of on when C`, `number of times when C`; and `count of when C if D`."""
    if mistake.start not in {"infos", "told"}:
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    counted = re.compile(r"\b(count|number|times|how\s+often)(\s+(of|on|times|steps))*\s+when\b")
    said = counted.search(mistake.text, start, stop)
    if said is None:
        return None
    if not re.fullmatch(r"count\s+of\s+when", said[0]):
        return _told(mistake, said, "steps", "count of when")
    if not _is_named(mistake, said):
        return _told(mistake, said, "steps", "count of when")
    if mistake.found == "if" or "ELSE" in mistake.expected:
        at = mistake.begin if mistake.found == "if" else mistake.text.rindex(" if ", start, stop) + 1
        help = write("and", ": what is counted is one condition")
        return Meant(help, at, at + 2, found="`if`", expected="`,` or the end")
    return None


def one_text(mistake: Mistake) -> Meant | None:
    """`mission: "go" if C`: nothing is said of the other case."""
    alone = re.match(r'"(?:\\.|[^"\\])*"\s*if\b', mistake.text) is not None
    if mistake.start != "expression" or not alone or mistake.found or "ELSE" not in mistake.expected:
        return None
    end = len(mistake.text)
    line = Help('what it says otherwise follows, be it nothing: `else ""`', (' else ""',))
    return Meant(line, expected="`else` and another text", start=end, stop=end)


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (of_rewards, of_events, of_moments, one_text, without_equals)
