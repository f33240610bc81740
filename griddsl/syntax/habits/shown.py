"""Habits in what is observed: forms without `as`, lists without brackets, codes without numbers."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Habits, Meant, Mistake, of_item

_FORMS = r"planes|codes|kinds|minigrid"


def form_alone(mistake: Mistake) -> Meant | None:
    """`view 3x3 planes (coin)`, `view 7x7 centered codes (...)`: a form follows `as`."""
    if mistake.start != "observations" or not re.fullmatch(_FORMS, mistake.found):
        return None
    if re.search(r"\b(?:grid|view\s+\d+\s*x\s*\d+|centered|occluded|cone)\s*\Z", mistake.before) is None:
        return None
    return Meant(write(f"as {mistake.found}"), expected="`as`")


def list_without_brackets(mistake: Mistake) -> Meant | None:
    """`grid as planes coin, goal`, `as codes wall 1, coin 2`: what is shown stands in brackets."""
    said = re.search(r"\bas\s+(planes|codes)\s+([^()]*?)\s*\Z", mistake.text)
    if (
        mistake.start != "observations"
        or said is None
        or not said.start(2) <= mistake.begin <= said.start(2) + len(said[2].split()[0] if said[2] else "")
    ):
        return None
    if "=" in said[2] or re.match(r"(?:with|as)\b|[^\w]", said[2]):
        return None
    start, stop = said.span(2)
    return Meant(write(f"({said[2]})"), start=start, stop=stop, expected="brackets around what is shown")


def codes_with_equals(mistake: Mistake) -> Meant | None:
    """`grid as codes (wall=1, coin=2)`: a kind and its code, with nothing between them."""
    said = re.search(r"\bas\s+codes\s*\(([^()]*)\)", mistake.text)
    if mistake.start != "observations" or said is None or not said.start() < mistake.begin < said.end():
        return None
    codes = re.sub(r"(\w)\s*[=:]\s*(\d)", r"\1 \2", said[1])
    if codes == said[1] or re.search(r"[=:]", codes):
        return None
    return Meant(write(codes), *said.span(1), expected="kinds and their codes: `wall 0`")


def centered_late(mistake: Mistake) -> Meant | None:
    """`view 5x5 occluded centered`: where the agent stands is said first."""
    said = re.search(r"\b(?:occluded|cone(?:\s+\d+)?)(?:\s+(?:occluded|cone(?:\s+\d+)?))*\Z", mistake.before)
    if mistake.start != "observations" or mistake.found != "centered" or said is None:
        return None
    return Meant(write(f"centered {said[0]}"), start=said.start(), stop=mistake.end)


_FIXED = re.compile(
    r"(?P<size>\bview\s+\d+\s*x\s*\d+)(?P<before>(?:\s+(?:centered|occluded))*)"
    r"\s+(?:north[-_ ]?up|up\s+north|(?:with\s+)?north\s+(?:on\s+top|at\s+the\s+top|always\s+up)"
    r"|fixed(?:\s+orientation)?|unrotated|not\s+rotated|absolute|allocentric|world(?:[-_ ]aligned)?)(?!\w)"
)


def north_up(mistake: Mistake) -> Meant | None:
    """`view 5x5 north up`, `view 5x5 centered occluded north up`, `view 5x5 allocentric`."""
    if mistake.start != "observations":
        return None
    for said in _FIXED.finditer(mistake.text):
        if said.start() <= mistake.begin <= said.end():
            kept = " occluded" if "occluded" in said["before"] else ""
            line = write(f"{said['size']} centered north up{kept}")
            return Meant(
                line, *said.span(), expected="`centered north up`", start=said.start(), stop=said.end()
            )
    return None


def described_view(mistake: Mistake) -> Meant | None:
    """`partial view 5x5`, `local view 5x5`, `egocentric view`: a view is a part of the board anyway."""
    said = re.search(
        r"\b(partial|local|egocentric|agent|first_person|cropped)\s+\Z", mistake.text[: mistake.begin]
    )
    if mistake.start != "observations" or mistake.found != "view" or said is None:
        return None
    return Meant(
        write("view", ": it is what is around the agent"),
        *said.span(1),
        expected="an item",
        start=said.start(1),
        stop=mistake.end,
    )


_SIZED = r"\bview\s+(?:\d+\s*x\s*\d+|ahead\b[^,]*?)(?:\s+(?:centered|occluded|cone(?:\s+\d+)?))*\s*\Z"


def view_of_somebody(mistake: Mistake) -> Meant | None:
    """`view 5x5 of agent`, `view 5x5 around key`: a view is what is around the agent that looks."""
    said = re.match(r"(of|around|from|at|for)\s+(?:the\s+)?(\w+)", mistake.rest)
    if mistake.start != "observations" or said is None or re.search(_SIZED, mistake.before) is None:
        return None
    if said[2] in {"agent", "self", "player", "me", "it"}:
        help = Help(f"leave `{said[0]}` out: a view is what is around the agent that looks", ("",))
        return Meant(help, start=len(mistake.before), stop=mistake.begin + said.end())
    line = f"a view is what is around the agent that looks; where it is says `position of {said[2]}`, or the `grid`"
    return Meant(line, stop=mistake.begin + said.end(), end=mistake.begin + said.end())


def view_by_radius(mistake: Mistake) -> Meant | None:
    """`view radius 2`, `view within 3`, `view range 2`: a view has a width and a height."""
    said = re.match(r"(?:radius|range|within|distance|size|r)\s*=?\s*(\d{1,3})\b", mistake.rest)
    if mistake.start != "observations" or said is None or not re.search(r"\bview\Z", mistake.before):
        return None
    side = int(said[1]) if mistake.found == "size" else 2 * int(said[1]) + 1
    side += side % 2 == 0
    help = write(f"{side}x{side} centered", ": its width and its height, with the agent in the middle")
    return Meant(help, expected="a size such as 7x7", stop=mistake.begin + said.end())


_AHEAD = r"egocentric|local|partial|first[_-]person|(?:facing\s+)?(?:forwards?|ahead)|facing(?:\s+agent)?|in\s+front"
_BARRED = (
    r"(?:with\s+)?(?:opaque\s+)?walls?\s+(?:opaque|blocking|block)|with\s+(?:occlusion|line\s+of\s+sight)|occlusion|"
    r"(?:blocked|hidden|occluded)\s+by\s+\w+|not\s+through\s+walls|line\s+of\s+sight"
)


def view_in_words(mistake: Mistake) -> Meant | None:
    """`view 7x7 egocentric`, `view 7x7 facing forward`, `view 7x7 with walls opaque`."""
    item = mistake.text[mistake.item_start() : mistake.item_end()]
    sized = re.match(r"(?:\w+\s*=\s*)?view\s+\d+\s*x\s*\d+(?:\s+(?:centered|cone(?:\s+\d+)?))*(?=\s)", item)
    if mistake.start != "observations" or sized is None:
        return None
    at = mistake.item_start() + sized.end()
    ahead, barred = (
        re.compile(rf"\s+(?:{each})(?!\w)").match(mistake.text, at) for each in (_AHEAD, _BARRED)
    )
    if barred is not None:
        help = write(" occluded", ": what is opaque hides what is behind it")
        begin = at + len(barred[0]) - len(barred[0].lstrip())
        return Meant(help, begin, barred.end(), expected="`occluded`", start=at, stop=barred.end())
    if ahead is None:
        return None
    said = ahead[0].strip()
    help = Help(f"leave `{said}` out: a view lies ahead of who faces a way, `centered` is all around", ("",))
    return Meant(help, ahead.end() - len(said), ahead.end(), start=at, stop=ahead.end())


def planes_of_all(mistake: Mistake) -> Meant | None:
    """`grid as planes(all)`: without a list all kinds are shown."""
    said = re.search(r"\bas\s+planes(\s*\(\s*(?:all|\*|everything|kinds)\s*\))", mistake.text)
    if mistake.start != "observations" or said is None or not said.start() < mistake.begin < said.end():
        return None
    help = Help(f"leave `{said[1].strip()}` out: without a list there is a plane for each kind", ("",))
    return Meant(help, *said.span(1), start=said.start(1), stop=said.end(1))


def form_before_colon(mistake: Mistake) -> Meant | None:
    """`observe: red: grid`, `observe: tuple: grid, lit`: whose it is, and its form, stand before the colon."""
    said = re.match(r"(\w+)\s*:\s*([^,:]+)", mistake.text)
    if mistake.start != "observations" or said is None or not said.end(1) <= mistake.begin <= said.start(2):
        return None
    agents = re.search(rf"^agents\b.*\b{said[1]}\b", mistake.whole, re.MULTILINE)
    if agents is None and said[1] not in {"flat", "tuple", "goal"}:
        return None
    line = f"`{said[1]}` stands before the colon: `observe {said[1]}: {said[2].strip()[:30]}`"
    return Meant(line if agents is None else f"{line}, a statement for each")


def plane_where(mistake: Mistake) -> Meant | None:
    """`grid as planes (coin where coin.x > 2)`: a plane that shows some of a kind is a condition about its cells."""
    said = re.search(
        r"\bas\s+planes\s*\((?:[^()]|\([^()]*\))*?(?<![\w.])(\w+)\s+\Z", mistake.text[: mistake.begin]
    )
    if mistake.start != "observations" or mistake.found not in {"where", "if"} or said is None:
        return None
    if not (mistake.is_kind(said[1]) or said[1] in {"agent", "wall", "floor", "object", "self", "other"}):
        return None
    if re.search(r"\b(?:any|all|no|for)\s+\Z", mistake.text[: said.start(1)]):
        return None
    return Meant(write("at here and", ": a plane asks each cell"), stop=mistake.end)


def _of_a_view(said: re.Match[str]) -> Help:
    return write(f"view {said['size']} centered", ": the agent in the middle, `view` alone lies ahead")


def _pixels(said: re.Match[str]) -> str:
    return "a picture is as large as the board: `pixels 8` shows each cell 8 pixels wide"


def _colours(said: re.Match[str]) -> str:
    return "a picture has colours: Gymnasium's `GrayscaleObservation` takes them out"


def _by_kinds(said: re.Match[str]) -> Help:
    return write("grid as planes", ": each kind has a plane of its own")


def _in_a_row(said: re.Match[str]) -> str:
    return f"`observe flat: {said['what']}` puts all that is observed into one `Box`"


def _acted(said: re.Match[str]) -> Help:
    return write("done = self.action", ": the action of the step that led here")


def _stacked(said: re.Match[str]) -> str:
    number = next(filter(None, said.group("first", "last")), "4")
    return (
        f"an observation is of this moment: Gymnasium's `FrameStackObservation(env, {number})` keeps {number}"
    )


_NAMED = r"(?:\w+\s*=\s*)?"
_WAY = re.compile(_NAMED + r"(?:direction|way|vector|offset)\s+(?:to|toward|of)\s+(?:the\s+)?(\w+)")
_PAST = r"(?:history|last|previous|stack(?:ed)?|frames?|past)"
# What an item of `observe` is as a whole, and what to write in its place, or why not.
_ITEMS = tuple(
    (re.compile(_NAMED + pattern), answer)
    for pattern, answer in (
        (
            r"view\s+(?:of\s+)?(?P<size>\d+x\d+)\s+(?:around|of|centered\s+on)\s+(?:the\s+)?(?:agent|self)",
            _of_a_view,
        ),
        (r"(?:image|pixels|rgb|picture|screen|frame)\s+\d+\s*x\s*\d+", _pixels),
        (r"one[-_ ]?hot\s+(?:grid|map|board|cells?)|(?:grid|map|board)\s+one[-_ ]?hot", _by_kinds),
        (
            r"(?P<what>grid|board|map|view\s+\d+x\d+)\s+(?:flattened|flat|(?:as\s+)?(?:an?\s+)?(?:flat\s+)?vector)",
            _in_a_row,
        ),
        (r"(?:previous|prev|last|own|my)\s+action", _acted),
        (r"(?:image|pixels|picture)\s+(?:as\s+|in\s+)?(?:gray|grey)(?:scale)?", _colours),
        (rf"{_PAST}\s+(?P<first>\d+)\s+(?:of\s+)?.+|.+\s+{_PAST}\s+(?P<last>\d+)", _stacked),
    )
)


def another_item(mistake: Mistake) -> Meant | None:
    """`image 64x64`, `pixels as gray`, `history 4 of grid`, `direction to goal`, `view of 5x5 around agent`."""
    if mistake.start != "observations":
        return None
    start, stop = mistake.item_start(), mistake.item_end()
    way = _WAY.fullmatch(mistake.text[start:stop])
    if way is not None:
        who = "self" if re.search(r"^agents\b", mistake.whole, re.MULTILINE) else "agent"
        help = write(f"right = {way[1]}.x - {who}.x, down = {way[1]}.y - {who}.y")
        return Meant(help, start, stop, expected="an item", start=start, stop=stop)
    return of_item(mistake, _ITEMS, "an item")


# In the order in which they are asked: what is surest stands first.
HABITS: Habits = (
    form_alone,
    list_without_brackets,
    described_view,
    codes_with_equals,
    north_up,
    centered_late,
    view_of_somebody,
    view_by_radius,
    view_in_words,
    form_before_colon,
    planes_of_all,
    plane_where,
    another_item,
)
