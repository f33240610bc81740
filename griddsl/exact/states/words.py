"""Words: what the parts of a state are called in the words of the spec."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from griddsl.exact.draws import Key
from griddsl.program import ir, keys
from griddsl.program.program import Program, is_counter

OBJECTS = "where objects are"
ALIKE = (
    "objects that are alike count as different ones: what stands where can be a word of the ground instead, "
    "`tile plot: stone in none | black | white`"
)


def multipliers(program: Program, states: Sequence[Key], most: int = 6) -> list[str]:
    """Return which parts of the state take how many values, most first, in the words of the spec."""
    words = slot_words(program)
    counts: Counter[str] = Counter()
    for slot, start in _saved_slots(program):
        distinct = len({state[start : start + slot.length] for state in states})
        if distinct > 1:
            counts[words.get(slot.key, slot.name)] = max(distinct, counts[words.get(slot.key, slot.name)])
    return [f"{name} ({count:,})" for name, count in counts.most_common(most)]


def slot_words(program: Program) -> dict[ir.Key, str]:
    """Return what each saved slot is, in the words of the spec."""
    words: dict[ir.Key, str] = {
        keys.AGENT_CELL: "the agent's cell",
        keys.FACING: "the agent's facing",
        keys.TILE: "the tiles of the map",
        keys.LEVEL: "the level",
        keys.START: "where the agent started",
        keys.CARRIED: "what the agent carries",
        keys.PREVIOUS_ACTION: "the previous action",
        keys.STEP: "`step`",
        keys.TURN: "whose turn it is",
        keys.OUT: "who is out",
        keys.BACK: "where who is away comes back",
        keys.EPISODE: "the number of the episode",
        keys.DRAWN: "whether something was drawn once",
        keys.TOTAL: "what was gained",
    }
    for slot in program.slots:
        if is_counter(slot.key):
            words[slot.key] = "how often something came about"
        match slot.key:
            case keys.OBJECT_AT | (keys.OBJECT_AT, _) | keys.OBJECT_CELL | keys.OBJECT_KIND | keys.OBJECTS:
                words[slot.key] = OBJECTS
            case keys.OBJECT_CARRIED:
                words[slot.key] = "what objects carry"
            case keys.OBJECT_START:
                words[slot.key] = "where objects started"
            case (keys.OBJECT, name):
                words[slot.key] = f"the objects' {name}"
            case (keys.TILE, name):
                words[slot.key] = f"the tiles' {name}"
            case (keys.AGENT, name):
                words[slot.key] = f"the agent's {name}"
            case (keys.CHOSEN, name):
                words[slot.key] = f"`{name}`"
            case (keys.LOWEST, _):
                words[slot.key] = "what `lowest` remembers"
            case (keys.PREVIOUS, _):
                words[slot.key] = "what `prev` remembers"
    words.update(
        {info.slot: "what the mission says" if info.is_part else f"`{info.label}`" for info in program.names}
    )
    return words


def _saved_slots(program: Program) -> Iterable[tuple[ir.Slot, int]]:
    layout = program.layout
    for slot in program.slots:
        if slot.saved:
            offset = layout.offsets[slot.key]
            yield slot, layout.saved + offset if slot.type == "real" else offset
