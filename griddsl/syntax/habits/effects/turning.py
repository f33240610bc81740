"""Turning: `turn agent left`, `agent turn_right`, `bug turns east`, `rotate bug left`, said as other languages do."""

from __future__ import annotations

import re

from griddsl.compass import CARDINALS
from griddsl.diagnostics import write
from griddsl.syntax.habits.mistake import Meant, Mistake

_SIDES = {
    **dict.fromkeys(("left", "counterclockwise", "anticlockwise", "ccw"), "left"),
    **dict.fromkeys(("right", "clockwise", "cw"), "right"),
    **dict.fromkeys(("around", "back", "backward", "backwards"), "around"),
}
_OF = {"left": "left_of", "right": "right_of", "around": "opposite"}
_TURN = r"(?:turns?|rotates?|faces?)"
_WAY = rf"(?:to\s+(?:the\s+)?)?(?P<way>{'|'.join((*_SIDES, *CARDINALS))})"
_WHO = r"(?:the\s+)?(?P<who>[A-Za-z_]\w*)(?:\.facing)?"
_TURNED = (
    re.compile(rf"{_TURN}(?:\s+{_WHO})??[\s_]+{_WAY}(?:\s+by\s+90)?"),
    re.compile(rf"{_WHO}\s+{_TURN}[\s_]+{_WAY}"),
)


def turned(mistake: Mistake) -> Meant | None:
    """`turn agent left`, `agent turn_right`, `bug turns east`: who turns is the one that a rule is about."""
    start, stop = mistake.item_start(), mistake.item_end()
    said = next(filter(None, (wording.fullmatch(mistake.text[start:stop]) for wording in _TURNED)), None)
    if mistake.start != "effects" or said is None:
        return None
    side, who = _SIDES.get(said["way"]), said["who"] or "agent"
    if who in {"agent", "player", "self", "me"}:
        return Meant(
            write(f"turn {side or 'to ' + said['way']}"), start, stop, "`" + said[0] + "`", "an effect"
        )
    if not (mistake.is_kind(who) or mistake.is_thing(who)):
        return None
    value = said["way"] if side is None else f"{_OF[side]}({who}.facing)"
    why = ", where it has a `facing`"
    return Meant(write(f"{who}.facing = {value}", why), start, stop, "`" + said[0] + "`", "an effect")
