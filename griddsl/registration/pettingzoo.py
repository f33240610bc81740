"""Registration with PettingZoo: specs that several agents play are in its registry, by the ids they have.

Loading this module registers them, where the installed PettingZoo has a registry; those that `griddsl.register` brings
later are registered as they come.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import gymnasium as gym

from griddsl.registration.ids import on_registration, registered

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

PARALLEL, AEC = "griddsl.envs.joint.parallel:GridParallelEnv", "griddsl.envs.joint.aec:make_aec"
_AGENTS = re.compile(r"^agents\s*[:=]", re.MULTILINE)


def register_games(spec_id: str, source: Path | GridSpec) -> None:
    """Register a spec under ``parallel`` and ``aec``, where it names its agents; nothing is parsed for that."""
    try:
        import pettingzoo
        from pettingzoo import aec_registry, parallel_registry
    except ImportError:  # An older PettingZoo has none.
        return
    if not _is_game(source):
        return
    kept = dict(gym.registry[spec_id].kwargs)
    for registry, sort, entry_point in (
        (parallel_registry, "parallel", PARALLEL),
        (aec_registry, "aec", AEC),
    ):
        registry.pop(spec_id, None)
        pettingzoo.register(sort, spec_id, entry_point=entry_point, kwargs=kept)


def _is_game(source: Path | GridSpec) -> bool:
    """Whether a spec names its agents."""
    if not isinstance(source, Path):
        return bool(source.agents)
    try:
        return _AGENTS.search(source.read_text(encoding="utf-8-sig", errors="replace")) is not None
    except OSError:
        return False


for _spec_id, _source in registered().items():
    register_games(_spec_id, _source)
on_registration(register_games)
