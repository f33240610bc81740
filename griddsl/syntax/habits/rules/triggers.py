"""Triggers in other words, and what is most likely meant by them."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, listing, write
from griddsl.syntax.habits.mistake import ANY_EVENT, Habits, Meant, Mistake
from griddsl.syntax.habits.rules.events import EVENT_WORDS, HAPPENS
from griddsl.syntax.keywords import EVENTS

_STEPPING = frozenset(
    {"step", "stepping", "walk", "walking", "standing", "stand", "land", "go", "move", "arrive"}
)
# Known actions, which a rule hears by `on do`.
_DONE = frozenset(
    {
        *("stay", "done", "up", "down", "left", "right", "turn_left", "turn_right"),
        *("forward", "backward", "strafe_left", "strafe_right"),
    }
)


_BOTH = re.compile(
    rf"on\s+(?:(?P<first>{ANY_EVENT})\s+(?P<a>\w+)\s+(?:and\s+)?(?P<b>\w+)"
    rf"|(?P<c>\w+)\s+and\s+(?P<d>\w+)\s+(?P<last>{ANY_EVENT})s?)(?P<rest>\s+(?:if|with)\b.*)?\s*"
)


def of_two(mistake: Mistake) -> Meant | None:
    """`on meet dog cat`, `on dog and cat meet`: whose rule it is stands before the event."""
    said = _BOTH.fullmatch(mistake.text) if mistake.start == "rule" else None
    if said is None:
        return None
    first, other = said["a"] or said["c"], said["b"] or said["d"]
    if not mistake.is_kind(first) or not mistake.is_kind(other):
        return None
    return Meant(
        write(f"on {first} {said['first'] or said['last']} {other}{said['rest'] or ''}"),
        start=0,
        stop=len(mistake.text),
    )


def other_trigger(mistake: Mistake) -> Meant | None:
    """`on push crate onto target`, `on drop rider at depot`, `on do sell at shop`, `on enter exit with gem`."""
    if mistake.start != "rule":
        return None
    who = re.match(rf"on\s+((?:any|each|every|some|an?|the)\s+agent\s+)(?:{ANY_EVENT})\b", mistake.text)
    if who is not None and who.start(1) <= mistake.begin < who.end():
        help = Help(f"it is about whichever agent does so: leave `{who[1].strip()}` out", ("",))
        return Meant(help, who.start(1), who.end(1) - 1, start=who.start(1), stop=who.end(1))
    for pattern, rewrite in (
        (rf"on\s+act\s+({ANY_EVENT})\s+(\w+)", "on {0} {1}"),
        (r"(on\s+act)\s+(?:at|on|in)\s+(\w+)", "{0} if agent on {1}"),
        (r"on\s+(?:push\s+)?(\w+)\s+(?:onto|into|on|to)\s+(\w+)", "on {0} enter {1}"),
        (rf"(on\s+(?:{ANY_EVENT}|do)\s+\w+)\s+(?:at|on|in)\s+(\w+)", "{0} if agent on {1}"),
        (rf"(on\s+(?:{ANY_EVENT})\s+\w+)\s+with\s+(?:an?\s+|the\s+)?([a-z_]\w*)", "{0} if agent has {1}"),
    ):
        found = re.match(rf"{pattern}(?=\s*\Z|\s+(?:if|with)\b)", mistake.text)
        if found is not None and found.start(1) <= mistake.begin < found.end():
            if found[2] in {"chance", "probability", "prob", "start"}:
                continue
            if found[1] in {"agent", "player"} or (found[1] in _STEPPING and not mistake.is_kind(found[1])):
                return Meant(write(f"on enter {found[2]}"), start=0, stop=found.end())
            taken = re.search(rf"\b{found[1].split()[-1]}\s*\(\s*(\w+)\s+in\b", mistake.whole)
            if taken is not None and " agent on " in rewrite:
                rewrite = f"{{0}} if {{1}} at {taken[1]}"  # where it is done is what the action takes
            head, stop = rewrite.format(found[1], found[2]), found.end()
            if " if " in head and (more := re.match(r"\s+if\b", mistake.text[stop:])):
                rest = mistake.text[stop + more.end() :].strip()
                head, stop = (
                    f"{head} and {f'({rest})' if ' or ' in rest else rest}",
                    len(mistake.text.rstrip()),
                )
            return Meant(write(head), start=0, stop=stop)
    nothing = re.match(rf"on\s+({ANY_EVENT})\s+(?=if\b|with\b)", mistake.text)
    if nothing is not None:
        line = f"an event names what it is about: `on {nothing[1]} K`"
        return Meant(line, *nothing.span(1), expected="a kind after the event")
    if re.fullmatch(r"on\s+move(d|s)?\s*", mistake.text):
        help = write("each step", "; `on do up` is one action")
        return Meant(help, 3, len(mistake.text.rstrip()), start=0, stop=len(mistake.text.rstrip()))
    return None


def action_as_event(mistake: Mistake) -> Meant | None:
    """`on spray`, `on spray if C`: the name of an action without `do`."""
    named = re.match(r"on\s+(\w+)\s*(?=\Z|\bif\b|\bwith\b)", mistake.text)
    if mistake.start != "rule" or named is None or mistake.begin < named.end(1):
        return None
    if re.fullmatch(rf"{ANY_EVENT}|act|do|fail", named[1]) or not mistake.is_action(named[1]):
        return None
    return Meant(write(f"on do {named[1]}"), *named.span(1), expected="an event", start=0, stop=named.end(1))


def event_as_condition(mistake: Mistake) -> Meant | None:
    """`when agent reaches goal`, `on collision with coin`: an event in other words."""
    if mistake.start != "rule":
        return None
    if (at := re.match(r"on\s+(?:the\s+)?step\s+(\d+)", mistake.text)) is not None:
        return Meant(write(f"when step == {at[1]}"), start=0, stop=at.end())
    if re.match(r"on\s+[\w.]+\s*(?:[=!]=|[<>]=?)\s*[\w.]+\s*\Z", mistake.text):
        return Meant(write("when", ": a condition"), start=0, stop=len("on"))
    found = re.match(
        r"when\s+(?:the\s+)?(\w+)\s+(\w+)\s+(?:up\s+|to\s+|at\s+|on\s+|with\s+|into\s+)?(?:the\s+|an?\s+)?(\w+)\s*\Z",
        mistake.text,
    )
    if found is not None and found[2] in {*HAPPENS, "enter", "leave", "bump", "meet"}:
        subject = "" if found[1] in {"agent", "player", "self"} else f"{found[1]} "
        event = HAPPENS.get(found[2], found[2])
        event = "meet" if event == "enter" and mistake.moves_by_itself(found[3]) else event
        if event == "enter" and (barred := mistake.barred_events(found[3])):
            event = barred[0]
        return Meant(
            write(f"on {subject}{event} {found[3]}"),
            start=0,
            stop=len(mistake.text.rstrip()),
        )
    contact = re.match(
        r"on\s+(?:(?:collision|contact|touching)\s+(?:with\s+|of\s+)?|(?:collide|touch)\s+(?:with|of)\s+)(?:the\s+)?(\w+)",
        mistake.text,
    )
    if contact is not None and mistake.begin <= contact.end():
        events = mistake.barred_events(contact[1]) or ("enter", "meet")
        rewrites = [f"on {each} {contact[1]}" for each in events]
        return Meant(Help(f"did you mean {listing(rewrites)}?", rewrites), start=0, stop=contact.end())
    return None


def event_after_when(mistake: Mistake) -> Meant | None:
    """`when pickup coin`: an event, which has no duration."""
    found = re.match(
        rf"when\s+({ANY_EVENT})\s+(?:an?\s+|the\s+)?(\w+)\s*(?=\Z|\bif\b|\bwith\b)", mistake.text
    )
    if mistake.start != "rule" or found is None:
        return None
    return Meant(write(f"on {found[1]} {found[2]}"), start=0, stop=found.end(2))


def event_of_each(mistake: Mistake) -> Meant | None:
    """`each pellet enter agent: ...`: what happens to things is said of the agent."""
    found = re.match(rf"each\s+(\w+)\s+({ANY_EVENT}|touch|hit)(?:s|es)?\s+(?:the\s+)?agent\b", mistake.text)
    if mistake.start != "rule" or found is None:
        return None
    return Meant(write(f"on {EVENT_WORDS.get(found[2], found[2])} {found[1]}"), start=0, stop=found.end())


def several_kinds(mistake: Mistake) -> Meant | None:
    """`on enter coin, gem`: two kinds in one trigger."""
    if (
        mistake.start != "rule"
        or not mistake.text.startswith("on")
        or mistake.found not in {",", "or", "and", "|"}
    ):
        return None
    if re.match(r",\s*(?:if|with)\b", mistake.rest):
        return Meant(Help("leave `,` out", ("",)))
    behind = re.match(r"(?:and|or)\s+(\w+)\s*(?=\Z|\bif\b|\bwith\b|[,|]|and\b|or\b)", mistake.rest)
    if mistake.found == "and" and behind is None:
        return Meant(Help("a condition stands behind `if`", ("if",)))
    named = re.search(
        rf"\b(?:{ANY_EVENT})\s+((\w+)\s*(?:,|or|and|\|)\s*(\w+))\s*(?=\Z|\bif\b|\bwith\b)", mistake.text
    )
    if named is None:
        return Meant("a rule names one kind, or several in brackets: `on enter (coin or gem)`")
    line = write(f"({named[2]} or {named[3]})")
    start, stop = named.span(1)
    return Meant(line, start, stop, found=f"`{named[1]}`", expected="one kind", start=start, stop=stop)


def nobody_of_an_event(mistake: Mistake) -> Meant | None:
    """`on pickup:`, `on enter:`: a rule says of what."""
    said = re.fullmatch(r"on\s+(enter|leave|meet|bump|push|pickup|drop|toggle)\s*", mistake.text)
    if mistake.start != "rule" or mistake.found or said is None:
        return None
    kind = re.search(r"^(?:object|tile)\s+(\w+)", mistake.whole, re.MULTILINE)
    named = f"on {said[1]} {kind[1]}" if kind is not None else f"on {said[1]} K"
    return Meant(f"say of what: `{named}:`", expected="a kind")


def missing_event(mistake: Mistake) -> Meant | None:
    """`on step_on goal`, `on goal`: a trigger without its event."""
    turned = re.fullmatch(rf"on\s+(\w+)\s+({ANY_EVENT})", mistake.text.strip())
    if mistake.start == "rule" and turned is not None and not mistake.found:
        return Meant(write(f"on {turned[2]} {turned[1]}"), start=0, stop=len(mistake.text.rstrip()))
    alone = re.fullmatch(r"on\s+(?!(?:do|fail|act)\Z)(\w+)", mistake.text.strip())
    if mistake.start != "rule" or alone is None or mistake.found or (word := alone[1]) in EVENTS:
        return None
    if word in _DONE and not mistake.is_kind(word):
        return Meant(write(f"on do {word}"), start=0, stop=len(mistake.text.rstrip()))
    asks = re.search(rf"^(?:define|var)\s+{word}\b", mistake.whole, re.MULTILINE) is not None
    help = write(f"when {word}") if asks else write(f"on enter {word}", ", or another event")
    return Meant(help, start=0, stop=len(mistake.text.rstrip()))


def steps(mistake: Mistake) -> Meant | None:
    """`every 5`, `every coin`: a count of steps or a kind in other words."""
    if mistake.start != "rule":
        return None
    count = re.match(r"(each|every)\s+(\w+)(\s+\w+)?", mistake.text)
    if count is None or mistake.text.startswith("each step"):
        return None
    if count.group(2).isdigit():
        return Meant(write(f"every {count.group(2)} steps"), start=0, stop=count.end())
    if count.group(1) == "every":
        help = f"write `each {count.group(2)}`; `every` counts steps: `every 5 steps`"
        return Meant(Help(help, (f"each {count.group(2)}",)), 0, 5, start=0, stop=count.end(2))
    return None


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (of_two, event_as_condition, event_after_when, event_of_each, action_as_event)
