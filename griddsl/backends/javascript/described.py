"""What the runtime, a page and a reader of a module need to know beside its functions, as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from griddsl.backends.interface import leaf_port
from griddsl.diagnostics import Refused
from griddsl.program import ir, keys
from griddsl.program.program import InfoEntry, KindInfo, Player, Program
from griddsl.program.spaces import Leaf
from griddsl.program.words import params_told


class Unsuitable(Refused):
    """The program is not one for JavaScript; the message says why."""


def values_of(table: ir.Table) -> list[float]:
    """Return the values of a table as a list."""
    return np.asarray(table.values).tolist() if len(table.values) else []


def described(program: Program, pictured: bool = False) -> dict[str, Any]:
    """Return it all; raise `Unsuitable` for pixels, unless who asks shows the board (``pictured``)."""
    for leaf in (leaf for player in program.players for leaf in player.observation.leaves):
        if leaf.form == "pixels" and not pictured:
            raise Unsuitable(f"`{leaf.name}` observes pixels, which only Python draws")
    offsets = program.layout.offsets
    lengths = {slot.key: slot.length for slot in program.slots}
    codes = {kind.name: kind.code for kind in program.kinds}
    return {
        "id": program.id,
        "description": program.description,
        "width": program.width,
        "height": program.height,
        "players": [_player(program, player) for player in program.players],
        "goal": {name: _leaf(leaf) for name, leaf in program.goal.items()},
        "outcomes": program.outcomes,
        "agents": [codes[name] for name in program.agents],
        "names_of_agents": program.agent_names,
        "kinds": [_kind(program, kind) for kind in sorted(program.kinds, key=lambda kind: kind.code)],
        "layers": [offsets[key] for key in program.layers if key in offsets],
        "levels": program.levels,
        "next_level": program.next_level,
        "ground": list(program.ground[0]),
        "barriers": [sorted(found) for found in program.barriers],
        "names": [
            {
                "name": found.name,
                "label": found.label,
                "form": found.form,
                "words": found.words,
                "at": offsets[found.slot],
                "is_part": found.is_part,
            }
            for found in program.names
        ],
        "params": params_told(program),
        "mission": program.mission,
        "scores": program.scores,
        "limit": program.limit,
        "turns": program.turns,
        "saved": [program.layout.saved, program.layout.saved_reals],
        "hands": lengths.get(keys.CARRIED, 0) // max(1, len(program.agents)),
        "choices": lengths[keys.CHOICE] // len(program.agents) if keys.CHOICE in lengths else 0,
    }


def _player(program: Program, player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "agent": player.agent,
        "arguments": player.arguments,
        "actions": [[action.name for action in group.actions] for group in player.groups],
        "keys": [[action.keys for action in group.actions] for group in player.groups],
        "observation": {
            "form": player.observation.form,
            "leaves": [_leaf(leaf) for leaf in player.observation.leaves],
        },
        "info": [_entry(program, entry) for entry in player.info],
        "mask": player.mask,
    }


def _entry(program: Program, entry: InfoEntry) -> dict[str, Any]:
    shown = {"name": entry.name, "form": entry.form, "words": entry.words, "function": entry.function}
    offsets = program.layout.offsets
    return shown if entry.function else {**shown, "at": offsets[entry.slot], "flag": offsets[entry.flag]}


def _leaf(leaf: Leaf) -> dict[str, Any]:
    view = None if leaf.view is None else asdict(leaf.view)
    shown = {"name": leaf.name, "form": leaf.form, "function": leaf.function, "view": view}
    if leaf.function:
        port = leaf_port(leaf)
        return {**shown, "shape": port.shape, "dtype": port.dtype, "size": port.size}
    shape = getattr(leaf.space, "shape", ())
    return {**shown, "shape": shape, "dtype": "", "size": int(np.prod(shape))}


def _kind(program: Program, kind: KindInfo) -> dict[str, Any]:
    tables = {table.key: table for table in program.tables}
    return {
        "name": kind.name,
        "category": kind.category,
        "glyph": kind.glyph,
        "glyphs": [
            {
                "glyph": found.glyph,
                "attributes": found.attributes,
                "ground": found.ground,
                "below": found.ground_attributes,
            }
            for found in kind.glyphs
        ],
        "attributes": [
            {
                "name": attribute.name,
                "words": attribute.words,
                "at": program.layout.offsets[attribute.holder] if attribute.is_slot else None,
                "table": None if attribute.is_slot else values_of(tables[attribute.holder]),
            }
            for attribute in kind.attributes
        ],
        "color": kind.color,
        "shape": kind.shape,
        "looks": [
            {"attributes": look.attributes, "color": look.color, "shape": look.shape} for look in kind.looks
        ],
    }
