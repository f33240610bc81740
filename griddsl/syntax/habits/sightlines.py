"""Habits in `K sees K2`: how else it is said that one is in the sight of another."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.syntax.habits.mistake import Meant, Mistake


def sees(mistake: Mistake) -> Meant | None:
    """`agent can see alien`, `agent does not see alien`, `agent seen by alien`, `agent sees alien at 3`."""
    said = re.match(r"(can\s+see|see|looks\s+at|watches|spots)\b", mistake.rest)
    behind = mistake.last_word()
    if "SEES" in mistake.expected and said is not None and behind is not None:
        end = mistake.begin + said.end()
        return Meant(write("sees"), mistake.begin, end, stop=end)
    denied = re.match(r"(does\s+not|doesn|cannot|can\s+not)\s+see\s+(\w+)", mistake.rest)
    if denied is not None and behind is not None:
        end = mistake.begin + denied.end()
        line = f"not {behind.group()} sees {denied[2]}"
        return Meant(write(line), behind.start(), end, start=behind.start(), stop=end)
    passive = re.match(r"(?:is\s+)?(?:seen|visible)\s+(?:by|from|to)\s+(\w+)", mistake.rest)
    if passive is not None and behind is not None:
        end = mistake.begin + passive.end()
        line = f"{passive[1]} sees {behind.group()}"
        return Meant(write(line), behind.start(), end, start=behind.start(), stop=end)
    far = re.match(r"(in|at|up\s+to|from)(?=\s+\d)", mistake.rest)
    if far is not None and re.search(r"\bsees\s+(any\s+)?\w+(\([^()]*\))?\Z", mistake.before):
        return Meant(write("within"), stop=mistake.begin + far.end())
    if re.search(r"\bsees\s+.*\bwithin\s+\S+\Z", mistake.before) and mistake.found in {"cells", "cell"}:
        return Meant(Help(f"leave `{mistake.found}` out", ("",)), start=len(mistake.before), stop=mistake.end)
    return None
